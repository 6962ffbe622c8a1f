"""Users and events apart from tracking: found, removed, verified, reported by clients, cleared."""

import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

import pytest
import sqlalchemy as sa

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound
from engine.domain.geofence import UNSET, GeofenceChange
from engine.domain.geometry import Point
from engine.domain.queries import Change, EventFilter, EventQuery, UserFilter, UserQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking.explaining import Cleared, ReplayQuery, UpdateQuery
from engine.domain.tracking.updates import Conversion, Event, Verification
from engine.domain.values import replace
from engine.engine import Engine
from engine.geo.shapes import extent_of, shape_of
from engine.store.queries import event_run
from engine.store.tables import events
from tests.engine.fixtures import HOME, NOON, SetClock, circle, update

TEST, LIVE = Environment.TEST, Environment.LIVE


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def engine(clock: SetClock) -> Iterator[Engine]:
    with Engine.open(":memory:", clock=clock) as opened:
        yield opened


def test_a_user_is_found_by_id_then_user_id_then_device_id(engine: Engine, clock: SetClock) -> None:
    ann = engine.tracking.track(TEST, update(user_id="ann")).user
    clock.advance(1)
    ben = engine.tracking.track(TEST, update(user_id="ben")).user
    clock.advance(1)
    odd = engine.tracking.track(TEST, update(device_id="tablet", user_id="phone")).user
    assert [engine.users.get(TEST, key).id for key in (ann.id, "ann", "ben", "tablet")] == [
        ann.id,
        ann.id,
        ben.id,
        odd.id,
    ]
    assert engine.users.get(TEST, "phone").id == odd.id, "a user ID counts before a device ID"
    engine.users.delete(TEST, odd.id)
    assert engine.users.get(TEST, "phone").id == ben.id, "the device's last record"
    with pytest.raises(NotFound):
        engine.users.get(LIVE, "ann")


def test_a_deleted_user_is_removed_with_their_stays_and_begins_again(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    user = engine.tracking.track(TEST, update()).user
    assert engine.users.delete(TEST, "phone").id == user.id
    with pytest.raises(NotFound):
        engine.users.get(TEST, "phone")
    with pytest.raises(NotFound):
        engine.tracking.explain(TEST, UpdateQuery(device_id="phone"))
    again = engine.tracking.track(TEST, update())
    assert (again.user.id != user.id, [event.type for event in again.events]) == (True, ["user.entered_geofence"])
    assert len(engine.history.page(TEST, EventQuery()).items) == 2, "events stay"


@pytest.mark.parametrize("at", [None, NOON, NOON - timedelta(seconds=90)])
def test_a_user_is_read_as_the_update_answered(engine: Engine, at: datetime | None) -> None:
    user = engine.tracking.track(TEST, update(at=at)).user
    assert (user.updated_at, user.actual_updated_at) == ((NOON, None) if at is None else (at, NOON))
    assert engine.users.get(TEST, "phone") == user


def test_users_in_a_geofence(engine: Engine, clock: SetClock) -> None:
    fence = engine.geofences.create(TEST, circle())
    for device in ("a", "b", "c"):
        engine.tracking.track(TEST, update(0 if device != "b" else 500, device_id=device))
        clock.advance(1)
    page = engine.users.in_geofence(TEST, fence.id, UserQuery(limit=1))
    assert ([user.device_id for user in page.items], page.has_more) == (["c"], True)
    page = engine.users.in_geofence(TEST, fence.id, UserQuery())
    assert ([user.device_id for user in page.items], page.has_more) == (["c", "a"], False)
    extent = extent_of(fence.geometry, shape_of(fence.geometry))
    assert page.items[0].geofences == (replace(fence.summary, extent=extent),)
    with pytest.raises(NotFound):
        engine.users.in_geofence(LIVE, fence.id, UserQuery())


def test_events_are_read_verified_and_deleted(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    (event,) = engine.tracking.track(TEST, update()).events
    assert engine.history.get(TEST, event.id) == event
    verified = engine.history.verify(TEST, event.id, Verification.REJECTED, "place1")
    assert (verified.verification, verified.verified_place_id) == (Verification.REJECTED, "place1")
    assert engine.history.verify(TEST, event.id, Verification.ACCEPTED).verified_place_id == "place1"
    assert engine.history.get(TEST, event.id).verification is Verification.ACCEPTED
    assert engine.history.delete(TEST, event.id).id == event.id
    for ask in (engine.history.get, engine.history.delete):
        with pytest.raises(NotFound):
            ask(TEST, event.id)


def test_an_event_that_changes_or_goes_is_read_again_by_those_who_show_it(engine: Engine) -> None:
    event = engine.history.log_conversion(TEST, Conversion("sale", device_id="phone"))
    changes: list[Change] = []
    engine.changes.subscribe(changes.append)
    engine.history.verify(TEST, event.id, Verification.ACCEPTED)
    engine.history.delete(TEST, event.id)
    assert changes == [Change(TEST, reread=True), Change(TEST, reread=True)]


def test_events_are_read_in_runs_that_begin_after_the_last_one(engine: Engine) -> None:
    made = [
        engine.history.log_conversion(environment, Conversion(name, device_id="phone"))
        for environment, name in ((TEST, "a"), (LIVE, "a"), (TEST, "b"), (TEST, "a"), (TEST, "a"), (TEST, "b"))
    ]
    every, of_a = EventFilter(), EventFilter(types=frozenset({"a"}))
    for wanted, expected in ((every, [0, 2, 3, 4, 5]), (of_a, [0, 3, 4])):
        runs, after = list[Event](), 0
        for _ in range(4):
            run = engine.history.run_after(TEST, wanted, after, 2)
            runs += [event for _, event in run.events]
            after = run.reached
        assert runs == [made[number] for number in expected]
        assert engine.history.run_after(TEST, wanted, after, 2).events == ()


def test_a_conversion_is_at_the_users_last_place(engine: Engine, clock: SetClock) -> None:
    user = engine.tracking.track(TEST, update(user_id="ann")).user
    clock.advance(60)
    given = Conversion("purchase", device_id="phone", user_id="ann", metadata=MappingProxyType({"revenue": 9.5}))
    event = engine.history.log_conversion(TEST, given)
    assert (event.type, event.user, event.point, event.created_at) == ("purchase", user.summary, HOME, clock.now())
    assert dict(event.metadata) == {"revenue": 9.5}
    assert engine.history.page(TEST, EventQuery(types=frozenset({"purchase"}))).items == (event,)


@pytest.mark.parametrize(
    ("device_id", "user_id", "known"),
    [("phone", None, True), (None, "ann", True), ("phone", "ben", False), ("tablet", None, False), (None, "x", False)],
)
def test_whose_conversion_it_is(engine: Engine, device_id: str | None, user_id: str | None, known: bool) -> None:
    ann = engine.tracking.track(TEST, update(user_id="ann")).user
    event = engine.history.log_conversion(TEST, Conversion("sale", device_id=device_id, user_id=user_id))
    assert event.user.id == (ann.id if known else "")
    assert (event.point is not None) is known
    assert engine.history.get(TEST, event.id) == event


@pytest.mark.parametrize(
    ("conversion", "param"),
    [
        (Conversion("user.entered_geofence", device_id="phone"), "name"),
        (Conversion("user.anything", device_id="phone"), "name"),
        (Conversion(" ", device_id="phone"), "name"),
        (Conversion("sale"), "device_id"),
    ],
)
def test_a_conversion_that_is_refused(engine: Engine, conversion: Conversion, param: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        engine.history.log_conversion(TEST, conversion)
    assert refused.value.param == param
    assert engine.history.counts(TEST).events == 0


def test_the_context_of_a_position(engine: Engine) -> None:
    for external_id in ("2", "1"):
        engine.geofences.create(TEST, circle(external_id))
    off = engine.geofences.create(TEST, circle("3"))
    engine.geofences.update(TEST, off.id, GeofenceChange(enabled=False))
    assert [fence.external_id for fence in engine.tracking.context(TEST, HOME).geofences] == ["1", "2"]
    assert engine.tracking.context(TEST, Point(9.6, 47.1)).geofences == ()
    assert engine.tracking.context(LIVE, HOME).geofences == ()


def test_clearing_one_device_leaves_the_others_and_live_alone(engine: Engine) -> None:
    for environment in Environment:
        engine.geofences.create(environment, circle())
        for device in ("a", "b"):
            engine.tracking.track(environment, update(device_id=device))
    changes: list[Change] = []
    engine.changes.subscribe(changes.append)
    assert engine.history.clear_test_data("a") == Cleared(users=1, events=1, updates=1, geofences=0)
    assert [change.reread for change in changes] == [True]
    assert [user.device_id for user in engine.users.page(TEST, UserQuery()).items] == ["b"]
    assert len(engine.tracking.track(TEST, update(device_id="a", at=NOON + timedelta(seconds=1))).events) == 1
    assert engine.history.clear_test_data() == Cleared(users=2, events=2, updates=2, geofences=0)
    assert engine.history.counts(TEST).geofences == 1
    assert engine.history.clear_test_data(geofences=True).geofences == 1
    assert engine.geofences.all(TEST) == ()
    assert (
        engine.history.counts(LIVE).users,
        engine.history.counts(LIVE).events,
        engine.history.counts(LIVE).geofences,
    ) == (2, 2, 1)
    with pytest.raises(InvalidParameter):
        engine.history.clear_test_data("a", geofences=True)


def test_without_a_time_the_last_update_is_explained_though_an_earlier_one_came_from_the_future(
    engine: Engine,
) -> None:
    engine.geofences.create(TEST, circle())
    engine.tracking.track(TEST, update(at=NOON + timedelta(hours=2)))
    engine.tracking.track(TEST, update(500))
    last = engine.tracking.explain(TEST, UpdateQuery(device_id="phone"))
    assert (last.fix.at, last.explanations[0].outcome) == (NOON, "exit")
    early = engine.tracking.explain(TEST, UpdateQuery(device_id="phone", at=NOON + timedelta(hours=3)))
    assert early.fix.at == NOON + timedelta(hours=2)


SQUARE = ((9.52, 47.14), (9.522, 47.14), (9.522, 47.142), (9.52, 47.142), (9.52, 47.14))


@pytest.mark.parametrize("accuracy_m", [5e-324, 1e-200, 1e20, 1e155, 1.7e308])
@pytest.mark.parametrize("east_m", [0, 1e5])
def test_an_accuracy_beyond_all_measure_is_decided_explained_and_replayed(
    engine: Engine, accuracy_m: float, east_m: float
) -> None:
    engine.geofences.create(TEST, circle())
    square = replace(circle("2"), type="polygon", coordinates=SQUARE, size=UNSET)
    engine.geofences.create(TEST, square)
    engine.settings.change(TEST, SettingsChange(buffer_entries=True, fraud=True))
    given = replace(update(east_m, accuracy_m=accuracy_m), explain=True)
    result = engine.tracking.track(TEST, given)
    later = engine.tracking.explain(TEST, UpdateQuery(device_id="phone")).explanations
    assert [each.text for each in result.explanations or ()] == [each.text for each in later]
    report = engine.tracking.replay(TEST, ReplayQuery(device_ids=("phone",)))
    assert (report.added, report.removed) == ((), ())
    assert len(report.before) == len(result.events)


def test_an_exit_in_whose_circle_the_geofence_is_a_speck_is_not_sure(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    engine.tracking.track(TEST, update())
    (exited,) = engine.tracking.track(TEST, update(500, accuracy_m=5e6)).events
    assert exited.confidence == 2


def test_a_replay_has_the_failed_checks_too(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, SettingsChange(fraud=True))
    steps = (replace(update(), mocked=True), update(5_000), update(5_000, accuracy_m=2_000), update(user_id="ann"))
    for given in (*steps, update(user_id="ben")):
        engine.tracking.track(TEST, given)
        clock.advance(10)
    happened = [event.created_at for event in reversed(engine.history.page(TEST, EventQuery()).items)]
    report = engine.tracking.replay(TEST, ReplayQuery(device_ids=("phone",)))
    assert [event.created_at for event in report.before] == happened
    assert (len(happened), report.added, report.removed) == (4, (), ())
    off = engine.tracking.replay(TEST, ReplayQuery(device_ids=("phone",), change=SettingsChange(fraud=False)))
    assert (off.after, off.removed) == ((), off.before)
    coarse = engine.tracking.replay(
        TEST, ReplayQuery(device_ids=("phone",), change=SettingsChange(inaccurate_accuracy_m=5_000))
    )
    assert [event.created_at for event in coarse.removed] == [NOON + timedelta(seconds=20)]


@pytest.mark.parametrize("wanted", [EventFilter(), EventFilter(tags=frozenset({"store"})), EventFilter(user_id="ann")])
def test_the_next_events_are_read_without_those_before_them(engine: Engine, wanted: EventFilter) -> None:
    engine.geofences.create(TEST, circle())
    engine.tracking.track(TEST, update(user_id="ann"))
    count = 5_000
    names = [column.name for column in events.columns if column.name not in ("number", "id", "created_at")]
    engine._parts.writer.run(
        lambda connection: connection.exec_driver_sql(
            "WITH RECURSIVE times(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM times WHERE at < ?) "
            f"INSERT INTO events (id, created_at, {', '.join(names)}) "
            f"SELECT printf('%024x', at), created_at + at, {', '.join(names)} FROM events, times",
            (count - 1,),
        )
    )
    steps = 0

    def note() -> int:
        nonlocal steps
        steps += 1
        return 0

    with engine._parts.database.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.set_progress_handler(note, 100)
        run = event_run(connection, TEST, wanted, count - 10, 5)
        driver.set_progress_handler(None, 0)
    assert [number for number, _ in run.events] == list(range(count - 9, count - 4))
    assert steps * 100 < count, "instructions of the database's machine"


@pytest.mark.parametrize("wanted", [UserFilter(), UserFilter(updated_after=NOON)])
def test_all_users_are_read_in_their_order_not_sorted_for_each_part(engine: Engine, wanted: UserFilter) -> None:
    engine.tracking.track(TEST, update())
    plans = list[str]()

    def explain(connection: sa.Connection, cursor: Any, statement: str, parameters: Any, *_: object) -> None:
        if statement.startswith("SELECT users.id"):
            found = cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()
            plans.extend(row[-1] for row in found)

    sa.event.listen(engine._parts.database._engine, "before_cursor_execute", explain)
    list(engine.users.all(TEST, wanted))
    assert plans
    assert set(plans) == {"SEARCH users USING PRIMARY KEY (id>?)"}
