"""Rests between groups of outcomes, which give precedence to tracking according to the measured load.

There is one writer, so updates wait for all its work for deliveries. The other load of the process is measured between
groups. Without tracking, a long queue is sent at full speed.
"""

from time import monotonic, process_time
from typing import Final

LEAST_IDLE_S: Final = 0.005
LEAST_BUSY_S: Final = 0.07
MOST_S: Final = 0.5
"""Maximum rest in seconds, during which deliveries accumulate to be sent and stored together.

`LEAST_IDLE_S` is the minimum while the process uses no processor otherwise, and `LEAST_BUSY_S` while it uses `BUSY`.
"""

REST_IDLE: Final = 1.0
REST_BUSY: Final = 40.0
"""Ratio of the writer's rest to its work for deliveries while the process otherwise uses `BUSY` of a processor.

`REST_IDLE` is the ratio while it uses none. `REST_BUSY` allows about 2,200 deliveries a second (see
docs/internals/benchmarks.md).
"""

BUSY: Final = 0.25
"""Share of a processor that counts as busy. On a shared computer tracking may not get more than this."""


class Pace:
    """Measures the work for deliveries and the other load of the process."""

    def __init__(self) -> None:
        self._at, self._process_s = monotonic(), process_time()
        self.worked_s = 0.0
        """Seconds worked for deliveries since the last rest."""

    def rest_s(self) -> float:
        """Return how long to rest after the work since the last call."""
        at, process_s = monotonic(), process_time()
        took_s, self.worked_s = self.worked_s, 0.0
        others_s = max(process_s - self._process_s - took_s, 0.0)
        busy = others_s / max(at - self._at, LEAST_IDLE_S)
        self._at, self._process_s = at, process_s
        return rest_s(took_s, busy)


def rest_s(took_s: float, busy: float) -> float:
    """Return the writer's rest after work for deliveries, given the share of a processor used otherwise."""
    share = min(busy / BUSY, 1.0) ** 2
    least_s = LEAST_IDLE_S + (LEAST_BUSY_S - LEAST_IDLE_S) * share
    return min(max(took_s * (REST_IDLE + (REST_BUSY - REST_IDLE) * share), least_s), MOST_S)
