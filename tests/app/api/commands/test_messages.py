"""Requests as another process sends them, and answers that do not depend on the process."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import orjson
import pytest

from app.api.commands import backtests, geofences, records, tracking, workspace
from app.api.commands.command import Call, Command
from app.api.commands.messages import decode_call, encode_call
from app.api.commands.table import COMMANDS
from app.api.wire.review.checks import CheckQuery
from app.exports import RecordFilter, RecordKind
from app.remote import RemoteWorkspace
from app.session import WorkspaceSession
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import GeometryType, Point
from engine.domain.imports import ImportKind, ImportOptions, ImportQuery
from engine.domain.ports import no_progress
from engine.domain.queries import EventFilter
from engine.domain.tracking.explaining import ReplayFences, UpdateQuery
from engine.domain.tracking.tracks import RecordedQuery
from engine.domain.tracking.trips import DestinationChange, TripChange
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.tracking.whatif import Assignment
from engine.domain.travel import TravelMode
from engine.geofences.checks.baseline import Known
from engine.geofences.checks.findings import Check, CheckOptions, Severity
from engine.geofences.imports.exporting import ExportFormat, ExportQuery
from engine.geofences.promotion.promotions import PromotionQuery

TEST: Final = Environment.TEST
AT: Final = datetime(2026, 5, 1, 8, 0, 0, 123_456, tzinfo=UTC)
TRIP: Final = TripChange(
    external_id="t", mode=TravelMode.CAR, destination=DestinationChange(geofence_id="g", arrival_radius_m=100.0)
)
UPDATE: Final = LocationUpdate(
    "d", Point(9.5, 47.1), 5.0, "u", AT, foreground=True, stopped=False, trip=TRIP, awaits_route=True
)
TABLE: Final = b'description,type,tag,externalId,coordinates,radius\nA,circle,shop,1,"[9.5,47.1]",50\n'
CHANGE_SET: Final = orjson.dumps(
    {"format": "fencewright-change-set", "version": 1, "from": "test", "to": "live", "changes": []}
)

REQUESTS: Final[dict[Command[Any, Any], tuple[object, bytes]]] = {
    backtests.count_kept_updates: (None, b""),
    backtests.exact_set_up: (None, b""),
    backtests.write_kept_updates: (backtests.KeptQuery("a folder", updates=True), b""),
    geofences.import_file: (
        geofences.ImportRequest(
            name="t.csv",
            options=ImportOptions(mapping={"tag": "Gruppe"}, fixed={"radius": "5"}, keep_good_rows=True),
            kind=ImportKind.GEOFENCES,
            dry_run=True,
            preview=True,
        ),
        TABLE.replace(b"tag", b"Gruppe"),
    ),
    geofences.imports: (ImportQuery(limit=3), b""),
    geofences.undo_import: ("an id", b""),
    geofences.export: (
        geofences.ExportRequest(ExportFormat.GEOJSON, ExportQuery(tags=frozenset({"shop"}), enabled=True)),
        b"",
    ),
    geofences.sync: (None, b""),
    geofences.change_sync: ({"urls": ["https://example.com/a.csv"]}, b""),
    geofences.run_sync: (geofences.SyncRequest(force=True), b""),
    geofences.check: (
        CheckQuery(
            options=CheckOptions(checks=frozenset([*Check][:2]), accuracy_m=7.5, soon_s=60.0),
            severity=Severity.WARNING,
            limit=7,
            baseline=(Known(Check.OVERLAP, Severity.INFO, ("store/1", "store/2"), "One lies in two."),),
            saves=True,
        ),
        b"",
    ),
    geofences.plan: (
        PromotionQuery(source=Environment.LIVE, target=TEST, only=(), delete_missing=True),
        b"",
    ),
    geofences.apply: (geofences.ApplyRequest(dry_run=True), CHANGE_SET),
    geofences.change_set_notes: (None, CHANGE_SET),
    records.records: (
        records.RecordQuery(RecordKind.EVENTS, RecordFilter(types=frozenset({"user.entered_geofence"}), before=AT)),
        b"",
    ),
    tracking.now: (None, b""),
    tracking.track: ((UPDATE, LocationUpdate("e", Point(9.5, 47.1), 5.0)), b""),
    tracking.latest_time: (tracking.DeviceUser(device_id="d", user_id="u"), b""),
    tracking.explain: (UpdateQuery(device_id="d", user_id="u", at=AT), b""),
    tracking.known_devices: ("d", b""),
    tracking.replay: (
        tracking.ReplayRequest(
            device_ids=("d",),
            user_id="u",
            after=AT,
            before=AT,
            fences=ReplayFences.NOW,
            updates=(UPDATE,),
            settings={"bufferEntries": True},
            assignments=(Assignment("shop/1", "radius", "5"),),
            files=(tracking.GivenFile("t.csv", b"\x00\xff\n" + TABLE),),
            removed=("shop/2",),
        ),
        b"",
    ),
    tracking.recorded: (RecordedQuery(device_id="d", user_id="u", after=AT), b""),
    tracking.clear: (tracking.ClearRequest(device_id="d", geofences=False, beacons=True), b""),
    tracking.newest_event: (None, b""),
    tracking.events: (tracking.EventRequest(EventFilter(tags=frozenset({"shop"}), created_after=AT), 7), b""),
    workspace.settings: (None, b""),
    workspace.change_settings: ({"bufferExits": True, "minimumConfidence": 2}, b""),
    workspace.snapshot: (None, b""),
    workspace.set_up: (None, b""),
    workspace.rotate_key: (KeyLevel.SECRET, b""),
    workspace.refresh_areas: (None, b""),
}
"""A request for each operation, with all fields set."""

WRITING: Final = backtests.write_kept_updates
"""The operation that answers with files in the folder of its request."""

READING: Final[dict[Command[Any, Any], object]] = {
    command: request
    for command, (request, _) in REQUESTS.items()
    if command not in (tracking.now, tracking.track, tracking.replay, geofences.sync, records.records, WRITING)
    and command.repeats(request)
} | {
    tracking.explain: UpdateQuery(device_id="d"),
    tracking.replay: tracking.ReplayRequest(device_ids=("d",), settings={"bufferEntries": True}),
    tracking.recorded: RecordedQuery(device_id="d"),
    tracking.events: tracking.EventRequest(EventFilter(), 10),
    geofences.plan: PromotionQuery(),
    geofences.check: CheckQuery(options=CheckOptions()),
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkspaceSession]:
    """A workspace in which a device has entered a geofence with line separators in its name."""
    shop = GeofenceChange(
        tag="shop",
        external_id="1",
        description="A\u2028B\x85C",
        type=GeometryType.CIRCLE,
        coordinates=[9.5, 47.1],
        size=50.0,
    )
    with WorkspaceSession(tmp_path_factory.mktemp("commands") / "w") as opened:
        opened.engine.geofences.create(TEST, shop)
        for latitude in (47.2, 47.1):
            opened.engine.tracking.track(TEST, LocationUpdate("d", Point(9.5, latitude), 5.0, at=AT))
        yield opened


def remote(session: WorkspaceSession) -> RemoteWorkspace:
    """The workspace as seen by other processes."""
    endpoint = session.engine.workspace.endpoint
    assert endpoint is not None
    return RemoteWorkspace(session.engine.workspace.folder, endpoint)


def test_each_operation_has_a_request_here() -> None:
    assert set(COMMANDS.values()) == REQUESTS.keys()


def test_only_idempotent_commands_are_repeated() -> None:
    once = {command.name for command, (request, _) in REQUESTS.items() if not command.repeats(request)}
    assert once == {"undo_import", "run_sync", "records", "clear", "rotate_key"}
    assert not geofences.import_file.repeats(geofences.ImportRequest(name="t.csv"))
    assert not geofences.apply.repeats(geofences.ApplyRequest())
    assert not geofences.check.repeats(CheckQuery(options=CheckOptions(), fix=True))


@pytest.mark.parametrize("command", REQUESTS, ids=lambda command: command.name)
def test_requests_are_read_as_they_were_sent(session: WorkspaceSession, command: Command[Any, Any]) -> None:
    request, data = REQUESTS[command]
    sent = encode_call(Environment.LIVE, request, data)
    assert decode_call(session.engine, command, sent, no_progress) == Call(
        session.engine, Environment.LIVE, request, data, no_progress, elsewhere=True
    )


@pytest.mark.parametrize("command", READING, ids=lambda command: command.name)
def test_answers_are_alike_both_ways(session: WorkspaceSession, command: Command[Any, Any]) -> None:
    request, data = READING[command], REQUESTS[command][1]
    here = command.run(Call(session.engine, TEST, request, data))
    elsewhere = remote(session).run(command, request, TEST, data)
    if command is geofences.plan:
        del here["changeSet"]["createdAt"], elsewhere["changeSet"]["createdAt"]
    assert elsewhere == (here if isinstance(here, bytes) else orjson.loads(orjson.dumps(here)))


def test_records_come_some_at_a_time(session: WorkspaceSession) -> None:
    query = records.RecordQuery(RecordKind.EVENTS, RecordFilter())
    with remote(session).records(TEST, query) as found:
        assert found.total == 1
        (batch,) = found.batches
    assert [event["geofence"]["description"] for event in batch] == ["A\u2028B\x85C"]
