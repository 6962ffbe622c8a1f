"""The timer of the nightly sync, which wakes up at due times by clocks that may be changed in the meantime."""

import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from apscheduler.schedulers.background import BackgroundScheduler

log = logging.getLogger(__name__)

_JOB: Final = "nightly sync"
_LONGEST_S: Final = 60.0
"""Longest sleep, regardless of the next sync, because the machine may have been suspended."""

_SOON_S: Final = 0.01


class NightlyTimer:
    """Calls `look` in its own thread; `look` returns the seconds to the next due time, or None for never."""

    def __init__(self, look: Callable[[], float | None]) -> None:
        self._look = look
        self._lock = Lock()
        self._scheduler: BackgroundScheduler | None = None
        self._looking = False
        self._again = False

    def start(self) -> None:
        """Start the timer, which makes up for missed syncs now; does nothing if already started."""
        # Imported here because it is slow to load, and a short command has no nights.
        from apscheduler.schedulers.background import BackgroundScheduler

        with self._lock:
            if self._scheduler is not None:
                return
            logging.getLogger("apscheduler").setLevel(logging.ERROR)
            self._scheduler = BackgroundScheduler(timezone=UTC, daemon=True)
            self._scheduler.start()
        self._plan(_SOON_S)

    def wake(self) -> None:
        """Call `look` now because the settings or a clock have changed."""
        with self._lock:
            if self._looking:
                self._again = True
                return
        self._plan(_SOON_S)

    def close(self) -> None:
        """Stop the timer after any work in progress."""
        with self._lock:
            scheduler, self._scheduler = self._scheduler, None
        if scheduler is not None:
            scheduler.shutdown(wait=True)

    def _plan(self, wait_s: float) -> None:
        with self._lock:
            if self._scheduler is not None:
                self._scheduler.add_job(
                    self._run,
                    "interval",
                    seconds=min(max(wait_s, _SOON_S), _LONGEST_S),
                    id=_JOB,
                    replace_existing=True,
                    misfire_grace_time=None,
                    coalesce=True,
                )

    def _run(self) -> None:
        with self._lock:
            if self._looking or self._scheduler is None:
                return
            self._looking = True
            with suppress(LookupError):
                self._scheduler.remove_job(_JOB)
        wait_s: float | None = _LONGEST_S
        try:
            wait_s = self._look()
        except Exception:
            log.exception("The nightly sync failed")
        with self._lock:
            self._looking = False
            again, self._again = self._again, False
        self._plan(_SOON_S if again else _LONGEST_S if wait_s is None else wait_s)
