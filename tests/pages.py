"""The pages of the documentation for users, their shell blocks and what is said about running these."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = (README, *sorted((ROOT / "docs").glob("*.md")))
"""Without those in `docs/internals`, whose commands need what contributors have installed."""

SERVED = "with fencewright serve"
"""The mark of a page whose commands need a server from its beginning."""

_BESIDE = "runs beside the following"
_NOT_RUN = re.compile(r"not run: (\S.*)")
_CHANGES_THE_MACHINE = re.compile(
    r"^ *(?:sudo |python3? -m )?(pip|npm|apt|apt-get|brew|systemctl|loginctl|launchctl|git pull|xcrun)\b", re.MULTILINE
)
_FENCE = re.compile(r"^( *)```(\w*) *$")
_COMMENT = re.compile(r"^ *<!-- ?(.*?) ?--> *$")


class How(Enum):
    """Whether and how a test runs a block."""

    IN_ORDER = "in the terminal of the page"
    BESIDE = "in another terminal, until the end of the page"
    NOT = "not at all"


@dataclass(frozen=True)
class Block:
    """A shell block: the number of its first line, its commands, and the comment directly above it."""

    line: int
    text: str
    mark: str = ""

    @property
    def how(self) -> How:
        """How the block is run.

        Raises `ValueError` for an unknown comment, for one without a reason, and for a block without one that would
        install something.
        """
        if _NOT_RUN.fullmatch(self.mark):
            return How.NOT
        if (changing := _CHANGES_THE_MACHINE.search(self.text)) is not None:
            raise ValueError(f"line {self.line}: {changing[1]} changes the machine of the tests; mark it as not run")
        if not self.mark:
            return How.IN_ORDER
        if self.mark == _BESIDE:
            return How.BESIDE
        raise ValueError(f"line {self.line}: <!-- {self.mark} --> says neither why nor how the block is run")


def shell_blocks(text: str) -> list[Block]:
    """Return the shell blocks of a page."""
    return [Block(number, body, mark) for language, number, body, mark in fences(text) if language == "sh"]


def fences(text: str) -> Iterator[tuple[str, int, str, str]]:
    """Yield the language, first line, text and mark of every fenced block."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        if (begin := _FENCE.match(lines[number])) is None:
            number += 1
            continue
        end = next(at for at in range(number + 1, len(lines)) if lines[at].strip() == "```")
        comment = _COMMENT.match(lines[number - 1]) if number else None
        body = "\n".join(line.removeprefix(begin[1]) for line in lines[number + 1 : end])
        yield begin[2], number + 1, f"{body}\n", comment[1] if comment else ""
        number = end + 1


def is_served(text: str) -> bool:
    """Tell whether a page says that its commands need a server."""
    return f"<!-- {SERVED} -->" in text
