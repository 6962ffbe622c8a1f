"""The gazetteer of small extracts with the variety of real mapping."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import shapely

from engine.domain.addresses.address import Layer
from engine.domain.geometry import Point
from engine.gazetteer.writer import Context, Division, GazetteerWriter, place_id_of
from tests.engine.areas.extracts import Extract, Tags, closed, place
from tests.engine.areas.gazetteers import FoundHouse, Spot, build, distance_m, houses, lying, query

type Builder = Callable[..., Path]


@pytest.fixture
def gazetteer(tmp_path: Path) -> Builder:
    def build_one(extract: Extract, world: Path | None = None, without: frozenset[int] = frozenset()) -> Path:
        folder = tmp_path / "gazetteer"
        folder.mkdir()
        return build(extract.write(folder / "extract.osm.pbf", without=without), folder / "made", world)

    return build_one


def address(extract: Extract, column: float, row: float, number: str, **tags: str) -> int:
    """Add a node with a house number, in blocks."""
    return node(extract, place(column, row), {"addr:housenumber": number, **tagged(tags)})


def node(extract: Extract, spot: Spot, tags: Tags) -> int:
    """Add a node with tags that are not valid Python names."""
    extract.nodes.append((*spot, tags))
    return len(extract.nodes)


def tagged(tags: Tags) -> dict[str, str]:
    """Return the tags, with the prefix ``addr:`` for keys that are parts of an address."""
    parts = ("street", "city", "postcode", "place", "state", "country", "unit", "flats")
    return {f"addr:{key}" if key in parts else key: value for key, value in tags.items()}


def street(extract: Extract, row: float, name: str, west: float = 0, east: float = 5, **tags: str) -> None:
    extract.line(place(west, row), place(east, row), highway="residential", name=name, **tags)


def only(found: list[FoundHouse]) -> FoundHouse:
    [house] = found
    return house


def addresses(file: Path) -> set[tuple[str, str]]:
    return {(house.street, house.number) for house in houses(file)}


def test_an_address_has_all_values_of_its_tags(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Lindenstrasse")
    tags = {"city": "Altdorf", "postcode": "1234", "country": "CH", "state": "UR"}
    for number in ("12a", "14", "16"):
        address(extract, int(number[:2]) / 10, 1.1, number, street="Lindenstrasse", **tags)
    file = gazetteer(extract)
    house = only([each for each in houses(file) if each.number == "12a"])
    assert distance_m(house.spot, place(1.2, 1.1)) < 0.1
    lies = house.lies
    assert (lies.city, lies.postal_code, lies.country, lies.country_code) == ("Altdorf", "1234", "Switzerland", "CH")
    assert lies.state == "UR"
    assert query(file, "SELECT value, suffix FROM houses WHERE number = '12a'") == [(12, "a")]
    [(french, *spot)] = query(file, "SELECT names ->> 'fr', longitude, latitude FROM divisions WHERE layer = 'country'")
    assert french == "Suisse"
    assert distance_m((spot[0], spot[1]), place(2.5, 1.05)) < 1, "only its code is known: the middle of the extract"
    assert query(file, "SELECT name FROM divisions WHERE layer = 'postalCode'") == [("1234",)]


def test_a_postal_code_has_to_be_that_of_three_houses(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Lindenstrasse")
    for number, code in enumerate(("1234", "1234", "1235", "1234", "1235")):
        address(extract, number / 10, 1.1, str(number + 1), street="Lindenstrasse", postcode=code, country="CH")
    file = gazetteer(extract)
    assert query(file, "SELECT name FROM divisions WHERE layer = 'postalCode'") == [("1234",)]
    assert {house.lies.postal_code for house in houses(file)} == {"1234", "1235"}, "an address has what is tagged"


def test_streets_of_one_name_in_two_towns_are_two(gazetteer: Builder) -> None:
    extract = Extract()
    for column, town in ((0.0, "Westheim"), (400.0, "Ostheim")):
        extract.node(*place(column, 0), place="town", name=town)
        street(extract, 1, "Hauptstrasse", column, column + 2)
        street(extract, 1, "Hauptstrasse", column + 2, column + 4)
        address(extract, column + 1, 1.1, "1", street="Hauptstrasse")
        address(extract, column + 3, 1.1, "2", street="Hauptstrasse", city=town)
    file = gazetteer(extract)
    assert sorted(str(lies.city) for lies in lying(file, "streets", "Hauptstrasse")) == ["Ostheim", "Westheim"]
    assert {(house.number, house.lies.city) for house in houses(file)} == {
        *(("1", "Westheim"), ("1", "Ostheim"), ("2", "Westheim"), ("2", "Ostheim"))
    }
    assert query(file, "SELECT houses FROM streets") == [(2,), (2,)]


def test_a_street_includes_its_bridges(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Main Street", 0, 2)
    street(extract, 1, "Main Street", 2, 3, bridge="yes")
    street(extract, 1, "Main Street", 3, 5)
    file = gazetteer(extract)
    [(west, east, longitude, latitude)] = query(
        file, "SELECT west, east, longitude, latitude FROM streets JOIN street_boxes USING (id)"
    )
    assert (west, east) == pytest.approx((place(0, 1)[0], place(5, 1)[0]), abs=1e-5)
    assert distance_m((longitude, latitude), place(2.5, 1)) < 1


def test_pavements_and_unfinished_roads_are_no_streets(gazetteer: Builder) -> None:
    extract = Extract()
    extract.line(place(0, 0), place(1, 0), highway="footway", footway="sidewalk", name="A Street")
    extract.line(place(0, 1), place(1, 1), highway="construction", name="New Street")
    extract.line(place(0, 2), place(1, 2), highway="footway", name="Chestnut Walk")
    extract.line(place(0, 3), place(1, 3), highway="residential")
    extract.line(place(0, 4), place(1, 4), waterway="river", name="Mill River")
    closed(extract, 2, 2, 3, 3, place="square", name="Market Square")
    file = gazetteer(extract)
    assert query(file, "SELECT name FROM streets ORDER BY 1") == [("Chestnut Walk",), ("Market Square",)]


def test_several_names_and_numbers_in_one_tag(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Rue Haute; Hoogstraat")
    address(extract, 1, 1.1, "12;14", street="Rue Haute")
    address(extract, 2, 1.1, "16, 18a", street="Hoogstraat")
    address(extract, 3, 1.1, "20, 2nd floor", street="Rue Haute")
    address(extract, 4, 1.1, "5", street="Rue Haute;Hoogstraat")
    file = gazetteer(extract)
    assert query(file, "SELECT name FROM streets WHERE line NOTNULL ORDER BY 1") == [("Hoogstraat",), ("Rue Haute",)]
    assert addresses(file) == {
        *(("Rue Haute", "12"), ("Rue Haute", "14"), ("Hoogstraat", "16"), ("Hoogstraat", "18a"), ("Rue Haute", "20")),
        *(("Rue Haute", "5"), ("Hoogstraat", "5")),
    }


@pytest.mark.parametrize(
    ("number", "numbers"),
    [("12-16", (12, 16, 2)), ("331-341", (331, 341, 2)), ("300-3026", None), ("1400-5", None), ("10-17", None)],
)
def test_a_range_of_numbers_is_one_house_that_all_of_them_lead_to(
    gazetteer: Builder, number: str, numbers: tuple[int, int, int] | None
) -> None:
    extract = Extract()
    street(extract, 1, "Broadway")
    address(extract, 1, 1.1, number, street="Broadway")
    file = gazetteer(extract)
    assert addresses(file) == {("Broadway", number)}
    assert query(file, "SELECT first, last, step FROM ranges") == ([numbers] if numbers else [])


def test_a_place_replaces_the_street_if_there_is_none(gazetteer: Builder) -> None:
    extract = Extract()
    extract.node(*place(1, 1), place="hamlet", name="Hinterhof")
    address(extract, 1.2, 1.1, "3", place="Hinterhof")
    file = gazetteer(extract)
    assert addresses(file) == {("Hinterhof", "3")}
    assert query(file, "SELECT line, houses FROM streets") == [(None, 1)]


def test_a_number_without_a_street_is_of_the_one_it_stands_at(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Nearby Lane")
    street(extract, 3, "Far Lane")
    address(extract, 1, 1.2, "7")
    address(extract, 1, 9, "8")
    assert addresses(gazetteer(extract)) == {("Nearby Lane", "7")}


def test_a_relation_may_name_the_street(gazetteer: Builder) -> None:
    extract = Extract()
    house = address(extract, 1, 1.1, "4")
    extract.relation([("n", house, "house")], type="associatedStreet", name="Calle Mayor")
    assert addresses(gazetteer(extract)) == {("Calle Mayor", "4")}


def test_a_house_belongs_to_its_street_however_it_spells_it(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "East 8th Street")
    for column, name in enumerate(("E 8th St", "East Eighth Street", "EAST 8TH STREET"), 1):
        address(extract, column, 1.1, str(column), street=name)
    assert addresses(gazetteer(extract)) == {("East 8th Street", number) for number in "123"}


def test_buildings_are_located_at_their_middle(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street")
    closed(extract, 1, 1.2, 1.4, 1.4, building="house", **tagged({"street": "Elm Street"}), **{"addr:housenumber": "1"})
    # The centroid of this one is in its courtyard.
    corners = [(2, 1.2), (3, 1.2), (3, 2.2), (2.9, 2.2), (2.9, 1.3), (2.1, 1.3), (2.1, 2.2), (2, 2.2)]
    nodes = [extract.node(*place(*corner)) for corner in corners]
    extract.way([*nodes, nodes[0]], building="yes", **{"addr:housenumber": "2", "addr:street": "Elm Street"})
    found = {house.number: house for house in houses(gazetteer(extract))}
    assert distance_m(found["1"].spot, place(1.2, 1.3)) < 0.1
    assert found["1"].use == "house"
    shape = shapely.Polygon([place(*corner) for corner in corners])
    assert shape.contains(shapely.Point(found["2"].spot))


def test_broken_and_cut_geometries_keep_their_addresses(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street")
    bow = [extract.node(*place(*corner)) for corner in ((1, 1.2), (1.4, 1.4), (1.4, 1.2), (1, 1.4))]
    extract.way([*bow, bow[0]], building="yes", **{"addr:housenumber": "1", "addr:street": "Elm Street"})
    cut = [extract.node(*place(*corner)) for corner in ((2, 1.2), (2.4, 1.2), (2.4, 1.4), (2, 1.4))]
    extract.way([*cut, cut[0]], building="yes", **{"addr:housenumber": "2", "addr:street": "Elm Street"})
    single = extract.node(*place(3, 1.2))
    extract.way([single, single], **{"addr:housenumber": "3", "addr:street": "Elm Street"})
    missing = [extract.node(*place(4, 1.2)), extract.node(*place(4.2, 1.2))]
    extract.way(missing, **{"addr:housenumber": "4", "addr:street": "Elm Street"})
    found = {house.number: house for house in houses(gazetteer(extract, without=frozenset((cut[1], *missing))))}
    assert set(found) == {"1", "2", "3"}
    assert distance_m(found["1"].spot, place(1.2, 1.3)) < 30
    assert distance_m(found["2"].spot, place(2.2, 1.3)) < 30


def test_a_house_is_there_once_with_all_its_units(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street")
    corners = [(1, 1.2), (1.2, 1.2), (1.2, 1.4), (1, 1.4)]
    nodes = [extract.node(*place(*corner)) for corner in corners]
    tags = {"addr:housenumber": "1", "addr:street": "Elm Street", "addr:flats": "1-3;5"}
    extract.nodes[nodes[0] - 1] = (*place(1, 1.2), {"entrance": "yes", "addr:unit": "B"})
    extract.way([*nodes, nodes[0]], building="apartments", **tags)
    address(extract, 1.1, 1.25, "1", street="Elm Street", unit="Suite F", shop="hairdresser", name="Snip")
    # The same number a block away is another house.
    address(extract, 3, 1.3, "1", street="Elm Street")
    file = gazetteer(extract)
    found = sorted(houses(file), key=lambda house: house.spot)
    assert [house.osm for house in found] == ["w2", "n8"]
    units = query(file, "SELECT unit FROM units WHERE house = ? ORDER BY 1", found[0].id)
    assert [unit for (unit,) in units] == ["1", "2", "3", "5", "b", "suite f"]


@pytest.mark.parametrize(("kind", "step"), [("even", 2), ("odd", 2), ("all", 1), ("4", 4), ("alphabetic", None)])
def test_numbers_between_two_houses(gazetteer: Builder, kind: str, step: int | None) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street")
    last = address(extract, 3, 1.1, "20", street="Elm Street", postcode="1234")
    bend = extract.node(*place(2, 1.2))
    first = address(extract, 1, 1.1, "12", street="Elm Street", postcode="1234")
    extract.way([last, bend, first], **{"addr:interpolation": kind})
    file = gazetteer(extract)
    ranges = query(file, "SELECT first, last, step, line FROM ranges")
    assert [row[:3] for row in ranges] == ([(12, 20, step)] if step else [])
    if step:
        line = shapely.get_coordinates(shapely.from_wkb(ranges[0][3])).tolist()
        expected = [place(1, 1.1), place(2, 1.2), place(3, 1.1)]
        assert [distance_m((x, y), spot) < 0.1 for (x, y), spot in zip(line, expected, strict=True)] == [True] * 3


def test_a_line_between_numbers_that_do_not_fit_is_ignored(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street")
    nodes = [address(extract, 1, 1.1, "12", street="Elm Street"), address(extract, 2, 1.1, "15", street="Elm Street")]
    extract.way(nodes, **{"addr:interpolation": "even"})
    extract.way([nodes[0], extract.node(*place(4, 4))], **{"addr:interpolation": "all"})
    assert query(gazetteer(extract), "SELECT first FROM ranges") == []


def test_a_postal_code_that_is_missing_is_that_of_the_next_house(gazetteer: Builder) -> None:
    extract = Extract()
    extract.node(*place(1, 1), place="town", name="Gridton")
    street(extract, 1, "Elm Street")
    address(extract, 1, 1.1, "1", street="Elm Street", postcode="12345-6789", country="US")
    address(extract, 2, 1.1, "2", street="Elm Street")
    address(extract, 1, 30, "3", street="Oak Street")
    found = {house.number: house.lies.postal_code for house in houses(gazetteer(extract))}
    assert found == {"1": "12345", "2": "12345", "3": None}


def test_a_missing_postal_code_is_taken_from_an_outline_then_the_street_then_the_neighbour(gazetteer: Builder) -> None:
    extract = Extract()
    extract.node(*place(1, 1), place="town", name="Gridton")
    street(extract, 1, "Elm Street")
    street(extract, 2, "Oak Street")
    address(extract, 1, 1.1, "1", street="Elm Street", postcode="1111", country="CH")
    address(extract, 2, 1.9, "2", street="Oak Street", postcode="2222", country="CH")
    square(extract, 2.9, 0, 4, 3, boundary="postal_code", name="3333")
    address(extract, 2.5, 1.1, "3", street="Elm Street")
    address(extract, 1, 1.5, "4", street="Yard")
    # In the outline of another code, though their streets continue.
    address(extract, 3, 1.1, "5", street="Elm Street")
    address(extract, 3, 1.9, "6", street="Oak Street")
    # On Elm Street, but too far from a house with a code.
    address(extract, 9, 1.1, "7", street="Elm Street")
    found = {house.number: house.lies.postal_code for house in houses(gazetteer(extract))}
    assert found == {"1": "1111", "2": "2222", "3": "1111", "4": "1111", "5": "3333", "6": "3333", "7": None}


@pytest.mark.parametrize(
    ("there", "here", "city"),
    [(2, 0, "Gridton"), (3, 0, "Millbrook"), (9, 1, "Millbrook"), (8, 1, "Gridton"), (10, 1, "Millbrook")],
)
def test_a_house_without_a_city_is_in_that_of_nearly_all_with_its_postal_code(
    gazetteer: Builder, there: int, here: int, city: str
) -> None:
    extract = Extract()
    extract.node(*place(1, 1), place="town", name="Gridton")
    extract.node(*place(400, 1), place="town", name="Millbrook")
    tags = {"street": "Elm Street", "postcode": "1234", "country": "CH"}
    for name, count in (("Millbrook", there), ("Gridton", here)):
        for number in range(count):
            address(extract, number / 10, 1.2, f"{number}{name[0].lower()}", city=name, **tags)
    address(extract, 1, 1.1, "99", **tags)
    found = {house.number: house.lies.city for house in houses(gazetteer(extract))}
    assert found["99"] == city
    assert Counter(found.values()) == Counter({"Millbrook": there, "Gridton": here}) + Counter([city])


@pytest.mark.parametrize(("stated", "code"), [("UR", "UR"), ("ur", "UR"), ("QLD", "QLD"), ("Obwalden", None)])
def test_a_short_state_in_an_address_is_its_code(gazetteer: Builder, stated: str, code: str | None) -> None:
    extract = Extract()
    address(extract, 1, 1.1, "1", street="Elm Street", state=stated, country="CH")
    found = query(gazetteer(extract), "SELECT name, code FROM divisions WHERE layer = 'state'")
    assert found == [(stated, code)]


def test_a_city_that_hardly_an_address_names_is_a_mistake(gazetteer: Builder) -> None:
    extract = Extract()
    extract.node(*place(1, 1), place="town", name="Gridton")
    street(extract, 1, "Elm Street")
    address(extract, 1, 1.1, "1", street="Elm Street", city="Gridtonn")
    address(extract, 2, 1.1, "2", street="Elm Street", city="GRIDTON")
    for number in ("3", "4", "5"):
        address(extract, int(number), 1.1, number, street="Elm Street", city="Old Mill")
    found = {house.number: house.lies.city for house in houses(gazetteer(extract))}
    assert found == {"1": "Gridton", "2": "Gridton", "3": "Old Mill", "4": "Old Mill", "5": "Old Mill"}


def square(extract: Extract, west: float, south: float, east: float, north: float, **tags: str) -> int:
    """Add a boundary of one way and return the relation."""
    corners = [place(west, south), place(east, south), place(east, north), place(west, north)]
    nodes = [extract.node(*corner) for corner in corners]
    way = extract.way([*nodes, nodes[0]])
    return extract.relation([("w", way, "outer")], **{"type": "boundary", "boundary": "administrative", **tags})


def test_boundaries_determine_the_divisions(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street", 0, 10)
    names = {"name:de": "Testland", "name:ja": "テスト", "name:tlh": "Qo"}
    square(extract, -1, -1, 12, 12, admin_level="2", name="Testonia", **{"ISO3166-1": "TT", **names})
    square(extract, -1, -1, 8, 12, admin_level="4", name="Westland", **{"ISO3166-2": "TT-WL"})
    square(extract, -1, -1, 7, 12, admin_level="6", name="Leafy County")
    square(extract, 0, 0, 6, 6, admin_level="8", name="City of Gridton", population="1 200")
    square(extract, 0, 0, 3, 6, admin_level="9", name="West Side")
    closed(extract, 0.5, 0.5, 2, 2, place="neighbourhood", name="The Elms")
    address(extract, 1, 1.1, "1", street="Elm Street")
    address(extract, 9, 1.1, "9", street="Elm Street")
    file = gazetteer(extract)
    found = {house.number: house.lies for house in houses(file)}
    one, nine = found["1"], found["9"]
    assert (one.country, one.state, one.county, one.city, one.borough, one.neighborhood, one.country_code) == (
        *("Testonia", "Westland", "Leafy County", "City of Gridton", "West Side", "The Elms", "TT"),
    )
    assert (nine.country, nine.state, nine.county, nine.city) == ("Testonia", None, None, None)
    divisions = query(file, "SELECT name, code, population, names ->> 'ja', names ->> 'tlh' FROM divisions")
    assert ("Testonia", "TT", 0, "テスト", None) in divisions
    assert ("Westland", "WL", 0, None, None) in divisions
    assert ("City of Gridton", None, 1200, None, None) in divisions
    [gridton] = lying(file, "divisions", "City of Gridton")
    assert (gridton.country, gridton.state, gridton.county, gridton.city) == (
        *("Testonia", "Westland", "Leafy County", None),
    )


def test_without_outlines_the_country_is_the_one_of_most_states(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street")
    for west, code in enumerate(("AT-8", "CH-UR", "CH-SZ", "LI", "LI", "LI")):
        square(extract, west, 0, west + 1, 6, admin_level="4", name=f"State {west}", **{"ISO3166-2": code})
    for column in range(5):
        address(extract, column + 0.5, 1.1, str(column), street="Elm Street")
    found = {house.lies.country_code for house in houses(gazetteer(extract))}
    assert found == {"CH"}, "a text without a hyphen is no code of a state"


def test_a_settlement_that_is_there_twice_becomes_one(gazetteer: Builder) -> None:
    extract = Extract()
    tags = {"place": "city", "name": "Gridton", "population": "5000", "name:fr": "Quadrille"}
    label = node(extract, place(2, 2), tags)
    suburb = node(extract, place(4, 4), {"place": "village", "name": "Northside"})
    square(extract, 0, 0, 6, 6, admin_level="8", name="City of Gridton")
    members = [("n", suburb, "village"), ("n", label, "label")]
    extract.relations[-1] = ([*extract.relations[-1][0], *members], extract.relations[-1][1])
    address(extract, 1, 1.1, "1", street="Elm Street")
    file = gazetteer(extract)
    rows = query(file, "SELECT name, osm, names ->> 'fr', names ->> 'official', population, longitude FROM divisions")
    gridton = ("Gridton", "r1", "Quadrille", "City of Gridton", 5000, pytest.approx(place(2, 2)[0]))
    assert sorted(rows) == [gridton, ("Northside", f"n{suburb}", None, None, 0, pytest.approx(place(4, 4)[0]))]
    assert only(houses(file)).lies.city == "Gridton"


def cut_in_two(extract: Extract) -> None:
    """Add two towns divided by a river; the rest of their boundaries is not in the extract."""
    river = [extract.node(*place(5, row)) for row in (-0.1, 4, 6, 10.1)]
    way = extract.way(river)
    for corner in ((0, 0), (10, 10)):
        extract.node(*place(*corner), highway="traffic_signals")
    west = extract.node(*place(2, 5), place="town", name="Westbank")
    members = [("w", way, "outer"), ("w", 4711, "outer")]
    extract.relation([*members, ("n", west, "label")], **TOWN, name="Westbank")
    extract.relation(members, **TOWN, name="Eastbank")


TOWN = {"type": "boundary", "boundary": "administrative", "admin_level": "8"}


def test_a_boundary_of_which_a_part_is_there_still_divides(gazetteer: Builder) -> None:
    extract = Extract()
    cut_in_two(extract)
    for column in range(1, 10):
        address(extract, column + 0.1, 7, str(column), street="High Street")
    found = {house.number: house.lies.city for house in houses(gazetteer(extract))}
    assert found == {str(column): "Westbank" if column < 5 else "Eastbank" for column in range(1, 10)}


def test_a_boundary_without_any_data_is_ignored(gazetteer: Builder) -> None:
    extract = Extract()
    cut_in_two(extract)
    extract.relations = [([*members[:2]], tags) for members, tags in extract.relations]
    extract.nodes = [
        (x, y, {key: value for key, value in tags.items() if key != "place"}) for x, y, tags in extract.nodes
    ]
    address(extract, 1, 7, "1", street="High Street")
    assert only(houses(gazetteer(extract))).lies.city is None


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A world of two countries that meet at the town, with a state, a county and a city."""
    file = tmp_path / "world.sqlite"
    middle = place(5, 5)
    with GazetteerWriter(file, {}) as writer:
        nowhere = writer.context(Context())

        def division(layer: Layer, name: str, context: Context, box: tuple[float, ...] | None, **more: object) -> int:
            point = Point(*middle) if box is None else Point((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
            outline = shapely.to_wkb(shapely.box(*box)) if box is not None else None
            return writer.division(
                Division(layer=layer, name=name, point=point, context=writer.context(context), outline=outline, **more)  # type: ignore[arg-type]
            )

        assert nowhere == 1
        west, south = place(-100, -100)
        east, north = place(100, 100)
        half = place(5, 0)[0]
        here = division(Layer.COUNTRY, "Hither", Context(), (west, south, half, north), code="HH", names={"fr": "Deçà"})
        yonder = division(Layer.COUNTRY, "Yonder", Context(), (half, south, east, north), code="YY")
        inside, far = Context(country=here, country_code="HH"), (*place(300, 0), *place(400, 100))
        division(Layer.STATE, "Namesake", Context(country=yonder, country_code="YY"), far, code="NS")
        division(Layer.STATE, "Far State", inside, far, code="FS")
        state = division(Layer.STATE, "Near State", inside, (west, south, half, north), code="NS")
        inside = Context(country=here, state=state, country_code="HH")
        division(Layer.COUNTY, "Near County", inside, (west, south, half, north))
        division(Layer.LOCALITY, "Bigton", inside, None, population=200_000)
    return file


def test_the_world_pack_names_the_surroundings_of_an_extract(gazetteer: Builder, world: Path) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street", -2, 10)
    address(extract, 1, 1.1, "1", street="Elm Street")
    address(extract, 9, 1.1, "9", street="Elm Street")
    file = gazetteer(extract, world)
    found = {house.number: house.lies for house in houses(file)}
    one, nine = found["1"], found["9"]
    assert (one.country, one.country_code, one.state, one.county, one.city) == (
        *("Hither", "HH", "Near State", "Near County", "Bigton"),
    )
    # A state of the other country is near, but does not contain the house.
    assert (nine.country, nine.state, nine.county) == ("Yonder", None, None)
    assert query(file, "SELECT names ->> 'fr', outline FROM divisions WHERE code = 'HH'") == [("Deçà", None)]
    assert query(file, "SELECT code FROM divisions WHERE layer = 'state'") == [("NS",)]


def test_tags_know_better_than_coarse_outlines(gazetteer: Builder, world: Path) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street", 0, 10)
    address(extract, 5.2, 1.1, "1", street="Elm Street", country="HH", state="NS", city="Bigton")
    lies = only(houses(gazetteer(extract, world))).lies
    assert (lies.country, lies.state, lies.city) == ("Hither", "Near State", "Bigton")


def test_a_city_that_the_world_pack_knows_is_wholly_in_its_country(gazetteer: Builder, world: Path) -> None:
    extract = Extract()
    for name, west, east in (("Bigton", 4, 7), ("Otherton", 7, 9)):
        square(extract, west, 0, east, 9, admin_level="8", name=name)
    for number, column in enumerate((4.5, 5.5, 6.9, 7.1)):
        address(extract, column, 1.1, str(number), street="Elm Street")
    found = {house.number: (house.lies.city, house.lies.country) for house in houses(gazetteer(extract, world))}
    # The coarse outlines of the countries meet at 5, in the middle of Bigton.
    assert found == {
        "0": ("Bigton", "Hither"),
        "1": ("Bigton", "Hither"),
        "2": ("Bigton", "Hither"),
        "3": ("Otherton", "Yonder"),
    }


@pytest.mark.parametrize(
    ("country", "name", "city"),
    [
        ("US", "Hillside", "Gridton"),
        ("US", "Gridton Heights", "Gridton"),
        ("US", "Gridtonville", "Gridton"),
        ("US", "Milltown", "Milltown"),
        ("CH", "Hillside", "Hillside"),
        ("CH", "Gridton Heights", "Gridton"),
    ],
)
def test_a_section_of_a_city_of_the_world_pack_is_no_city(
    gazetteer: Builder, tmp_path: Path, country: str, name: str, city: str
) -> None:
    world = tmp_path / "world.sqlite"
    with GazetteerWriter(world, {}) as writer:
        nowhere, spot = writer.context(Context()), Point(*place(50, 50))
        land = writer.division(Division(layer=Layer.COUNTRY, name="Land", code=country, point=spot, context=nowhere))
        inside = writer.context(Context(country=land, country_code=country))
        for town, where, population in (("Gridton", place(30, 0), 300_000), (name, place(0, 0), 12_000)):
            point = Point(*where)
            writer.division(
                Division(layer=Layer.LOCALITY, name=town, point=point, context=inside, population=population)
            )
    with closing(sqlite3.connect(world)) as pack, pack:
        pack.execute("CREATE TABLE zip_codes (code, longitude, latitude, city, accepted DEFAULT '[]', county)")
        rows = [("12345", *place(30, 0), "Gridton"), ("12346", *place(0, 0), "Milltown")]
        pack.executemany("INSERT INTO zip_codes (code, longitude, latitude, city) VALUES (?, ?, ?, ?)", rows)
    extract = Extract()
    street(extract, 0, "Elm Street", -1, 1)
    address(extract, 0, 0.1, "1", street="Elm Street", country=country)
    assert only(houses(gazetteer(extract, world))).lies.city == city


@pytest.mark.parametrize(
    ("name", "kind", "city"),
    [
        ("Hillside", None, "Hillside"),
        ("Hillside", "suburb", "Gridton"),
        ("Gridton Heights", None, "Gridton"),
        ("Gridton Heights", "village", "Gridton Heights"),
    ],
)
def test_the_extract_knows_whether_a_locality_of_the_world_pack_is_a_section(
    gazetteer: Builder, tmp_path: Path, name: str, kind: str | None, city: str
) -> None:
    world = tmp_path / "world.sqlite"
    with GazetteerWriter(world, {}) as writer:
        nowhere = writer.context(Context())
        land = Division(layer=Layer.COUNTRY, name="Land", code="CH", point=Point(*place(0, 0)), context=nowhere)
        inside = writer.context(Context(country=writer.division(land), country_code="CH"))
        for town, column, population in (("Gridton", 30, 300_000), (name, 0, 12_000)):
            point = Point(*place(column, 0))
            writer.division(
                Division(layer=Layer.LOCALITY, name=town, point=point, context=inside, population=population)
            )
    extract = Extract()
    street(extract, 0, "Elm Street", -1, 1)
    address(extract, 0, 0.1, "1", street="Elm Street", country="CH")
    if kind is not None:
        node(extract, place(0, 0.2), {"place": kind, "name": name})
    assert only(houses(gazetteer(extract, world))).lies.city == city


def test_of_two_cities_of_the_name_in_an_address_it_is_in_the_one_around_it(gazetteer: Builder) -> None:
    extract = Extract()
    large = square(extract, 0, 0, 20, 8, admin_level="8", name="Neustadt")
    small = square(extract, 20, 0, 22, 8, admin_level="8", name="Neustadt")
    for column in (1, 10, 19.5, 20.5):
        address(extract, column, 1.1, str(column), street="Elm Street", city="Neustadt")
    lies = "SELECT number, osm FROM houses JOIN contexts c ON c.id = houses.context JOIN divisions d ON d.id = c.city"
    # The third is nearer to the centre of the other one.
    found = dict(query(gazetteer(extract), lies.replace("osm", "d.osm")))
    assert found == {"1": f"r{large}", "10": f"r{large}", "19.5": f"r{large}", "20.5": f"r{small}"}


@pytest.mark.parametrize(("country", "codes"), [("US", ["12345"]), ("CH", ["12346", "12347"])])
def test_in_the_united_states_the_world_pack_knows_which_postal_codes_there_are(
    gazetteer: Builder, tmp_path: Path, country: str, codes: list[str]
) -> None:
    world = tmp_path / "world.sqlite"
    with GazetteerWriter(world, {}):
        pass
    with closing(sqlite3.connect(world)) as pack, pack:
        pack.execute("CREATE TABLE zip_codes (code, longitude, latitude, city, accepted DEFAULT '[]', county)")
        rows = [("12345", *place(1, 1), "Gridton"), ("12346", *place(99, 1), "Farton")]
        pack.executemany("INSERT INTO zip_codes (code, longitude, latitude, city) VALUES (?, ?, ?, ?)", rows)
    extract = Extract()
    extract.node(*place(0, 0), place="town", name="Gridton")
    for column, code in enumerate(("12345", "12346", "12346", "12346", "12347", "12347", "12347")):
        address(extract, column, 1.1, str(column), street="Elm Street", postcode=code, country=country)
    file = gazetteer(extract, world)
    assert query(file, "SELECT name FROM divisions WHERE layer = 'postalCode' ORDER BY 1") == [
        (code,) for code in codes
    ]


def test_the_country_is_not_that_of_the_same_code_as_a_state(gazetteer: Builder, tmp_path: Path) -> None:
    world, middle = tmp_path / "world.sqlite", Point(*place(5, 5))
    inland, whole = (shapely.to_wkb(shapely.box(*place(-9, -9), *place(east, 9))) for east in (0, 9))
    with GazetteerWriter(world, {}) as writer:
        nowhere = writer.context(Context())
        us = writer.division(
            Division(
                layer=Layer.COUNTRY, name="United States", code="US", point=middle, context=nowhere, outline=inland
            )
        )
        inside = writer.context(Context(country=us, country_code="US"))
        state = Division(layer=Layer.STATE, name="Montana", code="MT", point=middle, context=inside, outline=whole)
        writer.division(state)
        writer.division(Division(layer=Layer.COUNTY, name="Shore County", point=middle, context=inside, outline=whole))
    extract = Extract()
    square(extract, 1, 1, 8, 8, admin_level="4", name="Montana", **{"ISO3166-2": "US-MT"})
    square(extract, 2, 2, 3, 3, admin_level="10", name="Ward 10")
    # MT is also Malta, where addresses have no division of level 4; in the United States they have none of level 10.
    assert query(gazetteer(extract, world), "SELECT layer, name FROM divisions WHERE osm NOTNULL") == [
        ("state", "Montana")
    ]


@pytest.mark.parametrize(("stated", "state"), [("FS", "Far State"), ("far state", "Far State"), ("", "Near State")])
def test_an_address_knows_its_state_better_than_a_coarse_outline(
    gazetteer: Builder, world: Path, stated: str, state: str
) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street", -2, 4)
    address(extract, 1, 1.1, "1", street="Elm Street", **({"state": stated} if stated else {}))
    assert only(houses(gazetteer(extract, world))).lies.state == state


def test_the_outline_of_a_state_in_the_extract_knows_better_than_an_address(gazetteer: Builder) -> None:
    extract = Extract()
    square(extract, 0, 0, 5, 5, admin_level="4", name="Westland", **{"ISO3166-2": "TT-WL"})
    address(extract, 1, 1.1, "1", street="Elm Street", state="EL")
    assert only(houses(gazetteer(extract))).lies.state == "Westland"


def test_of_two_chinese_names_in_one_the_simplified_one_counts(gazetteer: Builder) -> None:
    extract = Extract()
    for number, name in enumerate(("纽约/紐約", "紐約 / 纽约", "紐約", "东京")):
        tags = {"place": "town", "name": f"Town {number}", "name:zh": name, "name:de": "A/B"}
        longitude, latitude = place(number, 1.1)
        extract.node(longitude, latitude, **tags)
    names = query(gazetteer(extract), "SELECT names ->> 'zh', names ->> 'de' FROM divisions WHERE layer = 'locality'")
    assert sorted(names) == [("东京", "A/B"), ("紐約", "A/B"), ("纽约", "A/B"), ("纽约", "A/B")]


def test_places_have_kind_address_and_outline(gazetteer: Builder) -> None:
    extract = Extract()
    street(extract, 1, "Elm Street")
    tags = {"addr:housenumber": "1", "addr:street": "Elm Street", "addr:postcode": "1234", "name:ja": "学校"}
    way = closed(extract, 1, 1.2, 1.4, 1.4, amenity="school", building="school", name="Elm School", **tags)
    number = extract.node(*place(2.5, 1.1), amenity="cafe", name="Corner Café")
    canteen = extract.node(*place(1.2, 1.3), amenity="restaurant", name="Canteen")
    extract.node(*place(3, 3), amenity="bench")
    extract.node(*place(3, 3), highway="crossing", name="Not a place")
    file = gazetteer(extract)
    rows = query(file, "SELECT place_id, osm, name, categories, street, number, outline, names ->> 'ja' FROM places")
    places = {row[1]: row for row in rows}
    assert set(places) == {f"w{way}", f"n{number}", f"n{canteen}"}
    # A place inside a building has the building's address.
    assert places[f"n{canteen}"][4:7] == ("Elm Street", "1", None)
    school, cafe = places[f"w{way}"], places[f"n{number}"]
    assert school[0] == place_id_of(f"w{way}")
    assert (school[2], school[4], school[5], school[7]) == ("Elm School", "Elm Street", "1", "学校")
    assert shapely.from_wkb(school[6]).contains(shapely.Point(place(1.2, 1.3)))
    assert (cafe[4], cafe[5], cafe[6]) == (None, None, None)
    assert "cafe" in cafe[3]
    codes = query(file, "SELECT postal_code FROM places JOIN contexts ON contexts.id = context")
    assert codes == [("1234",)] * 3


def test_an_extract_without_anything_to_find_makes_an_empty_gazetteer(gazetteer: Builder) -> None:
    extract = Extract()
    extract.line(place(0, 0), place(1, 0), highway="residential")
    file = gazetteer(extract)
    for table in ("divisions", "streets", "houses", "places", "documents"):
        assert query(file, f"SELECT count(*) FROM {table}") == [(0,)]


def test_an_old_world_pack_is_as_good_as_none(gazetteer: Builder, tmp_path: Path) -> None:
    world = tmp_path / "world.sqlite"
    world.write_bytes(b"")
    extract = Extract()
    address(extract, 1, 1, "1", street="Elm Street")
    assert addresses(gazetteer(extract, world)) == {("Elm Street", "1")}
