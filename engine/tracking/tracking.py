"""Location updates: storing, explaining and replaying them, and the context of a position."""

from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Future
from datetime import datetime
from functools import partial
from typing import Protocol

from engine.domain.clock import is_adjusted
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.geometry import Point
from engine.domain.ports import Done, Progress, no_progress, settle
from engine.domain.queries import Context
from engine.domain.tracking.explaining import (
    ExplainedUpdate,
    KeptUpdate,
    KnownDevices,
    ReplayQuery,
    ReplayReport,
    UpdateQuery,
)
from engine.domain.tracking.tracks import RecordedQuery, Track, TrackPoint
from engine.domain.tracking.updates import Anonymous, LocationUpdate, TrackResult
from engine.geo.index import SpatialIndex
from engine.store.database import Database
from engine.store.queries import users_of_device
from engine.store.updates import number_before, updates_of_devices
from engine.store.writer import Batch, Connection, Writer
from engine.tracking.arrival import latest_time
from engine.tracking.context import (
    SyncedPlaces,
    country_at,
    place_at,
    regions_at,
    summary_of,
    synced_places,
)
from engine.tracking.kept.explaining import Explainer
from engine.tracking.kept.history import FenceHistory
from engine.tracking.kept.missing import known_devices, nothing_kept
from engine.tracking.place_state import Around
from engine.tracking.series.curves import Curve, curves_of
from engine.tracking.series.kept import KeptFixes, KeptSeries, history_of, read_on
from engine.tracking.series.way import Way
from engine.tracking.tracker import Tracker, TrackingContext
from engine.tracking.users import UserState, record_for
from engine.tracking.whatif.replaying import Replayer

type Submitted = tuple[Environment, LocationUpdate, Done[TrackResult]]
"""A location update and the callback for its result."""

type Work = tuple[Callable[[Batch], TrackResult], Done[TrackResult]]
"""A location update in the form that the writer takes."""

_TRIES = 5


class WaitingLines(Protocol):
    """Queues of updates that wait for the routes of their trips."""

    def __bool__(self) -> bool:
        """Return whether any update is waiting."""
        ...

    def enter(
        self, environment: Environment, update: LocationUpdate, done: Done[TrackResult], held: Callable[[], None]
    ) -> Work:
        """Return the work of an update that may have to wait. `held` is called if it does."""
        ...


class Tracking:
    """Tracks devices. Methods may be called from any thread, and only `submit` does not block."""

    def __init__(
        self,
        tracker: Tracker,
        contexts: Mapping[Environment, TrackingContext],
        database: Database,
        writer: Writer,
        lines: WaitingLines,
    ) -> None:
        """Create the tracking over the `contexts` on which the tracker bases its decisions."""
        self._tracker = tracker
        self._contexts = contexts
        self._database = database
        self._writer = writer
        self._lines = lines

    def track(self, environment: Environment, update: LocationUpdate) -> TrackResult:
        """Store a location update, unless it is anonymous, and return the user and the generated events."""
        if update.anonymous is not None:
            return self.decide_anonymous(environment, update, update.anonymous)
        future: Future[TrackResult] = Future()
        self.submit([(environment, update, settle(future))])
        return future.result()

    def decide_anonymous(self, environment: Environment, update: LocationUpdate, anonymous: Anonymous) -> TrackResult:
        """Return the result of an update of a device that keeps its state itself. Nothing is stored."""
        return self._tracker.decide_anonymous(environment, update, anonymous)

    def submit(self, updates: Iterable[Submitted], held: Callable[[], None] = lambda: None) -> None:
        """Queue location updates, which must not be anonymous, to be stored in order.

        `done` of each update is called with its result in the writer's thread after the commit. An update may first
        wait a little for the route of its trip, as do later updates of its device. In this case `held` is called.
        """
        self._writer.submit_all(self._work(*each, held) for each in updates)

    def _work(
        self, environment: Environment, update: LocationUpdate, done: Done[TrackResult], held: Callable[[], None]
    ) -> Work:
        clock = self._contexts[environment].clock
        if update.awaits_route or is_adjusted(clock) or self._lines:
            return self._lines.enter(environment, update, done, held)
        return partial(self._tracker.track, environment, update), done

    def track_all(
        self, environment: Environment, updates: Iterable[LocationUpdate]
    ) -> list[TrackResult | BaseException]:
        """Store location updates together, in order, and return the result or error of each after its commit."""
        futures: list[Future[TrackResult]] = []
        works: list[tuple[Environment, LocationUpdate, Done[TrackResult]]] = []
        for update in updates:
            future: Future[TrackResult] = Future()
            futures.append(future)
            works.append((environment, update, settle(future)))
        self.submit(works)
        return [future.exception() or future.result() for future in futures]

    def trim(self) -> None:
        """Delete the updates beyond the settings' limit, which an earlier version may have left."""
        for environment, context in self._contexts.items():
            self._writer.run(partial(self._tracker.trim, environment, settings=context.settings.settings), forgets=True)

    def explain(self, environment: Environment, query: UpdateQuery) -> ExplainedUpdate:
        """Return the meaning of a kept update for each nearby geofence, with reasons and the settings of its time.

        Raises `NotFound` naming ``device`` or ``at``.
        """
        return self._reading(environment, lambda *known: Explainer(*known).explain(query))

    def known_devices(self, environment: Environment, device_id: str) -> KnownDevices:
        """Return the devices with kept updates that are most similar to one that is not known."""
        return self._database.read_at_once(lambda connection: known_devices(connection, environment, device_id))

    def replay(self, environment: Environment, query: ReplayQuery, progress: Progress = no_progress) -> ReplayReport:
        """Replay kept updates or those of a track under other settings or geofences, and return the differences.

        Nothing is changed. Raises `NotFound` naming ``device``, or `InvalidParameter` naming a setting.
        """
        progress = self._database.stop.heeded(progress)
        return self._reading(environment, lambda *known: Replayer(*known).replay(query, progress))

    def recorded(self, environment: Environment, query: RecordedQuery) -> Track:
        """Return a device's kept updates as a track. Raises `NotFound` naming ``device`` if none are kept."""
        return self._database.read_at_once(lambda connection: recorded_track(connection, environment, query))

    def read_on(self, environment: Environment, series: KeptSeries, progress: Progress = no_progress) -> KeptFixes:
        """Read the new kept updates of a user with their decisions. `progress` may raise `Cancelled`."""
        fences, progress = self._contexts[environment].fences, self._database.stop.heeded(progress)
        for _ in range(_TRIES):
            if read_on(series, self._database, environment, fences, progress):
                break
        return series.shown()

    def latest_time(self, environment: Environment, device_id: str, user_id: str | None = None) -> datetime | None:
        """Return the newest time of a device and user, in the future too, or None without an update with a time."""
        users = self._database.read(lambda connection: users_of_device(connection, environment, device_id))
        state = record_for([UserState(user, {}) for user, _ in users], user_id)
        return latest_time(None if state is None else state.user, self._contexts[environment].clock.now())

    def number_before(self, environment: Environment, device_id: str, at: datetime) -> int:
        """Return the number after which a series begins with the device's first update at or after a time."""
        return self._database.read(lambda connection: number_before(connection, environment, device_id, at))

    def curves(
        self, environment: Environment, way: Way, also: Collection[str] = (), progress: Progress = no_progress
    ) -> tuple[Curve, ...]:
        """Return the distances of fixes from each nearby geofence, and from those with the IDs in `also`.

        Kept fixes are measured against the geofences of their time. `progress` may raise `Cancelled`.
        """
        context = self._contexts[environment]
        fences, rule = context.fences, context.settings.settings.operating_hours_rule
        if not len(way.revisions):
            return curves_of(way, FenceHistory(fences.index, ()), also, progress, hours_rule=rule)
        since = int(way.revisions.min())
        for _ in range(_TRIES):
            revision = fences.revision
            history = self._database.read(lambda connection: history_of(connection, environment, fences.index, since))
            curves = curves_of(way, history, also, progress, hours_rule=rule)
            if fences.revision == revision:
                break
        return curves

    def context(self, environment: Environment, point: Point, accuracy_m: float = 0.0) -> Context:
        """Return the enabled geofences, the place and the regions at a position.

        The geofences are sorted by tag and external ID.
        """
        context = self._contexts[environment]
        found = [
            summary_of(fence)
            for fence in context.fences.index.at(point.longitude, point.latitude)
            if fence.item.enabled and fence.shape.contains(point.longitude, point.latitude)
        ]
        settings, now = context.settings.settings, context.clock.now()
        return Context(
            tuple(sorted(found, key=lambda geofence: (geofence.tag, geofence.external_id))),
            place_at(context.around, point, accuracy_m, now, settings),
            regions_at(context.around, point, settings),
        )

    def country_at(self, environment: Environment, point: Point) -> str | None:
        """Return the ISO code of the country at a position, or None if it is unknown."""
        return country_at(self._contexts[environment].around, point)

    def places_within(self, environment: Environment, point: Point, radius_m: float) -> SyncedPlaces:
        """Return the places around a position that may have events, and the radius in which they are complete."""
        context = self._contexts[environment]
        return synced_places(context.around, point, radius_m, context.settings.settings)

    def _reading[T](
        self, environment: Environment, ask: Callable[[Environment, SpatialIndex[Geofence], Connection, Around], T]
    ) -> T:
        context = self._contexts[environment]

        def answer(connection: Connection) -> T:
            return ask(environment, context.fences.index, connection, context.around)

        for _ in range(_TRIES):
            revision = context.fences.revision
            # Former presences are stored apart from their updates, and are deleted with them.
            answered = self._database.read_at_once(answer)
            if context.fences.revision == revision:
                break
            # Another thread edited a geofence while former and current versions were read, so read again.
        return answered


def recorded_track(connection: Connection, environment: Environment, query: RecordedQuery) -> Track:
    """Return the positions of a device ordered by time. Raises `NotFound` ``device`` if nothing is kept."""
    whose, times = (query.device_id,), {"after": query.after, "before": query.before}
    updates = list(updates_of_devices(connection, environment, whose, user_id=query.user_id, **times))
    if not updates:
        raise nothing_kept(connection, environment, whose, query.user_id, query.after, query.before)
    # Updates recorded offline arrive later than updates that follow them in time.
    ordered = sorted(updates, key=lambda update: update.fix.at)
    return Track(query.device_id, tuple(map(_point, ordered)))


def _point(update: KeptUpdate) -> TrackPoint:
    fix = update.fix
    return TrackPoint(fix.point, fix.at, fix.accuracy_m, fix.foreground, fix.stopped)
