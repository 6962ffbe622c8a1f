"""Injected faults, which never hit Live, so live keys are refused."""

from app.api.http.errors import Forbidden
from app.api.v1.operations import Call, Routes
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.faults.fault import (
    FaultAnswer,
    FaultBody,
    FaultListAnswer,
    FaultsClearedAnswer,
    encode_fault,
    fault_rule,
)
from app.faults.book import Fault, Faults
from engine.domain.environment import Environment, KeyLevel

routes = Routes(KeyLevel.SECRET, rehearsed=False)


@routes("GET", "/v1/faults", name="listFaults", summary="List the injected faults", answer=FaultListAnswer)
async def list_all(call: Call[None, None]) -> Encoded:
    """List faults, oldest first."""
    return encode_answer({"faults": [encode_fault(fault) for fault in _faults(call).all()]})


@routes(
    "POST",
    "/v1/faults",
    name="addFault",
    summary="Inject a fault: delay, fail, truncate or drop Test requests",
    answer=FaultAnswer,
)
async def add(call: Call[None, FaultBody]) -> Encoded:
    """Add a fault, which may hit the next request."""
    _faults(call)
    return _answer(await call.services.faults.add(fault_rule(call.body)))


@routes("DELETE", "/v1/faults", name="clearFaults", summary="Remove all injected faults", answer=FaultsClearedAnswer)
async def clear(call: Call[None, None]) -> Encoded:
    """Remove all faults."""
    return encode_answer({"cleared": _faults(call).clear()})


@routes("GET", "/v1/faults/{id}", name="readFault", summary="Get an injected fault", answer=FaultAnswer)
async def read(call: Call[None, None]) -> Encoded:
    """Read the fault with an ``_id``."""
    return _answer(_faults(call).get(call.path["id"]))


@routes("DELETE", "/v1/faults/{id}", name="removeFault", summary="Remove an injected fault", answer=FaultAnswer)
async def remove(call: Call[None, None]) -> Encoded:
    """Remove the fault with an ``_id`` and return it."""
    return _answer(_faults(call).remove(call.path["id"]))


def _faults[Q, B](call: Call[Q, B]) -> Faults:
    if call.environment is not Environment.TEST:
        raise Forbidden("Faults are available in Test only: use the Test secret key.")
    return call.services.faults.faults


def _answer(fault: Fault) -> Encoded:
    return encode_answer({"fault": encode_fault(fault)})
