"""A server that records how long its event loop was held: ``python -m tests.hostile.probed WORKSPACE``.

It writes a line of JSON with its port and keys. For each line that it reads, it writes the longest time for which the
loop was held since the line before, in seconds. This is the smaller of the elapsed time and the processor time of this
process, so that the load of other programs counts as little as possible.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from typing import Final

import orjson

from app.api.server import server
from engine.domain.environment import Environment, KeyLevel
from engine.domain.settings import SettingsChange
from engine.engine import Engine

EVERY_S: Final = 0.001


class Probe:
    """Schedules a callback on the loop a thousand times a second."""

    def __init__(self) -> None:
        self.longest_s = 0.0
        self._last = (0.0, 0.0)

    def watch(self, make: Callable[[], asyncio.AbstractEventLoop]) -> Callable[[], asyncio.AbstractEventLoop]:
        """Return a factory of watched loops."""

        def watched() -> asyncio.AbstractEventLoop:
            loop = make()
            loop.call_soon(self._tick, loop)
            self._last = time.perf_counter(), time.process_time()
            return loop

        return watched

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        now = time.perf_counter(), time.process_time()
        self.longest_s = max(self.longest_s, min(now[0] - self._last[0], now[1] - self._last[1]))
        self._last = now
        loop.call_later(EVERY_S, self._tick, loop)

    def taken(self) -> float:
        """Return the longest time for which the loop was held since the previous call."""
        longest, self.longest_s = self.longest_s, 0.0
        return longest


def main() -> None:
    """Serve until standard input ends."""
    probe = Probe()
    make = server._loop_factory()
    assert make is not None
    watched = probe.watch(make)
    server._loop_factory = lambda: watched
    with Engine.open(sys.argv[1]) as engine, server.ApiServer(engine, port=0) as serving:
        engine.settings.change(Environment.TEST, SettingsChange(rate_limit=False))
        keys = [engine.workspace.keys.value(Environment.TEST, level) for level in KeyLevel]
        print(orjson.dumps({"port": serving.port, "keys": keys}).decode(), flush=True)
        for _ in sys.stdin:
            print(probe.taken(), flush=True)


if __name__ == "__main__":
    main()
