"""What SDKs ask around their real work: configuration, their logs, a ping."""

import logging

from app.api.answers import EmptyAnswer, PingAnswer
from app.api.encoding import Encoded, encode_answer
from app.api.operations import Call, Operation, Resource
from app.api.requests import ConfigQuery, LogsBody
from engine.domain.environment import KeyLevel

logger = logging.getLogger(__name__)


async def config(_call: Call[ConfigQuery, None]) -> Encoded:
    """Answer that every SDK keeps its own defaults."""
    return encode_answer({})


async def logs(call: Call[None, LogsBody]) -> Encoded:
    """Pass a client's log lines on to this program's log, where they show at debug level."""
    for entry in call.body.logs or ():
        logger.debug("client %s: %s %s %s", call.client, entry.level, entry.type, entry.message)
    return encode_answer({})


async def ping(call: Call[None, None]) -> Encoded:
    """Answer the address the request came from."""
    return encode_answer({} if call.client is None else {"ip": call.client})


RESOURCES = (
    Resource(
        "/v1/config",
        {
            "GET": Operation(
                name="readConfig",
                summary="Read the configuration of an SDK",
                level=KeyLevel.PUBLISHABLE,
                handler=config,
                query=ConfigQuery,
                answer=EmptyAnswer,
            )
        },
    ),
    Resource(
        "/v1/logs",
        {
            "POST": Operation(
                name="sendLogs",
                summary="Send the log lines of an SDK",
                level=KeyLevel.PUBLISHABLE,
                handler=logs,
                body=LogsBody,
                answer=EmptyAnswer,
            )
        },
    ),
    Resource(
        "/v1/ping",
        {
            "GET": Operation(
                name="ping",
                summary="Learn the address your request comes from",
                level=KeyLevel.PUBLISHABLE,
                handler=ping,
                answer=PingAnswer,
            )
        },
    ),
)
