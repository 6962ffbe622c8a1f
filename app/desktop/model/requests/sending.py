"""Sending requests to the endpoint of the open workspace, as a client would."""

from __future__ import annotations

from http.client import HTTPConnection, HTTPException, HTTPSConnection
from ssl import create_default_context
from urllib.parse import quote, urlsplit

from msgspec import Struct

from app.desktop.language import tr
from engine.domain.errors import FencewrightError, InvalidParameter

TIMEOUT_S = 40.0
"""Longer than the server waits in any operation."""

_SAFE = "!#$%&'()*+,/:;=?@[]~|"
MOST_READ = 64 * 1024 * 1024


class Draft(Struct, frozen=True):
    """A request to send; `key` is None to send it without a key."""

    method: str
    path: str
    headers: tuple[tuple[str, str], ...]
    body: str
    key: str | None


class Sent(Struct, frozen=True):
    """The status of the response, and the request ID it returned."""

    status: int
    request_id: str


def parse_headers(text: str) -> tuple[tuple[str, str], ...]:
    """Return the headers in a text, one per line. Raises `InvalidParameter` ``headers`` for other lines."""
    found = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or not name.strip().isascii() or " " in name.strip():
            raise InvalidParameter(
                "headers", tr("headers: {header!r} is not a name, a colon and a value.", header=line[:60])
            )
        found.append((name.strip(), value.strip()))
    return tuple(found)


def send(url: str, draft: Draft, authority: str | None = None) -> Sent:
    """Send a request to the endpoint at `url` and wait for the response.

    Raises `FencewrightError` if there is no response. `authority` is the certificate, in PEM format, used to verify an
    HTTPS endpoint.
    """
    if not draft.path.startswith("/"):
        raise InvalidParameter("path", tr("path: must begin with a slash."))
    connection = _connection(url, authority)
    try:
        body = draft.body.encode("utf-8", "surrogateescape")
        connection.putrequest(draft.method, quote(draft.path, safe=_SAFE), skip_accept_encoding=True)
        for name, value in _headers(draft, body):
            connection.putheader(name, value.encode("utf-8", "replace"))
        connection.endheaders(body or None)
        answer = connection.getresponse()
        answer.read(MOST_READ)
        return Sent(answer.status, answer.getheader("x-radar-request-id", ""))
    except (OSError, HTTPException, ValueError) as error:
        raise FencewrightError(tr("No response: {error}.", error=error or type(error).__name__)) from error
    finally:
        connection.close()


def _connection(url: str, authority: str | None) -> HTTPConnection:
    place = urlsplit(url)
    if place.scheme != "https":
        return HTTPConnection(place.hostname or "", place.port, timeout=TIMEOUT_S)
    context = create_default_context(cadata=authority)
    return HTTPSConnection(place.hostname or "", place.port, timeout=TIMEOUT_S, context=context)


def _headers(draft: Draft, body: bytes) -> list[tuple[str, str]]:
    headers = list(draft.headers)
    if draft.key is not None:
        headers.insert(0, ("Authorization", draft.key))
    if body:
        headers.append(("Content-Length", str(len(body))))
    return headers
