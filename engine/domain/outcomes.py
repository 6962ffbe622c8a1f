"""How what became of work is handed on: once, as its result or as the error in its place."""

from collections.abc import Callable
from typing import Protocol

type Done[T] = Callable[[T | None, BaseException | None], None]
"""Told a result, or the error in its place."""


class Promise[T](Protocol):
    """A future, of threads or of an event loop, as whoever settles it sees it."""

    def done(self) -> bool:
        """Whether it is settled."""
        ...

    def set_result(self, result: T, /) -> None:
        """Settle it with a result."""
        ...

    def set_exception(self, exception: BaseException, /) -> None:
        """Settle it with an error."""
        ...


def settle[T](promise: Promise[T]) -> Done[T]:
    """Return what settles a future, unless that is settled already: whoever waited may have left."""

    def done(result: T | None, error: BaseException | None) -> None:
        if promise.done():
            return
        if error is not None:
            promise.set_exception(error)
        else:
            promise.set_result(result)  # type: ignore[arg-type]

    return done
