"""Edits of many beacons that are killed midway; see `tests.engine.geofences.killed`."""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from engine.domain.environment import Environment
from engine.engine import Engine
from tests.engine.fixtures import UUID
from tests.engine.geofences.killed import main

TEST: Final = Environment.TEST
HEADER: Final = "description,type,tag,externalId,uuid,major,minor,latitude,longitude,enabled\n"

type Rows = Iterator[tuple[int, int, bool]]
"""The number of each beacon (its external ID), the number that it sends, and whether it is enabled."""


def table(rows: Rows) -> bytes:
    """Return a file of beacons at one place."""
    lines = (f"B,ibeacon,door,{each},{UUID},1,{minor},47.1,9.5,{str(on).lower()}\n" for each, minor, on in rows)
    return (HEADER + "".join(lines)).encode()


def first() -> Rows:
    """Yield thirty beacons."""
    return ((each, each, True) for each in range(30))


def new() -> Rows:
    """Yield thirty other beacons."""
    return ((each, each, True) for each in range(30, 60))


def changed() -> Rows:
    """Yield some of the first beacons with exchanged signals, each with a beacon stored in another portion."""
    yield from ((each, each + 1_000, True) for each in range(30))
    yield from ((each, 29 - each, each % 3 > 0) for each in range(30))
    yield from ((each, each, True) for each in range(30, 45))


def imported(rows: Callable[[], Rows], engine: Engine) -> None:
    """Import a file."""
    report = engine.beacons.import_csv(TEST, table(rows()))
    assert not report.errors


def delete(engine: Engine) -> None:
    """Delete all beacons."""
    engine.beacons.delete_all(TEST)


EDITS: Final[Mapping[str, Callable[[Engine], None]]] = {
    "create": partial(imported, new),
    "change": partial(imported, changed),
    "delete": delete,
}

if __name__ == "__main__":
    main(Path(sys.argv[1]), partial(imported, first), EDITS)
