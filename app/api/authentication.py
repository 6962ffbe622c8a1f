"""Keys: who may call what, and in which environment.

The ``Authorization`` header carries the raw key, as every SDK sends it. ``Bearer <key>`` is accepted too, because
HTTP tools offer nothing else for a bare token.
"""

from secrets import compare_digest
from typing import Final, Protocol

from app.api.errors import Forbidden, Unauthorized
from engine.domain.environment import ApiKey, KeyLevel

_BEARER: Final = "bearer "


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
    key = keys.find(_bare(header))
    if key is None:
        raise Unauthorized("The API key in the Authorization header is not one of this workspace's keys.")
    if level is KeyLevel.SECRET and key.level is not KeyLevel.SECRET:
        raise Forbidden("This endpoint needs a secret key; the request has a publishable one.")
    return key


def check_token(token: str, header: bytes | None) -> None:
    """Raise `Unauthorized` unless a control request carries the token that this process published."""
    if header is None or not compare_digest(_bare(header).encode(), token.encode()):
        raise Unauthorized("The control token is missing or not the one of this process.")


def _bare(header: bytes) -> str:
    text = header.decode("latin-1").strip()
    return text[len(_BEARER) :].strip() if text[: len(_BEARER)].lower() == _BEARER else text
