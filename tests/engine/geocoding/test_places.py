"""Places by chain, category, group and airport: in a small town, and in Manhattan compared with the extract."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.addresses.place import ChainSetting, NearbyPlace, PlaceQuery
from engine.domain.addresses.taxonomy import GROUPS, PATHS
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.gazetteer.rows import place_id_of
from engine.geo.earth import around as flat
from engine.geo.earth import distance_m
from engine.geocoding.search.places import Places
from tests.engine.gazetteers import (
    AIRPORT,
    AIRPORT_ID,
    BANK,
    CAFE,
    FIELD,
    GATE,
    GRILL,
    MALL_ID,
    SHOP_ID,
    at,
    write_town,
)
from tests.engine.geocoding.extracts import read_objects
from tests.shared import SharedData


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gazetteer]:
    gazetteer = Gazetteer(write_town(tmp_path_factory.mktemp("town") / "gazetteer.sqlite"))
    yield gazetteer
    gazetteer.close()


@pytest.fixture
def places(town: Gazetteer) -> Places:
    return Places(lambda: (town,), lambda: None)


def place_query(**given_fields: Any) -> PlaceQuery:
    words = ("chains", "categories", "groups", "countries")
    fields: dict[str, Any] = {"near": at(0, 0)}
    fields |= {name: frozenset(value) if name in words else value for name, value in given_fields.items()}
    return PlaceQuery(**fields)


def ids(found: tuple[NearbyPlace, ...]) -> list[str]:
    return [each.place.id for each in found]


def refused(places: Places, query: PlaceQuery, chains: tuple[ChainSetting, ...] = ()) -> InvalidParameter:
    with pytest.raises(InvalidParameter) as error:
        places.search(query, chains)
    return error.value


def test_a_place_as_it_is_found(places: Places) -> None:
    (found,) = places.search(place_query(chains={"mcdonalds"}))
    place = found.place
    assert found.distance_m == pytest.approx(40, rel=0.01)
    assert (place.id, place.name, place.country_code) == (GRILL, "McDonald's", "LI")
    assert place.chain is not None
    assert (place.chain.slug, place.chain.name, place.chain.external_id) == ("mcdonalds", "McDonald's", None)
    assert place.categories == ("food-beverage", "restaurant", "fast-food-restaurant")
    cafe = places.get(CAFE)
    assert cafe is not None
    assert cafe.name == "Café Amann"
    assert places.get(GRILL) == place
    assert places.get("none") is None


def test_inside_an_outline_the_distance_is_nothing(places: Places) -> None:
    found = places.search(place_query(near=at(320, 0), groups={"shopping-retail"}))
    assert ids(found) == [SHOP_ID, MALL_ID], "the smallest first"
    assert [each.distance_m for each in found] == [0, 0]
    (mall,) = places.search(place_query(near=at(0, 0), categories={"shopping-mall"}))
    assert mall.distance_m == pytest.approx(200, rel=0.01), "to the nearest wall, not to the middle"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (place_query(categories={"food-beverage"}), [CAFE, GRILL]),
        (place_query(categories={"restaurant"}), [GRILL]),
        (place_query(categories={"fast-food-restaurant", "bank"}), [GRILL, BANK]),
        (place_query(categories={"food-beverage"}, limit=1), [CAFE]),
        (place_query(categories={"food-beverage"}, radius_m=39.0), [CAFE]),
        (place_query(categories={"food-beverage"}, radius_m=10_000.0), [CAFE, GRILL, GATE]),
        (place_query(categories={"cinema"}), []),
        (place_query(categories={"bank"}, chains={"denner"}), []),
        (place_query(categories={"supermarket"}, chains={"denner", "mcdonalds"}), [SHOP_ID]),
        (place_query(groups={"food-beverage"}), [CAFE, GRILL]),
        (place_query(groups={"coffee"}), [CAFE]),
        (place_query(groups={"grocery"}, categories={"bank"}), [SHOP_ID, BANK]),
        (place_query(categories={"food-beverage"}, countries={"LI"}), [CAFE, GRILL]),
        (place_query(categories={"food-beverage"}, countries={"CH", "AT"}), []),
        (place_query(iata_code="VDZ", near=None), [AIRPORT_ID, GATE]),
        (place_query(iata_code="vdz", near=None, categories={"food-beverage"}), [GATE]),
        (place_query(iata_code="VDZ", near=at(0, 0), chains={"mcdonalds"}), [GATE]),
        (place_query(iata_code="VDZ", near=at(0, 0), radius_m=100.0), []),
        (place_query(iata_code="VDZ", radius_m=10_000.0), [AIRPORT_ID, GATE]),
        (place_query(iata_code="FLD", near=None), [FIELD]),
    ],
)
def test_searches(places: Places, query: PlaceQuery, expected: list[str]) -> None:
    assert ids(places.search(query)) == expected


def test_the_projects_own_chains(places: Places) -> None:
    chains = (
        ChainSetting("mcdonalds", "M-1", {"tier": 2}, "mcdonalds.com"),
        ChainSetting("denner", None, {"tier": 2, "open": True}),
    )
    (grill,) = places.search(place_query(chains={"M-1"}), chains)
    assert grill.place.chain is not None
    assert (grill.place.chain.external_id, dict(grill.place.chain.metadata)) == ("M-1", {"tier": 2})
    assert grill.place.chain.domain == "mcdonalds.com"
    assert ids(places.search(place_query(chains={"mcdonalds"}), chains)) == [GRILL]
    assert ids(places.search(place_query(chain_metadata={"tier": 2}), chains)) == [GRILL, SHOP_ID]
    assert ids(places.search(place_query(chain_metadata={"open": True}), chains)) == [SHOP_ID]
    assert ids(places.search(place_query(chains={"mcdonalds"}, chain_metadata={"open": True}), chains)) == []
    assert ids(places.search(place_query(categories={"supermarket"}, chain_metadata={"tier": 2}), chains)) == [SHOP_ID]
    assert ids(places.search(place_query(chain_metadata={"tier": True}), chains)) == [], "a boolean is no number"
    (cafe,) = places.search(place_query(categories={"cafe"}), chains)
    assert cafe.place.chain is None


@pytest.mark.parametrize(
    ("query", "param", "words"),
    [
        (place_query(categories={"cinemas"}), "categories", "cinema"),
        (place_query(groups={"foods"}), "groups", "'foods'"),
        (place_query(iata_code="QQQ"), "iata_code", "'QQQ'"),
        (place_query(iata_code="", near=None), "iata_code", "''"),
        (place_query(near=None, chains={"mcdonalds"}), "near", "required"),
    ],
)
def test_unknown_words(places: Places, query: PlaceQuery, param: str, words: str) -> None:
    error = refused(places, query)
    assert error.param == param
    assert words in error.message


def test_an_unknown_chain_is_refused_if_the_worlds_brands_are_known(town: Gazetteer, pack: Path) -> None:
    world = Gazetteer(pack / "world.sqlite")
    places = Places(lambda: (town,), lambda: world)
    try:
        assert places.search(place_query(chains={"starbucks"})) == (), "known, and not here"
        error = refused(places, place_query(chains={"starbuks"}))
        assert (error.param, "did you mean starbucks?" in error.message) == ("chains", True)
        assert "did you mean mcdonalds?" in refused(places, place_query(chains={"McDonald's"})).message
        assert places.search(place_query(chains={"own-chain"}), (ChainSetting("own-chain", "O"),)) == ()
        assert ids(places.search(place_query(iata_code="SCE", near=None))) == [], "an airport where no area is"
        assert refused(places, place_query(iata_code="QQQ", near=None)).param == "iata_code"
    finally:
        world.close()
    assert Places(lambda: (town,), lambda: None).search(place_query(chains={"starbuks"})) == (), "no chain is known"


def test_areas_that_overlap_have_a_place_once(town: Gazetteer, tmp_path: Path) -> None:
    other = Gazetteer(write_town(tmp_path / "gazetteer.sqlite"))
    places = Places(lambda: (town, other), lambda: None)
    assert ids(places.search(place_query(categories={"food-beverage"}, limit=2))) == [CAFE, GRILL]
    assert ids(places.around(at(0, 0), 490)) == [CAFE, GRILL, MALL_ID, SHOP_ID]
    other.close()


@given(st.floats(-2_000, 10_000), st.floats(-2_000, 2_000), st.floats(1, 5_000))
def test_around_is_sorted_and_complete(town: Gazetteer, east_m: float, north_m: float, radius_m: float) -> None:
    places = Places(lambda: (town,), lambda: None)
    point = at(east_m, north_m)
    found = places.around(point, radius_m)
    assert [each.distance_m for each in found] == sorted(each.distance_m for each in found)
    assert all(each.distance_m <= radius_m for each in found)
    every = places.around(point, 100_000.0)
    assert ids(found) == [each.place.id for each in every if each.distance_m <= radius_m]
    assert len(every) == 9
    for each in every:
        if each.place.outline is None:
            place = each.place.point
            direct = distance_m(point.longitude, point.latitude, place.longitude, place.latitude)
            assert each.distance_m == pytest.approx(direct)
        else:
            inside = shapely.intersects_xy(shapely.from_wkb(each.place.outline), point.longitude, point.latitude)
            assert bool(inside) == (each.distance_m == 0)


@given(
    st.sets(st.sampled_from(sorted(PATHS)), max_size=3),
    st.sets(st.sampled_from(sorted(GROUPS)), max_size=2),
    st.sets(st.sampled_from(["mcdonalds", "denner", "x"]), max_size=2),
    st.sampled_from(["", "LI", "CH"]),
    st.integers(1, 20),
)
def test_any_question_has_an_answer(
    town: Gazetteer, categories: set[str], groups: set[str], chains: set[str], country: str, limit: int
) -> None:
    countries = {country} if country else set()
    query = place_query(
        categories=categories, groups=groups, chains=chains, countries=countries, limit=limit, radius_m=9_000.0
    )
    found = Places(lambda: (town,), lambda: None).search(query)
    wanted = categories | {category for group in groups for category in GROUPS[group]}
    assert len(found) <= limit
    for each in found:
        assert not wanted or wanted & set(each.place.categories)
        assert not chains or (each.place.chain is not None and each.place.chain.slug in chains)


def test_an_airport_without_an_outline_is_three_kilometres_wide(tmp_path: Path) -> None:
    town = Gazetteer(write_town(tmp_path / "gazetteer.sqlite"))
    places = Places(lambda: (town,), lambda: None)
    assert ids(places.search(place_query(iata_code="FLD", near=None, categories={"bank"}))) == []
    town.close()
    assert shapely.area(AIRPORT) > 0


def _away_m(near: Point, shape: shapely.Geometry) -> float:
    """Return the distance to a shape, by another projection than the engine's."""

    def project(positions: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return np.column_stack(flat(near.longitude, near.latitude, positions[:, 0], positions[:, 1]))

    return float(shapely.distance(shapely.transform(shape, project), shapely.Point(0, 0)))


@pytest.mark.slow
@pytest.mark.parametrize("near", [Point(-74.0, 40.72), Point(-73.985, 40.73), Point(-74.0093, 40.7069)])
def test_the_nearest_in_manhattan(manhattan: Gazetteer, shared_data: SharedData, near: Point) -> None:
    places = Places(lambda: (manhattan,), lambda: None)
    extract = list(read_objects(shared_data.extract("nyc-lower")))

    def expected(radius_m: float, **wanted: str) -> dict[str, float]:
        fitting = [item for item in extract if all(item.tags.get(key) == value for key, value in wanted.items())]
        away = {place_id_of(item.osm): _away_m(near, item.outline or shapely.Point(*item.point_xy)) for item in fitting}
        return {key: value for key, value in away.items() if value <= radius_m}

    coffee = expected(800, **{"brand:wikidata": "Q37158"})
    found = places.search(place_query(near=near, chains={"starbucks"}, radius_m=800.0, limit=100))
    assert coffee
    assert set(coffee) <= set(ids(found))
    assert all(each.place.chain and each.place.chain.slug == "starbucks" for each in found)
    museums = expected(1_500, tourism="museum")
    found = places.search(place_query(near=near, categories={"museum"}, radius_m=1_500.0, limit=100))
    assert set(ids(found)) == set(museums)
    for each in found:
        assert each.distance_m == pytest.approx(museums[each.place.id], abs=0.5)
    restaurants = expected(250, amenity="restaurant")
    found = places.search(place_query(near=near, categories={"restaurant"}, radius_m=250.0, limit=100))
    assert restaurants
    assert set(restaurants) <= set(ids(found))
    nearest = places.search(place_query(near=near, categories={"restaurant"}, radius_m=250.0, limit=5))
    assert ids(nearest) == ids(found)[:5]


def test_the_airport_of_state_college(state_college: Gazetteer, pack: Path) -> None:
    world = Gazetteer(pack / "world.sqlite")
    places = Places(lambda: (state_college,), lambda: world)
    found = places.search(place_query(near=None, iata_code="SCE", limit=100))
    names = {each.place.name for each in found}
    assert "Penn Valley Cafe" in names
    assert all(each.distance_m <= 3_100 for each in found)
    only = places.search(place_query(near=None, iata_code="SCE", categories={"food-beverage"}, limit=100))
    assert "Penn Valley Cafe" in {each.place.name for each in only}
    world.close()
