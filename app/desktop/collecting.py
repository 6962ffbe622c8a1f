"""Garbage collection restricted to the GUI thread."""

import ctypes
import gc
import sys
from collections.abc import Callable
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS: Final = 500

_FULL_SHARE: Final = 0.02
"""Maximum share of the time that full collections may take."""

_MANY: Final = 50_000
"""Number of new objects that take noticeably long to scan again and again."""

_GIVEN_BACK_AFTER_S: Final = 2.0
"""Time from a large load to the return of its freed memory to the system.

By then the temporary objects of the load have been freed, including the data that the map's page had yet to fetch.
"""

_resting: Final[set[object]] = set()
_many_made: Final[list[float]] = []
"""Times of the large loads whose freed memory has not been returned to the system yet."""


def rest() -> Callable[[], None]:
    """Suspend collection while many long-lived objects are created, and return a function that resumes it.

    If there were very many, all objects that exist by then are excluded from later collections. Objects outside of
    cycles, such as geofences, are still freed with their last reference. Memory that was freed in the meantime is
    returned to the system a little later.
    """
    token = object()
    _resting.add(token)

    def end() -> None:
        if token in _resting:
            _resting.remove(token)
            if gc.get_count()[0] >= _MANY:
                gc.freeze()
                _many_made.append(monotonic())

    return end


def _give_back() -> None:
    """Return to the system the freed memory that the C library retains between live blocks: tens of megabytes.

    Only glibc needs and supports this. Other libraries do it by themselves.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


class GuiCollector(QObject):
    """Collects garbage on the GUI thread, as often as Python would; lives as long as the application.

    Python collects in whichever thread happens to allocate. Threads of the endpoint and of the engine would then
    destroy widgets and other Qt objects in cycles while the GUI thread lays them out, which is a segmentation fault.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._next_full = monotonic()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(INTERVAL_MS)

    def collect(self) -> None:
        """Collect the generations that Python would have collected since the last call."""
        if _resting:
            return
        if _many_made and monotonic() - _many_made[-1] > _GIVEN_BACK_AFTER_S:
            _many_made.clear()
            _give_back()
        match self._due():
            case 2 if monotonic() >= self._next_full:
                begun = monotonic()
                gc.collect()
                self._next_full = monotonic() + (monotonic() - begun) / _FULL_SHARE
            case 1 | 2:
                gc.collect(1)
            case 0:
                gc.collect(0)

    def _due(self) -> int | None:
        (young, middle, old), (some, many, most) = gc.get_count(), gc.get_threshold()
        if old > most or young > some * many * most:
            return 2
        if middle > many or young > some * many:
            return 1
        return 0 if young > some else None

    def stop(self) -> None:
        """Return collection to Python."""
        self._timer.stop()
        gc.enable()
