"""Choice of the times of a track's positions; nothing is guessed if the file contains no times.

The times are in the time zone of the track's start.
"""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QDate, QDateTime, Qt, QTime, QTimeZone, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QRadioButton,
    QWidget,
)

from app.desktop.language import tr
from app.desktop.model.editing.numbers import number_of, spell_number
from app.desktop.model.simulation.sender import Timing
from app.desktop.model.words import error_text, full_time, local_time, zone_name
from app.desktop.panels.fields.basic import MomentBox, TextLine
from app.desktop.panels.fields.calendar import Calendar
from app.desktop.panels.layouts import in_column
from app.desktop.panels.widgets import GRID, Field, label, tip_text
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track
from engine.geo.zones import zone_at
from engine.simulation.timing import timed_points, untimed_reason


class TimingDialog(QDialog):
    """Emits the chosen timing. The dialog accepts only a timing with which the track can be played."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget, track: Track, timing: Timing, now: datetime) -> None:
        super().__init__(parent)
        self._track, self._now = track, now
        first = track.points[0]
        self._zone, self._recorded = zone_at(first.point.longitude, first.point.latitude), first.at
        self._reason = untimed_reason(track)
        self.setWindowTitle(tr("Track timing"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(440)
        self._make_choices(timing)
        layout = in_column(
            label(self._explanation(), wrap=True),
            self._how(),
            self._when(),
            of=self,
            margins=2 * GRID,
            spacing=2 * GRID,
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        layout.addWidget(buttons)
        self._connect()
        self._enable()

    def _explanation(self) -> str:
        if self._reason is None:
            return tr("{track_name} has recorded times.", track_name=self._track.name)
        return tr(
            "In {track_name}, {reason}. Enter the device's speed and a start time.",
            track_name=self._track.name,
            reason=self._reason,
        )

    def _make_choices(self, timing: Timing) -> None:
        self.recorded = QRadioButton(tr("As recorded"))
        self.assumed = QRadioButton(tr("At a constant speed"))
        self.speed = TextLine(spell_number(timing.assume_speed_kmh) if timing.assume_speed_kmh else "")
        self.speed.setPlaceholderText(tr("For example 5"))
        self.speed_field = Field(tr("Speed in km/h"), self.speed)
        self.start_recorded = QRadioButton(tr("As recorded"))
        self.start_now = QRadioButton(tr("Now"))
        self.start_at = QRadioButton(tr("At"))
        self.start_now.setToolTip(tip_text(full_time(self._now, self._zone)))
        if self._reason is None and self._recorded is not None:
            self.start_recorded.setText(tr("As recorded, {time}", time=local_time(self._recorded, self._zone)))
            self.start_recorded.setToolTip(tip_text(full_time(self._recorded, self._zone)))
        self._make_start(timing.start or self._now)
        self.recorded.setEnabled(self._reason is None)
        by_speed = self._reason is not None or timing.assume_speed_kmh is not None
        (self.assumed if by_speed else self.recorded).setChecked(True)
        if timing.start is not None:
            self.start_at.setChecked(True)
        else:
            (self.start_now if by_speed else self.start_recorded).setChecked(True)

    def _make_start(self, start: datetime) -> None:
        local = start.astimezone(self._zone)
        day, time = QDate(local.year, local.month, local.day), QTime(local.hour, local.minute, local.second)
        # Qt treats the value as UTC, in which no hour is skipped or repeated. It is converted to the zone later.
        shown = QDateTime(day, time, QTimeZone.utc())
        self.start = MomentBox()
        self.start.setTimeZone(QTimeZone.utc())
        self.start.setDateTime(shown)
        self.start.setDisplayFormat("yyyy-MM-dd HH:mm:ss")
        self.start.setCalendarPopup(True)
        self.start.setCalendarWidget(Calendar())
        self._given = (shown, start)
        self.start_field = Field(tr("Date and time"), self.start)

    def _moment(self) -> datetime:
        """Return the entered moment; a given moment that was not edited is returned unchanged."""
        typed = self.start.dateTime()
        if typed == self._given[0]:
            return self._given[1]
        day, time = typed.date(), typed.time()
        parts = (day.year(), day.month(), day.day(), time.hour(), time.minute(), time.second())
        return datetime(*parts, tzinfo=self._zone).astimezone(UTC)

    def _show_zone(self) -> None:
        moment = self._moment()
        self.start_field.set_title(tr("Date and time, {time_zone}", time_zone=zone_name(moment, self._zone)))
        self.start.setToolTip(tip_text(full_time(moment, self._zone)))

    def _how(self) -> QWidget:
        return _group(tr("Pace"), (self.recorded, None), (self.assumed, self.speed_field))

    def _when(self) -> QWidget:
        rows = ((self.start_recorded, None), (self.start_now, None), (self.start_at, self.start_field))
        return _group(tr("Start"), *rows)

    def _connect(self) -> None:
        for choice in (self.recorded, self.assumed, self.start_recorded, self.start_now, self.start_at):
            choice.toggled.connect(self._enable)
        self.speed.textChanged.connect(self._enable)
        self.start.dateTimeChanged.connect(self._show_zone)
        self._show_zone()

    def _enable(self, *_: object) -> None:
        by_speed = self.assumed.isChecked()
        self.speed_field.setEnabled(by_speed)
        self.start_recorded.setEnabled(not by_speed)
        if by_speed and self.start_recorded.isChecked():
            self.start_now.setChecked(True)
        self.start_field.setEnabled(self.start_at.isChecked())
        self.ok.setEnabled(not by_speed or bool(self.speed.text().strip()))

    def accept(self) -> None:
        """Emit the choice, or show the error."""
        try:
            timing = Timing(self._chosen_speed(), self._chosen_start())
            timed_points(self._track, now=self._now, assume_speed_kmh=timing.assume_speed_kmh, start=timing.start)
        except InvalidParameter as error:
            field = self.start_field if error.param == "start" else self.speed_field
            field.show_error(error_text(error))
            return
        super().accept()
        self.chosen.emit(timing)

    def _chosen_speed(self) -> float | None:
        if not self.assumed.isChecked():
            return None
        return number_of("assume_speed_kmh", self.speed.text())

    def _chosen_start(self) -> datetime | None:
        if self.start_recorded.isChecked():
            return None
        if self.start_now.isChecked():
            return self._now
        return self._moment()


def _group(title: str, *rows: tuple[QRadioButton, QWidget | None]) -> QWidget:
    """Return a group of exclusive choices, each with an optional widget beside it."""
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(2 * GRID)
    grid.setVerticalSpacing(GRID)
    grid.setColumnStretch(1, 1)
    grid.addWidget(label(title, "label"), 0, 0, 1, 2)
    for number, (choice, beside) in enumerate(rows, 1):
        grid.addWidget(choice, number, 0)
        if beside is not None:
            grid.addWidget(beside, number, 1)
    return made
