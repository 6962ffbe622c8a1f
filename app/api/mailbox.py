"""From the engine's writer thread to the event loop, many results at one wake-up."""

from asyncio import AbstractEventLoop, Future
from collections import deque
from collections.abc import Callable


class Mailbox[T]:
    """Settles futures of one event loop from other threads.

    Waking a loop costs a system call; a commit answers many updates at once, so the loop is woken only when it has
    not been woken already.
    """

    def __init__(self, loop: AbstractEventLoop) -> None:
        self._loop = loop
        self._letters: deque[tuple[Future[T], T | None, BaseException | None]] = deque()
        self._woken = False

    def address(self) -> tuple[Future[T], Callable[[T | None, BaseException | None], None]]:
        """Return a future, and the callback that settles it from any thread."""
        future: Future[T] = self._loop.create_future()

        def done(result: T | None, error: BaseException | None) -> None:
            self._letters.append((future, result, error))
            self._wake()

        return future, done

    def _wake(self) -> None:
        if self._woken:
            return
        self._woken = True
        try:
            self._loop.call_soon_threadsafe(self._deliver)
        except RuntimeError:
            # The loop has been closed: the server has stopped and nobody waits for an answer any more.
            self._letters.clear()

    def _deliver(self) -> None:
        # Cleared before reading: a letter that arrives from here on wakes the loop again.
        self._woken = False
        while self._letters:
            future, result, error = self._letters.popleft()
            if future.done():
                continue
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(result)  # type: ignore[arg-type]
