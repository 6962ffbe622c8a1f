"""The opening hours of a geofence, as a week and as text."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from zoneinfo import ZoneInfo

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.model.editing.openings import opening
from app.desktop.model.editing.week import WORKING_WEEK, merged_hours
from app.desktop.model.hours.presets import PRESETS
from app.desktop.model.hours.texts import HoursRead, read_hours, write_hours
from app.desktop.model.hours.words import in_words, spoken
from app.desktop.model.words import error_text, full_time
from app.desktop.panels.fields.entry import Entry
from app.desktop.panels.fields.section import Section, stack
from app.desktop.panels.flow import Flow
from app.desktop.panels.geofence.text import TextPane
from app.desktop.panels.geofence.week import WeekEdit
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import Field, button, key_text, label, restyle, tip_text
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.hours import HoursRule, OperatingHours, alike, days_text
from engine.domain.settings import ProjectSettings
from engine.geofences.imports.opening_hours import EXAMPLE

_HEIGHT = 148


class HoursEntry(Entry[Geofence]):
    """Operating hours: always open, or a week that can be drawn, typed or written as JSON."""

    def __init__(self, field: Field, always: QCheckBox, week: WeekEdit, text: HoursText) -> None:
        super().__init__("operating_hours", field)
        self.always, self.week, self.text = always, week, text
        # Toggling "always open" twice restores the geofence's own hours.
        self._last: OperatingHours | None = None
        always.toggled.connect(self._on_always)
        week.committed.connect(self._on_committed)
        week.refused.connect(self.refuse)
        text.previewed.connect(self._preview)
        text.given.connect(self._on_written)

    @property
    def typed(self) -> bool:
        """Whether a time or the text is being edited."""
        return self.week.modified or self.text.dirty

    def value(self, record: Geofence) -> OperatingHours | None:
        """Return the hours, or None if the geofence is always open."""
        return record.rules.operating_hours

    def words(self, record: Geofence) -> str:
        """Return the hours on one line."""
        return spoken(record.rules.operating_hours) or tr("always open")

    def fill(self, record: Geofence) -> None:
        """Show the hours."""
        self._show_hours(record.rules.operating_hours)

    def keep(self, record: Geofence) -> None:
        """Update the days without unsaved input, as typed times affect only their own day."""
        super().keep(record)
        hours = record.rules.operating_hours
        if hours is not None and self.week.modified and not self._sent:
            self.week.set_value(hours, keep=True)

    def forget(self) -> None:
        """Discard the unsaved input."""
        super().forget()
        self.text.forget()
        self._last = None

    def settle(self) -> None:
        """Commit the text or the typed times."""
        self.text.take()
        if self.refusal is None:
            self.week.settle()

    def state(self) -> object:
        """Return the hours with the typed times, and the text if it has unsaved input."""
        return self.week.state(), self.text.text if self.text.dirty else None

    def put_back(self, state: object) -> None:
        """Show times and a text that are not stored."""
        assert isinstance(state, tuple)
        week, text = state
        self.week.put_back(week)
        always = week[0] is None
        with QSignalBlocker(self.always):
            self.always.setChecked(always)
        self.week.setVisible(not always)
        if text is not None:
            self.text.put_back(text)

    @property
    def shown(self) -> OperatingHours | None:
        """The displayed hours, or None if the geofence is always open."""
        return self.week.hours

    def choose(self, hours: OperatingHours | None) -> None:
        """Replace the hours with these, written so that every rule decides them alike."""
        same = hours if hours is None else self._alike(hours)
        if same is not None or hours is None:
            self._on_written(same)

    def _on_written(self, hours: OperatingHours | None) -> None:
        """Replace the hours with these, as they are written."""
        self._show_hours(hours)
        self.give(hours if hours is None else self._merged(hours))

    def _show_hours(self, hours: OperatingHours | None) -> None:
        self._preview(hours)
        self._last = hours or self._last
        self.text.show_hours(hours)

    def _preview(self, hours: OperatingHours | None) -> None:
        """Show hours in the week but not in the text, which already contains them."""
        with QSignalBlocker(self.always):
            self.always.setChecked(hours is None)
        self.week.set_value(hours)
        self.week.setVisible(hours is not None)

    def _on_always(self, always: bool) -> None:
        self.choose(None if always else self._last or WORKING_WEEK)

    def _on_committed(self, edited: OperatingHours) -> None:
        hours = self._alike(edited)
        if hours is None:
            return
        if hours != edited:  # the next edit begins with the hours as they are stored
            self.week.set_value(hours, keep=True)
        self._last = hours
        self.text.show_hours(hours)
        self.give(self._merged(hours))

    def _alike(self, hours: OperatingHours) -> OperatingHours | None:
        """Return the hours as every rule decides them alike, or None after refusing a day with too many spans."""
        try:
            return alike(hours)
        except InvalidParameter as error:
            self.refuse(error_text(error))
            return None

    def _merged(self, hours: OperatingHours) -> OperatingHours:
        """Return the given hours merged with changes that others have made to other days."""
        before = self._base.rules.operating_hours if self._base is not None else None
        now = self._now.rules.operating_hours if self._now is not None else None
        return hours if before is None or now is None else merged_hours(before, hours, now)


class HoursSection(Section):
    """The page of the form with the week, the current state, and the project's restriction.

    `copy_requested` carries the hours to copy to other geofences, or None for always open.
    """

    copy_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Hours"))
        self.state = label(wrap=True)
        self.always = QCheckBox(tr("Always open"))
        self.presets = button(tr("Presets"))
        self.copy = button(tr("Copy to…"), self.ask_copy)
        self.copy.setToolTip(tr("Copy these hours to other geofences"))
        self.week = WeekEdit()
        self.text = HoursText()
        self.note = label(role="hint", wrap=True)
        self._restricted = False
        self._rule = HoursRule.PLATFORM
        self._fence: Geofence | None = None
        editor = stack(self.always, self._make_row(), self.week, label(tr("JSON or opening_hours"), "label"), self.text)
        field = Field(tr("Operating hours"), editor, self.week)
        self._entry = HoursEntry(field, self.always, self.week, self.text)
        self.take(self._entry)
        for widget in (self.state, field, self.note):
            self.column.addWidget(widget)
        self.column.addStretch(1)

    def is_set(self, fence: Geofence) -> bool:
        """Return whether the geofence has operating hours."""
        return fence.rules.operating_hours is not None

    def set_project(self, settings: ProjectSettings) -> None:
        """Explain how the project treats updates outside the hours."""
        self._restricted, self._rule = settings.operating_hours_restriction, settings.operating_hours_rule
        self._show_note()

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self.week.set_theme(theme)
        self.text.set_theme(theme)

    def ask_copy(self) -> None:
        """Commit the input and request that the displayed hours are copied."""
        self._entry.settle()
        if not self._entry.typed and self._entry.refusal is None:
            self.copy_requested.emit(self._entry.shown)

    def _make_row(self) -> QWidget:
        menu = Menu(self.presets)
        for title, hours in PRESETS:
            menu.addAction(title).triggered.connect(lambda _=False, hours=hours: self._entry.choose(hours))
        self.presets.setMenu(menu)
        made = QWidget()
        made.setLayout(Flow(self.presets, self.copy))
        return made

    def show_now(self, fence: Geofence, now: datetime, zone: ZoneInfo) -> None:
        """Show whether the geofence is open at the engine's time."""
        self._fence = fence
        found = opening(fence, now, zone, self._rule)
        self.state.setText(found.text)
        self.state.setToolTip(tip_text(full_time(now, zone)))
        restyle(self.state, "role", "good" if found.open else "closed")
        local = now.astimezone(zone)
        self.week.mark(local.weekday(), local.hour * 60 + local.minute)
        self._show_note()

    def _show_note(self) -> None:
        hours = self._fence.rules.operating_hours if self._fence else None
        if hours is None:
            text = tr("With operating hours set, events tell whether the geofence was open.")
        elif hours.never_opens(self._rule):
            text = tr("Closed every day.")
        elif self._restricted:
            text = tr("The project's operating hours restriction is on: no events while the geofence is closed.")
        else:
            text = tr(
                "The project's operating hours restriction is off: events are generated while the "
                "geofence is closed, and say so."
            )
        self.note.setText(" ".join((text, *self._notes_of_rule(hours))))

    def _notes_of_rule(self, hours: OperatingHours | None) -> Iterator[str]:
        """Yield what the platform rule makes of hours that the form would write otherwise."""
        if hours is None or self._rule is not HoursRule.PLATFORM:
            return
        if hours.unlisted:
            yield tr(
                "Not listed, and so open all day by the platform rule: {days}. An edit here lists them as closed.",
                days=in_words(days_text(hours.unlisted)),
            )
        if hours.crosses_midnight:
            yield tr("Hours past midnight never hold by the platform rule. An edit here splits them at midnight.")


class HoursText(TextPane):
    """A text editor for the hours that is synchronized with the week.

    `previewed` carries the hours in the text during typing, `given` the applied hours.
    """

    previewed = Signal(object)
    given = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("Operating hours as text"), height=_HEIGHT)
        example = tr("Type or paste JSON, or OpenStreetMap's opening_hours, such as {example}", example=EXAMPLE)
        self.edit.setToolTip(tip_text(example))
        self._stored: OperatingHours | None = None
        self._applied: HoursRead | None = None
        self.typed.connect(self._on_typed)
        self.apply_requested.connect(lambda _: self.take())
        self.wanted.connect(self._on_wanted)
        self.let_go.connect(self._on_let_go)

    def show_hours(self, hours: OperatingHours | None) -> None:
        """Show hours, unless the text has unsaved input or already describes them in the user's words."""
        self._stored = hours
        if self.dirty:
            return
        if not (self.edit.hasFocus() and _is_same(read_hours(self.text), hours)):
            self.show_text(write_hours(hours), self._notes())

    def put_back(self, text: str) -> None:
        """Show a text that has not been applied."""
        self.edit.setPlainText(text)

    def take(self) -> None:
        """Apply the unsaved text if it is valid, otherwise show the error."""
        if not self.dirty:
            return
        read = read_hours(self.text)
        if read.fault is not None:
            self.show_status("", read.fault)
            return
        self._stored, self._applied = read.hours, read
        self.accept(self._notes())
        self.given.emit(read.hours)

    def forget(self) -> None:
        """Discard the unsaved text."""
        self._applied = None
        self.show_text(write_hours(self._stored))

    def _on_typed(self) -> None:
        read = read_hours(self.text)
        if read.fault is not None:
            self.show_status("", read.fault)
        elif _is_same(read, self._stored):
            self.accept(" ".join((*read.notes, tr("As stored"))))
            self.previewed.emit(read.hours)
        else:
            valid = tr("Valid. Applied after a pause, or with {shortcut}.", shortcut=key_text("Ctrl+Enter"))
            self.show_status(" ".join((*read.notes, valid)))
            self.previewed.emit(read.hours)
            self.wait()

    def _on_wanted(self) -> None:
        self.forget()
        self.previewed.emit(self._stored)

    def _on_let_go(self) -> None:
        """Apply valid text and reformat it when the field loses the focus."""
        self.take()
        if not self.dirty:
            self.show_text(write_hours(self._stored), self._notes())

    def _notes(self) -> str:
        """Return the notes about the applied text, or an empty text once other hours are stored."""
        applied = self._applied
        return " ".join(applied.notes) if applied is not None and applied.hours == self._stored else ""


def _is_same(read: HoursRead, hours: OperatingHours | None) -> bool:
    return read.fault is None and read.hours == hours
