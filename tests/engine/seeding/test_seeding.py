"""A new workspace is filled from a seed, and Test is reset to it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Event as Flag

import pytest

from engine.domain.clock import ClockChange
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import Conflict, InvalidParameter, WorkspaceError
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Isochrone, Point
from engine.domain.hours import HoursRule
from engine.domain.queries import Change, EventQuery, UserQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking.beacon import BeaconChange
from engine.domain.tracking.explaining import UpdateQuery
from engine.domain.tracking.snapshots import BeaconSeed, ClockSeed, GeofenceSeed, Seed, StaySeed, UserSeed
from engine.domain.tracking.updates import EventType
from engine.domain.values import replace
from engine.engine import Engine
from engine.store.staging import records, turns
from tests.engine.fixtures import HOME, NOON, SetClock, beacon, circle, update
from tests.engine.geofences.test_portions import between

TEST, LIVE = Environment.TEST, Environment.LIVE
ID = "0123456789abcdef01234567"
FAST = {TEST: SettingsChange(rate_limit=False, dwell_event=True, default_dwell_threshold_s=60.0)}
ANN = UserSeed(
    environment=TEST,
    device_id="phone",
    user_id="ann",
    point=HOME,
    accuracy_m=10,
    updated_at=NOON - timedelta(minutes=5),
    stays=(StaySeed(tag="store", external_id="1", entered_at=NOON - timedelta(hours=1)),),
)


def fence(external_id: str = "1", environment: Environment = TEST, **fields: object) -> GeofenceSeed:
    made = GeofenceSeed(environment=environment, change=circle(external_id))
    return replace(made, **fields)  # type: ignore[arg-type]


SEED = Seed(settings=FAST, geofences=(fence(id=ID), fence("2", LIVE)), users=(ANN,))


@pytest.fixture(autouse=True, params=["at once", "in portions"])
def _stored(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Store restored records in one transaction, or each in a separate one."""
    if request.param == "in portions":
        monkeypatch.setattr(turns, "FEW", 0)
        monkeypatch.setattr(records, "AT_ONCE", 1)


@pytest.fixture
def empty(clock: SetClock) -> Iterator[Engine]:
    with Engine.open(":memory:", clock=clock) as engine:
        yield engine


@pytest.fixture
def seeded(empty: Engine) -> Engine:
    empty.seeding.load(SEED)
    return empty


def events(engine: Engine) -> list[str]:
    return [event.type for event in engine.history.page(TEST, EventQuery()).items]


def test_a_seed_fills_both_environments(seeded: Engine) -> None:
    (store,) = seeded.geofences.all(TEST)
    assert (store.id, store.tag, store.external_id) == (ID, "store", "1")
    assert (store.created_at, store.updated_at) == (NOON, NOON)
    assert [each.external_id for each in seeded.geofences.all(LIVE)] == ["2"]
    assert seeded.settings.get(TEST).dwell_event
    assert not seeded.settings.get(LIVE).dwell_event
    user = seeded.users.get(TEST, "ann")
    assert [inside.id for inside in user.geofences] == [ID]
    assert (user.created_at, user.updated_at) == (NOON - timedelta(minutes=5),) * 2
    assert events(seeded) == []


def test_a_stay_of_the_seed_goes_on(seeded: Engine) -> None:
    inside = seeded.tracking.track(TEST, update(user_id="ann"))
    assert [event.type for event in inside.events] == [EventType.DWELLED_IN_GEOFENCE]
    left = seeded.tracking.track(TEST, update(500, user_id="ann"))
    assert [(event.type, event.duration_s) for event in left.events] == [(EventType.EXITED_GEOFENCE, 3600.0)]


def test_a_user_who_has_dwelled_already_does_not_dwell_again(empty: Engine) -> None:
    stay = StaySeed(tag="store", external_id="1", entered_at=NOON - timedelta(hours=1), dwelled=True)
    empty.seeding.load(replace(SEED, users=(replace(ANN, stays=(stay,)),)))
    assert empty.tracking.track(TEST, update(user_id="ann")).events == ()


def test_a_reset_undoes_everything_in_test_and_nothing_in_live(seeded: Engine) -> None:
    seeded.tracking.track(TEST, update(500, user_id="ann"))
    seeded.tracking.track(TEST, update(user_id="bob", device_id="tablet"))
    seeded.tracking.track(LIVE, update(device_id="live"))
    (store,) = seeded.geofences.all(TEST)
    seeded.geofences.update(TEST, store.id, GeofenceChange(external_id="moved", size=5_000))
    # Another geofence has the seed's key now.
    seeded.geofences.create(TEST, circle("1"))
    (live,) = seeded.geofences.all(LIVE)
    seeded.geofences.update(LIVE, live.id, GeofenceChange(description="Changed in Live"))
    seeded.settings.change(TEST, SettingsChange(dwell_event=False, kept_updates=7))
    seeded.settings.change(LIVE, SettingsChange(kept_updates=8))
    seeded.set_clock(ClockChange(now=NOON + timedelta(days=9), frozen=True))

    for _ in range(2):
        seeded.seeding.reset()
        assert [replace(each, revision=0) for each in seeded.geofences.all(TEST)] == [replace(store, revision=0)]
        assert seeded.geofences.get_by_key(TEST, "store", "1").id == ID
        assert [user.user_id for user in seeded.users.page(TEST, UserQuery()).items] == ["ann"]
        assert events(seeded) == []
        assert (seeded.settings.get(TEST).dwell_event, seeded.settings.get(TEST).kept_updates) == (True, 100_000)
        assert seeded.test_clock.state().system

    assert seeded.geofences.get(LIVE, live.id).description == "Changed in Live"
    assert [user.device_id for user in seeded.users.page(LIVE, UserQuery()).items] == ["live"]
    assert seeded.settings.get(LIVE).kept_updates == 8
    # The same events happen again.
    assert [event.type for event in seeded.tracking.track(TEST, update(500, user_id="ann")).events] == [
        EventType.EXITED_GEOFENCE
    ]


def test_deleted_geofences_come_back(seeded: Engine) -> None:
    seeded.geofences.delete_all(TEST)
    seeded.seeding.reset()
    assert [geofence.id for geofence in seeded.geofences.all(TEST)] == [ID]
    seeded.tracking.track(TEST, update(500, user_id="ann"))
    entered = seeded.tracking.track(TEST, update(user_id="ann"))
    assert [event.type for event in entered.events] == [EventType.ENTERED_GEOFENCE]


def test_two_geofences_that_exchanged_their_keys_change_back(empty: Engine) -> None:
    empty.seeding.load(Seed(geofences=(fence("1"), fence("2"))))
    first, second = (empty.geofences.get_by_key(TEST, "store", name).id for name in ("1", "2"))
    for geofence_id, name in ((first, "other"), (second, "1"), (first, "2")):
        empty.geofences.update(TEST, geofence_id, GeofenceChange(external_id=name))
    empty.seeding.reset()
    assert empty.geofences.get_by_key(TEST, "store", "1").id == first
    assert empty.geofences.get_by_key(TEST, "store", "2").id == second


def test_a_reset_is_seen_as_a_whole(empty: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    beacons = tuple(BeaconSeed(environment=TEST, change=beacon(str(number), minor=number)) for number in range(3))
    empty.seeding.load(replace(SEED, beacons=beacons))
    for each in empty.beacons.all(TEST):
        empty.beacons.update(TEST, each.id, BeaconChange(minor=100 + each.signal.minor))  # type: ignore[union-attr]
    empty.beacons.delete_by_key(TEST, "door", "2")
    empty.geofences.create(TEST, circle("added"))
    empty.tracking.track(TEST, update(500, user_id="ann"))
    seen = []

    def look() -> None:
        held = empty.seeding.snapshot().contents[TEST]
        minors = [each.signal.minor for each in held.beacons]  # type: ignore[union-attr]
        assert sorted(minors) == sorted(each.signal.minor for each in empty.beacons.all(TEST))  # type: ignore[union-attr]
        there = sorted(empty.geofences.all(TEST), key=lambda each: each.external_id)
        assert [*held.geofences] == there
        seen.append((tuple(minors), len(held.geofences), len(held.users[0].stays)))

    between(monkeypatch, look)
    empty.seeding.reset()
    look()
    assert list(dict.fromkeys(seen)) == [((100, 101), 2, 0), ((0, 1, 2), 1, 1)]


def test_explanations_before_a_reset_are_forgotten_and_later_updates_are_explained(seeded: Engine) -> None:
    seeded.tracking.track(TEST, update(500, user_id="ann"))
    seeded.seeding.reset()
    seeded.tracking.track(TEST, update(user_id="ann"))
    explained = seeded.tracking.explain(TEST, UpdateQuery(device_id="phone"))
    assert explained.number == 2, "numbers are not given again"
    assert [each.geofence.id for each in explained.explanations] == [ID]


def test_a_reset_survives_a_new_start(tmp_path: Path, clock: SetClock) -> None:
    with Engine.open(tmp_path / "w", clock=clock) as engine:
        engine.seeding.load(SEED)
        engine.geofences.delete_all(TEST)
        engine.settings.change(TEST, SettingsChange(places=True))
        engine.seeding.reset()
    with Engine.open(tmp_path / "w", clock=clock) as engine:
        assert [geofence.id for geofence in engine.geofences.all(TEST)] == [ID]
        assert engine.settings.get(TEST).dwell_event
        assert not engine.settings.get(TEST).places
        assert engine.users.get(TEST, "ann").geofences[0].id == ID


def test_the_clock_goes_back_with_the_rest(empty: Engine, clock: SetClock) -> None:
    midnight = NOON.replace(hour=0)
    expiring = replace(circle("2"), delete_after=midnight + timedelta(hours=1))
    fences = fence("1"), GeofenceSeed(environment=TEST, change=expiring)
    empty.seeding.load(Seed(geofences=fences, clock=ClockSeed(now=midnight, frozen=True)))
    assert [each.created_at for each in empty.geofences.all(TEST)] == [midnight] * 2
    empty.set_clock(ClockChange(advance_s=2 * 3600.0))
    assert [each.external_id for each in empty.geofences.all(TEST)] == ["1"]
    clock.advance(60)
    empty.seeding.reset()
    assert empty.test_clock.state().now == midnight
    assert empty.test_clock.state().frozen
    assert sorted(each.external_id for each in empty.geofences.all(TEST)) == ["1", "2"]


def test_a_clock_that_runs_restarts_at_each_reset(empty: Engine, clock: SetClock) -> None:
    start = NOON - timedelta(days=300)
    empty.seeding.load(Seed(clock=ClockSeed(now=start, scale=60.0)))
    clock.advance(10)
    assert empty.test_clock.now() == start + timedelta(minutes=10)
    empty.seeding.reset()
    assert empty.test_clock.now() == start


def test_the_clock_of_the_command_line_counts_more_than_the_seeds(clock: SetClock) -> None:
    frozen = NOON + timedelta(days=1)
    with Engine.open(":memory:", clock=clock, frozen_at=frozen) as engine:
        engine.seeding.load(Seed(clock=ClockSeed(now=NOON, frozen=True)))
        engine.set_clock(ClockChange(system=True))
        engine.seeding.reset()
        assert (engine.test_clock.state().now, engine.test_clock.state().frozen) == (frozen, True)


def test_a_temporary_workspace_without_a_seed_becomes_empty(empty: Engine) -> None:
    empty.geofences.create(TEST, circle())
    empty.tracking.track(TEST, update())
    empty.settings.change(TEST, SettingsChange(dwell_event=True))
    empty.seeding.reset()
    assert (empty.geofences.all(TEST), events(empty), empty.settings.get(TEST).dwell_event) == ((), [], False)


def test_a_folder_without_a_seed_is_not_emptied(engine: Engine) -> None:
    engine.geofences.create(TEST, circle())
    with pytest.raises(Conflict, match="nothing to reset to"):
        engine.seeding.reset()
    assert len(engine.geofences.all(TEST)) == 1


def test_a_chosen_rule_of_hours_is_not_replaced(engine: Engine) -> None:
    engine.settings.change(TEST, SettingsChange(operating_hours_rule=HoursRule.CALENDAR))
    with pytest.raises(WorkspaceError, match=r"1 change of settings"):
        engine.seeding.load(SEED)


@pytest.mark.parametrize("environment", Environment)
def test_a_workspace_that_holds_something_is_not_filled(engine: Engine, environment: Environment) -> None:
    engine.geofences.create(environment, circle())
    engine.tracking.track(environment, update())
    engine.settings.change(environment, SettingsChange(dwell_event=True))
    with pytest.raises(WorkspaceError, match=r"1 geofence, 1 user, 1 event, 1 location update, 1 change of settings"):
        engine.seeding.load(SEED)
    assert len(engine.geofences.all(environment)) == 1


@pytest.mark.parametrize(
    ("seed", "place", "words"),
    [
        (Seed(geofences=(fence(), fence("2"), fence())), "geofences[2].external_id", "geofences[0]"),
        (Seed(geofences=(fence(id=ID), fence("2", LIVE, id=ID))), "geofences[1]._id", "geofences[0]"),
        (
            Seed(geofences=(GeofenceSeed(environment=TEST, change=circle(radius_m=5)),)),
            "geofences[0].size",
            "between 10 and 10000",
        ),
        (
            Seed(geofences=(fence(change=GeofenceChange(tag="a", external_id="b", description="c")),)),
            "geofences[0].type",
            "is required",
        ),
        (Seed(users=(replace(ANN, stays=()), replace(ANN, stays=()))), "users[1].device_id", "users[0]"),
        (Seed(users=(ANN,)), "users[0].geofences[0]", "no geofence of the file"),
        (Seed(geofences=(fence(environment=LIVE),), users=(ANN,)), "users[0].geofences[0]", "in Test"),
        (
            Seed(geofences=(fence(),), users=(replace(ANN, stays=ANN.stays * 2),)),
            "users[0].geofences[1]",
            "users[0].geofences[0]",
        ),
        (Seed(clock=ClockSeed(now=NOON.replace(year=2300))), "clock.now", "between 1971 and 2200"),
        (Seed(keys={KeyLevel.SECRET: "prj_test_pk_12345678"}), "keys.test.secret", "prj_test_sk_"),
        (Seed(keys={KeyLevel.PUBLISHABLE: "prj_test_pk_1234567"}), "keys.test.publishable", "8 to 64"),
        (
            Seed(settings={LIVE: SettingsChange(kept_updates=-1)}),
            "settings.live.kept_updates",
            "within",
        ),
        (
            Seed(settings={TEST: SettingsChange(place_chains=("no-such-chain",))}),
            "settings.test.place_chains",
            "no-such-chain",
        ),
    ],
)
def test_an_error_names_its_place_and_stores_nothing(empty: Engine, seed: Seed, place: str, words: str) -> None:
    whole = replace(seed, geofences=(*seed.geofences, fence("good")))
    with pytest.raises(InvalidParameter) as refused:
        empty.seeding.load(whole)
    assert refused.value.param == place
    assert refused.value.message.startswith(f"{place}: ")
    assert words in refused.value.message
    assert empty.geofences.all(TEST) == empty.geofences.all(LIVE) == ()
    assert (
        empty.seeding._parts.database.read(
            lambda connection: list(connection.exec_driver_sql("SELECT id FROM geofences UNION SELECT id FROM users"))
        )
        == []
    )
    empty.seeding.load(SEED)


def test_an_isochrone_with_its_ring_needs_no_router(empty: Engine) -> None:
    ring = ((9.51, 47.13), (9.53, 47.13), (9.53, 47.15), (9.51, 47.13))
    change = GeofenceChange(
        tag="reach",
        external_id="1",
        description="Five minutes",
        type="isochrone",
        coordinates=(9.5209, 47.1410),
        size=5.0,
        mode="foot",
    )
    empty.seeding.load(Seed(geofences=(GeofenceSeed(environment=TEST, change=change, ring=ring),)))
    (made,) = empty.geofences.all(TEST)
    assert made.geometry == Isochrone(ring, center=HOME, minutes=5.0, mode=made.geometry.mode)  # type: ignore[union-attr]
    crossed = GeofenceSeed(environment=TEST, change=replace(change, external_id="2"), ring=(*ring[:2], (9.5, 47.1)))
    with Engine.open(":memory:") as other, pytest.raises(InvalidParameter, match=r"^geofences\[0\]\.coordinates: "):
        other.seeding.load(Seed(geofences=(crossed,)))


def test_a_stay_in_a_geofence_that_is_disabled_meanwhile_has_ended(empty: Engine) -> None:
    closed = GeofenceSeed(environment=TEST, change=replace(circle(), disable_after=NOON - timedelta(days=1)))
    empty.seeding.load(Seed(geofences=(closed,), users=(ANN,)))
    assert empty.users.get(TEST, "ann").geofences == ()


def test_keys_of_the_seed_are_those_of_test(empty: Engine) -> None:
    before = empty.workspace.keys.value(LIVE, KeyLevel.SECRET)
    empty.seeding.load(Seed(keys={KeyLevel.SECRET: "prj_test_sk_0000000000"}))
    keys = empty.workspace.keys
    assert keys.value(TEST, KeyLevel.SECRET) == "prj_test_sk_0000000000"
    found = keys.find("prj_test_sk_0000000000")
    assert found is not None
    assert (found.environment, found.level) == (TEST, KeyLevel.SECRET)
    assert keys.value(LIVE, KeyLevel.SECRET) == before


def test_listeners_are_notified_of_a_reset_once_and_of_all_of_it(seeded: Engine) -> None:
    added = seeded.geofences.create(TEST, circle("added"))
    (store,) = [each for each in seeded.geofences.all(TEST) if each.external_id == "1"]
    seeded.geofences.update(TEST, store.id, GeofenceChange(description="Changed"))
    seeded.settings.change(TEST, SettingsChange(fraud=True))
    changes: list[Change] = []
    seeded.changes.subscribe(changes.append)
    seeded.seeding.reset()
    (change,) = changes
    assert [geofence.description for geofence in change.geofences] == ["store 1"]
    assert change.removed_geofence_ids == (added.id,)
    assert change.settings is not None
    assert (change.settings.fraud, change.reread, change.environment) == (False, True, TEST)
    # A reset that changes only users and events reports no other changes.
    seeded.seeding.reset()
    assert (changes[1].geofences, changes[1].removed_geofence_ids, changes[1].settings) == ((), (), None)


def test_updates_at_the_time_of_a_reset_are_stored_wholly_before_or_wholly_after(seeded: Engine) -> None:
    """Each device enters once after each reset: a half-forgotten entry would cause a second event, or none."""
    over, results = Flag(), []

    def walk(name: str) -> None:
        while not over.is_set():
            results.append(seeded.tracking.track(TEST, update(device_id=name)))

    with ThreadPoolExecutor(3) as pool:
        walking = [pool.submit(walk, f"phone {number}") for number in range(3)]
        for _ in range(20):
            seeded.seeding.reset()
        over.set()
        for each in walking:
            each.result()
    for name in ("phone 0", "phone 1", "phone 2"):
        seeded.tracking.track(TEST, update(device_id=name))
    users = {user.id: user for user in seeded.users.page(TEST, UserQuery()).items}
    stored = seeded.history.page(TEST, EventQuery(limit=1_000)).items
    # Since the last reset, every user has exactly the one entry that put them inside.
    entered = [event.user.id for event in stored if event.type == EventType.ENTERED_GEOFENCE]
    assert sorted(entered) == sorted(user.id for user in users.values() if user.user_id is None)
    assert all(user.geofences for user in users.values())
    assert results


def test_a_snapshot_is_of_one_commit(seeded: Engine) -> None:
    seeded.tracking.track(TEST, update(user_id="ann"))
    taken = seeded.seeding.snapshot()
    (store,) = taken.contents[TEST].geofences
    assert store.id == ID
    ((kept),) = taken.contents[TEST].users
    assert (kept.user.user_id, [stay.geofence_id for stay in kept.stays]) == ("ann", [ID])
    assert kept.stays[0].dwelled
    assert taken.clock.system
    assert [each.external_id for each in taken.contents[LIVE].geofences] == ["2"]
    assert taken.contents[LIVE].users == ()


def test_a_full_disk_changes_nothing(seeded: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    seeded.geofences.create(TEST, circle("added"))
    seeded.tracking.track(TEST, update(500, user_id="ann"))

    def full(*_: object, **__: object) -> None:
        raise OSError("No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("engine.seeding.seeding.put_back", full)
        with pytest.raises(OSError, match="No space"):
            seeded.seeding.reset()
    assert len(seeded.geofences.all(TEST)) == 2
    assert events(seeded) == [EventType.EXITED_GEOFENCE]
    seeded.seeding.reset()
    assert len(seeded.geofences.all(TEST)) == 1


def test_a_point_is_the_position_of_the_user(seeded: Engine) -> None:
    assert seeded.users.get(TEST, "ann").fix.point == Point(HOME.longitude, HOME.latitude)
