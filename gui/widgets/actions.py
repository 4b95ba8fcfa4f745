"""Actions, each with its name, its keys and a sentence; menus, buttons and keys all use them."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar, QWidget

from engine.registry import algorithms
from gui.i18n.language import tr


def action(
    owner: QWidget, text: str, keys: str | Iterable[str], tip: str, do: Callable[..., object], checkable: bool = False
) -> QAction:
    """An action of a window. `do` is called without arguments, or with the state of a checkable action.

    Its name and its tip are given in English, `mark`ed; the English name is the object name.
    """
    made = QAction(tr(text), owner)
    made.setObjectName(text)
    made.setStatusTip(tr(tip))
    bind(made, [QKeySequence(key) for key in ([keys] if isinstance(keys, str) else keys) if key])
    made.setCheckable(checkable)
    if checkable:
        made.toggled.connect(do)
    else:
        made.triggered.connect(lambda: do())
    owner.addAction(made)
    return made


def add_heading(menu: QMenu, text: str) -> None:
    """Add the name of the entries that follow. That of a section (`QMenu.addSection`) is not drawn with a style
    sheet."""
    menu.addSeparator()
    menu.addAction(text).setEnabled(False)


def command(window: QWidget, name: str) -> QAction | None:
    """A window's action by its object name."""
    return next((made for made in window.actions() if made.objectName() == name), None)


def bind(made: QAction, keys: list[QKeySequence]) -> None:
    """Give an action these keys; its tool tip names the first."""
    made.setShortcuts(keys)
    tip = made.statusTip() or made.text()
    made.setToolTip(tr("{tip} ({key})", tip=tip, key=first_key(made)) if keys else tip)


def offer(made: QAction, why_not: str) -> None:
    """Enable an action if `why_not` is empty; else disable it, with the reason in its tool tip."""
    made.setEnabled(not why_not or made.isChecked())
    made.setToolTip(made.toolTip().partition("\n")[0] + (f"\n{why_not}" if why_not else ""))


def first_key(made: QAction) -> str:
    """The first of an action's keys as text; empty where it has none."""
    return made.shortcut().toString(QKeySequence.SequenceFormat.NativeText)


def choice(
    owner: QWidget, entries: Iterable[tuple[str, str, str, str]], choose: Callable[[str], object]
) -> dict[str, QAction]:
    """Exclusive checkable actions: (name, text, keys, tip) each. `choose` is called with the name of the chosen one."""
    group, made = QActionGroup(owner), {}
    for name, text, keys, tip in entries:
        made[name] = action(owner, text, keys, tip, lambda on, name=name: choose(name) if on else None, checkable=True)
        group.addAction(made[name])
    return made


def algorithm_choice(owner: QWidget, choose: Callable[[str], object]) -> dict[str, QAction]:
    """An action for each algorithm of the registry, with the keys Ctrl+1, Ctrl+2 ..."""
    return choice(
        owner,
        (
            (name, algorithm.title, f"Ctrl+{number}", algorithm.summary)
            for number, (name, algorithm) in enumerate(algorithms().items(), 1)
        ),
        choose,
    )


def menus(bar: QMenuBar, groups: Mapping[str, Iterable[Iterable[QAction]]]) -> None:
    """Add menus with these names, with a separator between groups of actions."""
    for name, members in groups.items():
        menu = bar.addMenu(name)
        for group in members:
            menu.addSeparator()
            menu.addActions([*group])


def entries(window: QMainWindow) -> list[tuple[str, QAction]]:
    """Every action of a window's menus, with its path there: "View › Dark"; then the actions in no menu."""
    found = [
        (f"{menu.title().replace('&', '')} › {made.text()}", made)
        for menu in window.menuBar().findChildren(QMenu)
        for made in menu.actions()
        if not made.isSeparator() and made.menu() is None
    ]
    known = {made for _, made in found}
    return [*found, *((made.text(), made) for made in window.actions() if made not in known)]
