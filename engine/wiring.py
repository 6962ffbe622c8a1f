"""The parts of an engine: each receives the other parts it needs, and is notified of their changes."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from itertools import count
from secrets import randbits, token_hex
from typing import Any

from engine.areas.library import AreaLibrary
from engine.beacons.beacons import Beacons, EditedBeacons
from engine.beacons.catalog import load_beacons
from engine.delivery.dispatcher import Dispatcher
from engine.delivery.outbox import Outbox, WebhookBook
from engine.delivery.webhooks import Webhooks
from engine.domain.clock import AdjustableClock, ClockChange
from engine.domain.environment import Environment
from engine.domain.ports import Changes, Clock, Progress, Stop
from engine.domain.queries import Change
from engine.domain.routing import Router
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.updates import TrackResult
from engine.domain.webhooks.webhook import Payloads
from engine.geocoding.geocoding import Geocoding
from engine.geofences.catalog import load_catalogs
from engine.geofences.changes import Finders
from engine.geofences.checks.service import Checks
from engine.geofences.expiry import ExpiryTimer
from engine.geofences.geofences import Edited, Geofences
from engine.geofences.history import GeofenceHistory
from engine.geofences.imports.imports import Imports
from engine.geofences.isochrones import IsochroneTracer
from engine.geofences.judging import Judge as GeofenceJudge
from engine.geofences.locating import Locator
from engine.geofences.promotion.promotions import Promotions
from engine.maps.maps import Maps
from engine.nightly.nightly import NightlySync, SyncParts
from engine.routing.routers import Routers
from engine.seeding.judging import Judge
from engine.seeding.seeding import Seeding, SeedingParts
from engine.store.database import Database
from engine.store.delivery.deliveries import last_number
from engine.store.delivery.webhooks import load_webhooks
from engine.store.staging.geofences import tidy_geofences
from engine.store.staging.records import BEACONS
from engine.store.staging.turns import EditTurns
from engine.store.trips import open_trips
from engine.store.watching.watch import WorkspaceWatch
from engine.store.workspace import Workspace
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


class IdMaker:
    """Creates unique identifiers: 24 hexadecimal digits that grow with time, as clients of this API expect.

    They consist of seconds, a random part for the process, and a counter.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._process = token_hex(5)
        self._counter = count(randbits(20))

    def __call__(self) -> str:
        """Return the next identifier."""
        seconds = int(self._clock.now().timestamp()) & 0xFFFFFFFF
        return f"{seconds:08x}{self._process}{next(self._counter) & 0xFFFFFF:06x}"


class Parts:
    """All components that work on one open workspace, from the area files to the expiry timer."""

    def __init__(
        self,
        workspace: Workspace,
        clock: Clock,
        frozen_at: datetime | None,
        areas: Sequence[str],
        router_url: str | None,
        geocoder_url: str | None,
        payloads: Callable[[], Payloads] | None,
        progress: Progress,
    ) -> None:
        """Connect the parts and start their threads; the parameters are those of `Engine.open`."""
        self.workspace, self.stop, self.changes = workspace, Stop(), Changes()
        self._payloads = payloads
        self._wire_areas(areas, router_url, geocoder_url)
        self._wire_clocks(clock, frozen_at)
        self.database = Database(workspace.database_file, progress, self.stop)
        self._make_id = IdMaker(clock)
        self._read()
        self._wire_tracker()
        self._wire_webhooks()
        self._wire_geofences()
        self._wire_tracking()
        self._wire_records()
        self._wire_nightly()
        self._wire_seeding(frozen_at)
        self.watch = WorkspaceWatch(workspace, self.database)
        self.timer = ExpiryTimer(self._until_expiry_s, partial(self.expire, patiently=False))
        self.test_clock.on_change(self.timer.look_again)
        self.test_clock.on_change(self.nightly.look_again)
        self.settings.get_ready()

    def close(self) -> None:
        """Store pending changes, and end all threads and processes."""
        self.areas.close()
        self.nightly.close()
        self.lines.close()
        self.timer.close()
        self.webhooks.close()
        # Pending changes may need routes and places, and would open these again.
        self.writer.close()
        self.etas.close()
        self.routers.close()
        self.geocoding.close()
        self.maps.close()
        self.watch.close()
        self.database.close()

    # Wiring

    def _wire_areas(self, names: Sequence[str], router_url: str | None, geocoder_url: str | None) -> None:
        """Create the parts that read areas."""
        self.areas = AreaLibrary(self.workspace.folder, changed=self.areas_changed)
        if names:
            self.areas.limit_to(names)
        self.routers = Routers(self.areas.in_use, router_url)
        self.geocoding = Geocoding(self.areas.in_use, geocoder_url, workspace=self.workspace.folder)
        self.maps = Maps(self.areas.in_use)
        self.around = NearbyCache(
            lambda: self.geocoding.places, lambda point: self.geocoding.regions.regions_at(point), self._around_data
        )

    def _wire_clocks(self, clock: Clock, frozen_at: datetime | None) -> None:
        """Create the clocks: an adjustable one for Test, and the given one for Live."""
        self.test_clock = AdjustableClock(clock)
        if frozen_at is not None:
            self.test_clock.change(ClockChange(now=frozen_at, frozen=True))
        self.clocks: dict[Environment, Clock] = {Environment.TEST: self.test_clock, Environment.LIVE: clock}

    def _read(self) -> None:
        """Load the records that are kept in memory and shared by several parts."""
        database = self.database
        self._catalogs, self._beacon_catalogs = database.read(load_catalogs), database.read(load_beacons)
        self._books = {each: database.read(partial(SettingsBook, each)) for each in Environment}
        self._webhook_book = WebhookBook(database.read(load_webhooks))
        self._trip_book = TripBook(lambda: database.read(open_trips))
        self._places = {each: Places(catalog.find, catalog.find_by_key) for each, catalog in self._catalogs.items()}

    def _wire_tracker(self) -> None:
        """Create the tracker, which decides on updates, and the thread that stores all changes."""
        self._contexts = {
            each: TrackingContext(
                self.clocks[each], self._catalogs[each], self._books[each], self.around, self._beacon_catalogs[each]
            )
            for each in Environment
        }
        self.etas = Etas(self._router)
        trip_step = TripStep(self._trip_book, self.etas, self._places, self.clocks, self._make_id)
        self._outbox = Outbox(self._webhook_book, self._payloads, self.database.read(last_number))
        self.tracker = Tracker(self._make_id, self._contexts, trip_step, self._outbox)
        self.writer = Writer(self.database, committed=self._committed, rolled_back=self._forget)

    def _wire_webhooks(self) -> None:
        """Create the dispatcher of events, if events can be encoded, and the part that changes webhooks."""
        self.dispatcher: Dispatcher | None = None
        if self._payloads is not None:
            self.dispatcher = Dispatcher(
                self._webhook_book,
                self.database,
                self.writer,
                self.clocks,
                self._payloads,
                changed=lambda environment: self.changes.publish(Change(environment, webhooks=True)),
            )
            self.test_clock.on_change(self.dispatcher.wake)
        self.webhooks = Webhooks(
            self._webhook_book,
            self._outbox,
            self.database,
            self.writer,
            self.clocks,
            self._make_id,
            self._payloads,
            self.dispatcher,
            self.changes.publish,
        )

    def _wire_geofences(self) -> None:
        """Create the parts that change geofences and beacons."""
        catalogs, clocks, make_id = self._catalogs, self.clocks, self._make_id
        self._locator = Locator(lambda: self.geocoding.geocoder, lambda: self.geocoding.places)
        tracer = IsochroneTracer(self._router)
        finders = self._finders = Finders(tracer, self._locator, tracer.moved_m, tracer.edge)
        judges = {each: GeofenceJudge(catalogs[each], clocks[each], make_id, finders) for each in Environment}
        turns, beacon_turns = self._turns = EditTurns(self.writer, tidy_geofences), EditTurns(self.writer, BEACONS.tidy)
        for each in self._turns:
            each.end_earlier()
        self.geofences = Geofences(catalogs, self.database, self.writer, clocks, self._edited, judges, finders, turns)
        self.geofence_history = GeofenceHistory(self.database)
        self.imports = Imports(self.geofences, catalogs, judges, self.database, clocks, make_id, finders)
        self.promotions = Promotions(self.geofences, catalogs, clocks, make_id, finders, self._settings_of)
        self.beacons = Beacons(
            self._beacon_catalogs, self.database, self.writer, clocks, make_id, self._edited_beacons, beacon_turns
        )
        self._judges = judges

    def _wire_tracking(self) -> None:
        """Create the parts that receive updates, and the parts that query users' positions."""
        self.lines = WaitingLines(
            self.tracker.track, self.tracker.awaited, self.writer.submit_all, waiting=lambda: self.timer.look_again()
        )
        self.tracking = Tracking(self.tracker, self._contexts, self.database, self.writer, self.lines)
        self.heat = Heat(self.database)
        self.settings = Settings(
            self._books,
            self.writer,
            self.clocks,
            self.around,
            check_chains=lambda slugs, own: self.geocoding.places.check_chains(slugs, own, "place_chains"),
            changing=self.tracker.trim,
            changed=self.changes.publish,
        )
        self.users = Users(
            self.database,
            self.writer,
            self._books,
            self.geofences.get,
            self._router,
            self._users_changed,
            {each: catalog.index for each, catalog in self._catalogs.items()},
            self.around,
        )
        self.checks = Checks(
            self.geofences,
            self._judges,
            self.clocks,
            self.settings.get,
            self.settings.change,
            lambda: (self.areas.list(), self.areas.in_use()),
            self._router,
            confidence_of,
            self.database,
            self.writer,
        )

    def _wire_records(self) -> None:
        """Create trips, and the part that deletes history."""
        database, writer, clocks, make_id = self.database, self.writer, self.clocks, self._make_id
        self._trip_book.load()
        self.trips = Trips(
            self._trip_book,
            self.etas,
            database,
            writer,
            clocks,
            self._settings_of,
            self._places,
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
            cleared=self._users_changed,
            delete_geofences=self.geofences.delete_all,
            delete_beacons=self.beacons.delete_all,
            outbox=self._outbox,
            forget_event=self.webhooks.forget_event,
        )

    def _wire_nightly(self) -> None:
        self.nightly = NightlySync(
            SyncParts(
                self.workspace,
                self.database,
                self.writer,
                self.clocks,
                self._scale,
                self.imports,
                lambda environment: self.settings.get(environment).allow_private_urls,
                lambda environment: self.changes.publish(Change(environment, sync=True)),
            )
        )

    def _wire_seeding(self, frozen_at: datetime | None) -> None:
        self.seeding = Seeding(
            SeedingParts(
                self.workspace,
                self.database,
                self.writer,
                self._turns,
                self._catalogs,
                self._beacon_catalogs,
                self._books,
                self._webhook_book,
                self.test_clock,
                self.clocks[Environment.LIVE],
            ),
            Judge(self.settings.of_new_project, self._finders, self._make_id),
            frozen_at,
            restored=self._restored,
            settled=self._settled,
        )

    def _router(self) -> Router:
        return self.routers.current

    def _settings_of(self, environment: Environment) -> ProjectSettings:
        return self._books[environment].settings

    def _around_data(self) -> AroundData:
        """Return the sources of places and regions."""
        regions = self.geocoding.regions
        return AroundData(regions.has_world, regions.has_markets, bool(self.geocoding.embedded.areas))

    # Time

    def expire(self, *, patiently: bool = True) -> None:
        """End everything whose expiry time has passed."""
        self.lines.give_up()
        self.geofences.expire(patiently=patiently)
        self.trips.expire()

    def _scale(self, environment: Environment) -> float:
        return self.test_clock.scale if environment is Environment.TEST else 1.0

    def _until_expiry_s(self) -> float | None:
        scales = {environment: self._scale(environment) for environment in Environment}
        waits = (
            self.geofences.until_expiry_s(scales),
            self.trips.until_expiry_s(scales),
            self.lines.until_given_up_s(),
        )
        return min((wait_s for wait_s in waits if wait_s is not None), default=None)

    # Consequences of changes

    def areas_changed(self) -> None:
        """Discard all results that were found in areas, so that they are computed again."""
        self.routers.look_again()
        self.etas.forget_all()
        self.geocoding.look_again()
        self._locator.forget()
        self.around.forget()
        self.settings.get_ready()
        for environment in Environment:
            self.changes.publish(Change(environment, areas=True))

    def _committed(self, results: list[Any]) -> None:
        if self.dispatcher is not None:
            if self._outbox.take_queued():
                self.dispatcher.grow()
            if self._outbox.take_removed():
                self.dispatcher.rescan_all()
        if not self.changes.listened_to:
            return
        tracked = [result for result in results if isinstance(result, TrackResult)]
        for environment in Environment:
            own = tuple(result for result in tracked if result.user.environment is environment)
            if own:
                self.changes.publish(Change(environment, tracked=own))

    def _forget(self) -> None:
        """Discard the memory of the writer's thread, so that it is read from the database again."""
        self.tracker.forget()
        self._trip_book.forget()

    def _edited(self, edited: Edited) -> None:
        self.tracker.forget_devices(edited.environment, edited.devices_left)
        if any(geofence.expires_at is not None for geofence in edited.saved):
            self.timer.look_again()
        if not (edited.saved or edited.removed):
            return
        removed = tuple(geofence.id for geofence in edited.removed)
        self.changes.publish(Change(edited.environment, geofences=edited.saved, removed_geofence_ids=removed))

    def _edited_beacons(self, edited: EditedBeacons) -> None:
        if edited.ends_stays:
            self.tracker.forget()
        removed = tuple(beacon.id for beacon in edited.removed)
        self.changes.publish(Change(edited.environment, beacons=edited.saved, removed_beacon_ids=removed))

    def _trips_changed(self, change: Change) -> None:
        self.timer.look_again()
        self.changes.publish(change)

    def _users_changed(self, change: Change) -> None:
        """Publish a change of users that bypassed the tracker, which has to read them again."""
        self._forget()
        self.etas.forget_all()
        if self.dispatcher is not None:
            self.dispatcher.rescan_all()
        self.changes.publish(change)

    def _restored(self, change: Change) -> None:
        """Publish that an environment was restored, so that the tracker discards outdated state."""
        self.timer.look_again()
        if self.dispatcher is not None:
            self.dispatcher.wake()
        self._users_changed(change)

    def _settled(self) -> None:
        self.settings.get_ready()
        self.expire()
