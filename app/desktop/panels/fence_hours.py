"""When a fence is open."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox

from app.desktop.map.values import Theme
from app.desktop.model.openings import opening
from app.desktop.model.week import WORKING_WEEK, is_never_open
from app.desktop.model.words import full_time
from app.desktop.panels.entries import Entry
from app.desktop.panels.section import Section, stack
from app.desktop.panels.week import WeekEdit
from app.desktop.panels.widgets import Field, label, restyle
from engine.domain.geofence import Geofence
from engine.domain.hours import OperatingHours
from engine.domain.settings import ProjectSettings


class HoursEntry(Entry[Geofence]):
    """Operating hours: always open, or a week."""

    def __init__(self, field: Field, always: QCheckBox, week: WeekEdit) -> None:
        super().__init__("operating_hours", "operatingHours", field)
        self.always, self.week = always, week
        # Switching "always open" on and off again brings the fence's own hours back.
        self._last: OperatingHours | None = None
        always.toggled.connect(self._on_always)
        week.committed.connect(self._on_committed)
        week.refused.connect(self.refuse)

    def fill(self, record: Geofence, before: Geofence | None) -> None:
        """Show the hours."""
        if before is None:
            self._last = None
        self._show(record.rules.operating_hours, keep=before is not None)

    def _show(self, hours: OperatingHours | None, *, keep: bool) -> None:
        self._last = hours or self._last
        with QSignalBlocker(self.always):
            self.always.setChecked(hours is None)
        self.week.set_value(hours, keep=keep)
        self.week.setVisible(hours is not None)

    def _on_always(self, always: bool) -> None:
        hours = None if always else self._last or WORKING_WEEK
        self._show(hours, keep=False)
        self._on_committed(hours)

    def _on_committed(self, hours: OperatingHours | None) -> None:
        self.allow()
        self._last = hours or self._last
        if self.record is not None and hours == self.record.rules.operating_hours:
            self.withdrawn.emit(self.name)
        else:
            self.proposed.emit(self.name, hours)


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
        self.state.setToolTip(full_time(now, zone))
        restyle(self.state, "role", "good" if found.open else "closed")
        local = now.astimezone(zone)
        self.week.mark(local.weekday(), local.hour * 60 + local.minute)
        self._show_note()

    def _show_note(self) -> None:
        hours = self._fence.rules.operating_hours if self._fence else None
        if hours is None:
            text = "Events say whether they happened during operating hours once there are some."
        elif is_never_open(hours):
            text = "Closed on every day."
        elif self._restricted:
            text = "The project's operating hours restriction is on: no events while it is closed."
        else:
            text = "The project's operating hours restriction is off: events fire while it is closed, and say so."
        self.note.setText(text)
