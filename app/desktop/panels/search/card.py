"""A search result on a card over the map, with its name, its position, and the actions on it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.search.results import LATITUDE_FIRST, SearchResult
from app.desktop.model.words import position
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import GRID, button, key_text, label, tip_text, tool_button

_WIDTH = 336


class SearchCard(QFrame):
    """A search result with three actions."""

    fence_requested = Signal()
    isochrone_requested = Signal()
    copy_requested = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("SearchCard")
        self.setAccessibleName(tr("Search result"))
        self.setFixedWidth(_WIDTH)
        self.title = label(role="strong", wrap=True)
        self.detail = label(role="hint", wrap=True)
        self.location = label(role="hint")
        self.location.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = tool_button(tr("Copy coordinates"), self.copy_requested.emit)
        self.close_button = tool_button(tr("Close"), self.closed.emit)
        self.fence = button(tr("Create geofence here"), self.fence_requested.emit, "primary")
        self.fence.setToolTip(
            tip_text(
                tr("A circle around it, or its outline if it has one ({shortcut})", shortcut=key_text("Ctrl+Enter"))
            )
        )
        self.isochrone = button(tr("Isochrone from here"), self.isochrone_requested.emit)
        self.isochrone.setToolTip(tr("Area that can reach this point in time"))
        for each in (self.title, self.detail):
            each.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self._arrange()
        self.hide()

    def _arrange(self) -> None:
        head = in_row((self.title, 1), (self.close_button, 0, Qt.AlignmentFlag.AlignTop))
        location = in_row(self.location, self.copy, STRETCH, spacing=4)
        buttons = in_row(self.fence, self.isochrone, STRETCH, spacing=GRID)
        self._layout = in_column(
            head, self.detail, location, 4, buttons, of=self, margins=(12, GRID, GRID, 12), spacing=4
        )

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self.copy.setIcon(icon("copy", theme))
        self.close_button.setIcon(icon("x", theme))

    def show_found(self, found: SearchResult) -> None:
        """Show a search result."""
        location = position(found.point)
        location = location if found.title != location else LATITUDE_FIRST
        detail = found.detail if found.detail != location else ""
        self.title.setText(found.title)
        self.detail.setText(detail)
        self.detail.setVisible(bool(detail))
        self.location.setText(location)
        self.fence.setVisible(not found.is_large)
        self.show()
        self.setFixedHeight(self._layout.totalHeightForWidth(_WIDTH))
        self.raise_()
