"""A layout of rows: labels stand beside their fields, or above them all where the fields are too narrow otherwise."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QFormLayout

Role = QFormLayout.ItemRole
Wrap = QFormLayout.RowWrapPolicy


class FormRows(QFormLayout):
    """A form that fits a narrow drawer as well as a wide one."""

    def __init__(self) -> None:
        super().__init__()
        self.setContentsMargins(0, 0, 0, 0)
        self.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        self.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.setVerticalSpacing(6)

    def minimumSize(self) -> QSize:
        """The width with the labels above the fields, and the present height."""
        margins = self.contentsMargins()
        width = max(self._widest(Role.LabelRole), self._widest(Role.FieldRole), self._widest(Role.SpanningRole))
        return QSize(width + margins.left() + margins.right(), super().minimumSize().height())

    def setGeometry(self, rect: QRect) -> None:
        margins = self.contentsMargins()
        beside = self._widest(Role.LabelRole) + self.horizontalSpacing() + self._widest(Role.FieldRole)
        fits = beside + margins.left() + margins.right() <= rect.width()
        self.setRowWrapPolicy(Wrap.DontWrapRows if fits else Wrap.WrapAllRows)
        super().setGeometry(rect)

    def _widest(self, role: QFormLayout.ItemRole) -> int:
        """The least width in which every visible item of that role has room, in pixels."""
        items = (self.itemAt(row, role) for row in range(self.rowCount()))
        return max((item.minimumSize().width() for item in items if item is not None), default=0)
