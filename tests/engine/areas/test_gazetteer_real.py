"""Gazetteers of real extracts, compared with addresses read directly from the extract by other code."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import osmium
import pytest
from osmium.filter import EmptyTagFilter, KeyFilter

from engine.gazetteer.text import words
from tests.engine.areas.gazetteers import FoundHouse, Spot, build, distance_m, houses, lying, query, real_gazetteer
from tests.shared import SharedData

pytestmark = pytest.mark.slow

WORLD = Path(__file__).parents[3] / "resources" / "world" / "world.sqlite"
EXTRACTS = ("liechtenstein", "state-college", "nyc-lower")

each_extract = pytest.mark.parametrize("name", EXTRACTS)
needs_world = pytest.mark.skipif(not WORLD.is_file(), reason="the world pack was not built")


@dataclass
class Tagged:
    """An address as tagged in the extract; `corners` are all nodes of the tagged object."""

    street: str
    number: str
    city: str
    postcode: str
    corners: list[Spot] = field(default_factory=list)


def tagged(extract: Path) -> Iterator[Tagged]:
    """Yield all nodes and ways with street and number, read object by object."""
    item: Any
    objects = osmium.FileProcessor(str(extract), osmium.osm.NODE | osmium.osm.WAY).with_locations()
    for item in objects.with_filter(KeyFilter("addr:housenumber")):
        tags = item.tags
        if "addr:street" in tags:
            nodes = [item.location] if item.is_node() else [node.location for node in item.nodes]
            yield Tagged(
                tags["addr:street"],
                tags["addr:housenumber"],
                tags.get("addr:city", ""),
                tags.get("addr:postcode", ""),
                [(node.lon, node.lat) for node in nodes if node.valid()],
            )


class Gazetteers:
    """The gazetteers of the shared extracts, each built on first use."""

    def __init__(self, shared_data: SharedData, factory: pytest.TempPathFactory) -> None:
        self._shared_data, self._factory = shared_data, factory

    def __getitem__(self, name: str) -> Path:
        return real_gazetteer(self._shared_data, self._factory, name, WORLD)

    def extract(self, name: str) -> Path:
        """Return the extract of a gazetteer."""
        return self._shared_data.extract(name)


@pytest.fixture(scope="module")
def gazetteers(shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory) -> Gazetteers:
    return Gazetteers(shared_data, tmp_path_factory)


def street_key(name: str) -> str:
    """Return a street's name without spelling differences."""
    return "".join(words(name))


def is_plain(number: str) -> bool:
    return not any(char in number for char in ";,")


def is_brooklyns(code: str | None) -> bool:
    return code is not None and code.startswith("112")


def by_address(found: list[FoundHouse]) -> dict[tuple[str, str], list[FoundHouse]]:
    known: dict[tuple[str, str], list[FoundHouse]] = defaultdict(list)
    for house in found:
        known[street_key(house.street), house.number.lower()].append(house)
    return known


def within_m(house: FoundHouse, address: Tagged) -> float:
    """Return the distance of a house from an address: from its nodes, or from the centre of their box."""
    west, east = min(x for x, _ in address.corners), max(x for x, _ in address.corners)
    south, north = min(y for _, y in address.corners), max(y for _, y in address.corners)
    middle = ((west + east) / 2, (south + north) / 2)
    return min(distance_m(house.spot, spot) for spot in (middle, *address.corners))


@each_extract
def test_every_address_of_the_extract_is_there(gazetteers: Gazetteers, name: str) -> None:
    extract, file = gazetteers.extract(name), gazetteers[name]
    known = by_address(houses(file))
    wanted = [address for address in tagged(extract) if is_plain(address.number) and is_plain(address.street)]
    assert len(wanted) > 12_000
    missing = [each for each in wanted if (street_key(each.street), each.number.lower()) not in known]
    assert missing == []
    far = [
        each
        for each in wanted
        if all(within_m(house, each) > 30 for house in known[street_key(each.street), each.number.lower()])
    ]
    # A number on a large campus whose centre is far from its nodes.
    assert len(far) <= 0.001 * len(wanted), far


@each_extract
def test_addresses_are_in_the_city_and_postal_code_of_their_tags(gazetteers: Gazetteers, name: str) -> None:
    extract, file = gazetteers.extract(name), gazetteers[name]
    known = by_address(houses(file))
    cities = postcodes = wrong_cities = wrong_postcodes = 0
    for address in tagged(extract):
        own = known.get((street_key(address.street), address.number.lower()), [])
        near = [house for house in own if within_m(house, address) <= 30]
        if not near:
            continue
        if address.city:
            cities += 1
            wrong_cities += address.city.lower() not in {(house.lies.city or "").lower() for house in near}
        if address.postcode:
            postcodes += 1
            wrong_postcodes += address.postcode[:5] not in {house.lies.postal_code for house in near}
    assert cities > 2_500
    assert postcodes > 12_000
    # Names misspelled by two or three addresses are not adopted.
    assert wrong_cities <= 0.003 * cities
    # The same house is often tagged twice, with different codes.
    assert wrong_postcodes <= (0.004 if name == "nyc-lower" else 0.0005) * postcodes


@each_extract
def test_no_house_is_without_a_street_country_and_city(gazetteers: Gazetteers, name: str) -> None:
    file = gazetteers[name]
    found = houses(file)
    assert [house for house in found if not house.street] == []
    if WORLD.is_file():
        assert [house for house in found if not (house.lies.country and house.lies.city)] == []
    assert sum(house.lies.postal_code is None for house in found) <= 0.001 * len(found)


@each_extract
def test_a_house_is_there_once(gazetteers: Gazetteers, name: str) -> None:
    file = gazetteers[name]
    for (street, number), own in by_address(houses(file)).items():
        for index, house in enumerate(own):
            apart = [distance_m(house.spot, other.spot) for other in own[:index] if other.lies.city == house.lies.city]
            assert all(distance > 15 for distance in apart), (street, number)


@each_extract
def test_streets_are_joined(gazetteers: Gazetteers, name: str) -> None:
    extract, file = gazetteers.extract(name), gazetteers[name]
    ways = 0
    item: Any
    for item in osmium.FileProcessor(str(extract), osmium.osm.WAY).with_filter(KeyFilter("highway")):
        ways += "name" in item.tags
    streets = query(file, "SELECT count(*) FROM streets")[0][0]
    assert streets < {"nyc-lower": 0.25}.get(name, 0.55) * ways
    # Hardly any street is known from addresses alone.
    alone = query(file, "SELECT coalesce(sum(houses), 0) FROM streets WHERE line IS NULL")[0][0]
    assert alone <= 0.03 * query(file, "SELECT count(*) FROM houses")[0][0]


def test_a_second_build_gives_places_the_same_identifiers(gazetteers: Gazetteers, tmp_path: Path) -> None:
    file = gazetteers["state-college"]
    again = build(gazetteers.extract("state-college"), tmp_path / "again", WORLD)
    wanted = "SELECT place_id, osm, name FROM places ORDER BY osm"
    assert query(again, wanted) == query(file, wanted)
    assert query(file, "SELECT count(*) FROM places")[0][0] > 1_000


@pytest.mark.usefixtures("real_extracts")
def test_vaduz_lies_in_liechtenstein(gazetteers: Gazetteers) -> None:
    file = gazetteers["liechtenstein"]
    [vaduz] = lying(file, "divisions", "Vaduz")
    assert (vaduz.country, vaduz.country_code, vaduz.state) == ("Liechtenstein", "LI", None)
    names = query(
        file, "SELECT names ->> 'ja', names ->> 'ar', code FROM divisions WHERE layer = 'country' AND code = 'LI'"
    )
    assert names == [("リヒテンシュタイン", "ليختنشتاين", "LI")]
    communes = query(
        file, "SELECT count(*) FROM divisions WHERE layer = 'locality' AND osm LIKE 'r115%' AND outline NOTNULL"
    )
    assert communes == [(11,)]
    inside = [house for house in houses(file) if house.lies.country_code == "LI"]
    assert len(inside) > 12_000
    assert {house.lies.state for house in inside} == {None}


@needs_world
def test_state_college_lies_in_centre_county(gazetteers: Gazetteers) -> None:
    file = gazetteers["state-college"]
    places = lying(file, "divisions", "State College")
    assert [(each.county, each.state, each.country) for each in places] == [
        ("Centre County", "Pennsylvania", "United States")
    ]
    lies = {(each.lies.county, each.lies.state, each.lies.country, each.lies.country_code) for each in houses(file)}
    assert lies == {("Centre County", "Pennsylvania", "United States", "US")}
    assert query(file, "SELECT code FROM divisions WHERE layer = 'state'") == [("PA",)]


@pytest.mark.usefixtures("real_extracts")
@needs_world
def test_lower_manhattan_lies_in_manhattan(gazetteers: Gazetteers) -> None:
    file = gazetteers["nyc-lower"]
    found = houses(file)
    wall = next(each for each in found if (each.street, each.number) == ("Wall Street", "11"))
    assert (wall.lies.city, wall.lies.borough, wall.lies.county) == ("New York", "Manhattan", "New York County")
    assert (wall.lies.state, wall.lies.country, wall.lies.neighborhood) == (
        *("New York", "United States", "Financial District"),
    )
    brooklyn = [each for each in found if each.lies.borough == "Brooklyn"]
    assert len(brooklyn) > 1_000
    assert {each.lies.county for each in brooklyn} == {"Kings County"}
    # Postal codes do not depend on the boundary closed here; a few are wrongly tagged, or belong to piers.
    known = [each for each in found if each.lies.postal_code]
    astray = [each for each in known if is_brooklyns(each.lies.postal_code) == (each.lies.borough == "Manhattan")]
    assert len(astray) <= 5, astray


@pytest.mark.usefixtures("real_extracts")
@needs_world
@pytest.mark.parametrize("name", ["nyc-lower", "state-college"])
def test_postal_codes_are_at_their_known_locations(gazetteers: Gazetteers, name: str) -> None:
    file = gazetteers[name]
    written = query(file, "SELECT name, longitude, latitude FROM divisions WHERE layer = 'postalCode'")
    known = {code: (x, y) for code, x, y in query(WORLD, "SELECT code, longitude, latitude FROM zip_codes")}
    assert len(written) >= (10 if name == "nyc-lower" else 3)
    assert {"10005", "10002"} <= {code for code, _, _ in written} or name != "nyc-lower"
    counts = dict(query(file, "SELECT postal_code, count(*) FROM houses JOIN contexts c ON c.id = context GROUP BY 1"))
    assert [code for code, x, y in written if counts.get(code, 0) < 20 and (x, y) != known[code]] == []
    assert {"10000", "10001", "11225"}.isdisjoint(code for code, _, _ in written)
    carried = query(file, "SELECT DISTINCT postal_code FROM contexts WHERE country_code = 'US' AND postal_code NOTNULL")
    assert {code for (code,) in carried} <= known.keys(), "no address has a code that there is not"


@pytest.mark.usefixtures("real_extracts")
def test_units_of_apartments_are_known(gazetteers: Gazetteers) -> None:
    file = gazetteers["state-college"]
    flats = "SELECT unit FROM units JOIN houses ON houses.id = house JOIN streets ON streets.id = street WHERE "
    cricklewood = query(file, f"{flats} streets.name = 'Cricklewood Drive' AND number = '940' ORDER BY 1")
    assert [unit for (unit,) in cricklewood] == [
        str(floor + flat) for floor in (100, 200, 300) for flat in range(37, 41)
    ]
    assert query(file, "SELECT count(*) FROM units")[0][0] > 900


@pytest.mark.usefixtures("real_extracts")
def test_numbers_between_houses_are_interpolated(gazetteers: Gazetteers) -> None:
    file = gazetteers["nyc-lower"]
    ranges = query(
        file,
        "SELECT first, last, step FROM ranges JOIN streets ON streets.id = street WHERE streets.name = ? ORDER BY 1",
        "Pierrepont Street",
    )
    assert (61, 69, 2) in ranges


def cut_out_of_its_city(extract: Path, target: Path) -> None:
    """Write an extract as if it lay within a city: without boundaries, and without cities in addresses."""
    item: Any
    with osmium.SimpleWriter(str(target)) as writer:
        objects = osmium.FileProcessor(str(extract), osmium.osm.NODE | osmium.osm.WAY)
        # Most nodes are only vertices of ways; osmium copies them by itself.
        for item in objects.with_filter(EmptyTagFilter()).handler_for_filtered(writer):
            is_city = item.tags.get("place") == "city" or "boundary" in item.tags
            tags = {tag.k: tag.v for tag in item.tags if tag.k != "addr:city" and not is_city}
            (writer.add_node if item.is_node() else writer.add_way)(item.replace(tags=tags))


@needs_world
def test_a_part_of_a_city_lies_in_it_and_not_in_its_sections(shared_data: SharedData, tmp_path: Path) -> None:
    cut_out_of_its_city(shared_data.extract("nyc-lower"), tmp_path / "cut.osm.pbf")
    found = build(tmp_path / "cut.osm.pbf", tmp_path / "built", WORLD)
    cities = Counter(house.lies.city for house in houses(found))
    # The world pack has Chinatown, East Village and the Financial District, whose centres are nearer than the city's.
    assert cities["New York City"] + cities["Brooklyn"] > 0.999 * cities.total()
    assert cities["Brooklyn"] > 1_000


@pytest.mark.usefixtures("real_extracts")
def test_a_river_is_a_place_once_in_each_city(gazetteers: Gazetteers) -> None:
    rivers = query(
        gazetteers["liechtenstein"],
        "SELECT p.name, c.city, p.longitude FROM places p JOIN contexts c ON c.id = p.context"
        " WHERE categories LIKE '%\"river\"%'",
    )
    rhine = [longitude for name, _, longitude in rivers if name == "Rhein"]
    assert len(rhine) >= 2
    assert all(9.47 < longitude < 9.56 for longitude in rhine)
    assert len({row[:2] for row in rivers}) == len(rivers)


@needs_world
def test_a_city_across_a_border_is_in_its_country(
    shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory
) -> None:
    # The world's outlines are coarse: half of these towns would be in Monaco, and a street of Monaco in France.
    gazetteer = real_gazetteer(shared_data, tmp_path_factory, "monaco", WORLD)
    sql = (
        "SELECT DISTINCT d.name, c.country_code FROM streets s JOIN contexts c ON c.id = s.context"
        " JOIN divisions d ON d.id = c.city WHERE d.osm IS NOT NULL"
    )
    french = {"Beausoleil", "Cap-d'Ail", "La Turbie", "Menton", "Peille", "Peillon", "Roquebrune-Cap-Martin", "Èze"}
    countries = {"Monaco": "MC", "La Trinité": "FR", **dict.fromkeys(french, "FR")}
    assert set(query(gazetteer, sql)) == set(countries.items())
    sql = (
        "SELECT d.name, c.country_code FROM divisions d JOIN contexts c ON c.id = d.context WHERE d.layer = 'locality'"
    )
    assert dict(query(gazetteer, f"{sql} AND d.osm IS NOT NULL")) == countries


@needs_world
def test_houses_of_queens_are_in_the_city_of_their_postal_code(gazetteers: Gazetteers) -> None:
    """The extract has no outline of a city around them, and the nearest village is across the county line."""
    sql = "SELECT code, city, accepted FROM zip_codes WHERE county = 'Queens County' AND state = 'NY'"
    cities = {code: (city, *orjson.loads(accepted)) for code, city, accepted in query(WORLD, sql)}
    found = [each for each in houses(gazetteers["queens"]) if each.lies.postal_code in cities]
    assert len(found) > 30_000
    assert sum(each.lies.city in cities[each.lies.postal_code or ""] for each in found) > 0.999 * len(found)
    assert {each.lies.county for each in found} == {"Queens County"}
