"""An event loop in its own thread, for callers in any other thread."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as Waiting
from importlib.util import find_spec
from threading import Lock, Thread
from typing import Any, Final

if "sniffio" not in sys.modules and find_spec("sniffio") is None:
    # httpcore tries to import it ten times per request; if it is missing, each attempt would search all folders.
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
        """Run a coroutine and return its result; raises `CancelledError` when the loop is closed.

        `check` is called regularly in the meantime; its errors end the coroutine.
        """
        future = self._submit(work)
        if check is None:
            return future.result()
        while True:
            try:
                return future.result(_CHECKED_EVERY_S)
            except Waiting:
                # The coroutine itself may have ended, for example by its own timeout.
                if future.done():
                    return future.result()
            try:
                check()
            except BaseException:
                future.cancel()
                raise

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Stop the loop, raising `CancelledError` in waiting callers. `last` runs after everything else has ended."""
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
                # A daemon thread, so that the process can exit even if the loop is never closed.
                self._thread = Thread(target=self._loop.run_forever, name="fencewright-outbound", daemon=True)
                self._thread.start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)


async def _end(last: Callable[[], Coroutine[Any, Any, None]]) -> None:
    waiting = asyncio.all_tasks() - {asyncio.current_task()}
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    await last()
