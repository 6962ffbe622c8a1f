"""The export of many events: ``python -m tests.benchmarks.exports``.

Runs the command as users do: `fencewright export events`, in each format. The events are one real event, stored many
times with other identifiers and times. Another process stores them, because a new process inherits the reported peak
memory of the process that starts it.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import sqlalchemy as sa

from app.exports import FileFormat
from engine import Engine
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.tracking.updates import LocationUpdate
from engine.store.database import Database
from engine.store.tables import events
from engine.store.workspace import open_workspace
from tests.benchmarks.workspaces import copied, place


def fill(folder: Path, count: int) -> None:
    """Create a workspace with this many events in a folder."""
    made = copied(folder, folder, 1_000, rules=False)
    with Engine.open(made) as engine:
        engine.tracking.track(Environment.TEST, LocationUpdate("phone", Point(*place(1)), 5.0))
    workspace = open_workspace(made)
    database = Database(workspace.database_file)
    names = [column.name for column in events.columns if column.name not in ("number", "id", "created_at")]
    columns = ", ".join(f'"{name}"' for name in names)
    statement = (
        "WITH RECURSIVE times(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM times WHERE at < :count) "
        f"INSERT INTO events (id, created_at, {columns}) "
        f"SELECT printf('%024x', times.at), created_at + times.at, {columns} FROM events, times "
        "WHERE number = (SELECT min(number) FROM events)"
    )
    with database.connect() as connection, connection.begin():
        connection.execute(sa.text(statement), {"count": count - 1})
    database.close()
    workspace.close()


def main() -> None:
    """Print a line for each format."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--fill", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fill is not None:
        fill(given.fill, given.events)
        return
    with tempfile.TemporaryDirectory(prefix="fencewright-benchmark-") as name:
        workspace = Path(name) / "workspace"
        filling = ["-m", "tests.benchmarks.exports", "--events", str(given.events), "--fill", name]
        subprocess.run([sys.executable, *filling], check=True)
        print(f"{given.events:,} events, load {os.getloadavg()[0]:.1f}", flush=True)
        for format in FileFormat:
            output = Path(name) / f"events.{format}"
            command = ["-m", "app.main", "export", "events", "--workspace", str(workspace), "--output", str(output)]
            began = perf_counter()
            process = subprocess.Popen([sys.executable, *command], stderr=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
            if status:
                raise RuntimeError(f"the export as {format} failed")
            cpu_s = used.ru_utime + used.ru_stime
            print(
                f"{format:<8} {cpu_s:6.1f} s of processor time, {perf_counter() - began:6.1f} s, "
                f"{used.ru_maxrss / 1e3:,.0f} MB at most, file of {output.stat().st_size / 1e6:,.0f} MB",
                flush=True,
            )
            output.unlink()


if __name__ == "__main__":
    main()
