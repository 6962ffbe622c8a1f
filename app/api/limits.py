"""What one request or connection may take: bytes, seconds, and how many at once."""

from typing import Final

from app.api.errors import BodyRefused, Disconnected
from app.api.exchange import Exchange
from engine.domain.errors import InvalidParameter

MIB: Final = 1024 * 1024
MAX_BODY: Final = MIB
MAX_REPLAY: Final = 8 * MIB
"""A thousand updates with all that mobile clients add to each."""

MAX_IMPORT: Final = 256 * MIB
MAX_DRAINED: Final = 32 * MIB
"""A body up to this size is read to its end before it is refused: most clients read no answer while they send."""

MAX_HEAD: Final = 32 * 1024
"""Request line and headers together."""

MAX_CONNECTIONS: Final = 512
RECEIVE_DEADLINE_S: Final = 30.0
IMPORT_DEADLINE_S: Final = 300.0
"""From a request's first byte to its last; a connection that has sent nothing yet counts from its start."""

KEEP_ALIVE_S: Final = 75


async def read_body(exchange: Exchange, limit: int = MAX_BODY) -> bytes:
    """Return the request's whole body, sent at once or in chunks.

    Raises `InvalidParameter` ``body`` beyond `limit` bytes or for a compressed body, `Disconnected` when the client
    leaves.
    """
    message = await exchange.receive()
    if message["type"] == "http.disconnect":
        raise Disconnected
    body: bytes = message.get("body", b"")
    if message.get("more_body"):
        body = await _read_rest(exchange, body, limit)
    if len(body) > limit:
        raise InvalidParameter("body", _too_large(limit))
    if exchange.headers.get(b"content-encoding", b"identity") != b"identity":
        raise InvalidParameter("body", "body: compressed bodies are not accepted; send it without Content-Encoding.")
    return body


async def _read_rest(exchange: Exchange, first: bytes, limit: int) -> bytes:
    parts, size, more = [first], len(first), True
    while more:
        message = await exchange.receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        size += len(message.get("body", b""))
        if size > max(limit, MAX_DRAINED):
            raise BodyRefused(_too_large(limit))
        if size <= limit:
            parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    if size > limit:
        raise InvalidParameter("body", _too_large(limit))
    return b"".join(parts)


def refuse_announced(exchange: Exchange, limit: int) -> None:
    """Raise `BodyRefused` before reading when the announced length can never be accepted.

    A client that asks first (``Expect: 100-continue``) has not sent anything yet and gets its answer at once.
    """
    announced = exchange.headers.get(b"content-length", b"0")
    size = int(announced) if announced.isdigit() else 0
    asks_first = exchange.headers.get(b"expect", b"").lower() == b"100-continue"
    if size > (limit if asks_first else max(limit, MAX_DRAINED)):
        raise BodyRefused(_too_large(limit))


def _too_large(limit: int) -> str:
    return f"body: the body must not be larger than {limit // MIB} MiB."
