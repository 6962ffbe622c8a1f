"""Workspaces, and the endpoint of one, for sending examples through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from app.api.server.server import ApiServer
from app.api.wire.snapshot import encode_snapshot
from app.seeds import decode_seed, write_seed
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geofence import Geofence
from engine.domain.tracking.beacon import Beacon
from engine.domain.tracking.snapshots import KeptUser, Snapshot
from engine.domain.tracking.trips import Trip
from engine.domain.tracking.updates import Event, UserSummary
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.backup import put_back, put_records
from engine.store.queries import find_event
from engine.store.users import add_event
from engine.store.workspace import MEMORY

TEST = Environment.TEST


@contextmanager
def opened() -> Iterator[Engine]:
    """Open a temporary workspace."""
    with Engine.open(MEMORY) as engine:
        yield engine


@contextmanager
def reopened(
    *,
    geofences: Sequence[Geofence] = (),
    beacons: Sequence[Beacon] = (),
    trips: Sequence[Trip] = (),
    users: Sequence[KeptUser] = (),
) -> Iterator[Engine]:
    """Store records, close the workspace, and open it again."""
    with TemporaryDirectory() as folder:
        with Engine.open(Path(folder)) as engine:
            records = partial(put_records, changed=geofences, removed=(), beacons=beacons, removed_beacons=())
            engine._parts.writer.run(records)
            engine._parts.writer.run(lambda connection: put_back(connection, TEST, users, kept_trips=trips))
        with Engine.open(Path(folder)) as engine:
            yield engine


def in_events(**parts: Sequence[Any]) -> list[Any]:
    """Return the ``user``, ``geofence``, ``beacon`` or ``trip`` of stored events."""
    ((name, given),) = parts.items()
    user, moment = UserSummary("5" * 24, "phone"), datetime(2026, 3, 2, tzinfo=UTC)
    with opened() as engine:
        found = []
        for number, part in enumerate(given, 1):
            event = replace(Event(f"{number}" * 24, TEST, "user.entered", moment, moment, user), **{name: part})
            engine._parts.writer.run(partial(add_event, event=event))
            stored = engine._parts.database.read(partial(find_event, environment=TEST, event_id=event.id))
            found.append(getattr(stored, name))
        return found


def through_a_file(engine: Engine) -> Snapshot:
    """Return the contents of a workspace that was seeded with the snapshot of another."""
    file = write_seed(encode_snapshot(engine.seeding.snapshot()))
    with opened() as seeded:
        seeded.seeding.load(decode_seed(file))
        return seeded.seeding.snapshot()


def sent(engine: Engine, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Send a request to the endpoint of a workspace, and return the response."""
    headers = {"Authorization": engine.workspace.keys.value(TEST, KeyLevel.SECRET)}
    with ApiServer(engine, port=0) as server:
        answer = httpx.request(method, f"{server.url}{path}", headers=headers, json=body, timeout=30)
    assert answer.is_success, answer.text
    return answer.json()  # type: ignore[no-any-return]
