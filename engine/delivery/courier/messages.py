"""The messages between the engine's process and the courier: frames, each behind its length and its kind.

What describes something is JSON; bodies follow it as they are.
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import BinaryIO, Final

import orjson
from msgspec import Struct

from engine.domain.clock import ClockPace
from engine.domain.environment import Environment
from engine.outbound.posting.receiver import Posted, Receiver
from engine.store.records.cells import from_ms, to_ms

_HEAD: Final = struct.Struct("!IB")
_LENGTH: Final = struct.Struct("!I")


class Order(IntEnum):
    """A frame to the courier."""

    ROUTES = 1
    """The webhooks and clocks as they are now."""

    GROWN = 2
    """Deliveries were queued."""

    RESCAN = 3
    """Stored deliveries of some webhooks were changed."""

    SETTLED = 4
    """Whether the last outcomes are stored, and how long to rest."""

    BODIES = 5
    """What the courier asked for: the bodies of deliveries that are encoded when they are sent."""

    TRY = 6
    """A request past the queue."""

    CLOSE = 7
    """End, when what is under way is answered or a moment has passed."""


class Report(IntEnum):
    """A frame from the courier."""

    OUTCOMES = 1
    """What became of requests, to be stored."""

    LOOKS = 2
    """It reads what was queued until now: whoever queues more is to say so again."""

    ENCODE = 3
    """Bodies that it needs."""

    TRIED = 4
    """The outcome of a request past the queue."""

    TROUBLE = 5
    """A failure of its own, as a sentence for the log."""


class Route(Struct, frozen=True):
    """A webhook as far as the courier has to know it; where it is not `active` nothing is sent."""

    webhook_id: str
    environment: Environment
    receiver: Receiver
    active: bool


class Routes(Struct, frozen=True):
    """All webhooks, and how the clock of each environment differs from the machine's."""

    webhooks: tuple[Route, ...]
    clocks: Mapping[Environment, ClockPace | None]


class Outcomes(Struct, frozen=True):
    """What became of requests: the rows to store, as `settle_deliveries` takes them, and what else is to be known.

    `finished` is how many of each webhook need no more attempts, `failures` the webhooks and errors of those given up.
    """

    rows: bytes
    finished: Mapping[str, int]
    environments: tuple[Environment, ...]
    failures: Sequence[tuple[str, str]]


def frame(kind: IntEnum, *parts: bytes) -> bytes:
    """Return a frame of this content."""
    content = b"".join(parts)
    return _HEAD.pack(len(content), kind) + content


def frames(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the kind and the content of each frame until the stream ends."""
    while len(head := stream.read(_HEAD.size)) == _HEAD.size:
        length, kind = _HEAD.unpack(head)
        if len(content := stream.read(length)) < length:
            return
        yield kind, content


def pack_routes(routes: Routes) -> bytes:
    """Return all webhooks and clocks."""
    webhooks = [
        [route.webhook_id, route.environment.value, _of_receiver(route.receiver), route.active]
        for route in routes.webhooks
    ]
    clocks = {
        environment.value: pace and [to_ms(pace.since), to_ms(pace.shown), pace.scale]
        for environment, pace in routes.clocks.items()
    }
    return frame(Order.ROUTES, orjson.dumps([webhooks, clocks]))


def unpack_routes(content: bytes) -> Routes:
    """Return what `pack_routes` packed."""
    webhooks, clocks = orjson.loads(content)
    return Routes(
        tuple(
            Route(webhook_id, Environment(environment), Receiver(*receiver), active)
            for webhook_id, environment, receiver, active in webhooks
        ),
        {Environment(environment): pace and _pace(*pace) for environment, pace in clocks.items()},
    )


def pack_bodies(webhook_id: str, numbers: Sequence[int], bodies: Mapping[int, bytes] | None) -> bytes:
    """Return the bodies of some of these deliveries; None tells that they could not be read."""
    found = {} if bodies is None else bodies
    head = orjson.dumps([webhook_id, list(numbers), bodies is not None, list(found), list(map(len, found.values()))])
    return frame(Order.BODIES, _LENGTH.pack(len(head)), head, *found.values())


def unpack_bodies(content: bytes) -> tuple[str, list[int], dict[int, bytes] | None]:
    """Return what `pack_bodies` packed."""
    head, rest = _split(content)
    webhook_id, numbers, is_read, found, lengths = orjson.loads(head)
    bodies, at = {}, 0
    for number, length in zip(found, lengths, strict=True):
        bodies[number] = rest[at : at + length]
        at += length
    return webhook_id, numbers, bodies if is_read else None


def pack_try(receiver: Receiver, number: int, body: bytes) -> bytes:
    """Return a request past the queue."""
    head = orjson.dumps([_of_receiver(receiver), number])
    return frame(Order.TRY, _LENGTH.pack(len(head)), head, body)


def unpack_try(content: bytes) -> tuple[Receiver, int, bytes]:
    """Return what `pack_try` packed."""
    head, body = _split(content)
    receiver, number = orjson.loads(head)
    return Receiver(*receiver), number, body


def pack_outcomes(outcomes: Outcomes) -> bytes:
    """Return outcomes."""
    head = orjson.dumps([outcomes.finished, outcomes.environments, outcomes.failures])
    return frame(Report.OUTCOMES, _LENGTH.pack(len(head)), head, outcomes.rows)


def unpack_outcomes(content: bytes) -> Outcomes:
    """Return what `pack_outcomes` packed."""
    head, rows = _split(content)
    finished, environments, failures = orjson.loads(head)
    return Outcomes(rows, finished, tuple(map(Environment, environments)), [(each[0], each[1]) for each in failures])


def pack_posted(posted: Posted) -> bytes:
    """Return the outcome of a request past the queue."""
    return frame(Report.TRIED, orjson.dumps([posted.number, posted.status, posted.error, posted.duration_ms]))


def unpack_posted(content: bytes) -> Posted:
    """Return what `pack_posted` packed."""
    return Posted(*orjson.loads(content))


def _of_receiver(receiver: Receiver) -> list[object]:
    return [receiver.group, receiver.url, receiver.token, receiver.timeout_s, receiver.public_only]


def _pace(since: int, shown: int, scale: float) -> ClockPace:
    return ClockPace(from_ms(since), from_ms(shown), scale, scale)


def _split(content: bytes) -> tuple[bytes, bytes]:
    at = _LENGTH.size + _LENGTH.unpack_from(content)[0]
    return content[_LENGTH.size : at], content[at:]
