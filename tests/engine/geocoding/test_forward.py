"""Forward geocoding in a small gazetteer in which every number is known."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.addresses.address import (
    COARSE,
    DEFAULT_LAYERS,
    FINE,
    Address,
    AddressLanguage,
    ForwardQuery,
    Layer,
    MatchConfidence,
)
from engine.domain.geometry import Point
from engine.gazetteer.writer import Context, GazetteerWriter, House, Street
from engine.geo.earth import distance_m
from engine.geocoding.embedded import EmbeddedGeocoder
from tests.engine.geocoding.small import NAMES, ROCHESTER, SPRINGFIELD, house_at, write_small

EXACT, INTERPOLATED, FALLBACK = MatchConfidence.EXACT, MatchConfidence.INTERPOLATED, MatchConfidence.FALLBACK
EVERY = COARSE | FINE


@pytest.fixture(scope="module")
def geocoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([write_small(tmp_path_factory.mktemp("small") / "gazetteer.sqlite")])
    yield opened
    opened.close()


def ask(geocoder: EmbeddedGeocoder, text: str, layers: frozenset[Layer] = EVERY, countries: str = "") -> list[Address]:
    return list(geocoder.forward(ForwardQuery(text=text, layers=layers, countries=frozenset(countries.split()))))


@pytest.mark.parametrize(
    "text",
    [
        "120 East Main Street, Springfield, IL 62701",
        "120 East Main Street, Springfield, Illinois 62701-1234, USA",
        "120 e main st springfield il",
        "120 E. MAIN ST., SPRINGFIELD, IL",
        "East Main Street 120, Springfield",
        "Springfield, East Main Street 120",
        "120 East Main Street 62701",
        "120 East Main Street Apt 9, Springfield, U.S.A.",
        "  120   East Main   Street ,, Springfield ",
    ],
)
def test_an_address_is_found_however_it_is_written(geocoder: EmbeddedGeocoder, text: str) -> None:
    best = ask(geocoder, text)[0]
    assert (best.number, best.street, best.city) == ("120", "East Main Street", "Springfield")
    assert best.point == house_at(SPRINGFIELD, 0, 120)
    assert best.confidence is EXACT
    assert best.layer is Layer.ADDRESS


def test_every_field_of_an_address_is_returned(geocoder: EmbeddedGeocoder) -> None:
    best = ask(geocoder, "120 East Main Street Apt 4, Springfield, IL")[0]
    assert best == Address(
        point=house_at(SPRINGFIELD, 0, 120),
        layer=Layer.ADDRESS,
        formatted="120 East Main Street, Springfield, IL 62701 US",
        label="120 East Main Street",
        number="120",
        street="East Main Street",
        unit="4",
        city="Springfield",
        county="Sangamon County",
        state="Illinois",
        state_code="IL",
        postal_code="62701",
        country="United States",
        country_code="US",
        confidence=EXACT,
    )


def test_an_unknown_unit_is_not_returned(geocoder: EmbeddedGeocoder) -> None:
    assert ask(geocoder, "120 East Main Street #77, Springfield")[0].unit is None


def test_the_town_decides_between_streets_of_one_name(geocoder: EmbeddedGeocoder) -> None:
    best = ask(geocoder, "120 East Main Street, Rochester, IL")
    assert best[0].point == house_at(ROCHESTER, 0, 120)
    assert [each.city for each in ask(geocoder, "120 East Main Street")] == ["Springfield", "Rochester"]


@pytest.mark.parametrize(
    ("text", "number", "confidence"),
    [
        ("Äulestrasse 12, 9490 Vaduz", "12", EXACT),
        ("Aulestrasse 12a Vaduz", "12a", EXACT),
        ("Aeulestr. 12 A, Vaduz", "12a", EXACT),
        ("9490 Vaduz, Äulestraße 12c", "12c", EXACT),
        ("12A Äulestr, Vaduz, Liechtenstein", "12a", EXACT),
        ("Äulestrasse 12b", "12b", INTERPOLATED),
        ("Äulestrase 14", "14", EXACT),
        ("Aulestrosse 14 Vaduz", "14", FALLBACK),
        ("Äulestrasse 99, Vaduz", None, FALLBACK),
    ],
)
def test_german_streets(geocoder: EmbeddedGeocoder, text: str, number: str | None, confidence: MatchConfidence) -> None:
    best = ask(geocoder, text)[0]
    assert (best.street, best.number and best.number.lower(), best.confidence) == ("Äulestrasse", number, confidence)
    assert best.formatted.endswith("9490 Vaduz LI")


@pytest.mark.parametrize(
    ("text", "street"),
    [
        ("8 St Marks Pl, Springfield", "Saint Marks Place"),
        ("8 Saint Mark's Place", "Saint Marks Place"),
        ("10 Fifth Ave", "5th Avenue"),
        ("10 5 Ave, Springfield", "5th Avenue"),
        ("10 5th Ave", "5th Avenue"),
        ("Sankt Florinsgasse 3", "St. Florinsgasse"),
        ("St. Florins Gasse 3, Vaduz", "St. Florinsgasse"),
        ("Land Strasse 5, Vaduz", "Landstrasse"),
    ],
)
def test_names_that_are_spelled_in_several_ways(geocoder: EmbeddedGeocoder, text: str, street: str) -> None:
    best = ask(geocoder, text)[0]
    assert best.street == street
    assert best.number is not None


@pytest.mark.parametrize(
    ("number", "name"),
    [
        *((1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st")),
        *((101, "101st"), (102, "102nd"), (103, "103rd"), (111, "111th"), (112, "112th"), (113, "113th")),
    ],
)
def test_a_number_names_a_numbered_street(tmp_path: Path, number: int, name: str) -> None:
    with GazetteerWriter(tmp_path / "gazetteer.sqlite", {}) as writer:
        context = writer.context(Context(country_code="US"))
        street = writer.street(Street(name=f"{name} Street", point=SPRINGFIELD, context=context))
        writer.house(House(street=street, number="10", point=SPRINGFIELD, context=context))
    numbered = EmbeddedGeocoder([tmp_path / "gazetteer.sqlite"])
    [found] = ask(numbered, f"10 {number} St")
    assert (found.label, found.confidence) == (f"10 {name} Street", EXACT)
    numbered.close()


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("1 Elm Street, 62701", EXACT),
        ("1 Elm Street, 62799", FALLBACK),
        ("2 Elm Street, 62799", EXACT),
        ("2 Elm Street, 62701", FALLBACK),
        ("3 Elm Street, 62701", EXACT),
        ("3 Elm Street", EXACT),
    ],
)
def test_the_postal_code_of_a_house_counts_more_than_that_of_its_street(
    tmp_path: Path, text: str, confidence: MatchConfidence
) -> None:
    with GazetteerWriter(tmp_path / "gazetteer.sqlite", {}) as writer:
        first, other, none = (
            writer.context(Context(country_code="US", postal_code=code)) for code in ("62701", "62799", None)
        )
        street = writer.street(Street(name="Elm Street", point=SPRINGFIELD, context=first))
        for number, context in (("1", first), ("2", other), ("3", none)):
            writer.house(House(street=street, number=number, point=SPRINGFIELD, context=context))
    coded = EmbeddedGeocoder([tmp_path / "gazetteer.sqlite"])
    best = ask(coded, text)[0]
    assert (best.number, best.confidence) == (text[0], confidence)
    coded.close()


def test_a_number_between_two_of_its_side_is_placed_between_them(geocoder: EmbeddedGeocoder) -> None:
    best = ask(geocoder, "124 East Main Street, Springfield, IL")[0]
    assert (best.number, best.confidence) == ("124", INTERPOLATED)
    assert _apart_m(best.point, house_at(SPRINGFIELD, 0, 124)) < 1


def test_a_number_on_a_line_of_numbers_is_placed_along_it(geocoder: EmbeddedGeocoder) -> None:
    best = ask(geocoder, "104 Elm Street, Springfield")[0]
    assert (best.number, best.confidence) == ("104", INTERPOLATED)
    assert _apart_m(best.point, Point(SPRINGFIELD.longitude + 0.002 * 0.4, 39.808)) < 1


@pytest.mark.parametrize("number", ["105", "240", "9999999", "0"])
def test_a_street_without_that_number_is_only_the_street(geocoder: EmbeddedGeocoder, number: str) -> None:
    best = ask(geocoder, f"{number} Elm Street, Springfield")[0]
    assert (best.street, best.number, best.confidence) == ("Elm Street", None, FALLBACK)


@pytest.mark.parametrize(
    "text",
    ["120 East Mian Street, Springfield", "120 East Main Street, Springfeld", "120 East Main Streeet, Springfield IL"],
)
def test_a_similar_text_is_found_but_never_exact(geocoder: EmbeddedGeocoder, text: str) -> None:
    best = ask(geocoder, text)[0]
    assert best.point == house_at(SPRINGFIELD, 0, 120)
    assert best.confidence is FALLBACK


def test_a_missing_direction_leaves_two_streets_and_neither_is_exact(geocoder: EmbeddedGeocoder) -> None:
    found = ask(geocoder, "120 Main Street, Springfield, IL")
    assert {each.street for each in found} == {"East Main Street", "West Main Street"}
    assert {each.confidence for each in found} == {FALLBACK}


@pytest.mark.parametrize(
    ("text", "layer", "label"),
    [
        ("Springfield", Layer.LOCALITY, "Springfield"),
        ("Springfield, IL", Layer.LOCALITY, "Springfield"),
        ("illinois", Layer.STATE, "Illinois"),
        ("IL", Layer.STATE, "Illinois"),
        ("62701", Layer.POSTAL_CODE, "62701"),
        ("Sangamon County", Layer.COUNTY, "Sangamon County"),
        ("USA", Layer.COUNTRY, "United States"),
        ("Vereinigte Staaten", Layer.COUNTRY, "United States"),
        ("미국", Layer.COUNTRY, "United States"),
        ("Лихтенштейн", Layer.COUNTRY, "Liechtenstein"),
        ("渋谷", Layer.LOCALITY, "Shibuya"),
        ("East Main Street, Rochester", Layer.ADDRESS, "East Main Street"),
        ("mcdonalds springfield", Layer.PLACE, "122 East Main Street"),
    ],
)
def test_everything_that_has_a_name_is_found(geocoder: EmbeddedGeocoder, text: str, layer: Layer, label: str) -> None:
    best = ask(geocoder, text)[0]
    assert (best.layer, best.label) == (layer, label)


def test_a_place_has_its_name_and_its_identifier(geocoder: EmbeddedGeocoder) -> None:
    best = ask(geocoder, "McDonald's", frozenset({Layer.PLACE}))[0]
    assert (best.place_label, best.place_id) == ("McDonald's", "6e0000000000000000000001")
    assert best.formatted == "McDonald's, 122 East Main Street, Springfield, IL 62701 US"


def test_signs_are_found_in_the_middle_of_a_name(geocoder: EmbeddedGeocoder) -> None:
    assert ask(geocoder, "渋谷駅前")[0].place_label == "Gusto Shibuya"
    assert ask(geocoder, "駅前")[0].place_label == "Gusto Shibuya"


@pytest.mark.parametrize("language", list(AddressLanguage))
def test_names_are_returned_in_ten_languages(geocoder: EmbeddedGeocoder, language: AddressLanguage) -> None:
    query = ForwardQuery(text="120 East Main Street, Springfield", language=language)
    assert geocoder.forward(query)[0].country == NAMES[language]


@pytest.mark.parametrize("layer", list(Layer))
def test_only_the_requested_layers_are_returned(geocoder: EmbeddedGeocoder, layer: Layer) -> None:
    for text in ("Springfield", "120 East Main Street, Springfield, IL", "mcdonalds", "62701", "Liechtenstein"):
        assert {each.layer for each in ask(geocoder, text, frozenset({layer}))} <= {layer}


def test_only_the_requested_countries_are_returned(geocoder: EmbeddedGeocoder) -> None:
    assert ask(geocoder, "Vaduz", countries="US JP") == []
    assert ask(geocoder, "Vaduz", countries="US LI")[0].city == "Vaduz"
    assert ask(geocoder, "Liechtenstein", countries="LI")[0].layer is Layer.COUNTRY


def test_a_text_without_similar_names_finds_nothing(geocoder: EmbeddedGeocoder) -> None:
    assert ask(geocoder, "xqzwvk pltrmn", DEFAULT_LAYERS) == []
    assert ask(geocoder, "…", DEFAULT_LAYERS) == []


@pytest.mark.parametrize(
    "text",
    [
        '"East Main Street" 120',
        "120 East Main* Street",
        "name:East NEAR Main Street 120",
        "120 East Main Street ^-",
        "120 (East OR Main) Street",
        "120 'East' Main; DROP TABLE houses; --",
    ],
)
def test_the_syntax_of_the_search_is_only_text(geocoder: EmbeddedGeocoder, text: str) -> None:
    assert ask(geocoder, text)[0].street == "East Main Street"


def test_the_limit_holds(geocoder: EmbeddedGeocoder) -> None:
    assert len(geocoder.forward(ForwardQuery(text="East Main Street", limit=1))) == 1


def test_two_areas_with_the_same_streets_answer_once(tmp_path: Path) -> None:
    files = [write_small(tmp_path / f"{name}.sqlite") for name in "ab"]
    geocoder = EmbeddedGeocoder(files)
    try:
        assert len(ask(geocoder, "120 East Main Street, Springfield, IL")) == 1
        assert len(ask(geocoder, "Vaduz")) == 1
        assert len(ask(geocoder, "McDonald's", frozenset({Layer.PLACE}))) == 1
    finally:
        geocoder.close()


def test_a_file_that_is_no_gazetteer_is_left_out(tmp_path: Path) -> None:
    broken = tmp_path / "broken.sqlite"
    broken.write_bytes(b"not a database")
    geocoder = EmbeddedGeocoder([broken, tmp_path / "missing.sqlite", write_small(tmp_path / "good.sqlite")])
    try:
        assert ask(geocoder, "Vaduz")[0].city == "Vaduz"
    finally:
        geocoder.close()


def _apart_m(one: Point, other: Point) -> float:
    return distance_m(one.longitude, one.latitude, other.longitude, other.latitude)
