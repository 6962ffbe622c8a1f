"""Errors of the specification that depend on no request: settings have the endpoint answer them, for tests of an app.

Nobody's organization is disabled here, and no country is blocked; how an app fares when it happens can be tried.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from starlette.types import Scope

from app.api.http.errors import CountryBlocked, PaymentRequired, TooManyRequests, Unavailable
from app.faults.book import Hit
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.settings import RehearsedError
from engine.domain.values.dataclass import dataclass
from engine.engine import Engine

HOUR_S: Final = 3600
DAY_S: Final = 24 * HOUR_S

type CountryCheck = Callable[[str, Point], None]
"""Raises `CountryBlocked`, naming a parameter, for a position in a blocked country; it may read files."""

HELD_S: Final = 0.25
"""For so long the last byte of a 408 is held back: a browser that sends again has closed the connection by then."""

EXPECTED_S: Final = 2.0
"""For so long a request is expected again."""

type Request = tuple[object, ...]
type HasLeft = Callable[[], bool]


@dataclass(slots=True)
class Period:
    """Number of requests in the present hour or day, by its number since 1970."""

    number: int = -1
    count: int = 0


class Rehearsal:
    """The errors as one endpoint answers them; its methods belong to the event loop's thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._hours = {environment: Period() for environment in Environment}
        self._days = {environment: Period() for environment in Environment}

    def check(self, environment: Environment) -> None:
        """Raise what the settings have every request answered with, and count it where they limit requests."""
        settings = self._engine.settings.get(environment)
        if not settings.rehearses:
            return
        if settings.rehearsed_error is not None:
            raise _error_of(settings.rehearsed_error)
        now = self._engine.clock_of(environment).now().timestamp()
        hour, day = self._hours[environment], self._days[environment]
        _check_limit(hour, "hourly", settings.hourly_limit, HOUR_S, now)
        _check_limit(day, "daily", settings.daily_limit, DAY_S, now)
        hour.count += 1
        day.count += 1

    def country_check(self, environment: Environment) -> CountryCheck | None:
        """Return what refuses locations in blocked countries; None where there are none."""
        blocked = self._engine.settings.get(environment).blocked_countries
        return partial(self._check_country, environment, frozenset(blocked)) if blocked else None

    def _check_country(self, environment: Environment, blocked: frozenset[str], param: str, point: Point) -> None:
        country = self._engine.tracking.country_at(environment, point)
        if country is not None and country in blocked:
            raise CountryBlocked(param, country)


def _error_of(error: RehearsedError) -> PaymentRequired | Unavailable:
    rehearsed = f"(rehearsed by the setting rehearsedError, {error.value})"
    match error:
        case RehearsedError.ORGANIZATION_DISABLED:
            return PaymentRequired(f"Payment required: the organization is disabled {rehearsed}.")
        case RehearsedError.USAGE_EXCEEDED:
            return PaymentRequired(f"Payment required: the usage is exceeded {rehearsed}.")
        case RehearsedError.UNAVAILABLE:
            return Unavailable(f"The service is temporarily unavailable {rehearsed}.")


def _check_limit(period: Period, kind: str, limit: int | None, length_s: int, now: float) -> None:
    """Raise `TooManyRequests` when the present period has had its requests; periods begin on the full hour or day."""
    number = int(now // length_s)
    if number != period.number:
        period.number, period.count = number, 0
    if limit is not None and period.count >= limit:
        headers = [
            (b"x-ratelimit-limit", b"%d" % limit),
            (b"x-ratelimit-remaining", b"0"),
            (b"x-ratelimit-reset", b"%d" % ((number + 1) * length_s)),
        ]
        message = f"Too many requests: the {kind} limit of {limit} is exceeded (setting {kind}Limit)."
        raise TooManyRequests(None, kind, message, headers)


class Resends:
    """The requests that may be sent again, each with the fault that it met, on one event loop."""

    def __init__(self) -> None:
        self._expected: dict[Request, tuple[Hit, HasLeft]] = {}

    def __bool__(self) -> bool:
        return bool(self._expected)

    def expect(self, request: Request, hit: Hit, has_left: HasLeft) -> None:
        """Expect a request again for a while, once its client has left."""
        self._expected[request] = hit, has_left
        asyncio.get_running_loop().call_later(EXPECTED_S, self.forget, request)

    def forget(self, request: Request) -> None:
        """Expect a request no more: its client has the whole answer."""
        self._expected.pop(request, None)

    def take(self, request: Request) -> Hit | None:
        """Return the fault that a request has met before, if it is one that was sent again."""
        hit, has_left = self._expected.get(request, (None, None))
        if has_left is None or not has_left():
            return None
        self.forget(request)
        return hit


def request_of(scope: Scope, device_id: str | None) -> Request:
    """Return the key that a resent request has in common with the first; the client's address is without its port."""
    address = (scope["client"] or ("",))[0]
    return address, scope["method"], scope["raw_path"], scope["query_string"], tuple(scope["headers"]), device_id
