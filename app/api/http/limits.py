"""Limits of one request or connection: bytes, seconds, and how many at once."""

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
"""A thousand updates with all that mobile clients add to each."""

MAX_LOGS_BODY: Final = 8 * MIB
"""Size of the logs that a phone may gather while it is offline."""

MAX_IMPORT: Final = 256 * MIB
MAX_DRAINED: Final = 32 * MIB
"""A body up to this size is read to its end before it is refused: most clients read no answer while they send."""

MAX_TRAILERS: Final = 32 * 1024
"""The most a body in chunks may have around its chunks: their extensions, and the headers at its end."""

SMALL_BODY: Final = 64 * 1024
MAX_HELD: Final = 16 * MIB
"""How much of bodies that are not small is held at once; the others wait to be read."""

MAX_WAIT_S: Final = 20.0
"""How long one waits."""

MAX_CONNECTIONS: Final = 512
HEAD_DEADLINE_S: Final = 9.0
"""From a head's first byte to its last; a connection that has sent nothing yet counts from its start.

What is late is looked for now and then: a connection is closed within ten seconds.
"""

PROGRESS: Final = 1024
PROGRESS_EVERY_S: Final = 9.0
"""A client that sends a body, or has an answer to read, moves so many bytes in every so many seconds."""

BODY_DEADLINE_S: Final = 300.0
"""From a body's first byte to its last, whatever its progress."""

KEEP_ALIVE_S: Final = 75.0
LINGER_S: Final = 2.0
MAX_LINGERING: Final = MIB
"""After its last answer a connection is read for so long, and so much: to close at once would destroy the answer."""


class BodyRoom:
    """Lets bodies that are not small be read, as many at once as there is room for; the others wait in their order."""

    def __init__(self, size: int = MAX_HELD) -> None:
        self._free = size
        self._waiting: deque[tuple[int, asyncio.Future[None]]] = deque()

    async def take(self, size: int) -> None:
        """Return when there is room for `size` bytes; raises `TooBusy` when it does not come about."""
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
                self.give_back(size)  # its turn came in the moment in which it gave up
            else:
                turn.cancel()
                self._let_in()
            if isinstance(error, TimeoutError):
                raise TooBusy("Too many large request bodies are being received; try again later.") from None
            raise

    def give_back(self, size: int) -> None:
        """Make room again."""
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
    """The room that one request's body takes; used as a context, until the request is answered."""

    __slots__ = ("_held", "_room")

    def __init__(self, room: BodyRoom | None) -> None:
        self._room = room
        self._held = 0

    async def grow(self, size: int) -> None:
        """Take room for a body of `size` bytes, unless it has some already."""
        if self._room is not None and not self._held:
            await self._room.take(size)
            self._held = size

    def shrink(self, size: int) -> None:
        """Give back what is more than a body of `size` bytes takes; a small one takes none."""
        needed = size if size > SMALL_BODY else 0
        if self._room is not None and self._held > needed:
            self._room.give_back(self._held - needed)
            self._held = needed

    def release(self) -> None:
        """Give the room back."""
        if self._room is not None and self._held:
            self._room.give_back(self._held)
            self._held = 0


async def read_body(
    request: Request, limit: int = MAX_BODY, held: HeldBody | None = None, *, packed: bool = False
) -> bytes:
    """Return the request's whole body, sent at once or in chunks; one that is not small takes room in `held`.

    One that comes packed takes room for whatever it may become. Raises `InvalidParameter` ``body`` beyond `limit`
    bytes, `TooBusy` when there is no room, `ClientDisconnect` when the client leaves.
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
    """Return what has arrived of a body, and whether there is more to come."""
    message = await request.receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message.get("body", b""), message.get("more_body", False)


def refuse_announced(request: Request, limit: int) -> None:
    """Raise `BodyRefused` before reading when the announced length can never be accepted.

    A client that asks first (``Expect: 100-continue``) has not sent anything yet and gets its answer at once.
    """
    asks_first = raw_headers(request.scope).get(b"expect", b"").lower() == b"100-continue"
    if _announced(request) > (limit if asks_first else max(limit, MAX_DRAINED)):
        raise BodyRefused(too_large(limit))


def _announced(request: Request) -> int:
    """Return the length of the body as far as it is announced, else 0."""
    announced = raw_headers(request.scope).get(b"content-length", b"0")
    return int(announced) if announced.isdigit() else 0
