"""Geofences that are closed at a moment according to their operating hours."""

from collections.abc import Callable, Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct

from app.desktop.language import tr
from engine.domain.geofence import Geofence
from engine.domain.hours import HoursRule

type ZoneOf = Callable[[Geofence], ZoneInfo]


def is_closed(fence: Geofence, now: datetime, zone_of: ZoneOf, rule: HoursRule) -> bool:
    """Return whether a geofence is outside its hours at a moment; one without hours never is."""
    hours = fence.rules.operating_hours
    return hours is not None and not hours.is_open(now.astimezone(zone_of(fence)), rule)


class Opening(Struct, frozen=True):
    """The state of a geofence's hours at a moment."""

    open: bool
    text: str


def opening(fence: Geofence, now: datetime, zone: ZoneInfo, rule: HoursRule) -> Opening:
    """Return whether a geofence is open, as a sentence with its local time: ``Closed now: Sun 23:10, Europe/Vaduz``."""
    local = now.astimezone(zone)
    closed = is_closed(fence, now, lambda _: zone, rule)
    return Opening(
        not closed,
        tr(
            "{open_or_closed} now: {local_time:%a %H:%M}, {time_zone}",
            open_or_closed=tr("Closed") if closed else tr("Open"),
            local_time=local,
            time_zone=zone.key,
        ),
    )


class Openings:
    """The geofences that are currently closed. Only those with hours are checked, once a minute and after changes."""

    def __init__(self) -> None:
        self._with_hours: dict[str, Geofence] = {}
        self._closed: frozenset[str] = frozenset()
        self._minute: datetime | None = None

    def is_closed(self, fence_id: str) -> bool:
        """Return whether a geofence was closed at its last check."""
        return fence_id in self._closed

    @property
    def with_hours(self) -> tuple[Geofence, ...]:
        """The geofences that have operating hours."""
        return tuple(self._with_hours.values())

    def follow(self, upserted: Iterable[Geofence], removed: Iterable[str], *, reset: bool) -> None:
        """Apply changes of geofences; the next check finds out which are closed."""
        if reset:
            self._with_hours.clear()
            self._closed = frozenset()
        for fence in upserted:
            if fence.rules.operating_hours is None:
                self._with_hours.pop(fence.id, None)
            else:
                self._with_hours[fence.id] = fence
        for fence_id in removed:
            self._with_hours.pop(fence_id, None)
        self._minute = None

    def look(self, fences: Iterable[Geofence], now: datetime, zone_of: ZoneOf, rule: HoursRule) -> None:
        """Check at once which of some geofences are closed."""
        looked = {fence.id: is_closed(fence, now, zone_of, rule) for fence in fences}
        others = self._closed - looked.keys()
        self._closed = frozenset((*others, *(fence_id for fence_id, closed in looked.items() if closed)))

    def is_due(self, now: datetime) -> bool:
        """Return whether another minute has begun since the last check, or a geofence has changed."""
        return now.replace(second=0, microsecond=0) != self._minute

    def note_look(self, now: datetime) -> None:
        """Record the start of the current check."""
        self._minute = now.replace(second=0, microsecond=0)

    def forget_look(self) -> None:
        """Make another check due, since the rule of hours may have changed."""
        self._minute = None

    def take(self, closed: Iterable[str]) -> frozenset[str]:
        """Store the closed geofences and return the ones that have opened or closed since."""
        before, self._closed = self._closed, frozenset(closed) & self._with_hours.keys()
        return before ^ self._closed


def closed_among(fences: Iterable[Geofence], now: datetime, zone_of: ZoneOf, rule: HoursRule) -> tuple[str, ...]:
    """Return the geofences that are closed at a moment."""
    return tuple(fence.id for fence in fences if is_closed(fence, now, zone_of, rule))
