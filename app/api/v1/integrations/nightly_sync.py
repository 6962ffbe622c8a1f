"""The nightly sync: GET and PATCH /v1/imports/sync; POST /v1/imports/sync/run, and DELETE to cancel it."""

from app.api.v1.operations import Call, Routes
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.integrations.nightly_sync import (
    CancelAnswer,
    RunQuery,
    SyncRunAnswer,
    SyncSettingsBody,
    SyncStateAnswer,
    encode_run,
    encode_sync,
    sync_change,
)
from engine.domain.environment import KeyLevel
from engine.domain.nightly.runs import SyncState

routes = Routes(KeyLevel.SECRET)


@routes(
    "GET",
    "/v1/imports/sync",
    name="readSync",
    summary="Get the settings of the nightly sync and the result of the last one",
    answer=SyncStateAnswer,
    rehearsed=False,
)
async def read(call: Call[None, None]) -> Encoded:
    """Read the settings and the current state of the sync."""
    return _answer(await call.services.run(call.services.engine.nightly.state, call.environment))


@routes(
    "PATCH",
    "/v1/imports/sync",
    name="changeSync",
    summary="Update settings of the nightly sync",
    answer=SyncStateAnswer,
    rehearsed=False,
)
async def change(call: Call[None, SyncSettingsBody]) -> Encoded:
    """Change some settings and keep the others."""
    wanted = sync_change(call.body)
    return _answer(await call.services.run(call.services.engine.nightly.change, call.environment, wanted))


@routes(
    "POST",
    "/v1/imports/sync/run",
    name="runSync",
    summary="Sync now and wait until it is done",
    answer=SyncRunAnswer,
    errors=(409, 503),
)
async def run(call: Call[RunQuery, None]) -> Encoded:
    """Sync now and return the result."""
    nightly = call.services.engine.nightly
    done = await call.services.syncs.run(lambda: nightly.run(call.environment, force=call.query.force))
    return encode_answer({"run": encode_run(done)})


@routes("DELETE", "/v1/imports/sync/run", name="cancelSync", summary="Cancel the running sync", answer=CancelAnswer)
async def cancel(call: Call[None, None]) -> Encoded:
    """Cancel the running sync."""
    return encode_answer({"cancelled": call.services.engine.nightly.cancel(call.environment)})


def _answer(state: SyncState) -> Encoded:
    return encode_answer({"sync": encode_sync(state)})
