"""Time and memory for building an area: ``python -m tests.benchmarks.areas FILE… [--copies 2 6 24] [--stages]``.

With ``--copies``, each file is an extract made of that many shifted copies of it. With ``--stages``, the stages of the
build run one after the other in this process, and each is printed with its processor time for a megabyte.
"""

import argparse
import os
import resource
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from engine.areas.basemap import draw_tiles, write_features
from engine.areas.build import WORLD
from engine.areas.builder import run_build
from engine.areas.ends import find_ends, write_ends
from engine.areas.extract import bounds_of, order_extract, tag_borders
from engine.areas.folder import read_area
from engine.areas.gazetteer.build import build_gazetteer
from engine.areas.roads import tiles_of
from engine.domain.ports import no_progress
from tests.copied_extract import write_copies

_EVERY_S = 0.02


class _Peak:
    """The peak memory of all descendants of this process together, in bytes, by sampling."""

    def __init__(self) -> None:
        self.peak = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample)

    def __enter__(self) -> "_Peak":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._ended.wait(_EVERY_S):
            self.peak = max(self.peak, sum(map(_memory, _below(os.getpid()))))


def _below(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        threads = [path for path in Path(f"/proc/{pid}/task").iterdir() if path.name != str(pid)]
        for thread in threads:
            children += (thread / "children").read_text(encoding="ascii").split()
    except OSError:
        return []
    return [below for child in children for below in (int(child), *_below(int(child)))]


def _memory(pid: int) -> int:
    """Return the memory of a process, in which shared pages count proportionally."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def main() -> None:
    """Build each file in a temporary folder and print a line for it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--copies", nargs="+", type=int, default=[])
    parser.add_argument("--stages", action="store_true")
    options = parser.parse_args()
    build = _build_in_stages if options.stages else _build
    for file in options.files:
        for copies in options.copies:
            with tempfile.TemporaryDirectory() as folder:
                copied = Path(folder) / f"{copies}-{file.name}"
                write_copies(file, copied, copies)
                build(copied)
        if not options.copies:
            build(file)


def _build(file: Path) -> None:
    with tempfile.TemporaryDirectory() as areas:
        start, used = perf_counter(), _processor_s()
        with _Peak() as memory:
            run_build(file, Path(areas), "area", source=file.name, progress=no_progress)
        took, used = perf_counter() - start, _processor_s() - used
        area = read_area(Path(areas) / "area")
        assert area is not None
        sizes = f"{file.stat().st_size / 1e6:.1f} MB extract, {area.size_bytes / 1e6:.1f} MB area"
        times = f"{took:.1f} s, {used:.1f} s of processor time"
        print(f"{file.name}: {times}, {memory.peak / 1e6:.0f} MB, {sizes}", flush=True)


def _build_in_stages(file: Path) -> None:
    megabytes = file.stat().st_size / 1e6

    def measured[T](name: str, stage: Callable[[], T]) -> T:
        before = _processor_s() + _own_s()
        result = stage()
        used = _processor_s() + _own_s() - before
        print(f"  {name:22} {used:6.2f} s {used / megabytes:6.2f} s/MB", flush=True)
        return result

    with tempfile.TemporaryDirectory() as place:
        folder, work = Path(place) / "area", Path(place) / "work"
        folder.mkdir()
        work.mkdir()
        print(f"{file.name}: {megabytes:.1f} MB", flush=True)
        ordered = measured("order", lambda: order_extract(file, work))
        bounds = measured("bounds", lambda: bounds_of(ordered, work))
        assert bounds is not None
        prepared = measured("borders", lambda: tag_borders(ordered, work))
        measured("roads (Valhalla)", lambda: tiles_of(prepared, folder, work, no_progress))
        measured("ends of roads", lambda: write_ends(folder, find_ends(prepared)))
        features = measured("features of the map", lambda: write_features(prepared, bounds, work, no_progress))
        measured("tiles (tippecanoe)", lambda: draw_tiles(features, folder, work, "area", no_progress))
        measured("gazetteer", lambda: build_gazetteer(prepared, bounds, folder, "area", WORLD, no_progress))
        for made in sorted(folder.iterdir()):
            print(f"  {made.name:22} {made.stat().st_size / 1e6 / megabytes:.2f} times the extract", flush=True)


def _processor_s() -> float:
    """Return the processor time of the descendants of this process."""
    below = resource.getrusage(resource.RUSAGE_CHILDREN)
    return below.ru_utime + below.ru_stime


def _own_s() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime


if __name__ == "__main__":
    main()
