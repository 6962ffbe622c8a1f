"""The client side of the routing process."""

import os
import subprocess
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from threading import Lock, Thread
from typing import BinaryIO, Final, cast

from msgspec import Struct

from engine.domain.errors import RoutingUnavailable
from engine.processes import module_command, search_path
from engine.routing.memory import resident_bytes
from engine.routing.process.frames import frame, frames
from engine.routing.service import Refused

_OF_MEMORY: Final = {"MALLOC_ARENA_MAX": "2"}
"""Environment that lets threads share the C library's memory arenas, so that freed memory is reused or returned."""

_END_S: Final = 5.0


class Order(Struct, frozen=True):
    """An action, and the tiles of its area."""

    roads: str
    action: str


class RoutingProcess:
    """Starts the process with its first tool and ends it with the last one. May be used from any thread."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._lock = Lock()
        self._running: _Running | None = None
        self._tools = 0
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """The identifier of the process, or None if it is not running."""
        running = self._running
        return None if running is None else running.pid

    @property
    def memory_bytes(self) -> int:
        """Resident memory of the process."""
        pid = self.pid
        return 0 if pid is None else resident_bytes(pid)

    def tool(self) -> "ProcessTool":
        """Return a new tool; the process runs as long as there is one."""
        with self._lock:
            self._tools += 1
        return ProcessTool(self)

    def call(self, order: Order, request: str) -> str:
        """Return the response to a request.

        Raises `Refused` if there is no result, `RoutingUnavailable` if the process fails.
        """
        return self._alive().submit(order, request).result()

    def _alive(self) -> "_Running":
        with self._lock:
            if self._is_closed:
                raise _lost()
            if self._running is None or self._running.is_lost:
                self._running = _Running(self._threads)
            return self._running

    def release(self) -> None:
        """Release a tool that is no longer used."""
        with self._lock:
            self._tools -= 1
            running = self._running if self._tools == 0 else None
            if running is not None:
                self._running = None
        if running is not None:
            running.end()

    def close(self) -> None:
        """Kill the process and start no other; waiting callers receive `RoutingUnavailable`."""
        with self._lock:
            self._is_closed = True
        self.kill()

    def kill(self) -> None:
        """Kill the process; waiting callers receive `RoutingUnavailable`."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.kill()


class ProcessTool:
    """A handle on the process for one thread."""

    def __init__(self, process: RoutingProcess) -> None:
        self._process = process

    def __call__(self, order: Order, request: str) -> str:
        """Return the response to a request."""
        return self._process.call(order, request)

    def close(self) -> None:
        """Release the handle."""
        self._process.release()


class _Running:
    """A single run of the process, from its start to its end."""

    def __init__(self, threads: int) -> None:
        try:
            self._process = subprocess.Popen(
                module_command("engine.routing.process.main", str(threads)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**_OF_MEMORY, **os.environ, "PYTHONPATH": search_path()},
            )
        except OSError as error:
            raise RoutingUnavailable(f"The process that finds routes does not start: {error}.") from error
        self.pid = self._process.pid
        self.is_lost = False
        self._lock = Lock()
        self._numbers = count()
        self._waiting: dict[int, Future[str]] = {}
        self._reader = Thread(target=self._read, name="fencewright-routing-answers", daemon=True)
        self._reader.start()

    def submit(self, order: Order, request: str) -> Future[str]:
        """Send a request and return a future for its response."""
        answer = Future[str]()
        assert self._process.stdin is not None
        with self._lock:
            if self.is_lost:
                answer.set_exception(_lost())
                return answer
            number = next(self._numbers)
            self._waiting[number] = answer
            header = {"number": number, "roads": order.roads, "action": order.action}
            try:
                self._process.stdin.write(frame(header, request))
                self._process.stdin.flush()
            except (OSError, ValueError):  # the process has ended, which `_read` notices as well
                self._waiting.pop(number)
                answer.set_exception(_lost())
        return answer

    def _read(self) -> None:
        assert self._process.stdout is not None
        for header, body in frames(cast(BinaryIO, self._process.stdout)):
            answer = self._waiting.pop(header["number"])
            if "code" in header:
                answer.set_exception(Refused(header["code"], header["reason"]))
            else:
                answer.set_result(body)
        with self._lock:
            self.is_lost = True
            waiting = tuple(self._waiting.values())
            self._waiting.clear()
        for answer in waiting:
            answer.set_exception(_lost())
        self._process.wait()
        self._close_input()
        self._process.stdout.close()

    def end(self) -> None:
        """Close the input of the process, which then ends, and kill it if it does not."""
        self._close_input()
        self._reader.join(_END_S)
        self.kill()

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._reader.join(_END_S)

    def _close_input(self) -> None:
        assert self._process.stdin is not None
        with self._lock, suppress(OSError):  # pending output is discarded
            self._process.stdin.close()


def _lost() -> RoutingUnavailable:
    return RoutingUnavailable("The process that finds routes ended unexpectedly; try again.")
