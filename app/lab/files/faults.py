"""Faults of a scenario file: where, in which field, and what was expected there."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.domain.errors import FencewrightError

MAX_FAULTS: Final = 20
"""Number of faults told of one file; whoever has more has made one mistake many times."""

type Way = tuple[str | int, ...]
"""The way to a value: keys of mappings and indices of lists."""


class Mark(Struct, frozen=True):
    """A place in a text, counted from 1 as editors do."""

    line: int
    column: int


class Fault(Struct, frozen=True):
    """One thing that is wrong; `field` is empty where the file as a whole is at fault."""

    file: Path
    mark: Mark
    field: str
    message: str

    def __str__(self) -> str:
        """Return it as compilers do, so that editors and CI tools find the place."""
        field = f"{self.field}: " if self.field else ""
        return f"{self.file}:{self.mark.line}:{self.mark.column}: {field}{self.message}"


class ScenarioInvalid(FencewrightError):
    """A scenario file that cannot be run; `faults` are in the order of the file."""

    def __init__(self, faults: Sequence[Fault], omitted: int = 0) -> None:
        found = sorted(faults, key=lambda fault: (fault.mark.line, fault.mark.column))
        self.faults = tuple(found[:MAX_FAULTS])
        self.omitted = omitted + len(found) - len(self.faults)
        """How many more there are."""
        super().__init__("\n".join(fault_lines(self.faults, self.omitted)))

    def __reduce__(self) -> tuple[type["ScenarioInvalid"], tuple[tuple[Fault, ...], int]]:
        """Let another process raise it."""
        return ScenarioInvalid, (self.faults, self.omitted)


def fault_lines(faults: Sequence[Fault], omitted: int) -> Iterator[str]:
    """Yield a line for each fault, and one that says how many more there are."""
    yield from map(str, faults)
    if omitted:
        yield f"{faults[0].file}: and {omitted:,} more"


def field_name(path: Sequence[str | int]) -> str:
    """Return the name of a value by the way to it, such as ``devices[0].track.points[3].at``."""
    name = ""
    for part in path:
        name += f"[{part}]" if isinstance(part, int) else f".{part}" if name else part
    return name
