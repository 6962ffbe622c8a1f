"""URLs of servers, which may contain secrets that must not be shown: a user, a password, a key in the query."""

import re
from base64 import b64encode
from contextlib import suppress
from typing import Final, Self
from urllib.parse import unquote, unquote_plus, urlsplit, urlunsplit

from msgspec import Struct

USER_AGENT: Final = "Fencewright"

_URL: Final = re.compile(
    r"""(https?:\\?/\\?/)"""  # JSON may escape slashes
    r"""((?:[^/?#"<>\r\n\\]|\\["\\u])*@)?"""  # the last @ before the path ends the password
    r"""([^\s?#"'<>]*)(\?[^\s"'<>]*)?""",
    re.IGNORECASE,
)
_HIDDEN: Final = "…"

_SHORTEST: Final = 3
"""Minimum length of a secret to hide, because a shorter one occurs in too many words."""


class ServerUrl(Struct, frozen=True):
    """The parts of a server's URL; `base`, followed by any path below it, is safe to show."""

    base: str
    """Scheme, host, port and path, without a trailing slash."""

    host: str
    query: str
    """Query as given, sent with every request."""

    login: tuple[str, str] | None
    """User and password."""

    @classmethod
    def parse(cls, url: str) -> Self:
        """Return the parts of a URL; raises `ValueError` unless it is an ``http`` or ``https`` URL with a host."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
            raise ValueError("not a server URL")
        if any(char.isspace() or not char.isprintable() for char in url):
            raise ValueError("a URL must not contain spaces")
        before, at, place = parts.netloc.rpartition("@")
        user, _, password = before.partition(":")
        base = urlunsplit((parts.scheme, place, parts.path.rstrip("/"), "", ""))
        return cls(base, parts.hostname, parts.query, (unquote(user), unquote(password)) if at else None)

    def at(self, path: str, query: str = "") -> str:
        """Return the URL of a path below this one, with `query` and the server's own."""
        queries = "&".join(part for part in (query, self.query) if part)
        return f"{self.base}{path}?{queries}" if queries else f"{self.base}{path}"

    @property
    def secrets(self) -> tuple[str, ...]:
        """Secrets that must not be shown from any source, such as a server that repeats requests."""
        values = [part.partition("=")[2] or part for part in self.query.split("&")]
        found = {*values, *map(unquote_plus, values), *(self.login or ())}
        if self.login is not None:
            found.add(b64encode(":".join(self.login).encode()).decode())
        return tuple(sorted((secret for secret in found if len(secret) >= _SHORTEST), key=len, reverse=True))


def shown_url(text: str) -> str:
    """Return a given URL without its secrets, for messages; it may be invalid."""
    with suppress(ValueError):
        return ServerUrl.parse(text).base
    # In an unreadable URL, the beginning of a secret before an @ cannot be determined.
    return "…" if "@" in text else text.partition("?")[0].partition("#")[0]


def without_url_secrets(text: str) -> str:
    """Return text with the users, passwords and queries of URLs masked: ``https://…@example.com/hook?…``."""
    return _URL.sub(_masked_url, text)


def url_secrets(text: str) -> list[tuple[str, str]]:
    """Return the users, passwords and queries of all URLs in a text."""
    return [(user, query) for _, user, _, query in _URL.findall(text) if user or query]


def _masked_url(found: re.Match[str]) -> str:
    user = f"{_HIDDEN}@" if found[2] else ""
    query = f"?{_HIDDEN}" if found[4] else ""
    return f"{found[1]}{user}{found[3]}{query}"
