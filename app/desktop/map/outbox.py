"""Commands on their way to the page: in order, a few at a time, and never faster than it can draw."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from app.desktop.map.packing import pack_fences
from app.desktop.map.values import MapFence, MapPolygon, Position
from engine.domain.geometry import PackedRing

IN_FLIGHT = 2
"""Maximum number of portions in flight: one is drawn while the next waits. More would delay later commands."""

SMALL_IN_FLIGHT = 16
"""Maximum number of small commands in flight. Each answer may take a frame, which would add up at the start."""

PACKED_IN_FLIGHT = 6
"""Maximum number of commands in flight with a packed portion, which is cheap to send and not drawn yet."""

_PORTIONS = frozenset({"fences_stage", "fences_put"})
"""Commands that occupy the page on their own, as many device moves do."""

_CONTENTS = frozenset({"fences_begin", "fences_stage", "fences_commit", "fences_put", "fences_remove"})
"""Commands that a new set of geofences makes obsolete; styles and marks also apply to the new ones."""

_CHUNK_WEIGHT = 4_000
_FENCE_WEIGHT = 8


class Command(Struct, frozen=True):
    """A command for the page: its name and its fields (JSON values, or the map's own values)."""

    name: str
    fields: Mapping[str, object]


class DeviceMove(Struct, frozen=True):
    """The current position of a device, with its accuracy."""

    device: str
    longitude: float
    latitude: float
    accuracy_m: float


def fence_chunks(fences: Iterable[MapFence]) -> Iterator[list[MapFence]]:
    """Yield the geofences in portions small enough that encoding and drawing one causes no noticeable delay."""
    chunk: list[MapFence] = []
    weight = 0
    for fence in fences:
        chunk.append(fence)
        weight += _FENCE_WEIGHT
        if isinstance(fence.shape, MapPolygon):
            weight += fence.shape.position_count
        if weight >= _CHUNK_WEIGHT:
            yield chunk
            chunk, weight = [], 0
    if chunk:
        yield chunk


class Outbox:
    """Queues commands until the page is ready, and sends the next when the page has completed earlier ones.

    A command is encoded when it is sent, so that a large set of geofences costs the GUI one portion at a time. The page
    fetches each portion from the address at which it is offered, since as a text it would be written and parsed several
    times. A pending move of a device is replaced by a newer one.
    """

    def __init__(self, send: Callable[[str], None], offer: Callable[[bytes], str]) -> None:
        """Create an outbox; `offer` lets the page fetch bytes once, and returns their address."""
        self._send, self._offer = send, offer
        self._queue: deque[Command] = deque()
        self._moves: dict[str, DeviceMove] = {}
        self._waiting_for: set[int] = set()
        self._seq = 0
        self._open = False
        self._gathering = False
        """Whether a change of many geofences is in progress that the page does not show yet."""

    def open(self) -> None:
        """Start to send the queued commands, now that the page listens."""
        self._open = True
        self._waiting_for.clear()
        self._pump()

    def close(self) -> None:
        """Stop sending and clear the queue after the page was closed."""
        self._open = False
        self._queue.clear()
        self._moves.clear()
        self._waiting_for.clear()

    def put(self, name: str, **fields: object) -> None:
        """Queue a command."""
        self._queue.append(Command(name, fields))
        self._pump()

    def ask(self, name: str, **fields: object) -> None:
        """Queue a question, which is answered after all earlier commands, including pending moves."""
        if self._moves:
            self._queue.append(self._take_moves())
        self.put(name, **fields)

    def replace_fences(self, fences: Sequence[MapFence]) -> None:
        """Queue a complete new set; the page shows it at once when its last portion has arrived."""
        self._queue = deque(command for command in self._queue if command.name not in _CONTENTS)
        self._gathering = False
        self._queue.append(Command("fences_begin", {"beside": False}))
        self._stage(fence_chunks(fences), beside=False)
        self.commit_fences()

    def begin_fences(self) -> None:
        """Queue the beginning of a complete new set; the page shows none until it is complete."""
        self.replace_fences(())
        self._queue.append(Command("fences_begin", {"beside": False}))
        self._pump()

    def stage_fences(self, packed: bytes) -> None:
        """Queue a portion of the new set, packed by `pack_fences`."""
        self._queue.append(Command("fences_stage", {"packed": packed, "beside": False}))
        self._pump()

    def commit_fences(self) -> None:
        """Queue the end of the new set, after which the page shows it."""
        self._commit(beside=False)
        self._pump()

    def update_fences(self, upserted: Iterable[MapFence], removed: Sequence[str]) -> None:
        """Queue a change of some geofences, which appear together even if they take several portions."""
        chunks = list(fence_chunks(upserted))
        if len(chunks) == 1:
            self._queue.append(Command("fences_put", {"fences": chunks[0]}))
        if len(chunks) > 1 or self._gathering:
            # Send the change as a whole, since the page arranges and paints all of its geofences after each change.
            self._gather(chunks, more=self._gathering)
        if removed:
            self._queue.append(Command("fences_remove", {"ids": list(removed)}))
        self._pump()

    def gather_fences(self, fences: Iterable[MapFence], *, more: bool) -> None:
        """Queue a part of a large change; the page shows all parts after the one without `more`."""
        if more or self._gathering:
            self._gather(fence_chunks(fences), more=more)
            self._pump()
        else:
            self.update_fences(fences, ())

    def _gather(self, chunks: Iterable[list[MapFence]], *, more: bool) -> None:
        if not self._gathering:
            self._queue.append(Command("fences_begin", {"beside": True}))
        self._gathering = more
        self._stage(chunks, beside=True)
        if not more:
            self._commit(beside=True)

    def _stage(self, chunks: Iterable[list[MapFence]], *, beside: bool) -> None:
        """Queue geofences that appear together once the set is committed."""
        for chunk in chunks:
            self._queue.append(Command("fences_stage", {"fences": chunk, "beside": beside}))

    def _commit(self, *, beside: bool) -> None:
        self._queue.append(Command("fences_commit", {"beside": beside}))

    def move_device(self, move: DeviceMove) -> None:
        """Queue a move, which replaces a pending one of the same device."""
        self._moves[move.device] = move
        self._pump()

    def forget_device(self, device: str) -> None:
        """Queue the removal of a device and drop its pending move."""
        self._moves.pop(device, None)
        self.put("device_remove", device=device)

    def done(self, seq: int) -> None:
        """Mark command `seq` as completed by the page."""
        self._waiting_for.discard(seq)
        self._pump()

    def _pump(self) -> None:
        while self._open and len(self._waiting_for) < self._room():
            if self._queue:
                self._dispatch(self._queue.popleft())
            elif self._moves:
                self._dispatch(self._take_moves())
            else:
                return

    def _room(self) -> int:
        """Return how many commands may be in flight, including the next one."""
        if not self._queue:
            return IN_FLIGHT
        command = self._queue[0]
        if "packed" in command.fields:
            return PACKED_IN_FLIGHT
        return IN_FLIGHT if command.name in _PORTIONS else SMALL_IN_FLIGHT

    def _take_moves(self) -> Command:
        moves = list(self._moves.values())
        self._moves.clear()
        return Command("devices_move", {"moves": moves})

    def _dispatch(self, command: Command) -> None:
        self._seq += 1
        self._waiting_for.add(self._seq)
        fields = self._offered(command.fields) if command.name == "fences_stage" else command.fields
        message = {"seq": self._seq, "name": command.name, **fields}
        self._send(msgspec.json.encode(message, enc_hook=_positions).decode())

    def _offered(self, fields: Mapping[str, Any]) -> Mapping[str, object]:
        """Return the fields of a portion with its address in place of its contents."""
        packed = fields["packed"] if "packed" in fields else pack_fences(fields["fences"])
        return {"address": self._offer(packed), "beside": fields["beside"]}


def _positions(value: object) -> tuple[Position, ...]:
    """Return the ring of a stored geofence in the page's format."""
    if isinstance(value, PackedRing):
        return tuple(value)
    raise TypeError(f"{type(value).__name__} cannot be sent to the page")
