"""Test and Live, and the keys that select them."""

from enum import StrEnum

from msgspec import Struct


class Environment(StrEnum):
    """Data is kept in two environments that never mix; the key of a request selects one."""

    live: bool
    """Whether this is the environment for production data."""

    TEST = "test"
    LIVE = "live"

    def __init__(self, value: str) -> None:
        self.live = value == "live"


class KeyLevel(StrEnum):
    """A publishable key may be used in client apps; a secret key also manages data."""

    PUBLISHABLE = "publishable"
    SECRET = "secret"


class ApiKey(Struct, frozen=True):
    """One of the four keys of a workspace."""

    environment: Environment
    level: KeyLevel
    value: str
