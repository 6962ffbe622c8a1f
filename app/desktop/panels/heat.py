"""A small panel over the map for the settings of the heat map."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.inspector.heat import PERIODS, SOURCES, HeatChoice
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.layouts import in_column, in_row
from app.desktop.panels.over_map import OverMap
from app.desktop.panels.widgets import GRID, label, tool_button

_BESIDE = 8


class HeatPanel(OverMap):
    """A panel at the upper left of the map with the data, the period and the number of positions of the heat map."""

    changed = Signal()
    closed = Signal()

    def __init__(self, map_view: QWidget) -> None:
        super().__init__(map_view)
        self.source, self.period = ChoiceBox(), ChoiceBox()
        self.source.addItems([name for name, _ in SOURCES])
        self.period.addItems([name for name, _ in PERIODS])
        self.period.setCurrentIndex(len(PERIODS) - 1)
        for box, name in ((self.source, tr("Heat map of")), (self.period, tr("Time of the heat map"))):
            box.setAccessibleName(name)
            box.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.text = label("")
        self.close_button = tool_button(tr("Close"), self.closed.emit)
        in_column(
            in_row((label(tr("Heat map"), "label"), 1), self.source, self.period, self.close_button, spacing=GRID),
            self.text,
            of=self,
            margins=(12, 6, 6, 10),
            spacing=4,
        )

    @property
    def choice(self) -> HeatChoice:
        """The user's choice."""
        return HeatChoice(SOURCES[self.source.currentIndex()][1], PERIODS[self.period.currentIndex()][1])

    def set_theme(self, theme: Theme) -> None:
        """Colour the icon."""
        self.close_button.setIcon(icon("x", theme))

    def show_text(self, text: str) -> None:
        """Show the number of displayed positions."""
        self.text.setText(text)
        self.place()

    def place(self) -> None:
        """Move the panel to the upper left, where panels that are opened later cover it."""
        self.adjustSize()
        self.move(_BESIDE, _BESIDE)
