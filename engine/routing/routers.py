"""The router of an open workspace: over the areas in use, or a remote server."""

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
    """Makes a router when somebody first asks for it, and another one when other areas are in use."""

    def __init__(self, areas: Callable[[], tuple[Area, ...]], url: str | None) -> None:
        """Route in the areas that `areas` returns; with `url` on that server instead."""
        self._areas = areas
        self._url = url
        self._lock = Lock()
        self._current: AreaRouter | RemoteRouter | None = None
        self._former: AreaRouter | None = None
        self._process: RoutingProcess | None = None
        self._is_closed = False

    @property
    def current(self) -> "AreaRouter | RemoteRouter":
        """The router. It takes no time and no memory to speak of before it is asked something."""
        with self._lock:
            if self._is_closed:
                raise RoutingUnavailable("Fencewright is being stopped; try again later.")
            if self._current is None:
                self._current = self._make()
            return self._current

    def look_again(self) -> None:
        """Route in the areas that are in use now. Requests that are under way end where they began."""
        # Only here, and only in `_make`: a workspace in which nobody asks for a way does not load what finds them.
        from engine.routing.areas import AreaRouter

        with self._lock:
            router = self._current
            if not isinstance(router, AreaRouter) or router.areas == self._areas():
                return
            former, self._former, self._current = self._former, router, None
        if former is not None:
            former.close()

    def close(self) -> None:
        """Let go of all threads and memory; searches under way fail with `RoutingUnavailable`. May be called again."""
        with self._lock:
            self._is_closed = True
            routers = (self._current, self._former)
            self._current = self._former = None
        # First the process, so that no thread waits for what it is at.
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
