"""Keys: who may call what, and in which environment.

The ``Authorization`` header carries the raw key, as every SDK sends it. ``Bearer <key>`` is accepted too, because
HTTP tools offer nothing else for a bare token. A session token (the browser SDK's `authToken`, a JWT) is not: what
signs it is the vendor's own.
"""

import re
from secrets import compare_digest
from typing import Final, Protocol

from app.api.http.errors import Forbidden, Unauthorized
from engine.domain.environment import ApiKey, KeyLevel

QUERY_KEY: Final = "publishableKey"
"""The parameter with the key where what asks for something can send no headers: a picture, a style of a map."""

_BEARER: Final = "bearer "
_SESSION_TOKEN: Final = re.compile(r"eyJ[\w-]*\.[\w-]+\.[\w-]*")
"""A JWT, as far as its shape tells."""

_UNKNOWN: Final = "The API key in the Authorization header is not one of this workspace's keys."
_NO_SESSION_TOKENS: Final = (
    "Session tokens (an SDK's authToken) are not served: the vendor's own servers issue them, and nobody else can "
    "verify them. Send a key of this workspace instead: Authorization: <key>, or Authorization: Bearer <key>; in "
    "the browser SDK, publishableKey instead of authToken."
)


class Keys(Protocol):
    """The part of a workspace's key ring that the endpoint needs."""

    def find(self, value: str) -> ApiKey | None:
        """Return the key with this value."""
        ...


def authenticate(keys: Keys, header: bytes | None, level: KeyLevel) -> ApiKey:
    """Return the key of a request. A secret key also opens what is publishable.

    Raises `Unauthorized` for a missing or unknown key, `Forbidden` for a publishable key on a secret endpoint.
    """
    if not header:
        raise Unauthorized("The request has no API key: send one in the Authorization header.")
    value = bare_key(header)
    key = keys.find(value)
    if key is None:
        raise Unauthorized(_NO_SESSION_TOKENS if _SESSION_TOKEN.fullmatch(value) else _UNKNOWN)
    if level is KeyLevel.SECRET and key.level is not KeyLevel.SECRET:
        raise Forbidden("This endpoint needs a secret key; the request has a publishable one.")
    return key


def authenticate_by_query(keys: Keys, value: str) -> ApiKey:
    """Return the key that a query has; a secret key does not belong into an address, which others get to see.

    Raises `Unauthorized` ``publishableKey`` for an unknown key, `Forbidden` for a secret one.
    """
    key = keys.find(value)
    if key is None:
        raise Unauthorized(f"{QUERY_KEY}: this is not one of this workspace's keys.", QUERY_KEY)
    if key.level is not KeyLevel.PUBLISHABLE:
        raise Forbidden(f"{QUERY_KEY}: a secret key belongs in the Authorization header.", QUERY_KEY)
    return key


def check_token(token: str, header: bytes | None) -> None:
    """Raise `Unauthorized` unless a control request carries the token that this process published."""
    if header is None or not compare_digest(bare_key(header).encode(), token.encode()):
        raise Unauthorized("The control token is missing or not the one of this process.")


def bare_key(header: bytes) -> str:
    """Return what an ``Authorization`` header carries, without ``Bearer``."""
    text = header.decode("latin-1").strip()
    return text[len(_BEARER) :].strip() if text[: len(_BEARER)].lower() == _BEARER else text
