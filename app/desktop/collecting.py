"""Garbage collection on the GUI thread alone."""

import ctypes
import gc
import sys
from collections.abc import Callable
from time import monotonic
from typing import Final

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS: Final = 500

_FULL_SHARE: Final = 0.02
"""How much of the time a look at the whole heap may take."""

_MANY: Final = 50_000
"""To look through so many new objects again and again would be noticed."""

_GIVEN_BACK_AFTER_S: Final = 2.0
"""So long after they were made what was needed to make them is gone, also what the map's page was still to fetch."""

_resting: Final[set[object]] = set()
_many_made: Final[list[float]] = []
"""When very much was made of which the system has not been given back what was let go."""


def rest() -> Callable[[], None]:
    """Collect nothing while much is made that is kept; return what ends that.

    If it was very much, what there is by then is not looked through any more. What is in no cycle goes nevertheless
    when nobody has it any more, and geofences are in none. What was let go meanwhile is given back a little later.
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
    """Let the system have what the C library keeps of what was let go meanwhile: tens of megabytes, between what stays.

    Only glibc can; other libraries do it by themselves.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


class GuiCollector(QObject):
    """Collects garbage on the GUI thread, as often as Python would; lives as long as the application.

    Python collects in whichever thread happens to allocate. Threads of the endpoint and of the engine would so destroy
    widgets and other Qt objects that are part of a cycle, while the GUI thread lays them out: a segmentation fault.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._next_full = monotonic()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.collect)
        self._timer.start(INTERVAL_MS)

    def collect(self) -> None:
        """Collect the generations for which Python would have found the time since the last call."""
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
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()
