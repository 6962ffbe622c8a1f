"""Beacons: create, upsert, read, list and delete.

A path with one segment names a beacon by its ``_id``, a path with two by tag and external ID.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from app.api.v1.operations import Call
from app.api.v1.records import RecordOperations, key_of, or_unset, query_of
from app.api.wire.beacon import (
    BeaconAnswer,
    BeaconCreate,
    BeaconListAnswer,
    BeaconListQuery,
    BeaconUpsert,
    encode_beacon,
)
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.common.portions import encode_page
from engine.domain.errors import InvalidParameter, renamed
from engine.domain.fields.beacon import BEACON
from engine.domain.geofence import UNSET
from engine.domain.metadata import MAX_GEOFENCE_KEYS, check_metadata
from engine.domain.queries import BeaconQuery
from engine.domain.tracking.beacon import Beacon, BeaconChange


async def create(call: Call[None, BeaconCreate]) -> Encoded:
    """Create a beacon, unless another one has its tag and external ID or sends the same signal."""
    beacons = call.services.engine.beacons
    with _naming_coordinates(call.body):
        return _answer(await call.services.run(beacons.create, call.environment, change_of(call.body)))


async def list_all(call: Call[BeaconListQuery, None]) -> Encoded:
    """List beacons, newest update first."""
    beacons = partial(call.services.engine.beacons.page, call.environment, query_of(BeaconQuery, call.query))
    return await call.services.run(lambda: encode_page("beacons", encode_beacon, beacons()))


async def read(call: Call[None, None]) -> Encoded:
    """Read the beacon with an ``_id``."""
    return _answer(call.services.engine.beacons.get(call.environment, call.path["_id"]))


async def update(call: Call[None, BeaconUpsert]) -> Encoded:
    """Change the beacon with an ``_id``, which must exist."""
    beacons, change = call.services.engine.beacons, change_of(call.body)
    return _answer(await call.services.run(beacons.update, call.environment, call.path["_id"], change))


async def delete(call: Call[None, None]) -> Encoded:
    """Delete the beacon with an ``_id`` and return it."""
    beacons = call.services.engine.beacons
    return _answer(await call.services.run(beacons.delete, call.environment, call.path["_id"]))


async def read_by_key(call: Call[None, None]) -> Encoded:
    """Read the beacon with a tag and an external ID."""
    return _answer(call.services.engine.beacons.get_by_key(call.environment, *key_of(call)))


async def upsert(call: Call[None, BeaconUpsert]) -> Encoded:
    """Change the beacon with a tag and an external ID, or create it."""
    beacons, change = call.services.engine.beacons, change_of(call.body)
    with _naming_coordinates(call.body):
        return _answer(await call.services.run(beacons.upsert, call.environment, *key_of(call), change))


async def delete_by_key(call: Call[None, None]) -> Encoded:
    """Delete the beacon with a tag and an external ID and return it."""
    beacons = call.services.engine.beacons
    return _answer(await call.services.run(beacons.delete_by_key, call.environment, *key_of(call)))


@contextmanager
def _naming_coordinates(body: BeaconUpsert) -> Iterator[None]:
    """Name `coordinates`, as the platform documents it, in an error about a missing position."""
    try:
        yield
    except InvalidParameter as error:
        if error.param != "geometry" or body.position is not None:
            raise
        raise InvalidParameter("coordinates", renamed(error.message, error.param, "coordinates")) from None


def _answer(beacon: Beacon) -> Encoded:
    return encode_answer({"beacon": encode_beacon(beacon)})


def change_of(body: BeaconUpsert) -> BeaconChange:
    """Return the fields to set; null is treated as absent."""
    metadata = body.metadata
    return BeaconChange(
        metadata=UNSET if metadata is None else check_metadata(metadata, max_keys=MAX_GEOFENCE_KEYS),
        geometry=or_unset(body.position),
        **{row.name: or_unset(getattr(body, row.name)) for row in BEACON if row.name not in ("metadata", "geometry")},
    )


_OPERATIONS = RecordOperations(
    noun="beacon",
    answer=BeaconAnswer,
    list_answer=BeaconListAnswer,
    list_query=BeaconListQuery,
    create_body=BeaconCreate,
    upsert_body=BeaconUpsert,
)

RESOURCES = (
    _OPERATIONS.all(create=create, list_all=list_all),
    _OPERATIONS.by_id(read=read, update=update, delete=delete),
    _OPERATIONS.by_key(read=read_by_key, upsert=upsert, delete=delete_by_key),
)
