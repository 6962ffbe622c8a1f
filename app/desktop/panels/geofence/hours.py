"""When a fence is open."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox

from app.desktop.map.values import Theme
from app.desktop.model.editing.openings import opening
from app.desktop.model.editing.week import WORKING_WEEK, is_never_open, merged_hours
from app.desktop.model.words import full_time
from app.desktop.panels.fields.entry import Entry
from app.desktop.panels.fields.section import Section, stack
from app.desktop.panels.geofence.week import WeekEdit
from app.desktop.panels.widgets import Field, label, restyle, tip_text
from engine.domain.geofence import Geofence
from engine.domain.hours import OperatingHours
from engine.domain.settings import ProjectSettings


class HoursEntry(Entry[Geofence]):
    """Operating hours: always open, or a week."""

    def __init__(self, field: Field, always: QCheckBox, week: WeekEdit) -> None:
        super().__init__("operating_hours", field)
        self.always, self.week = always, week
        # Switching "always open" on and off again brings the fence's own hours back.
        self._last: OperatingHours | None = None
        always.toggled.connect(self._on_always)
        week.committed.connect(self._on_committed)
        week.refused.connect(self.refuse)

    @property
    def typed(self) -> bool:
        """Whether a time is being typed."""
        return self.week.modified

    def value(self, record: Geofence) -> OperatingHours | None:
        """Return the hours, None for always."""
        return record.rules.operating_hours

    def words(self, record: Geofence) -> str:
        """Return the hours in a line."""
        return str(record.rules.operating_hours or "always open")

    def fill(self, record: Geofence) -> None:
        """Show the hours."""
        self._show_hours(record.rules.operating_hours)

    def keep(self, record: Geofence) -> None:
        """Let the days follow at which nothing is typed: what is typed is one day's, and is put among them."""
        super().keep(record)
        hours = record.rules.operating_hours
        if hours is not None and self.week.modified and not self._sent:
            self.week.set_value(hours, keep=True)

    def forget(self) -> None:
        """Drop the unsaved input."""
        super().forget()
        self._last = None

    def settle(self) -> None:
        """Take times over that were typed."""
        if self.refusal is None:
            self.week.settle()

    def state(self) -> object:
        """Return the hours, and the times that are typed in their place."""
        return self.week.state()

    def put_back(self, state: object) -> None:
        """Show times that are not stored."""
        self.week.put_back(state)
        self.always.setChecked(False)
        self.week.show()

    def _show_hours(self, hours: OperatingHours | None) -> None:
        self._last = hours or self._last
        with QSignalBlocker(self.always):
            self.always.setChecked(hours is None)
        self.week.set_value(hours)
        self.week.setVisible(hours is not None)

    def _on_always(self, always: bool) -> None:
        hours = None if always else self._last or WORKING_WEEK
        self._show_hours(hours)
        self.give(hours)

    def _on_committed(self, hours: OperatingHours) -> None:
        self._last = hours
        self.give(self._merged(hours))

    def _merged(self, hours: OperatingHours) -> OperatingHours:
        """Return hours that were given, with what others have done to other days meanwhile."""
        before = self._base.rules.operating_hours if self._base is not None else None
        now = self._now.rules.operating_hours if self._now is not None else None
        return hours if before is None or now is None else merged_hours(before, hours, now)


class HoursSection(Section):
    """The week, whether it is open now, and what the project makes of it."""

    def __init__(self) -> None:
        super().__init__("Hours")
        self.state = label()
        self.always = QCheckBox("Always open")
        self.week = WeekEdit()
        self.note = label(role="hint", wrap=True)
        self._restricted = False
        self._fence: Geofence | None = None
        field = Field("Operating hours", stack(self.always, self.week), self.week)
        self.take(HoursEntry(field, self.always, self.week))
        for widget in (self.state, field, self.note):
            self.column.addWidget(widget)
        self.column.addStretch(1)

    def is_set(self, fence: Geofence) -> bool:
        """Whether the fence has hours."""
        return fence.rules.operating_hours is not None

    def set_project(self, settings: ProjectSettings) -> None:
        """Say what the project does outside hours."""
        self._restricted = settings.operating_hours_restriction
        self._show_note()

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self.week.set_theme(theme)

    def show_now(self, fence: Geofence, now: datetime, zone: ZoneInfo) -> None:
        """Show whether the fence is open at the engine's time."""
        self._fence = fence
        found = opening(fence, now, zone)
        self.state.setText(found.text)
        self.state.setToolTip(tip_text(full_time(now, zone)))
        restyle(self.state, "role", "good" if found.open else "closed")
        local = now.astimezone(zone)
        self.week.mark(local.weekday(), local.hour * 60 + local.minute)
        self._show_note()

    def _show_note(self) -> None:
        hours = self._fence.rules.operating_hours if self._fence else None
        if hours is None:
            text = "With operating hours set, events tell whether the geofence was open."
        elif is_never_open(hours):
            text = "Closed every day."
        elif self._restricted:
            text = "The project's operating hours restriction is on: no events while the geofence is closed."
        else:
            text = (
                "The project's operating hours restriction is off: events are generated while the geofence is "
                "closed, and say so."
            )
        self.note.setText(text)
