"""Geofences that are closed at a moment, by their operating hours."""

from collections.abc import Callable, Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from msgspec import Struct

from app.desktop.language import tr
from engine.domain.geofence import Geofence

type ZoneOf = Callable[[Geofence], ZoneInfo]


def is_closed(fence: Geofence, now: datetime, zone_of: ZoneOf) -> bool:
    """Whether a fence is outside its hours at a moment; one without hours never is."""
    hours = fence.rules.operating_hours
    return hours is not None and not hours.is_open(now.astimezone(zone_of(fence)))


class Opening(Struct, frozen=True):
    """The state of one fence's hours at a moment."""

    open: bool
    text: str


def opening(fence: Geofence, now: datetime, zone: ZoneInfo) -> Opening:
    """Return whether a fence is open, as a sentence with its local time: ``Closed now: Sun 23:10, Europe/Vaduz``."""
    local = now.astimezone(zone)
    closed = is_closed(fence, now, lambda _: zone)
    return Opening(
        not closed,
        tr(
            "{closed} now: {local:%a %H:%M}, {zone}",
            closed=tr("Closed") if closed else tr("Open"),
            local=local,
            zone=zone.key,
        ),
    )


class Openings:
    """The fences that are closed now. Only those with hours are looked at, and only when a minute is over."""

    def __init__(self) -> None:
        self._with_hours: dict[str, Geofence] = {}
        self._closed: frozenset[str] = frozenset()
        self._minute: datetime | None = None

    def is_closed(self, fence_id: str) -> bool:
        """Whether a fence was closed when it was last looked at."""
        return fence_id in self._closed

    @property
    def with_hours(self) -> tuple[Geofence, ...]:
        """The fences that have operating hours."""
        return tuple(self._with_hours.values())

    def follow(self, upserted: Iterable[Geofence], removed: Iterable[str], *, reset: bool) -> None:
        """Take in what changed among the fences; what is closed is found out by the next look."""
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

    def look(self, fences: Iterable[Geofence], now: datetime, zone_of: ZoneOf) -> None:
        """Find out at once which of some fences are closed."""
        looked = {fence.id: is_closed(fence, now, zone_of) for fence in fences}
        others = self._closed - looked.keys()
        self._closed = frozenset((*others, *(fence_id for fence_id, closed in looked.items() if closed)))

    def is_due(self, now: datetime) -> bool:
        """Whether another minute has begun since the last look, or a fence has changed."""
        return now.replace(second=0, microsecond=0) != self._minute

    def note_look(self, now: datetime) -> None:
        """Remember when the present look began."""
        self._minute = now.replace(second=0, microsecond=0)

    def take(self, closed: Iterable[str]) -> frozenset[str]:
        """Take in what is closed now; return the fences that were open and are closed, or the other way round."""
        before, self._closed = self._closed, frozenset(closed) & self._with_hours.keys()
        return before ^ self._closed


def closed_among(fences: Iterable[Geofence], now: datetime, zone_of: ZoneOf) -> tuple[str, ...]:
    """Return which fences are closed at a moment."""
    return tuple(fence.id for fence in fences if is_closed(fence, now, zone_of))
