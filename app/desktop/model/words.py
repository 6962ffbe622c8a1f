"""Values of the engine as plain text with units."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from app.desktop.language import counted, number_text, tr, translated, within_sentence
from app.desktop.language.countries import country_name
from app.desktop.model.beacons import beacon_name
from app.desktop.model.editing.numbers import spell_number
from app.desktop.model.isochrones import travel_text
from engine.domain.addresses.address import Region, RegionType
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Circle, Isochrone, Point, Polygon
from engine.domain.text import is_personal
from engine.domain.tracking.updates import Event, EventType, UserSummary
from engine.domain.words import count as count
from engine.store.workspace import Workspace

type EventKind = Literal["entry", "exit", "dwell", "fraud", "other"]
"""Styles of events; `other` is for events reported by clients."""

_KINDS: Mapping[str, EventKind] = {
    EventType.ENTERED_GEOFENCE: "entry",
    EventType.EXITED_GEOFENCE: "exit",
    EventType.DWELLED_IN_GEOFENCE: "dwell",
    EventType.FAILED_FRAUD: "fraud",
    **{kind: "entry" for kind in EventType if kind.startswith("user.entered_")},
    **{kind: "exit" for kind in EventType if kind.startswith("user.exited_")},
}
_VERBS: Mapping[EventKind, str] = {
    "entry": tr("Entered"),
    "exit": tr("Left"),
    "dwell": tr("Dwelled"),
    "fraud": tr("Failed check"),
}
_REGION_WORDS = {RegionType.POSTAL_CODE: tr("postal code"), RegionType.DMA: tr("market area")}
_SUBJECT_KINDS: Final[Mapping[str, str]] = {
    **{word: translated(word) for word in ("place", "beacon", "country", "state")},
    "dma": tr("market area"),
    "code": tr("postal code"),
}
"""Kinds of subjects of events, by the last word of the event type."""

_CONFIDENCES = {3: tr("High"), 2: tr("Medium"), 1: tr("Low")}

PERSONAL = tr("The user ID looks like an e-mail address. User IDs must not carry personal information.")


def workspace_name(workspace: Workspace) -> str:
    """Return the name of a workspace for a title."""
    return tr("Temporary workspace") if workspace.temporary else workspace.name


def capital(text: str) -> str:
    """Return a text with its first letter capitalised."""
    return text[:1].upper() + text[1:]


_SHORT = {"id": "ID", "ids": "IDs", "ip": "IP", "url": "URL", "iata": "IATA", "uuid": "UUID", "uid": "UID"}
_UNITS = ("s", "m", "mps", "kmh")
_OTHERS = {"size": "radius"}
"""Fields whose title differs from their name in the engine."""


def field_title(name: str) -> str:
    """Return the title of a field of the engine: ``Dwell threshold`` for ``dwell_threshold_s``."""
    before, dot, last = name.rpartition(".")
    parts = f"{before}{dot}{_OTHERS.get(last, last)}".split("_")
    kept = parts[:-1] if len(parts) > 1 and parts[-1] in _UNITS else parts
    return capital(" ".join(_SHORT.get(part, part) for part in kept))


def error_text(error: BaseException) -> str:
    """Return an error message for users, with the title of the field in place of its name."""
    if isinstance(error, InvalidParameter | Conflict | NotFound):
        title, message = translated(field_title(error.param)), error.message
        if message.startswith(f"{error.param}: "):
            return f"{title}: {translated(message.removeprefix(f'{error.param}: '))}"
        # The name of the geofence comes first if there are several.
        name, named, rest = message.partition(f": {error.param}: ")
        return f"{name}: {title}: {translated(rest)}" if named else translated(message)
    return translated(str(error))


_TRIP_VERBS: Final[Mapping[str, str]] = {
    EventType.STARTED_TRIP: tr("Started trip"),
    EventType.UPDATED_TRIP: tr("Updated trip"),
    EventType.APPROACHING_TRIP_DESTINATION: tr("Approaching"),
    EventType.ARRIVED_AT_TRIP_DESTINATION: tr("Arrived"),
    EventType.ARRIVED_AT_WRONG_TRIP_DESTINATION: tr("Wrong destination"),
    EventType.STOPPED_TRIP: tr("Ended trip"),
}


def event_kind(event: Event) -> EventKind:
    """Return the kind of an event."""
    return _KINDS.get(event.type, "other")


def event_verb(event: Event) -> str:
    """Return the verb of an event, or the client's own word if a client reported it."""
    return _TRIP_VERBS.get(event.type) or _VERBS.get(event_kind(event), event.type)


def kind_title(kind: str) -> str:
    """Return the title of an event type without the name of its subject: ``Approaching``, ``Entered country``."""
    if (verb := _TRIP_VERBS.get(kind)) is not None:
        return verb
    if kind == EventType.NEARBY_PLACE_CHAIN:
        return tr("Near a chain")
    verb, subject = _VERBS.get(_KINDS.get(kind, "other"), kind), _SUBJECT_KINDS.get(kind.rpartition("_")[2], "")
    if _KINDS.get(kind) == "entry":
        return tr("Entered {subject_type}", subject_type=subject)
    return tr("Left {subject_type}", subject_type=subject) if _KINDS.get(kind) == "exit" else verb


def event_title(event: Event) -> str:
    """Return the title of an event, with the kind of its subject unless that is a geofence: ``Entered place``."""
    verb, subject = event_verb(event), event_subject_kind(event)
    if not subject:
        return verb
    match event_kind(event):
        case "entry":
            return tr("Entered {subject_type}", subject_type=subject)
        case "exit":
            return tr("Left {subject_type}", subject_type=subject)
        case _:
            return tr("{event_title}: {subject_type}", event_title=verb, subject_type=subject)


def event_subject_kind(event: Event) -> str:
    """Return the kind of an event's subject, such as ``place`` or ``postal code``, or "" for a geofence or a trip."""
    if event.region is not None:
        return region_word(event.region.type)
    if event.beacon is not None:
        return translated("beacon")
    return translated("place") if event.place is not None else ""


def region_word(kind: RegionType) -> str:
    """Return the usual name of a region type."""
    return _REGION_WORDS.get(kind) or translated(kind)


def region_name(region: Region) -> str:
    """Return the name of a region; countries are named in the window's language."""
    return country_name(region.code, region.name) if region.type is RegionType.COUNTRY else region.name


def event_sentence(event: Event) -> str:
    """Return a description of an event as a sentence without a full stop."""
    who = event.user.device_id or event.user.user_id or tr("somebody")
    kind = event_kind(event)
    if event.trip is not None and event.type in _TRIP_VERBS:
        return tr(
            "{user_name} on trip {trip_id}: {event_type}",
            user_name=who,
            trip_id=event_about(event),
            event_type=within_sentence(_TRIP_VERBS[event.type]),
        )
    if kind == "other":
        return f"{who}: {event.type}"
    if kind == "fraud":
        return tr("{user_name} failed the fraud check", user_name=who)
    about = event_about(event)
    if event.region is not None and event.region.type in _REGION_WORDS:
        # The name alone is only a number or the name of a city.
        about = f"{region_word(event.region.type)} {about}"
    if event.beacon is not None:
        about = tr("beacon {beacon_name}", beacon_name=about)
    match kind:
        case "entry":
            text = tr("{user_name} entered {subject_name}", user_name=who, subject_name=about)
        case "exit":
            text = tr("{user_name} left {subject_name}", user_name=who, subject_name=about)
        case _:
            text = tr("{user_name} dwelled in {subject_name}", user_name=who, subject_name=about)
    return text.rstrip()


def event_about(event: Event) -> str:
    """Return the name of an event's trip, geofence, beacon, place or region, or "" for other events."""
    if event.trip is not None:
        return event.trip.external_id
    if event.geofence is not None:
        return fence_name(event.geofence)
    if event.beacon is not None:
        return beacon_name(event.beacon)
    if event.region is not None:
        return region_name(event.region)
    return "" if event.place is None else event.place.name


def fence_name(fence: Geofence | GeofenceSummary) -> str:
    """Return the display name of a geofence."""
    return name_of(fence.description, fence.external_id)


def name_of(description: str, external_id: str) -> str:
    """Return the display name of a geofence with this description and external ID."""
    return description or external_id


def is_flagged(user: UserSummary) -> bool:
    """Return whether the user ID looks like personal information."""
    return user.user_id is not None and is_personal(user.user_id)


def confidence_word(confidence: int) -> str:
    """Return the word for a confidence level."""
    return _CONFIDENCES.get(confidence, str(confidence))


def zone_name(at: datetime, zone: tzinfo | None = None) -> str:
    """Return the abbreviation of a zone at a moment: ``CEST``, ``UTC-03``."""
    name = at.astimezone(zone).tzname() or tr("local")
    return f"UTC{name}" if name[:1] in "+-" else name


def local_time(at: datetime, zone: tzinfo | None = None) -> str:
    """Return a time with the name of its zone."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S} {zone_name(at, zone)}"


def short_time(at: datetime, zone: tzinfo | None = None) -> str:
    """Return a time for a narrow column, with the year only if it is not the current one."""
    local = at.astimezone(zone)
    year = "" if local.year == datetime.now(UTC).year else f"{local.year} "
    return tr(
        "{day} {local_time:%b} {year}{local_time:%H:%M:%S} {time_zone}",
        day=local.day,
        local_time=local,
        year=year,
        time_zone=zone_name(at, zone),
    )


def full_time(at: datetime, zone: tzinfo | None = None) -> str:
    """Return a complete time with the full name of its zone, for tooltips."""
    local = at.astimezone(zone)
    name = f" {zone.key}" if isinstance(zone, ZoneInfo) else ""
    return f"{local.isoformat(timespec='milliseconds')}{name}"


def clock_time(at: datetime, zone: tzinfo | None = None) -> str:
    """Return the time of day with its zone."""
    return f"{at.astimezone(zone):%H:%M:%S} {zone_name(at, zone)}"


def size_text(value: float) -> str:
    """Return a radius with all its decimals, as in its field."""
    return f"{spell_number(value)} m"


def exact_time(at: datetime, zone: tzinfo | None = None) -> str:
    """Return the time of day to the millisecond, with its zone."""
    local = at.astimezone(zone)
    return f"{local:%H:%M:%S}.{local.microsecond // 1000:03} {zone_name(at, zone)}"


def metres(value: float) -> str:
    """Return a distance in metres or kilometres, rounded to a useful precision."""
    if value >= 1000:
        return number_text(f"{value / 1000:.2f}".rstrip("0").rstrip(".")) + " km"
    return number_text(f"{value:.1f}".rstrip("0").rstrip(".")) + " m"


def duration(seconds: float) -> str:
    """Return a duration in readable units: ``1 h 05 min``, ``3 min 20 s``, ``12 s``."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    if hours:
        return tr("{hours} h {minutes:02} min", hours=hours, minutes=minutes)
    return tr("{minutes} min {seconds:02} s", minutes=minutes, seconds=whole % 60) if minutes else f"{whole} s"


def minutes_text(seconds: float) -> str:
    """Return a duration in minutes, as in settings: ``10 min``."""
    return f"{spell_number(seconds / 60)} min"


def position(point: Point) -> str:
    """Return a position as latitude, longitude, which is the usual order for reading and pasting."""
    return f"{point.latitude:.5f}, {point.longitude:.5f}"


def key_name(environment: Environment, level: KeyLevel) -> str:
    """Return the name of one of the four keys: ``Test publishable``."""
    return f"{environment.value.capitalize()} {level.value}"


def shape_text(fence: Geofence) -> str:
    """Return the shape of a geofence with its size."""
    if isinstance(fence.geometry, Circle):
        return tr("Circle, {radius}", radius=size_text(fence.geometry.radius_m))
    if isinstance(fence.geometry, Isochrone):
        return tr("Isochrone, {travel_time}", travel_time=travel_text(fence.geometry.minutes, fence.geometry.mode))
    return tr("Polygon, {vertices}", vertices=rings_text(fence.geometry.coordinates))


def rings_text(coordinates: Any) -> str:
    """Return the numbers of vertices, parts and holes of a ring, or of a GeoJSON Polygon's or MultiPolygon's.

    A single part and no holes are left out.
    """
    if _is_ring(coordinates):
        return counted(max(len(coordinates) - 1, 0), "vertex", "vertices")
    parts = [coordinates] if _is_ring(coordinates[0]) else coordinates
    rings = [ring for part in parts for ring in part]
    vertices = counted(sum(len(ring) - 1 for ring in rings), "vertex", "vertices")
    return ", ".join((vertices, *_parts_and_holes(len(parts), len(rings) - len(parts))))


def parts_text(polygon: Polygon) -> str:
    """Return the numbers of parts and holes of a polygon, or an empty text for a single ring."""
    return ", ".join(_parts_and_holes(len(polygon.parts), len(polygon.rings) - len(polygon.parts)))


def _parts_and_holes(parts: int, holes: int) -> Iterator[str]:
    if parts > 1:
        yield counted(parts, "part")
    if holes:
        yield counted(holes, "hole")


def _is_ring(coordinates: Any) -> bool:
    return len(coordinates) == 0 or isinstance(coordinates[0][0], float | int)
