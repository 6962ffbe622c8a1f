"""The actors of all areas, lent to one thread at a time; if memory is short, the longest idle ones are closed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Final

from engine.routing.actors import EXACT_MATRIX
from engine.routing.memory import private_bytes, return_freed
from engine.routing.service import UNEXPECTED, Refused

MAX_IDLE: Final = 10
"""Maximum number of idle actors. Each takes 13 MB before its first search."""

BUDGET_BYTES: Final = 200 * 1024**2
"""Memory above which idle actors are closed. Pages of mapped files do not count: the system can reclaim them."""

type Actor = Callable[[str, str], str]
type Key = tuple[str, tuple[int, int], bool]
"""Path of an area's tiles, identity of the file at it, and whether the actor is set up for exact matrices.

A rebuilt area has other tiles at the same path.
"""


class ActorStore:
    """Lends actors, and keeps returned ones within the budget. May be used from any thread."""

    def __init__(
        self, make: Callable[[str, bool], Actor], budget: int = BUDGET_BYTES, used: Callable[[], int] = private_bytes
    ) -> None:
        self._make = make
        self._budget = budget
        self._used = used
        self._lock = Lock()
        self._idle: list[tuple[Key, Actor]] = []

    @contextmanager
    def lent(self, roads: str, action: str) -> Iterator[Actor]:
        """Lend an actor for an area's tiles for one request.

        An actor that failed with an unknown error is not lent again.
        """
        exact = action == EXACT_MATRIX
        key = (roads, _identity(roads), exact)
        actor = self._taken(key) or self._make(roads, exact)
        try:
            yield actor
        except Refused as refused:
            if refused.code != UNEXPECTED:
                self._give_back(key, actor)
            raise
        self._give_back(key, actor)

    @property
    def idle(self) -> int:
        """The number of idle actors."""
        return len(self._idle)

    def _taken(self, key: Key) -> Actor | None:
        with self._lock:
            for at in reversed(range(len(self._idle))):
                if self._idle[at][0] == key:
                    return self._idle.pop(at)[1]
        return None

    def _give_back(self, key: Key, actor: Actor) -> None:
        with self._lock:
            self._idle.append((key, actor))
            dropped = self._idle[:-MAX_IDLE]
            del self._idle[:-MAX_IDLE]
        del dropped[:]
        if self._used() > self._budget:
            return_freed()
        while self._used() > self._budget and self._drop_oldest():
            return_freed()

    def _drop_oldest(self) -> bool:
        with self._lock:
            oldest: Any = self._idle.pop(0) if self._idle else None
        return oldest is not None


def _identity(roads: str) -> tuple[int, int]:
    """Return the inode and the modification time of a file of tiles, or zeros if it does not exist."""
    try:
        status = Path(roads).stat()
    except OSError:
        return (0, 0)
    return (status.st_ino, status.st_mtime_ns)
