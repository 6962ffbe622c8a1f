"""The messages between this process and the one that posts: frames of JSON, each behind its length."""

from collections.abc import Iterable
from dataclasses import dataclass
from struct import Struct
from typing import Final

import orjson

LENGTH: Final = Struct("!I")


@dataclass(frozen=True, slots=True)
class Post:
    """A request to be made: a POST of JSON.

    `group` names the receiver, whose requests share its connections and no one else's. `public_only` refuses addresses
    that are not of the internet.
    """

    number: int
    group: str
    url: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    timeout_s: float
    public_only: bool = False


@dataclass(frozen=True, slots=True)
class Posted:
    """The outcome of a request: the status of the answer, or why there is none that counts."""

    number: int
    status: int | None
    error: str | None
    duration_ms: int


def pack_posts(posts: Iterable[Post]) -> bytes:
    """Return a frame of requests."""
    return _frame(
        [
            [each.number, each.group, each.url, each.headers, each.body.decode(), each.timeout_s, each.public_only]
            for each in posts
        ]
    )


def unpack_posts(content: bytes) -> list[Post]:
    """Return the requests of a frame's content."""
    return [
        Post(number, group, url, tuple((name, value) for name, value in headers), body.encode(), timeout_s, public_only)
        for number, group, url, headers, body, timeout_s, public_only in orjson.loads(content)
    ]


def pack_outcomes(outcomes: Iterable[Posted]) -> bytes:
    """Return a frame of outcomes."""
    return _frame([[each.number, each.status, each.error, each.duration_ms] for each in outcomes])


def unpack_outcomes(content: bytes) -> list[Posted]:
    """Return the outcomes of a frame's content."""
    return [Posted(*each) for each in orjson.loads(content)]


def _frame(content: object) -> bytes:
    text = orjson.dumps(content)
    return LENGTH.pack(len(text)) + text
