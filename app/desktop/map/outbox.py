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
"""One portion is drawn while the next is already there; more would only delay what comes after them."""

SMALL_IN_FLIGHT = 16
"""So many small commands may be under way: each answer may take a frame, which would add up at the start."""

PACKED_IN_FLIGHT = 6
"""So many may be under way with a portion that was packed before: it costs the window nothing, and is not drawn yet."""

_PORTIONS = frozenset({"fences_stage", "fences_put"})
"""Commands that keep the page busy by themselves, as moves do when many devices move."""

_CONTENTS = frozenset({"fences_begin", "fences_stage", "fences_commit", "fences_put", "fences_remove"})
"""Commands that a new set of fences makes needless; how they look, and which are marked, holds for the new ones too."""

_CHUNK_WEIGHT = 4_000
_FENCE_WEIGHT = 8


class Command(Struct, frozen=True):
    """A command for the page: its name and its fields (JSON values, or the map's own values)."""

    name: str
    fields: Mapping[str, object]


class DeviceMove(Struct, frozen=True):
    """Where a device is now, and how far off it may be."""

    device: str
    longitude: float
    latitude: float
    accuracy_m: float


def fence_chunks(fences: Iterable[MapFence]) -> Iterator[list[MapFence]]:
    """The fences in portions small enough that encoding and drawing one is not felt."""
    chunk: list[MapFence] = []
    weight = 0
    for fence in fences:
        chunk.append(fence)
        weight += _FENCE_WEIGHT
        if isinstance(fence.shape, MapPolygon):
            weight += len(fence.shape.ring)
        if weight >= _CHUNK_WEIGHT:
            yield chunk
            chunk, weight = [], 0
    if chunk:
        yield chunk


class Outbox:
    """Queues commands until the page is ready and sends the next when the page has done the last.

    A command is encoded when it leaves, so a large set of fences costs the GUI one portion at a time. The page fetches
    each portion from the address at which it is offered: as a text it would be written and read several times.
    Moves of a device that have not left yet are replaced by the newest one.
    """

    def __init__(self, send: Callable[[str], None], offer: Callable[[bytes], str]) -> None:
        """`offer` lets the page fetch some bytes once, and returns their address."""
        self._send, self._offer = send, offer
        self._queue: deque[Command] = deque()
        self._moves: dict[str, DeviceMove] = {}
        self._waiting_for: set[int] = set()
        self._seq = 0
        self._open = False
        self._gathering = False
        """Whether a change of many fences goes on that the page does not show yet."""

    def open(self) -> None:
        """The page listens: let go what has gathered."""
        self._open = True
        self._waiting_for.clear()
        self._pump()

    def close(self) -> None:
        """The page is gone: nothing leaves any more and nothing is kept."""
        self._open = False
        self._queue.clear()
        self._moves.clear()
        self._waiting_for.clear()

    def put(self, name: str, **fields: object) -> None:
        """Queue one command."""
        self._queue.append(Command(name, fields))
        self._pump()

    def ask(self, name: str, **fields: object) -> None:
        """Queue a question: it is answered after everything before it, also the moves that still wait."""
        if self._moves:
            self._queue.append(self._take_moves())
        self.put(name, **fields)

    def replace_fences(self, fences: Sequence[MapFence]) -> None:
        """Queue a whole new set; the page shows it at once when its last portion is there."""
        self._queue = deque(command for command in self._queue if command.name not in _CONTENTS)
        self._gathering = False
        self._queue.append(Command("fences_begin", {"beside": False}))
        self._stage(fence_chunks(fences), beside=False)
        self.commit_fences()

    def begin_fences(self) -> None:
        """Queue the beginning of a whole new set; until it is complete the page shows none."""
        self.replace_fences(())
        self._queue.append(Command("fences_begin", {"beside": False}))
        self._pump()

    def stage_fences(self, packed: bytes) -> None:
        """Queue a portion of the new set, packed by `pack_fences`."""
        self._queue.append(Command("fences_stage", {"packed": packed, "beside": False}))
        self._pump()

    def commit_fences(self) -> None:
        """Queue the end of the new set: the page shows it."""
        self._commit(beside=False)
        self._pump()

    def update_fences(self, upserted: Iterable[MapFence], removed: Sequence[str]) -> None:
        """Queue a change of some fences; those of several portions appear at once, too."""
        chunks = list(fence_chunks(upserted))
        if len(chunks) == 1:
            self._queue.append(Command("fences_put", {"fences": chunks[0]}))
        if len(chunks) > 1 or self._gathering:
            # The page arranges and paints all of its fences after each change.
            self._gather(chunks, more=self._gathering)
        if removed:
            self._queue.append(Command("fences_remove", {"ids": list(removed)}))
        self._pump()

    def gather_fences(self, fences: Iterable[MapFence], *, more: bool) -> None:
        """Queue some of many fences that change; the page shows all of them when no `more` come."""
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
        """Queue fences that appear together when the last portion is there."""
        for chunk in chunks:
            self._queue.append(Command("fences_stage", {"fences": chunk, "beside": beside}))

    def _commit(self, *, beside: bool) -> None:
        self._queue.append(Command("fences_commit", {"beside": beside}))

    def move_device(self, move: DeviceMove) -> None:
        """Queue a move; one of the same device that still waits is forgotten."""
        self._moves[move.device] = move
        self._pump()

    def forget_device(self, device: str) -> None:
        """Queue the removal of a device and forget its move that still waits."""
        self._moves.pop(device, None)
        self.put("device_remove", device=device)

    def done(self, seq: int) -> None:
        """The page has carried out command `seq`."""
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
        """Return how many commands may be under way with the next one."""
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
        """Return the fields of a portion with its address instead of what is in it."""
        packed = fields["packed"] if "packed" in fields else pack_fences(fields["fences"])
        return {"address": self._offer(packed), "beside": fields["beside"]}


def _positions(value: object) -> tuple[Position, ...]:
    """Return the ring of a stored geofence as the page takes it."""
    if isinstance(value, PackedRing):
        return tuple(value)
    raise TypeError(f"{type(value).__name__} cannot be sent to the page")
