"""Limits of requests per second for each operation, if the setting `endpointRateLimits` is on.

It is off by default: what runs on one's own machine has no reason to slow down its owner's tests. On, it rehearses how
an app fares with the limits of the specification.
"""

from collections import OrderedDict, deque
from math import ceil
from typing import Final

from app.api.http.errors import TooManyRequests
from app.api.http.headers import Headers
from engine.domain.environment import ApiKey, Environment, KeyLevel
from engine.domain.values.dataclass import dataclass
from engine.engine import Engine

WINDOW_S: Final = 1.0
MAX_WINDOWS: Final = 100_000
"""How many keys and addresses are remembered at once."""

type Who = tuple[Environment, KeyLevel, str, str | None]
"""A key, an operation, and an address where each one has a limit of its own."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Requests per second that an operation takes from each key, or from each address."""

    per_second: int
    per_client: bool = False


class SlidingWindows:
    """When each of many was admitted within the last second; seconds since 1970 by the environment's clock."""

    def __init__(self) -> None:
        # The first of a plain dictionary is found past all that were dropped before it.
        self._admitted: OrderedDict[Who, deque[float]] = OrderedDict()

    def admit(self, who: Who, most: int, now: float) -> tuple[bool, int, float]:
        """Return whether somebody may ask now, how many more requests they have, and from when on there is another.

        A clock that was set back makes moments of the future, which count no more than those long past.
        """
        moments = self._admitted.pop(who, None) or deque()
        while moments and not 0 <= now - moments[0] < WINDOW_S:
            moments.popleft()
        admitted = len(moments) < most
        if admitted:
            moments.append(now)
        self._forget(now)
        self._admitted[who] = moments
        left = most - len(moments)
        return admitted, left, now if left else moments[0] + WINDOW_S

    def _forget(self, now: float) -> None:
        """Drop those who asked longest ago, for as long as that is over a second ago or there are too many."""
        while self._admitted:
            oldest = next(iter(self._admitted))
            if 0 <= now - self._admitted[oldest][-1] < WINDOW_S and len(self._admitted) < MAX_WINDOWS:
                return
            del self._admitted[oldest]

    def __len__(self) -> int:
        return len(self._admitted)


class EndpointLimits:
    """The limits of all operations; all its methods belong to the event loop's thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._windows = SlidingWindows()

    def admit(self, key: ApiKey, name: str, rate: Rate, client: str | None) -> Headers:
        """Count a valid request of an operation and return the headers of its answer; raises `TooManyRequests`."""
        if not self._engine.settings.get(key.environment).endpoint_rate_limits:
            return []
        who = (key.environment, key.level, name, client if rate.per_client else None)
        now = self._engine.clock_of(key.environment).now().timestamp()
        admitted, left, next_at = self._windows.admit(who, rate.per_second, now)
        headers = [
            (b"x-ratelimit-limit", b"%d" % rate.per_second),
            (b"x-ratelimit-remaining", b"%d" % left),
            (b"x-ratelimit-reset", b"%d" % ceil(next_at)),
        ]
        if not admitted:
            whose = "address" if rate.per_client else "key"
            raise TooManyRequests(None, name, _REFUSAL.format(rate.per_second, whose), headers)
        return headers


_REFUSAL: Final = (
    "Only {} requests per second are allowed for each {}. Try again later, or turn off the setting endpointRateLimits."
)
