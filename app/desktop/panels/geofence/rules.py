"""The rules of a fence about its events and its life."""

from __future__ import annotations

from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.editing.pending_words import Waiting
from app.desktop.model.fences import zone_of
from app.desktop.model.moments import parse_moment, spell_moment
from app.desktop.model.project import dwell_text, join_ids, split_ids, stop_detection_text
from app.desktop.model.words import minutes_text
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.fields.entries import ChoiceEntry, NumberEntry, TextEntry
from app.desktop.panels.fields.moment import MomentEdit
from app.desktop.panels.fields.numbers import NumberBox
from app.desktop.panels.fields.section import Section
from app.desktop.panels.widgets import Field, label
from engine.domain.geofence import DEFAULT_RULES, Geofence, GeofenceChange
from engine.domain.ip import parse_ip_ranges
from engine.domain.settings import ProjectSettings


class RulesSection(Section):
    """Stop detection, dwell, whose events, and until when."""

    def __init__(self) -> None:
        super().__init__(tr("Rules"))
        self.stop_detection = ChoiceBox()
        for text, value in ((tr("project default"), None), (tr("on"), True), (tr("off"), False)):
            self.stop_detection.addItem(text, value)
        self.dwell = NumberBox("min", unset=tr("project default"))
        self.approaching = NumberBox("min", unset=tr("project default"))
        self.user_ids = TextLine()
        self.user_ids.setPlaceholderText(tr("all users"))
        self.ip = TextLine()
        self.ip.setPlaceholderText(tr("all addresses"))
        self.disable_after = MomentEdit(tr("Disable after"))
        self.delete_after = MomentEdit(tr("Delete after"))
        self.zone = label(role="hint", wrap=True)
        self._arrange()

    def is_set(self, fence: Geofence) -> bool:
        """Whether the fence sets a rule of its own."""
        rules = fence.rules
        return any(getattr(rules, entry.name) != getattr(DEFAULT_RULES, entry.name) for entry in self.entries)

    def show_fence(
        self, fence: Geofence, before: Geofence | None, waiting: Waiting[GeofenceChange], shown: GeofenceChange
    ) -> None:
        """Show a fence, and by which clocks its dates go."""
        super().show_fence(fence, before, waiting, shown)
        self.zone.setText(
            tr("Dates are in the geofence's time zone, {geometry}.", geometry=zone_of(fence.geometry).key)
        )

    def set_project(self, settings: ProjectSettings) -> None:
        """Say what following the project means."""
        self.stop_detection.setItemText(0, stop_detection_text(settings))
        self.dwell.set_unset(dwell_text(settings))
        self.approaching.set_unset(
            tr(
                "project default ({trip_approaching_threshold_s})",
                trip_approaching_threshold_s=minutes_text(settings.trip_approaching_threshold_s),
            )
        )

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        for moment in (self.disable_after, self.delete_after):
            moment.set_theme(theme)

    def _arrange(self) -> None:
        stop_detection = Field(tr("Stop detection"), self.stop_detection)
        dwell = Field(tr("Dwell threshold"), self.dwell)
        approaching = Field(tr("Trip approaching threshold"), self.approaching)
        user_ids = Field(tr("User IDs"), self.user_ids)
        ip = Field(tr("IP ranges"), self.ip)
        self.user_ids.setToolTip(tr("Events only for these users, comma-separated"))
        self.ip.setToolTip(
            tr("Events only for requests from these addresses: 10.0.0.7, 10.0.*.* or 10.0.0.0/16, comma-separated")
        )
        self.take(
            ChoiceEntry(
                "stop_detection",
                stop_detection,
                self.stop_detection,
                lambda f: f.rules.stop_detection,
                (None, True, False),
            ),
            NumberEntry("dwell_threshold_s", dwell, self.dwell, lambda f: f.rules.dwell_threshold_s, 60.0),
            NumberEntry(
                "trip_approaching_threshold_s",
                approaching,
                self.approaching,
                lambda f: f.rules.trip_approaching_threshold_s,
                60.0,
            ),
            TextEntry(
                "user_ids",
                user_ids,
                self.user_ids,
                lambda f: join_ids(f.rules.user_ids),
                lambda text, _: split_ids(text),
            ),
            TextEntry(
                "ip",
                ip,
                self.ip,
                lambda f: ", ".join(f.rules.ip.items) if f.rules.ip else "",
                lambda text, _: parse_ip_ranges(text),
            ),
            self._moment("disable_after", tr("Disable after"), self.disable_after),
            self._moment("delete_after", tr("Delete after"), self.delete_after),
        )
        for entry in self.entries:
            self.column.addWidget(entry.field)
        self.column.addWidget(self.zone)
        self.column.addStretch(1)

    def _moment(self, name: str, title: str, editor: MomentEdit) -> TextEntry[Geofence]:
        def spell(fence: Geofence) -> str:
            at = getattr(fence.rules, name)
            return spell_moment(at, zone_of(fence.geometry)) if at else ""

        entry = TextEntry[Geofence](
            name,
            Field(title, editor, editor.line),
            editor.line,
            spell,
            lambda text, fence: parse_moment(text, zone_of(fence.geometry), name),
        )
        editor.chosen.connect(entry.propose)
        return entry
