"""Requests to many receivers, with a limit of concurrent ones to each, so that no receiver delays another."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping, Set
from typing import Final

from engine.outbound.posting.client import Client, PostFailed
from engine.outbound.posting.receiver import Posted, Receiver

AT_ONCE: Final = 16
"""Maximum number of concurrent requests to one receiver."""

FORGET_AFTER_S: Final = 60.0


class Group:
    """The requests to one receiver."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[Receiver, int, bytes]] = deque()
        self.client = Client()
        self.running: set[asyncio.Task[None]] = set()
        self.used_at = time.monotonic()


class Requests:
    """Makes requests and reports the outcome of each; used in the thread of an event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, report: Callable[[Posted], None]) -> None:
        self._loop = loop
        self._report = report
        self._groups: dict[str, Group] = {}

    @property
    def are_running(self) -> bool:
        """Whether any request is running."""
        return any(group.running for group in self._groups.values())

    def accept(self, receiver: Receiver, bodies: Mapping[int, bytes]) -> None:
        """Queue requests, which are started in order."""
        self._forget_idle()
        group = self._groups.setdefault(receiver.group, Group())
        group.waiting.extend((receiver, number, body) for number, body in bodies.items())
        for _ in range(min(len(group.waiting), AT_ONCE - len(group.running))):
            task = self._loop.create_task(self._run(group))
            group.running.add(task)
            task.add_done_callback(group.running.discard)

    def withdraw(self, receiver_group: str, numbers: Set[int]) -> set[int]:
        """Drop the given requests that have not started; return their numbers."""
        group = self._groups.get(receiver_group)
        if group is None:
            return set()
        withdrawn = {number for _, number, _ in group.waiting if number in numbers}
        group.waiting = deque(each for each in group.waiting if each[1] not in withdrawn)
        return withdrawn

    def drop_waiting(self) -> None:
        """Drop the requests that have not started."""
        for group in self._groups.values():
            group.waiting.clear()

    async def _run(self, group: Group) -> None:
        while group.waiting:
            receiver, number, body = group.waiting.popleft()
            self._report(await _outcome(group.client, receiver, number, body))
            group.used_at = time.monotonic()
        # Removed here, not when the task is done, so that a request queued in between starts a new task.
        if (task := asyncio.current_task()) is not None:
            group.running.discard(task)

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
