"""One question at a time, and of those that wait only the newest."""

from __future__ import annotations

from collections.abc import Callable

from app.desktop.operations import Failed


class Newest:
    """Asks one question at a time; of those that come meanwhile only the newest is asked, and only it is answered."""

    def __init__(self, submit: Callable[[Callable[[], object], Callable[[object], None], Failed], None]) -> None:
        self._submit = submit
        self._busy = False
        self._next: tuple[Callable[[], object], Callable[[object], None], Failed] | None = None

    @property
    def busy(self) -> bool:
        """Whether a question is under way."""
        return self._busy

    def ask[T](self, work: Callable[[], T], done: Callable[[T], None], failed: Failed) -> None:
        """Do the work, then call `done` or `failed`, unless something newer has been asked by then."""
        self._next = work, done, failed  # type: ignore[assignment]
        self._go()

    def forget(self) -> None:
        """Answer nothing that has been asked so far."""
        self._next = None if not self._busy else (_nothing, _ignore, _ignore)

    def _go(self) -> None:
        if self._busy or self._next is None:
            return
        (work, done, failed), self._next = self._next, None
        self._busy = True
        self._submit(work, lambda answer: self._answer(lambda: done(answer)), lambda e: self._answer(lambda: failed(e)))

    def _answer(self, tell: Callable[[], None]) -> None:
        self._busy = False
        if self._next is None:
            tell()
        self._go()


def _nothing() -> None:
    """Stands for a question that nobody waits for."""


def _ignore(_: object) -> None:
    """Take an answer that nobody waits for."""
