"""The rate limit of tracking: one update per second and device, where the setting `rateLimit` is on."""

from collections import OrderedDict
from functools import lru_cache
from math import ceil
from typing import Final

from app.api.http.errors import TooManyRequests
from app.api.http.headers import Headers
from engine.domain.environment import Environment
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine

EVERY_S: Final = 1.0
MAX_REMEMBERED: Final = 100_000
"""Devices of an environment that are remembered at once: a clock that stands still lets nobody be forgotten."""

LIMIT_NAME: Final = "trackPerDevice"
"""The limit's name in `meta.type`."""

NO_HEADERS: Final[Headers] = []


class Recent:
    """When each device was last admitted, oldest first; seconds since 1970 by the environment's clock.

    A clock that was set back makes moments of the future, which count no more than those long past.
    """

    def __init__(self) -> None:
        # The first of a plain dictionary is found past all that were dropped before it.
        self._admitted: OrderedDict[str, float] = OrderedDict()

    def admit(self, device_id: str, now: float) -> tuple[bool, float]:
        """Return whether a device may send an update now, and from when on it may send the next."""
        last = self._admitted.get(device_id)
        if last is not None and _is_recent(last, now):
            return False, last + EVERY_S
        if last is not None:
            self._admitted.move_to_end(device_id)
        self._admitted[device_id] = now
        self._forget(now)
        return True, now + EVERY_S

    def _forget(self, now: float) -> None:
        """Drop the oldest for as long as nobody asks about it any more, or there are too many."""
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
    """The limit as one endpoint applies it; all its methods belong to the event loop's thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._recent = {environment: Recent() for environment in Environment}

    def admit(self, environment: Environment, update: LocationUpdate) -> Headers:
        """Count a valid update and return the headers of its answer; raises `TooManyRequests` when it comes too soon.

        What a device sends again later is exempt.
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
        """Let every device of an environment send at once."""
        self._recent[environment] = Recent()


@lru_cache(maxsize=8)
def _headers(reset_s: int) -> Headers:
    """Return the headers of everybody who may send again from that second on."""
    return [
        (b"x-ratelimit-limit", b"1"),
        (b"x-ratelimit-remaining", b"0"),
        (b"x-ratelimit-reset", b"%d" % reset_s),
    ]


_REFUSAL: Final = (
    "deviceId: a device may send one location update per second. Send past updates with replayed: true, or turn off "
    "the setting rateLimit."
)
