"""Checks, before Qt is loaded, that a window can be opened: where Qt cannot start it aborts the process.

On Linux this loads the libraries that Qt's plugins are linked to and connects to the display once, as Qt would; a
platform that is rarely asked for is tried in another process. Only the standard library is imported here. Windows and
macOS always have what Qt needs.
"""

import ctypes
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PAINTING = {
    "libstdc++.so.6": "libstdc++6",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libfreetype.so.6": "libfreetype6",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
}
"""The libraries that QtWidgets is linked to, with or without a display, and the Debian package of each."""

XCB = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb.so.1": "libxcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
"""The further libraries of Qt's xcb platform plugin."""

WAYLAND = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
"""The further libraries of Qt's wayland platform plugin."""


ANYWHERE = "offscreen", "minimal"
"""Qt's platforms that need no display."""

UNPAINTED = ("vkkhrdisplay",)
"""Platforms that show only Vulkan's pictures: they start, but a window would be invisible."""

START_SECONDS = 20
"""The time that Qt may take to start on a platform in a trial."""

TRIAL = """
import sys
from PySide6.QtGui import QGuiApplication
sys.exit(QGuiApplication([]).primaryScreen() is None)
"""

WAYLAND_USUAL = "wayland-0"
"""The display that a program looks for if it is to use Wayland without a name."""


NO_DISPLAY = (
    "There is no display (neither DISPLAY nor WAYLAND_DISPLAY leads to one): start Plyscope from a desktop, "
    "or over ssh with `ssh -X`."
)
NO_WAYLAND = "There is no Wayland display: start Plyscope from a Wayland desktop, or unset QT_QPA_PLATFORM."


def why_no_window(environ: Mapping[str, str] = os.environ) -> str | None:
    """None if a window can be opened, else one sentence on why not and what to do.

    Qt tries the platforms in QT_QPA_PLATFORM one after the other, and aborts if none works.
    """
    if not sys.platform.startswith("linux"):
        return why_no_painting()
    if wrong := why_wrong_qt():
        return wrong
    if platforms := [choice for choice in environ.get("QT_QPA_PLATFORM", "").split(";") if choice]:
        obstacles = [_why_not_on(platform, environ) for platform in platforms]
        return None if None in obstacles else obstacles[0]
    if environ.get("DISPLAY"):
        obstacle = _why_not_on("xcb", environ)
        if obstacle is None or not _has_wayland(environ):
            return obstacle
    if _has_wayland(environ):
        return _missing(PAINTING | WAYLAND)
    return NO_DISPLAY


def _why_not_on(platform: str, environ: Mapping[str, str]) -> str | None:
    """The same for one of Qt's platforms, with its options: "xcb", "offscreen:size=800x600", "eglfs"."""
    name = platform.partition(":")[0]
    if name in ANYWHERE:
        return _missing(PAINTING)
    if name == "xcb":
        display = environ.get("DISPLAY")
        return (_missing(PAINTING | XCB) or _unreachable(display)) if display else NO_DISPLAY
    if name.startswith("wayland"):
        return _missing(PAINTING | WAYLAND) if _has_wayland(environ, WAYLAND_USUAL) else NO_WAYLAND
    if name not in UNPAINTED and _starts_on(platform, environ):
        return None
    cure = "unset QT_QPA_PLATFORM, or choose xcb, wayland or offscreen."
    return _missing(PAINTING) or f"Qt has no platform {name}, or cannot start on it here: {cure}"


def _starts_on(platform: str, environ: Mapping[str, str]) -> bool:
    """Whether Qt starts on a platform and finds a screen: tried in another process, because Qt aborts where it
    cannot."""
    command = [sys.executable, "-P", "-c", TRIAL]
    try:
        ended = subprocess.run(
            command,
            env={**environ, "QT_QPA_PLATFORM": platform},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=START_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0


def why_no_painting() -> str | None:
    """None if Qt can paint at least into a picture, without a display; else one sentence with the remedy."""
    return why_wrong_qt() or (_missing(PAINTING) if sys.platform.startswith("linux") else None)


def why_wrong_qt(python: tuple[int, ...] = sys.version_info[:2]) -> str | None:
    """None if the installed PySide6 can be used, else one sentence with the remedy.

    PySide6 6.12.0 loses one reference to None in nearly every void call; below Python 3.12, where None can be freed,
    that aborts the process after some 5,000 calls.
    """
    try:
        installed = version("PySide6-Essentials")
    except PackageNotFoundError:
        return "PySide6 is not installed: run `pip install PySide6-Essentials`."
    if installed == "6.12.0" and python < (3, 12):
        return (
            "PySide6 6.12.0 crashes on Python before 3.12: run `pip install 'PySide6-Essentials!=6.12.0'`, "
            "or use a newer Python."
        )
    return None


def _missing(libraries: Mapping[str, str]) -> str | None:
    """One sentence with each of these libraries that cannot be loaded, and its package; None if all can."""
    missing: dict[str, str | None] = {}
    for library, package in libraries.items():
        try:
            ctypes.CDLL(library)
        except OSError as error:
            # The loader names what it could not load: this library, or one that this one needs.
            culprit = Path(str(error).partition(":")[0]).name
            missing[culprit] = libraries.get(culprit, package if culprit == library else None)
    if not missing:
        return None
    names = ", ".join(missing)
    packages = sorted({package for package in missing.values() if package})
    verb, noun = ("is", "package") if len(missing) == 1 else ("are", "packages")
    if not packages:
        return f"{names}, which Qt needs, {verb} missing: install the {noun} that {names} belongs to."
    return f"{names}, which Qt needs, {verb} missing: install the {noun} {' '.join(packages)} (as Debian names them)."


def _unreachable(display: str) -> str | None:
    """One sentence if no X server accepts us at this address; else None. Xlib must be installed."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(os.fsencode(display), None)
    refused = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    if not refused:
        return None
    return f"The display {display} cannot be reached: is DISPLAY right, and may you use that screen?"


def _has_wayland(environ: Mapping[str, str], usual: str = "") -> bool:
    """Whether a server answers at WAYLAND_DISPLAY, an absolute name or one in XDG_RUNTIME_DIR; without it, at
    `usual`."""
    name = environ.get("WAYLAND_DISPLAY") or usual
    if not name:
        return False
    with socket.socket(socket.AF_UNIX) as trial:
        try:
            trial.connect(str(Path(environ.get("XDG_RUNTIME_DIR", "/")) / name))
        except (OSError, ValueError):
            return False
    return True
