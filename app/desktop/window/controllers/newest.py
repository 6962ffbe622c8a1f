"""A queue for one request at a time that keeps only the newest waiting one."""

from __future__ import annotations

from collections.abc import Callable

from app.desktop.operations import Failed


class Newest:
    """Runs one request at a time and keeps only the newest of the waiting ones.

    A result is delivered only if no newer request has been made.
    """

    def __init__(self, submit: Callable[[Callable[[], object], Callable[[object], None], Failed], None]) -> None:
        self._submit = submit
        self._busy = False
        self._next: tuple[Callable[[], object], Callable[[object], None], Failed] | None = None

    @property
    def busy(self) -> bool:
        """Whether a request is in progress."""
        return self._busy

    def ask[T](self, work: Callable[[], T], done: Callable[[T], None], failed: Failed) -> None:
        """Do the work, then call `done` or `failed`, unless a newer request has been made in the meantime."""
        self._next = work, done, failed  # type: ignore[assignment]
        self._go()

    def forget(self) -> None:
        """Drop the results of all requests made so far."""
        self._next = None if not self._busy else (_nothing, _ignore, _ignore)

    def _go(self) -> None:
        if self._busy or self._next is None:
            return
        (work, done, failed), self._next = self._next, None
        self._busy = True
        self._submit(work, lambda answer: self._answer(lambda: done(answer)), lambda e: self._answer(lambda: failed(e)))

    def _answer(self, notify: Callable[[], None]) -> None:
        self._busy = False
        if self._next is None:
            notify()
        self._go()


def _nothing() -> None:
    """Placeholder for a request without a recipient."""


def _ignore(_: object) -> None:
    """Ignore a result that has no recipient."""
