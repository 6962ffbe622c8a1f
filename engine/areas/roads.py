"""Valhalla tiles, the routing data of an area."""

import shutil
from pathlib import Path
from typing import Any

import orjson
import osmium
from osmium.filter import EntityFilter, KeyFilter

from engine.areas.extract import order_extract, prepare_extract, sort_extract
from engine.areas.folder import ROADS
from engine.areas.tools import BuildFailed, program, run_tool
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Progress, no_progress
from engine.processes import module_command

_STAGES = (
    "Parsing ways",
    "Parsing relations",
    "Parsing nodes",
    "Creating graph edges",
    "Building edge shapes",
    "tiles with",
    "Enhancing local graph",
    "HierarchyBuilder",
    "Creating shortcuts on level 1",
    "Creating shortcuts on level 0",
    "Adding complex turn restrictions at level 2",
    "Validating, finishing",
    "Cleaning up",
)
"""Log lines of Valhalla at the beginning of its longer steps, in order."""

_FIRST_IDS = 1_000
"""Number of node IDs that Valhalla initially allocates memory for; it grows as needed. The default takes 400 MB."""


def build_roads(pbf: Path, folder: Path, progress: Progress = no_progress) -> Path:
    """Build the tiles of an extract into a tar in `folder`, which is created, and return it.

    Raises `InvalidParameter` ``file`` for an extract without roads, `BuildFailed`.
    """
    work = folder / "roads"
    work.mkdir(parents=True)
    try:
        roads = tiles_of(prepare_extract(pbf, work), folder, work, progress)
    finally:
        shutil.rmtree(work)
    if roads is None:
        raise InvalidParameter("file", "file: the extract contains no roads.")
    return roads


def tiles_of(prepared: Path, folder: Path, work: Path, progress: Progress) -> Path | None:
    """Build the tiles of a prepared extract, or return None if it has no roads; `work` is for temporary files."""
    tiles = work / "tiles"
    tiles.mkdir()
    target = folder / ROADS
    file = work / "valhalla.json"
    file.write_bytes(orjson.dumps(_configuration(tiles, target, work / "admins.sqlite")))
    run_tool([program("valhalla", "valhalla_build_admins"), "-c", file, prepared])
    try:
        has_roads = _build_tiles(file, prepared, progress)
    except _Unsorted:  # although its header says that it is sorted
        shutil.rmtree(tiles)
        tiles.mkdir()
        resorted = sort_extract(prepared, work / "resorted.osm.pbf")
        has_roads = _build_tiles(file, order_extract(resorted, work), progress)
    if not has_roads:
        return None
    run_tool(module_command("valhalla.valhalla_build_extract", "-c", str(file), "-O"))
    return target


class _Unsorted(BuildFailed):
    """The extract is not sorted as its header claims."""

    def __init__(self) -> None:
        super().__init__("The objects of the extract cannot be sorted by type and ID.")


_UNSORTED = "unsorted input"
_NO_ROADS = "Finished with 0 routable ways"


def _build_tiles(configuration: Path, prepared: Path, progress: Progress) -> bool:
    """Build the tiles, and return whether there are any."""
    stage = 0
    trouble = ""

    def follow(line: str) -> None:
        nonlocal stage, trouble
        trouble = next((words for words in (_UNSORTED, _NO_ROADS) if words in line), trouble)
        begun = [number for number, words in enumerate(_STAGES, 1) if number > stage and words in line]
        if begun:
            stage = begun[0]
            progress(stage, len(_STAGES))

    try:
        run_tool([program("valhalla", "valhalla_build_tiles"), "-c", configuration, prepared], follow)
    except BuildFailed:
        if trouble == _UNSORTED:
            raise _Unsorted() from None
        # Valhalla crashes if it finds roads but no whole one, at the edge of an extract.
        if trouble == _NO_ROADS or not _has_whole_road(prepared):
            return False
        raise
    return trouble != _NO_ROADS


def _has_whole_road(prepared: Path) -> bool:
    roads: Any = osmium.FileProcessor(str(prepared)).with_locations()
    roads.with_filter(EntityFilter(osmium.osm.WAY)).with_filter(KeyFilter("highway", "route"))
    return any(len(way.nodes) > 1 and all(node.location.valid() for node in way.nodes) for way in roads)


def _configuration(tiles: Path, target: Path, admins: Path) -> dict[str, Any]:
    # Imported here because it loads the router itself, which listing areas does not need.
    from valhalla.config import get_config

    configuration: dict[str, Any] = orjson.loads(orjson.dumps(get_config(tile_extract="", tile_dir=tiles)))
    configuration["mjolnir"] |= {"tile_extract": str(target), "admin": str(admins), "timezone": ""}
    configuration["mjolnir"]["id_table_size"] = _FIRST_IDS
    configuration["logging"] = {"type": "std_out", "color": False}
    return configuration
