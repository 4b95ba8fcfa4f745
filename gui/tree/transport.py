"""The transport: the timeline of the replay; under it the buttons that move through it, the speed, and the moment."""

import math

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QFont, QHideEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QSlider, QToolButton, QVBoxLayout, QWidget

from engine.text.numbers import thousands
from gui.i18n.language import tr
from gui.state.playback import SLOWEST
from gui.state.replay import Cursor
from gui.style.theme import NOTE, QUIET, TEXT, theme
from gui.tree.moment_slider import MomentSlider
from gui.tree.replay_actions import ICON_SIDE, ReplayActions
from gui.widgets.card import OnGround
from gui.widgets.focus_ring import want_ring

SPACING = 4
STEPS = 100
"""The positions of the speed's slider, of which each is faster by the same factor."""
LATER_MILLISECONDS = 100
"""How long a search runs until the parts that follow it take the room of those of the replay before: most are over
sooner, and nothing moves."""


class Transport(OnGround):
    """Shows and moves the cursor, and pauses it when hidden. Before the first record there is `live` alone, which
    governs a running search."""

    def __init__(self, cursor: Cursor, actions: ReplayActions, live: QWidget) -> None:
        super().__init__()
        self._cursor, self._actions = cursor, actions
        self.name = QLabel(tr("Moments"))
        """Left of the timeline."""
        self.timeline = MomentSlider(cursor)
        self._live, self._is_empty = live, True
        self._shown_speed = 0.0, 0.0
        """The speed on display, and the greatest one then."""
        self._has_replay = self._has_all = False
        """Whether there was a replay when the parts were last fitted, and whether all had room."""
        names = "start", "back over", "back", "", "on", "over", "end", "next cutoff"
        self._buttons = []
        for name in names:
            button = QToolButton()
            button.setDefaultAction(actions.steps[name] if name else actions.play)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            if name == "next cutoff":
                button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            self._buttons.append(button)
        self._more = QToolButton()
        self._more.setText(tr("More"))
        self._more.setToolTip(tr("All steps of the replay, with their keys"))
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(self._more)
        for group in actions.groups():
            menu.addSeparator()
            menu.addActions([*group])
        self._more.setMenu(menu)
        self.speed = QSlider(Qt.Orientation.Horizontal)
        self.speed.setRange(0, STEPS)
        self.speed.setPageStep(STEPS // 10)
        self.speed.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.speed.setAccessibleName(tr("Speed of the replay"))
        want_ring(self.speed)
        self._pace, self._place = QLabel(), QLabel()
        self._pace.setForegroundRole(QUIET)
        self._place.setToolTip(tr("Moments: one when a node is entered, one when it is left with its value."))
        self._place.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        start, back_over, *middle, over, end, next_cutoff = self._buttons
        most = *middle, self._place, end, start, self._more, over, back_over, next_cutoff, self.speed, self._pace
        self._members: list[QWidget] = [*most]
        """The parts of the row, the most important first: the last are hidden where there is no room for all."""
        self._controls = QWidget()
        """Most of the parts. They are shown together: each widget that is shown by itself has the window laid out."""
        controls = QHBoxLayout(self._controls)
        controls.setContentsMargins(0, 0, 0, 0)
        controls.setSpacing(SPACING)
        for member in (*self._buttons, self._more):
            controls.addWidget(member)
        controls.addSpacing(8)
        controls.addWidget(self.speed)
        controls.addWidget(self._pace)
        row = QHBoxLayout()
        row.setSpacing(SPACING)
        row.addWidget(self._controls)
        row.addWidget(live)
        row.addStretch(1)
        row.addWidget(self._place)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(6)
        moments = QHBoxLayout()
        moments.setSpacing(0)
        moments.addWidget(self.name)
        moments.addWidget(self.timeline, 1)
        column.addLayout(moments)
        column.addLayout(row)
        self.speed.valueChanged.connect(lambda place: cursor.playback.set_speed(self._speed_at(place)))
        self._later = QTimer(self, singleShot=True, interval=LATER_MILLISECONDS)
        self._later.timeout.connect(self._fit)
        cursor.counted.connect(self._show_place)
        cursor.playback.changed.connect(self._show_speed)
        theme().changed.connect(self._restyle)
        self._restyle()
        self._fit()

    @property
    def place(self) -> str:
        """The moment among all, in words."""
        return self._place.text()

    def hideEvent(self, event: QHideEvent) -> None:
        self._cursor.playback.pause()
        self._later.stop()
        super().hideEvent(event)

    def minimumSizeHint(self) -> QSize:
        """The least size of the buttons that always fit."""
        return QSize(theme().px(240), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _speed_at(self, place: int) -> float:
        return SLOWEST * (self._cursor.playback.fastest / SLOWEST) ** (place / STEPS)

    def _fit(self) -> None:
        """Hide what has no room; the menus and the keys have all of it."""
        room = self.width() - 2 * SPACING
        self._column.setEnabled(False)  # else each part that is shown has it laid out
        self._has_replay = self._cursor.moments is not None
        is_live = self._cursor.is_paused or not self._has_replay
        for member in [self._live, *self._members] if is_live else [*self._members, self._live]:
            wide = self.speed.maximumWidth() if member is self.speed else member.sizeHint().width()
            room -= wide + SPACING
            member.setVisible(room >= 0 and not (self._is_empty and member is self._place))
        if is_live and room < 0:
            self.speed.hide()  # without its label it would be taken for the other speed
        for part in (self._controls, self.name, self.timeline):
            part.setVisible(not self._is_empty)
        self._column.setEnabled(True)
        self._column.activate()
        self._has_all = room >= 0 and not self._is_empty

    def _show_speed(self) -> None:
        """Show the speed; one that is too great for a smaller record is its greatest until a larger one follows."""
        playback = self._cursor.playback
        shown = playback.speed, playback.fastest
        if shown == self._shown_speed:
            return
        self._shown_speed = shown
        place = STEPS * math.log(playback.speed / SLOWEST) / math.log(playback.fastest / SLOWEST)
        self.speed.blockSignals(True)
        self.speed.setValue(round(place))
        self.speed.blockSignals(False)
        speed = round(playback.speed)
        self._pace.setText(tr("{count} moment(s) / s", "", speed, count=thousands(speed)))
        self.speed.setAccessibleDescription(tr("{count} moment(s) a second", "", speed, count=thousands(speed)))

    def _show_place(self) -> None:
        self._show_speed()
        cursor, there = self._cursor, self._cursor.moments is not None
        for widget in (self.speed, self._more):
            widget.setEnabled(there)
        number, count = thousands(cursor.moment + 1), thousands(cursor.last + 1)
        self._place.setText(tr("{number} of {count}", number=number, count=count) if there else "")
        wide, metrics = self._place.minimumWidth(), self._place.fontMetrics()
        if there:
            wide = theme().width(tr("{number} of {count}", number=count, count=count), TEXT, QFont.Weight.DemiBold)
        self._later.stop()
        if wide != self._place.minimumWidth() or (there and not self._has_replay and not self._has_all):
            self._place.setFixedSize(wide, metrics.height())  # a new text lays nothing out again
            self._is_empty = self._is_empty and not there
            self._fit()
        elif not there and self._has_replay and not self._has_all:
            self._later.start()

    def _restyle(self) -> None:
        look = theme()
        for button in self._buttons:
            button.setIconSize(QSize(look.px(ICON_SIDE), look.px(ICON_SIDE)))
        self._pace.setFont(look.font(NOTE + 1))
        self._pace.setFixedWidth(self._pace.fontMetrics().horizontalAdvance("999,999 moments / s"))
        self._place.setFont(look.font(TEXT, QFont.Weight.DemiBold))
        self.speed.setFixedWidth(look.px(110))
        self._show_place()
