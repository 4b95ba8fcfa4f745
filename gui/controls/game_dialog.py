"""The dialog to choose a game: each with a picture and a sentence, and its size where it has several."""

import random
import re
from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from engine import registry
from engine.job import JobError
from engine.play.game_file import SavedGame
from engine.rules.bits import each
from engine.rules.contract import Game, Position, is_over, legal, play
from gui.i18n.language import localized, tr
from gui.style.theme import NOTE, TEXT, theme
from gui.widgets.answer_dialog import AnswerDialog
from gui.widgets.drawing import mini_board
from gui.widgets.fields import Box

PICTURE, AIR, WIDTH = 76, 10, 460
"""Pixels: the side of a picture, the space around it, and the width of the list."""
SEEN = 7
"""The number of games visible at once."""
SAMPLE = 0.6
"""The share of a random game that its picture shows."""
SEED = 11

WRAPPED = Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
"""How a sentence is laid out."""

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


class GameDialog(AnswerDialog):
    """Chooses a game. OK is disabled while the size is not possible, and a sentence says why."""

    def __init__(self, current: Game, last: Callable[[Game], SavedGame | None], parent: QWidget) -> None:
        """`current` is the game on the board; `last` returns the last play of a game, which would be continued."""
        super().__init__(tr("Choose a game"), parent)
        self._current, self._last = current, last
        self._offered = registry.offered()
        self._chosen = {name: registry.game(specs[0]) for name, specs in self._offered.items()}
        name = current.spec.partition(":")[0]
        self._chosen[name] = current
        self.games = QListWidget()
        self.games.setAccessibleName(tr("Games"))
        self.games.setItemDelegate(_GameDelegate(self.games))
        self.games.setFrameShape(QFrame.Shape.NoFrame)
        self.games.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.games.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for other in self._offered:
            item = QListWidgetItem(self.games)
            item.setData(Role.UserRole, other)
            self._show_item(item)
        self.size_label = QLabel(tr("Size"))
        self.sizes = Box(editable=True)
        self.sizes.setInsertPolicy(Box.InsertPolicy.NoInsert)
        self.sizes.setAccessibleName(tr("Size"))
        self.sizes.setToolTip(tr("One of the list, or your own: numbers with commas between"))
        self.size_label.setBuddy(self.sizes)
        row = QHBoxLayout()
        row.addWidget(self.size_label)
        row.addWidget(self.sizes, 1)
        self.fields.addWidget(self.games, 1)
        self.fields.addLayout(row)
        self.games.setMinimumWidth(theme().px(WIDTH))
        seen = min(SEEN, self.games.count()) * (theme().px(PICTURE) + AIR)
        self.games.setMinimumHeight(min(seen, round(0.6 * self.screen().availableGeometry().height())))
        self.games.currentItemChanged.connect(self._on_game)
        self.games.itemActivated.connect(lambda _: self.ok.click())
        self.sizes.activated.connect(lambda _: self._take_size())
        self.sizes.editTextChanged.connect(lambda _: self._take_size())
        self.games.setCurrentRow(list(self._offered).index(name) if name in self._offered else 0)
        self.games.setFocus()

    @property
    def game(self) -> Game | None:
        """The chosen game; None while its size is not possible."""
        return self._game

    def _on_game(self) -> None:
        name = self.games.currentItem().data(Role.UserRole)
        chosen, specs = self._chosen[name], list(self._offered[name])
        if chosen.spec not in specs:
            specs.append(chosen.spec)
        self.sizes.blockSignals(True)
        self.sizes.clear()
        for spec in specs:
            self.sizes.addItem(localized(registry.game(spec).title), spec)
        self.sizes.setCurrentIndex(specs.index(chosen.spec))
        self.sizes.blockSignals(False)
        has_sizes = bool(registry.games()[name].SIZES)
        self.sizes.setVisible(has_sizes)
        self.size_label.setVisible(has_sizes)
        self._take_size()

    def _take_size(self) -> None:
        """Apply the size: an entry of the list, or the numbers typed."""
        item, text = self.games.currentItem(), self.sizes.currentText()
        name, place = item.data(Role.UserRole), self.sizes.findText(text)
        numbers = ",".join(re.findall(r"\d+", text))
        try:
            self._game = registry.game(self.sizes.itemData(place) if place >= 0 else f"{name}:{numbers}")
        except JobError as error:
            self._game, words = None, localized(error)
        else:
            self._chosen[name] = self._game
            self._show_item(item)
            words = tr("{game}: %n square(s)", "", len(self._game.view.squares), game=self._game.title)
            left = self._last(self._game) if self._game != self._current else None
            if left is not None:
                words = tr("{game}: the game with %n move(s) goes on", "", left.shown, game=self._game.title)
        self.say(words, is_warning=self._game is None)
        self.ok.setEnabled(self._game is not None)

    def _show_item(self, item: QListWidgetItem) -> None:
        game = self._chosen[item.data(Role.UserRole)]
        item.setText(localized(game.title))
        item.setData(Role.StatusTipRole, localized(game.summary))
        item.setData(Role.AccessibleTextRole, f"{localized(game.title)}. {localized(game.summary)}")
        picture = mini_board(game, sample(game), theme().px(PICTURE), self.devicePixelRatioF())
        item.setData(Role.DecorationRole, picture)


def ask_for_game(
    window: QWidget, current: Game, last: Callable[[Game], SavedGame | None], choose: Callable[[Game], object]
) -> None:
    """Let a person choose a game. `last` returns the last play of a game."""
    dialog = GameDialog(current, last, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.accepted.connect(lambda: dialog.game and choose(dialog.game))
    dialog.open()


def sample(game: Game) -> Position:
    """A position from a random game: the same at every call."""
    dice, positions = random.Random(SEED), [game.start]
    while not is_over(positions[-1]):
        positions.append(play(positions[-1], dice.choice(list(each(legal(positions[-1]))))))
    return positions[round(SAMPLE * (len(positions) - 1))]


class _GameDelegate(QStyledItemDelegate):
    """Paints a picture, the title beside it, and the sentence below that."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """High enough for the picture, and for the sentence in the narrowest list, with a scroll bar."""
        least = theme().px(WIDTH)
        bar = option.widget.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent) if option.widget else 0
        title, below = _texts(QRect(0, 0, least - bar, theme().px(PICTURE) + AIR))
        _, note = _fonts()
        sentence = QFontMetrics(note).boundingRect(below, WRAPPED, index.data(Role.StatusTipRole))
        return QSize(least, max(theme().px(PICTURE) + AIR, sentence.bottom() + title.top() + 1))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        look, state = theme(), QStyle.StateFlag
        box = option.rect.adjusted(2, 2, -2, -2)
        is_chosen, is_pointed = bool(option.state & state.State_Selected), bool(option.state & state.State_MouseOver)
        if is_chosen or is_pointed:
            has_keys = is_chosen and option.state & state.State_HasFocus
            painter.setPen(look.colour("ink") if has_keys else Qt.PenStyle.NoPen)
            painter.setBrush(look.colour("selected" if is_chosen else "fill"))
            painter.drawRoundedRect(box, 6, 6)
        side = look.px(PICTURE)
        painter.drawPixmap(box.left() + AIR // 2, box.center().y() - side // 2, index.data(Role.DecorationRole))
        (title, below), (strong, note) = _texts(option.rect), _fonts()
        painter.setFont(strong)
        painter.setPen(look.colour("ink"))
        name = QFontMetrics(strong).elidedText(index.data(), Qt.TextElideMode.ElideRight, title.width())
        painter.drawText(title, Qt.AlignmentFlag.AlignTop, name)
        painter.setFont(note)
        painter.setPen(look.colour("dim"))
        painter.drawText(below, WRAPPED, index.data(Role.StatusTipRole))


def _fonts() -> tuple[QFont, QFont]:
    """The fonts of a title and of a sentence."""
    return theme().font(TEXT + 1, QFont.Weight.DemiBold), theme().font(NOTE + 1)


def _texts(row: QRect) -> tuple[QRect, QRect]:
    """The places of the title and of the sentence in a row of the list."""
    title = row.adjusted(theme().px(PICTURE) + 2 * AIR + 2, AIR + 2, -AIR - 2, -AIR - 2)
    return title, title.adjusted(0, QFontMetrics(_fonts()[0]).height() + 2, 0, 0)
