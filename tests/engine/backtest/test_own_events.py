"""The kept updates of a workspace, decided again with the geofences of their time, cause the events that it stored."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.backtest.deciding import Decider
from engine.backtest.fences import FenceSet, Versions
from engine.backtest.fixes import fixes_of, revisions_of
from engine.backtest.reading.kept import kept_batches
from engine.backtest.tallies import EventLog, Tallies
from engine.domain.geofence import GeofenceChange
from engine.domain.settings import SettingsChange
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.history.kept import earlier_states
from engine.store.history.versions import geofence_history, settings_history
from tests.engine.backtest.cases import (
    ACROSS,
    ENVIRONMENT,
    LINE,
    Fence,
    Report,
    Row,
    change_of,
    events_of_engine,
    fences,
    journeys,
    rows_in_log,
    settings_changes,
    stored,
    timed,
)
from tests.engine.fixtures import HOME, SetClock
from tests.engine.tracking.histories import START


@dataclasses.dataclass(frozen=True)
class Edit:
    """An edit of a geofence, or of the settings, after some updates."""

    after: int
    kind: str
    number: int
    fence: Fence
    change: SettingsChange


edits = st.builds(
    Edit,
    after=st.integers(0, 30),
    kind=st.sampled_from(["create", "move", "disable", "enable", "delete", "settings"]),
    number=st.integers(0, 4),
    fence=fences(),
    change=settings_changes,
)


def apply(engine: Engine, edit: Edit) -> None:
    """Do an edit, if there is such a geofence."""
    known = {each.external_id: each for each in engine.geofences.all(ENVIRONMENT)}
    geofence = known.get(str(edit.number))
    if edit.kind == "settings":
        engine.settings.change(ENVIRONMENT, replace(edit.change, kept_updates=None))
    elif geofence is None:
        if edit.kind == "create":
            engine.geofences.create(ENVIRONMENT, change_of(edit.fence, edit.number))
    elif edit.kind == "move":
        engine.geofences.upsert(ENVIRONMENT, "t", geofence.external_id, change_of(edit.fence, edit.number))
    elif edit.kind == "delete":
        engine.geofences.delete(ENVIRONMENT, geofence.id)
    elif edit.kind in ("disable", "enable"):
        engine.geofences.update(ENVIRONMENT, geofence.id, GeofenceChange(enabled=edit.kind == "enable"))


def decided_again(engine: Engine) -> list[Row]:
    """Return the events of the kept updates."""
    database = sa.create_engine(f"sqlite:///{engine.workspace.database_file}")
    try:
        with database.connect() as connection:
            rows = pa.Table.from_batches(list(kept_batches(connection, ENVIRONMENT, batch_rows=7)))
            history = geofence_history(connection, ENVIRONMENT)
            projects = {each.number: each.settings for each in settings_history(connection, ENVIRONMENT)}
            first = earlier_states(connection, ENVIRONMENT)
    finally:
        database.dispose()
    wanted = FenceSet(name="", versions=history.versions, edited=history.moments)
    fixes = fixes_of(rows, projects)
    log = EventLog()
    decider = Decider(Versions(wanted), projects, log, Tallies())
    decider.begin_with(first)
    for _ in decider.run(replace(fixes, revision=revisions_of(fixes, wanted))):
        pass
    decider.finish()
    return rows_in_log(log)


def tracked(engine: Engine, clock: SetClock, journey: Sequence[Report], edited: Sequence[Edit]) -> list[list[Row]]:
    """Return the events that the engine stores for each update, with edits between them."""
    found = []
    for number, (report, at, arrived) in enumerate(timed(journey, received=True)):
        # The times of updates and events are stored in milliseconds.
        clock.moment = arrived.replace(microsecond=arrived.microsecond // 1_000 * 1_000)
        for edit in edited:
            if edit.after == number:
                apply(engine, edit)
        found.append(events_of_engine(engine, clock, [(report, at, clock.moment)]))
    return found


@settings(max_examples=15)
@given(st.lists(fences(), max_size=4), settings_changes, journeys(), st.lists(edits, max_size=8))
def test_geofences_as_they_were(
    wanted: list[Fence], change: SettingsChange, journey: list[Report], edited: list[Edit]
) -> None:
    clock = SetClock(START)
    with TemporaryDirectory() as folder, Engine.open(Path(folder) / "workspace", clock=clock) as engine:
        engine.settings.change(ENVIRONMENT, change)
        stored(engine, wanted)
        expected = [row for rows in tracked(engine, clock, journey, edited) for row in rows]
        assert sorted(decided_again(engine), key=str) == sorted(expected, key=str)


@settings(max_examples=15)
@given(st.lists(fences(), min_size=1, max_size=4), settings_changes, journeys(), st.lists(edits, max_size=4))
def test_presences_before_the_first_kept_update(
    wanted: list[Fence], change: SettingsChange, journey: list[Report], edited: list[Edit]
) -> None:
    """Only the last updates are kept, which are in order."""
    clock = SetClock(START)
    kept = max(1, len(journey) // 2)
    in_order = [dataclasses.replace(each, delay_s=0.0, again_s=None) for each in journey]
    with TemporaryDirectory() as folder, Engine.open(Path(folder) / "workspace", clock=clock) as engine:
        engine.settings.change(ENVIRONMENT, replace(change, kept_updates=kept))
        stored(engine, wanted)
        events = tracked(engine, clock, in_order, edited)
        rows = decided_again(engine)
    found = sorted(rows, key=str)
    possible = [
        sorted((row for some in events[-count:] for row in some), key=str) for count in range(kept, len(events) + 1)
    ]
    assert found in possible


def test_a_user_without_kept_updates() -> None:
    """A user who logs in on the device of another one does not take over its anonymous user."""
    clock = SetClock(START)
    outside = Report("phone", "bert", HOME, 1.0, 1.0, 0.0, stopped=False, foreground=False, ip=None)
    inside = dataclasses.replace(outside, user=None, point=LINE)
    journey = [outside, inside, dataclasses.replace(outside, user="anna")]
    with TemporaryDirectory() as folder, Engine.open(Path(folder) / "workspace", clock=clock) as engine:
        engine.settings.change(ENVIRONMENT, SettingsChange(kept_updates=2))
        stored(engine, [Fence(ACROSS, GeofenceChange())])
        _, *expected = tracked(engine, clock, journey, [])
        assert decided_again(engine) == [row for rows in expected for row in rows]
