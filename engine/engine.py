"""The engine: opens a workspace, wires the rooms, publishes what changed."""

import gc
import logging
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.imports import ImportReport
from engine.domain.ports import Clock, Progress, SystemClock, no_progress
from engine.domain.queries import (
    Change,
    Counts,
    EventQuery,
    GeofenceQuery,
    NearbyGeofence,
    NearbyQuery,
    Page,
    UserQuery,
)
from engine.domain.tracking import Event, LocationUpdate, TrackResult, User
from engine.geofences.catalog import Catalog
from engine.geofences.editor import Edited, GeofenceEditor
from engine.store import queries
from engine.store.backup import save_copy
from engine.store.database import Database
from engine.store.ids import IdMaker
from engine.store.workspace import Workspace, open_workspace
from engine.store.writer import Connection, Done, Writer, settle
from engine.tracking.tracker import Tracker

log = logging.getLogger(__name__)

type Listener = Callable[[Change], None]


class Engine:
    """Everything the faces need, over one open workspace.

    Methods block until their result is stored or read, and may be called from any thread; `submit_tracks` does not
    block. What they raise is a `FencewrightError`.
    """

    def __init__(self, workspace: Workspace, clock: Clock) -> None:
        """For `open`."""
        self.workspace = workspace
        self.clock = clock
        self._listeners: tuple[Listener, ...] = ()
        self._listeners_lock = Lock()
        self._database = Database(workspace.database_file)
        make_id = IdMaker(clock)
        self._catalogs = {environment: self._load(environment) for environment in Environment}
        self._tracker = Tracker(clock, make_id, lambda env: self._catalogs[env].index)
        self._writer = Writer(self._database, committed=self._committed, rolled_back=self._tracker.forget)
        self._editors = {
            env: GeofenceEditor(catalog, self._writer, clock, make_id, self._edited)
            for env, catalog in self._catalogs.items()
        }

    @classmethod
    def open(cls, folder: Path | str, *, clock: Clock | None = None) -> Self:
        """Open or create the workspace in `folder`; ":memory:" opens a temporary one.

        Raises `WorkspaceBusy` when another process has it open, `WorkspaceError` when it cannot be used.
        """
        workspace = open_workspace(folder)
        try:
            return cls(workspace, clock or SystemClock())
        except BaseException:
            workspace.close()
            raise

    def close(self) -> None:
        """Store what was asked for, end all background work and release the workspace."""
        self._writer.close()
        self._database.close()
        self.workspace.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Tracking

    def track(self, environment: Environment, update: LocationUpdate) -> TrackResult:
        """Store a location update and return the user and the events it generated."""
        future: Future[TrackResult] = Future()
        self.submit_tracks([(environment, update, settle(future))])
        return future.result()

    def submit_tracks(self, updates: Iterable[tuple[Environment, LocationUpdate, Done[TrackResult]]]) -> None:
        """Ask for location updates to be stored, in their order.

        Each one's `done` is told its result in the writer's thread after the commit.
        """
        track = self._tracker.track
        self._writer.submit_all((partial(track, environment, update), done) for environment, update, done in updates)

    # Geofences

    def create_geofence(self, environment: Environment, change: GeofenceChange) -> Geofence:
        """Store a new geofence; raises `InvalidParameter`, or `Conflict` when its tag and external ID are taken."""
        return self._editors[environment].create(change)

    def upsert_geofence(self, environment: Environment, tag: str, external_id: str, change: GeofenceChange) -> Geofence:
        """Change the geofence with this tag and external ID, or store a new one."""
        return self._editors[environment].upsert(tag, external_id, change)

    def update_geofence(self, environment: Environment, geofence_id: str, change: GeofenceChange) -> Geofence:
        """Change a geofence; raises `NotFound`, `InvalidParameter` or `Conflict`."""
        return self._editors[environment].update(geofence_id, change)

    def delete_geofence(self, environment: Environment, geofence_id: str) -> Geofence:
        """Delete a geofence and return what it was; raises `NotFound`."""
        return self._editors[environment].delete(geofence_id)

    def restore_geofence(self, environment: Environment, geofence: Geofence) -> Geofence:
        """Store exactly this record again, to undo a change or a deletion; raises `Conflict`."""
        return self._editors[environment].restore(geofence)

    def import_csv(
        self, environment: Environment, data: bytes, *, dry_run: bool = False, progress: Progress = no_progress
    ) -> ImportReport:
        """Upsert a geofence for each row of a CSV; see `GeofenceEditor.import_csv`."""
        return self._editors[environment].import_csv(data, dry_run=dry_run, progress=progress)

    def geofence(self, environment: Environment, geofence_id: str) -> Geofence:
        """Return a geofence; raises `NotFound`."""
        return self._catalogs[environment].get(geofence_id)

    def geofence_with_key(self, environment: Environment, tag: str, external_id: str) -> Geofence:
        """Return the geofence with this tag and external ID; raises `NotFound`."""
        return self._catalogs[environment].get_by_key(tag, external_id)

    def all_geofences(self, environment: Environment) -> tuple[Geofence, ...]:
        """Return every geofence, in no order, from memory."""
        return self._catalogs[environment].all()

    def geofences(self, environment: Environment, query: GeofenceQuery) -> Page[Geofence]:
        """Return geofences by update time, newest first."""
        return self._database.read(lambda connection: queries.geofence_page(connection, environment, query))

    def nearby_geofences(self, environment: Environment, query: NearbyQuery) -> tuple[NearbyGeofence, ...]:
        """Return geofences by distance, nearest first."""
        return self._catalogs[environment].nearby(query)

    # Users and events

    def users(self, environment: Environment, query: UserQuery) -> Page[User]:
        """Return users by update time, newest first."""
        return self._database.read(lambda connection: queries.user_page(connection, environment, query))

    def events(self, environment: Environment, query: EventQuery) -> Page[Event]:
        """Return events by time, newest first."""
        return self._database.read(lambda connection: queries.event_page(connection, environment, query))

    def counts(self, environment: Environment) -> Counts:
        """Return how many records of each kind there are."""
        return self._database.read(lambda connection: queries.counts(connection, environment))

    # The workspace

    def save_copy(self, folder: Path, progress: Progress = no_progress) -> None:
        """Write a consistent copy of the workspace into a new folder while it is in use."""
        save_copy(self.workspace, self._database, folder, progress)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` of every commit, in the writer's thread; return what ends that. It must be quick."""
        with self._listeners_lock:
            self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            with self._listeners_lock:
                self._listeners = tuple(other for other in self._listeners if other is not listener)

        return unsubscribe

    def _load(self, environment: Environment) -> Catalog:
        def load(connection: Connection) -> Catalog:
            return Catalog(environment, queries.all_geofences(connection, environment))

        with _without_collecting():
            return self._database.read(load)

    def _edited(self, edited: Edited) -> None:
        if edited.ends_presences:
            self._tracker.forget()
        removed = tuple(geofence.id for geofence in edited.removed)
        self._publish(Change(edited.environment, geofences=edited.saved, removed_geofence_ids=removed))

    def _committed(self, results: list[Any]) -> None:
        if not self._listeners:
            return
        tracked = [result for result in results if isinstance(result, TrackResult)]
        for environment in Environment:
            mine = tuple(result for result in tracked if result.user.environment is environment)
            if mine:
                self._publish(Change(environment, tracked=mine))

    def _publish(self, change: Change) -> None:
        for listener in self._listeners:
            try:
                listener(change)
            except Exception:
                log.exception("A listener to changes failed")


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Load without looking for garbage among hundreds of thousands of objects that are all kept."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
