"""Operations on tracking: sending, explaining and replaying location updates, and reading their events."""

from datetime import datetime
from typing import Any, cast

from msgspec import Struct

from app.api.commands.command import Call, always, command, never
from app.api.commands.errors import encode_error
from app.api.wire.common.encoding import Encoded, with_warnings
from app.api.wire.event import encode_event
from app.api.wire.explanation import encode_explained_update, encode_replay_report
from app.api.wire.settings.request import decode_settings_change
from app.api.wire.snapshot import encode_cleared
from app.api.wire.track import encode_result, warnings_about
from engine.domain.errors import FencewrightError
from engine.domain.imports import ImportFile
from engine.domain.queries import EventFilter, EventQuery
from engine.domain.tracking.explaining import ReplayFences, ReplayQuery, UpdateQuery
from engine.domain.tracking.tracks import RecordedQuery
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.domain.tracking.whatif import Assignment, RequestedEdits
from engine.domain.values import replace
from engine.simulation.writing.writing import TrackFormat, write_track

_THIS_MACHINE = "127.0.0.1"
"""The IP address of updates sent by a command."""


class GivenFile(Struct, frozen=True):
    """A file of geofences."""

    name: str
    data: bytes


class ReplayRequest(Struct, frozen=True, kw_only=True):
    """Updates to replay with edits of geofences and changed settings, which are spelled as on the wire."""

    device_ids: tuple[str, ...] = ()
    user_id: str | None = None
    after: datetime | None = None
    before: datetime | None = None
    fences: ReplayFences = ReplayFences.THEN
    updates: tuple[LocationUpdate, ...] | None = None
    settings: dict[str, Any]
    assignments: tuple[Assignment, ...] = ()
    files: tuple[GivenFile, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def edits(self) -> RequestedEdits:
        """The geofences to change in the replay."""
        files = tuple(ImportFile(each.data, each.name) for each in self.files)
        return RequestedEdits(assignments=self.assignments, files=files, removed=self.removed)


class ClearRequest(Struct, frozen=True, kw_only=True):
    """Test data to delete: everything tracked or only one device's, and optionally geofences and beacons."""

    device_id: str | None = None
    geofences: bool = False
    beacons: bool = False


class DeviceUser(Struct, frozen=True):
    """A device and the user who is logged in on it."""

    device_id: str
    user_id: str | None = None


class EventRequest(Struct, frozen=True):
    """A query for a limited number of events."""

    wanted: EventFilter
    limit: int


@command(repeats=always)
def now(call: Call[None]) -> str:
    """Return the current time of the environment's clock."""
    return call.engine.clock_of(call.environment).now().isoformat()


# Updates carry their own times, so sending them again is harmless.
@command(repeats=always)
def track(call: Call[tuple[LocationUpdate, ...]]) -> list[Encoded]:
    """Track updates together and return for each the response of ``/v1/track``, or its error."""
    updates = [replace(update, ip=_THIS_MACHINE, awaits_route=True) for update in call.request]
    return [_outcome(result) for result in call.engine.tracking.track_all(call.environment, updates)]


@command(repeats=always)
def latest_time(call: Call[DeviceUser]) -> str | None:
    """Return the newest time of a device's updates, or None if there is none."""
    found = call.engine.tracking.latest_time(call.environment, call.request.device_id, call.request.user_id)
    return None if found is None else found.isoformat()


def _outcome(result: TrackResult | BaseException) -> Encoded:
    if isinstance(result, TrackResult):
        return {"answer": with_warnings(encode_result(result, {"code": 200}), warnings_about(result))}
    if isinstance(result, FencewrightError):
        return encode_error(result)
    raise result


@command(repeats=always)
def explain(call: Call[UpdateQuery]) -> Encoded:
    """Return a past update with its explanations."""
    return encode_explained_update(call.engine.tracking.explain(call.environment, call.request))


@command(repeats=always)
def known_devices(call: Call[str]) -> Encoded:
    """Return the devices with kept updates that are most similar to one that is not known."""
    known = call.engine.tracking.known_devices(call.environment, call.request)
    return {
        "deviceIds": list(known.device_ids),
        "more": known.more,
        "closest": known.closest,
        "elsewhere": known.elsewhere,
    }


@command(repeats=always)
def replay(call: Call[ReplayRequest]) -> Encoded:
    """Replay updates with changed settings and geofences and return the difference."""
    request = call.request
    query = ReplayQuery(
        device_ids=request.device_ids,
        user_id=request.user_id,
        after=request.after,
        before=request.before,
        change=decode_settings_change(request.settings),
        fences=request.fences,
        edits=call.engine.imports.tried(call.environment, request.edits, call.progress),
        updates=request.updates,
    )
    return encode_replay_report(call.engine.tracking.replay(call.environment, query, call.progress))


@command(repeats=always)
def recorded(call: Call[RecordedQuery]) -> bytes:
    """Return the stored updates of a device as a track in CSV."""
    return write_track(call.engine.tracking.recorded(call.environment, call.request), TrackFormat.CSV)


@command(repeats=never)
def clear(call: Call[ClearRequest]) -> Encoded:
    """Delete data of Test and return the numbers of deleted records."""
    request, history = call.request, call.engine.history
    cleared = history.clear_test_data(request.device_id, geofences=request.geofences, beacons=request.beacons)
    return encode_cleared(cleared)


@command(repeats=always)
def newest_event(call: Call[None]) -> str | None:
    """Return the `_id` of the last stored event, or None if there are no events."""
    return call.engine.history.newest_id(call.environment)


@command(repeats=always)
def events(call: Call[EventRequest]) -> list[Encoded]:
    """Return the newest events, newest first."""
    query = EventQuery.of(call.request.wanted, call.request.limit)
    page = call.engine.history.page(call.environment, query)
    return [cast(Encoded, encode_event(event)) for event in page.items]
