"""Fixtures that the tests of areas share."""

from pathlib import Path

import pytest

from engine.areas.builder import run_build
from engine.areas.folder import read_area
from engine.domain.area import Area
from engine.domain.ports import no_progress
from tests.engine.areas.extracts import town
from tests.real_areas import built_areas

__all__ = ["built_areas"]


@pytest.fixture(scope="session")
def town_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extract of a small town."""
    return town().write(tmp_path_factory.mktemp("extract") / "town-latest.osm.pbf")


@pytest.fixture(scope="session")
def town_area(town_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Area:
    """The town, built; not to be changed."""
    areas = tmp_path_factory.mktemp("areas")
    run_build(town_file, areas, "town", source=town_file.name, progress=no_progress)
    area = read_area(areas / "town")
    assert area is not None
    return area
