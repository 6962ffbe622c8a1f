"""The engine: opens a workspace, wires the rooms, publishes what changed."""

import gc
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, Self

from engine.areas.library import AreaLibrary
from engine.domain.address import Address, Geocoder, IpAddress, Regions, TimeZone
from engine.domain.clock import AdjustableClock, ClockChange, ClockState
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.explaining import Cleared, ExplainedUpdate, ReplayQuery, ReplayReport, UpdateQuery
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Point
from engine.domain.imports import ImportReport
from engine.domain.place import PlaceFinder
from engine.domain.ports import Clock, Progress, SystemClock, no_progress
from engine.domain.queries import (
    Change,
    Context,
    Counts,
    EventQuery,
    GeofenceQuery,
    NearbyGeofence,
    NearbyQuery,
    NearbyUserQuery,
    Page,
    UserQuery,
)
from engine.domain.routing import Router
from engine.domain.settings import ProjectSettings, SettingsChange, changed_settings
from engine.domain.tracking import Conversion, Event, LocationUpdate, TrackResult, User, Verification
from engine.domain.validation import AddressQuery, ValidatedAddress
from engine.geocoders import Geocoders
from engine.geofences.catalog import Catalog
from engine.geofences.changes import Finders
from engine.geofences.editor import Edited, GeofenceEditor
from engine.geofences.expiry import ExpiryTimer, real_seconds
from engine.geofences.isochrones import IsochroneTracer
from engine.geofences.locating import Locator
from engine.geofences.shelf import load_shelves
from engine.routers import Routers
from engine.store import queries
from engine.store.backup import save_copy
from engine.store.database import Database
from engine.store.ids import IdMaker
from engine.store.updates import last_revision
from engine.store.workspace import Workspace, open_workspace
from engine.store.writer import Connection, Done, Writer, settle
from engine.tracking.context import place_at, regions_at
from engine.tracking.explaining import Explainer
from engine.tracking.nearby import nearby_users, rings_around
from engine.tracking.records import Records
from engine.tracking.segments import segments_of
from engine.tracking.settings import SettingsBook
from engine.tracking.surroundings import Surroundings
from engine.tracking.tracker import Ground, Tracker
from engine.tracking.whereabouts import visible

log = logging.getLogger(__name__)

_EXPLAIN_TRIES = 5

type Listener = Callable[[Change], None]


class Engine:
    """Everything the faces need, over one open workspace.

    Methods block until their result is stored or read, and may be called from any thread; `submit_tracks` does not
    block. What they raise is a `FencewrightError`.
    """

    def __init__(
        self,
        workspace: Workspace,
        clock: Clock,
        frozen_at: datetime | None,
        areas: Sequence[str] = (),
        router_url: str | None = None,
        geocoder_url: str | None = None,
    ) -> None:
        """For `open`."""
        self.workspace = workspace
        self.areas = AreaLibrary(workspace.folder, changed=self._areas_changed)
        if areas:
            self.areas.limit_to(areas)
        self._routers = Routers(self.areas.in_use, router_url)
        self._geocoders = Geocoders(self.areas.in_use, geocoder_url, workspace=workspace.folder)
        self._around = Surroundings(lambda: self.places, self.regions_at)
        self.test_clock = AdjustableClock(clock)
        if frozen_at is not None:
            self.test_clock.change(ClockChange(now=frozen_at, frozen=True))
        self._clocks: dict[Environment, Clock] = {Environment.TEST: self.test_clock, Environment.LIVE: clock}
        self._listeners: tuple[Listener, ...] = ()
        self._listeners_lock = Lock()
        self._database = Database(workspace.database_file)
        self._make_id = IdMaker(clock)
        self._catalogs = self._load()
        self._books = {env: self._database.read(partial(SettingsBook, env)) for env in Environment}
        grounds = {
            env: Ground(self._clocks[env], self._catalogs[env], self._books[env], self._around) for env in Environment
        }
        self._tracker = Tracker(self._make_id, grounds)
        self._writer = Writer(self._database, committed=self._committed, rolled_back=self._tracker.forget)
        self._locator = Locator(lambda: self.geocoder, lambda: self.places)
        finders = Finders(IsochroneTracer(lambda: self._routers.current), self._locator)
        self._editors = {
            env: GeofenceEditor(catalog, self._writer, self._clocks[env], self._make_id, self._edited, finders)
            for env, catalog in self._catalogs.items()
        }
        self._records = Records(self._database, self._writer, self._make_id, self._clocks)
        self._timer = ExpiryTimer(self._until_expiry_s, self._expire)
        self.test_clock.on_change(self._timer.look_again)
        self._get_ready()

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
    ) -> Self:
        """Open or create the workspace in `folder`; ":memory:" opens a temporary one.

        `frozen_at` is where the clock of Test stands from the beginning, before anything expires by it. `areas` are
        the names of those to use, else those that the workspace remembers. `router_url` is a Valhalla server to route
        on instead, `geocoder_url` one that is asked for addresses first (``photon+http://…``, ``nominatim+…`` or
        ``pelias+…``).
        Raises `WorkspaceBusy` when another process has it open, `WorkspaceError` when it cannot be used, `NotFound`
        for an area.
        """
        workspace = open_workspace(folder)
        try:
            return cls(workspace, clock or SystemClock(), frozen_at, areas, router_url, geocoder_url)
        except BaseException:
            workspace.close()
            raise

    def close(self) -> None:
        """Store what was asked for, end all background work and release the workspace."""
        self.areas.close()
        self._timer.close()
        # What is still to be stored may need ways and places, and would open them again.
        self._writer.close()
        self._routers.close()
        self._geocoders.close()
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

    # Settings

    def settings(self, environment: Environment) -> ProjectSettings:
        """Return the settings in force, from memory."""
        return self._books[environment].settings

    def change_settings(self, environment: Environment, change: SettingsChange) -> ProjectSettings:
        """Store a change of the settings and return them; raises `InvalidParameter` naming the setting."""

        def changed(settings: ProjectSettings) -> None:
            self._publish(Change(environment, settings=settings))

        self._check_place_chains(environment, change)
        settings = self._books[environment].change(change, self._writer, self._clocks[environment], changed)
        self._get_ready()
        return settings

    def _check_place_chains(self, environment: Environment, change: SettingsChange) -> None:
        """Raise for a chain that nobody knows, unless it was one of the settings before: its area may be gone."""
        before = self.settings(environment)
        after = changed_settings(before, change)
        if new := frozenset(after.place_chains) - frozenset(before.place_chains):
            self._geocoders.places.check_chains(new, after.chains, "placeChains")

    # Explanations

    def explain(self, environment: Environment, query: UpdateQuery) -> ExplainedUpdate:
        """Return what a kept update meant for each geofence near, and why, as everything was then.

        Raises `NotFound` naming ``device`` or ``at``.
        """
        return self._explaining(environment, lambda explainer: explainer.explain(query))

    def replay(self, environment: Environment, query: ReplayQuery, progress: Progress = no_progress) -> ReplayReport:
        """Run a device's kept updates again under other settings or geofences and return what would differ.

        Changes nothing. Raises `NotFound` naming ``device``, `InvalidParameter` naming a setting.
        """
        return self._explaining(environment, lambda explainer: explainer.replay(query, progress))

    def _explaining[T](self, environment: Environment, ask: Callable[[Explainer], T]) -> T:
        catalog = self._catalogs[environment]

        def answer(connection: Connection) -> T:
            return ask(Explainer(environment, catalog.index, connection, self._around))

        for _ in range(_EXPLAIN_TRIES):
            revision = catalog.revision
            explained = self._database.read(answer)
            if catalog.revision == revision:
                break
            # Somebody edited a geofence between reading what was and what is: look again.
        return explained

    # Users and events

    def users(self, environment: Environment, query: UserQuery) -> Page[User]:
        """Return users by update time, newest first."""
        page = self._database.read(lambda connection: queries.user_page(connection, environment, query))
        return self._page_as_seen(environment, page)

    def events(self, environment: Environment, query: EventQuery) -> Page[Event]:
        """Return events by time, newest first."""
        return self._database.read(lambda connection: queries.event_page(connection, environment, query))

    def user(self, environment: Environment, key: str) -> User:
        """Return the user with this _id, else this user ID, else on this device (the last one); raises `NotFound`."""
        return self._as_seen(environment, self._records.user(environment, key))

    def nearby_users(self, environment: Environment, query: NearbyUserQuery) -> tuple[User, ...]:
        """Return users by distance, nearest first; raises `InvalidParameter` ``near`` where no way is known."""
        rings = None if query.mode is None else rings_around(self.router, query)
        found = self._database.read(lambda connection: nearby_users(connection, environment, query, rings))
        return tuple(self._as_seen(environment, user) for user in found)

    def users_in_geofence(self, environment: Environment, geofence_id: str, query: UserQuery) -> Page[User]:
        """Return the users in a geofence by update time, newest first; raises `NotFound`."""
        geofence = self.geofence(environment, geofence_id)
        page = self._database.read(
            lambda connection: queries.users_in_geofence(connection, environment, geofence.id, query)
        )
        return self._page_as_seen(environment, page)

    def delete_user(self, environment: Environment, key: str) -> User:
        """Delete a user with their stays and kept updates, and return what they were; their events stay."""
        return self._records.delete_user(environment, key, self._reread(environment, users=True))

    def event(self, environment: Environment, event_id: str) -> Event:
        """Return an event; raises `NotFound`."""
        return self._records.event(environment, event_id)

    def delete_event(self, environment: Environment, event_id: str) -> Event:
        """Delete an event and return what it was; raises `NotFound`."""
        return self._records.delete_event(environment, event_id, self._reread(environment))

    def verify_event(
        self, environment: Environment, event_id: str, verification: Verification, place_id: str | None = None
    ) -> Event:
        """Note whether an event was right, and return it; raises `NotFound`."""
        return self._records.verify_event(environment, event_id, verification, place_id, self._reread(environment))

    def log_conversion(self, environment: Environment, conversion: Conversion) -> Event:
        """Store an event that a client reports itself, at the user's last place; raises `InvalidParameter`."""
        return self._records.log_conversion(environment, conversion, self._reread(environment))

    def context(self, environment: Environment, point: Point, accuracy_m: float = 0.0) -> Context:
        """Return what is at a position: the enabled geofences that hold it, by tag and external ID, place, regions."""
        found = [
            fence.item
            for fence in self._catalogs[environment].index.at(point.longitude, point.latitude)
            if fence.item.enabled and fence.shape.contains(point.longitude, point.latitude)
        ]
        settings, now = self.settings(environment), self._clocks[environment].now()
        return Context(
            tuple(sorted(found, key=lambda geofence: (geofence.tag, geofence.external_id))),
            place_at(self._around, point, accuracy_m, now, settings),
            regions_at(self._around, point, settings),
        )

    def clear_test_data(self, device_id: str | None = None, *, geofences: bool = False) -> Cleared:
        """Delete the users, events and kept updates of Test, or of one of its devices; geofences too if asked."""
        environment = Environment.TEST
        if geofences and device_id is not None:
            raise InvalidParameter("geofences", "geofences: are not of one device; clear all Test data for that.")
        cleared = self._records.clear(environment, device_id, self._reread(environment, users=True))
        return replace(cleared, geofences=self._editors[environment].delete_all()) if geofences else cleared

    def counts(self, environment: Environment) -> Counts:
        """Return how many records of each kind there are."""
        return self._database.read(lambda connection: queries.counts(connection, environment))

    # Ways

    @property
    def router(self) -> Router:
        """What finds ways now: over the areas in use, or the server given at opening."""
        return self._routers.current

    # Addresses

    @property
    def geocoder(self) -> Geocoder:
        """What finds addresses now: over the areas in use and the world pack, a server given at opening first."""
        return self._geocoders.geocoder

    @property
    def places(self) -> PlaceFinder:
        """What finds places in the areas in use."""
        return self._geocoders.places

    def regions_at(self, point: Point) -> Regions:
        """Return the country, state, market area and postal code that hold a position, as far as they are known."""
        return self._geocoders.regions.regions_at(point)

    def locate_ip(self, ip: str, environment: Environment | None = None) -> IpAddress:
        """Return where an IP address is; a private one is where the workspace's ``home.json`` says, else in its area.

        With an environment, `proxy` tells whether its settings count the address among the proxies. Raises
        `InvalidParameter` ``ip``.
        """
        proxies = None if environment is None else self.settings(environment).proxy_addresses
        return self._geocoders.ip.locate(ip, proxies)

    def validate_address(self, query: AddressQuery) -> ValidatedAddress:
        """Return how far a postal address of the US or Canada is known in the areas in use.

        Raises `InvalidParameter` naming what is missing or malformed.
        """
        return self._geocoders.validator.validate(query)

    def time_zone(self, point: Point, environment: Environment) -> TimeZone:
        """Return the time zone of a position at the moment that the environment's clock shows."""
        from engine.geocoding.time_zones import time_zone_at

        return time_zone_at(point, self._clocks[environment].now())

    def time_zone_of_country(self, country: Address, environment: Environment) -> TimeZone | None:
        """Return the time zone of somebody of whom only the country is known; None where it has several."""
        from engine.geocoding.time_zones import is_alike_everywhere

        now = self._clocks[environment].now()
        alike = is_alike_everywhere(country.country_code or "", now)
        return self.time_zone(country.point, environment) if alike else None

    def _get_ready(self) -> None:
        """Read what finding places and regions needs at first, where they are on: no device is to wait for it."""
        used = [book.settings for book in self._books.values()]
        self._around.get_ready(places=any(each.places for each in used), regions=any(each.regions for each in used))

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

    def _load(self) -> dict[Environment, Catalog]:
        def load(connection: Connection) -> dict[Environment, Catalog]:
            shelves = load_shelves(connection)
            return {env: Catalog(env, shelf, last_revision(connection, env)) for env, shelf in shelves.items()}

        with _without_collecting():
            return self._database.read(load)

    def _until_expiry_s(self) -> float | None:
        """Return in how many real seconds the next geofence expires; None for never."""
        waits = []
        for environment, catalog in self._catalogs.items():
            if (moment := catalog.next_expiry()) is not None:
                scale = self.test_clock.scale if environment is Environment.TEST else 1.0
                waits.append(real_seconds(moment, self._clocks[environment].now(), scale))
        return min((wait for wait in waits if wait is not None), default=None)

    def _expire(self) -> None:
        for environment, catalog in self._catalogs.items():
            if catalog.expired(self._clocks[environment].now()):
                self._editors[environment].expire()

    def _as_seen(self, environment: Environment, user: User) -> User:
        book = self._books[environment]
        settings = book.settings
        user = visible(user, settings, book.since)
        return replace(user, segments=segments_of(user, settings)) if settings.segments else user

    def _page_as_seen(self, environment: Environment, page: Page[User]) -> Page[User]:
        return Page(tuple(self._as_seen(environment, user) for user in page.items), page.has_more)

    def _reread(self, environment: Environment, *, users: bool = False) -> Callable[[], None]:
        """Return what makes everybody look again after events, or users, were changed past the tracker."""

        def reread() -> None:
            if users:
                self._tracker.forget()
            self._publish(Change(environment, reread=True))

        return reread

    def _edited(self, edited: Edited) -> None:
        if edited.ends_presences:
            self._tracker.forget()
        if any(geofence.expires_at is not None for geofence in edited.saved):
            self._timer.look_again()
        if not (edited.saved or edited.removed):
            return
        removed = tuple(geofence.id for geofence in edited.removed)
        self._publish(Change(edited.environment, geofences=edited.saved, removed_geofence_ids=removed))

    def _areas_changed(self) -> None:
        self._routers.look_again()
        self._geocoders.look_again()
        self._locator.forget()
        self._around.forget()
        self._get_ready()
        for environment in Environment:
            self._publish(Change(environment, areas=True))

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
