"""Acknowledged updates are stored: the server is killed during concurrent writes, and none is missing."""

import os
import signal
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from threading import Lock

import httpx
import pytest

from engine.domain.environment import Environment
from engine.domain.queries import EventQuery, UserQuery
from engine.engine import Engine
from engine.store.workspace import DATABASE
from tests.app.commands import written
from tests.app.program import TIMEOUT_S, Program, Serving

CLIENTS = 16
START = datetime(2026, 5, 1, tzinfo=UTC)
FENCE = 'description,type,tag,externalId,coordinates,radius\nHome,circle,home,1,"[14.5,45.5]",100\n'


@dataclass
class Acknowledged:
    """The responses to one device: the time of its last update, and its events."""

    device: str
    last: datetime | None = None
    events: set[str] = field(default_factory=set)


class Killer:
    """Kills the server without warning after a number of responses."""

    def __init__(self, server: Serving, after: int) -> None:
        self._pid = server.process.pid
        self._left = after
        self._lock = Lock()

    def count(self) -> None:
        """Count a response."""
        with self._lock:
            self._left -= 1
            if self._left == 0:
                os.kill(self._pid, signal.SIGKILL)


def _write_until_killed(server: Serving, device: str, killer: Killer) -> Acknowledged:
    record = Acknowledged(device)
    headers = {"Authorization": server.key(level="publishable")}
    with httpx.Client(base_url=server.url, headers=headers, trust_env=False) as client:
        for number in range(100_000):
            at = START + timedelta(seconds=number)
            # Alternate between inside and outside the geofence, so that every update has an event.
            body = {
                "deviceId": device,
                "latitude": 45.5 + 0.1 * (number % 2),
                "longitude": 14.5,
                "accuracy": 5,
                "updatedAt": at.isoformat(),
                "replayed": True,
            }
            try:
                answer = client.post("/v1/track", json=body)
            except httpx.HTTPError:
                return record
            assert answer.status_code == 200, answer.text
            record.last = at
            record.events |= {event["_id"] for event in answer.json()["events"]}
            killer.count()
    raise AssertionError("the server was not killed")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_no_acknowledged_update_is_lost(tmp_path: Path, seed: int) -> None:
    program = Program(tmp_path / "home")
    workspace = tmp_path / "workspace"
    assert program.run("import", written(tmp_path / "f.csv", FENCE), "--workspace", workspace).code == 0
    with program.serve(workspace) as server:
        killer = Killer(server, after=Random(seed).randint(300, 1500))
        with ThreadPoolExecutor(CLIENTS) as pool:
            devices = [f"device {number}" for number in range(CLIENTS)]
            acknowledged = list(pool.map(lambda device: _write_until_killed(server, device, killer), devices))
        server.process.communicate(timeout=TIMEOUT_S)
    assert server.process.returncode == -signal.SIGKILL
    assert sum(len(record.events) for record in acknowledged) >= 300
    with closing(sqlite3.connect(workspace / DATABASE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
    with Engine.open(workspace) as engine:
        for record in acknowledged:
            _check_stored(engine, record)


def _check_stored(engine: Engine, record: Acknowledged) -> None:
    if record.last is None:
        return
    (user,) = engine.users.page(Environment.TEST, UserQuery(device_id=record.device)).items
    assert user.updated_at in (record.last, record.last + timedelta(seconds=1))
    page = engine.history.page(Environment.TEST, EventQuery(device_id=record.device, limit=1000))
    stored = {event.id for event in page.items}
    # One more may have been stored whose response did not arrive.
    assert record.events <= stored
    assert len(stored) - len(record.events) in (0, 1)
