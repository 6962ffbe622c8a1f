"""Numbers of roads in the gazetteer of an area, and the search by them in every way to write them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.areas.gazetteer.road_numbers import name_of, numbers_of, written
from engine.domain.addresses.address import Address, AutocompleteQuery, ForwardQuery, MatchConfidence
from engine.geocoding.embedded import EmbeddedGeocoder
from tests.engine.areas.extracts import Extract, place
from tests.engine.areas.gazetteers import build, query


@pytest.mark.parametrize(
    ("tags", "numbers"),
    [
        ({"highway": "motorway", "ref": "I 8;US 95"}, ("I 8", "US 95")),
        ({"highway": "trunk", "ref": "A 8", "int_ref": "E 80"}, ("A 8", "E 80")),
        ({"highway": "path", "ref": "12"}, ()),
        ({"highway": "motorway_link", "ref": "12"}, ()),
        ({"highway": "primary", "ref": "Truck Route"}, ()),
        ({"highway": "primary"}, ()),
        ({"power": "tower", "ref": "12"}, ()),
    ],
)
def test_the_numbers_of_a_road(tags: dict[str, str], numbers: tuple[str, ...]) -> None:
    assert numbers_of(tags) == numbers


@pytest.mark.parametrize(
    ("number", "country", "names"),
    [
        ("I 8", "US", {"I 8", "I8", "Interstate 8", "Highway 8"}),
        ("US 95", "US", {"US 95", "US95", "US Highway 95", "US Route 95", "Highway 95"}),
        ("AZ 195", "US", {"AZ 195", "State Route 195", "Highway 195", "SR 195"}),
        ("D 902", "FR", {"D 902", "D902", "RD 902", "Départementale 902"}),
        ("A1", "FR", {"A 1", "A1", "Autoroute A1"}),
        ("A 5", "DE", {"A 5", "A5", "Autobahn 5", "Bundesautobahn 5"}),
        ("SS 16", "IT", {"SS 16", "Strada Statale 16"}),
        ("N-340", "ES", {"N 340", "N340", "Carretera Nacional 340"}),
        ("99", "CA", {"Highway 99"}),
    ],
)
def test_a_road_is_found_by_every_way_to_write_its_number(number: str, country: str, names: set[str]) -> None:
    assert names <= set(written([number], country).values())


def test_a_mere_number_is_no_name() -> None:
    assert written(["99"], "MT") == {}
    assert (name_of("99", "MT"), name_of("99", "CA"), name_of("A 1", None)) == (None, "Highway 99", "A 1")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gazetteer of a town of Arizona with a motorway, a highway through Main Street, and a short piece of it."""
    extract = Extract()
    extract.node(*place(2, 2), place="town", name="Anytown")
    house = {"addr:housenumber": "8", "addr:country": "US"}
    for row, street in ((1.1, "Main Street"), (4.1, "Carrer Antoni Fiter i Rossell")):
        extract.nodes.append((*place(1, row), house | {"addr:street": street}))
    extract.line(place(0, 0), place(9, 0), highway="motorway", ref="I 8")
    extract.line(place(0, 1), place(9, 1), highway="primary", name="Main Street", ref="US 95")
    extract.line(place(0, 3), place(1, 3), highway="primary", name="Oak Street", ref="US 95")
    extract.line(place(1, 3), place(9, 3), highway="residential", name="Oak Street")
    extract.line(place(0, 4), place(9, 4), highway="residential", name="Carrer Antoni Fiter i Rossell")
    extract.line(place(0, 5), place(9, 5), highway="cycleway", ref="X 1")
    folder = tmp_path_factory.mktemp("roads")
    return build(extract.write(folder / "extract.osm.pbf"), folder / "made")


Ask = Callable[[str], tuple[Address, ...]]


@pytest.fixture(params=["forward", "autocomplete"])
def ask(request: pytest.FixtureRequest, made: Path) -> Iterator[Ask]:
    geocoder = EmbeddedGeocoder([made])
    if request.param == "forward":
        yield lambda text: geocoder.forward(ForwardQuery(text=text))
    else:
        yield lambda text: geocoder.autocomplete(AutocompleteQuery(text=text))
    geocoder.close()


def test_a_road_without_a_name_is_a_street_named_by_its_number(made: Path) -> None:
    names = [name for (name,) in query(made, "SELECT name FROM streets ORDER BY name")]
    assert names == ["Carrer Antoni Fiter i Rossell", "I 8", "Main Street", "Oak Street"]


@pytest.mark.parametrize(
    ("street", "texts"),
    [
        ("I 8", ("I 8", "I-8", "I8", "i-8", "Interstate 8", "I-8, Anytown")),
        ("Main Street", ("US 95", "US-95", "US95", "Hwy 95", "Highway 95", "US Hwy 95", "us route 95")),
    ],
)
def test_roads_are_found_by_their_numbers(ask: Ask, street: str, texts: tuple[str, ...]) -> None:
    assert {text: [each.street for each in ask(text)[:1]] for text in texts} == {text: [street] for text in texts}


def test_the_number_of_a_road_is_no_house_number_on_another(ask: Ask) -> None:
    # Main Street has a house 8, and is a highway, but not Highway 8.
    assert [(each.street, each.number) for each in ask("Hwy 8")] == [("I 8", None)]


def test_a_road_that_does_not_exist_is_not_found(ask: Ask) -> None:
    assert [ask(text) for text in ("I-9", "US 96", "Hwy 96")] == [(), (), ()]


def test_a_house_is_found_by_the_number_of_its_road(made: Path) -> None:
    geocoder = EmbeddedGeocoder([made])
    best = geocoder.forward(ForwardQuery(text="8 US Highway 95, Anytown"))[0]
    geocoder.close()
    assert (best.number, best.street, best.confidence) == ("8", "Main Street", MatchConfidence.EXACT)
