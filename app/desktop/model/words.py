"""The engine's values in plain words and with units."""

from datetime import datetime, tzinfo

from engine.domain.environment import Environment, KeyLevel
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Point
from engine.domain.tracking import Event, EventType

_VERBS = {EventType.ENTERED_GEOFENCE: "Entered", EventType.EXITED_GEOFENCE: "Left"}
_CONFIDENCES = {3: "High", 2: "Medium", 1: "Low"}


def event_verb(event: Event) -> str:
    """Return what the user did, in one word."""
    return _VERBS[event.type]


def event_sentence(event: Event) -> str:
    """Return what happened as a sentence without its end."""
    return f"{event.user.device_id} {event_verb(event).lower()} {event.geofence.description}"


def is_entry(event: Event) -> bool:
    """Whether the event says that the user came in."""
    return event.type is EventType.ENTERED_GEOFENCE


def confidence_word(confidence: int) -> str:
    """Return the confidence as the word for its number."""
    return _CONFIDENCES.get(confidence, str(confidence))


def local_time(at: datetime, zone: tzinfo | None = None) -> str:
    """Return a time for a table; the zone is named once, by `zone_name`."""
    return at.astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")


def zone_name(at: datetime, zone: tzinfo | None = None) -> str:
    """Return the name of the zone in which `local_time` shows `at`."""
    return at.astimezone(zone).tzname() or "local"


def clock_time(at: datetime, zone: tzinfo | None = None) -> str:
    """Return the time of day alone."""
    return at.astimezone(zone).strftime("%H:%M:%S")


def metres(value: float) -> str:
    """Return a distance in metres or kilometres, as short as it stays exact enough."""
    if value >= 1000:
        return f"{value / 1000:.2f}".rstrip("0").rstrip(".") + " km"
    return f"{value:.1f}".rstrip("0").rstrip(".") + " m"


def duration(seconds: float) -> str:
    """Return a duration as people say it: ``1 h 05 min``, ``3 min 20 s``, ``12 s``."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {whole % 60:02} s" if minutes else f"{whole} s"


def count(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun: ``1 fence``, ``1,204 fences``; `nouns` is for those that are not regular."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {nouns or noun + 's'}"


def position(point: Point) -> str:
    """Return a position as latitude, longitude: the order in which people read and paste it."""
    return f"{point.latitude:.5f}, {point.longitude:.5f}"


def key_name(environment: Environment, level: KeyLevel) -> str:
    """Return which of the four keys is meant: ``Test publishable``."""
    return f"{environment.value.capitalize()} {level.value}"


def shape_text(fence: Geofence) -> str:
    """Return what kind of shape a fence has, with its size."""
    if isinstance(fence.geometry, Circle):
        return f"Circle, {metres(fence.geometry.radius_m)}"
    return f"Polygon, {count(len(fence.geometry.ring) - 1, 'corner')}"
