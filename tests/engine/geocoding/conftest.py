"""The world pack and the gazetteers of real extracts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.gazetteer.reader import Gazetteer
from engine.geocoding.geocoding import WORLD
from engine.geocoding.world import World
from tests.engine.areas.gazetteers import real_gazetteer
from tests.shared import SharedData


@pytest.fixture(scope="session")
def pack() -> Path:
    """The folder of the world pack."""
    if not (WORLD / "world.sqlite").is_file():
        pytest.skip("the world pack was not built: the set-up had no network or no npm")
    return WORLD


@pytest.fixture(scope="session")
def world(pack: Path) -> Iterator[World]:
    """The world pack, open."""
    gazetteer = Gazetteer(pack / "world.sqlite")
    yield World(gazetteer)
    gazetteer.close()


@pytest.fixture(scope="session")
def state_college_file(shared_data: SharedData, pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gazetteer of State College, Pennsylvania."""
    return real_gazetteer(shared_data, tmp_path_factory, "state-college", pack / "world.sqlite")


@pytest.fixture(scope="session")
def manhattan_file(shared_data: SharedData, pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gazetteer of lower Manhattan, with a piece of Brooklyn."""
    return real_gazetteer(shared_data, tmp_path_factory, "nyc-lower", pack / "world.sqlite")


@pytest.fixture(scope="session")
def liechtenstein_file(shared_data: SharedData, pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gazetteer of Liechtenstein."""
    return real_gazetteer(shared_data, tmp_path_factory, "liechtenstein", pack / "world.sqlite")


@pytest.fixture
def state_college(state_college_file: Path) -> Iterator[Gazetteer]:
    """The gazetteer of State College, open."""
    gazetteer = Gazetteer(state_college_file)
    yield gazetteer
    gazetteer.close()


@pytest.fixture
def manhattan(manhattan_file: Path) -> Iterator[Gazetteer]:
    """The gazetteer of lower Manhattan, open."""
    gazetteer = Gazetteer(manhattan_file)
    yield gazetteer
    gazetteer.close()
