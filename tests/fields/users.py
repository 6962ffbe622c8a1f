"""The places that must know every field of users, except the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from msgspec.structs import fields

from app.api.v1.track import location_update
from app.api.wire.common.decoding import validate
from app.api.wire.common.encoding import wire_name
from app.api.wire.track import TrackBody
from app.api.wire.user import encode_user, encode_user_summary
from app.exporting.columns import COLUMNS
from app.exports import RecordKind
from engine.domain.tracking.snapshots import KeptUser
from engine.domain.tracking.updates import LocationUpdate, Presence, User, UserSummary
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.queries import find_user
from engine.store.workspace import MEMORY
from tests.fields.beacons import samples as beacons
from tests.fields.examples import at, example, whole, wire
from tests.fields.geofences import samples as geofences
from tests.fields.places import Place, read_back, shown
from tests.fields.requests import unapplied_fields
from tests.fields.served import TEST, in_events, reopened, sent, through_a_file


def sample() -> User:
    """Return a user with all fields set."""
    fences, detected = (replace(geofences()[0].summary, extent=None),), (beacons()[0].summary,)
    return whole(User, geofences=fences, beacons=detected)  # type: ignore[no-any-return]


def samples() -> list[User]:
    """Return a user with all fields set."""
    return [sample()]


def _summaries() -> list[UserSummary]:
    return [whole(UserSummary)]


def _kept(user: User) -> KeptUser:
    return KeptUser(user, (Presence(user.geofences[0].id, at(56), dwelled=True),))


def _stored(given: Sequence[User]) -> list[User]:
    with reopened(geofences=geofences(), beacons=beacons(), users=[_kept(user) for user in given]) as engine:
        found = [engine._parts.database.read(partial(find_user, environment=TEST, key=user.id)) for user in given]
        return [user for user in found if user is not None]


def _seeded(given: Sequence[User]) -> list[User]:
    with reopened(geofences=geofences(), users=[_kept(user) for user in given]) as engine:
        return [kept.user for kept in through_a_file(engine).contents[TEST].users]


def _body(*, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the body of an update with an example of every field, under the names used in requests."""
    given = {each.name: wire(example(LocationUpdate, each.name)) for each in fields(LocationUpdate)}
    parts = [value if _has_own_names(name, value) else {wire_name(name): value} for name, value in given.items()]
    return {name: value for part in parts for name, value in part.items() if name not in without}


def _has_own_names(name: str, value: Any) -> bool:
    return isinstance(value, dict) and name != "metadata"


def _misread() -> set[str]:
    """Return the fields of an update that a parsed request sets without effect."""
    given = example(LocationUpdate, "ip").value
    body = validate(TrackBody, _body(), strict=True)
    return unapplied_fields(location_update(body, given, explain=True, once=True), ())


def _tracked(_given: Sequence[User]) -> list[User]:
    """Return the user of an update over HTTP, at the time given in the update."""
    with Engine.open(MEMORY, frozen_at=at(43)) as engine:
        found = sent(engine, "POST", "/v1/track", _body(without=("anonymous", "tripOptions", "replayed")))
        return [engine.users.get(TEST, found["user"]["_id"])]


def _columns(user: User) -> dict[str, Any]:
    record = dict(encode_user(user))
    return {column.name: column.of(record) for column in COLUMNS[RecordKind.USERS]}


def _place(name: str, forgotten: Callable[[], set[str]]) -> Place:
    return Place("user", name, forgotten)


PLACES: Final = (
    _place("store (reopened)", read_back(samples, _stored)),
    _place("store (in events)", read_back(_summaries, lambda given: in_events(user=given))),
    _place("seed and snapshot", read_back(samples, _seeded)),
    _place("API request (as it is read)", _misread),
    _place("API request (over HTTP)", read_back(samples, _tracked)),
    _place("API response", shown(samples, encode_user)),
    _place("API response (in events)", shown(_summaries, encode_user_summary)),
    _place("CSV file (exported)", shown(samples, _columns)),
)
