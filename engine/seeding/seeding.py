"""The seed of an open workspace: loaded into an empty one, gone back to, and written as a snapshot."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from engine.beacons.catalog import BeaconCatalog
from engine.domain.clock import AdjustableClock, ClockChange
from engine.domain.edits import Author, EditSource
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, WorkspaceError
from engine.domain.geofence import Geofence
from engine.domain.ports import Clock
from engine.domain.queries import Change
from engine.domain.settings import DEFAULT_SETTINGS
from engine.domain.tracking.beacon import Beacon
from engine.domain.tracking.snapshots import ClockSeed, Contents, Seed, Snapshot
from engine.domain.values.dataclass import dataclass
from engine.geofences.catalog import Catalog
from engine.geofences.portions import EditTurns
from engine.seeding.judging import Judge
from engine.store.backup import forget_settings, put_back, read_contents, what_is_there
from engine.store.database import Database
from engine.store.geofences import keep_edit
from engine.store.settings import save_settings
from engine.store.workspace import Workspace
from engine.store.writer import Connection, Writer
from engine.tracking.settings import SettingsBook

EMPTY = Contents(DEFAULT_SETTINGS)


@dataclass(frozen=True, slots=True)
class SeedingParts:
    """Everything of an open workspace that a seed fills. Live goes by `system_clock`."""

    workspace: Workspace
    database: Database
    writer: Writer
    turns: EditTurns
    catalogs: Mapping[Environment, Catalog]
    beacons: Mapping[Environment, BeaconCatalog]
    books: Mapping[Environment, SettingsBook]
    test_clock: AdjustableClock
    system_clock: Clock


@dataclass(frozen=True, slots=True)
class _Stored:
    """Records that a transaction stored, still to be made visible in memory."""

    environment: Environment
    book: SettingsBook
    changed: tuple[Geofence, ...]
    gone: tuple[Geofence, ...]
    revision: int
    beacons_gone: tuple[Beacon, ...]


class Seeding:
    """Fills and empties. Methods may be called from any thread but the writer's, and block until it is stored."""

    def __init__(
        self,
        parts: SeedingParts,
        judge: Judge,
        frozen_at: datetime | None,
        restored: Callable[[Change], None],
        settled: Callable[[], None],
    ) -> None:
        """`frozen_at` is where the Test clock stands whatever a seed says.

        `restored` is told in the writer's thread what changed in an environment, `settled` afterwards in the caller's.
        """
        self._parts = parts
        self._judge = judge
        self._clock = None if frozen_at is None else ClockSeed(now=frozen_at, frozen=True)
        self._clock_is_given = frozen_at is not None
        self._restored = restored
        self._settled = settled
        # A temporary workspace began with nothing, which is a state to go back to; a folder holds somebody's work.
        self._test: Contents | None = EMPTY if parts.workspace.temporary else None
        self._loaded = False

    @property
    def loaded(self) -> bool:
        """Whether the workspace began with a seed."""
        return self._loaded

    def load(self, seed: Seed) -> None:
        """Fill the empty workspace in one transaction.

        Raises `WorkspaceError` when it is not empty, and `InvalidParameter` that names the place in the seed; then
        nothing is stored.
        """
        parts = self._parts
        self._check_empty()
        if not self._clock_is_given:
            self._clock = seed.clock
        self._set_clock()
        nows = {Environment.TEST: parts.test_clock.now(), Environment.LIVE: parts.system_clock.now()}
        contents = self._judge.contents(seed, nows)
        self._use_keys(seed)

        def work(connection: Connection) -> list[_Stored]:
            return [self._put_back(connection, environment, contents[environment]) for environment in Environment]

        def then(all_stored: list[_Stored]) -> None:
            for stored in all_stored:
                self._take(stored, contents[stored.environment])

        with parts.turns.turn():
            parts.writer.run(work, then, long=True)
        self._loaded = True
        self._settled()

    def reset(self) -> Contents:
        """Let Test be as the seed made it, its clock included, and return that; Live stays as it is.

        Raises `Conflict` ``seed`` for a folder that was opened without one.
        """
        if self._test is None:
            raise Conflict(
                "seed",
                "seed: there is nothing to reset to, because the server was started without --seed. Start it with "
                "--seed, or with --workspace :memory:.",
            )

        began_at = self._began_at()

        def work(connection: Connection) -> _Stored:
            assert self._test is not None
            return self._put_back(connection, Environment.TEST, _seen_again(self._test, began_at))

        def then(stored: _Stored) -> None:
            assert self._test is not None
            self._set_clock()
            self._take(stored, self._test)

        with self._parts.turns.turn():
            self._parts.writer.run(work, then, forgets=True, long=True)
        self._settled()
        return self._test

    def snapshot(self) -> Snapshot:
        """Return what the workspace holds, all of it as of one commit."""

        def read(connection: Connection) -> dict[Environment, Contents]:
            return {environment: read_contents(connection, environment) for environment in Environment}

        return Snapshot(self._parts.database.read_at_once(read), self._parts.test_clock.state())

    def _check_empty(self) -> None:
        there = self._parts.database.read_at_once(what_is_there)
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
        """Return where the Test clock begins when it is set."""
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

    def _put_back(self, connection: Connection, environment: Environment, contents: Contents) -> _Stored:
        """Store contents in place of whatever is there; geofences that nobody has touched stay as they are."""
        catalog, book = self._parts.catalogs[environment], self._parts.books[environment]
        revision = catalog.revision + 1
        wanted = {geofence.id: geofence for geofence in contents.geofences}
        changed = tuple(each for each in contents.geofences if catalog.find(each.id) is not each)
        gone = tuple(each for each in catalog.all() if each.id not in wanted)
        numbered = tuple(replace(geofence, revision=revision) for geofence in changed)
        put_back(
            connection,
            environment,
            contents.users,
            changed=numbered,
            gone=[each.id for each in gone],
            beacons=contents.beacons,
            kept_trips=contents.trips,
        )
        clock = self._parts.system_clock if environment.live else self._parts.test_clock
        keep_edit(connection, environment, revision, (), clock.now(), Author(EditSource.RESET))
        if contents.settings != book.settings:
            forget_settings(connection, environment)
            if contents.settings != DEFAULT_SETTINGS:
                now = self._parts.system_clock.now()
                save_settings(connection, environment, contents.settings, now)
        kept = {beacon.id for beacon in contents.beacons}
        beacons_gone = tuple(each for each in self._parts.beacons[environment].all() if each.id not in kept)
        return _Stored(environment, SettingsBook(environment, connection), numbered, gone, revision, beacons_gone)

    def _take(self, stored: _Stored, contents: Contents) -> None:
        """Make visible what was stored, in the writer's thread."""
        environment = stored.environment
        book = self._parts.books[environment]
        settings = book.settings
        self._parts.catalogs[environment].apply(stored.changed, stored.gone, stored.revision)
        self._parts.beacons[environment].apply(contents.beacons, stored.beacons_gone)
        book.become(stored.book)
        if environment is Environment.TEST:
            fresh = {geofence.id: geofence for geofence in stored.changed}
            geofences = tuple(fresh.get(each.id, each) for each in contents.geofences)
            self._test = replace(contents, geofences=geofences)
        self._restored(
            Change(
                environment,
                geofences=stored.changed,
                removed_geofence_ids=tuple(geofence.id for geofence in stored.gone),
                beacons=contents.beacons,
                removed_beacon_ids=tuple(beacon.id for beacon in stored.beacons_gone),
                settings=None if settings == book.settings else book.settings,
                reread=True,
            )
        )


def _seen_again(contents: Contents, now: datetime) -> Contents:
    """Return contents whose trips expire as late as when they were new."""
    return replace(contents, trips=tuple(replace(trip, seen_at=now) for trip in contents.trips))
