"""What the Help menu says."""

import importlib.metadata

from PySide6.QtWidgets import QMessageBox, QWidget


def show_keys(window: QWidget) -> None:
    """Which keys do what, from the window's own actions."""
    rows = "".join(
        f"<tr><td>{made.text()}</td><td><b>&nbsp;&nbsp;{made.shortcut().toString()}</b></td></tr>"
        for made in window.actions()
        if not made.shortcut().isEmpty()
    )
    board = "On the board: the arrow keys and Enter, or a square's name."
    path = "On the path: the arrow keys, Home for the root."
    QMessageBox.information(window, "Keys", f"<table>{rows}</table><p>{board}<br>{path}</p>")


def show_about(window: QWidget) -> None:
    """What this program is."""
    QMessageBox.about(
        window,
        "About Plyscope",
        f"<b>Plyscope {version()}</b><p>A laboratory for game-tree search: play, and see the search that answered.</p>"
        "<p>MIT licence. Fonts: Inter and JetBrains Mono, SIL Open Font License.</p>",
    )


def version() -> str:
    """Of this program."""
    try:
        return importlib.metadata.version("plyscope")
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"
