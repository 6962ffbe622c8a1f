"""The history of changes that can be undone."""

from collections.abc import Callable
from itertools import count

from msgspec import Struct, field

LONGEST = 500
_entries = count(1)


class Command[T](Struct, frozen=True):
    """A change that was made. `do` and `undo` take whether to overwrite changes made by others in the meantime.

    `entry` is its unique number, across all histories.
    """

    text: str
    do: Callable[[bool], T]
    undo: Callable[[bool], T]
    entry: int = field(default_factory=_entries.__next__)


class HistoryState(Struct, frozen=True):
    """The next steps of undo and redo, or None without such a step. `entry` is the number of the change to undo."""

    undo: str | None = None
    redo: str | None = None
    entry: int | None = None


class History[T]:
    """A list of commands with a current position. A failed step does not move the position."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._done: list[Command[T]] = []
        self._undone: list[Command[T]] = []

    @property
    def state(self) -> HistoryState:
        """The next steps of undo and redo."""
        done, undone = self._done[-1:], self._undone[-1:]
        return HistoryState(
            undo=done[0].text if done else None,
            redo=undone[0].text if undone else None,
            entry=done[0].entry if done else None,
        )

    def add(self, command: Command[T]) -> None:
        """Add a change that was just made, and discard the undone ones."""
        self._done.append(command)
        self._undone.clear()
        del self._done[: -self._longest]

    def undo(self, *, anyway: bool = False) -> T | None:
        """Undo the last change. Exceptions of its `undo` propagate."""
        return self._step(self._done, self._undone, lambda command: command.undo(anyway))

    def redo(self, *, anyway: bool = False) -> T | None:
        """Redo the last undone change. Exceptions of its `do` propagate."""
        return self._step(self._undone, self._done, lambda command: command.do(anyway))

    def skip_undo(self) -> None:
        """Drop the last change without undoing it."""
        del self._done[-1:]

    def skip_redo(self) -> None:
        """Drop the last undone change."""
        del self._undone[-1:]

    @staticmethod
    def _step(source: list[Command[T]], target: list[Command[T]], step: Callable[[Command[T]], T]) -> T | None:
        if not source:
            return None
        command = source[-1]
        answer = step(command)
        target.append(source.pop())
        return answer
