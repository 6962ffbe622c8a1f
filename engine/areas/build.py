"""Builds an area; run as a process of its own, ``python -m engine.areas.build``, that ends when its parent does.

It writes a line of JSON several times a second: ``{"done", "total"}``, and at last ``{"built": true}`` or
``{"error": {"kind", "param", "message"}}``.
"""

import argparse
import os
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import orjson

from engine.areas.basemap import build_basemap
from engine.areas.builder import TOTAL
from engine.areas.extract import bounds_of, check_extract, not_an_extract, prepare_extract
from engine.areas.folder import SOURCE, new_area, write_manifest
from engine.areas.gazetteer import build_gazetteer
from engine.areas.roads import build_roads, tiles_of
from engine.domain.area import Bounds
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.ports import Progress

__all__ = ["build_area", "build_roads", "main"]

_BEAT_S: Final = 0.2
_READ, _PREPARED, _FOUND, _ROADS = 5, 15, 30, 60
"""How much of the whole is done, in per cent, when the extract was read, prepared, has its gazetteer, and its roads."""

WORLD: Final = Path(__file__).parents[2] / "resources" / "world" / "world.sqlite"
"""What is known of the rest of the world, if the set-up could make it."""


def build_area(
    file: Path, areas: Path, name: str, *, source: str, replace: bool, link: bool, progress: Progress
) -> None:
    """Build the area `name` below `areas` from an extract, of which it keeps a copy, or with `link` the file itself.

    Raises `InvalidParameter` ``file``, `Conflict` ``name``, `BuildFailed`.
    """
    check_extract(file)
    with new_area(areas, name, replace=replace) as folder:
        work = folder / "work"
        work.mkdir()
        kept = folder / SOURCE
        _keep(file, kept, link=link)
        try:
            bounds = bounds_of(file)
            progress(_READ, TOTAL)
            prepared = prepare_extract(file, work)
        except RuntimeError as error:
            raise not_an_extract(file, error) from error
        if bounds is None:
            raise InvalidParameter("file", f"{file} holds nothing that has a position.")
        progress(_PREPARED, TOTAL)
        with _alongside(prepared, bounds, folder, name, _part(progress, _PREPARED, _FOUND)):
            tiles_of(prepared, folder, work, _part(progress, _FOUND, _ROADS))
        build_basemap(prepared, bounds, folder, work, name, _part(progress, _ROADS, TOTAL - 1))
        shutil.rmtree(work)
        write_manifest(folder, bounds=bounds, built_at=datetime.now(UTC), source=source)


@contextmanager
def _alongside(extract: Path, bounds: Bounds, folder: Path, name: str, progress: Progress) -> Iterator[None]:
    """Build the gazetteer while programs of their own build something else in the block."""
    with ThreadPoolExecutor(1) as pool:
        gazetteer = pool.submit(build_gazetteer, extract, bounds, folder, name, WORLD, progress)
        yield
        gazetteer.result()


def _keep(file: Path, kept: Path, *, link: bool) -> None:
    if link:
        kept.hardlink_to(file)
    else:
        shutil.copyfile(file, kept)


def _part(progress: Progress, start: int, end: int) -> Progress:
    """Return a callback for work that is the part of the whole between two percentages."""
    return lambda done, total: progress(start + (end - start) * done // max(total, 1), TOTAL)


class _Reporter:
    """Tells the parent several times a second how far the work is, so that it can be cancelled at any time."""

    def __init__(self) -> None:
        self._done = 0
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()

    def progress(self, done: int, _total: int) -> None:
        self._done = max(self._done, done)

    def end(self, message: dict[str, Any]) -> None:
        self._ended.set()
        self._thread.join()
        self._tell(message)

    def _beat(self) -> None:
        while not self._ended.wait(_BEAT_S):
            self._tell({"done": self._done, "total": TOTAL})

    def _tell(self, message: dict[str, Any]) -> None:
        with self._lock:
            sys.stdout.buffer.write(orjson.dumps(message) + b"\n")
            sys.stdout.buffer.flush()


def _end_with_parent() -> None:
    """End, with the programs that run for us, when standard input ends: the parent has gone."""
    while os.read(0, 1):
        pass
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="engine.areas.build")
    parser.add_argument("file", type=Path)
    parser.add_argument("areas", type=Path)
    parser.add_argument("name")
    parser.add_argument("--source", required=True)
    parser.add_argument("--replace", action="store_true")
    parser.add_argument("--link", action="store_true")
    return parser.parse_args(argv)


def main(argv: Sequence[str]) -> int:
    """Build what the arguments say."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    arguments = vars(_arguments(argv))
    reporter = _Reporter()
    try:
        build_area(**arguments, progress=reporter.progress)
    except FencewrightError as error:
        param = getattr(error, "param", None)
        reporter.end({"error": {"kind": type(error).__name__, "param": param, "message": error.message}})
        return 1
    except OSError as error:
        message = f"The area cannot be built: {error.strerror or error}."
        reporter.end({"error": {"kind": "BuildFailed", "param": None, "message": message}})
        return 1
    reporter.end({"built": True})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
