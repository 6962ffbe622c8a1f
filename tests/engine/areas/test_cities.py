"""The city of a house whose address names none: outlines, the table of postal codes, and the nearest settlement."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.areas.gazetteer.countries import AdminDivision
from engine.areas.gazetteer.reach import Lines, Reaching
from engine.domain.addresses.address import ForwardQuery, Layer, MatchConfidence
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.gazetteer.rows import DivisionLayer
from engine.gazetteer.writer import Context, Division, GazetteerWriter
from engine.geocoding.embedded import EmbeddedGeocoder
from tests.engine.areas.extracts import Extract, closed, place
from tests.engine.areas.gazetteers import build, houses, query

type Builder = Callable[..., Path]

WEST_COUNTY, EAST_COUNTY = "West County", "East County"
LINE = 100
"""Column of the line between the two counties, in blocks of about a hundred metres."""


@pytest.fixture
def gazetteer(tmp_path: Path) -> Builder:
    def build_one(extract: Extract, world: Path | None = None) -> Path:
        folder = tmp_path / "gazetteer"
        folder.mkdir()
        return build(extract.write(folder / "extract.osm.pbf"), folder / "made", world)

    return build_one


STEPS = st.integers(0, 100).map(lambda step: step / 100)

type Town = tuple[str, float, int]
"""Name, column and inhabitants of a town of the world pack."""

type Code = tuple[str, float, str, tuple[str, ...], str]
"""Postal code, column, city, other cities and county."""


def world_of(folder: Path, towns: Sequence[Town], codes: Sequence[Code] = (), country: str = "US") -> Path:
    """Write a world pack of one state with two counties, with towns and postal codes."""
    file = folder / "world.sqlite"
    with GazetteerWriter(file, {}) as writer:

        def divide(
            layer: DivisionLayer, name: str, west: float, east: float, context: Context, code: str | None = None
        ) -> int:
            shape = shapely.to_wkb(shapely.box(*place(west, -300), *place(east, 300)))
            spot = Point(*place((west + east) / 2, 0))
            number = writer.context(context)
            return writer.division(
                Division(layer=layer, name=name, point=spot, context=number, code=code, outline=shape)
            )

        land = divide(Layer.COUNTRY, "Land", -300, 500, Context(), country)
        state = divide(Layer.STATE, "Plainland", -300, 500, Context(country=land, country_code=country), "PL")
        inside = Context(country=land, state=state, country_code=country)
        divide(Layer.COUNTY, WEST_COUNTY, -300, LINE, inside)
        divide(Layer.COUNTY, EAST_COUNTY, LINE, 500, inside)
        for name, column, population in towns:
            spot = Point(*place(column, 0))
            number = writer.context(inside)
            writer.division(
                Division(layer=Layer.LOCALITY, name=name, point=spot, context=number, population=population)
            )
    with closing(sqlite3.connect(file)) as pack, pack:
        pack.execute("CREATE TABLE zip_codes (code, longitude, latitude, city, accepted, county)")
        for code, column, city, others, county in codes:
            accepted = "[" + ", ".join(f'"{other}"' for other in others) + "]"
            row = (code, *place(column, 0), city, accepted, county)
            pack.execute("INSERT INTO zip_codes VALUES (?, ?, ?, ?, ?, ?)", row)
    return file


def house(extract: Extract, column: float, number: str, **tags: str) -> None:
    parts = {f"addr:{key}": value for key, value in {"street": "Elm Street", "country": "US", **tags}.items()}
    extract.nodes.append((*place(column, 0.1), {"addr:housenumber": number, **parts}))


def between(west: float, east: float) -> Extract:
    extract = Extract()
    extract.line(place(west, 0), place(east, 0), highway="residential", name="Elm Street")
    return extract


def cities(file: Path) -> dict[str, str | None]:
    return {each.number: each.lies.city for each in houses(file)}


def test_a_village_does_not_reach_across_a_county_line(gazetteer: Builder, tmp_path: Path) -> None:
    world = world_of(tmp_path, [("Nearby", LINE + 12, 1_000)])
    extract = between(LINE - 20, LINE + 20)
    house(extract, LINE - 15, "1")
    house(extract, LINE + 15, "2")
    assert cities(gazetteer(extract, world)) == {"1": None, "2": "Nearby"}


def test_coarse_lines_of_other_countries_do_not_hold_back_a_town_next_to_them(
    gazetteer: Builder, tmp_path: Path
) -> None:
    world = world_of(tmp_path, [("Nearby", LINE + 12, 1_000)], country="DE")
    extract = between(LINE - 20, LINE + 20)
    house(extract, LINE - 10, "1", country="DE")
    assert cities(gazetteer(extract, world)) == {"1": "Nearby"}


def test_the_city_of_the_postal_code_counts_more_than_the_nearest_village(gazetteer: Builder, tmp_path: Path) -> None:
    codes = [("12345", 0.0, "Bigton", ("Oldham",), WEST_COUNTY)]
    world = world_of(tmp_path, [("Nearby", 10, 1_000), ("Bigton", 60, 60_000)], codes)
    extract = between(0, 20)
    house(extract, 9, "1", postcode="12345")
    house(extract, 9.2, "2", postcode="12345-6789")
    house(extract, 9.4, "3")
    file = gazetteer(extract, world)
    # The third takes the postal code of its neighbour.
    assert cities(file) == {"1": "Bigton", "2": "Bigton", "3": "Bigton"}
    found = query(file, "SELECT country_code, postal_code, name FROM postal_cities ORDER BY name")
    assert found == [("US", "12345", "Bigton"), ("US", "12345", "Oldham")]


def test_the_outline_of_a_city_counts_more_than_the_postal_code(gazetteer: Builder, tmp_path: Path) -> None:
    world = world_of(tmp_path, [("Bigton", 60, 60_000)], [("12345", 0.0, "Bigton", (), WEST_COUNTY)])
    extract = between(0, 20)
    ring = closed(extract, 5, -5, 12, 5)
    extract.relation([("w", ring, "outer")], type="boundary", boundary="administrative", admin_level="8", name="Inton")
    house(extract, 9, "1", postcode="12345")
    assert cities(gazetteer(extract, world)) == {"1": "Inton"}


def test_a_city_of_addresses_is_not_the_village_of_its_name_across_the_county_line(
    gazetteer: Builder, tmp_path: Path
) -> None:
    codes = [("12345", LINE - 20.0, "Village", (), WEST_COUNTY)]
    world = world_of(tmp_path, [], codes)
    extract = between(LINE - 40, LINE + 40)
    ring = closed(extract, LINE + 20, -5, LINE + 30, 5)
    tags = {"type": "boundary", "boundary": "administrative", "admin_level": "8", "name": "Village"}
    own = extract.relation([("w", ring, "outer")], **tags)
    for number in range(3):
        house(extract, LINE - 30 + number, str(number), postcode="12345")
    house(extract, LINE + 25, "9")
    sql = (
        "SELECT h.number, d.name, d.osm FROM houses h JOIN contexts c ON c.id = h.context"
        " JOIN divisions d ON d.id = c.city ORDER BY 1"
    )
    elsewhere = [(str(number), "Village", None) for number in range(3)]
    assert query(gazetteer(extract, world), sql) == [*elsewhere, ("9", "Village", f"r{own}")]


def test_the_county_of_a_postal_code_counts_near_a_coarse_line(gazetteer: Builder, tmp_path: Path) -> None:
    world = world_of(tmp_path, [], [("12345", LINE - 5.0, "Bigton", (), WEST_COUNTY)])
    extract = between(LINE - 20, LINE + 40)
    house(extract, LINE + 3, "1", postcode="12345")
    house(extract, LINE + 30, "2", postcode="12345")
    found = {each.number: each.lies.county for each in houses(gazetteer(extract, world))}
    assert found == {"1": WEST_COUNTY, "2": EAST_COUNTY}


def test_a_city_that_is_hardly_nearer_than_another_is_uncertain(gazetteer: Builder) -> None:
    extract = between(0, 60)
    extract.node(*place(0, 0), place="town", name="Westton")
    extract.node(*place(60, 0), place="town", name="Eastton")
    for number, (column, tags) in enumerate(((2, {}), (28, {}), (32, {}), (33, {"city": "Eastton"}))):
        house(extract, column, str(number), **tags)
    for name, column in (("North Road", 2), ("South Road", 28)):
        extract.line(place(column, 1), place(column, 2), highway="residential", name=name)
    file = gazetteer(extract)
    streets = query(file, "SELECT name FROM streets WHERE context IN (SELECT context FROM uncertain_contexts)")
    assert streets == [("South Road",)]
    uncertain = query(
        file, "SELECT number FROM houses WHERE context IN (SELECT context FROM uncertain_contexts) ORDER BY 1"
    )
    assert cities(file) == {"0": "Westton", "1": "Westton", "2": "Eastton", "3": "Eastton"}
    assert uncertain == [("1",), ("2",)]


@pytest.mark.parametrize(
    ("written", "city"), [("Bigton, PL", "Bigton"), ("Bigtno", "Bigton"), ("Elsewhere", "Elsewhere")]
)
def test_a_state_or_a_typing_error_in_the_city_makes_no_other_city(gazetteer: Builder, written: str, city: str) -> None:
    extract = between(0, 20)
    ring = closed(extract, -5, -5, 25, 5)
    extract.relation([("w", ring, "outer")], type="boundary", boundary="administrative", admin_level="8", name="Bigton")
    for number in range(4):
        house(extract, number, str(number), city=written)
    assert set(cities(gazetteer(extract)).values()) == {city}


@pytest.mark.parametrize(("count", "is_hill_west"), [(2, False), (3, True)])
def test_a_few_addresses_do_not_determine_a_boundary_against_its_neighbour(
    gazetteer: Builder, count: int, is_hill_west: bool
) -> None:
    extract = between(0, 20)
    way = extract.way([extract.node(*place(10, -5)), extract.node(*place(10, 5))])
    label = extract.node(*place(4, 2), place="village", name="Dale")
    tags = {"type": "boundary", "boundary": "administrative", "admin_level": "8"}
    extract.relation([("w", way, "outer"), ("n", label, "label")], **tags, name="Dale")
    extract.relation([("w", way, "outer")], **tags, name="Hill")
    extract.line(place(0, -5), place(0, 5), highway="path")
    extract.line(place(20, -5), place(20, 5), highway="path")
    for number in range(count):
        house(extract, 1 + number, str(number), city="Hill")
    house(extract, 15, "9")
    assert cities(gazetteer(extract))["9"] == (None if is_hill_west else "Hill")


def test_one_address_determines_a_boundary_without_a_known_neighbour(gazetteer: Builder) -> None:
    extract = between(0, 20)
    way = extract.way([extract.node(*place(10, -5)), extract.node(*place(10, 5))])
    extract.relation([("w", way, "outer")], type="boundary", boundary="administrative", admin_level="8", name="Hill")
    extract.line(place(0, -5), place(0, 5), highway="path")
    extract.line(place(20, -5), place(20, 5), highway="path")
    house(extract, 1, "1", city="Hill")
    house(extract, 5, "2")
    house(extract, 15, "3")
    assert cities(gazetteer(extract)) == {"1": "Hill", "2": "Hill", "3": None}


def test_a_gazetteer_made_before_these_tables_is_read(gazetteer: Builder, tmp_path: Path) -> None:
    extract = between(0, 20)
    house(extract, 1, "1", city="Bigton", postcode="12345")
    file = gazetteer(extract, world_of(tmp_path, [], [("12345", 0.0, "Bigton", ("Oldham",), WEST_COUNTY)]))
    [(context,)] = query(file, "SELECT context FROM houses")
    opened = Gazetteer(file)
    assert opened.context(context).postal_cities == ("Bigton", "Oldham")
    assert "oldham" in opened.context(context).words
    opened.close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DROP TABLE postal_cities")
        connection.execute("DROP TABLE uncertain_contexts")
    before = Gazetteer(file)
    assert before.context(context).postal_cities == ()
    assert not before.context(context).is_uncertain
    before.close()


@settings(max_examples=60, deadline=None)
@given(
    spots=st.lists(st.tuples(STEPS, STEPS), min_size=1, max_size=8),
    towns=st.lists(st.tuples(STEPS, STEPS, st.sampled_from(["city", "village"])), max_size=6),
    line=st.integers(10, 90).map(lambda step: (step + 0.5) / 100),
)
def test_no_settlement_reaches_across_a_line(
    spots: list[tuple[float, float]], towns: list[tuple[float, float, str]], line: float
) -> None:
    counties = [
        (AdminDivision(layer=Layer.COUNTY, name=name, spot=(0.0, 0.0), osm=name), shapely.box(west, -1, east, 2))
        for name, west, east in (("west", -1, line), ("east", line, 2))
    ]
    lines = Lines(frozenset())
    lines.add({Layer.STATE: [], Layer.COUNTY: counties})
    divisions = [
        AdminDivision(layer=Layer.LOCALITY, name=f"Town {number}", spot=(x, y), size=size)
        for number, (x, y, size) in enumerate(towns)
    ]
    # No distance between two steps is equal to a reach.
    reach = {"city": 0.505, "village": 0.2025}
    found: list[AdminDivision | None] = [None] * len(spots)
    Reaching(divisions, reach, np.array([1.0, 1.0]), lines).fill(np.array(spots), found)
    for (x, y), city in zip(spots, found, strict=True):
        shares = {
            each.name: np.hypot(x - each.spot[0], y - each.spot[1]) / reach[each.size]
            for each in divisions
            if (each.spot[0] < line) == (x < line)
        }
        near = {name: share for name, share in shares.items() if share <= 1.0}
        assert (city is None) == (not near)
        if city is not None:
            assert near[city.name] == pytest.approx(min(near.values()))


def test_another_extension_of_the_postal_code_is_not_exact(gazetteer: Builder, tmp_path: Path) -> None:
    world = world_of(tmp_path, [("Nearby", 0, 5_000)], [("85365", 0, "Nearby", (), WEST_COUNTY)])
    extract = between(-20, 20)
    house(extract, -5, "193", city="Nearby", postcode="85365-1213")
    house(extract, 5, "195", city="Nearby", postcode="85365")
    geocoder = EmbeddedGeocoder([gazetteer(extract, world)], world)
    confidences = {}
    for number, code in (("193", "85365-1213"), ("193", "85365-1216"), ("193", "85365"), ("195", "85365-1216")):
        best = geocoder.forward(ForwardQuery(text=f"{number} Elm Street, Nearby, PL {code}"))[0]
        assert best.number == number
        confidences[number, code] = best.confidence
    geocoder.close()
    wrong = {key for key, confidence in confidences.items() if confidence is not MatchConfidence.EXACT}
    assert wrong == {("193", "85365-1216")}
