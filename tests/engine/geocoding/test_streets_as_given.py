"""Validation of streets that are called as given: lettered avenues, saints, and units before the number."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.addresses.address import Layer
from engine.domain.addresses.validation import AddressQuery, RecordType, ValidatedAddress, VerificationStatus
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.gazetteer.writer import Context, Division, GazetteerWriter, House, Street
from engine.geocoding.validation.data import is_spelling, street_forms
from engine.geocoding.validation.postal import parse_line
from engine.geocoding.validation.validator import AddressValidator

VERIFIED, PARTIALLY = VerificationStatus.VERIFIED, VerificationStatus.PARTIALLY_VERIFIED
UNVERIFIED = VerificationStatus.UNVERIFIED
MIDDLE = Point(-114.62, 32.69)
STREETS = (
    *("South Avenue A", "South Avenue C", "Avenue B", "South Avenue 8 1/2 East", "2nd Street West", "Peck Slip"),
    *(
        "Saint Albans Road",
        "Baker Street",
        "Barker Street",
        "East Boulevard",
        "16th Street (US 95)",
        "MacDougal Street",
    ),
    *("Park Avenue", "Rutgers Street", "Rutgers Slip", "21st Street", "31st Street"),
)


@pytest.fixture(scope="module")
def validator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AddressValidator]:
    file = tmp_path_factory.mktemp("avenues") / "gazetteer.sqlite"
    _write(file)
    gazetteer = Gazetteer(file)
    yield AddressValidator(None, [gazetteer])
    gazetteer.close()


def _write(file: Path) -> None:
    with GazetteerWriter(file, {"name": "avenues"}) as writer:
        nowhere = writer.context(Context())
        country = writer.division(
            Division(layer=Layer.COUNTRY, name="United States", code="US", point=MIDDLE, context=nowhere)
        )
        in_country = writer.context(Context(country=country, country_code="US"))
        state = writer.division(
            Division(layer=Layer.STATE, name="Arizona", code="AZ", point=MIDDLE, context=in_country)
        )
        in_state = writer.context(Context(country=country, state=state, country_code="US"))
        city = writer.division(Division(layer=Layer.LOCALITY, name="Saint Albans", point=MIDDLE, context=in_state))
        context = writer.context(
            Context(country=country, state=state, city=city, postal_code="85364", country_code="US")
        )
        for row, name in enumerate(STREETS):
            at = Point(MIDDLE.longitude, MIDDLE.latitude + row * 0.002)
            street = writer.street(Street(name=name, point=at, context=context))
            writer.house(House(street=street, number="2400", point=at, context=context))


def ask(validator: AddressValidator, label: str, city: str = "Saint Albans") -> ValidatedAddress:
    query = AddressQuery(label=label, city=city, state_code="AZ", postal_code="85364", country_code="US")
    return validator.validate(query)


@pytest.mark.parametrize(
    ("written", "street"),
    [
        ("S Ave A", "South Avenue A"),
        ("SOUTH AVE C", "South Avenue C"),
        ("Ave B", "Avenue B"),
        ("S Ave 8 1/2 E", "South Avenue 8 1/2 East"),
        ("2nd St W", "2nd Street West"),
        ("Peck Slip", "Peck Slip"),
        ("St Albans Rd", "Saint Albans Road"),
        ("Baker St", "Baker Street"),
        ("Barker St", "Barker Street"),
        ("E Blvd", "East Boulevard"),
        ("16th St (US 95)", "16th Street (US 95)"),
        ("Park Ave", "Park Avenue"),
        ("Rutgers Slip", "Rutgers Slip"),
    ],
)
@pytest.mark.parametrize(
    ("line", "unit"),
    [
        ("2400 {}", None),
        ("2400 {} Apt 4", "4"),
        ("2400 {} #4", "4"),
        ("2400 {}, Unit 4", "4"),
        ("Apt 4, 2400 {}", "4"),
        ("Unit 4, 2400 {}", "4"),
        ("UNIT 4B, 2400 {}", "4B"),
        ("Unit 4 2400 {}", "4"),
        ("#4 2400 {}", "4"),
        ("Bldg 3, Apt 4, 2400 {}", "BLDG 3 APT 4"),
        ("20th Floor, 2400 {}", "20"),
        ("2400 {}, Saint Albans, AZ 85364", None),
    ],
)
def test_a_street_called_as_given_is_never_corrected(
    validator: AddressValidator, written: str, street: str, line: str, unit: str | None
) -> None:
    found = ask(validator, line.format(written))
    assert (found.status, found.address.number, found.address.street) == (VERIFIED, "2400", street)
    assert (found.address.unit, found.analysis) == (unit, ())


def test_number_and_street_may_be_given_apart(validator: AddressValidator) -> None:
    query = AddressQuery(
        number="2400", street="S Ave A", city="St Albans", state_code="AZ", postal_code="85364", country_code="US"
    )
    found = validator.validate(query)
    assert (found.status, found.address.street, found.analysis) == (VERIFIED, "South Avenue A", ())


@pytest.mark.parametrize("label", ["2400 S Ave D", "2400 S Ave", "2400 Ave 9 E", "2400 41st St", "2400 1st St"])
def test_another_letter_or_number_is_another_street(validator: AddressValidator, label: str) -> None:
    found = ask(validator, label)
    assert (found.status, found.address.label, found.address.unit) == (UNVERIFIED, label, None)


@pytest.mark.parametrize(
    ("label", "street"),
    [
        ("2400 Saint Albanns Rd", "Saint Albans Road"),
        ("2400 Mac Dougal St", "MacDougal Street"),
        ("2400 MacDougall St Apt 4", "MacDougal Street"),
        ("2400 Rutgars Slip", "Rutgers Slip"),
    ],
)
def test_a_misspelling_is_corrected(validator: AddressValidator, label: str, street: str) -> None:
    found = ask(validator, label)
    assert (found.status, found.address.street) == (PARTIALLY, street)
    assert found.analysis == ("street:corrected",)


def test_a_known_street_without_the_number_is_not_corrected(validator: AddressValidator) -> None:
    found = ask(validator, "2402 Baker St")
    assert (found.status, found.address.street, found.analysis) == (PARTIALLY, "Baker Street", ())


def test_a_city_may_be_abbreviated(validator: AddressValidator) -> None:
    found = ask(validator, "2400 S Ave A", city="St. Albans")
    assert (found.status, found.address.city, found.analysis) == (VERIFIED, "Saint Albans", ())


@given(st.sampled_from(STREETS), st.sampled_from(("2400 {}", "Apt 4, 2400 {}", "2400 {} Apt 4", "2402 {}", "{}")))
def test_no_street_becomes_another(validator: AddressValidator, street: str, line: str) -> None:
    assert ask(validator, line.format(street)).address.street in (street, None)


@pytest.mark.parametrize("text", ["POB 123", "P.O.B. 123", "pob #123", "PO Box 123", "CP 123", "P O B 123"])
def test_short_forms_of_boxes_are_boxes(text: str) -> None:
    line = parse_line(text)
    assert (line.type, line.text) == (RecordType.POST_OFFICE_BOX, text.upper())


@pytest.mark.parametrize("text", ["12 Pob Street", "Poblano Ave 3", "12 CP Street", "#4"])
def test_other_lines_are_no_boxes(text: str) -> None:
    assert parse_line(text).type is RecordType.STREET


@pytest.mark.parametrize(
    ("given_name", "known", "is_it"),
    [
        (("macdougl",), ("macdougal",), True),
        (("mac", "dougal"), ("macdougal",), True),
        (("south", "avenue"), ("south", "avenue", "c"), False),
        (("121st",), ("21st",), False),
        (("avenue", "a"), ("avenue", "c"), False),
        (("green", "hill"), ("green", "mill", "hill"), False),
    ],
)
def test_a_spelling_keeps_numbers_letters_and_words(
    given_name: tuple[str, ...], known: tuple[str, ...], is_it: bool
) -> None:
    assert is_spelling(given_name, known) is is_it


def test_st_is_saint_or_street() -> None:
    assert street_forms("2nd St W") == (("2nd", "saint", "west"), ("2nd", "street", "west"))
    assert street_forms("Main Street") == (("main", "street"),)
