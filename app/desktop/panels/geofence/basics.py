"""The basics of a geofence: its names, size, event generation and metadata."""

from __future__ import annotations

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QCompleter

from app.desktop.language import tr
from app.desktop.model.fences import zone_of
from app.desktop.model.words import full_time, local_time
from app.desktop.panels.fields.basic import TextLine
from app.desktop.panels.fields.entries import CheckEntry, TextEntry
from app.desktop.panels.fields.metadata import MetadataEdit
from app.desktop.panels.fields.metadata_entry import MetadataEntry
from app.desktop.panels.fields.minutes import MinutesEdit
from app.desktop.panels.fields.radius import RadiusEdit
from app.desktop.panels.fields.section import Section
from app.desktop.panels.flow import Flow
from app.desktop.panels.geofence.shape import MinutesEntry, ModeEdit, ModeEntry, RadiusEntry
from app.desktop.panels.layouts import in_row
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import GRID, Field, button, label, tip_text
from engine.domain.geofence import Geofence


class BasicsSection(Section):
    """First page of the form."""

    radius_previewed = Signal(float)
    travel_previewed = Signal(float, str)
    zoom_requested = Signal()
    delete_requested = Signal()
    history_requested = Signal()

    def __init__(self) -> None:
        super().__init__(tr("General"))
        self.description = TextLine()
        self.tag = TextLine()
        self.external_id = TextLine()
        self.radius = RadiusEdit()
        self.minutes = MinutesEdit()
        self.mode = ModeEdit()
        self.enabled = QCheckBox(tr("Generates events"))
        self.metadata = MetadataEdit()
        self._tags = QStringListModel(self)
        completer = QCompleter(self._tags, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.tag.setCompleter(completer)
        self.history = button(tr("History…"), self.history_requested.emit)
        self.history.setToolTip(tr("Who or what changed this geofence and when; compare and restore"))
        self.operations = button(tr("Geometry"))
        self.operations.setToolTip(tr("Union, split, simplify, buffer and more"))
        self.operations.setMenu(Menu(self.operations, tr("Geometry")))
        self.edge = label(role="hint", wrap=True)
        self.edge.hide()
        self._about = label(role="hint", wrap=True)
        self._about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.radius.previewed.connect(self.radius_previewed)
        self.minutes.previewed.connect(lambda _: self._preview_travel())
        self.minutes.committed.connect(lambda _: self._preview_travel())
        self.mode.activated.connect(lambda _: self._preview_travel())
        self._arrange()

    def set_tags(self, tags: tuple[str, ...]) -> None:
        """Offer the tags in use."""
        self._tags.setStringList(list(tags))

    def show_about(self, fence: Geofence) -> None:
        """Show the values that cannot be edited."""
        zone = zone_of(fence.geometry)
        self._about.setText(
            tr("ID {geofence_id}\nLast changed {time}", geofence_id=fence.id, time=local_time(fence.updated_at, zone))
        )
        self._about.setToolTip(tip_text(full_time(fence.updated_at, zone)))

    def show_edge(self, text: str) -> None:
        """Show that an isochrone reaches the edge of an area, or nothing."""
        self.edge.setText(text)
        self.edge.setVisible(bool(text))

    def _preview_travel(self) -> None:
        self.travel_previewed.emit(self.minutes.shown, self.mode.mode)

    def _arrange(self) -> None:
        description = Field(tr("Description"), self.description)
        tag, external_id = Field(tr("Tag"), self.tag), Field(tr("External ID"), self.external_id)
        radius = Field(tr("Radius"), self.radius, self.radius.number)
        minutes = Field(tr("Travel time"), self.minutes, self.minutes.number)
        mode = Field(tr("Mode"), self.mode)
        enabled, metadata = (
            Field(tr("Enabled"), self.enabled),
            Field(tr("Metadata"), self.metadata, self.metadata.table),
        )
        self.take(
            TextEntry("description", description, self.description, lambda f: f.description),
            TextEntry("tag", tag, self.tag, lambda f: f.tag),
            TextEntry("external_id", external_id, self.external_id, lambda f: f.external_id),
            RadiusEntry(radius, self.radius),
            MinutesEntry(minutes, self.minutes),
            ModeEntry(mode, self.mode),
            CheckEntry("enabled", enabled, self.enabled, lambda f: f.enabled),
            MetadataEntry(metadata, self.metadata),
        )
        keys = in_row(*((field, 1, Qt.AlignmentFlag.AlignTop) for field in (tag, external_id)), spacing=GRID)
        self.column.addWidget(description)
        self.column.addLayout(keys)
        for widget in (radius, minutes, mode, self.edge, enabled, metadata, self._about):
            self.column.addWidget(widget)
        self.column.addLayout(self._make_foot())
        self.column.addWidget(self.history, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addStretch(1)

    def _make_foot(self) -> Flow:
        return Flow(
            button(tr("Zoom to"), self.zoom_requested.emit),
            self.operations,
            button(tr("Delete"), self.delete_requested.emit, "danger"),
        )
