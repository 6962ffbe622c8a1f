"""Growth of processing time: ``python -m tests.benchmarks.growth [--size 1000] [--only import track]``.

Each operation runs in a new workspace at a size and at four times that size. Both are in milliseconds of processor time
of this process. A ratio of 4 means proportional growth, 1 means that the time does not depend on the size, and 16 means
quadratic growth. Both sizes are measured `--turns` times, alternating, and the least time of each counts, since another
program may have slowed one down. Ratios above 5 are marked.
"""

import argparse
import gc
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from math import cos, pi, sin
from pathlib import Path
from random import Random
from time import process_time
from typing import Final

import httpx
import orjson

from app.api.change_sets import apply_change_set, plan_promotion
from app.api.wire.snapshot import encode_snapshot
from app.session import WorkspaceSession
from engine import Engine
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Point
from engine.domain.imports import ImportFile, ImportOptions
from engine.domain.queries import (
    BeaconQuery,
    EventFilter,
    EventQuery,
    GeofenceQuery,
    NearbyQuery,
    NearbyUserQuery,
    UserFilter,
    UserQuery,
)
from engine.domain.settings import SettingsChange
from engine.domain.tracking.explaining import ReplayQuery
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values import replace
from engine.geofences.imports.exporting import ExportFormat
from engine.geofences.promotion.promotions import PromotionQuery

TEST, LIVE = Environment.TEST, Environment.LIVE
CENTER = Point(9.5, 47.1)
HEADER = "description,type,tag,externalId,coordinates,radius\n"
BEACONS = "type,description,tag,externalId,uuid,major,minor,latitude,longitude\n"
UUID = "b9407f30-f5f8-466e-aff9-25556b57fe6d"
MOST: Final = 5.0
TIMES: Final = 4
START = datetime(2026, 5, 1, tzinfo=UTC)

type Work = Callable[[], object]
type Operation = Callable[[WorkspaceSession, int], Work]
"""Fills a workspace with data of a size, and returns the work to measure."""


def circles(count: int, radius_m: float = 300, *, spread: bool = False) -> ImportFile:
    """Return a file of circles in one place, or spread over a country."""
    chance, reach = Random(1), 0.5 if spread else 1e-4

    def row(number: int) -> str:
        x, y = (middle + chance.uniform(-reach, reach) for middle in (CENTER.longitude, CENTER.latitude))
        return f'S {number},circle,store,{number},"[{x:.6f},{y:.6f}]",{radius_m}\n'

    return ImportFile((HEADER + "".join(map(row, range(count)))).encode(), "stores.csv")


def polygons(count: int) -> ImportFile:
    """Return a file of polygons in one place."""
    rows = (f'S {number},polygon,store,{number},"{_ring(number)}",\n' for number in range(count))
    return ImportFile((HEADER + "".join(rows)).encode(), "stores.csv")


def _ring(number: int) -> list[list[float]]:
    size = 0.002 + number * 1e-8
    turns = [pi * corner / 4 for corner in (*range(8), 0)]
    return [[CENTER.longitude + size * cos(turn), CENTER.latitude + size * sin(turn)] for turn in turns]


def beacons(count: int) -> bytes:
    """Return a table of beacons in one place."""
    rows = (f"ibeacon,B {each},door,{each},{UUID},{each // 60_000},{each % 60_000},47.1,9.5\n" for each in range(count))
    return (BEACONS + "".join(rows)).encode()


def at(device: str, point: Point = CENTER, moment: datetime | None = None) -> LocationUpdate:
    """Return a location update."""
    return LocationUpdate(device_id=device, point=point, accuracy_m=5, at=moment)


def east(number: int) -> Point:
    """Return a position that alternates between the inside and the outside of the geofences at the centre."""
    return Point(CENTER.longitude + 0.02 * (number % 2), CENTER.latitude)


def filled(engine: Engine, count: int, *, spread: bool = False) -> None:
    """Store this many geofences."""
    engine.imports.run(TEST, circles(count, spread=spread))


def crowd(engine: Engine, count: int) -> None:
    """Let this many users report from one place."""
    for number in range(count):
        engine.tracking.track(TEST, at(f"phone {number}"))


def coming_and_going(engine: Engine, count: int) -> None:
    """Let one user report this many times, with an event each time."""
    filled(engine, 1)
    for number in range(count):
        engine.tracking.track(TEST, at("phone", east(number), START + timedelta(minutes=number)))


# Imports


def import_circles(session: WorkspaceSession, count: int) -> Work:
    """Import circles that are spread out."""
    return partial(session.engine.imports.run, TEST, circles(count, spread=True))


def import_at_one_place(session: WorkspaceSession, count: int) -> Work:
    """Import circles in one place."""
    return partial(session.engine.imports.run, TEST, circles(count))


def import_polygons(session: WorkspaceSession, count: int) -> Work:
    """Import polygons in one place."""
    return partial(session.engine.imports.run, TEST, polygons(count))


def import_again(session: WorkspaceSession, count: int) -> Work:
    """Import a file that changes nothing."""
    filled(session.engine, count)
    return partial(session.engine.imports.run, TEST, circles(count))


def import_changed(session: WorkspaceSession, count: int) -> Work:
    """Import a file that changes all geofences, with users inside."""
    filled(session.engine, count)
    crowd(session.engine, 3)
    return partial(session.engine.imports.run, TEST, circles(count, 301))


def import_bad(session: WorkspaceSession, count: int) -> Work:
    """Import a file in which all rows are invalid."""
    return partial(session.engine.imports.run, TEST, circles(count, -1), ImportOptions(keep_good_rows=True))


def import_one(session: WorkspaceSession, count: int) -> Work:
    """Import one geofence into a workspace with many."""
    filled(session.engine, count)
    return partial(session.engine.imports.run, TEST, circles(1, 301))


def import_beacons(session: WorkspaceSession, count: int) -> Work:
    """Import beacons in one place."""
    return partial(session.engine.beacons.import_csv, TEST, beacons(count))


def imported_from(format: ExportFormat, session: WorkspaceSession, count: int) -> Work:
    """Import an exported file into the other environment."""
    filled(session.engine, count)
    file = ImportFile(session.engine.imports.export(TEST, format), f"stores.{format}")
    return partial(session.engine.imports.run, LIVE, file)


def preview(session: WorkspaceSession, count: int) -> Work:
    """Preview an import."""
    filled(session.engine, count)
    return partial(session.engine.imports.preview, TEST, circles(count, 301))


def undo(session: WorkspaceSession, count: int) -> Work:
    """Undo an import."""
    filled(session.engine, count)
    done = session.engine.imports.run(TEST, circles(count, 301))
    return partial(session.engine.imports.undo, TEST, done.record.id)


# Geofences


def exported(format: ExportFormat, session: WorkspaceSession, count: int) -> Work:
    """Export all geofences."""
    filled(session.engine, count)
    return partial(session.engine.imports.export, TEST, format)


def list_pages(session: WorkspaceSession, count: int) -> Work:
    """List the newest of many geofences, and geofences with a tag and an external ID."""
    filled(session.engine, count)

    def work() -> None:
        session.engine.geofences.page(TEST, GeofenceQuery(limit=100))
        session.engine.geofences.page(TEST, GeofenceQuery(tag="store", external_id="7"))

    return work


def list_by_metadata(session: WorkspaceSession, count: int) -> Work:
    """Search for metadata that no geofence has."""
    filled(session.engine, count)
    return partial(session.engine.geofences.page, TEST, GeofenceQuery(metadata={"none": 1}))


def search(session: WorkspaceSession, count: int) -> Work:
    """Search for the nearest geofences in one place."""
    filled(session.engine, count)
    return partial(session.engine.geofences.nearby, TEST, NearbyQuery(near=CENTER, limit=100))


def create_one(session: WorkspaceSession, count: int) -> Work:
    """Create a geofence in a workspace with many."""
    filled(session.engine, count)
    change = GeofenceChange(tag="a", external_id="b", type="circle", coordinates=(9.5, 47.1), size=99)
    return partial(session.engine.geofences.create, TEST, replace(change, description="c"))


def bulk_edit(session: WorkspaceSession, count: int) -> Work:
    """Disable all geofences."""
    filled(session.engine, count)
    wanted = [replace(each, enabled=False) for each in session.engine.geofences.all(TEST)]
    return partial(session.engine.geofences.put_all, TEST, wanted, ())


def delete_many(session: WorkspaceSession, count: int) -> Work:
    """Delete all geofences, with users inside."""
    filled(session.engine, count)
    crowd(session.engine, 3)
    return partial(session.engine.geofences.delete_all, TEST)


def delete_by_one(session: WorkspaceSession, count: int) -> Work:
    """Delete a hundred of many geofences in one place, one after the other."""
    filled(session.engine, count)
    some = session.engine.geofences.all(TEST)[:100]
    return partial(_for_each, some, lambda fence: session.engine.geofences.delete(TEST, fence.id))


def _for_each(geofences: Sequence[Geofence], work: Callable[[Geofence], object]) -> None:
    for geofence in geofences:
        work(geofence)


def history(session: WorkspaceSession, count: int) -> Work:
    """Read the history of deleted geofences, and of one of them."""
    filled(session.engine, count)
    first = session.engine.geofences.all(TEST)[0].id
    session.engine.geofences.delete_all(TEST)

    def work() -> None:
        session.engine.geofence_history.deleted(TEST, "none")
        session.engine.geofence_history.page(TEST, first)

    return work


def check(session: WorkspaceSession, count: int) -> Work:
    """Check geofences that are spread out; in one place all would overlap, and each pair would be reported."""
    filled(session.engine, count, spread=True)
    return partial(session.engine.checks.run, TEST)


def promotion(session: WorkspaceSession, count: int) -> Work:
    """Plan a promotion and apply it as a change set."""
    filled(session.engine, count)

    def work() -> None:
        plan = plan_promotion(session.engine, PromotionQuery())
        apply_change_set(session.engine, orjson.dumps(plan["changeSet"]))

    return work


def snapshot(session: WorkspaceSession, count: int) -> Work:
    """Write a snapshot of geofences and users."""
    filled(session.engine, count, spread=True)
    crowd(session.engine, count // 4)
    return lambda: orjson.dumps(encode_snapshot(session.engine.seeding.snapshot()))


def opening(session: WorkspaceSession, count: int) -> Work:
    """Open a workspace."""
    filled(session.engine, count)
    folder = session.engine.workspace.folder
    session.close()

    def work() -> None:
        with Engine.open(folder):
            pass

    return work


# Updates


def enter_all(session: WorkspaceSession, count: int) -> Work:
    """Enter all geofences in one place."""
    filled(session.engine, count)
    return partial(session.engine.tracking.track, TEST, at("phone"))


def stay_inside(session: WorkspaceSession, count: int) -> Work:
    """Stay inside all geofences in one place."""
    filled(session.engine, count)
    session.engine.tracking.track(TEST, at("phone"))
    return partial(session.engine.tracking.track, TEST, at("phone"))


def leave_all(session: WorkspaceSession, count: int) -> Work:
    """Leave all geofences in one place."""
    filled(session.engine, count)
    session.engine.tracking.track(TEST, at("phone"))
    return partial(session.engine.tracking.track, TEST, at("phone", Point(9.6, 47.1)))


def explain(session: WorkspaceSession, count: int) -> Work:
    """Explain an update near all geofences in one place."""
    filled(session.engine, count)
    return partial(session.engine.tracking.track, TEST, replace(at("phone"), explain=True))


def far_update(session: WorkspaceSession, count: int) -> Work:
    """Send a hundred updates from far away."""
    filled(session.engine, count)
    points = (Point(9 + number / 1_000, 46) for number in range(100))
    return lambda: [session.engine.tracking.track(TEST, at("phone", point)) for point in points]


def fixes(session: WorkspaceSession, count: int) -> Work:
    """Send this many updates, each with an event."""
    return partial(coming_and_going, session.engine, count)


def late_fixes(session: WorkspaceSession, count: int) -> Work:
    """Send this many updates in reverse order."""
    moments = [START + timedelta(minutes=count - number) for number in range(count)]
    return lambda: [session.engine.tracking.track(TEST, at("phone", CENTER, moment)) for moment in moments]


def users(session: WorkspaceSession, count: int) -> Work:
    """Send updates of this many users."""
    return partial(crowd, session.engine, count)


def replay(session: WorkspaceSession, count: int) -> Work:
    """Replay this many kept updates with other settings."""
    session.engine.settings.change(TEST, SettingsChange(kept_updates=100_000))
    coming_and_going(session.engine, count)
    return partial(session.engine.tracking.replay, TEST, ReplayQuery(device_ids=("phone",)))


# Stored records


def list_events(session: WorkspaceSession, count: int) -> Work:
    """List the newest events of a user, and the newest events of a tag."""
    coming_and_going(session.engine, count)

    def work() -> None:
        session.engine.history.page(TEST, EventQuery(device_id="phone", limit=100))
        session.engine.history.page(TEST, EventQuery(tags=frozenset({"none"}), limit=100))

    return work


def all_events(session: WorkspaceSession, count: int) -> Work:
    """Read all events, as an export does."""
    coming_and_going(session.engine, count)
    return lambda: sum(map(len, session.engine.history.all(TEST, EventFilter())))


def list_users(session: WorkspaceSession, count: int) -> Work:
    """List the newest users, and search for nearby users."""
    crowd(session.engine, count)

    def work() -> None:
        session.engine.users.page(TEST, UserQuery(limit=100))
        session.engine.users.nearby(TEST, NearbyUserQuery(near=CENTER, limit=100))

    return work


def all_users(session: WorkspaceSession, count: int) -> Work:
    """Read all users, as an export does."""
    crowd(session.engine, count)
    return lambda: sum(map(len, session.engine.users.all(TEST, UserFilter())))


def clear(session: WorkspaceSession, count: int) -> Work:
    """Delete all users and events of Test."""
    crowd(session.engine, count)
    return session.engine.history.clear_test_data


def list_beacons(session: WorkspaceSession, count: int) -> Work:
    """List beacons, and search for the nearest in one place."""
    session.engine.beacons.import_csv(TEST, beacons(count))

    def work() -> None:
        session.engine.beacons.page(TEST, BeaconQuery(limit=100))
        session.engine.beacons.nearby(TEST, NearbyQuery(near=CENTER, limit=100))

    return work


def delete_beacons(session: WorkspaceSession, count: int) -> Work:
    """Delete all beacons."""
    session.engine.beacons.import_csv(TEST, beacons(count))
    return partial(session.engine.beacons.delete_all, TEST)


def request_log(query: str, session: WorkspaceSession, count: int) -> Work:
    """Search for requests in the log."""
    url = session.start_endpoint()
    key = session.engine.workspace.keys.value(TEST, KeyLevel.SECRET)
    client = httpx.Client(base_url=url, headers={"Authorization": key}, trust_env=False, timeout=60)
    for number in range(count):
        client.post("/v1/track", json={"deviceId": f"phone {number}", "latitude": 47, "longitude": 9, "accuracy": 5})
    return lambda: client.get(f"/v1/requests?{query}").raise_for_status()


OPERATIONS: Final[dict[str, Operation]] = {
    each.__name__.replace("_", " "): each
    for each in (
        *(import_circles, import_at_one_place, import_polygons, import_again, import_changed, import_bad, import_one),
        *(import_beacons, preview, undo, list_pages, list_by_metadata, search, create_one, bulk_edit, delete_many),
        *(delete_by_one, history, check, promotion, snapshot, opening, enter_all, stay_inside, leave_all, explain),
        *(far_update, fixes, late_fixes, users, replay, list_events, all_events, list_users, all_users, clear),
        *(list_beacons, delete_beacons),
    )
}
OPERATIONS.update({f"import {format}": partial(imported_from, format) for format in ExportFormat})
OPERATIONS.update({f"export {format}": partial(exported, format) for format in ExportFormat})
QUERIES = ("limit=100", "path=/v1/none", "deviceId=none", "method=PUT", "status=500")
OPERATIONS.update({f"request log {query}": partial(request_log, query) for query in QUERIES})


@dataclass
class Grown:
    """The least processor time of an operation at each size, in milliseconds."""

    small_ms: float = float("inf")
    large_ms: float = float("inf")

    @property
    def ratio(self) -> float:
        """Ratio of the time with four times the data to the time with the data."""
        return self.large_ms / self.small_ms


def cpu_ms(operation: Operation, count: int) -> float:
    """Return the processor time of an operation in a new workspace of a given size."""
    with tempfile.TemporaryDirectory() as folder, WorkspaceSession(Path(folder) / "workspace", port=0) as session:
        work = operation(session, count)
        gc.collect()
        began = process_time()
        work()
        return (process_time() - began) * 1e3


def grown(operation: Operation, size: int, turns: int) -> Grown:
    """Measure an operation at both sizes, alternating."""
    found = Grown()
    for _ in range(turns):
        found.small_ms = min(found.small_ms, cpu_ms(operation, size))
        found.large_ms = min(found.large_ms, cpu_ms(operation, TIMES * size))
    return found


def wanted(names: Sequence[str]) -> Iterator[str]:
    """Yield the operations whose names contain one of the words, or all operations."""
    yield from (each for each in OPERATIONS if not names or any(name in each for name in names))


def main() -> None:
    """Print the growth of each operation."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1_000)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=())
    given = parser.parse_args()
    cpu_ms(OPERATIONS["import circles"], 10)  # loads modules
    print(f"  {'operation':<28} {given.size:>9,} {TIMES * given.size:>9,} {'ratio':>7}")
    for name in wanted(given.only):
        found = grown(OPERATIONS[name], given.size, given.turns)
        mark = "  <" if found.ratio > MOST else ""
        print(f"  {name:<28} {found.small_ms:>9.1f} {found.large_ms:>9.1f} {found.ratio:>7.1f}{mark}", flush=True)


if __name__ == "__main__":
    main()
