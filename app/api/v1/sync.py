"""POST /v1/sync/region: the surroundings that a mobile device needs in order to report only relevant updates."""

from functools import partial
from typing import Final

from app.api.v1.operations import Call, Routes
from app.api.wire.beacon import encode_beacon_summary
from app.api.wire.common.encoding import Encoded, encode_answer, in_json
from app.api.wire.geofence import encode_watched
from app.api.wire.sync import SyncAnswer, SyncBody, encode_region, encode_synced_place
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Point
from engine.domain.queries import NearbyQuery
from engine.domain.tracking.beacon import Beacon
from engine.domain.tracking.updates import Subject
from engine.engine import Engine

MAX_BEACONS: Final = 100


routes = Routes(KeyLevel.PUBLISHABLE)


@routes(
    "POST",
    "/v1/sync/region",
    name="syncRegion",
    summary="Get the geofences, places and beacons that a device monitors itself",
    answer=SyncAnswer,
)
async def sync_region(call: Call[None, SyncBody]) -> Encoded:
    """Return the geofences, places and beacons around a position, and the region in which they are complete."""
    near = Point(call.body.longitude + 0.0, call.body.latitude + 0.0)
    subject = Subject(call.body.user_id, call.client)
    return await call.services.lookups.run(partial(_synced, call.services.engine, call.environment, near, subject))


def _synced(engine: Engine, environment: Environment, near: Point, subject: Subject) -> Encoded:
    fences = engine.geofences.synced(environment, near, subject)
    places = engine.tracking.places_within(environment, near, fences.radius_m)
    beacons, radius_m = _beacons_within(engine, environment, near, places.radius_m)
    return encode_answer(
        {
            "geofences": [in_json(encode_watched(geofence)) for geofence in fences.geofences],
            "places": [in_json(encode_synced_place(place)) for place in places.places],
            "beacons": [in_json(encode_beacon_summary(beacon.summary)) for beacon in beacons],
            "region": encode_region(near, radius_m),
        }
    )


def _beacons_within(
    engine: Engine, environment: Environment, near: Point, radius_m: float
) -> tuple[list[Beacon], float]:
    """Return the beacons around a position and the radius in which they are complete, smaller if there are many."""
    query = NearbyQuery(near=near, radius_m=radius_m, limit=MAX_BEACONS + 1)
    found = engine.beacons.nearby(environment, query)
    if len(found) > MAX_BEACONS:
        radius_m = max(found[MAX_BEACONS].distance_m, 1.0)
    return [each.beacon for each in found[:MAX_BEACONS]], radius_m
