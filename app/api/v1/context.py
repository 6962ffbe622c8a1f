"""GET /v1/context: the surroundings of a position, without tracking a user."""

from app.api.v1.operations import Call, Routes
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.context import ContextAnswer, ContextQuery, encode_context
from engine.domain.environment import KeyLevel
from engine.domain.geometry import Point, check_latitude, check_longitude

routes = Routes(KeyLevel.PUBLISHABLE)


@routes(
    "GET",
    "/v1/context",
    name="readContext",
    summary="Get the geofences, place and regions at a position",
    answer=ContextAnswer,
)
async def read(call: Call[ContextQuery, None]) -> Encoded:
    """Read the enabled geofences that contain a position, and its place and regions."""
    latitude, longitude = call.query.coordinates
    point = Point(check_longitude(longitude, "coordinates"), check_latitude(latitude, "coordinates"))
    accuracy_m = call.query.accuracy or 0.0
    found = await call.services.run(call.services.engine.tracking.context, call.environment, point, accuracy_m)
    context = encode_context(call.environment, found)
    return encode_answer({"context": context, **context})
