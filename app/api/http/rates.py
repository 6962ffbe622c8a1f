"""Rate limits of tracking per device (`rateLimit`), and of each operation (`endpointRateLimits`).

Tracking is limited to one update per second. The limits of operations are off by default, because a server on one's own
machine has no reason to slow down its owner's tests. Turned on, they show how an app copes with the limits of the
specification.
"""

from collections import OrderedDict, deque
from functools import lru_cache
from math import ceil
from typing import Final

from msgspec import Struct

from app.api.http.errors import TooManyRequests
from app.api.http.headers import Headers
from engine.domain.environment import ApiKey, Environment, KeyLevel
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine

WINDOW_S: Final = 1.0
MAX_WINDOWS: Final = 100_000
"""Maximum number of keys and addresses remembered at once."""

type Who = tuple[Environment, KeyLevel, str, str | None]
"""A key, an operation, and an address if each address has its own limit."""

_TOO_OFTEN: Final = (
    "Only {} requests per second are allowed for each {}. Try again later, or turn off the setting endpointRateLimits."
)
EVERY_S: Final = 1.0
MAX_REMEMBERED: Final = 100_000
"""Maximum number of remembered devices per environment; with a frozen clock, devices would never expire."""

LIMIT_NAME: Final = "trackPerDevice"
"""The limit's name in `meta.type`."""

NO_HEADERS: Final[Headers] = []
_REFUSAL: Final = (
    "deviceId: a device may send one location update per second. Send past updates with replayed: true, or turn off "
    "the setting rateLimit."
)


class Rate(Struct, frozen=True):
    """Number of requests per second that an operation accepts from each key or each address."""

    per_second: int
    per_client: bool = False


class SlidingWindows:
    """Times of each sender's admitted requests in the last second, in seconds since 1970 by the environment's clock."""

    def __init__(self) -> None:
        # In a plain dictionary, finding the first entry means skipping all deleted ones before it.
        self._admitted: OrderedDict[Who, deque[float]] = OrderedDict()

    def admit(self, who: Who, most: int, now: float) -> tuple[bool, int, float]:
        """Return whether a request is admitted, the number of requests left, and the time of the next admission.

        If the clock was set back, times in the future count no more than those long past.
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
        """Drop the oldest entries while they are over a second old or there are too many."""
        while self._admitted:
            oldest = next(iter(self._admitted))
            if 0 <= now - self._admitted[oldest][-1] < WINDOW_S and len(self._admitted) < MAX_WINDOWS:
                return
            del self._admitted[oldest]

    def __len__(self) -> int:
        return len(self._admitted)


class EndpointLimits:
    """Limits of all operations; all methods must be called in the event loop's thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._windows = SlidingWindows()

    def admit(self, key: ApiKey, name: str, rate: Rate, client: str | None) -> Headers:
        """Count a valid request of an operation and return its response headers; raises `TooManyRequests`."""
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
            raise TooManyRequests(None, name, _TOO_OFTEN.format(rate.per_second, whose), headers)
        return headers


class Recent:
    """Time of each device's last admission, oldest first, in seconds since 1970 by the environment's clock.

    If the clock was set back, times in the future count no more than those long past.
    """

    def __init__(self) -> None:
        # In a plain dictionary, finding the first entry means skipping all deleted ones before it.
        self._admitted: OrderedDict[str, float] = OrderedDict()

    def admit(self, device_id: str, now: float) -> tuple[bool, float]:
        """Return whether a device may send an update now, and the time of its next one."""
        last = self._admitted.get(device_id)
        if last is not None and _is_recent(last, now):
            return False, last + EVERY_S
        if last is not None:
            self._admitted.move_to_end(device_id)
        self._admitted[device_id] = now
        self._forget(now)
        return True, now + EVERY_S

    def _forget(self, now: float) -> None:
        """Drop the oldest entries while they are out of date or there are too many."""
        while self._admitted:
            oldest = next(iter(self._admitted))
            if _is_recent(self._admitted[oldest], now) and len(self._admitted) <= MAX_REMEMBERED:
                return
            del self._admitted[oldest]

    def __len__(self) -> int:
        return len(self._admitted)


def _is_recent(moment: float, now: float) -> bool:
    return 0 <= now - moment < EVERY_S


class TrackLimit:
    """The limit of tracking for one endpoint; all methods must be called in the event loop's thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._recent = {environment: Recent() for environment in Environment}

    def admit(self, environment: Environment, update: LocationUpdate) -> Headers:
        """Count a valid update and return its response headers; raises `TooManyRequests` if it is too early.

        Replayed updates are exempt.
        """
        if update.replayed or not self._engine.settings.get(environment).rate_limit:
            return NO_HEADERS
        now = self._engine.clock_of(environment).now().timestamp()
        admitted, next_at = self._recent[environment].admit(update.device_id, now)
        headers = _headers(ceil(next_at))
        if not admitted:
            raise TooManyRequests("deviceId", LIMIT_NAME, _REFUSAL, headers)
        return headers

    def forget(self, environment: Environment) -> None:
        """Let every device of an environment send immediately."""
        self._recent[environment] = Recent()


@lru_cache(maxsize=8)
def _headers(reset_s: int) -> Headers:
    """Return the headers for a device that may send again at this second."""
    return [
        (b"x-ratelimit-limit", b"1"),
        (b"x-ratelimit-remaining", b"0"),
        (b"x-ratelimit-reset", b"%d" % reset_s),
    ]
