"""Imports of 100,000 rows, of which 100 are invalid: processor time to judge, store, import again and undo.

python -m tests.benchmarks.imports
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable

from engine.domain.environment import Environment
from engine.domain.imports import ImportFile, ImportOptions
from engine.engine import Engine

ROWS = 100_000
BAD = 100


def table(radius: int) -> bytes:
    """Return alternating circles and polygons, in which every thousandth row is invalid."""
    chance = random.Random(1)
    lines = ["description,type,tag,externalId,coordinates,radius,metadata\n"]
    for number in range(ROWS):
        x, y = 9 + chance.random(), 47 + chance.random()
        meta = f'"{{""floor"": {number % 7}}}"'
        if number % (ROWS // BAD) == 0:
            lines.append(f'S {number},circle,store,{number},"[{x:.6f},{y:.6f}]",5,{meta}\n')
        elif number % 2:
            lines.append(f'S {number},circle,store,{number},"[{x:.6f},{y:.6f}]",{radius},{meta}\n')
        else:
            ring = f"[[{x},{y}],[{x + 0.01},{y}],[{x + 0.01},{y + 0.01}],[{x},{y}]]"
            lines.append(f'S {number},polygon,store,{number},"{ring}",,{meta}\n')
    return "".join(lines).encode()


def timed[T](label: str, work: Callable[[], T]) -> T:
    """Run some work and print its processor time."""
    began = time.process_time()
    result = work()
    sys.stdout.write(f"{label:<10} {time.process_time() - began:6.2f} s of processor time\n")
    return result


def main() -> None:
    """Run the measurements."""
    test, keep = Environment.TEST, ImportOptions(keep_good_rows=True)
    first, second = (ImportFile(table(radius), "stores.csv") for radius in (100, 101))
    with tempfile.TemporaryDirectory() as folder, Engine.open(folder) as engine:
        report = timed("create", lambda: engine.imports.run(test, first, keep)).report
        sys.stdout.write(f"{report.created:,} created, {report.failed:,} failed\n")
        timed("unchanged", lambda: engine.imports.run(test, first, keep))
        update = timed("update", lambda: engine.imports.run(test, second, keep))
        timed("undo", lambda: engine.imports.undo(test, update.record.id))
        timed("preview", lambda: engine.imports.preview(test, second))


if __name__ == "__main__":
    main()
