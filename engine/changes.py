"""The changes of an open workspace, told to whoever listens."""

import logging
from collections.abc import Callable

from engine.domain.ports import Listeners
from engine.domain.queries import Change

log = logging.getLogger(__name__)

type Listener = Callable[[Change], None]


class Changes:
    """Tells listeners of every commit. May be used from any thread."""

    def __init__(self) -> None:
        self._listeners: Listeners[Change] = Listeners()

    @property
    def listened_to(self) -> bool:
        """Whether somebody is told."""
        return bool(self._listeners)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of every commit, in the writer's thread; return what ends that. It must be quick."""
        return self._listeners.add(listener)

    def publish(self, change: Change) -> None:
        """Tell all listeners of a change; one that fails does not keep it from the others."""
        for listener in self._listeners:
            try:
                listener(change)
            except Exception:
                log.exception("A listener to changes failed")
