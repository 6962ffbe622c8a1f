"""Updates through the whole engine: users, presence, events."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Engine
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.queries import Change, EventQuery, UserQuery
from engine.domain.tracking.updates import TrackResult
from tests.engine.fixtures import HOME, NOON, SetClock, circle, update

TEST, LIVE = Environment.TEST, Environment.LIVE


def events_of(result: TrackResult) -> list[tuple[str, str, int | None]]:
    return [
        (event.type, event.geofence.external_id if event.geofence else "", event.confidence) for event in result.events
    ]


def test_an_entry_and_an_exit(engine: Engine, clock: SetClock) -> None:
    engine.geofences.create(TEST, circle())
    assert events_of(engine.tracking.track(TEST, update(500))) == []
    entered = engine.tracking.track(TEST, update(0))
    assert events_of(entered) == [("user.entered_geofence", "1", 3)]
    assert [geofence.external_id for geofence in entered.user.geofences] == ["1"]
    assert events_of(engine.tracking.track(TEST, update(50))) == []
    clock.advance(90)
    left = engine.tracking.track(TEST, update(500))
    assert events_of(left) == [("user.exited_geofence", "1", 3)]
    assert left.events[0].duration_s == 90
    assert left.user.geofences == ()


def test_an_exit_is_needed_before_another_entry(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    events = [events_of(engine.tracking.track(TEST, update(metres))) for metres in (0, 10, 0, 300, 0)]
    assert [len(some) for some in events] == [1, 0, 0, 1, 1]


def test_exits_come_before_entries_and_each_in_order_of_its_key(engine: Engine) -> None:
    for external_id in ("b", "a"):
        engine.geofences.create(TEST, circle(external_id))
        engine.geofences.create(TEST, circle(external_id, tag="depot", radius_m=5_000))
    assert [key for _, key, _ in events_of(engine.tracking.track(TEST, update(0)))] == ["a", "b", "a", "b"]
    engine.geofences.delete(TEST, engine.geofences.get_by_key(TEST, "depot", "b").id)
    engine.geofences.create(TEST, circle("z", center=update(1_000).point))
    assert events_of(engine.tracking.track(TEST, update(1_000))) == [
        ("user.exited_geofence", "a", 3),
        ("user.exited_geofence", "b", 3),
        ("user.entered_geofence", "z", 3),
    ]


def test_test_and_live_never_mix(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    assert events_of(engine.tracking.track(LIVE, update(0))) == []
    assert len(events_of(engine.tracking.track(TEST, update(0)))) == 1
    assert engine.history.counts(LIVE).events == 0
    assert len(engine.users.page(LIVE, UserQuery()).items) == len(engine.users.page(TEST, UserQuery()).items) == 1


def test_presence_survives_a_restart(tmp_path: Path) -> None:
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        engine.geofences.create(TEST, circle())
        engine.tracking.track(TEST, update(0))
    with Engine.open(tmp_path, clock=SetClock(NOON + timedelta(minutes=5))) as engine:
        assert events_of(engine.tracking.track(TEST, update(0))) == []
        left = engine.tracking.track(TEST, update(500))
        assert events_of(left) == [("user.exited_geofence", "1", 3)]
        assert left.events[0].duration_s == 300


@pytest.mark.parametrize("end", ["disable", "delete"])
def test_disabling_or_deleting_ends_presence_silently(engine: Engine, end: str) -> None:
    geofence = engine.geofences.create(TEST, circle())
    engine.tracking.track(TEST, update(0))
    if end == "disable":
        engine.geofences.update(TEST, geofence.id, GeofenceChange(enabled=False))
    else:
        engine.geofences.delete(TEST, geofence.id)
    assert engine.users.page(TEST, UserQuery()).items[0].geofences == ()
    assert events_of(engine.tracking.track(TEST, update(500))) == []
    engine.geofences.restore(TEST, geofence)
    assert events_of(engine.tracking.track(TEST, update(0))) == [("user.entered_geofence", "1", 3)]


def test_a_geofence_enabled_again_without_a_fix_between_is_entered_again(engine: Engine) -> None:
    geofence = engine.geofences.create(TEST, circle())
    engine.tracking.track(TEST, update(0))
    for enabled in (False, True):
        engine.geofences.update(TEST, geofence.id, GeofenceChange(enabled=enabled))
    assert events_of(engine.tracking.track(TEST, update(0))) == [("user.entered_geofence", "1", 3)]


def test_a_geofence_that_moves_away_is_left_at_the_next_fix(engine: Engine) -> None:
    geofence = engine.geofences.create(TEST, circle())
    engine.tracking.track(TEST, update(0))
    engine.geofences.update(TEST, geofence.id, GeofenceChange(coordinates=(HOME.longitude, HOME.latitude + 1)))
    assert events_of(engine.tracking.track(TEST, update(0))) == [("user.exited_geofence", "1", 3)]


class TestIdentity:
    """One record per (device, user ID); the first user ID attaches to the device's record."""

    def test_the_first_user_id_attaches_and_another_makes_a_new_record(self, engine: Engine) -> None:
        anonymous = engine.tracking.track(TEST, update()).user
        anna = engine.tracking.track(TEST, update(user_id="anna")).user
        bert = engine.tracking.track(TEST, update(user_id="bert")).user
        assert anna.id == anonymous.id
        assert bert.id != anna.id
        assert engine.tracking.track(TEST, update(user_id="anna")).user.id == anna.id

    def test_logging_out_makes_a_record_that_no_later_login_takes(self, engine: Engine) -> None:
        anna = engine.tracking.track(TEST, update(user_id="anna")).user
        out = engine.tracking.track(TEST, update()).user
        bert = engine.tracking.track(TEST, update(user_id="bert")).user
        assert len({anna.id, out.id, bert.id}) == 3
        assert engine.tracking.track(TEST, update()).user.id == out.id

    def test_each_record_has_its_own_presence(self, engine: Engine) -> None:
        engine.geofences.create(TEST, circle())
        engine.tracking.track(TEST, update(user_id="anna"))
        assert len(events_of(engine.tracking.track(TEST, update(user_id="bert")))) == 1

    def test_another_device_is_another_user(self, engine: Engine) -> None:
        first = engine.tracking.track(TEST, update(user_id="anna")).user
        assert engine.tracking.track(TEST, update(user_id="anna", device_id="tablet")).user.id != first.id


class TestTime:
    """The client's time is used unless it is older than the user's last update."""

    def test_the_clients_time_is_the_events_time(self, engine: Engine, clock: SetClock) -> None:
        engine.geofences.create(TEST, circle())
        at = datetime(2010, 8, 13, 9, 14, 32, 123_456, tzinfo=UTC)
        event = engine.tracking.track(TEST, update(at=at)).events[0]
        assert event.created_at == at.replace(microsecond=123_000)
        assert event.actual_created_at == clock.now()

    def test_an_older_time_is_replaced_by_the_engines(self, engine: Engine, clock: SetClock) -> None:
        at = NOON - timedelta(hours=1)
        engine.tracking.track(TEST, update(at=at))
        assert engine.tracking.track(TEST, update(at=at)).user.updated_at == at
        assert engine.tracking.track(TEST, update(at=at - timedelta(seconds=1))).user.updated_at == clock.now()


def test_a_stay_is_never_shorter_than_nothing(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    engine.tracking.track(TEST, update(0, at=NOON + timedelta(days=1)))
    assert engine.tracking.track(TEST, update(500)).events[0].duration_s == 0


def test_values_that_a_device_does_not_send_are_kept(engine: Engine) -> None:
    from engine.domain.values import replace

    engine.tracking.track(TEST, replace(update(), description="van", metadata={"a": 1}, ip="10.0.0.1"))
    user = engine.tracking.track(TEST, update()).user
    assert (user.description, dict(user.metadata), user.ip) == ("van", {"a": 1}, "10.0.0.1")
    assert dict(engine.tracking.track(TEST, replace(update(), metadata={})).user.metadata) == {}


def test_the_response_equals_the_stored_values(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    result = engine.tracking.track(TEST, update(3, user_id="anna"))
    assert engine.users.page(TEST, UserQuery()).items == (result.user,)
    assert engine.history.page(TEST, EventQuery()).items == result.events


def test_events_keep_their_geofence_as_it_was(engine: Engine) -> None:
    geofence = engine.geofences.create(TEST, circle())
    engine.tracking.track(TEST, update(0))
    engine.geofences.update(TEST, geofence.id, GeofenceChange(description="renamed", tag="shop"))
    event = engine.history.page(TEST, EventQuery(tags=frozenset({"store"}))).items[0]
    assert event.geofence is not None
    assert event.geofence.description == "store 1"


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.floats(-400, 400)), max_size=30))
@settings(max_examples=25)
def test_events_alternate_and_agree_with_presence(steps: list[tuple[str, float]]) -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.geofences.create(TEST, circle())
        inside = {"a": False, "b": False}
        for device, metres in steps:
            result = engine.tracking.track(TEST, update(metres, device_id=device))
            now_inside = abs(metres) <= 100
            kinds = [event.type for event in result.events]
            change = {(False, True): ["user.entered_geofence"], (True, False): ["user.exited_geofence"]}
            if abs(abs(metres) - 100) > 0.5:
                assert kinds == change.get((inside[device], now_inside), [])
            inside[device] = bool(result.user.geofences)


def test_many_threads_lose_nothing(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())

    def drive(device: int) -> int:
        return sum(len(engine.tracking.track(TEST, update(m, device_id=f"d{device}")).events) for m in (500, 0, 500, 0))

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(drive, range(40))) == 120
    assert engine.history.counts(TEST).users == 40
    assert engine.history.counts(TEST).events == 120


def test_listeners_are_notified_after_the_commit(engine: Engine) -> None:
    changes: list[Change] = []
    stored: list[int] = []

    def listen(change: Change) -> None:
        changes.append(change)
        stored.append(engine.history.counts(change.environment).events)

    unsubscribe = engine.changes.subscribe(listen)
    geofence = engine.geofences.create(TEST, circle())
    result = engine.tracking.track(TEST, update(0))
    unsubscribe()
    engine.tracking.track(TEST, update(500))
    assert changes == [Change(TEST, geofences=(geofence,)), Change(TEST, tracked=(result,))]
    assert stored == [0, 1]
