"""The engine: an open workspace and everything that can be done with it."""

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
from engine.wiring import Parts


class Engine:
    """One open workspace. What it can do is reached by what it is: `engine.geofences`, `engine.tracking`, ...

    Methods of all of them block until their result is stored or read, and may be called from any thread;
    `tracking.submit` does not block. What they raise is a `FencewrightError`.
    """

    def __init__(self, parts: Parts) -> None:
        """For `open`."""
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
        """Open or create the workspace in `folder`; ":memory:" opens a temporary one.

        `frozen_at` is where the clock of Test stands from the beginning, before anything expires by it. `areas` are
        the names of those to use, else those that the workspace remembers. `router_url` is a Valhalla server to route
        on instead, `geocoder_url` one that is asked for addresses first (``photon+http://…``, ``nominatim+…`` or
        ``pelias+…``). `payloads` returns what encodes events for webhooks; without it events are queued, and sent by
        whoever opens the workspace with it. `progress` follows the upgrade of a workspace of an earlier version, which
        takes as long as its database is large.
        Raises `WorkspaceBusy` when another process has it open, `WorkspaceError` when it cannot be used, `NotFound`
        for an area.
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
        """Cancel imports, syncs, exports, builds and other long work: it changes nothing and raises `Stopped`.

        Returns at once, and may be called again. Short changes are stored until the engine is closed.
        """
        self.stop.begin()
        self.areas.stop()
        self.nightly.stop()

    def end_searches(self) -> None:
        """End the route searches in progress; their callers get `RoutingUnavailable`."""
        self._parts.routers.close()

    def close(self) -> None:
        """Store what was asked for, cancel what takes long, and release the workspace."""
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
        """Return the clock that an environment goes by; Live always has the system's."""
        return self._parts.clocks[environment]

    def set_clock(self, change: ClockChange) -> ClockState:
        """Change Test's clock; what expires by that has expired on return. Raises `InvalidParameter`."""
        self.test_clock.change(change)
        self._parts.expire()
        return self.test_clock.state()

    @property
    def routing(self) -> Router:
        """The router in force: over the areas in use, or the server given at opening."""
        return self._parts.routers.current

    def save_copy(self, folder: Path, progress: Progress = no_progress) -> None:
        """Write a consistent copy of the workspace into a new folder while it is in use."""
        save_copy(self.workspace, self._parts.database, folder, progress)
