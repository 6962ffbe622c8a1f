"""Responses: Starlette's responses as sent by this endpoint, and the parts common to all of them."""

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
"""Responses below this size are not compressed because they would hardly become smaller."""

PIECE: Final = 256 * 1024
VARY: Final = (b"vary", b"accept-encoding")
PACKED: Final = (b"content-encoding", b"gzip")

_QUICKLY: Final = 1
_AS_GZIP: Final = 31

_AS_IT_IS: Final = (b"", b"identity")
JSON_TYPE: Final = b"application/json"
REQUEST_ID: Final = b"x-radar-request-id"
MAX_PART: Final = 64 * 1024
"""Size of the parts of a larger response; each is sent when the client has read most of the previous one."""

_CORS_LINES: Final = b"".join(b"%s: %s\r\n" % header for header in CORS_HEADERS)
_PREFIX: Final = token_hex(4)
_NUMBERS: Final = count(1)
logger = logging.getLogger(__name__)


class Coding(IntEnum):
    """Content encodings of a body; the values are those of zlib."""

    GZIP = _AS_GZIP
    DEFLATE = 15


_CODINGS: Final = {b"gzip": Coding.GZIP, b"x-gzip": Coding.GZIP, b"deflate": Coding.DEFLATE}


def coding_of(headers: RawHeaders) -> Coding | None:
    """Return the content encoding of a request's body, or None without one; raises `UnsupportedCoding`."""
    name = headers.get(b"content-encoding", b"").strip().lower()
    if name in _AS_IT_IS:
        return None
    coding = _CODINGS.get(name)
    if coding is None:
        raise UnsupportedCoding(name.decode("latin-1"))
    return coding


def unpacked(body: bytes, coding: Coding, limit: int) -> bytes:
    """Return the content of a compressed body.

    Raises `BodyTooLarge` beyond `limit` bytes, without decompressing more. Raises `InvalidParameter` ``body`` if the
    data is not in this encoding, ends early or has trailing bytes.
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


def _not_packed(coding: Coding, kind: str) -> InvalidParameter:
    return InvalidParameter("body", f"body: {kind} {coding.name.lower()} data, as its Content-Encoding says.")


def takes_gzip(headers: RawHeaders) -> bool:
    """Return whether a client accepts compressed responses, according to its ``Accept-Encoding``."""
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
    """Return the headers of a compressed response; its length is unknown unless it was compressed as a whole."""
    others = [header for header in headers if header[0] != b"content-length"]
    return [*others, PACKED, *([] if length is None else [(b"content-length", b"%d" % length)])]


def packed(content: bytes) -> bytes:
    """Return a small response compressed."""
    return zlib.compress(content, _QUICKLY, _AS_GZIP)


async def packed_pieces(content: bytes) -> AsyncIterator[bytes]:
    """Yield a large response compressed, piece by piece."""
    packer = zlib.compressobj(_QUICKLY, wbits=_AS_GZIP)
    view = memoryview(content)
    for at in range(0, len(view), PIECE):
        piece = await asyncio.to_thread(packer.compress, view[at : at + PIECE])
        if piece:
            yield piece
    yield packer.flush()


def new_reference() -> str:
    """Return a new request ID for a response and the log."""
    return f"{_PREFIX}{next(_NUMBERS):08x}"


def common_headers(reference: str, *, public: bool = True) -> Headers:
    """Return the headers common to all responses; private ones omit the headers for pages."""
    return [(REQUEST_ID, reference.encode()), *(CORS_HEADERS if public else ())]


class PartedResponse(Response):
    """A response sent in parts if it is large, so that a slow reader occupies little memory.

    From `MIN_PACKED` bytes on it is compressed if the client accepts that, unless it is `ready` to be sent unchanged.
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
    """A response whose bytes are sent unchanged because they are compressed already or identified by their tag."""

    ready = True


class JsonResponse(PartedResponse):
    """A JSON response.

    Its headers are bytes from the start, because Starlette's conversion from text takes as long as all of its layers.
    """

    def __init__(self, content: Any, status_code: int = 200, headers: Headers | None = None) -> None:
        self.status_code = status_code
        self.background = None
        self.body = orjson.dumps(content)
        self.raw_headers = [(b"content-type", JSON_TYPE), (b"content-length", b"%d" % len(self.body)), *(headers or ())]

    def as_bytes(self, reference: str, server_headers: Headers, *, keep_alive: bool) -> bytes:
        """Return the whole response as sent, for connections that respond without an application."""
        own = b"".join([b"%s: %s\r\n" % header for header in [*server_headers, *self.raw_headers]])
        end = _CORS_LINES if keep_alive else _CORS_LINES + b"connection: close\r\n"
        named = b"%s: %s\r\n" % (REQUEST_ID, reference.encode())
        return b"%s%s%s%s\r\n%s" % (STATUS_LINE[self.status_code], own, named, end, self.body)


def error_response(error: BaseException, reference: str, request: str) -> JsonResponse:
    """Return the response to an error; an internal error is logged under the reference in the response."""
    status, body = refusal(error, reference)
    if status == 500:
        logger.error("Request %s failed: %s", reference, request, exc_info=error)
    return JsonResponse(body, status, headers_of(error))
