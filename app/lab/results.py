"""The result of a scenario, small enough to be handed from one process to another."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from app.lab.files.faults import Fault
from app.lab.judging.exercise import Exercise
from app.lab.judging.judging import Failure


class Status(StrEnum):
    """What became of a scenario."""

    PASSED = "passed"
    FAILED = "failed"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one file; `updated` is what its text is to be where that was asked for and it differs."""

    file: Path
    name: str
    status: Status
    seconds: float
    failures: tuple[Failure, ...] = ()
    faults: tuple[Fault, ...] = ()
    events: int = 0
    fixes: int = 0
    exercise: Exercise | None = None
    updated: str | None = None
