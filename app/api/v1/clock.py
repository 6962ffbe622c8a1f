"""The test clock: GET and POST /v1/clock; Live always uses the system time, so live keys are refused."""

from app.api.http.errors import Forbidden
from app.api.v1.operations import Call, Routes
from app.api.wire.clock import ClockAnswer, ClockBody, clock_change, encode_clock
from app.api.wire.common.encoding import Encoded, encode_answer
from engine.domain.environment import Environment, KeyLevel

routes = Routes(KeyLevel.SECRET, rehearsed=False)


@routes("GET", "/v1/clock", name="readClock", summary="Get the Test clock", answer=ClockAnswer)
async def read(call: Call[None, None]) -> Encoded:
    """Read the time and pace of the test clock."""
    _refuse_live(call.environment)
    return encode_answer(encode_clock(call.services.engine.test_clock.state()))


@routes(
    "POST",
    "/v1/clock",
    name="changeClock",
    summary="Set, freeze, advance or speed up the Test clock, or reset it to the system time",
    answer=ClockAnswer,
)
async def change(call: Call[None, ClockBody]) -> Encoded:
    """Change the test clock; everything that is due by then has happened when this returns."""
    _refuse_live(call.environment)
    state = await call.services.run(call.services.engine.set_clock, clock_change(call.body))
    return encode_answer(encode_clock(state))


def _refuse_live(environment: Environment) -> None:
    if environment is not Environment.TEST:
        raise Forbidden("The clock is available in Test only: use the Test secret key.")
