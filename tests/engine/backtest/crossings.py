"""Devices that go in circles and cross the boundaries of geofences all the time, and back-tests of them."""

import dataclasses
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from app import __version__
from engine.backtest.backtest import Progress, Request, run, unfinished
from engine.backtest.fences import FenceSet
from engine.backtest.results import BacktestReport
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceSummary
from engine.domain.geometry import Circle, Point
from engine.domain.settings import ProjectSettings
from tests.engine.backtest.jobs import rows_in

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
FENCES = 20
EVERYTHING = ProjectSettings(
    buffer_entries=True, buffer_exits=True, dwell_event=True, default_dwell_threshold_s=60, minimum_confidence=2
)


def fences(radius_m: float = 100.0) -> FenceSet:
    """Return geofences in a row."""
    found = [
        Geofence(
            f"g{number}",
            Environment.TEST,
            GeofenceSummary(f"g{number}", "row", str(number), ""),
            Circle(Point(_longitude(number), 60.0), radius_m),
            True,
            BEGIN,
            BEGIN,
        )
        for number in range(FENCES)
    ]
    return FenceSet(name="row", geofences=tuple(found))


def _longitude(number: int) -> float:
    return 24.0 + number * 0.01


def write_crossings(folder: Path, *, devices: int = 64, fixes: int = 1_000, files: int = 8) -> None:
    """Write the fixes of devices, each of which goes across the boundary of a geofence in small steps."""
    folder.mkdir()
    rng = np.random.default_rng(3)
    device = np.repeat(np.arange(devices), fixes)
    step = np.tile(np.arange(fixes), devices)
    away_m = 100 + 60 * np.sin(step / 3) + rng.uniform(-5, 5, len(step))
    longitude = 24.0 + device % FENCES * 0.01 + away_m * np.cos(step / 20) / 55_600
    table = pa.table(
        {
            "deviceId": pa.array([f"d{number}" for number in device.tolist()]),
            "time": pa.array(1_767_225_600_000_000 + step * 15_000_000, pa.timestamp("us", "UTC")),
            "longitude": longitude,
            "latitude": 60.0 + away_m * np.sin(step / 20) / 111_200,
            "accuracy": rng.uniform(5, 30, len(step)),
        }
    )
    order = rng.permutation(len(table))
    for number in range(files):
        pq.write_table(table.take(order[number::files]), folder / f"{number}.parquet")


@dataclasses.dataclass
class Backtest:
    """A back-test of a history in a folder, and the progress that it reported last."""

    folder: Path
    scheduler: str | None = None
    workers: int = 2
    wanted: FenceSet = dataclasses.field(default_factory=fences)
    seen: list[Progress] = dataclasses.field(default_factory=list)

    @property
    def output(self) -> Path:
        """The folder of the results."""
        return self.folder / "output"

    @property
    def unfinished(self) -> Path:
        """The folder of the finished parts."""
        return unfinished(self.output)

    @property
    def partitions_done(self) -> int:
        """Number of partitions that are decided."""
        return len([path for path in (self.unfinished / "decided").glob("*") if path.suffix != ".part"])

    def run(
        self,
        progress: Callable[[Progress], None] = lambda _: None,
        stop: Callable[[], bool] = lambda: False,
        *,
        resume: bool = False,
    ) -> BacktestReport:
        """Run the back-test."""

        def show(now: Progress) -> None:
            self.seen.append(now)
            progress(now)

        return run(self.request(resume=resume), show, stop)

    def request(self, *, resume: bool = False) -> Request:
        """Return the request."""
        return Request(
            history=(str(self.folder / "history"),),
            columns={},
            accuracy_m=10.0,
            fences=self.wanted,
            against=None,
            settings=EVERYTHING,
            output=self.output,
            scheduler=self.scheduler,
            workers=self.workers,
            resume=resume,
            skip_bad=False,
            version=__version__,
        )

    def rows(self, kinds: Sequence[str] = ("events", "visits")) -> list[list[tuple[object, ...]]]:
        """Return the rows of the output, in order."""
        return [rows_in([self.output], kind) for kind in kinds]
