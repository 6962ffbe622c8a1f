"""What a fence sets about its events and its life."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QLineEdit

from app.desktop.map.values import Theme
from app.desktop.model.fences import zone_of
from app.desktop.model.moments import parse_moment, spell_moment
from app.desktop.model.project import dwell_text, join_ids, split_ids, stop_detection_text
from app.desktop.panels.entries import ChoiceEntry, NumberEntry, TextEntry
from app.desktop.panels.moment import MomentEdit
from app.desktop.panels.numbers import NumberBox
from app.desktop.panels.section import Section
from app.desktop.panels.widgets import Field, label
from engine.domain.geofence import DEFAULT_RULES, Geofence, GeofenceChange
from engine.domain.ip import parse_ip_ranges
from engine.domain.settings import ProjectSettings


class RulesSection(Section):
    """Stop detection, dwell, whose events, and until when."""

    def __init__(self) -> None:
        super().__init__("Rules")
        self.stop_detection = QComboBox()
        for text, value in (("as the project", None), ("on", True), ("off", False)):
            self.stop_detection.addItem(text, value)
        self.dwell = NumberBox("min", unset="as the project")
        self.user_ids = QLineEdit()
        self.user_ids.setPlaceholderText("all users")
        self.ip = QLineEdit()
        self.ip.setPlaceholderText("all addresses")
        self.disable_after = MomentEdit("Disable after")
        self.delete_after = MomentEdit("Delete after")
        self.zone = label(role="hint", wrap=True)
        self._arrange()

    def is_set(self, fence: Geofence) -> bool:
        """Whether the fence sets a rule of its own."""
        rules = fence.rules
        return any(getattr(rules, entry.name) != getattr(DEFAULT_RULES, entry.name) for entry in self.entries)

    def show_fence(self, fence: Geofence, before: Geofence | None, pending: GeofenceChange) -> None:
        """Show a fence, and by which clocks its dates go."""
        super().show_fence(fence, before, pending)
        self.zone.setText(f"Dates are in the fence's zone, {zone_of(fence.geometry).key}.")

    def set_project(self, settings: ProjectSettings) -> None:
        """Say what following the project means."""
        self.stop_detection.setItemText(0, stop_detection_text(settings))
        self.dwell.set_unset(dwell_text(settings))

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        for moment in (self.disable_after, self.delete_after):
            moment.set_theme(theme)

    def _arrange(self) -> None:
        stop_detection = Field("Stop detection", self.stop_detection)
        dwell = Field("Dwell threshold", self.dwell)
        user_ids = Field("User IDs", self.user_ids)
        ip = Field("IP ranges", self.ip)
        self.user_ids.setToolTip("Events only for these users; commas between them")
        self.ip.setToolTip("Events only for requests from here: 10.0.0.7, 10.0.*.* or 10.0.0.0/16; commas between them")
        self.take(
            ChoiceEntry(
                "stop_detection", "stopDetection", stop_detection, self.stop_detection, lambda f: f.rules.stop_detection
            ),
            NumberEntry(
                "dwell_threshold_s", "dwellThreshold", dwell, self.dwell, lambda f: f.rules.dwell_threshold_s, 60.0
            ),
            TextEntry(
                "user_ids",
                "userIds",
                user_ids,
                self.user_ids,
                lambda f: join_ids(f.rules.user_ids),
                lambda text, _: split_ids(text),
            ),
            TextEntry(
                "ip",
                "ip",
                ip,
                self.ip,
                lambda f: ", ".join(f.rules.ip.items) if f.rules.ip else "",
                lambda text, _: parse_ip_ranges(text),
            ),
            self._moment("disable_after", "disableAfter", "Disable after", self.disable_after),
            self._moment("delete_after", "deleteAfter", "Delete after", self.delete_after),
        )
        for entry in self.entries:
            self.column.addWidget(entry.field)
        self.column.addWidget(self.zone)
        self.column.addStretch(1)

    def _moment(self, name: str, param: str, title: str, editor: MomentEdit) -> TextEntry[Geofence]:
        def spell(fence: Geofence) -> str:
            at = getattr(fence.rules, name)
            return spell_moment(at, zone_of(fence.geometry)) if at else ""

        entry = TextEntry[Geofence](
            name,
            param,
            Field(title, editor, editor.line),
            editor.line,
            spell,
            lambda text, fence: parse_moment(text, zone_of(fence.geometry), param),
        )
        editor.chosen.connect(entry.propose)
        return entry
