"""No start ends in Qt's abort: before Qt is loaded, one sentence says why no window can be opened."""

import ctypes
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gui import display
from tests.gui.program import x_server

PROBE = """
import sys
from gui.display import why_no_window
print(why_no_window())
assert not any(name.startswith(("PySide6", "shiboken6")) for name in sys.modules), "Qt was loaded"
"""
PROBE_EACH = PROBE.replace(
    "print(why_no_window())",
    """import os
for platform in sys.argv[1:]:
    print(why_no_window({**os.environ, "QT_QPA_PLATFORM": platform}))""",
)
OPEN_A_WINDOW = """
from PySide6.QtWidgets import QApplication, QWidget
application = QApplication([])
window = QWidget()
window.show()
print(application.platformName(), window.isVisible())
"""
PROGRAM = str(Path(display.__file__).parents[1] / "main.py")
SCREEN_VARIABLES = {"DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "QT_QPA_PLATFORM"}

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Only Linux can be without a display.")


def without_screen(**environ: str) -> dict[str, str]:
    """Our environment, with no other screen than the given one."""
    return {name: value for name, value in os.environ.items() if name not in SCREEN_VARIABLES} | environ


def run(code: str, *words: str, **environ: str) -> str:
    """The output of a new Python process, with no other screen than the given one."""
    ended = subprocess.run(
        [sys.executable, "-c", code, *words],
        env=without_screen(**environ),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def can_be_loaded(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


@pytest.fixture
def screen() -> Iterator[str]:
    """The address of an X server of our own."""
    with x_server() as (address, _):
        yield address


@linux_only
def test_without_a_display_it_says_so(tmp_path):
    """A Wayland name without its socket is none."""
    for environ in ({}, {"WAYLAND_DISPLAY": "wayland-9", "XDG_RUNTIME_DIR": str(tmp_path)}):
        assert run(PROBE, **environ).startswith("There is no display")


@linux_only
def test_an_unreachable_display_is_named():
    assert run(PROBE, DISPLAY=":7777").startswith("The display :7777 cannot be reached")


@linux_only
def test_xcb_asked_for_still_needs_a_display():
    assert run(PROBE, QT_QPA_PLATFORM="xcb").startswith("There is no display")


def test_a_platform_without_a_display_will_do_or_the_first_that_will():
    platforms = ["offscreen", "minimal", "offscreen:size=800x600", "wayland;offscreen", "no-such;offscreen"]
    assert run(PROBE_EACH, *platforms).split() == ["None"] * len(platforms)


@linux_only
def test_a_missing_platform_is_refused():
    refused = {
        "wayland": "There is no Wayland display",
        "wayland-egl;xcb": "There is no Wayland display",
        "linuxfb": "Qt has no platform linuxfb, or cannot start on it here",
        "no-such": "Qt has no platform no-such, or cannot start on it here",
    }
    for said, sentence in zip(run(PROBE_EACH, *refused).splitlines(), refused.values(), strict=True):
        assert said.startswith(sentence)


@linux_only
def test_a_wayland_socket_at_which_nobody_answers_is_no_display(tmp_path):
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / "wayland-0"))
    environ = {"XDG_RUNTIME_DIR": str(tmp_path), "WAYLAND_DISPLAY": "wayland-0"}
    assert run(PROBE, **environ).startswith("There is no display")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "wayland-1"))
        server.listen()
        answer = run(PROBE, **environ | {"WAYLAND_DISPLAY": "wayland-1"})
    missing = [name for name in display.WAYLAND if not can_be_loaded(name)]
    assert answer.startswith(f"{missing[0]}, which Qt needs, is missing" if missing else "None")


@linux_only
def test_a_missing_library_is_named_with_its_package(monkeypatch):
    monkeypatch.setitem(display.XCB, "libxcb-plyscope.so.0", "libxcb-plyscope0")
    assert display.why_no_window({"DISPLAY": ":7777"}) == (
        "libxcb-plyscope.so.0, which Qt needs, is missing: install the package libxcb-plyscope0 (as Debian names them)."
    )


@pytest.mark.display
@linux_only
@pytest.mark.parametrize(
    ("broken", "package"),
    [("libxcb-cursor.so.0", "libxcb-cursor0"), ("libxcb-util.so.1", "libxcb-util1")],
    ids=["that Qt needs", "that one of them needs"],
)
def test_a_library_that_cannot_be_loaded_is_named_before_qt_would_abort(tmp_path, broken, package):
    """The loader looks into LD_LIBRARY_PATH first, where there is an empty file of that name."""
    (tmp_path / broken).touch()
    answer = run(PROBE, DISPLAY=":7777", LD_LIBRARY_PATH=str(tmp_path))
    assert answer.startswith(f"{broken}, which Qt needs, is missing: install the package {package} ")


@pytest.mark.display
@linux_only
def test_the_program_says_it_in_one_sentence_and_goes_on_in_text(tmp_path):
    (tmp_path / "libxcb-cursor.so.0").touch()
    with subprocess.Popen(
        [sys.executable, PROGRAM],
        env=without_screen(DISPLAY=":7777", LD_LIBRARY_PATH=str(tmp_path)),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stderr is not None
        assert running.stdout is not None
        assert running.stderr.readline().startswith("libxcb-cursor.so.0, which Qt needs, is missing")
        assert running.stdout.readline(), "it begins to say what it found"
        running.terminate()  # killed while it loads a kernel, it would have the next program drop them all


@linux_only
def test_all_missing_libraries_are_named_at_once(monkeypatch):
    monkeypatch.setitem(display.PAINTING, "libplyscope-a.so", "plyscope-a")
    monkeypatch.setitem(display.PAINTING, "libplyscope-b.so", "plyscope-b")
    for answer in (display.why_no_painting(), display.why_no_window({"QT_QPA_PLATFORM": "offscreen"})):
        assert answer is not None
        assert "libplyscope-a.so, libplyscope-b.so" in answer
        assert "packages plyscope-a plyscope-b" in answer


@pytest.mark.display
@linux_only
@pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Needs an X server: install the package xvfb.")
def test_on_a_real_screen_nothing_stands_in_the_way_and_qt_opens_a_window(screen):
    assert run(PROBE, DISPLAY=screen) == "None"
    assert run(OPEN_A_WINDOW, DISPLAY=screen) == "xcb True"


@pytest.mark.parametrize(
    ("installed", "python", "cure"),
    [
        ("6.12.0", (3, 11), "PySide6-Essentials!=6.12.0"),
        ("6.12.0", (3, 12), None),
        ("6.11.3", (3, 11), None),
    ],
)
def test_the_known_bad_pair_of_qt_and_python_is_refused_with_its_cure(monkeypatch, installed, python, cure):
    monkeypatch.setattr(display, "version", lambda _: installed)
    answer = display.why_wrong_qt(python)
    assert cure in answer if cure else answer is None


@linux_only
def test_the_program_refuses_the_known_bad_pair_before_it_loads_qt(tmp_path):
    """As if 6.12.0 were installed: Python asks the first such folder on its path."""
    (tmp_path / "PySide6_Essentials-6.12.0.dist-info").mkdir()
    metadata = "Metadata-Version: 2.1\nName: PySide6-Essentials\nVersion: 6.12.0\n"
    (tmp_path / "PySide6_Essentials-6.12.0.dist-info" / "METADATA").write_text(metadata)
    picture = tmp_path / "window.png"
    ended = subprocess.run(
        [sys.executable, PROGRAM, "--screenshot", picture],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    bad = sys.version_info < (3, 12)
    assert ("PySide6-Essentials!=6.12.0" in ended.stderr) == bad
    assert picture.exists() != bad


PAINT = """
from gui.app import application
from gui.style.theme import theme
from PySide6.QtGui import QFont, QFontInfo, QImage, QPainter
app = application()

def painted(text, fonts):
    image = QImage(200, 40, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.setPen("white")
    for place, font in zip((0, 100), fonts):
        painter.setFont(font)
        painter.drawText(place, 30, text)
    painter.end()
    return bytes(image.constBits())

nothing = painted("", [QFont()])
assert painted("X", [QFont()]) == painted("O", [QFont()]), "both are boxes, where there is no font"
theme().apply()
fonts = [theme().font(), theme().font(mono=True)]
assert len({nothing, *(painted(text, fonts) for text in "XOα−")}) == 5
print(*(QFontInfo(font).family() for font in fonts))
"""


@linux_only
def test_on_a_machine_without_fonts_the_bundled_ones_are_seen(tmp_path):
    (tmp_path / "fonts.conf").write_text('<?xml version="1.0"?><fontconfig></fontconfig>')
    environ = {"QT_QPA_PLATFORM": "offscreen", "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}
    assert run(PAINT, **environ) == "Inter JetBrains Mono"


def test_the_installed_qt_is_a_good_one():
    assert display.why_wrong_qt() is None
