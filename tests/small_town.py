"""The area of a small town, built once for all processes of a run."""

from pathlib import Path

import pytest

from engine.areas.library import AreaLibrary
from tests.built_once import built_once
from tests.engine.areas.extracts import town

_EXTRACT = "town-latest.osm.pbf"


def town_extract(factory: pytest.TempPathFactory) -> Path:
    """Return the town's extract, from which the area is built. Neither may be changed."""
    return _made(factory) / _EXTRACT


def town_workspace(factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a workspace with the area ``town``."""
    return _made(factory) / "workspace"


def town_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the area."""
    return town_workspace(factory) / "areas" / "town"


def _made(factory: pytest.TempPathFactory) -> Path:
    return built_once(factory, "town", _make)


def _make(folder: Path) -> None:
    AreaLibrary(folder / "workspace").build(town().write(folder / _EXTRACT))
