"""The router of an open workspace: over the areas in use, or on a remote server."""

from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING

from engine.domain.area import Area
from engine.domain.errors import RoutingUnavailable

if TYPE_CHECKING:
    from engine.routing.areas import AreaRouter
    from engine.routing.process.client import RoutingProcess
    from engine.routing.remote import RemoteRouter


class Routers:
    """Creates a router on first use, and another one if other areas are in use."""

    def __init__(self, areas: Callable[[], tuple[Area, ...]], url: str | None) -> None:
        """Route in the areas that `areas` returns, or on the server at `url` if it is given."""
        self._areas = areas
        self._url = url
        self._lock = Lock()
        self._current: AreaRouter | RemoteRouter | None = None
        self._former: AreaRouter | None = None
        self._process: RoutingProcess | None = None
        self._is_closed = False

    @property
    def current(self) -> "AreaRouter | RemoteRouter":
        """The router. It takes next to no time and memory before its first request."""
        with self._lock:
            if self._is_closed:
                raise RoutingUnavailable("Fencewright is being stopped; try again later.")
            if self._current is None:
                self._current = self._make()
            return self._current

    def look_again(self) -> None:
        """Route in the areas that are in use now. Running requests end on the router that they began with."""
        # Imported only here and in `_make`, so that a workspace without routing does not load it.
        from engine.routing.areas import AreaRouter

        with self._lock:
            router = self._current
            if not isinstance(router, AreaRouter) or router.areas == self._areas():
                return
            former, self._former, self._current = self._former, router, None
        if former is not None:
            former.close()

    def close(self) -> None:
        """Release all threads and memory; running searches fail with `RoutingUnavailable`. May be called again."""
        with self._lock:
            self._is_closed = True
            routers = (self._current, self._former)
            self._current = self._former = None
        # Close the process first, so that no thread waits for a running search.
        if self._process is not None:
            self._process.close()
        for router in routers:
            if router is not None:
                router.close()

    def _make(self) -> "AreaRouter | RemoteRouter":
        if self._url is not None:
            from engine.routing.remote import RemoteRouter

            return RemoteRouter(self._url)
        from engine.routing.areas import AreaRouter
        from engine.routing.local import new_process

        self._process = self._process or new_process()
        return AreaRouter(self._areas(), process=self._process)
