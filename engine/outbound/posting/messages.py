"""The messages between this process and the one that posts: frames, each behind its length.

A frame of requests is for one receiver: its description as JSON behind the length of that, and the bodies as they are.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from struct import Struct
from typing import Final

import orjson

LENGTH: Final = Struct("!I")


@dataclass(frozen=True, slots=True)
class Receiver:
    """Where requests go, each a POST of JSON, and the token that signs them.

    `group` names the receiver, whose requests share its connections and no one else's. `public_only` refuses addresses
    that are not of the internet.
    """

    group: str
    url: str
    token: str
    timeout_s: float
    public_only: bool = False


@dataclass(frozen=True, slots=True)
class Posted:
    """The outcome of a request: the status of the answer, or why there is none that counts."""

    number: int
    status: int | None
    error: str | None
    duration_ms: int


def pack_posts(receiver: Receiver, bodies: Mapping[int, bytes]) -> bytes:
    """Return a frame of requests to a receiver: their bodies by their numbers."""
    head = orjson.dumps(
        [
            [receiver.group, receiver.url, receiver.token, receiver.timeout_s, receiver.public_only],
            list(bodies),
            list(map(len, bodies.values())),
        ]
    )
    content = b"".join([LENGTH.pack(len(head)), head, *bodies.values()])
    return LENGTH.pack(len(content)) + content


def unpack_posts(content: bytes) -> tuple[Receiver, dict[int, bytes]]:
    """Return the receiver and the bodies of a frame's content."""
    at = LENGTH.size + LENGTH.unpack_from(content)[0]
    receiver, numbers, lengths = orjson.loads(content[LENGTH.size : at])
    bodies = {}
    for number, length in zip(numbers, lengths, strict=True):
        bodies[number] = content[at : at + length]
        at += length
    return Receiver(*receiver), bodies


def pack_outcomes(outcomes: Iterable[Posted]) -> bytes:
    """Return a frame of outcomes."""
    text = orjson.dumps([[each.number, each.status, each.error, each.duration_ms] for each in outcomes])
    return LENGTH.pack(len(text)) + text


def unpack_outcomes(content: bytes) -> list[Posted]:
    """Return the outcomes of a frame's content."""
    return [Posted(*each) for each in orjson.loads(content)]
