"""House numbers with a unit, by the habits of the country, and those of Queens without their hyphen."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.addresses.address import Address, AutocompleteQuery, ForwardQuery, MatchConfidence
from engine.domain.addresses.validation import AddressQuery, ValidatedAddress, VerificationStatus
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.search.parsing import read_query
from engine.geocoding.validation.validator import AddressValidator
from tests.engine.geocoding.streets import position, write_town

NUMBERS: Final = ("8", "12", "300", "332", "336", "360")
STREETS: Final = {
    "Water Street": NUMBERS,
    "12th Avenue": ("40",),
    "Main Street": ("12", "16", "1234"),
    "15 Mile Road": ("12", "3400"),
}
QUEENS: Final = {
    "72nd Avenue": ("108-11", "108-15", "108-19", "11-15", "115-103", "84-5", "213-19B"),
    "Manor Road": ("224-08", "224-10", "224-12"),
    "Union Turnpike": ("70", "72", "74", "76", "70-75", "108-112"),
}
GERMAN: Final = {"Wasserstraße": ("2", "12", "14", "16/3", "332")}

type Towns = dict[str, EmbeddedGeocoder]


@pytest.fixture(scope="module")
def towns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Towns]:
    folder = tmp_path_factory.mktemp("towns")
    known = {("Water Street", "360"): "8"}
    files = {
        "CA": write_town(
            folder / "ca.sqlite",
            ("Canada", "CA"),
            "Vancouver",
            STREETS,
            state=("British Columbia", "BC"),
            postal_code="V6B 1B1",
            units=known,
        ),
        "AU": write_town(
            folder / "au.sqlite", ("Australia", "AU"), "Perth", STREETS, state=("Western Australia", "WA")
        ),
        "US": write_town(
            folder / "us.sqlite",
            ("United States", "US"),
            "Yuma",
            STREETS,
            state=("Arizona", "AZ"),
            postal_code="85364",
            codes={("Water Street", "12"): "85365"},
        ),
        "Queens": write_town(
            folder / "queens.sqlite",
            ("United States", "US"),
            "Forest Hills",
            QUEENS,
            state=("New York", "NY"),
            postal_code="11375",
        ),
        "DE": write_town(folder / "de.sqlite", ("Deutschland", "DE"), "Heidelberg", GERMAN),
    }
    opened = {name: EmbeddedGeocoder([file]) for name, file in files.items()}
    yield opened
    for each in opened.values():
        each.close()


def first(geocoder: EmbeddedGeocoder, text: str) -> Address:
    return geocoder.forward(ForwardQuery(text=text))[0]


def validated(towns: Towns, town: str, label: str) -> ValidatedAddress:
    validator = AddressValidator(None, towns[town].areas)
    place = {
        "CA": ("Vancouver", "BC", "V6B 1B1", "CA"),
        "US": ("Yuma", "AZ", "85364", "US"),
        "Queens": ("Forest Hills", "NY", "11375", "US"),
    }
    city, state, code, country = place[town]
    return validator.validate(
        AddressQuery(label=label, city=city, state_code=state, postal_code=code, country_code=country)
    )


@pytest.mark.parametrize("country", ["CA", "AU"])
@pytest.mark.parametrize(
    "line",
    [
        "5-332 Water St",
        "5/332 Water Street",
        "5–332 Water Street",
        "5 - 332 Water Street",
        "#5-332 Water St",
        "#5 332 Water St",
        "# 5, 332 Water St",
        "1205-332 Water Street",
        "5A-332 Water Street",
        "PH2-332 Water Street",
        "Unit 5-332 Water Street",
        "Unit 5/332 Water Street",
        "Unit 5 332 Water Street",
        "Suite 200 - 332 Water Street",
        "Apt. B/332 Water Street",
        "Water Street 5-332",
        "8-332 Water Street",
    ],
)
def test_the_unit_precedes_the_house(towns: Towns, country: str, line: str) -> None:
    found = first(towns[country], line)
    assert (found.number, found.street, found.point) == ("332", "Water Street", position(0, 3))
    assert found.confidence is MatchConfidence.EXACT


@given(unit=st.integers(1, 2_000), at=st.integers(0, len(NUMBERS) - 1), sign=st.sampled_from("-/–"))
def test_a_unit_is_never_the_house_if_the_house_exists(towns: Towns, unit: int, at: int, sign: str) -> None:
    number = NUMBERS[at]
    found = first(towns["CA"], f"{unit}{sign}{number} Water Street, Vancouver")
    assert (found.number, found.point) == (number, position(0, at))


@pytest.mark.parametrize("country", ["CA", "US"])
def test_the_number_that_exists_is_the_house(towns: Towns, country: str) -> None:
    for line in ("332-5 Water Street", "332/5 Water Street", "5-332 Water Street", "5/332 Water Street"):
        assert first(towns[country], line).point == position(0, 3)


def test_a_reading_against_the_habit_is_not_certain(towns: Towns) -> None:
    assert first(towns["CA"], "332-5 Water Street").confidence is MatchConfidence.FALLBACK
    assert first(towns["US"], "5-332 Water Street").confidence is MatchConfidence.FALLBACK
    assert first(towns["US"], "332-5 Water Street").confidence is MatchConfidence.EXACT
    assert first(towns["US"], "332-12 Water Street").confidence is MatchConfidence.FALLBACK


@pytest.mark.parametrize("line", ["332-12 Water Street", "12-332 Water Street"])
@pytest.mark.parametrize(("code", "number"), [("85364", "332"), ("85365", "12")])
def test_the_postal_code_decides_between_two_houses(towns: Towns, line: str, code: str, number: str) -> None:
    found = first(towns["US"], f"{line}, Yuma, AZ {code}")
    assert (found.number, found.confidence) == (number, MatchConfidence.FALLBACK)


def test_a_unit_is_returned_if_the_house_has_it(towns: Towns) -> None:
    assert first(towns["CA"], "8-360 Water Street").unit == "8"
    assert first(towns["CA"], "9-360 Water Street").unit is None


def test_a_range_is_no_unit(towns: Towns) -> None:
    found = first(towns["US"], "12-14 Main Street")
    assert (found.point, found.confidence) == (position(2, 0), MatchConfidence.INTERPOLATED)


def test_without_either_house_the_usual_one_is_interpolated(towns: Towns) -> None:
    found = first(towns["CA"], "5-334 Water Street")
    assert (found.number, found.confidence) == ("334", MatchConfidence.INTERPOLATED)


@pytest.mark.parametrize("number", ["12/3", "12/332", "12-3", "12/3/5"])
def test_a_second_number_is_part_of_a_german_house(towns: Towns, number: str) -> None:
    found = first(towns["DE"], f"Wasserstraße {number}, Heidelberg")
    assert (found.point, found.confidence) == (position(0, 1), MatchConfidence.INTERPOLATED)


def test_a_german_number_in_the_data_is_exact(towns: Towns) -> None:
    found = first(towns["DE"], "Wasserstr. 16/3")
    assert (found.number, found.confidence) == ("16/3", MatchConfidence.EXACT)


def test_a_german_house_is_the_number_that_exists(towns: Towns) -> None:
    found = first(towns["DE"], "Wasserstraße 5/332")
    assert (found.number, found.confidence) == ("332", MatchConfidence.FALLBACK)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("10815 72nd Ave", "108-15"),
        ("108 15 72nd Avenue", "108-15"),
        ("108–15 72nd Avenue", "108-15"),
        ("#108-15 72nd Ave", "108-15"),
        ("1115 72nd Avenue", "11-15"),
        ("224 08 Manor Road", "224-08"),
        ("21319B 72nd Avenue", "213-19B"),
        ("115103 72nd Avenue, Forest Hills", "115-103"),
        ("115 103 72nd Avenue, Forest Hills, NY 11375", "115-103"),
        ("108 15 72nd Avenue Apt 3B, Forest Hills, NY 11375", "108-15"),
    ],
)
def test_numbers_of_queens_need_no_hyphen(towns: Towns, line: str, number: str) -> None:
    found = first(towns["Queens"], line)
    assert (found.number, found.confidence) == (number, MatchConfidence.EXACT)


@pytest.mark.parametrize("text", ["10 4 St", "10 4 St, Forest Hills", "12 Rua 15"])
def test_two_numbers_without_a_name_are_not_joined(text: str) -> None:
    assert not any(reading.is_joined for reading in read_query(text))


@pytest.mark.parametrize("number", ["12", "3400"])
@pytest.mark.parametrize("country", ["US", "CA"])
def test_a_number_in_the_name_of_a_street_is_no_part_of_the_house(towns: Towns, country: str, number: str) -> None:
    found = first(towns[country], f"{number} 15 Mile Road")
    assert (found.number, found.street, found.confidence) == (number, "15 Mile Road", MatchConfidence.EXACT)


def test_an_unusual_place_of_the_hyphen_is_not_certain(towns: Towns) -> None:
    found = first(towns["Queens"], "845 72nd Avenue")
    assert (found.number, found.confidence) == ("84-5", MatchConfidence.FALLBACK)


def test_ranges_are_no_numbers_of_queens(towns: Towns) -> None:
    found = first(towns["Queens"], "7075 Union Turnpike")
    assert found.number is None
    assert first(towns["US"], "1234 Main Street").number == "1234"


def test_a_number_of_queens_has_no_unit(towns: Towns) -> None:
    # 108 is not a house of the avenue, nor is 99 one of its units.
    assert first(towns["Queens"], "108-99 72nd Avenue").confidence is not MatchConfidence.EXACT


@pytest.mark.parametrize(
    ("town", "text", "label"),
    [
        ("CA", "5-332 Wat", "332 Water Street"),
        ("CA", "Unit 5/332 Wat", "332 Water Street"),
        ("CA", "#5-332 Wat", "332 Water Street"),
        ("US", "332-5 Wat", "332 Water Street"),
        ("Queens", "10815 72n", "108-15 72nd Avenue"),
        ("Queens", "108 15 72n", "108-15 72nd Avenue"),
    ],
)
def test_units_and_queens_numbers_are_completed(towns: Towns, town: str, text: str, label: str) -> None:
    assert towns[town].autocomplete(AutocompleteQuery(text=text))[0].label == label


@pytest.mark.parametrize(
    ("town", "label", "number", "unit"),
    [
        ("CA", "5-332 Water St", "332", "5"),
        ("CA", "5/332 Water St", "332", "5"),
        ("CA", "#5-332 Water St", "332", "5"),
        ("CA", "Unit 5-332 Water St", "332", "5"),
        ("CA", "5A-332 Water St", "332", "5A"),
        ("US", "332-5 Water St", "332", "5"),
        ("US", "Unit 5-40 12th Avenue", "40", "5"),
        ("Queens", "10815 72nd Ave", "108-15", None),
        ("Queens", "108 15 72nd Ave", "108-15", None),
        ("Queens", "10815 72nd Ave Apt 3B", "108-15", "3B"),
    ],
)
def test_validation_reads_units_and_queens_numbers(
    towns: Towns, town: str, label: str, number: str, unit: str | None
) -> None:
    found = validated(towns, town, label)
    assert found.status is VerificationStatus.VERIFIED
    assert (found.address.number, found.address.unit) == (number, unit)


@pytest.mark.parametrize(
    ("town", "label"), [("US", "8-332 Water St"), ("US", "12-16 Main St"), ("Queens", "108-99 72nd Ave")]
)
def test_validation_confirms_no_doubtful_unit(towns: Towns, town: str, label: str) -> None:
    assert validated(towns, town, label).status is VerificationStatus.PARTIALLY_VERIFIED


@pytest.mark.parametrize(
    ("text", "number", "unit", "words"),
    [
        ("Unit 5/332-336 Water St", "332-336", "5", "water st"),
        ("5/332-336 Water St", "332-336", "5", "water st"),
        ("The Mall, Unit 5/332 Water St", "332", "5", "the mall water st"),
        ("Villa Rd 12 London", "12", None, "villa rd london"),
        ("Shop 12 3rd Avenue", "12", None, "shop 3rd avenue"),
        ("12 1/2 Main St", "12 1/2", None, "main st"),
        ("#12 Main St", "12", None, "main st"),
    ],
)
def test_a_unit_directly_precedes_its_house(text: str, number: str, unit: str | None, words: str) -> None:
    read = read_query(text)[0]
    assert (read.number, read.unit, " ".join(read.words)) == (number, unit, words)


@given(
    st.from_regex(r"(unit|#|apt)? ?\w{0,3}[-/ ]{1,2}\w{0,4} [A-Z][a-z]{2,8} St", fullmatch=True),
    st.sampled_from(["CA", "US"]),
)
def test_any_form_has_an_answer_in_the_town(towns: Towns, text: str, country: str) -> None:
    for found in towns[country].forward(ForwardQuery(text=text)):
        assert found.country_code == country


def test_the_direction_of_a_city_is_not_that_of_the_street(tmp_path: Path) -> None:
    """Broadway in West Vancouver is not West Broadway in Vancouver."""
    file = write_town(
        tmp_path / "gazetteer.sqlite",
        ("Canada", "CA"),
        "Vancouver",
        {"West Broadway": ["1296"], "Main Street": ["12"]},
        state=("British Columbia", "BC"),
    )
    geocoder = EmbeddedGeocoder([file])
    confidences = {
        text: geocoder.forward(ForwardQuery(text=text))[0].confidence
        for text in (
            "1296 Broadway, West Vancouver, BC",
            "1296 West Broadway, Vancouver, BC",
            "1296 Broadway West, Vancouver, BC",
            "1296 W Broadway, Vancouver, BC",
        )
    }
    geocoder.close()
    exact = [text for text, confidence in confidences.items() if confidence is MatchConfidence.EXACT]
    assert "1296 Broadway, West Vancouver, BC" not in exact
    assert "1296 West Broadway, Vancouver, BC" in exact
    assert "1296 W Broadway, Vancouver, BC" in exact
