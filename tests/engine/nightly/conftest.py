"""A workspace and a file server to sync from, with their common fixtures."""

from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import pytest

from engine.domain.environment import Environment
from engine.domain.nightly.settings import SyncChange
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.engine.nightly.servers import Files, files

TEST, LIVE = Environment.TEST, Environment.LIVE


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Engine.open(tmp_path / "workspace") as engine:
        engine.settings.change(TEST, SettingsChange(allow_private_urls=True))
        yield engine


@pytest.fixture
def served() -> Iterator[Files]:
    with files() as served:
        yield served


def names(engine: Engine, environment: Environment = TEST) -> set[str]:
    return {geofence.external_id for geofence in engine.geofences.all(environment)}


def until(condition: Callable[[], bool]) -> None:
    deadline = monotonic() + 60
    while not condition():
        assert monotonic() < deadline, "it does not happen"
        sleep(0.02)


def set_urls(engine: Engine, served: Files, *paths: str, **others: object) -> None:
    engine.nightly.change(TEST, SyncChange(urls=tuple(map(served.url, paths)), **others))  # type: ignore[arg-type]
