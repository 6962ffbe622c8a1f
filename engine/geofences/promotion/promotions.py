"""Promotion of geofences in an open workspace: planned, and applied in one transaction."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from engine.domain.edits import EditSource, editing_as
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geofence import Geofence
from engine.domain.geometry import Polygon
from engine.domain.imports import Key
from engine.domain.ports import Clock, Progress, no_progress, reporting
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.snapshots import GeofenceSeed
from engine.domain.values import replace
from engine.domain.words import count, counts_of_rings
from engine.geo.rings import check_ring
from engine.geofences.catalog import Catalog
from engine.geofences.changes import Finders, created, expired
from engine.geofences.geofences import Decided, Geofences
from engine.geofences.promotion.differences import (
    ChangeSet,
    Difference,
    Kind,
    differences,
    fields_between,
)

_REPORT_EVERY: Final = 500


class PromotionQuery(Struct, frozen=True, kw_only=True):
    """A query for a promotion from one environment to another.

    `only` limits it to keys (as tag/external ID) and tags. With `delete_missing`, geofences that the source does not
    have are deleted from the target, otherwise they are kept.
    """

    source: Environment = Environment.TEST
    target: Environment = Environment.LIVE
    only: tuple[str, ...] = ()
    delete_missing: bool = False


class Plan(Struct, frozen=True):
    """The changes of a promotion.

    `missing` are the geofences that are only in the target and are kept, `same` is the number of identical ones.
    `notes` are warnings.
    """

    changes: ChangeSet
    missing: tuple[Geofence, ...]
    same: int
    notes: tuple[str, ...] = ()


class Applied(Struct, frozen=True):
    """Numbers of created, changed and deleted geofences, and of geofences that were already as wanted."""

    created: int = 0
    changed: int = 0
    deleted: int = 0
    unchanged: int = 0


class SubmittedChange(Struct, frozen=True):
    """A change in a change set submitted by a client, not validated yet."""

    key: Key
    wanted: GeofenceSeed | None
    seen: GeofenceSeed | None


class Promotions:
    """Promotes geofences. Its methods may be called from any thread but the writer's."""

    def __init__(
        self,
        geofences: Geofences,
        catalogs: Mapping[Environment, Catalog],
        clocks: Mapping[Environment, Clock],
        make_id: Callable[[], str],
        finders: Finders,
        settings_of: Callable[[Environment], ProjectSettings],
    ) -> None:
        self._geofences = geofences
        self._catalogs = catalogs
        self._clocks = clocks
        self._make_id = make_id
        self._finders = finders
        self._settings_of = settings_of

    def plan(self, query: PromotionQuery) -> Plan:
        """Return the changes of a promotion.

        Raises `InvalidParameter` ``to`` if that is the source, and `NotFound` ``only`` for a key or tag that neither
        environment has.
        """
        if query.source is query.target:
            raise InvalidParameter("to", f"to: must be the other environment, not {query.target}, too.")
        check = self._geofences.stop.check
        source, target = (self._geofences.all(each, check) for each in (query.source, query.target))
        if query.only:
            _check_known(query.only, (*source, *target))
            wanted = frozenset(query.only)
            source, target = (tuple(each for each in some if _names(each) & wanted) for some in (source, target))
        found = differences(source, target, check)
        missing = found.of(Kind.MISSING)
        items = tuple(item for item in found.items if query.delete_missing or item.kind is not Kind.MISSING)
        made_at = self._clocks[Environment.LIVE].now()
        left = () if query.delete_missing else tuple(item.geofence for item in missing)
        changes = ChangeSet(query.source, query.target, made_at, items)
        return Plan(changes, left, found.same, self.notes(changes))

    def read(self, source: Environment, target: Environment, submitted: Sequence[SubmittedChange]) -> ChangeSet:
        """Return a change set submitted by a client; raises `InvalidParameter` naming the place in it."""
        items = []
        for number, change in enumerate(reporting(submitted, self._geofences.stop.check)):
            place = f"changes[{number}]"
            wanted = self._judged(change.wanted, change.key, f"{place}.geofence")
            items.append(Difference(change.key, wanted, self._judged(change.seen, change.key, f"{place}.seen")))
        return ChangeSet(source, target, self._clocks[Environment.LIVE].now(), tuple(items))

    def notes(self, changes: ChangeSet) -> tuple[str, ...]:
        """Return warnings about geofences that will differ in the target although their fields are the same."""
        now = self._clocks[changes.target].now()
        wanted = [item.wanted for item in changes.items if item.wanted is not None]
        target, notes = changes.target.value.capitalize(), list[str]()
        if expiring := sum(expired(geofence, now) is not geofence for geofence in wanted):
            who = count(expiring, "geofence")
            notes.append(f"{who} will expire at once: the time has passed by the clock of {target}.")
        before, after = (self._settings_of(each).operating_hours_rule for each in (changes.source, changes.target))
        if before is not after and (dependent := sum(map(_depends_on_rule, wanted))):
            who = count(dependent, "geofence")
            notes.append(f"{who} will have other hours: {target} uses the {after} rule of operating hours.")
        if beyond := len(not_portable(changes)):
            who = count(beyond, "geofence")
            notes.append(f"Not portable: {who} with holes or several parts; the platform only takes a single ring.")
        return tuple(notes)

    def apply(self, changes: ChangeSet, progress: Progress = no_progress, *, dry_run: bool = False) -> Applied:
        """Apply changes in one transaction, skipping geofences that are already as wanted.

        Raises `Conflict` if a geofence is no longer as it was seen; then nothing is changed.
        """
        total = len(changes.items)
        # Evaluated once before the edit, to find most errors without blocking devices.
        self.steps(changes, self._geofences.stop.heeded(progress))
        progress(total, total)

        def decide() -> Decided[Applied]:
            steps = self.steps(changes, self._geofences.stop.check)
            saved = tuple(after for _, after in steps if after is not None)
            removed = tuple(before for before, after in steps if after is None and before is not None)
            new = sum(before is None for before, _ in steps)
            applied = Applied(new, len(saved) - new, len(removed), total - len(steps))
            return Decided(lambda _: applied) if dry_run else Decided(lambda _: applied, saved, removed)

        # From here on, the operation must no longer be reported as cancelled.
        with editing_as(EditSource.PROMOTION, f"from {changes.source.value.capitalize()}"):
            return self._geofences.edit(changes.target, decide)

    def steps(
        self, changes: ChangeSet, progress: Progress = no_progress
    ) -> list[tuple[Geofence | None, Geofence | None]]:
        """Return the current and the wanted version of each geofence that is not yet as wanted.

        Raises `Conflict` if a geofence is no longer as it was seen.
        """
        steps, wrong = [], list[Conflict]()
        for number, item in enumerate(changes.items):
            if number % _REPORT_EVERY == 0:
                progress(number, len(changes.items))
            try:
                step = self._step(changes.target, item)
            except Conflict as error:
                wrong.append(error)
                continue
            if step is not None:
                steps.append(step)
        if wrong:
            raise _all_of(wrong)
        return steps

    def _step(self, target: Environment, item: Difference) -> tuple[Geofence | None, Geofence | None] | None:
        present = self._catalogs[target].find_by_key(*item.key)
        if _is_as(present, item.wanted):
            return None
        _check_seen(item, present, target)
        if item.wanted is None:
            return present, None
        return present, self._become(item.wanted, present, target)

    def _become(self, wanted: Geofence, present: Geofence | None, target: Environment) -> Geofence:
        """Return a geofence in the form in which the target stores it, replacing `present` if given."""
        now = self._clocks[target].now()
        geofence_id = self._make_id() if present is None else present.id
        return replace(
            wanted,
            id=geofence_id,
            environment=target,
            summary=replace(wanted.summary, id=geofence_id, extent=None),
            created_at=now if present is None else present.created_at,
            updated_at=now,
            revision=0 if present is None else present.revision,
        )

    def _judged(self, seed: GeofenceSeed | None, key: Key, place: str) -> Geofence | None:
        if seed is None:
            return None
        try:
            return self._made(seed, key)
        except InvalidParameter as error:
            name = f"{place}.{error.param}"
            raise InvalidParameter(name, f"{name}{error.message.removeprefix(error.param)}") from error

    def _made(self, seed: GeofenceSeed, key: Key) -> Geofence:
        finders = self._finders
        if (given := seed.ring) is not None:
            ring = check_ring(given).ring
            finders = replace(finders, trace=lambda *_: ring)
        made = created(seed.change, seed.environment, lambda: "", self._clocks[seed.environment].now(), finders)
        if (made.tag, made.external_id) != key:
            raise InvalidParameter("tag", f"tag: the geofence is {made.tag}/{made.external_id}, not {'/'.join(key)}.")
        # The target's clock determines whether a time to disable it has passed.
        return replace(made, enabled=seed.change.enabled is not False)


def not_portable(changes: ChangeSet) -> dict[Key, str]:
    """Return the geofences that the platform would not take as they are, with what it does not have."""
    wanted = {item.key: item.wanted.geometry for item in changes.items if item.wanted is not None}
    return {
        key: " and ".join(counts_of_rings(geometry))
        for key, geometry in wanted.items()
        if isinstance(geometry, Polygon) and not geometry.is_single_ring
    }


def _depends_on_rule(geofence: Geofence) -> bool:
    hours = geofence.rules.operating_hours
    return hours is not None and hours.differs_by_rule


def _names(geofence: Geofence) -> frozenset[str]:
    return frozenset({geofence.tag, f"{geofence.tag}/{geofence.external_id}"})


def _check_known(only: Iterable[str], geofences: Iterable[Geofence]) -> None:
    known = {name for geofence in geofences for name in _names(geofence)}
    for name in only:
        if name not in known:
            raise NotFound("only", f"only: neither environment has the geofence or tag {name[:120]!r}.")


def _is_as(present: Geofence | None, wanted: Geofence | None) -> bool:
    if present is None or wanted is None:
        return present is wanted
    return next(fields_between(present, wanted), None) is None


def _check_seen(item: Difference, present: Geofence | None, target: Environment) -> None:
    name, environment_name = "/".join(item.key), target.value.capitalize()
    if item.seen is None and present is not None:
        raise Conflict(
            "changes", f"{name} was created in {environment_name} since the change set was made. Nothing was changed."
        )
    if item.seen is not None and present is None:
        raise Conflict(
            "changes", f"{name} was deleted from {environment_name} since the change set was made. Nothing was changed."
        )
    if item.seen is not None and present is not None:
        for field in fields_between(item.seen, present):
            raise FieldChanged(field.name, name, environment_name)


class FieldChanged(Conflict):
    """A field has changed since a change set was made."""

    def __init__(self, field: str, name: str, environment_name: str) -> None:
        super().__init__(
            field,
            f"{field}: has changed in {environment_name} for {name} since the change set was made. "
            "Nothing was changed.",
        )


def _all_of(wrong: Sequence[Conflict]) -> Conflict:
    """Return the first conflict, with the number of further ones in its message."""
    first = wrong[0]
    if len(wrong) > 1:
        others = count(len(wrong) - 1, "other geofence")
        first.message += f" {others} changed there, too."
    return first
