"""Edits of many records that are killed midway, by one process that forks at each of the moments.

Usage: python -m tests.engine.geofences.killed FOLDER, which creates FOLDER/<edit>-<moment> for each, and prints the
number of moments of each edit. A moment is before or after a commit.
"""

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.imports import ImportFile, ImportOptions, ImportQuery
from engine.engine import Engine
from engine.store.database import Database
from engine.store.staging import records, turns
from engine.store.writer import Writer

TEST: Final = Environment.TEST
KILLED: Final = 14
"""Number of times that each edit is killed."""

HEADER: Final = "description,type,tag,externalId,coordinates,radius\n"


def table(radius_m: int, numbers: range) -> bytes:
    """Return a file of circles at one place."""
    rows = (f'C {each},circle,store,{each},"[9.5,47.1]",{radius_m}\n' for each in numbers)
    return (HEADER + "".join(rows)).encode()


def create(engine: Engine) -> None:
    """Import a file of new geofences in addition to the existing ones."""
    engine.imports.run(TEST, ImportFile(table(50, range(30, 60)), "new.csv"))


def change(engine: Engine) -> None:
    """Import a file that creates, updates and deletes."""
    engine.imports.run(TEST, ImportFile(table(70, range(15, 45)), "changed.csv"), ImportOptions(delete_missing=True))


def undo(engine: Engine) -> None:
    """Undo the first import."""
    (first,) = engine.imports.page(TEST, ImportQuery()).items
    engine.imports.undo(TEST, first.id)


def delete(engine: Engine) -> None:
    """Delete all geofences."""
    engine.geofences.delete_all(TEST)


EDITS: Final = {"create": create, "change": change, "undo": undo, "delete": delete}


def in_small_portions() -> None:
    """Store even a few geofences in portions."""
    turns.FEW = 0  # type: ignore[misc]
    records.AT_ONCE = records.DROPPED_AT_ONCE = 10  # type: ignore[misc]


def at_each_moment(moment: Callable[[], None]) -> None:
    """Call `moment` before and after each commit of the writer from now on."""
    before_commit, note_commit = Database.before_commit, Writer._note_commit

    def before(database: Database, connection: sa.Connection) -> None:
        before_commit(database, connection)
        moment()

    def after(writer: Writer) -> None:
        note_commit(writer)
        moment()

    setattr(Database, "before_commit", before)  # noqa: B010 - these are methods
    setattr(Writer, "_note_commit", after)  # noqa: B010


def run(folder: Path, edit: Callable[[Engine], None], kill_at: int) -> int:
    """Run an edit of a workspace, and end this process at a moment; return the number of moments."""
    moments = 0

    def moment() -> None:
        nonlocal moments
        moments += 1
        if moments == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    with Engine.open(folder) as opened:
        at_each_moment(moment)
        edit(opened)
    return moments


def spread(moments: int) -> list[int]:
    """Return the moments at which an edit is killed: the first, the last, and some between."""
    return sorted({round(1 + each * (moments - 1) / (KILLED - 1)) for each in range(KILLED)})


def in_child(work: Callable[[], int]) -> int:
    """Run work in another process, and return its result: a small number, or minus the signal that ended it."""
    child = os.fork()
    if child == 0:
        os._exit(work())
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def begin(engine: Engine) -> None:
    """Create some geofences."""
    engine.imports.run(TEST, ImportFile(table(60, range(30)), "first.csv"))


def main(folder: Path, begin: Callable[[Engine], None], edits: Mapping[str, Callable[[Engine], None]]) -> None:
    """Kill each edit at each of its moments, in a workspace prepared by `begin`."""
    source, moments = folder / "source", {}
    in_small_portions()
    in_child(partial(run, source, begin, 0))
    for name, edit in edits.items():
        whole = folder / f"{name}-0"
        shutil.copytree(source, whole)
        moments[name] = in_child(partial(run, whole, edit, 0))
        for kill_at in spread(moments[name]):
            copy = folder / f"{name}-{kill_at}"
            shutil.copytree(source, copy)
            assert in_child(partial(run, copy, edit, kill_at)) == -signal.SIGKILL
    shutil.rmtree(source)
    print(json.dumps(moments))


if __name__ == "__main__":
    main(Path(sys.argv[1]), begin, EDITS)
