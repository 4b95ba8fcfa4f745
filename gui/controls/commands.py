"""The options as commands for the palette: each entry of a box, each switch, and each field."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractSpinBox, QCheckBox, QComboBox, QDockWidget, QWidget

from gui.controls.options import OptionsView
from gui.i18n.language import mark, tr

EXPERT = mark("Expert")


def option_commands(options: OptionsView, owner: QObject) -> list[tuple[str, QAction]]:
    """The commands of the options' card, with their paths: "Options › Level › Strongest". The actions live as long as
    their owner."""
    found = [command for field in options.findChildren(QWidget) for command in _commands(field, owner)]
    expert = options.expert
    if not expert.is_open:
        tip = tr("Move ordering, windows, deepening, table, horizon and parallel search")
        found.append((tr(EXPERT), _made(owner, tr(EXPERT), tip, lambda: (expert.open(), _go_to(expert)))))
    return [(tr("Options › {name}", name=name), made) for name, made in found]


def _commands(field: QWidget, owner: QObject) -> Iterator[tuple[str, QAction]]:
    """The commands of one field, by its name."""
    name, tip = field.accessibleName(), field.toolTip()
    if isinstance(field, QComboBox):
        for place in range(field.count()):
            index, data = field.model().index(place, 0), field.itemData(place)
            made = _made(owner, name, tip, lambda place=place: _choose(field, place), place == field.currentIndex())
            made.setData(data if isinstance(data, str) else "")  # the name in the code, which some people use
            made.setEnabled(field.isEnabled() and bool(field.model().flags(index) & Qt.ItemFlag.ItemIsEnabled))
            yield f"{name} › {field.itemText(place)}", made
    elif isinstance(field, QCheckBox):
        made = _made(owner, name, tip, field.click, field.isChecked())
        made.setEnabled(field.isEnabled())
        yield " › ".join(dict.fromkeys(filter(None, (name, field.text())))), made
    elif isinstance(field, QAbstractSpinBox) and name:
        made = _made(owner, name, tip, lambda: _go_to(field))
        made.setEnabled(field.isEnabled())
        yield tr("{name}…", name=name), made


def _made(owner: QObject, name: str, tip: str, do: Callable[[], object], checked: bool | None = None) -> QAction:
    """An action; checkable, with this state, unless `checked` is None."""
    made = QAction(name, owner)
    made.setObjectName(name)
    made.setStatusTip(tip)
    made.setCheckable(checked is not None)
    made.setChecked(bool(checked))
    made.triggered.connect(lambda: do())
    return made


def _choose(field: QComboBox, place: int) -> None:
    """Choose an entry as a person does."""
    field.setCurrentIndex(place)
    field.activated.emit(place)


def _go_to(field: QWidget) -> None:
    """Set the focus to a field, and raise its card."""
    above: QWidget | None = field
    while above is not None:
        if isinstance(above, QDockWidget):
            above.show()
            above.raise_()
        above = above.parentWidget()
    field.setFocus(Qt.FocusReason.ShortcutFocusReason)
