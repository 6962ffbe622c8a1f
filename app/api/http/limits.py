"""Limits of one request or connection: bytes, seconds and concurrency."""

import asyncio
from collections import deque
from typing import Final

from starlette.requests import ClientDisconnect, Request

from app.api.http.errors import MIB, BodyRefused, TooBusy, too_large
from app.api.http.headers import raw_headers
from engine.domain.errors import InvalidParameter

MAX_BODY: Final = MIB
MAX_FORM: Final = MIB
MAX_REPLAY: Final = 8 * MIB
"""Size of a thousand updates with all the fields that mobile clients add to each."""

MAX_LOGS_BODY: Final = 8 * MIB
"""Size of the logs that a phone may collect while it is offline."""

MAX_IMPORT: Final = 256 * MIB
MAX_DRAINED: Final = 32 * MIB
"""A body up to this size is read completely before it is refused, because most clients read no response while sending.
"""

MAX_TRAILERS: Final = 32 * 1024
"""Maximum size of a chunked body's overhead: chunk extensions and trailers."""

SMALL_BODY: Final = 64 * 1024
MAX_HELD: Final = 16 * MIB
"""Maximum total size of the bodies over `SMALL_BODY` held at once; further ones wait to be read."""

MAX_WAIT_S: Final = 20.0
"""Maximum time for which a body waits to be read."""

MAX_CONNECTIONS: Final = 512
HEAD_DEADLINE_S: Final = 9.0
"""Time from a head's first byte to its last; on a new connection, time from its start.

Deadlines are checked periodically: a late connection is closed within ten seconds.
"""

PROGRESS: Final = 1024
PROGRESS_EVERY_S: Final = 9.0
"""Interval in which a client must send or read at least `PROGRESS` bytes of a body or a response."""

BODY_DEADLINE_S: Final = 300.0
"""Time from a body's first byte to its last, regardless of its progress."""

KEEP_ALIVE_S: Final = 75.0
LINGER_S: Final = 2.0
MAX_LINGERING: Final = MIB
"""Maximum bytes read, within `LINGER_S`, after the last response; closing at once would destroy the response."""


class BodyRoom:
    """Admits bodies over `SMALL_BODY` for reading as long as there is room; the others wait in order."""

    def __init__(self, size: int = MAX_HELD) -> None:
        self._free = size
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    async def take(self, size: int) -> None:
        """Wait until there is room for `size` bytes; raises `TooBusy` if none becomes available."""
        if not self._waiting and size <= self._free:
            self._free -= size
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((size, turn))
        try:
            async with asyncio.timeout(MAX_WAIT_S):
                await turn
        except BaseException as error:
            if turn.done() and not turn.cancelled():
                self.give_back(size)  # its turn came at the moment of giving up
            else:
                turn.cancel()
                self._let_in()
            if isinstance(error, TimeoutError):
                raise TooBusy("Too many large request bodies are being received; try again later.") from None
            raise

    def give_back(self, size: int) -> None:
        """Release room."""
        self._free += size
        self._let_in()

    def _let_in(self) -> None:
        while self._waiting:
            size, turn = self._waiting[0]
            if not turn.done() and size > self._free:
                return
            self._waiting.popleft()
            if not turn.done():
                self._free -= size
                turn.set_result(None)


class HeldBody:
    """The room taken by one request's body; used as a context manager until the response is sent."""

    __slots__ = ("_held", "_room")

    def __init__(self, room: BodyRoom | None) -> None:
        self._room = room
        self._held = 0

    async def grow(self, size: int) -> None:
        """Take room for a body of `size` bytes, unless some is held already."""
        if self._room is not None and not self._held:
            await self._room.take(size)
            self._held = size

    def shrink(self, size: int) -> None:
        """Release the room beyond a body of `size` bytes; a small body needs none."""
        needed = size if size > SMALL_BODY else 0
        if self._room is not None and self._held > needed:
            self._room.give_back(self._held - needed)
            self._held = needed

    def release(self) -> None:
        """Release all held room."""
        if self._room is not None and self._held:
            self._room.give_back(self._held)
            self._held = 0


async def read_body(
    request: Request, limit: int = MAX_BODY, held: HeldBody | None = None, *, packed: bool = False
) -> bytes:
    """Return the request's whole body, sent at once or in chunks; one over `SMALL_BODY` takes room in `held`.

    A compressed body takes room for its maximum decompressed size. Raises `InvalidParameter` ``body`` beyond `limit`
    bytes, `TooBusy` if there is no room, `ClientDisconnect` if the client disconnects.
    """
    held = held or HeldBody(None)
    body, more = await _next_part(request)
    if more:
        body = await _read_rest(request, body, limit, held, packed)
    if len(body) > limit:
        raise InvalidParameter("body", too_large(limit))
    if packed:
        await held.grow(limit)
    return body


async def _read_rest(request: Request, first: bytes, limit: int, held: HeldBody, packed: bool) -> bytes:
    parts, size, more = [first], len(first), True
    announced = _announced(request)
    while more:
        if max(size, announced) > SMALL_BODY:
            await held.grow(limit if packed else min(announced or limit, limit))
        part, more = await _next_part(request)
        size += len(part)
        if size > max(limit, MAX_DRAINED):
            raise BodyRefused(too_large(limit))
        if size <= limit:
            parts.append(part)
        else:
            parts.clear()
    if size > limit:
        raise InvalidParameter("body", too_large(limit))
    return b"".join(parts)


async def _next_part(request: Request) -> tuple[bytes, bool]:
    """Return the next part of a body, and whether there is more."""
    message = await request.receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message.get("body", b""), message.get("more_body", False)


def refuse_announced(request: Request, limit: int) -> None:
    """Raise `BodyRefused` before reading if the announced length can never be accepted.

    A client that asks first (``Expect: 100-continue``) has not sent anything yet and gets its response at once.
    """
    expects_continue = raw_headers(request.scope).get(b"expect", b"").lower() == b"100-continue"
    if _announced(request) > (limit if expects_continue else max(limit, MAX_DRAINED)):
        raise BodyRefused(too_large(limit))


def _announced(request: Request) -> int:
    """Return the announced length of the body, or 0."""
    announced = raw_headers(request.scope).get(b"content-length", b"0")
    return int(announced) if announced.isdigit() else 0
