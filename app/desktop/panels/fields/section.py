"""A page of a geofence's form: fields that are shown, filled and corrected together."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.desktop.map.values import Theme
from app.desktop.model.editing.pending import fence_with
from app.desktop.model.editing.pending_words import Waiting
from app.desktop.panels.fields.entry import Entry, show_entries
from app.desktop.panels.layouts import in_column
from app.desktop.panels.widgets import GRID, FormPage, panel
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.settings import ProjectSettings


class Section(FormPage):
    """A page for one geofence that forwards the proposals of its entries."""

    proposed = Signal(str, object)
    withdrawn = Signal(str)

    def __init__(self, title: str) -> None:
        self.body, self.column = panel(margins=12)
        super().__init__(self.body)
        self.title = title
        self.entries: tuple[Entry[Geofence], ...] = ()
        self.column.setSpacing(GRID)

    def take(self, *entries: Entry[Geofence]) -> None:
        """Manage these entries."""
        self.entries = entries
        for entry in entries:
            entry.proposed.connect(self.proposed)
            entry.withdrawn.connect(self.withdrawn)

    @property
    def names(self) -> frozenset[str]:
        """Names of the fields."""
        return frozenset(entry.name for entry in self.entries)

    def show_fence(
        self, fence: Geofence, before: Geofence | None, waiting: Waiting[GeofenceChange], shown: GeofenceChange
    ) -> None:
        """Show a geofence and its pending changes.

        `before` is the geofence on display, including the pending changes `shown`.
        """
        show_entries(self.entries, fence, before, waiting, (fence_with(fence, waiting.change), shown))

    def is_set(self, fence: Geofence) -> bool:  # noqa: ARG002
        """Return whether a field of this page differs from its usual value in this geofence."""
        return False

    def set_project(self, settings: ProjectSettings) -> None:
        """Explain the effect of following the project."""

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""


def stack(*widgets: QWidget) -> QWidget:
    """Return a widget with these widgets stacked vertically."""
    made = QWidget()
    in_column(*widgets, of=made, margins=0, spacing=8)
    return made
