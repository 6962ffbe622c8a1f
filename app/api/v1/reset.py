"""POST /v1/reset: restores Test to its seed. Live is not changed, so live keys are refused."""

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
    """Reset Test to its seed; a concurrent location update is stored either before that and deleted, or after it."""
    if call.environment is not Environment.TEST:
        raise Forbidden("Only Test can be reset: use the Test secret key.")
    engine = call.services.engine
    # Faults are not part of a seed: they are cleared even if there is no seed to reset to.
    call.services.faults.faults.clear()
    contents = await call.services.run(engine.seeding.reset)
    call.services.admission.forget(call.environment)
    clock = encode_clock(engine.test_clock.state())
    return encode_answer({"counts": encode_counts(contents), "clock": clock})
