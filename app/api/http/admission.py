"""Admission of requests, however they come: by host name, key and rate."""

from typing import NamedTuple

from app.api.http.authentication import Keys, authenticate, authenticate_by_query
from app.api.http.clients import client_address
from app.api.http.endpoint_limits import EndpointLimits, Rate
from app.api.http.errors import Unauthorized
from app.api.http.faults.rehearsal import CountryCheck, Rehearsal
from app.api.http.headers import Headers, RawHeaders
from app.api.http.hosts import Hosts, refusal_of
from app.api.http.throttle import NO_HEADERS, TrackLimit
from app.sdks.sightings import Sightings
from engine.domain.environment import ApiKey, Environment, KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine


class Caller(NamedTuple):
    """Sender of a request: its key and its address."""

    key: ApiKey
    address: str | None


class Admission:
    """Admission of every request: host, key and rate. Where it is not `limited`, requests may come at any speed.

    `sightings` are told of every request that names an SDK.
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
        """Raise `InvalidParameter` for a request under a foreign host name."""
        host = headers.get(b"host")
        if not self._hosts.allows(host):
            raise InvalidParameter("Host", refusal_of(host or b""))

    def caller(self, headers: RawHeaders, peer: str | None, level: KeyLevel, query_key: str | None = None) -> Caller:
        """Return who sends a request to what needs a key of that level; `query_key` counts where no header has one.

        The address is found out as the environment's settings say. Raises `Unauthorized` and `Forbidden`.
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
        """Whether the key of a request that is being answered has not been replaced since."""
        return self._keys.find(caller.key.value) is not None

    def check_workspace(self) -> None:
        """Raise `StorageUnavailable` where the workspace is not the one that was opened.

        Location updates need not ask: those that are stored are acknowledged only after their commit has asked.
        """
        self._engine.watch.check()

    def rehearse(self, environment: Environment) -> None:
        """Raise the error that the settings have every request answered with."""
        if self._rehearsal is not None:
            self._rehearsal.check(environment)

    def country_check(self, environment: Environment) -> CountryCheck | None:
        """Return what refuses locations in blocked countries, which may block; None where there are none."""
        return None if self._rehearsal is None else self._rehearsal.country_check(environment)

    def admit_update(self, environment: Environment, update: LocationUpdate) -> Headers:
        """Count an update that is about to be handed in; raises `TooManyRequests`."""
        return NO_HEADERS if self._tracking is None else self._tracking.admit(environment, update)

    def forget(self, environment: Environment) -> None:
        """Forget which devices of an environment have just sent an update."""
        if self._tracking is not None:
            self._tracking.forget(environment)

    def admit_request(self, caller: Caller, name: str, rate: Rate | None) -> Headers:
        """Count a request to an operation that is about to be served; raises `TooManyRequests`."""
        if self._endpoints is None or rate is None:
            return NO_HEADERS
        return self._endpoints.admit(caller.key, name, rate, caller.address)
