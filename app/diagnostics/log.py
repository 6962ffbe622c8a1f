"""The last lines of the log, kept in memory because a log file could contain users' data."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Sequence
from functools import cache
from typing import Final

LINES: Final = 500
_LONGEST: Final = 2_000


class RecentLog(logging.Handler):
    """Keeps the last lines of the log. Log output is printed as before."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._lines: deque[str] = deque(maxlen=LINES)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))

    @property
    def lines(self) -> Sequence[str]:
        """The lines, oldest first."""
        return tuple(self._lines)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record, with its traceback."""
        try:
            self._lines.append(self.format(record)[:_LONGEST])
        except Exception:  # noqa: BLE001 - a log that cannot be kept is no reason to end anything
            self.handleError(record)

    def install(self) -> None:
        """Keep all records that are logged from now on."""
        root = logging.getLogger()
        if self in root.handlers:
            return
        if not root.handlers and logging.lastResort is not None:
            # With a handler, the root logger would no longer print records that no other handler prints.
            root.addHandler(logging.lastResort)
        root.addHandler(self)


@cache
def recent_log() -> RecentLog:
    """Return the log of this process."""
    return RecentLog()
