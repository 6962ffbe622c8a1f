"""The process that posts: ``python -m engine.outbound.posting.worker``.

It reads frames of requests from its standard input and writes frames of outcomes to its standard output. It ends when
its input does, so it never outlives the process that started it.
"""

import asyncio
import os
import sys
import time
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from threading import Thread
from typing import BinaryIO, Final

from engine.outbound.posting.client import Client, PostFailed
from engine.outbound.posting.messages import LENGTH, Posted, Receiver, pack_outcomes, unpack_posts

AT_ONCE: Final = 16
"""Requests to one receiver at the same time."""

TELL_EVERY_S: Final = 0.004
FORGET_AFTER_S: Final = 60.0


class Group:
    """The requests to one receiver."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[Receiver, int, bytes]] = deque()
        self.client = Client()
        self.running: set[asyncio.Task[None]] = set()
        self.used_at = time.monotonic()


class Poster:
    """Makes requests, so many at once to each receiver, and tells what became of them."""

    def __init__(self, loop: asyncio.AbstractEventLoop, output: int) -> None:
        self._loop = loop
        self._output = output
        self._groups: dict[str, Group] = {}
        self._outcomes: list[Posted] = []

    def accept(self, receiver: Receiver, bodies: Mapping[int, bytes]) -> None:
        """Take requests, to be made in their order as far as one waits for the other."""
        self._forget_idle()
        group = self._groups.setdefault(receiver.group, Group())
        group.waiting.extend((receiver, number, body) for number, body in bodies.items())
        for _ in range(min(len(group.waiting), AT_ONCE - len(group.running))):
            task = self._loop.create_task(self._run(group))
            group.running.add(task)
            task.add_done_callback(group.running.discard)

    async def _run(self, group: Group) -> None:
        while group.waiting:
            receiver, number, body = group.waiting.popleft()
            self._tell(await _outcome(group.client, receiver, number, body))
            group.used_at = time.monotonic()

    def _tell(self, outcome: Posted) -> None:
        if not self._outcomes:
            self._loop.call_later(TELL_EVERY_S, self._write)
        self._outcomes.append(outcome)

    def _write(self) -> None:
        outcomes, self._outcomes = self._outcomes, []
        content = pack_outcomes(outcomes)
        with suppress(BrokenPipeError):  # nobody is there any more; the end of the input follows
            while content:
                content = content[os.write(self._output, content) :]

    def _forget_idle(self) -> None:
        oldest = time.monotonic() - FORGET_AFTER_S
        for name, group in list(self._groups.items()):
            if not (group.running or group.waiting) and group.used_at < oldest:
                group.client.close()
                del self._groups[name]


async def _outcome(client: Client, receiver: Receiver, number: int, body: bytes) -> Posted:
    began = time.monotonic()
    status, error = None, None
    try:
        status = await client.post(receiver, body)
    except PostFailed as failed:
        error = str(failed)
    except Exception as fault:  # noqa: BLE001 - one request must not end the others
        error = f"could not be reached: {type(fault).__name__}"
    return Posted(number, status, error, round((time.monotonic() - began) * 1000))


def _read(stream: BinaryIO, loop: asyncio.AbstractEventLoop, poster: Poster, ended: asyncio.Event) -> None:
    with suppress(RuntimeError):  # the loop is closed
        while len(head := stream.read(LENGTH.size)) == LENGTH.size:
            content = stream.read(LENGTH.unpack(head)[0])
            loop.call_soon_threadsafe(poster.accept, *unpack_posts(content))
        loop.call_soon_threadsafe(ended.set)


async def _main() -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    poster = Poster(loop, sys.stdout.fileno())
    Thread(target=_read, args=(sys.stdin.buffer, loop, poster, ended), daemon=True).start()
    await ended.wait()


def main() -> None:
    """Post until the input ends."""
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        asyncio.run(_main())
    else:
        uvloop.run(_main())
    # What is still under way is nobody's any more.
    os._exit(0)


if __name__ == "__main__":
    main()
