"""Back-tests: the geofences and settings to test, where the history is, and how the work is done."""

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from engine.backtest.results import BacktestReport, WorkerResult
from engine.domain.geofence import Geofence
from engine.domain.settings import ProjectSettings


class FenceSet(Struct, frozen=True, kw_only=True):
    """A set of geofences, and its name for display."""

    name: str
    geofences: tuple[Geofence, ...]


class Request(Struct, frozen=True, kw_only=True):
    """A back-test. Fixes without an accuracy have `accuracy_m`; `columns` are names of columns by their fields."""

    history: tuple[str, ...]
    columns: Mapping[str, str]
    accuracy_m: float
    fences: FenceSet
    against: FenceSet | None
    settings: ProjectSettings
    output: Path
    scheduler: str | None
    workers: int | None
    resume: bool
    skip_bad: bool
    scratch: Path | None


class Progress(Struct, frozen=True):
    """The progress of a back-test: its phase (``sorting``, ``deciding`` or ``writing``), fixes done and of all."""

    phase: str
    fixes: int
    total: int
    events: int
    seconds: float
    left_s: float | None
    workers: tuple[WorkerResult, ...]


def unfinished(output: Path) -> Path:
    """Return the folder beside the output that has the finished parts of a back-test until it is complete."""
    return output.with_name(f"{output.name}.unfinished")


def run(request: Request, progress: Callable[[Progress], None], stop: Callable[[], bool]) -> BacktestReport:
    """Run a back-test and return its report. Raises `Cancelled` when `stop` returns True."""
    raise NotImplementedError
