"""Answers: Starlette's responses as this endpoint sends them, and what all of them carry."""

import asyncio
import logging
import zlib
from collections.abc import AsyncIterator
from enum import IntEnum
from itertools import count
from secrets import token_hex
from typing import Any, Final, override

import orjson
from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from app.api.http.cors import CORS_HEADERS
from app.api.http.errors import BodyTooLarge, UnsupportedCoding, headers_of, refusal, too_large
from app.api.http.headers import Headers, RawHeaders, raw_headers
from engine.domain.errors import InvalidParameter

MIN_PACKED: Final = 1024
"""Smaller answers go out as they are: they would become hardly smaller."""

PIECE: Final = 256 * 1024
VARY: Final = (b"vary", b"accept-encoding")
PACKED: Final = (b"content-encoding", b"gzip")

_QUICKLY: Final = 1
_AS_GZIP: Final = 31

_AS_IT_IS: Final = (b"", b"identity")
JSON_TYPE: Final = b"application/json"
REQUEST_ID: Final = b"x-radar-request-id"
MAX_PART: Final = 64 * 1024
"""Size of the parts of a larger answer; each goes out when the client has taken most of the one before."""

_CORS_LINES: Final = b"".join(b"%s: %s\r\n" % header for header in CORS_HEADERS)
_PREFIX: Final = token_hex(4)
_NUMBERS: Final = count(1)
logger = logging.getLogger(__name__)


class Coding(IntEnum):
    """Encodings of a body; the values are those of zlib."""

    GZIP = _AS_GZIP
    DEFLATE = 15


_CODINGS: Final = {b"gzip": Coding.GZIP, b"x-gzip": Coding.GZIP, b"deflate": Coding.DEFLATE}


def coding_of(headers: RawHeaders) -> Coding | None:
    """Return how a request's body is packed, None where it is not; raises `UnsupportedCoding`."""
    name = headers.get(b"content-encoding", b"").strip().lower()
    if name in _AS_IT_IS:
        return None
    coding = _CODINGS.get(name)
    if coding is None:
        raise UnsupportedCoding(name.decode("latin-1"))
    return coding


def unpacked(body: bytes, coding: Coding, limit: int) -> bytes:
    """Return the content of a packed body.

    Raises `BodyTooLarge` beyond `limit` bytes, of which no more are made, and `InvalidParameter` ``body`` for what is
    not packed so, ends too early or goes on behind its end.
    """
    packed = zlib.decompressobj(coding)
    try:
        content = packed.decompress(body, limit + 1)
    except zlib.error:
        raise _not_packed(coding, "is not") from None
    if len(content) > limit:
        raise BodyTooLarge(f"{too_large(limit)[:-1]} when decompressed.")
    if not packed.eof:
        raise _not_packed(coding, "is incomplete") from None
    if packed.unused_data:
        raise InvalidParameter("body", f"body: holds more than one {coding.name.lower()} stream; send one.")
    return content


def _not_packed(coding: Coding, what: str) -> InvalidParameter:
    return InvalidParameter("body", f"body: {what} {coding.name.lower()} data, as its Content-Encoding says.")


def takes_gzip(headers: RawHeaders) -> bool:
    """Whether a client takes packed answers, as its ``Accept-Encoding`` says."""
    accepted = headers.get(b"accept-encoding")
    if accepted is None:
        return False
    weights = dict(_weighed(part) for part in accepted.lower().split(b","))
    return weights.get(b"gzip", weights.get(b"x-gzip", weights.get(b"*", 0.0))) > 0


def _weighed(part: bytes) -> tuple[bytes, float]:
    """Return one coding of ``Accept-Encoding`` with its weight."""
    name, _, weight = part.partition(b";")
    try:
        return name.strip(), float(weight.replace(b" ", b"").removeprefix(b"q=") or 1)
    except ValueError:
        return name.strip(), 0.0


def packed_headers(headers: Headers, length: int | None) -> Headers:
    """Return the headers of an answer once it is packed; its length is unknown while it is not whole."""
    others = [header for header in headers if header[0] != b"content-length"]
    return [*others, PACKED, *([] if length is None else [(b"content-length", b"%d" % length)])]


def packed(content: bytes) -> bytes:
    """Return a small answer packed."""
    return zlib.compress(content, _QUICKLY, _AS_GZIP)


async def packed_pieces(content: bytes) -> AsyncIterator[bytes]:
    """Yield a large answer packed, piece by piece."""
    packer = zlib.compressobj(_QUICKLY, wbits=_AS_GZIP)
    view = memoryview(content)
    for at in range(0, len(view), PIECE):
        piece = await asyncio.to_thread(packer.compress, view[at : at + PIECE])
        if piece:
            yield piece
    yield packer.flush()


def new_reference() -> str:
    """Return what an answer and the log call a request."""
    return f"{_PREFIX}{next(_NUMBERS):08x}"


def common_headers(reference: str, *, public: bool = True) -> Headers:
    """Return the headers that every answer carries besides its own; private ones are nothing for a page."""
    return [(REQUEST_ID, reference.encode()), *(CORS_HEADERS if public else ())]


class PartedResponse(Response):
    """A whole answer, which goes out in parts where it is large: a slow reader holds little memory.

    One that is not small goes out packed where the client takes it so, unless it is `ready` as it is.
    """

    ready = False

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        size = len(self.body)
        if size >= MIN_PACKED and not self.ready:
            self.raw_headers.append(VARY)
            if takes_gzip(raw_headers(scope)) and (size <= MAX_PART or scope["http_version"] != "1.0"):
                await self._send_packed(scope, send)
                return
        if size <= MAX_PART:
            await super().__call__(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        view = memoryview(self.body)
        for at in range(0, size, MAX_PART):
            more = at + MAX_PART < size
            await send({"type": "http.response.body", "body": view[at : at + MAX_PART], "more_body": more})

    async def _send_packed(self, scope: Scope, send: Send) -> None:
        whole = packed(bytes(self.body)) if len(self.body) <= MAX_PART else None
        headers = packed_headers(self.raw_headers, None if whole is None else len(whole))
        await send({"type": "http.response.start", "status": self.status_code, "headers": headers})
        if whole is None and scope["method"] != "HEAD":
            async for piece in packed_pieces(bytes(self.body)):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": whole or b""})


class ReadyResponse(PartedResponse):
    """An answer whose bytes are sent as they are: packed already, or with a tag that is theirs."""

    ready = True


class JsonResponse(PartedResponse):
    """JSON.

    Its headers are bytes from the start: Starlette's own way from text to bytes takes as long as all of its layers.
    """

    def __init__(self, content: Any, status_code: int = 200, headers: Headers | None = None) -> None:
        self.status_code = status_code
        self.background = None
        self.body = orjson.dumps(content)
        self.raw_headers = [(b"content-type", JSON_TYPE), (b"content-length", b"%d" % len(self.body)), *(headers or ())]

    def as_bytes(self, reference: str, server_headers: Headers, *, keep_alive: bool) -> bytes:
        """Return the whole answer as it goes over the wire, for connections that answer without an application."""
        own = b"".join([b"%s: %s\r\n" % header for header in [*server_headers, *self.raw_headers]])
        end = _CORS_LINES if keep_alive else _CORS_LINES + b"connection: close\r\n"
        named = b"%s: %s\r\n" % (REQUEST_ID, reference.encode())
        return b"%s%s%s%s\r\n%s" % (STATUS_LINE[self.status_code], own, named, end, self.body)


def error_response(error: BaseException, reference: str, request: str) -> JsonResponse:
    """Return the answer to an error; a fault of ours is logged under the reference that the answer names."""
    status, body = refusal(error, reference)
    if status == 500:
        logger.error("Request %s failed: %s", reference, request, exc_info=error)
    return JsonResponse(body, status, headers_of(error))
