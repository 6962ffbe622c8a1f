"""Where requests go, and what becomes of them."""

from msgspec import Struct


class Receiver(Struct, frozen=True):
    """Where requests go, each a POST of JSON, and the token that signs them.

    `group` names the receiver, whose requests share its connections and no one else's. `public_only` refuses addresses
    that are not of the internet.
    """

    group: str
    url: str
    token: str
    timeout_s: float
    public_only: bool = False


class Posted(Struct, frozen=True):
    """The outcome of a request: the status of the answer, or why there is none that counts."""

    number: int
    status: int | None
    error: str | None
    duration_ms: int
