"""Auxiliary requests of SDKs: configuration, logs, and a ping."""

import logging

from app.api.http.limits import MAX_LOGS_BODY
from app.api.v1.operations import Call, Routes
from app.api.wire.client import ConfigQuery, LogsBody, PingAnswer
from app.api.wire.common.answers import EmptyAnswer
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.sdk import ConfigAnswer, config_meta
from engine.domain.environment import KeyLevel
from engine.domain.settings import Situation, options_by_situation

logger = logging.getLogger(__name__)


routes = Routes(KeyLevel.PUBLISHABLE)


@routes("GET", "/v1/config", name="readConfig", summary="Get the SDK configuration", answer=ConfigAnswer)
async def config(call: Call[ConfigQuery, None]) -> Encoded:
    """Return the settings for SDKs; by default there are none, so that each SDK keeps its own defaults."""
    settings = call.services.engine.settings.get(call.environment)
    user = None
    if options_by_situation(settings).keys() - {Situation.DEFAULT}:
        query = call.query
        ids = tuple(each for each in (query.id, query.user_id, query.device_id) if each)
        user = await call.services.run(call.services.engine.users.of_app, call.environment, ids, query.install_id)
    return {"meta": config_meta(settings, call.device_type, user)}


@routes(
    "POST",
    "/v1/logs",
    name="sendLogs",
    summary="Send SDK logs",
    answer=EmptyAnswer,
    max_body=MAX_LOGS_BODY,
    long_list="logs",
)
async def logs(call: Call[None, LogsBody]) -> Encoded:
    """Write a client's log lines to this program's log at debug level."""
    for entry in call.body.logs or ():
        logger.debug("client %s: %s %s %s", call.client, entry.level, entry.type, entry.message)
    return encode_answer({})


@routes("GET", "/v1/ping", name="ping", summary="Get the IP address of the request", answer=PingAnswer)
async def ping(call: Call[None, None]) -> Encoded:
    """Return the address that the request came from."""
    return encode_answer({} if call.client is None else {"ip": call.client})
