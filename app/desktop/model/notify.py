"""Change notifications, independent of Qt."""

from collections.abc import Callable


class Notifier[**P]:
    """Calls its listeners in the order in which they were added, in the thread that calls `emit`."""

    def __init__(self) -> None:
        self._listeners: list[Callable[P, object]] = []

    def connect(self, listener: Callable[P, object]) -> Callable[[], None]:
        """Add a listener; return a function that removes it."""
        self._listeners.append(listener)

        def disconnect() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return disconnect

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every listener."""
        for listener in tuple(self._listeners):
            listener(*args, **kwargs)
