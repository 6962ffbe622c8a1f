"""Search for one of many users: ``python -m tests.benchmarks.users [--users 130000]``.

The users are around one city. Each line is the median of several queries at random positions, in milliseconds of
processor time, with the number of users that the last one found.
"""

import argparse
import random
import statistics
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from engine import Engine
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.queries import NearbyUserQuery
from engine.domain.tracking.updates import LocationUpdate, User
from engine.domain.values import replace
from engine.store.database import Database
from engine.store.users import insert_users
from engine.store.workspace import open_workspace

TURNS = 15
CENTER = Point(13.4, 52.5)
FAR = Point(20.0, 50.0)
RADII_M = (300, 1_000, 10_000, 100_000, 1_000_000)
TEST = Environment.TEST


def fill(folder: Path, count: int, rng: random.Random) -> None:
    """Store copies of a tracked user directly in the database, without the engine."""
    with Engine.open(folder) as engine:
        model = engine.tracking.track(TEST, LocationUpdate(device_id="model", point=CENTER, accuracy_m=10)).user
    workspace = open_workspace(folder)
    database = Database(workspace.database_file)
    with database.connect() as connection, connection.begin():
        insert_users(connection, list(_users(model, count, rng)))
    database.close()
    workspace.close()


def _users(model: User, count: int, rng: random.Random) -> Iterator[User]:
    for number in range(count):
        name = {"id": f"{number:024x}", "device_id": f"device-{number}", "user_id": f"user-{number}"}
        yield replace(model, **name, fix=replace(model.fix, point=_somewhere(rng)))  # type: ignore[arg-type]


def _somewhere(rng: random.Random) -> Point:
    return Point(rng.gauss(CENTER.longitude, 0.15), rng.gauss(CENTER.latitude, 0.1))


def report(name: str, ask: Callable[[], int]) -> None:
    """Print the median processor time of a query."""
    times = []
    for _ in range(TURNS):
        start = process_time()
        found = ask()
        times.append((process_time() - start) * 1_000)
    print(f"  {name:<24} {statistics.median(times):8.2f} ms  {found:5d} found", flush=True)


def main() -> None:
    """Fill a workspace and query it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=130_000)
    count, rng = parser.parse_args().users, random.Random(3)
    with tempfile.TemporaryDirectory() as folder:
        fill(Path(folder), count, rng)
        with Engine.open(Path(folder)) as engine:

            def near(point: Point, radius_m: float) -> int:
                return len(engine.users.nearby(TEST, NearbyUserQuery(near=point, radius_m=radius_m, limit=100)))

            print(f"{count:,} users")
            for radius_m in RADII_M:
                report(f"within {radius_m:,} m", lambda radius_m=radius_m: near(_somewhere(rng), radius_m))  # type: ignore[misc]
            report("nobody within 100 km", lambda: near(FAR, 100_000))
            for kind in ("user", "device"):
                key = f"{kind}-{rng.randrange(count)}"
                report(f"by {kind} ID", lambda key=key: bool(engine.users.get(TEST, key)))  # type: ignore[misc]


if __name__ == "__main__":
    main()
