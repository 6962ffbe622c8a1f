"""The world pack and the gazetteers of real extracts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.gazetteer.reader import Gazetteer
from engine.geocoding.geocoding import WORLD
from engine.geocoding.world import World
from tests.engine.areas.extracts import SHARED
from tests.engine.areas.gazetteers import real_gazetteer


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


def _real(name: str, pack: Path, factory: pytest.TempPathFactory) -> Path:
    if not (SHARED / f"{name}.osm.pbf").is_file():
        pytest.skip("the shared extracts are not here")
    return real_gazetteer(factory, name, pack / "world.sqlite")


@pytest.fixture(scope="session")
def state_college_file(pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gazetteer of State College, Pennsylvania."""
    return _real("state-college", pack, tmp_path_factory)


@pytest.fixture(scope="session")
def manhattan_file(pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gazetteer of lower Manhattan, with a piece of Brooklyn."""
    return _real("nyc-lower", pack, tmp_path_factory)


@pytest.fixture(scope="session")
def liechtenstein_file(pack: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gazetteer of Liechtenstein."""
    return _real("liechtenstein", pack, tmp_path_factory)


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
