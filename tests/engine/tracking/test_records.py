"""Users and events beyond tracking: found, removed, verified, reported by clients, cleared."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import MappingProxyType

import pytest

from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, NotFound
from engine.domain.explaining import Cleared, ReplayQuery, UpdateQuery
from engine.domain.geofence import UNSET, GeofenceChange
from engine.domain.geometry import Point
from engine.domain.queries import Change, EventQuery, UserQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking import Conversion, Verification
from engine.engine import Engine
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
    ann = engine.track(TEST, update(user_id="ann")).user
    clock.advance(1)
    ben = engine.track(TEST, update(user_id="ben")).user
    clock.advance(1)
    odd = engine.track(TEST, update(device_id="tablet", user_id="phone")).user
    assert [engine.user(TEST, key).id for key in (ann.id, "ann", "ben", "tablet")] == [ann.id, ann.id, ben.id, odd.id]
    assert engine.user(TEST, "phone").id == odd.id, "a user ID counts before a device ID"
    engine.delete_user(TEST, odd.id)
    assert engine.user(TEST, "phone").id == ben.id, "the device's last record"
    with pytest.raises(NotFound):
        engine.user(LIVE, "ann")


def test_a_deleted_user_is_gone_with_their_stays_and_begins_anew(engine: Engine) -> None:
    engine.create_geofence(TEST, circle())
    user = engine.track(TEST, update()).user
    assert engine.delete_user(TEST, "phone").id == user.id
    with pytest.raises(NotFound):
        engine.user(TEST, "phone")
    with pytest.raises(NotFound):
        engine.explain(TEST, UpdateQuery(device_id="phone"))
    again = engine.track(TEST, update())
    assert (again.user.id != user.id, [event.type for event in again.events]) == (True, ["user.entered_geofence"])
    assert len(engine.events(TEST, EventQuery()).items) == 2, "events stay"


def test_users_in_a_geofence(engine: Engine, clock: SetClock) -> None:
    fence = engine.create_geofence(TEST, circle())
    for device in ("a", "b", "c"):
        engine.track(TEST, update(0 if device != "b" else 500, device_id=device))
        clock.advance(1)
    page = engine.users_in_geofence(TEST, fence.id, UserQuery(limit=1))
    assert ([user.device_id for user in page.items], page.has_more) == (["c"], True)
    page = engine.users_in_geofence(TEST, fence.id, UserQuery())
    assert ([user.device_id for user in page.items], page.has_more) == (["c", "a"], False)
    assert page.items[0].geofences == (fence.summary,)
    with pytest.raises(NotFound):
        engine.users_in_geofence(LIVE, fence.id, UserQuery())


def test_events_are_read_verified_and_deleted(engine: Engine) -> None:
    engine.create_geofence(TEST, circle())
    (event,) = engine.track(TEST, update()).events
    assert engine.event(TEST, event.id) == event
    verified = engine.verify_event(TEST, event.id, Verification.REJECTED, "place1")
    assert (verified.verification, verified.verified_place_id) == (Verification.REJECTED, "place1")
    assert engine.verify_event(TEST, event.id, Verification.ACCEPTED).verified_place_id == "place1"
    assert engine.event(TEST, event.id).verification is Verification.ACCEPTED
    assert engine.delete_event(TEST, event.id).id == event.id
    for ask in (engine.event, engine.delete_event):
        with pytest.raises(NotFound):
            ask(TEST, event.id)


def test_a_conversion_is_at_the_users_last_place(engine: Engine, clock: SetClock) -> None:
    user = engine.track(TEST, update(user_id="ann")).user
    clock.advance(60)
    given = Conversion("purchase", device_id="phone", user_id="ann", metadata=MappingProxyType({"revenue": 9.5}))
    event = engine.log_conversion(TEST, given)
    assert (event.type, event.user, event.point, event.created_at) == ("purchase", user.summary, HOME, clock.now())
    assert dict(event.metadata) == {"revenue": 9.5}
    assert engine.events(TEST, EventQuery(type="purchase")).items == (event,)


@pytest.mark.parametrize(
    ("device_id", "user_id", "known"),
    [("phone", None, True), (None, "ann", True), ("phone", "ben", False), ("tablet", None, False), (None, "x", False)],
)
def test_whose_conversion_it_is(engine: Engine, device_id: str | None, user_id: str | None, known: bool) -> None:
    ann = engine.track(TEST, update(user_id="ann")).user
    event = engine.log_conversion(TEST, Conversion("sale", device_id=device_id, user_id=user_id))
    assert event.user.id == (ann.id if known else "")
    assert (event.point is not None) is known
    assert engine.event(TEST, event.id) == event


@pytest.mark.parametrize(
    ("conversion", "param"),
    [
        (Conversion("user.entered_geofence", device_id="phone"), "name"),
        (Conversion("user.anything", device_id="phone"), "name"),
        (Conversion(" ", device_id="phone"), "name"),
        (Conversion("sale"), "deviceId"),
    ],
)
def test_a_conversion_that_is_refused(engine: Engine, conversion: Conversion, param: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        engine.log_conversion(TEST, conversion)
    assert refused.value.param == param
    assert engine.counts(TEST).events == 0


def test_the_context_of_a_position(engine: Engine) -> None:
    for external_id in ("2", "1"):
        engine.create_geofence(TEST, circle(external_id))
    off = engine.create_geofence(TEST, circle("3"))
    engine.update_geofence(TEST, off.id, GeofenceChange(enabled=False))
    assert [fence.external_id for fence in engine.context(TEST, HOME).geofences] == ["1", "2"]
    assert engine.context(TEST, Point(9.6, 47.1)).geofences == ()
    assert engine.context(LIVE, HOME).geofences == ()


def test_clearing_one_device_leaves_the_others_and_live_alone(engine: Engine) -> None:
    for environment in Environment:
        engine.create_geofence(environment, circle())
        for device in ("a", "b"):
            engine.track(environment, update(device_id=device))
    changes: list[Change] = []
    engine.subscribe(changes.append)
    assert engine.clear_test_data("a") == Cleared(users=1, events=1, updates=1, geofences=0)
    assert [change.reread for change in changes] == [True]
    assert [user.device_id for user in engine.users(TEST, UserQuery()).items] == ["b"]
    assert len(engine.track(TEST, update(device_id="a", at=NOON + timedelta(seconds=1))).events) == 1
    assert engine.clear_test_data() == Cleared(users=2, events=2, updates=2, geofences=0)
    assert engine.counts(TEST).geofences == 1
    assert engine.clear_test_data(geofences=True).geofences == 1
    assert engine.all_geofences(TEST) == ()
    assert (engine.counts(LIVE).users, engine.counts(LIVE).events, engine.counts(LIVE).geofences) == (2, 2, 1)
    with pytest.raises(InvalidParameter):
        engine.clear_test_data("a", geofences=True)


def test_without_a_time_the_last_update_is_explained_though_an_earlier_one_came_from_the_future(
    engine: Engine,
) -> None:
    engine.create_geofence(TEST, circle())
    engine.track(TEST, update(at=NOON + timedelta(hours=2)))
    engine.track(TEST, update(500, at=NOON + timedelta(hours=1)))
    last = engine.explain(TEST, UpdateQuery(device_id="phone"))
    assert (last.fix.at, last.explanations[0].outcome) == (NOON, "exit")
    early = engine.explain(TEST, UpdateQuery(device_id="phone", at=NOON + timedelta(hours=3)))
    assert early.fix.at == NOON + timedelta(hours=2)


SQUARE = ((9.52, 47.14), (9.522, 47.14), (9.522, 47.142), (9.52, 47.142), (9.52, 47.14))


@pytest.mark.parametrize("accuracy_m", [5e-324, 1e-200, 1e20, 1e155, 1.7e308])
@pytest.mark.parametrize("east_m", [0, 1e5])
def test_an_accuracy_beyond_all_measure_is_decided_explained_and_replayed(
    engine: Engine, accuracy_m: float, east_m: float
) -> None:
    engine.create_geofence(TEST, circle())
    square = replace(circle("2"), type="polygon", coordinates=SQUARE, radius_m=UNSET)
    engine.create_geofence(TEST, square)
    engine.change_settings(TEST, SettingsChange(buffer_entries=True, fraud=True))
    given = replace(update(east_m, accuracy_m=accuracy_m), explain=True)
    result = engine.track(TEST, given)
    later = engine.explain(TEST, UpdateQuery(device_id="phone")).explanations
    assert [each.text for each in result.explanations or ()] == [each.text for each in later]
    report = engine.replay(TEST, ReplayQuery(device_id="phone"))
    assert (report.added, report.removed) == ((), ())
    assert len(report.before) == len(result.events)


def test_an_exit_in_whose_circle_the_geofence_is_a_speck_is_not_sure(engine: Engine) -> None:
    engine.create_geofence(TEST, circle())
    engine.track(TEST, update())
    (exited,) = engine.track(TEST, update(500, accuracy_m=5e6)).events
    assert exited.confidence == 2


def test_a_replay_has_the_failed_checks_too(engine: Engine, clock: SetClock) -> None:
    engine.change_settings(TEST, SettingsChange(fraud=True))
    steps = (replace(update(), mocked=True), update(5_000), update(5_000, accuracy_m=2_000), update(user_id="ann"))
    for given in (*steps, update(user_id="ben")):
        engine.track(TEST, given)
        clock.advance(10)
    happened = [event.created_at for event in reversed(engine.events(TEST, EventQuery()).items)]
    report = engine.replay(TEST, ReplayQuery(device_id="phone"))
    assert [event.created_at for event in report.before] == happened
    assert (len(happened), report.added, report.removed) == (4, (), ())
    off = engine.replay(TEST, ReplayQuery(device_id="phone", change=SettingsChange(fraud=False)))
    assert (off.after, off.removed) == ((), off.before)
    coarse = engine.replay(TEST, ReplayQuery(device_id="phone", change=SettingsChange(inaccurate_accuracy_m=5_000)))
    assert [event.created_at for event in coarse.removed] == [NOON + timedelta(seconds=20)]
