"""Reading and writing the file of ``serve --seed`` and ``fencewright snapshot``.

An error in a file names its location, such as ``geofences[3].radius``, and then nothing is stored.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NoReturn

import orjson
from msgspec import Struct, field

from app.api.http.errors import shown
from app.api.v1.beacons import change_of as beacon_change_of
from app.api.v1.geofences import change_of
from app.api.v1.webhooks import change_of as webhook_change_of
from app.api.wire.common.decoding import validate
from app.api.wire.common.encoding import Encoded
from app.api.wire.settings.request import decode_settings_change
from app.api.wire.snapshot import (
    VERSION,
    WITHOUT_HOURS_RULE,
    SeedBeacon,
    SeedClock,
    SeedGeofence,
    SeedKeys,
    SeedStay,
    SeedUser,
    SeedWebhook,
)
from app.api.wire.trips.seed import SeedTrip, decode_trip_seed
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import UNSET, GeofenceChange
from engine.domain.geometry import GeometryType, Point, check_latitude, check_longitude
from engine.domain.hours import HoursRule
from engine.domain.metadata import MAX_USER_KEYS, NO_METADATA, check_metadata
from engine.domain.nesting import NestedTooDeeply, not_too_deep
from engine.domain.settings import SettingsChange
from engine.domain.tracking.snapshots import (
    BeaconSeed,
    ClockSeed,
    GeofenceSeed,
    Seed,
    StaySeed,
    TripSeed,
    UserSeed,
    WebhookSeed,
)
from engine.domain.tracking.updates import Device, DeviceType
from engine.domain.values import replace
from engine.domain.words import did_you_mean

_EARLIER: Final = SettingsChange(operating_hours_rule=HoursRule.CALENDAR)
MAX_SEED: Final = 256 * 1024 * 1024
"""Maximum size of a file in bytes. A hundred thousand circles take about 25 MB."""


def read_seed(file: Path) -> Seed:
    """Return the seed in a file. Raises `InvalidParameter` naming the file and the location in it."""
    try:
        if file.stat().st_size > MAX_SEED:
            raise InvalidParameter("seed", f"{file}: must not be larger than {MAX_SEED // 1024 // 1024} MB.")
        content = file.read_bytes()
    except OSError as error:
        raise InvalidParameter("seed", f"{file} cannot be read: {error.strerror}.") from error
    try:
        return decode_seed(content)
    except InvalidParameter as error:
        raise InvalidParameter("seed", f"{file}: {error.message}") from error


def decode_seed(content: bytes) -> Seed:
    """Return the seed in JSON. Raises `InvalidParameter` naming the location."""
    whole = _parse(content)
    if not isinstance(whole, dict):
        _refuse("seed", "must be a JSON object with version, geofences, users …")
    _check_version(whole)
    draft = _Draft()
    if whole["version"] == WITHOUT_HOURS_RULE:
        draft.settings.update(dict.fromkeys(Environment, _EARLIER))
    for name, value in whole.items():
        if name != "version":
            read = _SECTIONS.get(name)
            if read is None:
                known = ("version", *_SECTIONS)
                listed = f"; must be one of {', '.join(known)}."
                _refuse(_name(name), f"unknown section{did_you_mean(name, known, listed)}")
            read(value, draft)
    return Seed(
        settings=draft.settings,
        geofences=tuple(draft.geofences),
        users=tuple(draft.users),
        beacons=tuple(draft.beacons),
        trips=tuple(draft.trips),
        webhooks=None if draft.webhooks is None else tuple(draft.webhooks),
        clock=draft.clock,
        keys=draft.keys,
    )


def write_seed(encoded: Encoded) -> bytes:
    """Return a snapshot as a file with one line per record, so that two can be compared."""
    parts = [f"  {_text(name)}: {_section_text(value)}" for name, value in encoded.items()]
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _section_text(value: object) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"    {_text(item)}" for item in value) + "\n  ]"
    return _text(value)


def _text(value: object) -> str:
    return orjson.dumps(value).decode()


class _Draft(Struct):
    """A seed whose sections are being read."""

    settings: dict[Environment, SettingsChange] = field(default_factory=dict)
    geofences: list[GeofenceSeed] = field(default_factory=list)
    users: list[UserSeed] = field(default_factory=list)
    beacons: list[BeaconSeed] = field(default_factory=list)
    trips: list[TripSeed] = field(default_factory=list)
    webhooks: list[WebhookSeed] | None = None
    clock: ClockSeed | None = None
    keys: dict[KeyLevel, str] = field(default_factory=dict)


def _read_settings(value: object, draft: _Draft) -> None:
    for name, settings in _object(value, "settings").items():
        environment = _environment(name, "settings")
        with _at(f"settings.{name}"):
            change = decode_settings_change(_object(settings, ""))
            if change.operating_hours_rule in (UNSET, None) and environment in draft.settings:
                change = replace(change, operating_hours_rule=HoursRule.CALENDAR)
            draft.settings[environment] = change


def _read_geofences(value: object, draft: _Draft) -> None:
    for index, item in enumerate(_list(value, "geofences")):
        with _at(f"geofences[{index}]"):
            draft.geofences.append(geofence_seed(validate(SeedGeofence, _object(item, ""), strict=True)))


def _read_users(value: object, draft: _Draft) -> None:
    for index, item in enumerate(_list(value, "users")):
        with _at(f"users[{index}]"):
            draft.users.append(_user_seed(validate(SeedUser, _object(item, ""), strict=True)))


def _read_beacons(value: object, draft: _Draft) -> None:
    for index, item in enumerate(_list(value, "beacons")):
        with _at(f"beacons[{index}]"):
            draft.beacons.append(beacon_seed(validate(SeedBeacon, _object(item, ""), strict=True)))


def _read_trips(value: object, draft: _Draft) -> None:
    for index, item in enumerate(_list(value, "trips")):
        with _at(f"trips[{index}]"):
            draft.trips.append(decode_trip_seed(validate(SeedTrip, _object(item, ""), strict=True)))


def _read_webhooks(value: object, draft: _Draft) -> None:
    draft.webhooks = []
    for index, item in enumerate(_list(value, "webhooks")):
        with _at(f"webhooks[{index}]"):
            draft.webhooks.append(_webhook_seed(validate(SeedWebhook, _object(item, ""), strict=True)))


def _read_clock(value: object, draft: _Draft) -> None:
    with _at("clock"):
        body = validate(SeedClock, _object(value, ""), strict=True)
    if not body.system:
        scale = 1.0 if body.scale is None else body.scale
        frozen = scale == 0 if body.frozen is None else body.frozen
        draft.clock = ClockSeed(now=body.now, frozen=frozen, scale=scale)


def _read_keys(value: object, draft: _Draft) -> None:
    for name, keys in _object(value, "keys").items():
        if _environment(name, "keys") is Environment.LIVE:
            _refuse("keys.live", "only the keys of Test can be given.")
        with _at("keys.test"):
            body = validate(SeedKeys, _object(keys, ""), strict=True)
        given = {KeyLevel.PUBLISHABLE: body.publishable, KeyLevel.SECRET: body.secret}
        draft.keys = {level: key for level, key in given.items() if key is not None}


_SECTIONS: Final[Mapping[str, Callable[[object, _Draft], None]]] = {
    "settings": _read_settings,
    "geofences": _read_geofences,
    "users": _read_users,
    "beacons": _read_beacons,
    "trips": _read_trips,
    "webhooks": _read_webhooks,
    "clock": _read_clock,
    "keys": _read_keys,
}


def geofence_seed(body: SeedGeofence) -> GeofenceSeed:
    """Return the engine's value for a geofence of the file."""
    change = _sized(change_of(body), body)
    return GeofenceSeed(
        environment=_environment_of(body.live),
        change=change,
        id=body.id,
        created_at=body.created_at,
        updated_at=body.updated_at,
        ring=body.given_outline(),
    )


def _sized(change: GeofenceChange, body: SeedGeofence) -> GeofenceChange:
    """Return a change with the radius of a returned geofence, unless it is given as for a new one."""
    is_located = body.coordinates is not None or change.address is not UNSET or change.place_id is not UNSET
    if is_located or change.type == GeometryType.POLYGON or change.size is not UNSET or body.geometry_radius is None:
        return change
    return replace(change, size=body.geometry_radius)


def beacon_seed(body: SeedBeacon) -> BeaconSeed:
    """Return the engine's value for a beacon of the file."""
    return BeaconSeed(
        environment=_environment_of(body.live),
        change=beacon_change_of(body),
        id=body.id,
        created_at=body.created_at,
        updated_at=body.updated_at,
    )


def _webhook_seed(body: SeedWebhook) -> WebhookSeed:
    return WebhookSeed(
        environment=_environment_of(body.live),
        change=webhook_change_of(body),
        id=body.id,
        created_at=body.created_at,
        updated_at=body.updated_at,
    )


def _user_seed(body: SeedUser) -> UserSeed:
    longitude, latitude = body.location.coordinates
    kind = None if body.device_type is None else DeviceType(body.device_type)
    return UserSeed(
        environment=_environment_of(body.live),
        device_id=body.device_id,
        point=Point(check_longitude(longitude, "location"), check_latitude(latitude, "location")),
        accuracy_m=body.location_accuracy,
        id=body.id,
        user_id=body.user_id,
        description=body.description,
        metadata=check_metadata(body.metadata, max_keys=MAX_USER_KEYS) if body.metadata else NO_METADATA,
        foreground=bool(body.foreground),
        stopped=bool(body.stopped),
        altitude_m=body.altitude,
        vertical_accuracy_m=body.vertical_accuracy,
        device=Device(kind, body.device_os, body.device_make, body.device_model),
        ip=body.ip,
        user_tags=tuple(dict.fromkeys(body.user_tags or ())),
        install_id=body.install_id,
        created_at=body.created_at,
        updated_at=body.updated_at,
        stays=tuple(_stay_seed(item, index) for index, item in enumerate(body.geofences or ())),
    )


def _stay_seed(item: object, index: int) -> StaySeed:
    with _at(f"geofences[{index}]"):
        body = validate(SeedStay, _object(item, ""), strict=True)
    return StaySeed(tag=body.tag, external_id=body.external_id, entered_at=body.entered_at, dwelled=bool(body.dwelled))


def _environment_of(live: bool | None) -> Environment:
    return Environment.LIVE if live else Environment.TEST


def _environment(name: str, section: str) -> Environment:
    try:
        return Environment(name)
    except ValueError:
        _refuse(f"{section}.{_name(name)}", "must be test or live.")


def _check_version(whole: dict[str, Any]) -> None:
    version = whole.get("version")
    if version is None:
        _refuse("version", f"is required: {VERSION}.")
    if isinstance(version, bool) or version not in (WITHOUT_HOURS_RULE, VERSION):
        _refuse(
            "version",
            f"must be {WITHOUT_HOURS_RULE} or {VERSION}, not {shown(version)}; another version of Fencewright may read "
            "the file.",
        )


def _object(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        _refuse(place, f"must be a JSON object, not {shown(value)}.")
    return value


def _list(value: object, place: str) -> list[Any]:
    if not isinstance(value, list):
        _refuse(place, f"must be a list, not {shown(value)}.")
    return value


def _parse(content: bytes) -> object:
    try:
        return json.loads(not_too_deep(content), object_pairs_hook=_each_once, parse_constant=_no_constant)
    except NestedTooDeeply as error:
        _refuse("seed", f"{error}.")
    except json.JSONDecodeError as error:
        _refuse("seed", f"is not valid JSON: line {error.lineno}, column {error.colno}: {error.msg}.")
    except UnicodeDecodeError:
        _refuse("seed", "is not valid UTF-8.")
    except ValueError as error:
        _refuse("seed", f"is not valid JSON: {error}.")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        _refuse(_name(twice), "this field is given twice.")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _name(text: str) -> str:
    """Return a name from the file in a form suitable for an error message."""
    return text if text.isidentifier() and len(text) <= 60 else shown(text)


def _refuse(place: str, problem: str) -> NoReturn:
    raise InvalidParameter(place, f"{place}: {problem}")


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Add the location in the file to errors."""
    try:
        yield
    except InvalidParameter as error:
        param, message = f"{place}.{error.param}", f"{place}.{error.message}"
        if not error.param:
            param, message = place, f"{place}{error.message}"
        raise InvalidParameter(param, message) from error
