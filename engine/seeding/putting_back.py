"""Replacing the contents of an environment: the differences to store and delete, and their storing.

Small differences in geofences and beacons are one transaction. Large ones are staged in portions while other clients
are served, and published by the transaction that stores the rest.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct

from engine.beacons.catalog import BeaconCatalog
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.tracking.beacon import Beacon
from engine.domain.tracking.snapshots import Contents
from engine.domain.values import replace
from engine.geofences.catalog import Catalog
from engine.store.backup import put_records
from engine.store.beacons import beacon_row
from engine.store.records.geofence_rows import geofence_row
from engine.store.staging.records import BEACONS, GEOFENCES
from engine.store.staging.turns import EditTurns, is_large, write_in_portions
from engine.store.writer import Connection, Writer, without_collecting


class Planned(Struct, frozen=True):
    """The differences between the current and the wanted contents of an environment.

    The `contents` include the geofences as they will be stored; those that differ are also in `fences`.
    """

    environment: Environment
    contents: Contents
    revision: int
    fences: tuple[Geofence, ...]
    removed_fences: tuple[Geofence, ...]
    beacons: tuple[Beacon, ...]
    removed_beacons: tuple[Beacon, ...]

    @property
    def is_large(self) -> bool:
        """Whether the differences must be stored in portions."""
        return is_large(sum(map(len, (self.fences, self.removed_fences, self.beacons, self.removed_beacons))))


def planned(environment: Environment, contents: Contents, catalog: Catalog, beacons: BeaconCatalog) -> Planned:
    """Return the differences; unchanged geofences and beacons are left as they are."""
    revision, wanted = catalog.revision + 1, {each.id for each in contents.geofences}
    changed = (each for each in contents.geofences if catalog.find(each.id) is not each)
    numbered = {each.id: replace(each, revision=revision) for each in changed}
    kept = {each.id for each in contents.beacons}
    return Planned(
        environment,
        replace(contents, geofences=tuple(numbered.get(each.id, each) for each in contents.geofences)),
        revision,
        tuple(numbered.values()),
        tuple(each for each in catalog.all() if each.id not in wanted),
        tuple(each for each in contents.beacons if beacons.find(each.id) is not each),
        tuple(each for each in beacons.all() if each.id not in kept),
    )


class Storing(Struct, frozen=True):
    """The steps of applying differences: in the writer's transaction, and then in its thread."""

    plan: Planned
    publish: Callable[[Connection], None]
    show: Callable[[], None]


class RecordsPutBack:
    """Applies differences while holding the turns of geofences and beacons."""

    def __init__(
        self,
        writer: Writer,
        turns: tuple[EditTurns, EditTurns],
        catalogs: Mapping[Environment, Catalog],
        beacons: Mapping[Environment, BeaconCatalog],
    ) -> None:
        """Create the service with the `turns` of geofences and of beacons."""
        self._writer = writer
        self._turns = turns
        self._catalogs = catalogs
        self._beacons = beacons

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Prevent other edits of geofences and beacons while the block runs."""
        of_geofences, of_beacons = self._turns
        with of_geofences.turn(), of_beacons.turn():
            yield

    def planned(self, environment: Environment, contents: Contents) -> Planned:
        """Return the differences between an environment and the wanted contents; requires the turn."""
        return planned(environment, contents, self._catalogs[environment], self._beacons[environment])

    @contextmanager
    def storing(self, plan: Planned) -> Iterator[Storing]:
        """Start storing differences, which are dropped unless they are published by the end of the block."""
        if not plan.is_large:
            yield self.at_once(plan)
            return
        of_geofences, of_beacons = self._turns
        begin_fences = of_geofences.portions(lambda each: GEOFENCES.begin(each, plan.environment, plan.revision))
        with (
            without_collecting(),
            begin_fences,
            of_beacons.portions(lambda each: BEACONS.begin(each, plan.environment)),
        ):
            self._stage(plan)
            yield self._staged(plan)

    def at_once(self, plan: Planned) -> Storing:
        """Return the steps of storing differences in one transaction."""

        def show() -> None:
            self._catalogs[plan.environment].apply(plan.fences, plan.removed_fences, plan.revision)
            self._beacons[plan.environment].apply(plan.beacons, plan.removed_beacons)

        return Storing(
            plan,
            lambda connection: put_records(
                connection, plan.fences, plan.removed_fences, beacons=plan.beacons, removed_beacons=plan.removed_beacons
            ),
            show,
        )

    def _stage(self, plan: Planned) -> None:
        write_in_portions(self._writer, GEOFENCES.put_removals, (each.id for each in plan.removed_fences))
        write_in_portions(self._writer, GEOFENCES.put, map(geofence_row, plan.fences))
        write_in_portions(self._writer, BEACONS.put_removals, (each.id for each in plan.removed_beacons))
        write_in_portions(self._writer, BEACONS.put, map(beacon_row, plan.beacons))

    def _staged(self, plan: Planned) -> Storing:
        catalog, beacons = self._catalogs[plan.environment], self._beacons[plan.environment]
        check = self._writer.stop.check
        replaced = [each for each in map(catalog.find, (fence.id for fence in plan.fences)) if each is not None]
        fences_after = catalog.prepared(plan.fences, plan.removed_fences, replaced, plan.revision, check)
        beacons_after = beacons.prepared(plan.beacons, plan.removed_beacons, check)

        def publish(connection: Connection) -> None:
            # This also ends the stays of all users.
            GEOFENCES.publish(connection)
            BEACONS.publish(connection)

        def show() -> None:
            catalog.become(fences_after)
            beacons.become(beacons_after)

        return Storing(plan, publish, show)
