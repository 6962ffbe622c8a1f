"""The receivers of requests, and the outcomes."""

from msgspec import Struct


class Receiver(Struct, frozen=True):
    """The destination of requests, which are POSTs of JSON, with the token that signs them.

    `group` names the receiver, whose requests share connections among themselves only. `public_only` refuses addresses
    that are not of the public internet.
    """

    group: str
    url: str
    token: str
    timeout_s: float
    public_only: bool = False


class Posted(Struct, frozen=True):
    """The outcome of a request: the status of the response, or an error message if there is no usable one."""

    number: int
    status: int | None
    error: str | None
    duration_ms: int
