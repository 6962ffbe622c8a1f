"""Questions to addresses that come from data, and the answers: values without the client, which takes long to load."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct, field

from engine.domain.errors import FencewrightError, InvalidParameter
from engine.outbound.urls import shown_url

MAX_URL: Final = 2_048


class RequestFailed(FencewrightError):
    """A server gave no answer that can be used; the text, a whole sentence, says why and holds no secret."""


class Bounds(Struct, frozen=True):
    """How much an exchange may take: bytes, unpacked; seconds in all; redirections; bytes for each packed one."""

    max_bytes: int
    within_s: float
    redirects: int = 0
    max_ratio: float = 200.0
    connect_s: float = 10.0


class Reply(Struct, frozen=True):
    """The answer of a server; `headers` have lower-case names.

    `is_whole` tells whether the server said where the body ends: without that, one that broke off looks whole.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    is_whole: bool = True


class Question(Struct, frozen=True, kw_only=True):
    """Request to a URL. `name` is what messages call it; `private` addresses are reached only if wanted."""

    url: str
    bounds: Bounds
    method: str = "GET"
    content: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    private: bool = False
    name: str = ""

    @property
    def shown(self) -> str:
        """Name of the URL in messages: its own, or the URL without what may be secret in it."""
        return self.name or shown_url(self.url)


def check_url(url: str, param: str) -> str:
    """Return a URL that may be asked; raises `InvalidParameter` naming `param`."""
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
