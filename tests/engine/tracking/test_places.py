"""The place of a user: the decision as a pure function, and the places around a position."""

from datetime import timedelta
from math import inf

import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.domain.addresses.address import NO_REGIONS, Region, Regions, RegionType
from engine.domain.addresses.place import Chain, ChainSetting, NearbyPlace, Place, PlaceQuery
from engine.domain.geometry import Point
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings
from engine.domain.tracking.updates import NOWHERE, ChainVisits, EventType, Fix, PlaceState, PlaceStay
from engine.domain.values import replace
from engine.tracking.context import place_at, regions_at
from engine.tracking.nearby_cache import REACH_M, NearbyCache, spot_at
from engine.tracking.place_state import move
from engine.tracking.places import (
    MARGIN_M,
    MAX_PLACE_ACCURACY_M,
    MAX_VISITED,
    Spot,
    is_wanted,
    place_step,
    with_setting,
    with_visit,
)
from engine.tracking.regions import region_changes
from tests.engine.fixtures import NOON
from tests.engine.gazetteers import MIDDLE, at, box

ON = replace(DEFAULT_SETTINGS, places=True)
BURGER = Chain("Burger", "burger")
A = Place(id="a", name="A", point=MIDDLE, chain=BURGER, categories=("food-beverage", "restaurant"))
B = Place(id="b", name="B", point=MIDDLE, categories=("finance", "bank"))
STAY = PlaceStay(A, NOON - timedelta(minutes=5))


def fix(point: Point = MIDDLE, accuracy_m: float = 10, *, stopped: bool = True, foreground: bool = False) -> Fix:
    return Fix(point, accuracy_m, NOON, foreground, stopped)


@pytest.mark.parametrize(
    ("spot", "accuracy_m", "confidence"),
    [
        (Spot(A, 0, 30, 900), 10, 3),
        (Spot(A, 0, 10, 900), 10, 3),
        (Spot(A, 0, 9, 900), 10, 2),
        (Spot(A, 8, 0, 900), 10, 1),
        (Spot(A, 11, 0, 900), 10, None),
        (Spot(A, 40), 10, 3),
        (Spot(A, 41), 10, 2),
        (Spot(A, 50), 10, 2),
        (Spot(A, 51), 10, 1),
        (Spot(A, 60), 10, 1),
        (Spot(A, 0), MAX_PLACE_ACCURACY_M, 2),
        (Spot(A, 0), MAX_PLACE_ACCURACY_M + 1, None),
        (Spot(A, 0, 500, 9e5), MAX_PLACE_ACCURACY_M + 1, None),
    ],
)
def test_entering(spot: Spot, accuracy_m: float, confidence: int | None) -> None:
    reached = [spot] if spot.distance_m <= spot.reach_m(accuracy_m) else []
    step = place_step(None, None, reached, fix(accuracy_m=accuracy_m), ON)
    assert step.entered_confidence == confidence
    assert (step.entered is None) == (confidence is None)
    assert step.left is None
    if step.entered is not None:
        assert step.entered == PlaceStay(A, NOON)


@pytest.mark.parametrize(("stopped", "foreground"), [(True, False), (False, True), (True, True), (False, False)])
def test_entering_needs_stopped_or_foreground(stopped: bool, foreground: bool) -> None:
    step = place_step(None, None, [Spot(A, 0)], fix(stopped=stopped, foreground=foreground), ON)
    assert (step.entered is not None) == (stopped or foreground)


@pytest.mark.parametrize(("minimum", "entered"), [(1, True), (2, True), (3, False)])
def test_entering_needs_the_minimum_confidence(minimum: int, entered: bool) -> None:
    step = place_step(None, None, [Spot(A, 45)], fix(), replace(ON, minimum_confidence=minimum))
    assert (step.entered is not None) == entered


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        (ON, True),
        (replace(ON, place_chains=("burger",)), True),
        (replace(ON, place_chains=("denner",)), False),
        (replace(ON, place_categories=("food-beverage",)), True),
        (replace(ON, place_categories=("restaurant", "bank")), True),
        (replace(ON, place_categories=("bank",)), False),
        (replace(ON, place_categories=("bank",), place_chains=("burger",)), True),
    ],
)
def test_the_filters(settings: ProjectSettings, wanted: bool) -> None:
    assert is_wanted(A, settings) == wanted
    step = place_step(None, None, [Spot(A, 0), Spot(B, 5)], fix(), settings)
    assert step.entered is not None or not wanted
    if step.entered is not None:
        assert step.entered.place.id == ("a" if wanted else "b")


@pytest.mark.parametrize(
    ("current", "left"),
    [
        (Spot(A, 0, 5, 900), False),
        (Spot(A, 10 + MARGIN_M, 0, 900), False),
        (Spot(A, 10.1 + MARGIN_M, 0, 900), True),
        (Spot(A, 60 + MARGIN_M), False),
        (Spot(A, 60.1 + MARGIN_M), True),
        (Spot(A, 1e7), True),
    ],
)
@pytest.mark.parametrize("moving", [True, False])
def test_leaving_needs_a_margin_and_nothing_else(current: Spot, left: bool, moving: bool) -> None:
    step = place_step(STAY, current, [], fix(stopped=not moving), ON)
    assert (step.left, step.stay) == ((STAY, None) if left else (None, STAY))
    assert step.entered is None


def test_a_poor_fix_changes_nothing() -> None:
    step = place_step(STAY, Spot(A, 1e6), [Spot(B, 0)], fix(accuracy_m=MAX_PLACE_ACCURACY_M + 0.1), ON)
    assert (step.stay, step.left, step.entered) == (STAY, None, None)


@pytest.mark.parametrize(
    ("current", "best", "moved"),
    [
        (Spot(A, 20), Spot(B, 5), True),  # 15 m nearer, with an accuracy of 10
        (Spot(A, 15), Spot(B, 5), False),
        (Spot(A, 11, 0, 900), Spot(B, 0, 3, 900), True),  # next door, and outside the accuracy around here
        (Spot(A, 9, 0, 900), Spot(B, 0, 3, 900), False),
        (Spot(A, 0, 50, 9_000), Spot(B, 0, 3, 900), True),  # a shop in the mall
        (Spot(A, 0, 3, 900), Spot(B, 0, 50, 9_000), False),  # the mall around the shop
    ],
)
def test_another_place_takes_over_when_it_is_clearly_nearer_or_inside(current: Spot, best: Spot, moved: bool) -> None:
    step = place_step(STAY, current, [best], fix(), ON)
    assert (step.left == STAY, step.entered is not None) == (moved, moved)
    passing = place_step(STAY, current, [best], fix(stopped=False), ON)
    assert passing.stay == STAY, "nobody enters who drives past"


spots = st.builds(
    lambda place, distance, depth, size: Spot(place, 0.0 if depth else distance, depth, size),
    st.sampled_from([A, B]),
    st.floats(0, 400),
    st.just(0.0),
    st.none() | st.floats(1, 1e6),
)


@given(
    st.none() | st.just(STAY),
    spots,
    st.lists(spots, max_size=4),
    st.floats(0.1, 300),
    st.booleans(),
    st.booleans(),
    st.integers(1, 3),
)
def test_whatever_comes_a_user_is_at_one_place_at_most(
    stay: PlaceStay | None,
    current: Spot,
    around: list[Spot],
    accuracy_m: float,
    stopped: bool,
    foreground: bool,
    minimum: int,
) -> None:
    current = current._replace(place=A)
    step = place_step(
        stay,
        current if stay else None,
        around,
        fix(accuracy_m=accuracy_m, stopped=stopped, foreground=foreground),
        replace(ON, minimum_confidence=minimum),
    )
    assert step.left in (None, stay)
    if step.left is None and step.entered is None:
        assert step.stay is stay
    if step.entered is not None:
        assert stopped or foreground
        assert (step.entered_confidence or 0) >= minimum
        assert (step.left is not None) == (stay is not None), "whoever enters leaves first"
        assert stay is None or step.entered.place.id != stay.place.id
    if accuracy_m > MAX_PLACE_ACCURACY_M:
        assert step.stay is stay


def test_chains_have_the_settings_of_the_project() -> None:
    chains = (ChainSetting("denner"), ChainSetting("burger", "B-1", {"tier": 1}))
    assert with_setting(A, chains).chain == Chain("Burger", "burger", "B-1", {"tier": 1})
    assert with_setting(A, ()) is A
    assert with_setting(B, chains) is B
    assert with_setting(A, chains[:1]) is A


@given(st.lists(st.sampled_from("abcdefgh"), max_size=60))
def test_visits_are_counted_and_the_most_frequent_come_first(names: list[str]) -> None:
    visits: tuple[ChainVisits, ...] = ()
    for name in names:
        visits = with_visit(visits, Chain(name.upper(), name))
    assert {each.slug: each.count for each in visits} == {name: names.count(name) for name in names}
    assert [each.count for each in visits] == sorted((each.count for each in visits), reverse=True)
    assert with_visit(visits, None) is visits
    if names and names.count(names[-1]) == visits[0].count:
        assert visits[0].slug == names[-1], "of the same number the last one visited"
    for number in range(2 * MAX_VISITED):
        visits = with_visit(visits, Chain(str(number), str(number)))
    assert len(visits) == MAX_VISITED


# Places around a position


class Town:
    """A finder of a few places."""

    def __init__(self, *places: Place) -> None:
        self.places = places
        self.queries = 0

    def around(self, point: Point, radius_m: float) -> tuple[NearbyPlace, ...]:
        self.queries += 1
        near = (NearbyPlace(place, spot_at(place, point).distance_m) for place in self.places)
        return tuple(each for each in near if each.distance_m <= radius_m + 200)

    def chains_around(self, point: Point, radius_m: float) -> tuple[Chain, ...]:
        near = sorted(
            (spot_at(place, point).distance_m, place.chain.slug, place.chain) for place in self.places if place.chain
        )
        return tuple(dict.fromkeys(chain for distance_m, _, chain in near if distance_m <= radius_m))

    def get(self, place_id: str) -> Place | None:
        raise NotImplementedError

    def search(self, query: PlaceQuery, chains: tuple[ChainSetting, ...] = ()) -> tuple[NearbyPlace, ...]:
        raise NotImplementedError


LI = Regions(Region(RegionType.COUNTRY, "LI", "Liechtenstein"))


def around(*places: Place) -> tuple[NearbyCache, Town]:
    town = Town(*places)
    return NearbyCache(lambda: town, lambda _: LI), town


def outlined(key: str, west: float, south: float, east: float, north: float) -> Place:
    shape = box(west, south, east, north)
    middle = at((west + east) / 2, (south + north) / 2)
    return Place(id=key, name=key, point=middle, outline=shapely.to_wkb(shape))


def spot(key: str, east: float, north: float = 0) -> Place:
    return Place(id=key, name=key, point=at(east, north))


def test_the_smallest_that_holds_a_fix_comes_first_and_then_the_nearest() -> None:
    town, _ = around(
        spot("near", 12), outlined("mall", -100, -100, 100, 100), spot("far", 55), outlined("shop", -10, -10, 10, 10),
        spot("beyond", 61), outlined("next", 15, -10, 40, 10),
    )  # fmt: skip
    found = list(town.spots(fix(accuracy_m=10)))
    assert [each.place.id for each in found] == ["shop", "mall", "near", "far"], "next is 15 m away"
    shop = found[0]
    assert shop.holds
    assert shop.depth_m == pytest.approx(10, rel=0.01)
    assert shop.size_m2 == pytest.approx(400, rel=0.01)
    assert [each.place.id for each in town.spots(fix(accuracy_m=16))][:4] == ["shop", "mall", "near", "next"]


COFFEE = replace(spot("coffee", 0), chain=Chain("Starbucks", "starbucks"), categories=("food-beverage", "cafe"))
ART = replace(spot("art", 1), categories=("arts-entertainment", "artwork"))
BAR = replace(spot("bar", 14), categories=("food-beverage", "bar"))


def home(*categories: str) -> Place:
    return replace(outlined("home", -30, -20, 30, 20), categories=categories)


@pytest.mark.parametrize(
    ("holding", "here", "accuracy_m", "expected"),
    [
        (home("residence", "apartment-building"), at(0, 0), 10, ["coffee", "bar", "home", "art"]),
        (home("shopping-retail", "shopping-mall"), at(0, 0), 10, ["coffee", "bar", "home", "art"]),
        (home("residence", "apartment-building"), at(-2, 0), 10, ["coffee", "home", "art", "bar"]),
        (home("residence", "apartment-building"), at(-20, 0), 10, ["home", "coffee", "art", "bar"]),
        (home("residence", "apartment-building"), at(-20, 0), 50, ["coffee", "home", "art", "bar"]),
        (home("shopping-retail", "supermarket"), at(0, 0), 10, ["home", "coffee", "art", "bar"]),
        (home(), at(0, 0), 10, ["home", "coffee", "art", "bar"]),
    ],
)
def test_at_the_point_of_a_shop_a_user_is_in_it_and_not_in_the_building_around_it(
    holding: Place, here: Point, accuracy_m: float, expected: list[str]
) -> None:
    town, _ = around(holding, ART, BAR, COFFEE)
    found = list(town.spots(fix(here, accuracy_m)))
    assert [each.place.id for each in found] == expected
    entered = place_step(None, None, found, fix(here, accuracy_m), ON).stay
    assert entered is not None
    assert entered.place.id == expected[0]


def test_a_shop_takes_over_from_the_building_around_it_until_the_user_is_clearly_away() -> None:
    building = home("residence", "apartment-building")
    town, _ = around(building, COFFEE)
    stay: PlaceStay | None = None
    passed = []
    for east in (-28, 0, -16, -24, -26, -24, -14):
        here = fix(at(east, 0))
        current = None if stay is None else town.spot(stay.place, here)
        stay = place_step(stay, current, town.spots(here), here, ON).stay
        passed.append(None if stay is None else stay.place.id)
    assert passed == ["home", "coffee", "coffee", "coffee", "home", "home", "coffee"]


@given(st.floats(-300, 300), st.floats(-300, 300), st.floats(0.1, 100))
def test_places_reach_a_fix_according_to_their_distance(east: float, north: float, accuracy_m: float) -> None:
    shapes = {"mall": box(-100, -60, 80, 100), "shop": box(-20, -20, 30, 10)}
    points = {"x": (50.0, 50.0), "y": (-150.0, 0.0)}
    town, _ = around(
        outlined("mall", -100, -60, 80, 100), outlined("shop", -20, -20, 30, 10),
        *(spot(key, *place) for key, place in points.items()),
    )  # fmt: skip
    here = at(east, north)
    found = {each.place.id: each for each in town.spots(fix(here, accuracy_m))}
    for key, shape in shapes.items():
        inside = bool(shapely.intersects_xy(shape, here.longitude, here.latitude))
        assume(abs(shapely.distance(shapely.boundary(shape), shapely.Point(here.longitude, here.latitude))) > 1e-7)
        assert inside == (key in found and found[key].holds)
    for key, (x, y) in points.items():
        away_m = ((east - x) ** 2 + (north - y) ** 2) ** 0.5
        assume(abs(away_m - 50 - accuracy_m) > 1)
        assert (key in found) == (away_m <= 50 + accuracy_m)
    assert all(each.distance_m <= each.reach_m(accuracy_m) for each in found.values())


def test_a_cell_is_read_once_and_again_when_areas_change() -> None:
    town, finder = around(spot("a", 0))
    for _ in range(3):
        assert len(list(town.spots(fix()))) == 1
    assert finder.queries == 1
    finder.places = ()
    town.forget()
    assert list(town.spots(fix())) == []
    assert finder.queries == 2
    assert town.regions(MIDDLE) == LI


def test_a_removed_place_keeps_its_location() -> None:
    town, _ = around()
    assert town.spot(A, fix(at(30, 40))).distance_m == pytest.approx(50, rel=0.01)
    far = replace(A, point=Point(-170.0, 10.0))
    assert spot_at(far, Point(175.0, 10.0)).distance_m == pytest.approx(1_644_000, rel=0.02), "over the antimeridian"
    assert inf > REACH_M


def test_an_unreadable_gazetteer_makes_no_event_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    is_broken = True

    def read(_: Point) -> Regions:
        if is_broken:
            raise OSError("gone")
        return LI

    class Breaking(Town):
        def around(self, point: Point, radius_m: float) -> tuple[NearbyPlace, ...]:
            if is_broken:
                raise OSError("gone")
            return super().around(point, radius_m)

    hall = outlined("hall", 200, 0, 800, 600)
    town = NearbyCache(lambda: Breaking(hall), read)
    settings = replace(ON, regions=True)
    # Inside the hall, but far from its point.
    inside = fix(at(220, 20), 5)
    before = PlaceState(PlaceStay(replace(hall, outline=None), NOON), LI, (), 1)
    unread = move(before, inside, settings, 1, town)
    assert (unread.after, unread.events, unread.traced.place) == (before, (), None)
    assert not unread.traced.are_regions_known
    assert place_at(town, inside.point, 5, NOON, settings) is None
    assert regions_at(town, inside.point, settings) is NO_REGIONS
    assert len(caplog.records) == 1
    is_broken = False
    read_again = move(before, inside, settings, 1, town)
    assert (read_again.after, read_again.events, read_again.traced.are_regions_known) == (before, (), True)
    assert move(NOWHERE, inside, settings, 1, town).after.regions == LI


# Regions

countries = st.sampled_from([None, Region(RegionType.COUNTRY, "LI", "L"), Region(RegionType.COUNTRY, "US", "U")])
states = st.sampled_from([None, Region(RegionType.STATE, "PA", "P"), Region(RegionType.STATE, "NY", "N")])
codes = st.sampled_from([None, Region(RegionType.POSTAL_CODE, "16801", "1"), Region(RegionType.DMA, "574", "D")])
regions = st.builds(lambda *each: Regions.of(region for region in each if region), countries, states, codes)


@given(regions, regions)
def test_region_events_lead_from_one_state_to_the_other(before: Regions, after: Regions) -> None:
    inside = set(before.all)
    kinds = list(region_changes(before, after))
    for kind, region in kinds:
        word = region.type.value if region.type is not RegionType.POSTAL_CODE else "postal_code"
        if kind is EventType(f"user.entered_region_{word}"):
            assert region not in inside
            inside.add(region)
        else:
            assert kind is EventType(f"user.exited_region_{word}")
            inside.remove(region)
    assert inside == set(after.all)
    assert list(region_changes(after, after)) == []
