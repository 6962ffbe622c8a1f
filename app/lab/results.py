"""The result of a scenario, small enough to be passed between processes."""

from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from app.lab.files.faults import Fault
from app.lab.judging.exercise import Exercise
from app.lab.judging.judging import Failure


class Status(StrEnum):
    """Result of a scenario."""

    PASSED = "passed"
    FAILED = "failed"
    INVALID = "invalid"


class Result(Struct, frozen=True):
    """Result of one file. `updated` is its new text, if an update was requested and changes it.

    There are `omitted_faults` more than `faults`. `notes` are about possible mistakes. A scenario that
    `expects_nothing` declares so, and none of its checks can fail.
    """

    file: Path
    name: str
    status: Status
    seconds: float
    failures: tuple[Failure, ...] = ()
    faults: tuple[Fault, ...] = ()
    omitted_faults: int = 0
    notes: tuple[str, ...] = ()
    events: int = 0
    fixes: int = 0
    exercise: Exercise | None = None
    updated: str | None = None
    expects_nothing: bool = False
