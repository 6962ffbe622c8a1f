"""A page of a fence's form: some fields that are shown, filled and corrected together."""

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
    """Shows one fence. It passes on what its entries propose."""

    proposed = Signal(str, object)
    withdrawn = Signal(str)

    def __init__(self, title: str) -> None:
        self.body, self.column = panel(margins=12)
        super().__init__(self.body)
        self.title = title
        self.entries: tuple[Entry[Geofence], ...] = ()
        self.column.setSpacing(GRID)

    def take(self, *entries: Entry[Geofence]) -> None:
        """Look after these entries."""
        self.entries = entries
        for entry in entries:
            entry.proposed.connect(self.proposed)
            entry.withdrawn.connect(self.withdrawn)

    @property
    def names(self) -> frozenset[str]:
        """The names of its fields."""
        return frozenset(entry.name for entry in self.entries)

    def show_fence(
        self, fence: Geofence, before: Geofence | None, waiting: Waiting[GeofenceChange], shown: GeofenceChange
    ) -> None:
        """Show a fence and what waits of it; `before` is what is shown, of which `shown` waits."""
        show_entries(self.entries, fence, before, waiting, (fence_with(fence, waiting.change), shown))

    def is_set(self, fence: Geofence) -> bool:  # noqa: ARG002
        """Whether the fence has something here that is not as with most fences."""
        return False

    def set_project(self, settings: ProjectSettings) -> None:
        """Say what following the project means."""

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""


def stack(*widgets: QWidget) -> QWidget:
    """Return widgets one over the other."""
    made = QWidget()
    in_column(*widgets, of=made, margins=0, spacing=8)
    return made
