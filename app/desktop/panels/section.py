"""A page of a fence's form: some fields that are shown, filled and corrected together."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.desktop.map.values import Theme
from app.desktop.panels.entries import Entry
from app.desktop.panels.widgets import panel
from engine.domain.geofence import UNSET, Geofence, GeofenceChange
from engine.domain.settings import ProjectSettings


class Section(QScrollArea):
    """Shows one fence. It passes on what its entries propose."""

    proposed = Signal(str, object)
    withdrawn = Signal(str)

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = title
        self.entries: tuple[Entry[Geofence], ...] = ()
        self.body, self.column = panel(margins=12)
        self.column.setSpacing(12)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self.body)

    def take(self, *entries: Entry[Geofence]) -> None:
        """Look after these entries."""
        self.entries = entries
        for entry in entries:
            entry.proposed.connect(self.proposed)
            entry.withdrawn.connect(self.withdrawn)

    @property
    def params(self) -> frozenset[str]:
        """The API's names of its fields."""
        return frozenset(entry.param for entry in self.entries)

    def show_fence(self, fence: Geofence, before: Geofence | None, pending: GeofenceChange) -> None:
        """Show a fence; fields whose new values still wait keep them."""
        for entry in self.entries:
            if getattr(pending, entry.name) is UNSET:
                entry.show_record(fence, before)
            else:
                entry.record = fence

    def show_errors(self, errors: Mapping[str, str]) -> None:
        """Show what the engine said about each parameter; the other fields are right."""
        for entry in self.entries:
            entry.field.show_error(errors.get(entry.param) or entry.refusal)

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
    layout = QVBoxLayout(made)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    for widget in widgets:
        layout.addWidget(widget)
    return made
