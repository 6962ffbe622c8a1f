"""Responses other than JSON: images, tiles, glyphs and whole files, with caching headers."""

import asyncio
import gzip
import logging
import os
import re
import zlib
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, Final, override

from msgspec import Struct
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.api.http.errors import RangeNotSatisfiable
from app.api.http.headers import RawHeaders
from app.api.http.responses import MAX_PART, ReadyResponse, takes_gzip
from engine.domain.errors import InvalidParameter, NotFound

logger = logging.getLogger(__name__)

ASK_AGAIN: Final = "private, no-cache"
"""Cacheable, but revalidated by its tag each time because it may change while the server runs."""

A_DAY: Final = "private, max-age=86400"
"""Cacheable for a day, because it changes only with the program."""


class Content(Struct, frozen=True):
    """A complete response body and its content type.

    `packed` states that the body is already compressed with gzip. `tag` identifies the content; if empty, it is
    computed from the body.
    """

    body: bytes
    kind: str
    tag: str = ""
    packed: bool = False
    kept: str = ASK_AGAIN


class WholeFile(Struct, frozen=True):
    """A file on disk, of which a client may request a range; `param` is the parameter that named it."""

    file: Path
    kind: str
    param: str


_RANGE: Final = re.compile(rb"bytes=(\d{0,18})-(\d{0,18})")

NOTHING: Final = Content(b"", "")
"""A successful response without content, status 204."""


def content_response(content: Content, request_headers: RawHeaders) -> Response:
    """Return the response with a content, or with status 304 if the client's copy is current.

    A damaged content is no content for a client that does not take it packed.
    """
    if content is NOTHING:
        return Response(status_code=204, headers={"cache-control": content.kept})
    packed = content.packed and takes_gzip(request_headers)
    tag = content.tag or sha256(content.body).hexdigest()[:32]
    etag = f'"{tag}"' if packed or not content.packed else f'"{tag}-plain"'
    headers = {"etag": etag, "cache-control": content.kept}
    if content.packed:
        headers["vary"] = "accept-encoding"
    if _has(request_headers, etag):
        return Response(status_code=304, headers=headers)
    if packed:
        headers["content-encoding"] = "gzip"
    body = content.body
    if content.packed and not packed:
        try:
            body = gzip.decompress(body)
        except (OSError, EOFError, zlib.error):
            logger.warning("A damaged content was left out: %s %s", content.kind, content.tag)
            return content_response(NOTHING, request_headers)
    return ReadyResponse(body, headers=headers | {"content-type": content.kind})


def file_response(whole: WholeFile, request_headers: RawHeaders) -> Response:
    """Return the response with a file, or with the requested range of it.

    Raises `NotFound`, or `InvalidParameter` or `RangeNotSatisfiable` ``Range``.
    """
    try:
        stream = whole.file.open("rb")
    except OSError:
        raise NotFound(whole.param, f"{whole.param}: the file has been removed.") from None
    state = os.fstat(stream.fileno())
    etag = f'"{state.st_mtime_ns:x}-{state.st_size:x}-{state.st_ino:x}"'
    headers = {"etag": etag, "cache-control": ASK_AGAIN, "accept-ranges": "bytes", "content-type": whole.kind}
    try:
        if _has(request_headers, etag):
            stream.close()
            return Response(status_code=304, headers={"etag": etag, "cache-control": ASK_AGAIN})
        # A range of a file that the client already has in part, unless the file has changed since.
        wanted = (
            request_headers.get(b"range") if request_headers.get(b"if-range", etag.encode()) == etag.encode() else None
        )
        if wanted is None:
            return FilePart(stream, range(state.st_size), 200, headers)
        part = _range_of(wanted, state.st_size)
    except BaseException:
        stream.close()
        raise
    headers["content-range"] = f"bytes {part.start}-{part.stop - 1}/{state.st_size}"
    return FilePart(stream, part, 206, headers)


class FilePart(Response):
    """A part of a file, read while it is sent to the client."""

    def __init__(self, stream: BinaryIO, part: range, status_code: int, headers: dict[str, str]) -> None:
        super().__init__(status_code=status_code, headers=headers | {"content-length": str(len(part))})
        self._stream = stream
        self._part = part

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._stream:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            self._stream.seek(self._part.start)
            left = 0 if scope["method"] == "HEAD" else len(self._part)
            while left > 0:
                piece = await asyncio.to_thread(self._stream.read, min(left, MAX_PART))
                left = left - len(piece) if piece else 0
                await send({"type": "http.response.body", "body": piece, "more_body": left > 0})
            if not self._part or scope["method"] == "HEAD":
                await send({"type": "http.response.body", "body": b""})


def _range_of(wanted: bytes, size: int) -> range:
    """Return the range of bytes requested of a file; raises `InvalidParameter` or `RangeNotSatisfiable` ``Range``."""
    found = _RANGE.fullmatch(wanted.strip())
    if found is None or not (found[1] or found[2]):
        raise InvalidParameter("Range", _ONE_RANGE)
    if not found[1]:
        first, end = max(size - int(found[2]), 0), size
    else:
        first, end = int(found[1]), min(int(found[2]) + 1, size) if found[2] else size
        if found[2] and int(found[2]) < first:
            raise InvalidParameter("Range", _ONE_RANGE)
    if first >= end:
        raise RangeNotSatisfiable(size)
    return range(first, end)


_ONE_RANGE: Final = "Range: must be one range of bytes, such as bytes=0-1023."


def _has(request_headers: RawHeaders, etag: str) -> bool:
    """Return whether the client already has the content with this tag."""
    held = request_headers.get(b"if-none-match", b"").decode("latin-1")
    return held.strip() == "*" or etag in (part.strip().removeprefix("W/") for part in held.split(","))
