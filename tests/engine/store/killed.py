"""Upgrades of workspaces of earlier versions that are killed midway, by one process that forks for each of them.

Usage: python -m tests.engine.store.killed FOLDER MOMENTS, which creates FOLDER/<version>-<moment> for each.
"""

import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from engine.domain.ports import no_progress
from engine.store.database import Database
from engine.store.migrations import steps
from engine.store.workspace import DATABASE
from tests.engine.store.earlier import EARLIER, make


def main(folder: Path, moments: int) -> None:
    """Kill the upgrade of each version at this many moments, spread over all its statements, and while copying."""
    # Called before forking, so that its time is only spent once.
    steps.schemas()
    for version in EARLIER:
        source = folder / version
        make(source, version)
        number = count_statements(source)
        for moment in spread(number, moments):
            kill(source, folder / f"{version}-{moment}", partial(trace, at(moment)))
        kill(source, folder / f"{version}-copying", lambda: None, in_copy=True)
        shutil.rmtree(source)


def spread(number: int, moments: int) -> Iterator[int]:
    """Yield moments from the first to the last statement."""
    yield from sorted({round(1 + each * (number - 1) / (moments - 1)) for each in range(moments)})


def count_statements(source: Path) -> int:
    """Return the number of statements run by opening a copy of a workspace."""
    other = source.with_name(f"{source.name}-counted")
    shutil.copytree(source, other)
    seen: list[str] = []
    trace(seen.append)
    Database(other / DATABASE).close()
    sa.event.remove(sa.Engine, "connect", _listeners.pop())
    shutil.rmtree(other)
    return len(seen)


def kill(source: Path, target: Path, prepare: Callable[[], None], *, in_copy: bool = False) -> None:
    """Upgrade a copy of a workspace in another process, which is killed."""
    shutil.copytree(source, target)
    child = os.fork()
    if child == 0:
        prepare()
        Database(target / DATABASE, die if in_copy else no_progress)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, (target, status)


def die(*_: object) -> None:
    """End this process like kill -9 or a power cut."""
    os.kill(os.getpid(), signal.SIGKILL)


def at(moment: int) -> Callable[[str], None]:
    """Return a callback for each statement, which kills the process before the given one runs."""
    left = moment

    def count(_statement: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            die()

    return count


_listeners: list[Callable[..., None]] = []


def trace(callback: Callable[[str], Any]) -> None:
    """Call a callback with each statement that SQLite is about to run."""

    def listen(connection: sqlite3.Connection, _record: object) -> None:
        connection.set_trace_callback(callback)

    _listeners.append(listen)
    sa.event.listen(sa.Engine, "connect", listen)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
