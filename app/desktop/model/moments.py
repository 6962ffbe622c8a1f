"""Moments as users type them, in the local time of a place, and the time zones in which moments are shown."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from app.desktop.language import tr
from app.desktop.model.event_log import EventLog
from app.desktop.model.fences import FenceBook
from app.exchanges import RequestSummary
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.updates import Event
from engine.geo.zones import zone_at


def spell_moment(at: datetime | None, zone: tzinfo) -> str:
    """Return a moment in the format of `parse_moment`, without seconds if they are zero, or "" for None."""
    if at is None:
        return ""
    local = at.astimezone(zone)
    text = local.strftime("%Y-%m-%d %H:%M:%S" if local.second else "%Y-%m-%d %H:%M")
    # Add the offset for the second occurrence of an hour that is repeated when winter time begins.
    return f"{text}{local:%z}" if local.fold else text


def parse_moment(text: str, zone: tzinfo, param: str) -> datetime | None:
    """Return the moment of a date, with or without a time, in a zone, or None for an empty text.

    An explicit offset takes precedence. Raises `InvalidParameter` naming `param`.
    """
    stripped = text.strip()
    if not stripped:
        return None
    try:
        found = datetime.fromisoformat(stripped)
        moment = (found if found.tzinfo else found.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidParameter(
            param,
            tr(
                "{field_name}: {entered_text!r} is not a date; use a form such as 2026-12-31 18:00.",
                field_name=param,
                entered_text=stripped[:40],
            ),
        ) from None
    return moment


class Zones:
    """Time zones in which the events and requests of a workspace are shown."""

    def __init__(self, fences: FenceBook, events: EventLog) -> None:
        self._fences = fences
        self._events = events

    def of_event(self, event: Event) -> ZoneInfo:
        """Return the zone of an event's geofence, else that of its position."""
        fence = self._fences.get(event.geofence.id) if event.geofence else None
        if fence is not None:
            return self._fences.zone(fence)
        return zone_at(event.point.longitude, event.point.latitude) if event.point else ZoneInfo("UTC")

    def of_request(self, request: RequestSummary) -> ZoneInfo:
        """Return the zone of a request's events, else that of its position, else the zone for times without a place."""
        event = next(filter(None, (self._events.get(each.id) for each in request.events)), None)
        if event is not None:
            return self.of_event(event)
        if request.point is None:
            return self.without_place
        return zone_at(request.point.longitude, request.point.latitude)

    @property
    def without_place(self) -> ZoneInfo:
        """Zone for times without a place: that of the newest event, or else that of a geofence."""
        if len(self._events):
            return self.of_event(self._events[0])
        fence = self._fences.first()
        return self._fences.zone(fence) if fence is not None else ZoneInfo("UTC")
