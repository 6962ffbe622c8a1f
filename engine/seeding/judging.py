"""Conversion of a seed to the contents of an environment, all validated before anything is stored."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from msgspec import Struct

from engine.beacons.changes import created as created_beacon
from engine.delivery.judging import MAX_WEBHOOKS
from engine.delivery.judging import created as created_webhook
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, FencewrightError, InvalidParameter, NotFound
from engine.domain.geofence import Geofence
from engine.domain.settings import ProjectSettings, SettingsChange
from engine.domain.tracking.beacon import Beacon, Signal
from engine.domain.tracking.snapshots import (
    BeaconSeed,
    Contents,
    GeofenceSeed,
    KeptUser,
    Seed,
    StaySeed,
    TripSeed,
    UserSeed,
    WebhookSeed,
)
from engine.domain.tracking.trips import Trip
from engine.domain.tracking.updates import Fix, Presence, User
from engine.domain.values import replace
from engine.domain.webhooks.webhook import Webhook
from engine.geo.rings import check_ring
from engine.geofences.changes import Finders, created
from engine.seeding.trips import trip_made
from engine.trips.judging import Places

type _GeofenceKey = tuple[Environment, str, str]
type _UserKey = tuple[Environment, str, str | None]


class Judge(Struct, frozen=True):
    """Validates the parts of seeds; `settings` returns the defaults after a change, or raises `InvalidParameter`."""

    settings: Callable[[Environment, SettingsChange], ProjectSettings]
    finders: Finders
    make_id: Callable[[], str]

    def contents(self, seed: Seed, nows: dict[Environment, datetime]) -> dict[Environment, Contents]:
        """Return the contents of an empty workspace after loading a seed at the given times.

        Raises `InvalidParameter` naming the place in the seed, such as ``geofences[3].size``.
        """
        settings = {environment: self._settings(seed, environment) for environment in Environment}
        geofences = self._geofences(seed.geofences, nows)
        users = self._users(seed.users, geofences, nows)
        beacons = self._beacons(seed.beacons, nows)
        trips = self._trips(seed.trips, geofences, users, nows)
        webhooks = None if seed.webhooks is None else self._webhooks(seed.webhooks, nows)
        return {
            environment: Contents(
                settings[environment],
                tuple(each for each in geofences.values() if each.environment is environment),
                tuple(each for each in users if each.user.environment is environment),
                tuple(each for each in beacons if each.environment is environment),
                tuple(each for each in trips if each.environment is environment),
                None if webhooks is None else tuple(each for each in webhooks if each.environment is environment),
            )
            for environment in Environment
        }

    def _settings(self, seed: Seed, environment: Environment) -> ProjectSettings:
        with _place(f"settings.{environment}"):
            return self.settings(environment, seed.settings_of(environment))

    def _geofences(
        self, seeds: tuple[GeofenceSeed, ...], nows: dict[Environment, datetime]
    ) -> dict[_GeofenceKey, Geofence]:
        geofences: dict[_GeofenceKey, Geofence] = {}
        places: dict[_GeofenceKey, str] = {}
        ids: dict[str, str] = {}
        for index, seed in enumerate(seeds):
            place = f"geofences[{index}]"
            with _place(place):
                geofence = self._geofence(seed, nows[seed.environment])
            key = seed.environment, geofence.tag, geofence.external_id
            if (before := places.setdefault(key, place)) != place:
                identity = f"the tag {geofence.tag!r} and the external ID {geofence.external_id!r}"
                raise InvalidParameter(f"{place}.external_id", f"{place}.external_id: {before} already has {identity}.")
            _check_id(ids, geofence.id, place)
            geofences[key] = geofence
        return geofences

    def _geofence(self, seed: GeofenceSeed, now: datetime) -> Geofence:
        finders = self.finders
        if (given := seed.ring) is not None:
            ring = check_ring(given).ring
            finders = replace(finders, trace=lambda *_: ring)
        made = created(seed.change, seed.environment, lambda: seed.id or self.make_id(), now, finders)
        created_at = seed.created_at or now
        return replace(made, created_at=created_at, updated_at=seed.updated_at or created_at)

    def _users(
        self,
        seeds: tuple[UserSeed, ...],
        geofences: dict[_GeofenceKey, Geofence],
        nows: dict[Environment, datetime],
    ) -> list[KeptUser]:
        users: list[KeptUser] = []
        places: dict[_UserKey, str] = {}
        ids: dict[str, str] = {}
        for index, seed in enumerate(seeds):
            place = f"users[{index}]"
            key = seed.environment, seed.device_id, seed.user_id
            if (before := places.setdefault(key, place)) != place:
                whose = "no user ID" if seed.user_id is None else f"the user ID {seed.user_id!r}"
                identity = f"the device ID {seed.device_id!r} and {whose}"
                raise InvalidParameter(f"{place}.device_id", f"{place}.device_id: {before} already has {identity}.")
            user = self._user(seed, nows[seed.environment])
            _check_id(ids, user.id, place)
            users.append(KeptUser(user, tuple(_stays(seed, user, geofences, place))))
        return users

    def _beacons(self, seeds: tuple[BeaconSeed, ...], nows: dict[Environment, datetime]) -> list[Beacon]:
        beacons: list[Beacon] = []
        places: dict[_GeofenceKey, str] = {}
        senders: dict[tuple[Environment, Signal], str] = {}
        ids: dict[str, str] = {}
        for index, seed in enumerate(seeds):
            place = f"beacons[{index}]"
            with _place(place):
                beacon = self._beacon(seed, nows[seed.environment])
            key = seed.environment, beacon.tag, beacon.external_id
            if (before := places.setdefault(key, place)) != place:
                identity = f"the tag {beacon.tag!r} and the external ID {beacon.external_id!r}"
                raise InvalidParameter(f"{place}.external_id", f"{place}.external_id: {before} already has {identity}.")
            if (before := senders.setdefault((seed.environment, beacon.signal), place)) != place:
                raise InvalidParameter(f"{place}.type", f"{place}.type: {before} already has {beacon.signal}.")
            _check_id(ids, beacon.id, place)
            beacons.append(beacon)
        return beacons

    def _beacon(self, seed: BeaconSeed, now: datetime) -> Beacon:
        made = created_beacon(seed.change, seed.environment, lambda: seed.id or self.make_id(), now)
        created_at = seed.created_at or now
        return replace(made, created_at=created_at, updated_at=seed.updated_at or created_at)

    def _trips(
        self,
        seeds: tuple[TripSeed, ...],
        geofences: dict[_GeofenceKey, Geofence],
        users: list[KeptUser],
        nows: dict[Environment, datetime],
    ) -> list[Trip]:
        trips: list[Trip] = []
        places: dict[tuple[Environment, str], str] = {}
        ids: dict[str, str] = {}
        finders = {environment: _destinations(environment, geofences) for environment in Environment}
        records = {(kept.user.environment, kept.user.device_id, kept.user.user_id): kept.user.id for kept in users}
        for index, seed in enumerate(seeds):
            place = f"trips[{index}]"
            with _place(place):
                trip = trip_made(seed, self.make_id, finders[seed.environment], nows[seed.environment])
            if (before := places.setdefault((seed.environment, trip.external_id), place)) != place:
                identity = f"the external ID {trip.external_id!r}"
                raise InvalidParameter(f"{place}.external_id", f"{place}.external_id: {before} already has {identity}.")
            _check_id(ids, trip.id, place)
            if trip.status.is_active and trip.device_id is not None:
                trip = replace(trip, user=records.get((trip.environment, trip.device_id, trip.user_id)))
            trips.append(trip)
        return trips

    def _webhooks(self, seeds: tuple[WebhookSeed, ...], nows: dict[Environment, datetime]) -> list[Webhook]:
        webhooks: list[Webhook] = []
        counts = dict.fromkeys(Environment, 0)
        ids: dict[str, str] = {}
        for index, seed in enumerate(seeds):
            place = f"webhooks[{index}]"
            with _place(place):
                webhook = self._webhook(seed, nows[seed.environment])
            counts[seed.environment] += 1
            if counts[seed.environment] > MAX_WEBHOOKS:
                raise InvalidParameter(place, f"{place}: there are already {MAX_WEBHOOKS} webhooks, the maximum.")
            _check_id(ids, webhook.id, place)
            webhooks.append(webhook)
        return webhooks

    def _webhook(self, seed: WebhookSeed, now: datetime) -> Webhook:
        created_at = seed.created_at or now
        made = created_webhook(seed.change, seed.environment, lambda: seed.id or self.make_id(), created_at)
        return replace(made, updated_at=seed.updated_at or created_at)

    def _user(self, seed: UserSeed, now: datetime) -> User:
        updated_at = seed.updated_at or now
        return User(
            id=seed.id or self.make_id(),
            environment=seed.environment,
            device_id=seed.device_id,
            user_id=seed.user_id,
            description=seed.description,
            metadata=seed.metadata,
            fix=Fix(
                seed.point,
                seed.accuracy_m,
                updated_at,
                seed.foreground,
                seed.stopped,
                seed.altitude_m,
                seed.vertical_accuracy_m,
            ),
            device=seed.device,
            ip=seed.ip,
            user_tags=seed.user_tags,
            install_id=seed.install_id,
            created_at=seed.created_at or updated_at,
            updated_at=updated_at,
        )


def _destinations(environment: Environment, geofences: dict[_GeofenceKey, Geofence]) -> Places:
    """Return the geofences of a seed as possible destinations of trips."""
    by_id = {each.id: each for each in geofences.values() if each.environment is environment}
    return Places(by_id.get, lambda tag, external_id: geofences.get((environment, tag, external_id)))


def _stays(seed: UserSeed, user: User, geofences: dict[_GeofenceKey, Geofence], place: str) -> Iterator[Presence]:
    seen: dict[str, str] = {}
    for index, stay in enumerate(seed.stays):
        path = f"{place}.geofences[{index}]"
        geofence = _geofence_of(stay, seed.environment, geofences, path)
        if (before := seen.setdefault(geofence.id, path)) != path:
            raise InvalidParameter(path, f"{path}: {before} already puts the user in this geofence.")
        # Disabling a geofence ends the stays in it, which may have happened by the time of the seed.
        if geofence.enabled:
            yield Presence(geofence.id, stay.entered_at or user.updated_at, stay.dwelled)


def _geofence_of(
    stay: StaySeed, environment: Environment, geofences: dict[_GeofenceKey, Geofence], path: str
) -> Geofence:
    geofence = geofences.get((environment, stay.tag, stay.external_id))
    if geofence is None:
        identity = f"the tag {stay.tag!r} and the external ID {stay.external_id!r}"
        raise InvalidParameter(path, f"{path}: no geofence of the file has {identity} in {environment.name.title()}.")
    return geofence


def _check_id(ids: dict[str, str], given: str, place: str) -> None:
    if (before := ids.setdefault(given, place)) != place:
        raise InvalidParameter(f"{place}._id", f"{place}._id: {before} already has this _id.")


@contextmanager
def _place(place: str) -> Iterator[None]:
    """Add the place in the seed to errors raised in the block."""
    try:
        yield
    except (InvalidParameter, Conflict, NotFound) as error:
        raise InvalidParameter(f"{place}.{error.param}", f"{place}.{error.message}") from error
    except FencewrightError as error:
        raise InvalidParameter(place, f"{place}: {error.message}") from error
