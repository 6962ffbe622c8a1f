"""Errors in a scenario file: the location, the field, and the expected value."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from engine.domain.errors import FencewrightError

MAX_FAULTS: Final = 20
"""Maximum number of errors reported per file. More of them are usually one mistake repeated many times."""

type Way = tuple[str | int, ...]
"""The path to a value: keys of mappings and indices of lists."""


class Mark(Struct, frozen=True):
    """A position in a text. Lines and columns start at 1, as in editors."""

    line: int
    column: int


class Fault(Struct, frozen=True):
    """A single error. `field` is empty if the file as a whole is at fault."""

    file: Path
    mark: Mark
    field: str
    message: str

    def __str__(self) -> str:
        """Return the error in the format of compilers, so that editors and CI tools find the position."""
        field = f"{self.field}: " if self.field else ""
        return f"{self.file}:{self.mark.line}:{self.mark.column}: {field}{self.message}"


class ScenarioInvalid(FencewrightError):
    """A scenario file that cannot be run. `faults` are in the order of the file."""

    def __init__(self, faults: Sequence[Fault], omitted: int = 0) -> None:
        found = sorted(faults, key=lambda fault: (fault.mark.line, fault.mark.column))
        self.faults = tuple(found[:MAX_FAULTS])
        self.omitted = omitted + len(found) - len(self.faults)
        """How many more faults there are."""
        super().__init__("\n".join(fault_lines(self.faults, self.omitted)))

    def __reduce__(self) -> tuple[type["ScenarioInvalid"], tuple[tuple[Fault, ...], int]]:
        """Support pickling, so that the exception can be raised in another process."""
        return ScenarioInvalid, (self.faults, self.omitted)


def fault_lines(faults: Sequence[Fault], omitted: int) -> Iterator[str]:
    """Yield a line for each fault, and a last line with the number of omitted ones."""
    yield from map(str, faults)
    if omitted:
        yield f"{faults[0].file}: and {omitted:,} more"


def field_name(path: Sequence[str | int]) -> str:
    """Return the name of a value by its path, such as ``devices[0].track.points[3].at``."""
    name = ""
    for part in path:
        name += f"[{part}]" if isinstance(part, int) else f".{part}" if name else part
    return name
