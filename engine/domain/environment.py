"""Test and Live, and the keys that select them."""

from enum import StrEnum

from msgspec import Struct


class Environment(StrEnum):
    """The two environments, whose data never mix. The key of a request selects one."""

    live: bool
    """Whether this is the environment for production data."""

    TEST = "test"
    LIVE = "live"

    def __init__(self, value: str) -> None:
        self.live = value == "live"


class KeyLevel(StrEnum):
    """The levels of keys: a publishable key may be used in client apps, a secret key also manages data."""

    PUBLISHABLE = "publishable"
    SECRET = "secret"


class ApiKey(Struct, frozen=True):
    """One of the four keys of a workspace."""

    environment: Environment
    level: KeyLevel
    value: str
