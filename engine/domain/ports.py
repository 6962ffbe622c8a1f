"""The ports: interfaces between packages and to the outside, as small protocols, and helpers to pass on results."""

import logging
from collections.abc import Callable, Collection, Iterator
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Final, Protocol

from engine.domain.errors import FencewrightError
from engine.domain.queries import Change

_BELOW_MS: Final = tuple(timedelta(microseconds=number) for number in range(1000))
"""Differences to whole milliseconds: subtracting one takes half as long as replacing the microseconds."""

type Progress = Callable[[int, int], None]
"""A callback with (done, total) for long work; it may raise `Cancelled` to stop the work."""

_REPORTED_EVERY: Final = 500
type Done[T] = Callable[[T | None, BaseException | None], None]
"""A callback with a result, or with an error in its place."""

log = logging.getLogger(__name__)
type Listener = Callable[[Change], None]


class Clock(Protocol):
    """The engine's only source of time."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""
        ...


class SystemClock:
    """The machine's clock, in whole milliseconds as on the wire."""

    def now(self) -> datetime:
        """Return the machine's time in UTC."""
        moment = datetime.now(UTC)
        return moment - _BELOW_MS[moment.microsecond % 1000]


class Cancelled(Exception):
    """Raised by a `Progress` callback when the user cancels; the work is undone."""


class Stopped(Cancelled, FencewrightError):
    """Raised by long work during a shutdown; the work is undone."""

    def __init__(self) -> None:
        super().__init__("Fencewright is being stopped; this was cancelled and changed nothing. Try again later.")


def no_progress(_done: int, _total: int) -> None:
    """Ignore progress."""


class Stop:
    """The shutdown state of the program, which long work checks regularly. May be used from any thread."""

    def __init__(self) -> None:
        self._begun = False

    @property
    def begun(self) -> bool:
        """Whether the shutdown has begun."""
        return self._begun

    def begin(self) -> None:
        """Begin the shutdown, which ends long work; may be called again.

        It takes no lock, so a signal handler may call it.
        """
        self._begun = True

    def check(self, _done: int = 0, _total: int = 0) -> None:
        """Raise `Stopped` if the shutdown has begun. Serves as a `Progress` for work without a progress display."""
        if self._begun:
            raise Stopped

    def heeded(self, report: Progress) -> Progress:
        """Return a progress callback that also stops the work after the shutdown has begun."""

        def heed(done: int, total: int) -> None:
            self.check()
            report(done, total)

        return heed


def reporting[T](items: Collection[T], report: Progress) -> Iterator[T]:
    """Yield items and report from time to time how many of them are done."""
    for number, item in enumerate(items):
        if number % _REPORTED_EVERY == 0:
            report(number, len(items))
        yield item


def share(report: Progress, part: int, parts: int, width: int = 1) -> Progress:
    """Return a progress callback for `width` of the `parts` of some work, after the first `part` of them."""
    return lambda done, total: report(part * total + width * done, parts * total)


def scaled(report: Progress, total: int) -> Progress:
    """Return a progress callback that reports other work as a share of `total`."""
    return lambda done, of: report(done * total // max(of, 1), total)


class Promise[T](Protocol):
    """A future, of threads or of an event loop, from the view of the code that settles it."""

    def done(self) -> bool:
        """Return whether it is settled."""
        ...

    def set_result(self, result: T, /) -> None:
        """Settle it with a result."""
        ...

    def set_exception(self, exception: BaseException, /) -> None:
        """Settle it with an error."""
        ...


def settle[T](promise: Promise[T]) -> Done[T]:
    """Return a callback that settles a future, unless it is settled already, as after a caller has given up."""

    def done(result: T | None, error: BaseException | None) -> None:
        if promise.done():
            return
        if error is not None:
            promise.set_exception(error)
        else:
            promise.set_result(result)  # type: ignore[arg-type]

    return done


class Listeners[**P]:
    """Callables to notify of an event. May be used from any thread."""

    def __init__(self) -> None:
        self._listeners: tuple[Callable[P, object], ...] = ()
        self._lock = Lock()

    def __bool__(self) -> bool:
        return bool(self._listeners)

    def __iter__(self) -> Iterator[Callable[P, object]]:
        return iter(self._listeners)

    def add(self, listener: Callable[P, object]) -> Callable[[], None]:
        """Add a listener and return a function that removes it."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def remove() -> None:
            with self._lock:
                self._listeners = tuple(other for other in self._listeners if other is not listener)

        return remove

    def notify(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call the listeners in this thread, in the order in which they were added."""
        for listener in self._listeners:
            listener(*args, **kwargs)


class Changes:
    """Notifies listeners of every commit. May be used from any thread."""

    def __init__(self) -> None:
        self._listeners: Listeners[Change] = Listeners()

    @property
    def listened_to(self) -> bool:
        """Whether there is a listener."""
        return bool(self._listeners)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` after every commit, and return its unsubscriber.

        The listener is called in the writer's thread and must be quick.
        """
        return self._listeners.add(listener)

    def publish(self, change: Change) -> None:
        """Call all listeners with a change, even if one of them fails."""
        for listener in self._listeners:
            try:
                listener(change)
            except Exception:
                log.exception("A listener to changes failed")
