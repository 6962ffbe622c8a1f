"""Pauses of the sending thread: tracking comes first, by its measured load.

Threads of one process share one lock, so whatever a delivery takes here an update does not get. How busy the process
is otherwise is measured from round to round: where nobody tracks, a long queue is sent as fast as it can be.
"""

from time import monotonic, process_time, thread_time
from typing import Final

LEAST_S: Final = 0.005
MOST_S: Final = 0.5
"""Rounds are at least and at most so far apart: what comes meanwhile is sent, and stored, together."""

REST_IDLE: Final = 1.0
REST_BUSY: Final = 20.0
"""How many times as long as it took of a processor the thread rests while the others of this process use none, or as
much as `BUSY`. The latter leaves them nineteen twentieths of one processor (see docs/benchmarks.md)."""

BUSY: Final = 0.25
"""The share of a processor: not all of one, for on a computer that others use tracking may not get more than that."""


class Pace:
    """Measures the work for deliveries, and the other work of the process; used in the thread that sends."""

    def __init__(self) -> None:
        self._at, self._process_s, self._own_s = monotonic(), process_time(), thread_time()
        self.elsewhere_s = 0.0
        """What was worked for deliveries in other threads so far."""
        self._elsewhere_before_s = 0.0

    def rest_s(self) -> float:
        """Return how long to rest after what was done since this was asked the last time."""
        at, process_s, own_s, elsewhere_s = monotonic(), process_time(), thread_time(), self.elsewhere_s
        took_s = own_s - self._own_s + elsewhere_s - self._elsewhere_before_s
        others_s = max(process_s - self._process_s - took_s, 0.0)
        passed_s = max(at - self._at, LEAST_S)
        self._at, self._process_s, self._own_s, self._elsewhere_before_s = at, process_s, own_s, elsewhere_s
        return min(max(took_s * rest(others_s / passed_s), LEAST_S), MOST_S)


def rest(busy: float) -> float:
    """Return how many times as long as it worked a thread rests, by the share of a processor that others use."""
    return REST_IDLE + (REST_BUSY - REST_IDLE) * min(busy / BUSY, 1.0) ** 2
