"""The messages between the engine's process and the courier: frames with a prefix for length and kind.

Metadata is encoded as JSON. Bodies follow it unchanged.
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
    """The current webhooks and clocks."""

    GROWN = 2
    """Deliveries were queued."""

    RESCAN = 3
    """Stored deliveries of some webhooks were changed."""

    SETTLED = 4
    """Whether the last outcomes were stored, and how long to rest."""

    BODIES = 5
    """Bodies that the courier requested, of deliveries that are encoded when they are sent."""

    TRY = 6
    """A request that bypasses the queue."""

    CLOSE = 7
    """End once requests in progress are answered or the grace period is over."""


class Report(IntEnum):
    """A frame from the courier."""

    OUTCOMES = 1
    """Outcomes of requests to be stored."""

    LOOKS = 2
    """Everything queued so far is being read. Deliveries queued later must be announced again."""

    ENCODE = 3
    """A request for bodies."""

    TRIED = 4
    """Outcome of a request that bypassed the queue."""

    TROUBLE = 5
    """An internal failure as a sentence for the log."""


class Route(Struct, frozen=True):
    """The data of a webhook that the courier needs. Nothing is sent unless it is `active`."""

    webhook_id: str
    environment: Environment
    receiver: Receiver
    active: bool


class Routes(Struct, frozen=True):
    """All webhooks, and the differences of the environments' clocks from the system clock."""

    webhooks: tuple[Route, ...]
    clocks: Mapping[Environment, ClockPace | None]


class Outcomes(Struct, frozen=True):
    """Outcomes of requests as rows for `settle_deliveries`, and further results.

    `finished` is the number of deliveries per webhook that need no more attempts. `failures` are the webhooks and
    errors of deliveries that were given up.
    """

    rows: bytes
    finished: Mapping[str, int]
    environments: tuple[Environment, ...]
    failures: Sequence[tuple[str, str]]


def frame(kind: IntEnum, *parts: bytes) -> bytes:
    """Return a frame with this content."""
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
    """Return a frame with all webhooks and clocks."""
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
    """Return the content packed by `pack_routes`."""
    webhooks, clocks = orjson.loads(content)
    return Routes(
        tuple(
            Route(webhook_id, Environment(environment), Receiver(*receiver), active)
            for webhook_id, environment, receiver, active in webhooks
        ),
        {Environment(environment): pace and _pace(*pace) for environment, pace in clocks.items()},
    )


def pack_bodies(webhook_id: str, numbers: Sequence[int], bodies: Mapping[int, bytes] | None) -> bytes:
    """Return a frame with the existing bodies of these deliveries. `bodies` is None if they are unreadable."""
    found = {} if bodies is None else bodies
    head = orjson.dumps([webhook_id, list(numbers), bodies is not None, list(found), list(map(len, found.values()))])
    return frame(Order.BODIES, _LENGTH.pack(len(head)), head, *found.values())


def unpack_bodies(content: bytes) -> tuple[str, list[int], dict[int, bytes] | None]:
    """Return the content packed by `pack_bodies`."""
    head, rest = _split(content)
    webhook_id, numbers, is_read, found, lengths = orjson.loads(head)
    bodies, at = {}, 0
    for number, length in zip(found, lengths, strict=True):
        bodies[number] = rest[at : at + length]
        at += length
    return webhook_id, numbers, bodies if is_read else None


def pack_try(receiver: Receiver, number: int, body: bytes) -> bytes:
    """Return a frame with a request that bypasses the queue."""
    head = orjson.dumps([_of_receiver(receiver), number])
    return frame(Order.TRY, _LENGTH.pack(len(head)), head, body)


def unpack_try(content: bytes) -> tuple[Receiver, int, bytes]:
    """Return the content packed by `pack_try`."""
    head, body = _split(content)
    receiver, number = orjson.loads(head)
    return Receiver(*receiver), number, body


def pack_outcomes(outcomes: Outcomes) -> bytes:
    """Return a frame with outcomes."""
    head = orjson.dumps([outcomes.finished, outcomes.environments, outcomes.failures])
    return frame(Report.OUTCOMES, _LENGTH.pack(len(head)), head, outcomes.rows)


def unpack_outcomes(content: bytes) -> Outcomes:
    """Return the content packed by `pack_outcomes`."""
    head, rows = _split(content)
    finished, environments, failures = orjson.loads(head)
    return Outcomes(rows, finished, tuple(map(Environment, environments)), [(each[0], each[1]) for each in failures])


def pack_posted(posted: Posted) -> bytes:
    """Return a frame with the outcome of a request that bypassed the queue."""
    return frame(Report.TRIED, orjson.dumps([posted.number, posted.status, posted.error, posted.duration_ms]))


def unpack_posted(content: bytes) -> Posted:
    """Return the content packed by `pack_posted`."""
    return Posted(*orjson.loads(content))


def _of_receiver(receiver: Receiver) -> list[object]:
    return [receiver.group, receiver.url, receiver.token, receiver.timeout_s, receiver.public_only]


def _pace(since: int, shown: int, scale: float) -> ClockPace:
    return ClockPace(from_ms(since), from_ms(shown), scale, scale)


def _split(content: bytes) -> tuple[bytes, bytes]:
    at = _LENGTH.size + _LENGTH.unpack_from(content)[0]
    return content[_LENGTH.size : at], content[at:]
