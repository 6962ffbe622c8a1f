"""The timer that disables and deletes geofences when they expire, even if no device reports."""

import logging
from collections.abc import Callable
from threading import Condition, Thread

from engine.domain.errors import FencewrightError

log = logging.getLogger(__name__)

_LONGEST_S = 60.0
"""Longest sleep, regardless of the next expiry, because the machine may have been suspended."""

_AGAIN_S = 1.0
"""Delay before a retry after a failure, such as a full disk."""


class ExpiryTimer:
    """Sleeps until the next expiry, by clocks that may be changed in the meantime."""

    def __init__(self, wait_s: Callable[[], float | None], expire: Callable[[], None]) -> None:
        """Start the timer. `wait_s` returns the real seconds to the next expiry, or None; `expire` carries it out."""
        self._wait_s = wait_s
        self._expire = expire
        self._changed = Condition()
        self._stale = False
        self._closed = False
        self._thread = Thread(target=self._run, name="expiry-timer")
        self._thread.start()

    def look_again(self) -> None:
        """Note that the next expiry, or a clock, may have changed."""
        with self._changed:
            self._stale = True
            self._changed.notify()

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._closed:
                    return
                self._stale = False
            wait_s = self._wait_s()
            if wait_s is not None and wait_s <= 0:
                wait_s = self._try_to_expire()
            with self._changed:
                if not (self._stale or self._closed):
                    self._changed.wait(None if wait_s is None else min(wait_s, _LONGEST_S))

    def _try_to_expire(self) -> float:
        try:
            self._expire()
        except FencewrightError as error:
            log.warning("Expired geofences could not be stored: %s", error)
            return _AGAIN_S
        return 0.0
