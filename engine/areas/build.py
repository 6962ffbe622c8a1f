"""Build of an area; run as a worker process, ``python -m engine.areas.build``."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from engine import bundled
from engine.areas.basemap import draw_tiles, write_features
from engine.areas.borders import UNPACKED
from engine.areas.builder import TOTAL
from engine.areas.ends import find_ends, write_ends
from engine.areas.extract import bounds_of, check_extract, not_an_extract, order_extract, tag_borders
from engine.areas.folder import OUTDATED, SOURCE, new_area, read_area, write_manifest
from engine.areas.gazetteer.build import build_gazetteer
from engine.areas.roads import build_roads, tiles_of
from engine.areas.ways import divide_ways
from engine.areas.worker import run_worker
from engine.domain.area import Bounds
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Progress

__all__ = ["build_area", "build_roads", "main"]

_READ, _PREPARED, _ROADS = 2, 12, 35
"""Progress in per cent when the extract is read, when it is prepared, and when its roads are built.

The features of the map are written while the roads are built. Tiles and gazetteer are then made at the same time.
"""

_SLIGHTLY: Final = 0.3
"""Tolerance for bounds that are too wide, in degrees; an area knows localities this far around it anyway."""

WORLD: Final = bundled.WORLD.folder() / bundled.WORLD_FILE
"""The world pack, if `fencewright setup` could build it."""


def build_area(
    file: Path, areas: Path, name: str, *, source: str, replace: bool, link: bool, progress: Progress
) -> None:
    """Build the area `name` below `areas` from an extract, and keep a copy of it, or with `link` the file itself.

    Raises `InvalidParameter` ``file``, `Conflict` ``name``, `BuildFailed`.
    """
    check_extract(file)
    with new_area(areas, name, replace=replace) as folder:
        work = folder / "work"
        work.mkdir()
        kept = folder / SOURCE
        _keep(file, kept, link=link)
        try:
            ordered = order_extract(file, work)
            bounds = bounds_of(ordered, work)
            progress(_READ, TOTAL)
            prepared = divided = tag_borders(ordered, work)
            if bounds is not None and bounds[2] > 180:
                divided = divide_ways(prepared, work / "divided.osm.pbf", UNPACKED)
        except RuntimeError as error:
            raise not_an_extract(file, error) from error
        if bounds is None:
            raise InvalidParameter("file", f"{file} contains no positions.")
        progress(_PREPARED, TOTAL)
        # Two tasks run at a time, one of them in external programs: two in Python would wait for each other.
        listed, routable = _both(_part(progress, _PREPARED, _ROADS))
        with _alongside(tiles_of, prepared, folder, work, routable):
            features = write_features(divided, bounds, work, listed)
            write_ends(folder, find_ends(prepared))
        found, drawn = _both(_part(progress, _ROADS, TOTAL - 1))
        with _alongside(draw_tiles, features, folder, work, name, drawn):
            build_gazetteer(divided, bounds, folder, name, WORLD, found)
        shutil.rmtree(work)
        write_manifest(folder, bounds=bounds, built_at=datetime.now(UTC), source=source)


def measure_area(folder: Path) -> None:
    """Find the ends of an area's roads, and correct its bounds if they were taken from its extract's header.

    If these extended far beyond the extract, the gazetteer and the map are wrong too, and the area must be rebuilt.
    """
    area, source = read_area(folder), folder / SOURCE
    if area is None:
        return
    with tempfile.TemporaryDirectory() as work:
        ordered = order_extract(source, Path(work))
        write_ends(folder, find_ends(ordered))
        bounds = None if area.measured else bounds_of(ordered)
    if bounds is not None:
        form = area.format if _is_about(bounds, area.bounds) else OUTDATED
        write_manifest(folder, bounds=bounds, built_at=area.built_at, source=area.source, format=form)


def _is_about(bounds: Bounds, believed: Bounds) -> bool:
    """Return whether the assumed bounds exceed the true ones slightly, in degrees or relative to the area's size."""
    west, south, east, north = bounds
    wide, high = (max(_SLIGHTLY, side / 4) for side in (east - west, north - south))
    return max(west - believed[0], believed[2] - east) <= wide and max(south - believed[1], believed[3] - north) <= high


@contextmanager
def _alongside[**Parameters](
    work: Callable[Parameters, object], *arguments: Parameters.args, **options: Parameters.kwargs
) -> Iterator[None]:
    """Run work that uses external programs in a thread during the block, and raise its error at the end."""
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(work, *arguments, **options)
        yield
        done.result()


def _keep(file: Path, kept: Path, *, link: bool) -> None:
    if link:
        kept.hardlink_to(file)
    else:
        shutil.copyfile(file, kept)


def _part(progress: Progress, start: int, end: int) -> Progress:
    """Return a progress callback for the part of the work between two percentages."""
    return lambda done, total: progress(start + (end - start) * done // max(total, 1), TOTAL)


def _both(progress: Progress) -> tuple[Progress, Progress]:
    """Return callbacks for two halves of the work that run at the same time."""
    shares = [0.0, 0.0]

    def callback_for(half: int) -> Progress:
        def report(done: int, total: int) -> None:
            shares[half] = done / max(total, 1)
            progress(int(50 * sum(shares)), 100)

        return report

    return callback_for(0), callback_for(1)


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="engine.areas.build")
    parser.add_argument("file", type=Path)
    parser.add_argument("areas", type=Path)
    parser.add_argument("name")
    parser.add_argument("--source", required=True)
    parser.add_argument("--replace", action="store_true")
    parser.add_argument("--link", action="store_true")
    parser.add_argument("--measure", action="store_true", help="only put right the bounds of the area that is there")
    return parser.parse_args(argv)


def main(argv: Sequence[str]) -> int:
    """Run the build described by the arguments."""
    arguments = vars(_arguments(argv))
    measure = arguments.pop("measure")

    def build(progress: Progress) -> None:
        if measure:
            measure_area(arguments["areas"] / arguments["name"])
        else:
            build_area(**arguments, progress=progress)

    return run_worker("The area", build)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
