"""Opening workspaces with many geofences, and editing them: ``python -m tests.benchmarks.opening``.

Each opening takes place in a separate process. An edit moves a circle to another place and takes effect when the next
location update there enters it. Both return after their commits.
"""

import argparse
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

import orjson

from engine import Engine
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.tracking.updates import LocationUpdate
from tests.benchmarks.workspaces import copied, place

EDITS = 300
LOOKS = 5_000


@dataclass(frozen=True, slots=True)
class Figures:
    """The measurements of one opening; the peak is that of the whole process, including imports and edits."""

    open_s: float
    peak_mb: float
    edit_p50_ms: float
    edit_p99_ms: float
    seen_p50_ms: float
    look_us: float


def measure(workspace: Path, fences: int) -> Figures:
    """Return the figures of a workspace, which is modified by the measurement."""
    began = perf_counter()
    with Engine.open(workspace) as engine:
        open_s = perf_counter() - began
        peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        edits, seen = _edits(engine, fences)
        look_us = _look_us(engine)
    percentiles = statistics.quantiles(edits, n=100)
    return Figures(open_s, peak_mb, percentiles[49], percentiles[98], statistics.median(seen), look_us)


def _edits(engine: Engine, fences: int) -> tuple[list[float], list[float]]:
    """Return the duration of edits, and the time until an update has met the edited geofence, in milliseconds."""
    chance, edits, seen = random.Random(1), [], []
    for number in chance.sample([each for each in range(fences) if each % 10], EDITS):
        geofence = engine.geofences.get_by_key(Environment.TEST, f"t{number % 100}", str(number))
        # An empty place outside of the area, without other geofences to enter.
        target = Point(-30.0 + number * 1e-5, 20.0)
        began = perf_counter()
        engine.geofences.update(
            Environment.TEST, geofence.id, GeofenceChange(coordinates=(target.longitude, target.latitude))
        )
        edited = perf_counter()
        result = engine.tracking.track(
            Environment.TEST, LocationUpdate(device_id=f"d{number}", point=target, accuracy_m=5)
        )
        seen.append((perf_counter() - began) * 1e3)
        edits.append((edited - began) * 1e3)
        entered = [event.geofence.id for event in result.events if event.geofence is not None]
        assert geofence.id in entered, "the edit was not seen"
    return edits, seen


def _look_us(engine: Engine) -> float:
    """Return the time for finding the geofences around a position, in microseconds."""
    index = engine.geofences._catalogs[Environment.TEST].index
    places = [place(number) for number in range(LOOKS)]
    for longitude, latitude in places:
        index.at(longitude, latitude)
    began = perf_counter()
    for longitude, latitude in places:
        index.at(longitude, latitude)
    return (perf_counter() - began) / LOOKS * 1e6


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fences", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--turns", type=int, default=3, help="how often everything is measured, by turns")
    parser.add_argument("--workspaces", type=Path, help="where workspaces are kept for the next run")
    parser.add_argument("--one", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(orjson.dumps(asdict(measure(given.one, given.fences[0]))).decode())
        return
    with tempfile.TemporaryDirectory(prefix="fencewright-benchmark-") as name:
        kept = given.workspaces or Path(name)
        print("   fences  open s  peak MB  edit p50 ms  edit p99 ms  seen p50 ms  look us")
        for fences in given.fences * given.turns:
            workspace = copied(kept, Path(name), fences)
            command = [
                sys.executable,
                "-m",
                "tests.benchmarks.opening",
                "--fences",
                str(fences),
                "--one",
                str(workspace),
            ]
            line = Figures(**orjson.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))
            print(
                f"{fences:>9,} {line.open_s:>7.2f} {line.peak_mb:>8,.0f} {line.edit_p50_ms:>12.2f} "
                f"{line.edit_p99_ms:>12.2f} {line.seen_p50_ms:>12.2f} {line.look_us:>8.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
