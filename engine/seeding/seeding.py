"""The seed of an open workspace: loading it into an empty one, resetting to it, and writing a snapshot."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from engine.beacons.catalog import BeaconCatalog
from engine.delivery.outbox import WebhookBook
from engine.domain.clock import AdjustableClock, ClockChange
from engine.domain.edits import Author, EditSource
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, WorkspaceError
from engine.domain.ports import Clock
from engine.domain.queries import Change
from engine.domain.settings import DEFAULT_SETTINGS
from engine.domain.tracking.snapshots import ClockSeed, Contents, Seed, Snapshot
from engine.domain.values import replace
from engine.geofences.catalog import Catalog
from engine.seeding.judging import Judge
from engine.seeding.putting_back import Planned, RecordsPutBack, Storing
from engine.store.backup import forget_settings, put_back, read_contents, record_counts
from engine.store.database import Database
from engine.store.delivery.webhooks import replace_webhooks
from engine.store.geofences import keep_edit
from engine.store.settings import save_settings
from engine.store.staging.turns import EditTurns
from engine.store.workspace import Workspace
from engine.store.writer import Connection, Writer
from engine.tracking.settings import SettingsBook

EMPTY = Contents(DEFAULT_SETTINGS)


class SeedingParts(Struct, frozen=True):
    """The parts of an open workspace that a seed fills.

    `turns` are those of geofences and of beacons; Live uses `system_clock`.
    """

    workspace: Workspace
    database: Database
    writer: Writer
    turns: tuple[EditTurns, EditTurns]
    catalogs: Mapping[Environment, Catalog]
    beacons: Mapping[Environment, BeaconCatalog]
    books: Mapping[Environment, SettingsBook]
    webhooks: WebhookBook
    test_clock: AdjustableClock
    system_clock: Clock


class Seeding:
    """Loads and resets. Methods may be called from any thread but the writer's, and block until the data is stored."""

    def __init__(
        self,
        parts: SeedingParts,
        judge: Judge,
        frozen_at: datetime | None,
        restored: Callable[[Change], None],
        settled: Callable[[], None],
    ) -> None:
        """Create the service.

        `frozen_at` is the time at which the Test clock stands still, regardless of any seed. `restored` receives the
        change of an environment in the writer's thread, `settled` is called afterwards in the caller's.
        """
        self._parts = parts
        self._records = RecordsPutBack(parts.writer, parts.turns, parts.catalogs, parts.beacons)
        self._judge = judge
        self._clock = None if frozen_at is None else ClockSeed(now=frozen_at, frozen=True)
        self._clock_is_given = frozen_at is not None
        self._restored = restored
        self._settled = settled
        # A temporary workspace can be reset to its empty state; a folder contains the user's work.
        self._test: Contents | None = EMPTY if parts.workspace.temporary else None

    def load(self, seed: Seed) -> None:
        """Fill the empty workspace in one transaction.

        Raises `WorkspaceError` if it is not empty, and `InvalidParameter` naming the place in the seed; then nothing is
        stored.
        """
        parts = self._parts
        self._check_empty(seed)
        if not self._clock_is_given:
            self._clock = seed.clock
        self._set_clock()
        nows = {Environment.TEST: parts.test_clock.now(), Environment.LIVE: parts.system_clock.now()}
        contents = self._judge.contents(seed, nows)
        self._use_keys(seed)

        with self._records.turn():
            plans = [self._records.planned(environment, contents[environment]) for environment in Environment]
            self._commit([self._records.at_once(plan) for plan in plans])
        self._settled()

    def reset(self) -> Contents:
        """Reset Test, including its clock, to the seed and return its contents; Live is not changed.

        Raises `Conflict` ``seed`` for a folder that was opened without one.
        """
        if self._test is None:
            raise Conflict(
                "seed",
                "seed: there is nothing to reset to, because the server was started without --seed. Start it with "
                "--seed, or with --workspace :memory:.",
            )

        with self._records.turn():
            plan = self._records.planned(Environment.TEST, self._test)
            with self._records.storing(plan) as stored:
                self._commit([stored], self._began_at())
        self._settled()
        return self._test

    def snapshot(self) -> Snapshot:
        """Return the contents of the workspace, all as of one commit."""

        def read(connection: Connection) -> dict[Environment, Contents]:
            return {environment: read_contents(connection, environment) for environment in Environment}

        return Snapshot(self._parts.database.read_at_once(read), self._parts.test_clock.state())

    def _check_empty(self, seed: Seed) -> None:
        there = self._parts.database.read_at_once(record_counts)
        if seed.webhooks is None:
            there.pop("webhook", None)  # they are kept
        if there:
            counts = ", ".join(f"{count:,} {kind}{'s' * (count != 1)}" for kind, count in there.items())
            raise WorkspaceError(
                f"A seed needs an empty workspace, and {self._parts.workspace.folder} contains data ({counts}). "
                "Choose a "
                "new folder or :memory:, or start without --seed."
            )

    def _use_keys(self, seed: Seed) -> None:
        try:
            self._parts.workspace.keys.use({(Environment.TEST, level): key for level, key in seed.keys.items()})
        except InvalidParameter as error:
            raise InvalidParameter(f"keys.test.{error.param}", f"keys.test.{error.message}") from error

    def _began_at(self) -> datetime:
        """Return the initial time of the Test clock."""
        given = None if self._clock is None else self._clock.now
        return given or self._parts.system_clock.now()

    def _set_clock(self) -> None:
        clock = self._clock
        if clock is None:
            self._parts.test_clock.change(ClockChange(system=True))
            return
        try:
            self._parts.test_clock.change(ClockChange(now=self._began_at(), frozen=clock.frozen, scale=clock.scale))
        except InvalidParameter as error:
            raise InvalidParameter(f"clock.{error.param}", f"clock.{error.message}") from error

    def _commit(self, stored: Sequence[Storing], reset_at: datetime | None = None) -> None:
        """Store all remaining contents of environments and make them visible; `reset_at` is the time of a reset."""

        def work(connection: Connection) -> list[SettingsBook]:
            return [self._put_back(connection, each, reset_at) for each in stored]

        def then(books: list[SettingsBook]) -> None:
            if reset_at is not None:
                self._set_clock()
            for each, book in zip(stored, books, strict=True):
                each.show()
                self._take(each.plan, book)

        self._parts.writer.run(work, then, forgets=reset_at is not None, long=True)

    def _put_back(self, connection: Connection, stored: Storing, reset_at: datetime | None) -> SettingsBook:
        """Store contents in place of the current ones."""
        plan, contents, environment = stored.plan, stored.plan.contents, stored.plan.environment
        stored.publish(connection)
        # The trips of a seed expire as late as when they were new.
        trips = contents.trips if reset_at is None else [replace(trip, seen_at=reset_at) for trip in contents.trips]
        put_back(connection, environment, contents.users, kept_trips=trips)
        if contents.webhooks is not None:
            replace_webhooks(connection, environment, contents.webhooks)
        clock = self._parts.system_clock if environment.live else self._parts.test_clock
        keep_edit(connection, environment, plan.revision, (), clock.now(), Author(EditSource.RESET))
        if contents.settings != self._parts.books[environment].settings:
            forget_settings(connection, environment)
            save_settings(connection, environment, contents.settings, self._parts.system_clock.now())
        return SettingsBook(environment, connection)

    def _take(self, plan: Planned, stored: SettingsBook) -> None:
        """Make the remaining stored contents visible, in the writer's thread."""
        book = self._parts.books[plan.environment]
        settings = book.settings
        book.become(stored)
        if plan.contents.webhooks is not None:
            self._parts.webhooks.become(plan.environment, plan.contents.webhooks)
        if plan.environment is Environment.TEST:
            self._test = plan.contents
        self._restored(
            Change(
                plan.environment,
                geofences=plan.fences,
                removed_geofence_ids=tuple(geofence.id for geofence in plan.removed_fences),
                beacons=plan.beacons,
                removed_beacon_ids=tuple(beacon.id for beacon in plan.removed_beacons),
                settings=None if settings == book.settings else book.settings,
                webhooks=plan.contents.webhooks is not None,
                reread=True,
            )
        )
