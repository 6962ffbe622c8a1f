"""Updates that come late, from the future, or again, while the others keep their events."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.environment import Environment
from engine.domain.queries import EventQuery, UserQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking.beacon import IBeacon, ReportedBeacon
from engine.domain.tracking.explaining import ReplayQuery, UpdateQuery
from engine.domain.tracking.fraud import FraudCheck
from engine.domain.tracking.tracks import RecordedQuery
from engine.domain.tracking.updates import Event, LocationUpdate, Timing, TrackResult
from engine.domain.values import replace
from engine.engine import Engine
from tests.engine.fixtures import NOON, UUID, SetClock, beacon, circle, update

TEST = Environment.TEST
LAST_WEEK = NOON - timedelta(days=8)
DWELLS = SettingsChange(dwell_event=True, default_dwell_threshold_s=300)

IN, OUT, FAR = 0, 150, 2_000
"""Metres east: inside both geofences, inside the larger one, outside both."""


def opened(clock: SetClock | None = None, folder: Path | str = ":memory:") -> Engine:
    engine = Engine.open(folder, clock=clock or SetClock())
    engine.settings.change(TEST, DWELLS)
    engine.geofences.create(TEST, circle("small"))
    engine.geofences.create(TEST, circle("large", radius_m=300))
    return engine


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def engine(clock: SetClock) -> Iterator[Engine]:
    with opened(clock) as engine:
        yield engine


def minute(number: float) -> datetime:
    return LAST_WEEK + timedelta(minutes=number)


def at(number: float, east_m: float, **changes: object) -> LocationUpdate:
    return replace(update(east_m, at=minute(number)), **{"once": True} | changes)  # type: ignore[arg-type]


def summaries(events: Sequence[Event]) -> list[tuple[str, str, float, float | None]]:
    return [
        (
            event.type.removeprefix("user.").removesuffix("_geofence").removesuffix("_in"),
            event.geofence.external_id if event.geofence else "",
            (event.created_at - LAST_WEEK) / timedelta(minutes=1),
            event.duration_s,
        )
        for event in events
    ]


def track(engine: Engine, *updates: LocationUpdate) -> list[TrackResult]:
    return [engine.tracking.track(TEST, each) for each in updates]


def events_of(results: Sequence[TrackResult]) -> list[Event]:
    return [event for result in results for event in result.events]


VISIT = [(0, FAR), (1, FAR), (2, IN), (3, IN), (4, IN), (5, IN), (6, IN), (7, IN), (8, IN), (9, IN), (10, FAR)]


def visit(*minutes: int) -> list[LocationUpdate]:
    return [at(number, east_m) for number, east_m in VISIT if number in minutes]


def test_one_late_update_leaves_the_times_and_durations_of_the_others(engine: Engine) -> None:
    results = track(engine, *visit(0, 1, 2, 3), at(0.5, FAR), *visit(4, 5, 6, 7, 8, 9, 10))
    late = results[4]
    assert (late.timing, late.user.updated_at, late.user.fix.late_after) == (Timing.LATE, NOON, minute(3))
    left = 8 * 60.0
    assert [each for each in summaries(events_of(results)) if each[2] < 60] == [
        ("entered", "large", 2, None),
        ("entered", "small", 2, None),
        # The late update was elsewhere, and the next one reverses it.
        ("entered", "large", 4, None),
        ("entered", "small", 4, None),
        ("dwelled", "large", 8, None),
        ("dwelled", "small", 8, None),
        ("exited", "large", 10, left),
        ("exited", "small", 10, left),
    ]
    # The stay was last seen at minute 3.
    assert [(each.created_at, each.duration_s) for each in late.events] == [(NOON, 60.0), (NOON, 60.0)]


def test_a_late_update_inside_neither_dwells_nor_prolongs_a_stay(engine: Engine) -> None:
    results = track(engine, *visit(0, 1, 2, 3), at(2.5, IN), *visit(4, 5, 6, 7, 8, 9, 10))
    assert results[4].events == ()
    other = [replace(each, device_id="other") for each in visit(*range(11))]
    assert summaries(events_of(results)) == summaries(events_of(track(engine, *other)))


def test_a_stay_that_a_late_update_began_begins_with_the_next_one(engine: Engine) -> None:
    results = track(engine, *visit(0, 1), at(0.5, IN), *visit(2, 3, 4, 5, 6, 7, 8, 9, 10))
    assert [each[:3] for each in summaries(results[2].events)] == [
        ("entered", "large", 11520),
        ("entered", "small", 11520),
    ]
    assert summaries(events_of(results[3:])) == [
        ("dwelled", "large", 8, None),
        ("dwelled", "small", 8, None),
        ("exited", "large", 10, 480),
        ("exited", "small", 10, 480),
    ]


def test_a_dwell_that_is_due_at_the_reversal_is_not_lost(engine: Engine) -> None:
    results = track(engine, *visit(0, 2), at(1, FAR), *visit(8, 9, 10))
    assert [each[:3] for each in summaries(results[3].events)] == [
        ("entered", "large", 8),
        ("entered", "small", 8),
        ("dwelled", "large", 8),
        ("dwelled", "small", 8),
    ]
    assert [each[3] for each in summaries(results[5].events)] == [480, 480]


def test_the_next_update_reverses_whatever_rules_would_withhold(engine: Engine) -> None:
    engine.settings.change(TEST, SettingsChange(minimum_confidence=3))
    coarse = at(4, IN, accuracy_m=5_000.0)
    results = track(engine, *visit(0, 2, 3), at(1, FAR), coarse, *visit(5, 8, 10))
    assert [each[0] for each in summaries(results[4].events)] == ["entered", "entered"]
    assert [each[0] for each in summaries(results[6].events)] == ["dwelled", "dwelled"]
    assert [each[3] for each in summaries(results[7].events)] == [480, 480]


def test_late_updates_that_left_and_came_back_leave_the_stay_as_it_was(engine: Engine) -> None:
    results = track(engine, at(0, IN), at(1, IN), at(0.5, FAR), at(0.7, IN), at(7, IN), at(8, FAR))
    assert summaries(events_of(results[4:])) == [
        ("dwelled", "large", 7, None),
        ("dwelled", "small", 7, None),
        ("exited", "large", 8, 480),
        ("exited", "small", 8, 480),
    ]


@pytest.mark.parametrize(
    "rules", [SettingsChange(buffer_exits=True), SettingsChange(minimum_confidence=3), SettingsChange()]
)
def test_a_stay_that_only_a_late_update_began_is_kept_by_no_rule(engine: Engine, rules: SettingsChange) -> None:
    engine.settings.change(TEST, rules)
    near = [at(number, 320, accuracy_m=60.0) for number in (1, 2, 9)]
    results = track(engine, at(0, FAR), at(-1, OUT), *near, at(10, FAR))
    assert [each[:2] for each in summaries(results[1].events)] == [("entered", "large")]
    assert summaries(results[2].events) == [("exited", "large", 1, 0.0)]
    assert events_of(results[3:]) == []


def test_an_update_that_reverses_and_dwells_is_explained_so(engine: Engine) -> None:
    track(engine, *visit(0, 2), at(1, FAR), *visit(8))
    explained = engine.tracking.explain(TEST, UpdateQuery(device_id="phone", at=minute(8)))
    assert {(each.geofence.external_id, each.outcome.value) for each in explained.explanations} == {
        (key, outcome) for key in ("large", "small") for outcome in ("entry", "dwell")
    }
    texts = [reason.text for each in explained.explanations for reason in each.reasons]
    assert "this reverses what a late update has reported" in texts
    assert all(each.remedies == () for each in explained.explanations)


def test_a_reversal_offers_nothing_that_would_have_made_it_fire(engine: Engine) -> None:
    engine.settings.change(TEST, SettingsChange(minimum_confidence=3))
    track(engine, at(0, FAR), at(-1, IN), at(1, 320, accuracy_m=60.0))
    explained = engine.tracking.explain(TEST, UpdateQuery(device_id="phone", at=minute(1)))
    reversed_exits = [each for each in explained.explanations if each.outcome.value == "exit"]
    assert reversed_exits
    assert all(each.remedies == () for each in reversed_exits)


def test_the_stays_of_before_survive_a_restart(tmp_path: Path) -> None:
    with opened(folder=tmp_path) as engine:
        track(engine, *visit(0, 2, 3), at(1, FAR))
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        results = track(engine, *visit(4, 8, 10))
        assert [each[0] for each in summaries(results[1].events)] == ["dwelled", "dwelled"]
        assert [each[3] for each in summaries(results[2].events)] == [480, 480]


def test_stays_near_beacons_continue_as_well(engine: Engine) -> None:
    engine.beacons.create(TEST, beacon())
    reported = (ReportedBeacon(IBeacon(UUID, 100, 1)),)
    results = track(
        engine,
        at(0, FAR, beacons=()),
        at(2, FAR, beacons=reported),
        at(1, FAR, beacons=()),
        at(3, FAR),
        at(4, FAR, beacons=reported),
        at(5, FAR, beacons=()),
    )
    found = [[(event.type, event.duration_s) for event in result.events] for result in results]
    entered, exited = "user.entered_beacon", "user.exited_beacon"
    assert found == [[], [(entered, None)], [(exited, 0.0)], [], [(entered, None)], [(exited, 180.0)]]


def test_the_update_after_a_late_one_is_measured_from_the_one_in_order(engine: Engine) -> None:
    engine.settings.change(TEST, SettingsChange(fraud=True))
    results = track(engine, at(0, 0), at(2, 0), at(1, 500_000), at(3, 10))
    failed = [result.user.fraud.failed for result in results if result.user.fraud]
    assert failed == [frozenset(), frozenset(), frozenset({FraudCheck.JUMPED}), frozenset()]


def test_a_track_that_is_played_again_has_the_times_and_durations_of_the_play(engine: Engine, clock: SetClock) -> None:
    track(engine, *[replace(each, once=False) for each in visit(*range(11))])
    again: list[TrackResult] = []
    for each in visit(*range(11)):
        clock.advance(60)
        again += track(engine, replace(each, once=False))
    assert {result.timing for result in again} == {Timing.LATE}
    assert [(event.type, event.created_at - NOON, event.duration_s) for event in events_of(again)[::2]] == [
        ("user.entered_geofence", timedelta(minutes=3), None),
        ("user.dwelled_in_geofence", timedelta(minutes=9), None),
        ("user.exited_geofence", timedelta(minutes=11), 480.0),
    ]


PLACES = [(IN, 10.0), (IN, 10.0), (OUT, 10.0), (OUT, 90.0), (320, 60.0), (FAR, 10.0), (IN, 400.0)]
"""Metres east and accuracy, including positions near the boundaries and coarse ones."""

late_fixes = st.tuples(st.integers(1, 28), st.sampled_from(PLACES), st.integers(1, 29))
ways = st.lists(st.sampled_from(PLACES), min_size=30, max_size=30)
rules = st.builds(
    SettingsChange,
    buffer_entries=st.booleans(),
    buffer_exits=st.booleans(),
    minimum_confidence=st.sampled_from([1, 2, 3]),
)
_DEVICES = count()


@pytest.fixture(scope="module")
def many() -> Iterator[Engine]:
    """An engine for the devices of all examples."""
    with opened() as engine:
        yield engine


@pytest.mark.slow
@given(rules, ways, st.lists(late_fixes, min_size=1, max_size=5))
def test_only_the_late_update_and_the_reversal_by_the_next_one_differ(
    many: Engine, given: SettingsChange, way: list[tuple[int, float]], late: list[tuple[int, tuple[int, float], int]]
) -> None:
    many.settings.change(TEST, given)
    right, mixed = f"right {next(_DEVICES)}", f"mixed {next(_DEVICES)}"
    in_order = [
        at(number, east_m, accuracy_m=accuracy_m, once=False, device_id=mixed)
        for number, (east_m, accuracy_m) in enumerate(way)
    ]
    sent = [(False, each) for each in in_order]
    # Insert from the end, so that the indices of the others stay the same.
    for after, (east_m, accuracy_m), earlier in sorted(late, reverse=True):
        when = after - earlier % after - 0.5
        sent.insert(after + 1, (True, at(when, east_m, accuracy_m=accuracy_m, once=False, device_id=mixed)))
    alone = track(many, *[replace(each, device_id=right) for each in in_order])
    expected = {each.at: summaries(result.events) for each, result in zip(in_order, alone, strict=True)}
    changed: set[str] = set()
    for (is_late, each), result in zip(sent, track(many, *[each for _, each in sent]), strict=True):
        found = summaries(result.events)
        if is_late:
            assert result.timing is Timing.LATE
            assert {kind for kind, _, _, _ in found} <= {"entered", "exited"}
            changed |= {key for _, key, _, _ in found}
        else:
            wanted = expected[each.at]
            assert [event for event in found if event[1] not in changed] == [
                event for event in wanted if event[1] not in changed
            ]
            assert {event for event in wanted if event[0] == "dwelled"} <= set(found)
            changed = set()
    assert _inside(many, mixed) == _inside(many, right)


def _inside(engine: Engine, device_id: str) -> list[str]:
    (user,) = engine.users.page(TEST, UserQuery(device_id=device_id)).items
    return [geofence.external_id for geofence in user.geofences]


def test_kept_updates_run_again_as_they_were(engine: Engine) -> None:
    results = track(engine, *visit(0, 1, 2, 3), at(0.5, FAR), *visit(4, 5, 6, 7, 8, 9, 10))
    report = engine.tracking.replay(TEST, ReplayQuery())
    happened = [(event.type, event.created_at, event.duration_s) for event in events_of(results)]
    assert [(event.type, event.created_at, event.duration_s) for event in report.before] == happened
    assert report.differences == ()


# Clocks that are ahead, or set back


def test_an_update_of_the_future_is_nothing_to_compare_with(engine: Engine) -> None:
    tomorrow = replace(update(IN, at=NOON + timedelta(days=1)), once=True)
    results = track(engine, tomorrow, *[at(number, IN) for number in range(1, 120)], at(121, FAR))
    assert [result.timing for result in results] == [Timing.AHEAD] + [Timing.ON_TIME] * 120
    assert summaries(events_of(results[1:])) == [
        ("dwelled", "large", 7, None),
        ("dwelled", "small", 7, None),
        ("exited", "large", 121, 7200),
        ("exited", "small", 121, 7200),
    ]


def test_a_minute_ahead_is_taken_for_a_clock_that_is_not_exact(engine: Engine) -> None:
    ahead = update(at=NOON + timedelta(seconds=60))
    assert track(engine, ahead, update(at=NOON))[1].timing is Timing.LATE
    beyond = replace(ahead, device_id="other", at=NOON + timedelta(seconds=61))
    assert track(engine, beyond, update(device_id="other", at=NOON))[1].timing is Timing.ON_TIME


def test_the_future_is_no_duration_in_an_explanation(engine: Engine, clock: SetClock) -> None:
    track(engine, update(IN, at=NOON + timedelta(days=1)), update(IN, at=NOON))
    explained = engine.tracking.explain(TEST, UpdateQuery(device_id="phone", at=NOON))
    assert [
        reason.values["minutes"]
        for each in explained.explanations
        for reason in each.reasons
        if reason.values.get("minutes") is not None
    ] == [0.0, 0.0]


def test_a_clock_set_back_prevents_no_dwell(engine: Engine, clock: SetClock) -> None:
    results = []
    for number in range(3):
        clock.moment = NOON + timedelta(minutes=number)
        results += track(engine, update(IN))
    for number in range(70):
        clock.moment = NOON + timedelta(minutes=number - 60)
        results += track(engine, update(IN, at=clock.moment if number % 2 else None))
    clock.advance(60)
    results += track(engine, update(FAR))
    assert {result.timing for result in results} == {Timing.ON_TIME}
    found = [(event.type, event.created_at - NOON, event.duration_s) for event in events_of(results)]
    assert [kind for kind, _, _ in found] == [
        *["user.entered_geofence"] * 2,
        *["user.dwelled_in_geofence"] * 2,
        *["user.exited_geofence"] * 2,
    ]
    assert found[2][1] == timedelta(minutes=-54)
    assert found[4][2] == 70 * 60


# Repeated updates


def test_an_update_that_comes_again_has_the_events_of_the_first_time(engine: Engine) -> None:
    first = track(engine, *visit(0, 1, 2, 3))
    again = track(engine, *visit(0, 1, 2, 3))
    assert [result.timing for result in again] == [Timing.REPEATED] * 4
    assert events_of(again) == []
    assert [result.repeated for result in again] == [result.events for result in first]
    assert len(engine.history.page(TEST, EventQuery()).items) == 2
    assert len(engine.tracking.recorded(TEST, RecordedQuery(device_id="phone")).points) == 4


def test_twice_in_one_batch_is_recognized_too(engine: Engine) -> None:
    results = engine.tracking.track_all(TEST, [at(0, IN), at(0, IN), at(1, FAR), at(0, IN)])
    assert [result.timing for result in results if isinstance(result, TrackResult)] == [
        Timing.ON_TIME,
        Timing.REPEATED,
        Timing.ON_TIME,
        Timing.REPEATED,
    ]


@pytest.mark.parametrize("seconds", [0.0, 0.9, 1.5])
def test_an_age_may_differ_by_a_second(engine: Engine, clock: SetClock, seconds: float) -> None:
    aged = replace(update(IN), age_s=10.0, once=True)
    clock.advance(0)
    track(engine, aged)
    clock.advance(30)
    again = track(engine, replace(aged, age_s=40.0 - seconds))[0]
    assert (again.timing is Timing.REPEATED) == (seconds < 1)


@pytest.mark.parametrize("change", [{"accuracy_m": 11.0}, {"beacons": ()}, {"device_id": "other"}, {"user_id": "ann"}])
def test_a_different_update_is_not_a_repetition(engine: Engine, change: dict[str, object]) -> None:
    track(engine, at(0, IN, user_id="bob"), at(1, FAR, user_id="bob"))
    other = at(0, IN, **({"user_id": "bob"} | change))
    assert track(engine, other)[0].timing is not Timing.REPEATED


def test_a_repeated_update_still_changes_the_user(engine: Engine) -> None:
    track(engine, *visit(0, 1))
    again = track(engine, at(0, FAR, description="Ann's phone", user_id="ann"))[0]
    assert (again.timing, again.user.description, again.user.user_id) == (Timing.REPEATED, "Ann's phone", "ann")
    assert again.user.updated_at == minute(1)
    stored = engine.users.page(TEST, UserQuery()).items
    assert [(user.description, user.user_id) for user in stored] == [("Ann's phone", "ann")]


def test_an_update_of_before_a_login_is_recognized_after_it(engine: Engine) -> None:
    (first,) = track(engine, at(0, IN))
    again = track(engine, at(0, IN, user_id="ann"), at(0, IN))
    assert [result.repeated for result in again] == [first.events, first.events]
    assert [user.user_id for user in engine.users.page(TEST, UserQuery()).items] == ["ann"]


def test_only_updates_of_clients_are_compared(engine: Engine) -> None:
    plain = [replace(each, once=False) for each in visit(0, 2, 10)]
    track(engine, *plain)
    assert [len(result.events) for result in track(engine, *plain)] == [0, 2, 2]


def test_a_thousand_are_remembered_without_kept_updates(tmp_path: Path) -> None:
    with opened(folder=tmp_path) as engine:
        engine.settings.change(TEST, SettingsChange(kept_updates=0))
        engine.tracking.track_all(TEST, [at(number / 60, IN) for number in range(1_200)])
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        again = track(engine, *[at(number / 60, IN) for number in (1_199, 700, 201, 50)])
        assert [result.timing for result in again] == [*[Timing.REPEATED] * 3, Timing.LATE]


@pytest.mark.parametrize("how", ["clear", "clear device", "delete user"])
def test_deleting_forgets_them(engine: Engine, how: str) -> None:
    track(engine, *visit(0, 2))
    match how:
        case "clear":
            engine.history.clear_test_data(None)
        case "clear device":
            engine.history.clear_test_data("phone")
        case _:
            engine.users.delete(TEST, "phone")
    assert len(events_of(track(engine, *visit(0, 2)))) == 2


def test_the_file_holds_no_position_of_them(tmp_path: Path) -> None:
    with opened(folder=tmp_path) as engine:
        engine.settings.change(TEST, SettingsChange(kept_updates=0))
        track(engine, at(0, IN), at(1, FAR))
        names = engine._parts.database.read(
            lambda connection: [row[1] for row in connection.exec_driver_sql("PRAGMA table_info(noted_updates)")]
        )
    assert names == ["user", "number", "at", "spread_ms", "digest", "event_ids"]
