"""Areas for routing: the made-up town, and real extracts if available. Each is built once and kept."""

import shutil
import tempfile
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from uuid import uuid4

import pytest
from filelock import FileLock

from engine.areas.extract import bounds_of
from engine.areas.folder import ROADS
from engine.areas.roads import build_roads
from engine.domain.area import Area, Bounds
from tests.built_once import built_once
from tests.drawn import extract_or_drawn
from tests.engine.routing.town import write_border, write_road, write_town
from tests.shared import SharedData

KEPT = Path(tempfile.gettempdir()) / "fencewright-test-areas"
TOWN_BOUNDS: Bounds = (9.95, 49.97, 10.05, 50.01)


def town_area(factory: pytest.TempPathFactory) -> Area:
    """Return the made-up town, built once for all processes of this run."""
    built = built_once(factory, "town-roads", lambda folder: build_roads(write_town(folder), folder / "built"))
    return _area("town", built / "built" / ROADS, TOWN_BOUNDS)


def border_area(folder: Path) -> Area:
    """Build the roads through and around a small country."""
    return _area("border", build_roads(write_border(folder), folder / "built"), TOWN_BOUNDS)


def road_area(folder: Path, name: str, start: int, end: int) -> Area:
    """Build a straight road between two distances in metres east of the town's centre, with the town's bounds."""
    folder.mkdir()
    return _area(name, build_roads(write_road(folder, start, end, 300), folder / "built"), TOWN_BOUNDS)


def real_area(shared_data: SharedData, factory: pytest.TempPathFactory, name: str) -> Area:
    """Return the area of a real or drawn extract; skip the test if neither exists."""
    extract = extract_or_drawn(shared_data, factory, name)
    if shared_data.find_extract(name) is not None:
        return kept_area(name, extract)
    built = built_once(factory, f"drawn-{name}-roads", lambda folder: build_roads(extract, folder / "built"))
    bounds = bounds_of(extract)
    assert bounds is not None
    return _area(name, built / "built" / ROADS, bounds)


@cache
def kept_area(name: str, file: Path) -> Area:
    """Return the area of an extract, built now or in an earlier run."""
    stamp = f"{name}-{file.stat().st_size}-{int(file.stat().st_mtime)}-{version('pyvalhalla')}"
    kept = KEPT / f"{stamp}.tar"
    KEPT.mkdir(exist_ok=True)
    with FileLock(f"{kept}.lock"):
        if not kept.exists():
            work = KEPT / uuid4().hex
            build_roads(file, work).replace(kept)
            shutil.rmtree(work)
    bounds = bounds_of(file)
    assert bounds is not None
    return _area(name, kept, bounds)


def _area(name: str, roads: Path, bounds: Bounds) -> Area:
    return Area(
        name=name,
        folder=roads.parent,
        bounds=bounds,
        roads=roads,
        basemap=None,
        built_at=datetime.now(UTC),
        source=f"{name}.osm.pbf",
        format=1,
    )
