"""The changes of an open workspace, told to whoever listens."""

import logging
from collections.abc import Callable
from threading import Lock

from engine.domain.queries import Change

log = logging.getLogger(__name__)

type Listener = Callable[[Change], None]


class Changes:
    """Tells listeners of every commit. May be used from any thread."""

    def __init__(self) -> None:
        self._listeners: tuple[Listener, ...] = ()
        self._lock = Lock()

    @property
    def listened_to(self) -> bool:
        """Whether somebody is told."""
        return bool(self._listeners)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of every commit, in the writer's thread; return what ends that. It must be quick."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(other for other in self._listeners if other is not listener)

        return unsubscribe

    def publish(self, change: Change) -> None:
        """Tell all listeners of a change; one that fails does not keep it from the others."""
        for listener in self._listeners:
            try:
                listener(change)
            except Exception:
                log.exception("A listener to changes failed")
