"""An open engine on a temporary workspace, with a frozen clock."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import Engine
from tests.engine.fixtures import SetClock


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def engine(tmp_path: Path, clock: SetClock) -> Iterator[Engine]:
    with Engine.open(tmp_path / "workspace", clock=clock) as opened:
        yield opened
