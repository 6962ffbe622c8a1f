"""Crossings of streets in the real extracts, and addresses at positions written as numbers."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.addresses.address import (
    Address,
    AddressLanguage,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    MatchConfidence,
    ReverseQuery,
)
from engine.domain.geometry import Point
from engine.gazetteer.writer import Context, GazetteerWriter, Street
from engine.geo.earth import distance_m
from engine.geo.written.positions import ShortCode, position_in
from engine.geocoding.embedded import EmbeddedGeocoder

EXACT, FALLBACK = MatchConfidence.EXACT, MatchConfidence.FALLBACK
# Positions of the nodes that the streets share, as openstreetmap.org shows them.
WALL_STREET = Point(-74.0116, 40.7078)
ALLEN_STREET = Point(-77.8603, 40.7934)
STAEDTLE = Point(9.5210, 47.1410)


@pytest.fixture(scope="module")
def geocoder(
    state_college_file: Path, manhattan_file: Path, liechtenstein_file: Path, pack: Path
) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([state_college_file, manhattan_file, liechtenstein_file], pack / "world.sqlite")
    yield opened
    opened.close()


def ask(geocoder: EmbeddedGeocoder, text: str) -> list[Address]:
    return list(geocoder.forward(ForwardQuery(text=text)))


@pytest.mark.parametrize(
    ("text", "formatted", "at"),
    [
        ("Broadway & Wall Street", "Broadway & Wall Street, New York, NY 10006 US", WALL_STREET),
        ("Broadway and Wall St, New York, NY", "Broadway & Wall Street, New York, NY 10006 US", WALL_STREET),
        ("corner of Wall St and Broadway", "Wall Street & Broadway, New York, NY 10006 US", WALL_STREET),
        (
            "E Beaver Ave & S Allen St, State College, PA",
            "East Beaver Avenue & South Allen Street, State College, PA 16801 US",
            ALLEN_STREET,
        ),
        ("Äulestrasse/Städtle", "Äulestrasse & Städtle, 9490 Vaduz LI", STAEDTLE),
        ("Aeulestr. + Staedtle, Vaduz", "Äulestrasse & Städtle, 9490 Vaduz LI", STAEDTLE),
    ],
)
def test_the_crossing_of_two_streets_is_found(geocoder: EmbeddedGeocoder, text: str, formatted: str, at: Point) -> None:
    best = ask(geocoder, text)[0]
    assert (best.formatted, best.confidence, best.layer) == (formatted, EXACT, Layer.ADDRESS)
    assert best.label == best.street == formatted.split(",")[0]
    assert best.number is None
    assert distance_m(best.point.longitude, best.point.latitude, at.longitude, at.latitude) < 30


def test_a_change_of_direction_of_a_street_is_one_crossing(geocoder: EmbeddedGeocoder) -> None:
    found = ask(geocoder, "Beaver Ave and Allen St, State College")
    assert len(found) == 1
    assert distance_m(found[0].point.longitude, found[0].point.latitude, -77.8603, 40.7934) < 30


def test_of_several_crossings_none_is_exact(geocoder: EmbeddedGeocoder) -> None:
    found = ask(geocoder, "Broadway & Houston Street")
    assert len(found) > 1
    assert {each.confidence for each in found} == {FALLBACK}


@pytest.mark.parametrize("text", ["Wall St & Beaver Ave", "Bed & Breakfast", "& Broadway", "12/14 Landstrasse Vaduz"])
def test_streets_that_do_not_cross_have_no_crossing(geocoder: EmbeddedGeocoder, text: str) -> None:
    assert not any("&" in (each.label or "") for each in ask(geocoder, text))


def test_east_is_no_and(geocoder: EmbeddedGeocoder) -> None:
    assert ask(geocoder, "120 e beaver ave, state college")[0].label == "120 East Beaver Avenue"


def test_a_position_is_geocoded_in_reverse(geocoder: EmbeddedGeocoder) -> None:
    found = ask(geocoder, "40.7075, -74.0112")
    there = geocoder.reverse(ReverseQuery(point=Point(-74.0112, 40.7075)))
    assert [each.formatted for each in found] == [each.formatted for each in there]
    assert {(each.confidence, each.distance_m) for each in found} == {(FALLBACK, None)}
    german = geocoder.forward(ForwardQuery(text="40.7075, -74.0112", language=AddressLanguage.GERMAN))
    assert german[-1].label == "Vereinigte Staaten"
    assert geocoder.forward(ForwardQuery(text="40.7075, -74.0112", countries=frozenset({"LI"}))) == ()


@pytest.mark.parametrize(
    ("text", "longitude", "latitude"),
    [
        ("47.14, 9.52", 9.52, 47.14),
        (" 40.7075 -74.0112 ", -74.0112, 40.7075),
        ("40.7075N 74.0112W", -74.0112, 40.7075),
        ("33.9° S; 151.2° E", 151.2, -33.9),
        ("47°8'24\"N 9°31'12\"E", 9.52, 47.14),
        ("47 8 24 N, 9 31 12 E", 9.52, 47.14),
        ("geo:47.14,9.52", 9.52, 47.14),
        ("8FVF4GRC+2X", 9.5224375, 47.1400625),
        ("8FVC9G8F 6X", 8.5249375, 47.3655625),
        ("7FG49Q00+", 2.775, 20.375),
    ],
)
def test_a_position_may_be_written_in_several_ways(text: str, longitude: float, latitude: float) -> None:
    assert position_in(text) == Point(longitude, latitude)


@given(latitude=st.floats(-89, 89), longitude=st.floats(-180, 179.9), away=st.floats(-0.4, 0.4))
def test_a_short_plus_code_is_the_nearest_of_its_cells(latitude: float, longitude: float, away: float) -> None:
    """Closer to a pole, the nearest cell might be beyond it and not exist."""
    cell = ShortCode("4GRC+2X", "").near(Point(longitude, latitude))
    assert abs(cell.latitude - latitude) <= 0.5001
    assert abs((cell.longitude - longitude + 180) % 360 - 180) <= 0.5001
    assert ShortCode("4GRC+2X", "").near(Point(cell.longitude, cell.latitude + away)) == cell


def test_a_short_plus_code_is_near_its_place(pack: Path) -> None:
    geocoder = EmbeddedGeocoder([], pack / "world.sqlite")
    found = geocoder.forward(ForwardQuery(text="4GRC+2X Vaduz", layers=frozenset({Layer.COUNTRY})))
    assert [each.country_code for each in found] == ["LI"]


@pytest.mark.parametrize(
    "text", ["", "12 14", "47.14", "90.5, 10.0", "47.1, 181.0", "47.14, 9.52 Vaduz", "16801 5.2", "12 45", "8FVC9G8F+6"]
)
def test_other_numbers_are_no_position(text: str) -> None:
    assert position_in(text) is None


def test_crossings_have_their_own_layer_if_requested(geocoder: EmbeddedGeocoder) -> None:
    query = "Broadway & Wall Street"
    layers = frozenset({Layer.INTERSECTION})
    [found] = geocoder.forward(ForwardQuery(text=query, layers=layers))
    assert (found.layer, found.formatted) == (Layer.INTERSECTION, "Broadway & Wall Street, New York, NY 10006 US")
    assert geocoder.forward(ForwardQuery(text="Broadway", layers=layers)) == ()
    [completed] = geocoder.autocomplete(AutocompleteQuery(text=query, layers=layers, near=WALL_STREET))
    assert (completed.layer, completed.confidence) == (Layer.INTERSECTION, None)
    assert completed.distance_m is not None
    assert completed.distance_m < 30
    address = geocoder.autocomplete(AutocompleteQuery(text=query))[0]
    assert (address.layer, address.label) == (Layer.ADDRESS, completed.label)


def test_the_nearest_crossing_of_a_position(geocoder: EmbeddedGeocoder) -> None:
    layers = frozenset({Layer.INTERSECTION})
    [found] = geocoder.reverse(ReverseQuery(point=ALLEN_STREET, layers=layers))
    assert found.layer is Layer.INTERSECTION
    one, other = sorted((found.label or "").split(" & "))
    # Beaver Avenue changes its direction here.
    assert one in ("East Beaver Avenue", "South Allen Street")
    assert other in ("South Allen Street", "West Beaver Avenue")
    assert found.distance_m is not None
    assert found.distance_m < 30
    assert geocoder.reverse(ReverseQuery(point=Point(-77.9, 40.0), layers=layers)) == ()
    kept = geocoder.reverse(ReverseQuery(point=ALLEN_STREET))
    assert Layer.INTERSECTION not in {each.layer for each in kept}


def test_parts_of_a_city_have_their_own_layer_if_requested(geocoder: EmbeddedGeocoder) -> None:
    [found] = geocoder.reverse(ReverseQuery(point=WALL_STREET, layers=frozenset({Layer.NEIGHBORHOOD})))
    assert (found.layer, found.label, found.city) == (Layer.NEIGHBORHOOD, "Financial District", "New York")
    for layers, expected in (
        ({Layer.NEIGHBORHOOD}, Layer.NEIGHBORHOOD),
        ({Layer.LOCALITY}, Layer.LOCALITY),
        ({Layer.LOCALITY, Layer.NEIGHBORHOOD}, Layer.NEIGHBORHOOD),
    ):
        best = geocoder.forward(ForwardQuery(text="Financial District, New York", layers=frozenset(layers)))[0]
        assert (best.label, best.layer) == ("Financial District", expected)
    assert geocoder.forward(ForwardQuery(text="Vaduz", layers=frozenset({Layer.NEIGHBORHOOD}))) == ()


def crossings_at_meeting(file: Path, west: str, east: str, across: str) -> str | None:
    """Return the nearest crossing of a position where two streets meet end to end, with another 110 m to the east."""
    with GazetteerWriter(file, {"name": "meeting"}) as writer:
        context = writer.context(Context(country_code="US"))
        for name, line in (
            (west, [(-89.01, 40.0), (-89.0, 40.0)]),
            (east, [(-89.0, 40.0), (-88.99, 40.0)]),
            (across, [(-88.9987, 39.99), (-88.9987, 40.01)]),
        ):
            middle = shapely.LineString(line).centroid
            shape = shapely.to_wkb(shapely.LineString(line))
            writer.street(Street(name=name, point=Point(middle.x, middle.y), context=context, line=shape))
    geocoder = EmbeddedGeocoder([file])
    try:
        found = geocoder.reverse(ReverseQuery(point=Point(-89.0, 40.0), layers=frozenset({Layer.INTERSECTION})))
    finally:
        geocoder.close()
    return found[0].label if found else None


@pytest.mark.parametrize(
    ("west", "east"),
    [
        ("Main Street", "Main Street"),
        ("Broadway", "Broadway"),
        ("West Main Street", "East Main Street"),
        ("W. Main Street", "E. Main Street"),
        ("Main Street", "East Main Street"),
    ],
)
def test_a_street_does_not_cross_its_own_continuation(tmp_path: Path, west: str, east: str) -> None:
    found = crossings_at_meeting(tmp_path / "gazetteer.sqlite", west, east, "Elm Street")
    assert found == f"{east} & Elm Street"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Rue du Temple", "Boulevard du Temple"),
        ("Old Mill Road", "New Mill Road"),
        ("North Street", "East Street"),
        ("E Street Northwest", "S Street Northwest"),
    ],
)
def test_streets_whose_names_end_alike_cross(tmp_path: Path, one: str, other: str) -> None:
    found = crossings_at_meeting(tmp_path / "gazetteer.sqlite", one, other, "Elm Street")
    assert found == f"{one} & {other}"
