"""The engine: an open workspace and all operations on it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from engine.domain.clock import ClockChange, ClockState
from engine.domain.environment import Environment
from engine.domain.ports import Clock, Progress, SystemClock, no_progress
from engine.domain.routing import Router
from engine.domain.webhooks.webhook import Payloads
from engine.store.backup import save_copy
from engine.store.workspace import open_workspace
from engine.store.writer import Connection
from engine.wiring import Parts


class Engine:
    """An open workspace, whose operations are grouped by subject: `engine.geofences`, `engine.tracking`, ...

    Methods block until their result is stored or read and may be called from any thread. Only `tracking.submit` does
    not block. Exceptions are instances of `FencewrightError`.
    """

    def __init__(self, parts: Parts) -> None:
        """Initialize an engine from its parts, for use by `open`."""
        self._parts = parts
        self.workspace = parts.workspace
        self.watch = parts.watch
        self.stop = parts.stop
        self.changes = parts.changes
        self.test_clock = parts.test_clock
        self.settings = parts.settings
        self.geofences = parts.geofences
        self.geofence_history = parts.geofence_history
        self.imports = parts.imports
        self.promotions = parts.promotions
        self.checks = parts.checks
        self.beacons = parts.beacons
        self.tracking = parts.tracking
        self.trips = parts.trips
        self.users = parts.users
        self.history = parts.history
        self.heat = parts.heat
        self.webhooks = parts.webhooks
        self.nightly = parts.nightly
        self.seeding = parts.seeding
        self.areas = parts.areas
        self.geocoding = parts.geocoding
        self.maps = parts.maps

    @classmethod
    def open(
        cls,
        folder: Path | str,
        *,
        clock: Clock | None = None,
        frozen_at: datetime | None = None,
        areas: Sequence[str] = (),
        router_url: str | None = None,
        geocoder_url: str | None = None,
        payloads: Callable[[], Payloads] | None = None,
        progress: Progress = no_progress,
    ) -> Self:
        """Open or create the workspace in `folder`. ":memory:" opens a temporary one.

        `frozen_at` freezes the clock of Test from the start, before anything expires by it. `areas` are the names of
        the areas to use, by default those stored in the workspace. `router_url` is a Valhalla server used for routing
        instead, and `geocoder_url` a server that is asked for addresses first (``photon+http://…``, ``nominatim+…`` or
        ``pelias+…``). `payloads` returns the encoder of events for webhooks. Without it events are queued, and sent
        when the workspace is opened with it. `progress` follows the upgrade of a workspace from an earlier version,
        whose duration depends on the size of the database.

        Raises `WorkspaceBusy` if another process has it open, `WorkspaceError` if it cannot be used, or `NotFound` for
        an area.
        """
        workspace = open_workspace(folder)
        try:
            parts = Parts(
                workspace, clock or SystemClock(), frozen_at, areas, router_url, geocoder_url, payloads, progress
            )
        except BaseException:
            workspace.close()
            raise
        engine = cls(parts)
        try:
            engine.tracking.trim()
        except BaseException:
            engine.close()
            raise
        return engine

    def stop_work(self) -> None:
        """Cancel imports, syncs, exports, builds and other long operations, which change nothing and raise `Stopped`.

        The method returns immediately and may be called again. Short changes are stored until the engine is closed.
        """
        self.stop.begin()
        self.areas.stop()
        self.nightly.stop()

    def find_data(self) -> None:
        """Switch to the world pack and the bundled areas that there are now, after a set-up in this process."""
        self.geocoding.find_world()
        self.areas.find_bundled()
        self._parts.areas_changed()

    def end_searches(self) -> None:
        """End the route searches in progress, whose callers get `RoutingUnavailable`."""
        self._parts.routers.close()

    def close(self) -> None:
        """Store pending changes, cancel long operations, and release the workspace."""
        self.stop_work()
        self._parts.close()
        self.workspace.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def clock(self) -> Clock:
        """The clock of Test, which a test may set."""
        return self.test_clock

    def clock_of(self, environment: Environment) -> Clock:
        """Return the clock of an environment. Live always uses the system clock."""
        return self._parts.clocks[environment]

    def set_clock(self, change: ClockChange) -> ClockState:
        """Change Test's clock and expire everything due by it. Raises `InvalidParameter`."""
        self.test_clock.change(change)
        self._parts.expire()
        return self.test_clock.state()

    @property
    def routing(self) -> Router:
        """The router in use: over the areas in use, or the server given at opening."""
        return self._parts.routers.current

    def read_at_once[T](self, query: Callable[[Connection], T]) -> T:
        """Run a query of several statements of `engine.store` on the same commit and return its result."""
        return self._parts.database.read_at_once(query)

    def save_copy(self, folder: Path, progress: Progress = no_progress) -> None:
        """Write a consistent copy of the workspace into a new folder while it is in use."""
        save_copy(self.workspace, self._parts.database, folder, progress)
