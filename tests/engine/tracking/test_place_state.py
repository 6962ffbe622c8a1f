"""Places and regions of users in an open engine: events, storage, switching off, restarts and replays."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from engine.domain.addresses.address import NO_REGIONS, Region, RegionType
from engine.domain.addresses.place import Chain, ChainSetting
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.queries import EventQuery, UserQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking.explaining import ReplayQuery, UpdateQuery
from engine.domain.tracking.updates import ChainSummary, Event, LocationUpdate, User
from engine.domain.tracking.verdicts import Topic, texts_about
from engine.domain.values import replace
from engine.engine import Engine
from engine.geocoding.geocoding import WORLD
from tests.engine.fixtures import NOON, SetClock
from tests.engine.gazetteers import BANK, CAFE, GRILL, MALL_ID, SHOP_ID, at, find_in, write_town

TEST = Environment.TEST
NEW_YORK, STATE_COLLEGE, VADUZ, ATLANTIC = (
    Point(-74.0, 40.72), Point(-77.86, 40.79), Point(9.521, 47.141), Point(-40.0, 35.0),
)  # fmt: skip
PLACES_ON = SettingsChange(places=True)
OUT = at(-3_000, 0)

needs_world = pytest.mark.skipif(not (WORLD / "world.sqlite").is_file(), reason="the world pack is not built")

ALL = ReplayQuery(device_ids=("phone",))


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_town(tmp_path_factory.mktemp("town") / "gazetteer.sqlite")


@pytest.fixture
def clock() -> SetClock:
    return SetClock(NOON)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def engine(folder: Path, clock: SetClock, town: Path) -> Iterator[Engine]:
    with Engine.open(folder, clock=clock) as opened:
        find_in(opened, town, world=WORLD)
        yield opened


def track(
    engine: Engine, clock: SetClock, point: Point, *, stopped: bool = True, accuracy_m: float = 10, minutes: float = 1
) -> tuple[User, tuple[Event, ...]]:
    clock.advance(60 * minutes)
    result = engine.tracking.track(TEST, LocationUpdate("phone", point, accuracy_m, stopped=stopped, explain=True))
    assert result.explanations == ()
    return result.user, result.events


def kinds(events: tuple[Event, ...]) -> list[tuple[str, str]]:
    """Return the type of each event, without ``user.``, and the ID of its place or region."""
    found = []
    for event in events:
        about = event.place.id if event.place else event.region.id if event.region else ""
        found.append((event.type.removeprefix("user."), about))
    return found


def test_nothing_happens_while_the_settings_are_off(engine: Engine, clock: SetClock) -> None:
    user, events = track(engine, clock, at(0, 0))
    assert (events, user.place, user.regions, user.top_chains) == ((), None, NO_REGIONS, ())
    assert engine.geocoding._embedded is None, "nobody looked"


def test_a_stay_that_a_late_update_interrupted_goes_on_once_the_device_rests_there(engine: Engine) -> None:
    def report(minute: float, point: Point, *, stopped: bool = True) -> list[Event]:
        moment = NOON - timedelta(days=1) + timedelta(minutes=minute)
        update = LocationUpdate("phone", point, 10, at=moment, stopped=stopped, once=True)
        return [event for event in engine.tracking.track(TEST, update).events if event.place]

    engine.settings.change(TEST, PLACES_ON)
    assert [kinds(tuple(report(minute, at(0, 0)))) for minute in (2, 3)] == [[("entered_place", CAFE)], []]
    (interrupted,) = report(0.5, OUT, stopped=False)
    assert (interrupted.type, interrupted.duration_s) == ("user.exited_place", 60)
    assert report(4, at(-20, 0), stopped=False) == [], "a device that moves enters no place, and this near leaves none"
    assert [event.type for event in report(6, at(0, 0))] == ["user.entered_place"]
    (left,) = report(10, OUT, stopped=False)
    assert (left.type, left.duration_s) == ("user.exited_place", 8 * 60)


def test_entering_and_leaving_a_place(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, PLACES_ON)
    user, (entered,) = track(engine, clock, at(0, 0))
    assert (entered.type, entered.confidence, entered.duration_s) == ("user.entered_place", 3, None)
    assert entered.place is not None
    assert (entered.place.id, entered.place.name) == (CAFE, "Café Amann")
    assert entered.place.categories == ("food-beverage", "cafe")
    assert (entered.place.outline, entered.geofence) == (None, None)
    assert (entered.point, entered.accuracy_m) == (at(0, 0), 10)
    assert user.place == entered.place
    assert track(engine, clock, at(-20, 0), stopped=False)[1] == ()
    user, (left,) = track(engine, clock, OUT, stopped=False, minutes=28)
    assert (left.type, left.confidence, left.duration_s) == ("user.exited_place", 3, 29 * 60)
    assert left.place == entered.place
    assert user.place is None
    assert engine.history.page(TEST, EventQuery()).items == (left, entered)
    assert engine.history.get(TEST, entered.id) == entered


def test_the_last_writes_leave_no_gazetteer_open(tmp_path: Path, town: Path) -> None:
    stored: list[BaseException | None] = []
    engine = Engine.open(tmp_path / "other", clock=SetClock(NOON))
    find_in(engine, town)
    engine.settings.change(TEST, PLACES_ON)
    # Each in a separate cell, for which the gazetteer must be read.
    updates = (LocationUpdate(f"phone {step}", at(200.0 * step, 0), 10, stopped=True) for step in range(300))
    engine.tracking.submit((TEST, update, lambda _, error: stored.append(error)) for update in updates)
    engine.close()
    assert stored == [None] * 300
    assert engine.geocoding._embedded is None


def test_moving_devices_enter_nothing(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, PLACES_ON)
    assert track(engine, clock, at(0, 0), stopped=False)[1] == ()
    assert kinds(track(engine, clock, at(0, 0))[1]) == [("entered_place", CAFE)]


def test_an_explained_update_has_the_reason_for_no_place(engine: Engine, clock: SetClock) -> None:
    def reason(point: Point, accuracy_m: float = 10, *, stopped: bool = True) -> str | None:
        clock.advance(60)
        update = LocationUpdate("phone", point, accuracy_m, stopped=stopped, explain=True)
        return texts_about(engine.tracking.track(TEST, update).verdicts, Topic.PLACE)

    def entry(why: str) -> str:
        return f"user.entered_place did not fire: {why}; {chains}"

    chains = "user.nearby_place_chain did not fire: the settings name no chains"
    assert reason(at(0, 0)) is None, "places are off"
    engine.settings.change(TEST, SettingsChange(places=True, minimum_confidence=2))
    assert reason(OUT) == entry("no place is close enough")
    assert reason(at(0, 0), 101) == entry("the accuracy of 101 m is above 100 m")
    assert reason(at(0, 0), stopped=False) == entry("the device is neither stopped nor in the foreground")
    assert reason(at(-55, 0)) == entry("the confidence for Café Amann is 1, below the minimum of 2")
    assert reason(at(0, 0)) == (
        "user.entered_place fired: the device is stopped; the location is 0 m from Café Amann, within its reach of "
        f"60 m; the confidence is 3, at least the minimum of 2; {chains}"
    )
    still = "the location is 5 m from Café Amann, not farther than 85 m"
    assert (reason(at(5, 0)) or "").startswith(f"user.exited_place did not fire: {still}; user.entered_place did not")
    left = "user.exited_place fired: the location is 2998 m from Café Amann, farther than 85 m"
    assert reason(OUT) == f"{left}; {entry('no place is close enough')}"
    engine.settings.change(TEST, SettingsChange(place_categories=("bank",)))
    assert reason(at(0, 0)) == entry("Café Amann is not in the chains and categories of the settings")
    clock.advance(60)
    assert engine.tracking.track(TEST, LocationUpdate("phone", at(0, 0), 10)).verdicts == (), "nobody asked"


def test_from_the_mall_into_a_shop_and_home(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, PLACES_ON)
    assert kinds(track(engine, clock, at(250, 50))[1]) == [("entered_place", MALL_ID)]
    assert kinds(track(engine, clock, at(320, 0))[1]) == [("exited_place", MALL_ID), ("entered_place", SHOP_ID)]
    assert kinds(track(engine, clock, at(345, 0))[1]) == [], "the accuracy reaches back into the shop"
    assert kinds(track(engine, clock, at(360, 0))[1]) == [("exited_place", SHOP_ID), ("entered_place", MALL_ID)]
    assert kinds(track(engine, clock, OUT)[1]) == [("exited_place", MALL_ID)]


def test_only_places_that_match_the_filters(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, SettingsChange(places=True, place_chains=("mcdonalds",), place_categories=("bank",)))
    came = [("entered_place", GRILL), ("nearby_place_chain", GRILL)]
    assert kinds(track(engine, clock, at(0, 0))[1]) == came, "the café is nearer"
    assert kinds(track(engine, clock, at(0, 600))[1]) == [("exited_place", GRILL), ("entered_place", BANK)]
    assert kinds(track(engine, clock, at(320, 0))[1]) == [("exited_place", BANK)]


def test_coming_near_a_chain_of_the_settings(folder: Path, engine: Engine, clock: SetClock, town: Path) -> None:
    def go(east_m: float, accuracy_m: float = 10) -> list[tuple[str, str]]:
        return kinds(track(engine, clock, at(east_m, 0), stopped=False, accuracy_m=accuracy_m)[1])

    engine.settings.change(TEST, PLACES_ON)
    assert go(-700) == [], "no chain is named"
    chains = (ChainSetting("mcdonalds", "M-1", {"tier": 2}, "mcdonalds.com"),)
    engine.settings.change(TEST, SettingsChange(place_chains=("mcdonalds", "denner"), chains=chains))
    _, events = track(engine, clock, at(-700, 0), stopped=False)
    assert kinds(events) == [("nearby_place_chain", GRILL)], "the nearest place of the chain that is within 1 km"
    near = events[0]
    assert near.place is not None
    assert (near.confidence, near.place.chain) == (
        3,
        Chain("McDonald's", "mcdonalds", "M-1", {"tier": 2}, "mcdonalds.com"),
    )
    assert engine.history.get(TEST, near.id) == near
    kept = engine.tracking.explain(TEST, UpdateQuery(device_id="phone"))
    reason = texts_about(kept.verdicts, Topic.PLACE) or ""
    assert "user.nearby_place_chain fired: a place of McDonald's is near: " in reason
    assert go(-300) == [("nearby_place_chain", SHOP_ID)]
    assert go(-300, accuracy_m=1_500) == [], "nobody knows"
    assert go(-1_110) == [], "beyond 1 km, and not yet away from it"
    assert (go(-300), go(-3_000)) == ([("nearby_place_chain", SHOP_ID)], []), "the shop was away by then"
    assert sorted(go(-300)) == sorted([("nearby_place_chain", GRILL), ("nearby_place_chain", SHOP_ID)])
    same = engine.tracking.replay(TEST, ReplayQuery(device_ids=("phone",)))
    assert (len(same.before), same.removed, same.added) == (5, (), ())
    engine.close()
    with Engine.open(folder, clock=clock) as second:
        find_in(second, town, world=WORLD)
        assert kinds(track(second, clock, at(-290, 0), stopped=False)[1]) == [], "what is near is stored"
        second.settings.change(TEST, SettingsChange(places=False))
        second.settings.change(TEST, PLACES_ON)
        assert len(track(second, clock, at(-290, 0), stopped=False)[1]) == 2


def test_coming_near_a_chain_requires_the_minimum_confidence(engine: Engine, clock: SetClock) -> None:
    chosen = SettingsChange(places=True, place_chains=("mcdonalds",), minimum_confidence=3)
    engine.settings.change(TEST, chosen)
    assert kinds(track(engine, clock, at(-700, 0), accuracy_m=500)[1]) == []
    assert kinds(track(engine, clock, at(-700, 0), accuracy_m=100)[1]) == [("nearby_place_chain", GRILL)]


def test_the_chains_visited_most(engine: Engine, clock: SetClock) -> None:
    chains = (ChainSetting("mcdonalds", "M-1", {"tier": 2}),)
    engine.settings.change(TEST, SettingsChange(places=True, chains=chains))
    for point in (at(320, 0), OUT, at(60, 0), OUT, at(60, 0), OUT):
        track(engine, clock, point)
    user, (entered,) = track(engine, clock, at(60, 0))
    assert entered.place is not None
    assert entered.place.chain == Chain("McDonald's", "mcdonalds", "M-1", {"tier": 2})
    top = (ChainSummary("McDonald's", "mcdonalds", "M-1", {"tier": 2}), ChainSummary("Denner", "denner"))
    assert user.top_chains == top
    assert engine.users.get(TEST, "phone").top_chains == top
    assert engine.history.get(TEST, entered.id).user.top_chains == top
    renamed = (ChainSetting("mcdonalds", None, domain="mcdonalds.com"),)
    engine.settings.change(TEST, SettingsChange(chains=renamed))
    track(engine, clock, OUT)
    user, (entered,) = track(engine, clock, at(60, 0))
    assert user.top_chains[0] == ChainSummary("McDonald's", "mcdonalds", domain="mcdonalds.com")
    assert engine.history.get(TEST, entered.id).user.top_chains == user.top_chains
    engine.settings.change(TEST, SettingsChange(chains=None))
    assert engine.users.get(TEST, "phone").top_chains[0] == ChainSummary("McDonald's", "mcdonalds")
    engine.settings.change(TEST, SettingsChange(places=False))
    assert engine.users.get(TEST, "phone").top_chains == ()
    engine.settings.change(TEST, PLACES_ON)
    track(engine, clock, OUT)
    assert [chain.slug for chain in engine.users.get(TEST, "phone").top_chains] == ["mcdonalds", "denner"]


def test_a_stay_survives_a_restart(folder: Path, clock: SetClock, town: Path) -> None:
    with Engine.open(folder, clock=clock) as first:
        find_in(first, town, world=WORLD)
        first.settings.change(TEST, PLACES_ON)
        before, _ = track(first, clock, at(60, 0))
        assert before.place is not None
    with Engine.open(folder, clock=clock) as second:
        find_in(second, town, world=WORLD)
        assert second.users.get(TEST, "phone") == before
        assert second.users.page(TEST, UserQuery()).items == (before,)
        assert track(second, clock, at(60, 0))[1] == ()
        _, (left,) = track(second, clock, OUT, minutes=8)
        assert (left.type, left.duration_s) == ("user.exited_place", 9 * 60)


@pytest.mark.parametrize("update_between", [True, False])
@pytest.mark.parametrize("restart", [True, False])
def test_switching_off_clears_it_without_an_event(
    folder: Path, clock: SetClock, town: Path, update_between: bool, restart: bool
) -> None:
    with Engine.open(folder, clock=clock) as engine:
        find_in(engine, town, world=WORLD)
        engine.settings.change(TEST, PLACES_ON)
        track(engine, clock, at(0, 0))
        engine.settings.change(TEST, SettingsChange(places=False))
        assert engine.users.get(TEST, "phone").place is None
        if update_between:
            assert track(engine, clock, at(0, 0))[1] == ()
        engine.settings.change(TEST, SettingsChange(places=True))
        assert engine.users.get(TEST, "phone").place is None
        if not restart:
            assert kinds(track(engine, clock, at(0, 600))[1]) == [("entered_place", BANK)]
    if restart:
        with Engine.open(folder, clock=clock) as engine:
            find_in(engine, town, world=WORLD)
            assert engine.users.get(TEST, "phone").place is None
            assert kinds(track(engine, clock, at(0, 600))[1]) == [("entered_place", BANK)]


def test_other_settings_do_not_end_a_stay(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, PLACES_ON)
    track(engine, clock, at(0, 0))
    engine.settings.change(TEST, SettingsChange(dwell_event=True))
    assert engine.users.get(TEST, "phone").place is not None
    assert track(engine, clock, at(0, 0))[1] == ()
    assert kinds(track(engine, clock, OUT)[1]) == [("exited_place", CAFE)]


def test_areas_that_go_take_no_stay_with_them(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, PLACES_ON)
    track(engine, clock, at(0, 0))
    find_in(engine, world=WORLD)
    engine._parts.around.forget()
    assert track(engine, clock, at(0, 5))[1] == ()
    assert kinds(track(engine, clock, OUT)[1]) == [("exited_place", CAFE)]
    assert track(engine, clock, at(0, 0))[1] == ()


@needs_world
def test_regions(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, SettingsChange(regions=True))
    user, events = track(engine, clock, VADUZ, stopped=False)
    assert kinds(events) == [("entered_region_country", "country-LI")]
    assert (user.regions.country, user.regions.state) == (Region(RegionType.COUNTRY, "LI", "Liechtenstein"), None)
    assert track(engine, clock, VADUZ)[1] == ()
    assert track(engine, clock, NEW_YORK, accuracy_m=1_500)[1] == (), "not accurate enough"
    user, events = track(engine, clock, NEW_YORK)
    assert [kind for kind, _ in kinds(events)] == [
        "exited_region_country", "entered_region_country", "entered_region_state", "entered_region_postal_code",
    ]  # fmt: skip
    assert user.regions.state == Region(RegionType.STATE, "NY", "New York")
    assert engine.users.get(TEST, "phone").regions == user.regions
    assert engine.history.page(TEST, EventQuery()).items[0] in events
    _, events = track(engine, clock, STATE_COLLEGE)
    assert [kind for kind, _ in kinds(events)] == [
        "exited_region_postal_code", "exited_region_state", "entered_region_state", "entered_region_postal_code",
    ]  # fmt: skip
    user, events = track(engine, clock, ATLANTIC)
    assert user.regions == NO_REGIONS
    assert {kind.split("_")[0] for kind, _ in kinds(events)} == {"exited"}
    assert all(event.confidence == 3 and event.duration_s is None for event in events)


@needs_world
def test_regions_survive_a_restart_and_end_with_the_setting(folder: Path, clock: SetClock, town: Path) -> None:
    with Engine.open(folder, clock=clock) as first:
        find_in(first, town, world=WORLD)
        first.settings.change(TEST, SettingsChange(regions=True, places=True))
        before, events = track(first, clock, at(0, 0))
        assert [kind for kind, _ in kinds(events)] == ["entered_place", "entered_region_country"]
    with Engine.open(folder, clock=clock) as second:
        find_in(second, town, world=WORLD)
        assert second.users.get(TEST, "phone") == before
        assert track(second, clock, at(0, 0))[1] == ()
        second.settings.change(TEST, SettingsChange(regions=False))
        user = second.users.get(TEST, "phone")
        assert (user.regions, user.place) == (NO_REGIONS, before.place)
        second.settings.change(TEST, SettingsChange(regions=True))
        assert kinds(track(second, clock, at(0, 0))[1]) == [("entered_region_country", "country-LI")]


@needs_world
def test_a_replay_contains_actual_and_hypothetical_events(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, SettingsChange(places=True))
    happened = [event for point in (at(0, 0), at(320, 0), OUT, at(60, 0)) for event in track(engine, clock, point)[1]]
    query = ReplayQuery(device_ids=("phone",))
    same = engine.tracking.replay(TEST, query)
    assert same.removed == same.added == ()
    assert [
        (event.type, event.created_at, event.place, event.confidence, event.duration_s) for event in same.before
    ] == [(event.type, event.created_at, event.place, event.confidence, event.duration_s) for event in happened]
    off = engine.tracking.replay(TEST, ReplayQuery(device_ids=("phone",), change=SettingsChange(places=False)))
    assert off.after == ()
    assert len(off.removed) == len(happened) == 5
    only = engine.tracking.replay(TEST, replace(ALL, change=SettingsChange(place_chains=("denner",))))
    assert [(event.type, event.place and event.place.id) for event in only.after] == [
        ("user.nearby_place_chain", SHOP_ID), ("user.entered_place", SHOP_ID), ("user.exited_place", SHOP_ID),
        ("user.nearby_place_chain", SHOP_ID),
    ]  # fmt: skip
    regions = engine.tracking.replay(TEST, ReplayQuery(device_ids=("phone",), change=SettingsChange(regions=True)))
    assert [(event.type.split("_")[0], event.region and event.region.code) for event in regions.added] == [
        ("user.entered", "LI"), ("user.exited", "LI"), ("user.entered", "CH"), ("user.exited", "CH"),
        ("user.entered", "LI"),
    ], "the way out goes over the Rhine"  # fmt: skip
    later = engine.tracking.replay(TEST, replace(ALL, after=NOON + timedelta(minutes=2, seconds=30)))
    assert [event.type for event in later.before] == ["user.exited_place", "user.entered_place"], "who was in the shop"
    assert engine.tracking.explain(TEST, UpdateQuery(device_id="phone")).explanations == ()


def test_a_replay_forgets_the_place_wherever_the_settings_were_off_meanwhile(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, PLACES_ON)
    assert kinds(track(engine, clock, at(0, 0))[1]) == [("entered_place", CAFE)]
    engine.settings.change(TEST, SettingsChange(places=False))
    engine.settings.change(TEST, PLACES_ON)
    assert kinds(track(engine, clock, at(0, 0))[1]) == [("entered_place", CAFE)]
    for after in (None, NOON + timedelta(minutes=1, seconds=30)):
        same = engine.tracking.replay(TEST, ReplayQuery(device_ids=("phone",), after=after))
        assert len(same.before) == (2 if after is None else 1)
        assert same.removed == same.added == ()
    always = engine.tracking.replay(TEST, ReplayQuery(device_ids=("phone",), change=PLACES_ON))
    assert [event.type for event in always.after] == ["user.entered_place"], "it was never off"


def test_two_users_of_a_device_are_at_places_of_their_own(engine: Engine, clock: SetClock) -> None:
    engine.settings.change(TEST, PLACES_ON)
    for user_id, point in (("anna", at(0, 0)), ("ben", at(320, 0))):
        clock.advance(60)
        engine.tracking.track(TEST, LocationUpdate("phone", point, 10, user_id=user_id, foreground=True))
    found = {user.user_id: user.place for user in engine.users.page(TEST, UserQuery()).items}
    assert {user_id: place and place.id for user_id, place in found.items()} == {"anna": CAFE, "ben": SHOP_ID}


def test_a_kept_update_has_the_reason_for_its_place_or_none(engine: Engine, clock: SetClock) -> None:
    def reason() -> str | None:
        kept = engine.tracking.explain(TEST, UpdateQuery(device_id="phone"))
        return texts_about(kept.verdicts, Topic.PLACE)

    track(engine, clock, at(0, 0))
    assert reason() is None, "places were off"
    engine.settings.change(TEST, PLACES_ON)
    track(engine, clock, at(0, 0), stopped=False)
    moving = "user.entered_place did not fire: the device is neither stopped nor in the foreground"
    assert (reason() or "").startswith(moving)
    track(engine, clock, at(0, 0))
    entered = reason() or ""
    assert entered.startswith("user.entered_place fired: ")
    track(engine, clock, at(5, 0))
    assert (reason() or "").startswith("user.exited_place did not fire: the location is 5 m from Café Amann")
    track(engine, clock, OUT)
    assert (reason() or "").startswith("user.exited_place fired: the location is 2998 m from Café Amann")
    # The earlier result stays, regardless of later settings and data.
    engine.settings.change(TEST, SettingsChange(place_categories=("bank",)))
    find_in(engine)
    at_entry = UpdateQuery(device_id="phone", at=clock.now() - timedelta(minutes=2))
    assert texts_about(engine.tracking.explain(TEST, at_entry).verdicts, Topic.PLACE) == entered


@needs_world
def test_a_kept_update_names_the_regions_it_enters_and_leaves(engine: Engine, clock: SetClock) -> None:
    def reason() -> str | None:
        kept = engine.tracking.explain(TEST, UpdateQuery(device_id="phone"))
        return texts_about(kept.verdicts, Topic.REGION)

    track(engine, clock, VADUZ)
    assert reason() is None, "regions were off"
    engine.settings.change(TEST, SettingsChange(regions=True))
    track(engine, clock, ATLANTIC)
    sea = "no country contains the position or is within 12 nautical miles of it"
    assert reason() == f"user.entered_region_country did not fire: {sea}"
    track(engine, clock, VADUZ)
    entered = reason() or ""
    assert entered.startswith("user.entered_region_country fired: the position is in the country Liechtenstein; ")
    assert "states are known only in the United States and Canada" in entered
    track(engine, clock, VADUZ)
    still = "the position is still in the country Liechtenstein"
    assert (reason() or "").startswith(f"user.exited_region_country did not fire: {still}")
    track(engine, clock, ATLANTIC, accuracy_m=5_000)
    assert (reason() or "").endswith(": the accuracy of 5000 m is above 1000 m")
    track(engine, clock, ATLANTIC)
    assert (reason() or "").startswith("user.exited_region_country fired: the position is in no country, no longer in ")
