"""POST /v1/reset: Test as the seed made it. Live stays as it is, so a live key does not open it."""

from app.api.http.errors import Forbidden
from app.api.v1.operations import Call, Routes
from app.api.wire.clock import encode_clock
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.snapshot import ResetAnswer, encode_counts
from engine.domain.environment import Environment, KeyLevel

routes = Routes(KeyLevel.SECRET, rehearsed=False)


@routes(
    "POST",
    "/v1/reset",
    name="resetTest",
    summary="Reset Test to the seed that the server was started with",
    answer=ResetAnswer,
    errors=(409,),
)
async def reset(call: Call[None, None]) -> Encoded:
    """Go back to the seed; a location update is stored wholly before that, and is gone, or wholly after."""
    if call.environment is not Environment.TEST:
        raise Forbidden("Only Test can be reset: use the Test secret key.")
    engine = call.services.engine
    # No part of a seed: whoever cleans up after a test without one is left none either.
    call.services.faults.faults.clear()
    contents = await call.services.run(engine.seeding.reset)
    call.services.admission.forget(call.environment)
    clock = encode_clock(engine.test_clock.state())
    return encode_answer({"counts": encode_counts(contents), "clock": clock})
