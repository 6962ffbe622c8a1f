"""Requests to URLs from data, and responses: values without the client, which is slow to import."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct, field

from engine.domain.errors import FencewrightError, InvalidParameter
from engine.outbound.urls import shown_url

MAX_URL: Final = 2_048


class RequestFailed(FencewrightError):
    """A server gave no usable response; the message is a sentence with the reason and contains no secret."""


class Bounds(Struct, frozen=True):
    """Limits of an exchange: decompressed bytes, total seconds, redirects, and compression ratio."""

    max_bytes: int
    within_s: float
    redirects: int = 0
    max_ratio: float = 200.0
    connect_s: float = 10.0


class Reply(Struct, frozen=True):
    """The response of a server; `headers` have lower-case names.

    `is_whole` states whether the server declared the end of the body; otherwise an incomplete body looks complete.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    is_whole: bool = True


class Question(Struct, frozen=True, kw_only=True):
    """Request to a URL. `name` is its name in messages; `private` allows private addresses."""

    url: str
    bounds: Bounds
    method: str = "GET"
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    private: bool = False
    name: str = ""

    @property
    def shown(self) -> str:
        """Name of the request in messages: its own, or the URL without possible secrets."""
        return self.name or shown_url(self.url)


def check_url(url: str, param: str) -> str:
    """Return a valid URL for requests; raises `InvalidParameter` naming `param`."""
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or len(url) > MAX_URL or any(char.isspace() or not char.isprintable() for char in url):
        raise InvalidParameter(param, f"{param}: {shown_url(url)[:100]!r} is not an http:// or https:// URL.")
    if "@" in urlsplit(url).netloc:
        raise InvalidParameter(param, f"{param}: a URL must not contain a user or a password.")
    return url
