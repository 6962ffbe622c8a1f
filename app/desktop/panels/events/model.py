"""The event log as rows of a table: the text, icon and tooltip of each cell."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any
from zoneinfo import ZoneInfo

from PySide6.QtCore import QModelIndex, QObject, Qt

from app.desktop.icons import dot, event_mark, icon
from app.desktop.language import tr, translated
from app.desktop.map.values import Theme
from app.desktop.model.beacons import beacon_tip
from app.desktop.model.editing.metadata import text_of
from app.desktop.model.fences import FenceBook
from app.desktop.model.inspector.shown_events import EventRows
from app.desktop.model.words import (
    PERSONAL,
    confidence_word,
    duration,
    event_about,
    event_kind,
    event_sentence,
    event_title,
    full_time,
    is_flagged,
    metres,
    short_time,
)
from app.desktop.panels.titled import Index, TitledModel
from app.desktop.panels.widgets import tip_text
from app.desktop.style import colors
from engine.domain.tracking.updates import Event

type ZoneOf = Callable[[Event], ZoneInfo]

_TITLES = (tr("Time"), tr("Event"), tr("Where"), tr("Device"), tr("Confidence"))


class Column(IntEnum):
    """Columns from left to right."""

    TIME = 0
    TYPE = 1
    ABOUT = 2
    DEVICE = 3
    CONFIDENCE = 4


class EventModel(TitledModel):
    """The event log as rows for Qt."""

    def __init__(self, log: EventRows, book: FenceBook, zone_of: ZoneOf, parent: QObject | None = None) -> None:
        super().__init__(_TITLES, parent)
        self._log = log
        self._book = book
        self._zone_of = zone_of
        self._theme: Theme = "light"
        log.replaced.connect(self._on_replaced)
        log.adding.connect(lambda count: self.beginInsertRows(QModelIndex(), 0, count - 1))
        log.added.connect(self._on_added)
        log.dropping.connect(self._on_dropping)
        log.dropped.connect(lambda _: self.endRemoveRows())

    def event_at(self, row: int) -> Event:
        """Return the event of a row."""
        return self._log[row]

    def _count(self) -> int:
        return len(self._log)

    def text(self, row: int, column: int) -> str:
        """Return the text of a cell."""
        event = self._log[row]
        return short_time(event.created_at, self._zone_of(event)) if column == Column.TIME else _text(event, column)

    def is_marked(self, row: int) -> bool:
        """Return whether the device of a row has a mark."""
        return is_flagged(self._log[row].user)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell."""
        event, column = self._log[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.text(index.row(), column)
            case Qt.ItemDataRole.DecorationRole:
                return self._mark(event, column)
            case Qt.ItemDataRole.ToolTipRole:
                return tip_text(_tip(event, self._zone_of(event)))
        return None

    def set_theme(self, theme: Theme) -> None:
        """Colour the flags for a theme."""
        self._theme = theme

    def _mark(self, event: Event, column: int) -> Any:
        if column == Column.TYPE:
            return event_mark(event_kind(event))
        if column == Column.ABOUT and event.geofence is not None:
            return dot(self._book.color(event.geofence.tag))
        if column == Column.DEVICE and is_flagged(event.user):
            return icon("warning", self._theme, color=colors(self._theme).danger)
        return None

    def _on_replaced(self) -> None:
        self.beginResetModel()
        self.endResetModel()

    def _on_added(self, _events: tuple[Event, ...]) -> None:
        self.endInsertRows()

    def _on_dropping(self, count: int) -> None:
        self.beginRemoveRows(QModelIndex(), len(self._log) - count, len(self._log) - 1)


def _text(event: Event, column: int) -> str:
    match column:
        case Column.TYPE:
            return event_title(event) + _hours(event)
        case Column.ABOUT:
            return event_about(event)
        case Column.DEVICE:
            return event.user.device_id or event.user.user_id or ""
        case _:
            return "" if event.confidence is None else f"{confidence_word(event.confidence)} ({event.confidence})"


def _hours(event: Event) -> str:
    if event.currently_operating is None:
        return ""
    return tr(" · open") if event.currently_operating else tr(" · closed")


def _tip(event: Event, zone: ZoneInfo) -> str:
    lines = [event_sentence(event), full_time(event.created_at, zone)]
    if event.actual_created_at != event.created_at:
        lines.append(tr("Received at {time}", time=full_time(event.actual_created_at, zone)))
    if event.geofence is not None:
        lines.append(f"{event.geofence.tag} / {event.geofence.external_id}")
    if event.beacon is not None:
        lines.append(beacon_tip(event.beacon))
    if event.place is not None:
        lines.append(", ".join(event.place.categories))
    lines += _measured(event)
    if event.user.user_id:
        lines.append(tr("User {user_id}", user_id=event.user.user_id))
    if is_flagged(event.user):
        lines.append(PERSONAL)
    lines += [f"{key}: {text_of(value)}" for key, value in event.metadata.items()]
    return "\n".join(lines)


def _measured(event: Event) -> list[str]:
    lines = []
    if event.accuracy_m is not None:
        confidence = (
            tr(", confidence {confidence} of 3", confidence=event.confidence) if event.confidence is not None else ""
        )
        lines.append(tr("Accuracy {accuracy}{confidence}", accuracy=metres(event.accuracy_m), confidence=confidence))
    if event.duration_s is not None:
        lines.append(tr("Stayed {duration}", duration=duration(event.duration_s)))
    if event.currently_operating is not None:
        lines.append(
            tr(
                "{during_or_outside} operating hours",
                during_or_outside=tr("During") if event.currently_operating else tr("Outside"),
            )
        )
    if event.fraud is not None and event.fraud.failed:
        lines.append(
            tr("Failed: {failed_checks}", failed_checks=", ".join(sorted(check.value for check in event.fraud.failed)))
        )
    if event.verification is not None:
        lines.append(translated(event.verification.name.capitalize()))
    if event.replayed:
        lines.append(tr("Replayed"))
    return lines
