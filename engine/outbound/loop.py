"""An event loop in a thread of its own, for whoever asks from any other thread."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as Waiting
from importlib.util import find_spec
from threading import Lock, Thread
from typing import Any, Final

if "sniffio" not in sys.modules and find_spec("sniffio") is None:
    # httpcore imports it ten times for each request; where it is not installed, all folders would be searched for it.
    sys.modules["sniffio"] = None  # type: ignore[assignment]

_CHECKED_EVERY_S: Final = 0.1


class LoopThread:
    """Runs coroutines in its event loop, which starts with the first."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._closed = False

    def run[T](self, work: Coroutine[Any, Any, T], check: Callable[[], None] | None = None) -> T:
        """Return what a coroutine returns; raises `CancelledError` when the loop is closed.

        `check` is called now and then meanwhile; what it raises ends the work.
        """
        future = self._submit(work)
        if check is None:
            return future.result()
        while True:
            try:
                return future.result(_CHECKED_EVERY_S)
            except Waiting:
                # The work itself may have ended, also by a time limit of its own.
                if future.done():
                    return future.result()
            try:
                check()
            except BaseException:
                future.cancel()
                raise

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """End the loop; who is still waiting is told `CancelledError`. `last` is run when all else has ended."""
        with self._lock:
            self._closed = True
            loop, thread, self._loop = self._loop, self._thread, None
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(_end(last), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def _submit[T](self, work: Coroutine[Any, Any, T]) -> Future[T]:
        with self._lock:
            if self._closed:
                work.close()
                raise CancelledError
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                # As a daemon: whoever forgets to close it still ends.
                self._thread = Thread(target=self._loop.run_forever, name="fencewright-outbound", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)


async def _end(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    waiting = asyncio.all_tasks() - {asyncio.current_task()}
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await last()
