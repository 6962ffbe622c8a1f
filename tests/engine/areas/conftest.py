"""Fixtures shared by the tests of areas."""

from pathlib import Path

import pytest

from engine.areas.folder import read_area
from engine.domain.area import Area
from tests.real_areas import built_areas
from tests.small_town import town_extract, town_folder

__all__ = ["built_areas"]


@pytest.fixture(scope="session")
def town_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extract of a small town. Tests must not change it."""
    return town_extract(tmp_path_factory)


@pytest.fixture(scope="session")
def town_area(tmp_path_factory: pytest.TempPathFactory) -> Area:
    """The built area of the town. Tests must not change it."""
    area = read_area(town_folder(tmp_path_factory))
    assert area is not None
    return area
