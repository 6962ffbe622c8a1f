"""Geofences: create, upsert, read, list, delete, and the users in one.

A path with one segment names a geofence by its ``_id``. A path with two segments names it by tag and external ID,
unless the first segment is the ``_id`` of an existing geofence. In that case the second segment must be ``users``, and
anything else is a 404. A geofence whose tag equals an existing ``_id`` can therefore only be reached by its own
``_id``.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

from pydantic.alias_generators import to_snake

from app.api.http.rates import Rate
from app.api.http.services import Services
from app.api.v1.operations import Call, Routes
from app.api.v1.records import RecordOperations, key_of, or_unset, query_of
from app.api.v1.users import query_of as user_query_of
from app.api.wire.common.encoding import Encoded, encode_answer, wire_name
from app.api.wire.common.portions import encode_page
from app.api.wire.geofence import (
    GeofenceAnswer,
    GeofenceCreate,
    GeofenceListAnswer,
    GeofenceListQuery,
    GeofenceUpsert,
    encode_geofence,
)
from app.api.wire.user import UserListAnswer, UserListQuery, encode_user
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import InvalidParameter, NotFound, renamed
from engine.domain.fields.geofence import RULES
from engine.domain.fields.rows import ValueKind
from engine.domain.geofence import UNSET, Geofence, GeofenceChange, Unset
from engine.domain.geometry import Isochrone
from engine.domain.ip import parse_ip_ranges
from engine.domain.metadata import MAX_GEOFENCE_KEYS, check_metadata
from engine.domain.queries import GeofenceQuery
from engine.domain.settings import check_dwell_threshold
from engine.engine import Engine

routes = Routes(KeyLevel.SECRET)


def names_a_geofence(services: Services, path: Mapping[str, str]) -> bool:
    """Return whether a path's ``_id`` is the ID of a geofence rather than a tag."""
    return any(_exists(services.engine, environment, path["_id"]) for environment in Environment)


def _exists(engine: Engine, environment: Environment, geofence_id: str) -> bool:
    try:
        engine.geofences.get(environment, geofence_id)
    except NotFound:
        return False
    return True


async def create(call: Call[None, GeofenceCreate]) -> Encoded:
    """Create a geofence; raises `Conflict` if its pair of tag and external ID is taken."""
    change = change_of(call.body)
    with _named_as_given(call.body):
        stored = await call.services.run(call.services.engine.geofences.create, call.environment, change)
    return await _changed(call, change, stored)


async def list_all(call: Call[GeofenceListQuery, None]) -> Encoded:
    """List geofences, newest update first."""
    geofences = partial(call.services.engine.geofences.page, call.environment, query_of(GeofenceQuery, call.query))
    return await call.services.run(lambda: encode_page("geofences", encode_geofence, geofences()))


async def read(call: Call[None, None]) -> Encoded:
    """Read the geofence with an ``_id``."""
    engine = call.services.engine
    return await _read(call, await call.services.run(engine.geofences.get, call.environment, call.path["_id"]))


async def update(call: Call[None, GeofenceUpsert]) -> Encoded:
    """Change the geofence with an ``_id``, which must exist."""
    change = change_of(call.body)
    engine = call.services.engine
    with _named_as_given(call.body):
        stored = await call.services.run(engine.geofences.update, call.environment, call.path["_id"], change)
    return await _changed(call, change, stored)


async def delete(call: Call[None, None]) -> Encoded:
    """Delete the geofence with an ``_id`` and return it."""
    engine = call.services.engine
    return _answer(await call.services.run(engine.geofences.delete, call.environment, call.path["_id"]))


async def read_by_key(call: Call[None, None]) -> Encoded:
    """Read the geofence with a tag and an external ID."""
    return await _read(call, await call.services.run(_by_key, call.services.engine, call.environment, *key_of(call)))


async def upsert(call: Call[None, GeofenceUpsert]) -> Encoded:
    """Change the geofence with a tag and an external ID, or create it."""
    tag, external_id = key_of(call)
    change = change_of(call.body)
    with _named_as_given(call.body):
        stored = await call.services.run(_upsert, call.services.engine, call.environment, tag, external_id, change)
    return await _changed(call, change, stored)


async def delete_by_key(call: Call[None, None]) -> Encoded:
    """Delete the geofence with a tag and an external ID and return it."""
    return _answer(await call.services.run(_delete_by_key, call.services.engine, call.environment, *key_of(call)))


@routes(
    "GET",
    "/v1/geofences/{_id}/users",
    name="listUsersInGeofence",
    summary="List the users in a geofence by its _id",
    answer=UserListAnswer,
    applies=names_a_geofence,
)
async def users(call: Call[UserListQuery, None]) -> Encoded:
    """List the users in the geofence with an ``_id``, newest update first."""
    return await _users_in(call, call.path["_id"])


@routes(
    "GET",
    "/v1/geofences/{tag}/{externalId}/users",
    name="listUsersInGeofenceByKey",
    summary="List the users in a geofence by tag and external ID",
    answer=UserListAnswer,
)
async def users_by_key(call: Call[UserListQuery, None]) -> Encoded:
    """List the users in the geofence with a tag and an external ID, newest update first."""
    geofence = await call.services.run(_by_key, call.services.engine, call.environment, *key_of(call))
    return await _users_in(call, geofence.id)


async def _users_in(call: Call[UserListQuery, None], geofence_id: str) -> Encoded:
    find = partial(call.services.engine.users.in_geofence, call.environment, geofence_id, user_query_of(call.query))
    return await call.services.run(lambda: encode_page("users", encode_user, find()))


def _by_key(engine: Engine, environment: Environment, tag: str, external_id: str) -> Geofence:
    _refuse_parts_of_a_geofence(engine, environment, tag, external_id)
    return engine.geofences.get_by_key(environment, tag, external_id)


def _upsert(engine: Engine, environment: Environment, tag: str, external_id: str, change: GeofenceChange) -> Geofence:
    _refuse_parts_of_a_geofence(engine, environment, tag, external_id)
    return engine.geofences.upsert(environment, tag, external_id, change)


def _delete_by_key(engine: Engine, environment: Environment, tag: str, external_id: str) -> Geofence:
    return engine.geofences.delete(environment, _by_key(engine, environment, tag, external_id).id)


def _refuse_parts_of_a_geofence(engine: Engine, environment: Environment, first: str, second: str) -> None:
    if _exists(engine, environment, first):
        raise NotFound("path", f"{first} is the _id of a geofence, which has no {second!r}.")


async def _changed(call: Call[Any, Any], change: GeofenceChange, stored: Geofence) -> Encoded:
    """Return the response to a change, with a warning if an isochrone was moved far or reaches the edge of an area."""
    if (moved := call.services.engine.geofences.moved_by(change, stored)) is not None:
        call.warnings.append(renamed(moved.text, moved.param, wire_name(moved.param)))
    return await _read(call, stored)


async def _read(call: Call[Any, Any], geofence: Geofence) -> Encoded:
    """Return a geofence, with a warning if it is an isochrone that reaches the edge of an area."""
    if isinstance(geofence.geometry, Isochrone):
        edge = await call.services.run(call.services.engine.geofences.edge_of, geofence)
        if edge is not None:
            call.warnings.append(renamed(edge.text, "size", wire_name("size")))
    return _answer(geofence)


@contextmanager
def _named_as_given(body: GeofenceUpsert) -> Iterator[None]:
    """Change errors about coordinates that were given as `geometry` to name that parameter."""
    try:
        yield
    except InvalidParameter as error:
        if body.geometry is None or error.param != "coordinates":
            raise
        raise InvalidParameter("geometry", renamed(error.message, error.param, "geometry")) from error


def _answer(geofence: Geofence) -> Encoded:
    return encode_answer({"geofence": encode_geofence(geofence)})


def change_of(body: GeofenceUpsert) -> GeofenceChange:
    """Return the fields to set; null is treated as absent."""
    metadata = body.metadata
    return GeofenceChange(
        tag=or_unset(body.tag),
        external_id=or_unset(body.external_id),
        description=or_unset(body.description),
        type=or_unset(body.type),
        coordinates=or_unset(body.given_coordinates()),
        address=body.address or UNSET,
        place_id=body.place_id or UNSET,
        size=or_unset(body.radius),
        mode=or_unset(body.mode),
        enabled=or_unset(body.enabled),
        metadata=UNSET if metadata is None else check_metadata(metadata, max_keys=MAX_GEOFENCE_KEYS),
        user_ids=_user_ids(body),
        **{name: _rule(body, spelled, attribute, read) for name, spelled, attribute, read in _RULES},
    )


type _Read = Callable[[Any], Any]

_OF_KIND: Final[Mapping[ValueKind, _Read]] = {
    ValueKind.RANGES: parse_ip_ranges,
    ValueKind.SECONDS: lambda minutes: minutes * 60,
}
_READ: Final[Mapping[str, _Read]] = {
    # Refused before the geofence is looked up.
    "dwell_threshold_s": lambda minutes: check_dwell_threshold(minutes * 60, "dwellThreshold"),
}
_RULES: Final = tuple(
    (row.name, wire_name(row.name), to_snake(wire_name(row.name)), _READ.get(row.name) or _OF_KIND.get(row.kind))
    for row in RULES
    if row.name != "user_ids"
)
"""All rules except the users, which have two fields: names in a change, on the wire and in a body, and the reader."""


def _rule(body: GeofenceUpsert, spelled: str, attribute: str, read: _Read | None) -> Any:
    """Return the value of a rule in a change, or None to reset it."""
    if body.resets(spelled):
        return None
    value = getattr(body, attribute)
    if value is None:
        return UNSET
    return value if read is None else read(value)


def _user_ids(body: GeofenceUpsert) -> tuple[str, ...] | Unset:
    """Return the users of `userIds` and of the deprecated `userId`, which adds one."""
    if body.user_ids is None and body.user_id is None:
        return () if body.resets("userIds") or body.resets("userId") else UNSET
    single = [] if body.user_id is None else [body.user_id]
    return tuple(dict.fromkeys(_without_comma(user.strip()) for user in (*(body.user_ids or ()), *single)))


def _without_comma(user_id: str) -> str:
    if "," in user_id:
        raise InvalidParameter("userIds", "userIds: an ID must not contain a comma; commas separate IDs.")
    return user_id


_OPERATIONS = RecordOperations(
    noun="geofence",
    answer=GeofenceAnswer,
    list_answer=GeofenceListAnswer,
    list_query=GeofenceListQuery,
    create_body=GeofenceCreate,
    upsert_body=GeofenceUpsert,
    rate=Rate(10),
)

RESOURCES = (
    _OPERATIONS.all(create=create, list_all=list_all),
    _OPERATIONS.by_id(read=read, update=update, delete=delete),
    *routes,
    _OPERATIONS.by_key(read=read_by_key, upsert=upsert, delete=delete_by_key),
)
