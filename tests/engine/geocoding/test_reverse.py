"""Reverse geocoding in a small gazetteer in which every position is known."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.addresses.address import COARSE, FINE, Address, AddressLanguage, ForwardQuery, Layer, ReverseQuery
from engine.domain.geometry import Point
from engine.geo.earth import distance_m
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.search.nearby import HOUSE_WITHIN_M
from engine.geocoding.search.reverse import STREET_WITHIN_M
from tests.engine.geocoding.small import SPRINGFIELD, VADUZ, house_at, write_small


@pytest.fixture(scope="module")
def geocoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([write_small(tmp_path_factory.mktemp("small") / "gazetteer.sqlite")])
    yield opened
    opened.close()


def ask(geocoder: EmbeddedGeocoder, point: Point, layers: frozenset[Layer] = COARSE | {Layer.ADDRESS}) -> list[Address]:
    return list(geocoder.reverse(ReverseQuery(point=point, layers=layers)))


def test_a_position_has_the_nearest_house_and_all_it_lies_in_from_small_to_large(geocoder: EmbeddedGeocoder) -> None:
    house = house_at(SPRINGFIELD, 0, 120)
    found = ask(geocoder, Point(house.longitude, house.latitude - 0.0001))
    assert [(each.layer, each.label) for each in found] == [
        (Layer.ADDRESS, "120 East Main Street"),
        (Layer.POSTAL_CODE, "62701"),
        (Layer.LOCALITY, "Springfield"),
        (Layer.COUNTY, "Sangamon County"),
        (Layer.STATE, "Illinois"),
        (Layer.COUNTRY, "United States"),
    ]
    assert found[0].distance_m == pytest.approx(11.1, abs=0.1)
    assert {each.distance_m for each in found[1:]} == {0.0}


def test_without_a_house_nearby_the_street_is_the_address(geocoder: EmbeddedGeocoder) -> None:
    # 140 m east of number 126, the last house; the street continues to the position of number 130.
    end = house_at(SPRINGFIELD, 0, 130)
    found = ask(geocoder, Point(end.longitude + 0.001, SPRINGFIELD.latitude), frozenset({Layer.ADDRESS}))
    assert [(each.street, each.number) for each in found] == [("East Main Street", None)]
    assert found[0].distance_m == pytest.approx(85.6, abs=1)


@pytest.mark.parametrize("away", [0.004, 0.01, 0.5, 5.0])
def test_no_address_is_returned_far_from_every_street(geocoder: EmbeddedGeocoder, away: float) -> None:
    point = Point(SPRINGFIELD.longitude, SPRINGFIELD.latitude - away)
    assert ask(geocoder, point, FINE) == []


def test_outlines_are_returned_without_a_street_nearby(geocoder: EmbeddedGeocoder) -> None:
    found = ask(geocoder, Point(-90.5, 40.5))
    assert [(each.layer, each.label) for each in found] == [
        (Layer.STATE, "Illinois"),
        (Layer.COUNTRY, "United States"),
    ]
    assert ask(geocoder, Point(0, 0)) == []


def test_places_have_a_layer_of_their_own(geocoder: EmbeddedGeocoder) -> None:
    house = house_at(SPRINGFIELD, 0, 122)
    found = ask(geocoder, house, FINE)
    assert [(each.layer, each.label) for each in found] == [
        (Layer.ADDRESS, "122 East Main Street"),
        (Layer.PLACE, "122 East Main Street"),
    ]
    assert [each.layer for each in ask(geocoder, house, frozenset({Layer.PLACE}))] == [Layer.PLACE]


def test_names_are_returned_in_the_requested_language(geocoder: EmbeddedGeocoder) -> None:
    found = geocoder.reverse(ReverseQuery(point=VADUZ, language=AddressLanguage.RUSSIAN))
    assert (found[0].city, found[0].country) == ("Вадуц", "Лихтенштейн")


def test_the_limit_holds(geocoder: EmbeddedGeocoder) -> None:
    assert len(geocoder.reverse(ReverseQuery(point=house_at(SPRINGFIELD, 0, 120), limit=2))) == 2


@given(
    longitude=st.floats(-180, 180) | st.floats(-89.7, -89.5) | st.floats(9.5, 9.6),
    latitude=st.floats(-90, 90) | st.floats(39.7, 39.9) | st.floats(47.1, 47.2),
    layers=st.frozensets(st.sampled_from(list(Layer)), min_size=1),
)
def test_addresses_are_near_and_of_the_requested_layers(
    geocoder: EmbeddedGeocoder, longitude: float, latitude: float, layers: frozenset[Layer]
) -> None:
    for found in ask(geocoder, Point(longitude, latitude), layers):
        assert found.layer in layers
        if found.layer is Layer.ADDRESS:
            away_m = distance_m(longitude, latitude, found.point.longitude, found.point.latitude)
            assert found.distance_m == pytest.approx(away_m, abs=0.01)
            assert away_m <= (STREET_WITHIN_M if found.number is None else HOUSE_WITHIN_M)


@pytest.mark.parametrize(
    "text", ["120 East Main Street, Rochester", "Äulestrasse 12c", "120 West Main Street", "8 St Marks Pl"]
)
def test_the_location_of_an_address_finds_that_address(geocoder: EmbeddedGeocoder, text: str) -> None:
    there = geocoder.forward(ForwardQuery(text=text))[0]
    back = ask(geocoder, there.point)[0]
    assert (back.formatted, back.distance_m) == (there.formatted, 0.0)


def test_the_nearest_street_is_returned_beside_a_nearer_house_if_streets_are_requested(
    geocoder: EmbeddedGeocoder,
) -> None:
    point = house_at(SPRINGFIELD, 0, 120)
    street, house = sorted(ask(geocoder, point, frozenset({Layer.STREET, Layer.ADDRESS})), key=lambda each: each.layer)[
        ::-1
    ]
    assert (house.layer, house.number) == (Layer.ADDRESS, "120")
    assert (street.layer, street.label, street.number) == (Layer.STREET, "East Main Street", None)
    assert street.distance_m == pytest.approx(11.1, abs=0.2)
    [only] = ask(geocoder, point, frozenset({Layer.STREET}))
    assert only == street
    end = house_at(SPRINGFIELD, 0, 130)
    beyond = Point(end.longitude + 0.001, SPRINGFIELD.latitude)
    [alone] = ask(geocoder, beyond, frozenset({Layer.STREET, Layer.ADDRESS}))
    assert alone.layer is Layer.STREET
