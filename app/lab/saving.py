"""A session of the window as a scenario: its settings and geofences, the track, and the resulting events."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import yaml

from app.api.wire.common.encoding import encode_time, wire_name
from app.api.wire.snapshot import changed_settings, encode_geofence_elsewhere
from app.files import write_file
from app.lab.files.models import MAX_GEOFENCES, VERSION
from app.lab.files.reading import SUFFIX
from app.lab.files.words import spell_duration
from app.lab.judging.possible import FIRST, SetUp, obstacles
from app.lab.running.recording import Data, Happened, Period
from app.lab.updating import event_item, flow
from app.recordings import Recording, Saved
from engine.domain.addresses.address import RegionType
from engine.domain.area import Area
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import Geofence
from engine.domain.queries import EventFilter
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.tracking.updates import Event
from engine.domain.values import replace
from engine.engine import Engine
from engine.simulation.timing import ScheduledFix
from engine.simulation.writing.tables import write_csv

MAX_INLINE: Final = 500
"""Maximum number of fixes written into the scenario. More are written to a file next to it."""

_KEPT_OUT: Final = frozenset(
    map(wire_name, ("kept_updates", "hourly_limit", "daily_limit", "rehearsed_error", "allow_private_urls"))
)
"""Settings that affect the endpoint but not the meaning of a location update."""


def save_scenario(
    engine: Engine,
    file: Path,
    environment: Environment,
    recording: Recording,
    geofences: tuple[Geofence, ...] | None = None,
) -> Saved:
    """Write the workspace, the track and its events as a scenario, and return a summary.

    If the track was not played to its end, only the fixes that were sent are written. `geofences` are those before the
    track was played, by default the present ones. Raises `InvalidParameter` if there is no track, or too much for a
    scenario.
    """
    if not recording.fixes:
        raise InvalidParameter("track", "track: open a track first; a scenario needs one.")
    geofences = engine.geofences.all(environment) if geofences is None else geofences
    if len(geofences) > MAX_GEOFENCES:
        limit = f"{MAX_GEOFENCES:,}"
        raise InvalidParameter("geofences", f"geofences: a scenario holds at most {limit}, not {len(geofences):,}.")
    is_ended = not recording.is_partly_played
    if not is_ended:
        recording = replace(recording, fixes=recording.fixes[: recording.played])
    events = _events(engine, environment, recording)
    areas = _areas_used(engine, environment, recording, events)
    bundled = [area.name for area in areas if area.bundled]
    text = "".join(_lines(engine, environment, recording, geofences, bundled, file))
    text += "".join(_trip(recording, geofences, is_ended=is_ended))
    text += _expectations(events, recording.fixes[0].at, _set_up(engine, environment, recording, geofences, areas))
    if len(recording.fixes) > MAX_INLINE:
        write_file(_track_file(file), write_csv(_track(recording)), owner_only=True)
    write_file(file, text.encode(), owner_only=True)
    return Saved(len(events), len(recording.fixes), tuple(area.name for area in areas if not area.bundled))


def _areas_used(
    engine: Engine, environment: Environment, recording: Recording, events: Sequence[Event]
) -> tuple[Area, ...]:
    """Return the areas in use that the run needed: for places, for the route of a trip, or for postal codes."""
    needs_areas = engine.settings.get(environment).places or recording.trip_to is not None
    if not needs_areas and not any(event.region and event.region.type is RegionType.POSTAL_CODE for event in events):
        return ()
    return tuple(area for area in engine.areas.in_use() if any(area.covers(fix.point) for fix in recording.fixes))


def _set_up(
    engine: Engine,
    environment: Environment,
    recording: Recording,
    geofences: tuple[Geofence, ...],
    areas: Sequence[Area],
) -> SetUp:
    """Return the set-up that the scenario will have."""
    period = Period(engine.settings.get(environment), tuple(each for each in geofences if each.enabled))
    has_places = any(area.bundled and area.gazetteer is not None for area in areas)
    return SetUp([period], Data(engine.geocoding.has_world, has_places), has_trips=recording.trip_to is not None)


def _lines(
    engine: Engine,
    environment: Environment,
    recording: Recording,
    geofences: tuple[Geofence, ...],
    areas: list[str],
    file: Path,
) -> Iterator[str]:
    settings = changed_settings(engine.settings.get(environment))
    settings = {name: value for name, value in settings.items() if name not in _KEPT_OUT}
    yield f"version: {VERSION}\n"
    yield f"name: {flow(file.name.removesuffix(SUFFIX))}\n"
    yield f"description: {flow(f'The track {recording.name} as {recording.device_id}')}\n"
    if areas:
        yield f"areas: {flow(areas)}\n"
    yield f"clock: {flow(encode_time(recording.fixes[0].at))}\n"
    if settings:
        yield _block("settings", settings)
    if geofences:
        yield "geofences:\n"
        for geofence in sorted(geofences, key=lambda each: (each.tag, each.external_id)):
            yield f"  - {flow(_geofence(geofence))}\n"
    yield from _device(recording, file)


def _geofence(geofence: Geofence) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(encode_geofence_elsewhere(geofence))
    return plain


def _device(recording: Recording, file: Path) -> Iterator[str]:
    yield f"devices:\n  - {wire_name('device_id')}: {flow(recording.device_id)}\n"
    if recording.accuracy_m is not None:
        yield f"    accuracy: {recording.accuracy_m:g}\n"
    for name, value in (("foreground", recording.foreground), ("stopped", recording.stopped)):
        if value:
            yield f"    {name}: true\n"
    recorded = {} if recording.other_time is None else {"recorded": encode_time(recording.other_time)}
    if len(recording.fixes) > MAX_INLINE:
        yield f"    track: {flow({'file': _track_file(file).name, **recorded})}\n"
        return
    yield "    track:\n"
    yield from (f"      {name}: {flow(value)}\n" for name, value in recorded.items())
    yield "      points:\n"
    for fix in recording.fixes:
        yield f"        - {flow(_point(fix, recording))}\n"


def _point(fix: ScheduledFix, recording: Recording) -> dict[str, Any]:
    point: dict[str, Any] = {
        "at": spell_duration(fix.at - recording.fixes[0].at),
        "coordinates": [fix.point.longitude, fix.point.latitude],
    }
    accuracy = fix.accuracy_m if recording.accuracy_m is None else None
    foreground, stopped = _own_motion(fix, recording)
    optional = {"accuracy": accuracy, "foreground": foreground, "stopped": stopped}
    return point | {name: value for name, value in optional.items() if value is not None}


def _own_motion(fix: ScheduledFix, recording: Recording) -> tuple[bool | None, bool | None]:
    """Return whether a fix was sent as in the foreground, and as stopped, or None for a value that applies to all
    fixes."""
    foreground = None if recording.foreground else fix.foreground
    return foreground, None if recording.stopped else fix.stopped


def _trip(recording: Recording, geofences: tuple[Geofence, ...], *, is_ended: bool) -> Iterator[str]:
    """Yield the steps of a trip that starts with the first fix and, if the track has ended, is completed at its end."""
    destination = next((each for each in geofences if each.id == recording.trip_to), None)
    if destination is None:
        return
    fields = {
        "external_id": "trip-1",
        "device_id": recording.device_id,
        "destination_geofence_tag": destination.tag,
        "destination_geofence_external_id": destination.external_id,
    }
    trip = {wire_name(name): value for name, value in fields.items()}
    end = spell_duration(recording.fixes[-1].at - recording.fixes[0].at)
    yield f"steps:\n  - startTrip: {flow(trip)}\n"
    if is_ended:
        yield f"  - waitUntil: {end}\n  - completeTrip: trip-1\n"


def _events(engine: Engine, environment: Environment, recording: Recording) -> list[Event]:
    """Return the device's events within the track's time, without the repetitions of a track that was played twice."""
    first, last = recording.fixes[0].at, recording.fixes[-1].at
    found: dict[tuple[object, ...], Event] = {}
    for batch in engine.history.all(environment, EventFilter(device_id=recording.device_id)):
        for event in batch:
            if first <= event.created_at <= last:
                about = event.geofence or event.place or event.region or event.beacon
                found.setdefault((event.created_at, event.type, None if about is None else about.id), event)
    return list(found.values())


def _expectations(events: list[Event], start: datetime, there: SetUp) -> str:
    if not events:
        return "expectsNothing: true\n" if obstacles(FIRST, there) else "expect:\n  events: []\n"
    items = (_without_trip(event_item(Happened(event.created_at - start, event))) for event in events)
    return "expect:\n  events:\n" + "".join(f"    - {flow(item)}\n" for item in items)


def _without_trip(item: dict[str, Any]) -> dict[str, Any]:
    """Return an expected event without the ID of its trip, which differs between runs."""
    return {name: value for name, value in item.items() if name != "trip"}


def _track(recording: Recording) -> Track:
    points = (
        TrackPoint(fix.point, fix.at, recording.accuracy_m or fix.accuracy_m, *_own_motion(fix, recording))
        for fix in recording.fixes
    )
    return Track(recording.name, tuple(points))


def _track_file(file: Path) -> Path:
    return file.with_name(f"{file.name.removesuffix('.yaml')}.track.csv")


def _block(name: str, value: Mapping[str, Any]) -> str:
    text: str = yaml.safe_dump({name: _plain(dict(value))}, sort_keys=False, allow_unicode=True, width=2**31)
    return text


def _plain(value: Any) -> Any:
    """Return a value converted to the types of YAML."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each) for each in value]
    return str(value) if isinstance(value, str) else value
