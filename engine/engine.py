"""The engine: opens a workspace, wires the packages, publishes what changed."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from engine.areas.library import AreaLibrary
from engine.beacons.beacons import Beacons, EditedBeacons
from engine.beacons.catalog import load_beacons
from engine.delivery.dispatcher import Dispatcher
from engine.delivery.outbox import Outbox, WebhookBook
from engine.delivery.webhooks import Webhooks
from engine.domain.clock import AdjustableClock, ClockChange, ClockState
from engine.domain.environment import Environment
from engine.domain.ports import Changes, Clock, Progress, Stop, SystemClock, no_progress
from engine.domain.queries import Change
from engine.domain.routing import Router
from engine.domain.tracking.updates import TrackResult
from engine.domain.webhooks.webhook import Payloads
from engine.geocoding.geocoding import Geocoding
from engine.geofences.catalog import Catalog, load_catalogs
from engine.geofences.changes import Finders
from engine.geofences.checks.service import Checks
from engine.geofences.expiry import ExpiryTimer
from engine.geofences.geofences import Edited, Geofences
from engine.geofences.history import GeofenceHistory
from engine.geofences.imports.imports import Imports
from engine.geofences.isochrones import IsochroneTracer
from engine.geofences.judging import Judge as GeofenceJudge
from engine.geofences.locating import Locator
from engine.geofences.portions import EditTurns
from engine.geofences.promotion.promotions import Promotions
from engine.maps.maps import Maps
from engine.nightly.nightly import NightlySync, SyncParts
from engine.routing.routers import Routers
from engine.seeding.judging import Judge
from engine.seeding.seeding import Parts, Seeding
from engine.store.backup import save_copy
from engine.store.database import Database
from engine.store.delivery.deliveries import last_number
from engine.store.delivery.webhooks import load_webhooks
from engine.store.ids import IdMaker
from engine.store.trips import open_trips
from engine.store.watching.watch import WorkspaceWatch
from engine.store.workspace import Workspace, open_workspace
from engine.store.writer import Writer
from engine.tracking.event_records import History
from engine.tracking.kept.heat import Heat
from engine.tracking.measure import confidence_of
from engine.tracking.nearby_cache import NearbyCache
from engine.tracking.place_state import AroundData
from engine.tracking.settings import Settings, SettingsBook
from engine.tracking.tracker import Tracker, TrackingContext
from engine.tracking.tracking import Tracking
from engine.tracking.user_records import Users
from engine.trips.book import TripBook
from engine.trips.eta import Etas
from engine.trips.judging import Places
from engine.trips.step import TripStep
from engine.trips.trips import Trips
from engine.trips.waiting import WaitingLines


class Engine:
    """One open workspace. What it can do is reached by what it is: `engine.geofences`, `engine.tracking`, ...

    Methods of all of them block until their result is stored or read, and may be called from any thread;
    `tracking.submit` does not block. What they raise is a `FencewrightError`.
    """

    def __init__(
        self,
        workspace: Workspace,
        clock: Clock,
        frozen_at: datetime | None,
        areas: Sequence[str] = (),
        router_url: str | None = None,
        geocoder_url: str | None = None,
        payloads: Callable[[], Payloads] | None = None,
        progress: Progress = no_progress,
    ) -> None:
        """For `open`."""
        self.workspace = workspace
        self.stop = Stop()
        self._payloads = payloads
        self.areas = AreaLibrary(workspace.folder, changed=self._areas_changed)
        if areas:
            self.areas.limit_to(areas)
        self._routers = Routers(self.areas.in_use, router_url)
        self.geocoding = Geocoding(self.areas.in_use, geocoder_url, workspace=workspace.folder)
        self.maps = Maps(self.areas.in_use)
        self._around = NearbyCache(
            lambda: self.geocoding.places,
            lambda point: self.geocoding.regions.regions_at(point),
            lambda: _data_of(self.geocoding),
        )
        self.test_clock = AdjustableClock(clock)
        if frozen_at is not None:
            self.test_clock.change(ClockChange(now=frozen_at, frozen=True))
        self._clocks: dict[Environment, Clock] = {Environment.TEST: self.test_clock, Environment.LIVE: clock}
        self.changes = Changes()
        self._wire(Database(workspace.database_file, progress, self.stop), IdMaker(clock), frozen_at)
        self.watch = WorkspaceWatch(workspace, self._database)
        self._timer = ExpiryTimer(self._until_expiry_s, partial(self._expire, patiently=False))
        self.test_clock.on_change(self._timer.look_again)
        self.test_clock.on_change(self.nightly.look_again)
        self.settings.get_ready()

    def _wire(self, database: Database, make_id: IdMaker, frozen_at: datetime | None) -> None:
        """Make what changes and reads the database."""
        clocks, catalogs, beacons = self._clocks, database.read(load_catalogs), database.read(load_beacons)
        books = {env: database.read(partial(SettingsBook, env)) for env in Environment}
        contexts = {
            env: TrackingContext(clocks[env], catalogs[env], books[env], self._around, beacons[env])
            for env in Environment
        }
        self._locator = Locator(lambda: self.geocoding.geocoder, lambda: self.geocoding.places)
        book, places = TripBook(lambda: database.read(open_trips)), {env: _places(catalogs[env]) for env in Environment}
        self._etas = Etas(lambda: self.routing)
        self._trip_step = TripStep(book, self._etas, places, clocks, make_id)
        webhooks = WebhookBook(database.read(load_webhooks))
        self._outbox = Outbox(webhooks, self._payloads, database.read(last_number))
        tracker = Tracker(make_id, contexts, self._trip_step, self._outbox)
        writer = Writer(database, committed=self._committed, rolled_back=self._forget)
        self._database, self._tracker, self._writer = database, tracker, writer
        self._wire_webhooks(webhooks, make_id)
        tracer = IsochroneTracer(lambda: self._routers.current)
        finders = Finders(tracer, self._locator, tracer.moved_m)
        judges = {env: GeofenceJudge(catalogs[env], clocks[env], make_id, finders) for env in Environment}
        turns = EditTurns(writer)
        turns.end_earlier()
        self.geofences = Geofences(catalogs, database, writer, clocks, self._edited, judges, finders, turns)
        self.geofence_history = GeofenceHistory(database)
        self.heat = Heat(database)
        self.imports = Imports(self.geofences, catalogs, judges, database, clocks, make_id, finders)
        self.promotions = Promotions(self.geofences, catalogs, clocks, make_id, finders)
        self.beacons = Beacons(beacons, database, writer, clocks, make_id, self._edited_beacons)
        self._lines = WaitingLines(
            tracker.track, tracker.awaited, writer.submit_all, waiting=lambda: self._timer.look_again()
        )
        self.tracking = Tracking(tracker, contexts, database, writer, self._lines)
        self._wire_users(books, catalogs)
        self._wire_checks(judges)
        self._wire_history(book, books, places, make_id)
        self._wire_nightly()
        self.seeding = Seeding(
            Parts(
                self.workspace,
                database,
                writer,
                turns,
                catalogs,
                beacons,
                books,
                self.test_clock,
                clocks[Environment.LIVE],
            ),
            Judge(self.settings.of_new_project, finders, make_id),
            frozen_at,
            restored=self._restored,
            settled=self._settled,
        )

    def _wire_users(self, books: dict[Environment, SettingsBook], catalogs: dict[Environment, Catalog]) -> None:
        database, writer, clocks = self._database, self._writer, self._clocks
        self.settings = Settings(
            books,
            writer,
            clocks,
            self._around,
            check_chains=lambda slugs, own: self.geocoding.places.check_chains(slugs, own, "place_chains"),
            changing=self._tracker.trim,
            changed=self.changes.publish,
        )
        self.users = Users(
            database,
            writer,
            books,
            self.geofences.get,
            lambda: self.routing,
            self._publish_changed_users,
            {env: catalog.index for env, catalog in catalogs.items()},
            self._around,
        )

    def _wire_checks(self, judges: dict[Environment, GeofenceJudge]) -> None:
        self.checks = Checks(
            self.geofences,
            judges,
            self._clocks,
            self.settings.get,
            self.settings.change,
            lambda: (self.areas.list(), self.areas.in_use()),
            lambda: self.routing,
            confidence_of,
        )

    def _wire_history(
        self,
        book: TripBook,
        books: dict[Environment, SettingsBook],
        places: dict[Environment, Places],
        make_id: IdMaker,
    ) -> None:
        """Make trips, and what deletes everything that happened."""
        database, writer, clocks = self._database, self._writer, self._clocks
        book.load()
        self.trips = Trips(
            book,
            self._etas,
            database,
            writer,
            clocks,
            lambda environment: books[environment].settings,
            places,
            self._locator.address,
            make_id,
            changed=self._trips_changed,
            outbox=self._outbox,
        )
        self.history = History(
            database,
            writer,
            clocks,
            make_id,
            changed=self.changes.publish,
            cleared=self._publish_changed_users,
            delete_geofences=self.geofences.delete_all,
            delete_beacons=self.beacons.delete_all,
            outbox=self._outbox,
            forget_event=self.webhooks.forget_event,
        )

    def _wire_nightly(self) -> None:
        database, writer, clocks = self._database, self._writer, self._clocks
        self.nightly = NightlySync(
            SyncParts(
                self.workspace,
                database,
                writer,
                clocks,
                self._scale,
                self.imports,
                lambda environment: self.settings.get(environment).allow_private_urls,
                lambda environment: self.changes.publish(Change(environment, sync=True)),
            )
        )

    def _wire_webhooks(self, book: WebhookBook, make_id: IdMaker) -> None:
        database, writer, clocks = self._database, self._writer, self._clocks
        self._dispatcher = None
        if self._payloads is not None:
            self._dispatcher = Dispatcher(
                book,
                database,
                writer,
                clocks,
                self._payloads,
                changed=lambda environment: self.changes.publish(Change(environment, webhooks=True)),
            )
            self.test_clock.on_change(self._dispatcher.wake)
        publish, payloads = self.changes.publish, self._payloads
        self.webhooks = Webhooks(
            book, self._outbox, database, writer, clocks, make_id, payloads, self._dispatcher, publish
        )

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
            engine = cls(
                workspace, clock or SystemClock(), frozen_at, areas, router_url, geocoder_url, payloads, progress
            )
        except BaseException:
            workspace.close()
            raise
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
        self._routers.close()

    def close(self) -> None:
        """Store what was asked for, cancel what takes long, and release the workspace."""
        self.stop_work()
        self.areas.close()
        self.nightly.close()
        self._lines.close()
        self._timer.close()
        self.webhooks.close()
        # What is still to be stored may need ways and places, and would open them again.
        self._writer.close()
        self._etas.close()
        self._routers.close()
        self.geocoding.close()
        self.maps.close()
        self.watch.close()
        self._database.close()
        self.workspace.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Time

    @property
    def clock(self) -> Clock:
        """The clock of Test, which a test may set."""
        return self.test_clock

    def clock_of(self, environment: Environment) -> Clock:
        """Return the clock that an environment goes by; Live always has the system's."""
        return self._clocks[environment]

    def set_clock(self, change: ClockChange) -> ClockState:
        """Change Test's clock; what expires by that has expired on return. Raises `InvalidParameter`."""
        self.test_clock.change(change)
        self._expire()
        return self.test_clock.state()

    def _expire(self, *, patiently: bool = True) -> None:
        self._lines.give_up()
        self.geofences.expire(patiently=patiently)
        self.trips.expire()

    def _scale(self, environment: Environment) -> float:
        return self.test_clock.scale if environment is Environment.TEST else 1.0

    def _until_expiry_s(self) -> float | None:
        scales = {environment: self._scale(environment) for environment in Environment}
        waits = (
            self.geofences.until_expiry_s(scales),
            self.trips.until_expiry_s(scales),
            self._lines.until_given_up_s(),
        )
        return min((wait_s for wait_s in waits if wait_s is not None), default=None)

    # Ways

    @property
    def routing(self) -> Router:
        """The router in force: over the areas in use, or the server given at opening."""
        return self._routers.current

    # The workspace

    def save_copy(self, folder: Path, progress: Progress = no_progress) -> None:
        """Write a consistent copy of the workspace into a new folder while it is in use."""
        save_copy(self.workspace, self._database, folder, progress)

    # Consequences of changes

    def _edited(self, edited: Edited) -> None:
        self._tracker.forget_devices(edited.environment, edited.devices_left)
        if any(geofence.expires_at is not None for geofence in edited.saved):
            self._timer.look_again()
        if not (edited.saved or edited.removed):
            return
        removed = tuple(geofence.id for geofence in edited.removed)
        self.changes.publish(Change(edited.environment, geofences=edited.saved, removed_geofence_ids=removed))

    def _restored(self, change: Change) -> None:
        """Publish that an environment was put back, of which the tracker may remember what is no more."""
        self._timer.look_again()
        self._publish_changed_users(change)

    def _settled(self) -> None:
        self.settings.get_ready()
        self._expire()

    def _edited_beacons(self, edited: EditedBeacons) -> None:
        if edited.ends_stays:
            self._tracker.forget()
        removed = tuple(beacon.id for beacon in edited.removed)
        self.changes.publish(Change(edited.environment, beacons=edited.saved, removed_beacon_ids=removed))

    def _areas_changed(self) -> None:
        self._routers.look_again()
        self._etas.forget_all()
        self.geocoding.look_again()
        self._locator.forget()
        self._around.forget()
        self.settings.get_ready()
        for environment in Environment:
            self.changes.publish(Change(environment, areas=True))

    def _committed(self, results: list[Any]) -> None:
        if self._dispatcher is not None:
            if self._outbox.take_queued():
                self._dispatcher.grow()
            if self._outbox.take_removed():
                self._dispatcher.rescan_all()
        if not self.changes.listened_to:
            return
        tracked = [result for result in results if isinstance(result, TrackResult)]
        for environment in Environment:
            mine = tuple(result for result in tracked if result.user.environment is environment)
            if mine:
                self.changes.publish(Change(environment, tracked=mine))

    def _publish_changed_users(self, change: Change) -> None:
        """Publish that users were changed past the tracker, which has to read them again."""
        self._forget()
        self._etas.forget_all()
        if self._dispatcher is not None:
            self._dispatcher.rescan_all()
        self.changes.publish(change)

    def _trips_changed(self, change: Change) -> None:
        self._timer.look_again()
        self.changes.publish(change)

    def _forget(self) -> None:
        """Have what the writer's thread keeps in memory read again: the database knows better."""
        self._tracker.forget()
        self._trip_step.forget()


def _data_of(geocoding: Geocoding) -> AroundData:
    """Return what places and regions are known from."""
    regions = geocoding.regions
    return AroundData(regions.has_world, regions.has_markets, bool(geocoding.embedded.areas))


def _places(catalog: Catalog) -> Places:
    """Return where destinations of trips are."""
    return Places(catalog.find, catalog.find_by_key)
