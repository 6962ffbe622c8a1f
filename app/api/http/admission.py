"""Admission of all requests: by client, host name, key and rate, and with the errors that the settings rehearse.

The ``Authorization`` header carries the raw key, which is what all SDKs send. ``Bearer <key>`` is accepted too, because
HTTP tools offer no other form for a bare token. Session tokens (the browser SDK's `authToken`, a JWT) are not accepted,
because their signature is the vendor's own.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from secrets import compare_digest
from typing import Final, NamedTuple, Protocol

from msgspec import Struct

from app.api.http.errors import CountryBlocked, Forbidden, PaymentRequired, TooManyRequests, Unauthorized, Unavailable
from app.api.http.headers import Headers, RawHeaders
from app.api.http.hosts import Hosts, refusal_of
from app.api.http.rates import NO_HEADERS, EndpointLimits, Rate, TrackLimit
from app.sdks.sightings import Sightings
from engine.domain.environment import ApiKey, Environment, KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.ip import normal_address
from engine.domain.settings import RehearsedError
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine

QUERY_KEY: Final = "publishableKey"
"""The query parameter with the key for clients that cannot send headers, such as images and map styles."""

_BEARER: Final = "bearer "
_SESSION_TOKEN: Final = re.compile(r"eyJ[\w-]*\.[\w-]+\.[\w-]*")
"""The shape of a JWT."""

_UNKNOWN: Final = "The API key in the Authorization header is not one of this workspace's keys."
_NO_SESSION_TOKENS: Final = (
    "Session tokens (an SDK's authToken) are not served: only the vendor's own servers, which issue them, can verify "
    "them. Send a key of this workspace instead: Authorization: <key>, or Authorization: Bearer <key>; in "
    "the browser SDK, publishableKey instead of authToken."
)

_WITH_PORT: Final = re.compile(r"(\d+\.\d+\.\d+\.\d+|\[[^\]]*\]):\d+")

_HOUR_S: Final = 3600
_DAY_S: Final = 24 * _HOUR_S

type CountryCheck = Callable[[str, Point], None]
"""Raises `CountryBlocked`, naming a parameter, for a position in a blocked country; may read files."""


class Keys(Protocol):
    """The part of a workspace's key ring that the endpoint needs."""

    def find(self, value: str) -> ApiKey | None:
        """Return the key with this value."""
        ...


def authenticate(keys: Keys, header: bytes | None, level: KeyLevel) -> ApiKey:
    """Return the key of a request; a secret key also gives access to publishable endpoints.

    Raises `Unauthorized` for a missing or unknown key, `Forbidden` for a publishable key on a secret endpoint.
    """
    if not header:
        raise Unauthorized("The request has no API key: send one in the Authorization header.")
    value = bare_key(header)
    key = keys.find(value)
    if key is None:
        raise Unauthorized(_NO_SESSION_TOKENS if _SESSION_TOKEN.fullmatch(value) else _UNKNOWN)
    if level is KeyLevel.SECRET and key.level is not KeyLevel.SECRET:
        raise Forbidden("This endpoint needs a secret key; the request has a publishable one.")
    return key


def authenticate_by_query(keys: Keys, value: str) -> ApiKey:
    """Return the key of a query, which must not be a secret one because URLs are visible to others.

    Raises `Unauthorized` ``publishableKey`` for an unknown key, `Forbidden` for a secret one.
    """
    key = keys.find(value)
    if key is None:
        raise Unauthorized(f"{QUERY_KEY}: this is not one of this workspace's keys.", QUERY_KEY)
    if key.level is not KeyLevel.PUBLISHABLE:
        raise Forbidden(f"{QUERY_KEY}: a secret key belongs in the Authorization header.", QUERY_KEY)
    return key


def check_token(token: str, header: bytes | None) -> None:
    """Raise `Unauthorized` unless a control request carries the token published by this process."""
    if header is None or not compare_digest(bare_key(header).encode(), token.encode()):
        raise Unauthorized("The control token is missing or not the one of this process.")


def bare_key(header: bytes) -> str:
    """Return the value of an ``Authorization`` header without ``Bearer``."""
    text = header.decode("latin-1").strip()
    return text[len(_BEARER) :].strip() if text[: len(_BEARER)].lower() == _BEARER else text


def client_address(headers: Mapping[bytes, bytes], peer: str | None, trusted_header: str | None) -> str | None:
    """Return the address of a request's client.

    This is the peer of the connection or, with a trusted proxy, the last address in its header, which is the one that
    the proxy itself saw. A client can write any addresses before it.
    """
    if trusted_header is None:
        return peer
    reported = headers.get(trusted_header.lower().encode(), b"").decode("latin-1").rpartition(",")[2].strip()
    with_port = _WITH_PORT.fullmatch(reported)
    address = normal_address((with_port[1] if with_port else reported).strip("[]"))
    return peer if address is None else str(address)


class Caller(NamedTuple):
    """Sender of a request: its key and its address."""

    key: ApiKey
    address: str | None


class _Period(Struct):
    """Number of requests in an hour or a day, which is numbered since 1970."""

    number: int = -1
    count: int = 0


class Rehearsal:
    """Errors of the specification that do not depend on the request, such as a disabled organization.

    The settings make the endpoint return them, for tests of an app. The methods must be called in the event loop's
    thread.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._hours = {environment: _Period() for environment in Environment}
        self._days = {environment: _Period() for environment in Environment}

    def check(self, environment: Environment) -> None:
        """Raise the error that the settings rehearse, or count the request towards the hourly and daily limits.

        Raises `TooManyRequests` if one of these limits is reached.
        """
        settings = self._engine.settings.get(environment)
        if not settings.rehearses:
            return
        if settings.rehearsed_error is not None:
            raise _error_of(settings.rehearsed_error)
        now = self._engine.clock_of(environment).now().timestamp()
        hour, day = self._hours[environment], self._days[environment]
        _check_limit(hour, "hourly", settings.hourly_limit, _HOUR_S, now)
        _check_limit(day, "daily", settings.daily_limit, _DAY_S, now)
        hour.count += 1
        day.count += 1

    def country_check(self, environment: Environment) -> CountryCheck | None:
        """Return the check that refuses locations in blocked countries, or None if no country is blocked."""
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


def _check_limit(period: _Period, kind: str, limit: int | None, length_s: int, now: float) -> None:
    """Raise `TooManyRequests` if the period's limit is reached; periods begin on the full hour or day."""
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


class Admission:
    """Admission of every request by host, key and rate; without `limited`, the rate is not restricted.

    `sightings` receive every request that names an SDK.
    """

    def __init__(self, engine: Engine, hosts: Hosts, *, limited: bool, sightings: Sightings | None = None) -> None:
        self._engine = engine
        self._sightings = sightings
        self._hosts = hosts
        self._keys: Keys = engine.workspace.keys
        self._tracking = TrackLimit(engine) if limited else None
        self._endpoints = EndpointLimits(engine) if limited else None
        self._rehearsal = Rehearsal(engine) if limited else None

    def check_host(self, headers: RawHeaders) -> None:
        """Raise `InvalidParameter` for a request with a foreign host name."""
        host = headers.get(b"host")
        if not self._hosts.allows(host):
            raise InvalidParameter("Host", refusal_of(host or b""))

    def caller(self, headers: RawHeaders, peer: str | None, level: KeyLevel, query_key: str | None = None) -> Caller:
        """Return the sender of a request that needs a key of this level; `query_key` applies if no header has a key.

        The address is determined by the environment's settings. Raises `Unauthorized` and `Forbidden`.
        """
        try:
            header = headers.get(b"authorization")
            if query_key and not header:
                key = authenticate_by_query(self._keys, query_key)
            else:
                key = authenticate(self._keys, header, level)
        except Unauthorized:
            if self._sightings is not None:
                self._sightings.note(headers, None)
            raise
        if self._sightings is not None:
            self._sightings.note(headers, key.environment)
        return Caller(
            key, client_address(headers, peer, self._engine.settings.get(key.environment).trusted_proxy_header)
        )

    def still_admits(self, caller: Caller) -> bool:
        """Return whether the key of a request in progress has not been replaced since."""
        return self._keys.find(caller.key.value) is not None

    def check_workspace(self) -> None:
        """Raise `StorageUnavailable` if the files of the workspace were deleted or replaced.

        Location updates need no check here: stored updates are acknowledged only after their commit, which checks.
        """
        self._engine.watch.files.check()

    def rehearse(self, environment: Environment) -> None:
        """Raise the error that the settings rehearse."""
        if self._rehearsal is not None:
            self._rehearsal.check(environment)

    def country_check(self, environment: Environment) -> CountryCheck | None:
        """Return the check that refuses locations in blocked countries, or None if no country is blocked.

        The check itself may block, so it must not run in the event loop's thread.
        """
        return None if self._rehearsal is None else self._rehearsal.country_check(environment)

    def admit_update(self, environment: Environment, update: LocationUpdate) -> Headers:
        """Count an update that is about to be submitted; raises `TooManyRequests`."""
        return NO_HEADERS if self._tracking is None else self._tracking.admit(environment, update)

    def forget(self, environment: Environment) -> None:
        """Forget the devices of an environment that have just sent an update."""
        if self._tracking is not None:
            self._tracking.forget(environment)

    def admit_request(self, caller: Caller, name: str, rate: Rate | None) -> Headers:
        """Count a request to an operation; raises `TooManyRequests`."""
        if self._endpoints is None or rate is None:
            return NO_HEADERS
        return self._endpoints.admit(caller.key, name, rate, caller.address)
