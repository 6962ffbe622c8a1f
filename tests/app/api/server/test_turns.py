"""Connections that pipeline requests take turns, one request each, and none waits indefinitely."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest

from app.api.server.pacing import AT_ONCE, LET_IN_S, ORDINARY, TURN_S, Line


class Client:
    """A connection with a number of slow requests, which records when they begin."""

    def __init__(self, line: Line, began: list[str], name: str, requests: int, seconds: float | None = 0) -> None:
        self._line, self._began, self._name = line, began, name
        self._left, self._seconds = requests, seconds
        self._loop = asyncio.get_running_loop()
        self.short = False
        line.join(self, self._loop)

    def take_turn(self) -> bool:
        self._began.append(self._name)
        self._left -= 1
        if self._seconds == 0:
            self._end()
        elif self._seconds is not None:
            self._loop.call_later(self._seconds, self._end)
        return self.short

    def _end(self) -> None:
        self._line.end_turn(self)
        if self._left:
            self._line.join(self, self._loop)


async def until(met: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not met():
            await asyncio.sleep(0)


def run(scene: Callable[[Line, list[str]], Awaitable[None]]) -> list[str]:
    """Return the names of the clients that began a request, in order."""
    began: list[str] = []

    async def play() -> None:
        await scene(Line(), began)

    asyncio.run(play())
    return began


@pytest.mark.parametrize("seconds", [0, 0.001])
def test_each_has_one_request_before_any_has_its_second(seconds: float) -> None:
    names = [str(number) for number in range(50)]

    async def scene(line: Line, began: list[str]) -> None:
        clients = [Client(line, began, name, 3, seconds) for name in names]
        await until(lambda: len(began) == 3 * len(clients))

    began = run(scene)
    assert Counter(began[:50]) == Counter(names)
    assert Counter(began[50:100]) == Counter(names)


@pytest.mark.parametrize(("short", "at_once"), [(True, AT_ONCE), (False, AT_ONCE // ORDINARY)])
def test_only_a_few_are_answered_at_once(short: bool, at_once: int) -> None:
    async def scene(line: Line, began: list[str]) -> None:
        for number in range(50):
            Client(line, began, str(number), 1, seconds=None).short = short
        for _ in range(20):
            await asyncio.sleep(0)

    assert len(run(scene)) == at_once


def test_slow_clients_do_not_hold_up_the_others() -> None:
    async def scene(line: Line, began: list[str]) -> None:
        for number in range(3 * AT_ONCE):
            Client(line, began, f"slow {number}", 1, seconds=None)
        Client(line, began, "quick", 1)
        await until(lambda: "quick" in began)

    assert len(run(scene)) == 3 * AT_ONCE + 1
    assert TURN_S < 1


def test_a_connection_that_ends_gives_its_turn_back() -> None:
    async def scene(line: Line, began: list[str]) -> None:
        clients = [Client(line, began, str(number), 1, seconds=None) for number in range(50)]
        ended = 0
        while ended < len(clients):
            await until(lambda ended=ended: len(began) > ended)  # type: ignore[misc]
            line.end_turn(clients[ended])
            line.end_turn(clients[ended])
            ended += 1

    assert run(scene) == [str(number) for number in range(50)]


def test_while_connections_are_made_turns_come_seldom_but_they_come() -> None:
    given: list[float] = []

    async def scene(line: Line, began: list[str]) -> None:
        loop = asyncio.get_running_loop()
        for number in range(2 * AT_ONCE):
            Client(line, began, str(number), 1)
        async with asyncio.timeout(10):
            while len(began) < 2 * AT_ONCE:
                before = len(began)
                line.let_in()
                await asyncio.sleep(0)
                given.extend([loop.time()] * (len(began) > before))

    assert len(run(scene)) == 2 * AT_ONCE
    assert all(later - earlier >= LET_IN_S * 0.9 for earlier, later in pairwise(given))
