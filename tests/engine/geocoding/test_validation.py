"""Validation of postal addresses, with real addresses of the US and a made-up town in Canada."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.addresses.address import Layer
from engine.domain.addresses.validation import (
    AddressQuery,
    Correction,
    PropertyType,
    RecordType,
    UnitFinding,
    ValidatedAddress,
    VerificationStatus,
)
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.gazetteer.rows import DivisionLayer
from engine.gazetteer.writer import Context, Division, GazetteerWriter, House, PlaceRow, Street
from engine.geocoding.validation.postal import parse_line
from engine.geocoding.validation.units import unit_of
from engine.geocoding.validation.validator import AddressValidator
from engine.geocoding.world import World
from tests.engine.geocoding.addresses import tagged
from tests.shared import SharedData

VERIFIED = VerificationStatus.VERIFIED
PARTIALLY = VerificationStatus.PARTIALLY_VERIFIED
AMBIGUOUS = VerificationStatus.AMBIGUOUS
UNVERIFIED = VerificationStatus.UNVERIFIED


@pytest.fixture
def validator(world: World, state_college: Gazetteer, manhattan: Gazetteer) -> AddressValidator:
    return AddressValidator(world, [state_college, manhattan])


def ask(validator: AddressValidator, **parts: Any) -> ValidatedAddress:
    """Validate an address of State College unless other parts are given."""
    usual = {"city": "State College", "state_code": "PA", "postal_code": "16801", "country_code": "US"}
    return validator.validate(AddressQuery(**(usual | parts)))


@pytest.mark.parametrize(
    "parts",
    [
        {"number": "120", "street": "East Beaver Avenue"},
        {"number": "120", "street": "E Beaver Ave"},
        {"number": " 120 ", "street": "e.  beaver   ave."},
        {"label": "120 EAST BEAVER AVENUE"},
        {"label": "120 E Beaver Ave, State College, PA 16801"},
        {"label": "120 E Beaver Ave", "city": "STATE COLLEGE", "state_code": "pa", "country_code": "us"},
        {"label": "120 E Beaver Ave", "number": "120", "street": "E Beaver Ave"},
    ],
)
def test_an_address_is_known_however_it_is_written(validator: AddressValidator, parts: dict[str, str]) -> None:
    found = ask(validator, **parts)
    assert found.status is VERIFIED
    address = found.address
    assert (address.number, address.street, address.city) == ("120", "East Beaver Avenue", "State College")
    assert (address.state_code, address.postal_code, address.country_code) == ("PA", "16801", "US")
    assert (address.label, address.county, address.layer) == ("120 East Beaver Avenue", "Centre County", Layer.ADDRESS)
    assert address.formatted == "120 East Beaver Avenue, State College, PA 16801 US"
    assert found.plus4 is None


@pytest.mark.parametrize(
    "parts",
    [
        {"label": "One Police Plaza"},
        {"label": "One Police Plaza Room 110"},
        {"label": "ONE POLICE PLZ"},
        {"number": "One", "street": "Police Plaza"},
        {"number": "1", "street": "Police Plaza"},
    ],
)
def test_a_number_may_be_written_as_a_word(validator: AddressValidator, parts: dict[str, str]) -> None:
    found = ask(validator, city="New York", state_code="NY", postal_code="10038", **parts)
    assert found.status is VERIFIED
    assert (found.address.number, found.address.street) == ("1", "Police Plaza")


@pytest.mark.parametrize("label", ["One Hundred Main St", "Twelve Oaks", "One"])
def test_a_word_that_is_no_number_of_a_house_stays_as_it_is(validator: AddressValidator, label: str) -> None:
    found = ask(validator, label=label)
    assert (found.status, found.address.label) == (UNVERIFIED, label)


@pytest.mark.parametrize(
    "parts",
    [
        {"label": "19½ Pitt St"},
        {"label": "19 ½ Pitt St Apt 3"},
        {"label": "19 1/2 Pitt Street"},
        {"number": "19½", "street": "Pitt St"},
    ],
)
def test_a_number_with_a_half_is_known(validator: AddressValidator, parts: dict[str, str]) -> None:
    found = ask(validator, city="New York", state_code="NY", postal_code="10002", **parts)
    assert (found.status, found.address.number, found.address.street) == (VERIFIED, "19 1/2", "Pitt Street")


@pytest.mark.parametrize(
    ("parts", "status"),
    [
        ({"label": "99999 E Beaver Ave"}, PARTIALLY),
        ({"label": "120 E Beaver Ave", "postal_code": "16803"}, PARTIALLY),
        ({"label": "120 E Beaver Ave", "city": "Paris"}, PARTIALLY),
        ({"label": "120 E Beavr Ave"}, PARTIALLY),
        ({"label": "120 Beaver Ave"}, PARTIALLY),  # only East Beaver Avenue has that number
        ({"label": "Beaver Ave"}, AMBIGUOUS),
        ({"label": "1 Nowhere At All Boulevard"}, UNVERIFIED),
        ({"label": "120 E Beaver Ave", "postal_code": "10007", "city": "New York", "state_code": "NY"}, UNVERIFIED),
        ({"label": "120 E Beaver Ave", "state_code": "NY"}, UNVERIFIED),
        ({"label": "120 E Beaver Ave", "postal_code": "00000"}, PARTIALLY),
        ({"label": "120 E Beaver Ave", "postal_code": "10001"}, PARTIALLY),  # the state and the city contradict it
        ({"label": "1 E Beaver Ave", "postal_code": "10001"}, UNVERIFIED),
        ({"label": "1 Main St", "postal_code": "99801", "state_code": "AK", "city": "Juneau"}, UNVERIFIED),
        ({"label": "###"}, UNVERIFIED),
        ({"number": "0", "street": "#"}, UNVERIFIED),
    ],
)
def test_no_more_is_claimed_than_is_known(
    validator: AddressValidator, parts: dict[str, str], status: VerificationStatus
) -> None:
    found = ask(validator, **parts)
    assert found.status is status
    assert found.address.formatted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "state", "city"), [("state-college", "PA", "State College"), ("nyc-lower", "NY", "New York")]
)
def test_nearly_all_addresses_of_the_map_are_verified(
    validator: AddressValidator, shared_data: SharedData, name: str, state: str, city: str
) -> None:
    addresses = [
        each for each in tagged(shared_data.extract(name)) if each.city == city and each.state in (None, state)
    ]
    addresses = [each for each in addresses if each.postal_code[:5].isdigit() and each.number[0].isdigit()][::9]
    found = [
        ask(
            validator,
            number=each.number,
            street=each.street,
            city=city,
            state_code=state,
            postal_code=each.postal_code[:5],
        )
        for each in addresses
    ]
    assert len(found) > 250
    assert sum(each.status is VERIFIED for each in found) / len(found) >= 0.96
    # The others have several numbers, or a number shared by several houses.
    assert sum(each.status is UNVERIFIED for each in found) / len(found) <= 0.01


NEW_YORK = {"city": "New York", "state_code": "NY"}


@pytest.mark.parametrize(
    ("label", "fields"),
    [
        ("1 Madison Ave", NEW_YORK | {"postal_code": "10010"}),  # a Madison Street exists in the extract
        ("1 Madison Ave", NEW_YORK | {"postal_code": "10002"}),
        ("1 Maddison St", NEW_YORK | {"postal_code": "10010"}),
        ("500 8th Ave", NEW_YORK | {"postal_code": "10018"}),  # its south end, without houses, is in the extract
        ("350 5th Ave", NEW_YORK | {"postal_code": "10118"}),  # streets named by that number exist
        ("11 Wall Ave", NEW_YORK | {"postal_code": "10005"}),
        ("120 E Beaver St", {}),
        ("120 West Beaver Avenue Road", {}),
    ],
)
def test_another_street_is_no_match(validator: AddressValidator, label: str, fields: dict[str, str]) -> None:
    found = ask(validator, label=label, **fields)
    assert found.status is UNVERIFIED
    assert found.address.label == label
    assert found.address.formatted.startswith(f"{label}, ")


@pytest.mark.parametrize(
    "parts",
    [
        *({"number": "1", "street": street} for street in ("x", '"', "*", "😀", "#", "X 4")),
        *({"label": label} for label in ("120", "Apt 4", "# 7", "-1 E Beaver Ave", '"*', "apt b", "120 #")),
    ],
)
def test_no_unit_is_made_up_and_nothing_rewritten(validator: AddressValidator, parts: dict[str, str]) -> None:
    found = ask(validator, **parts)
    assert (found.status, found.address.unit) == (UNVERIFIED, None)
    assert found.address.label == " ".join(parts.values())


@pytest.mark.parametrize(
    ("parts", "code", "city", "analysis"),
    [
        ({"postal_code": "16803-1234"}, "16801", "State College", (Correction.POSTAL_CODE,)),
        ({"postal_code": "16901"}, "16801", "State College", (Correction.POSTAL_CODE,)),
        ({"postal_code": "00000"}, "16801", "State College", (Correction.POSTAL_CODE,)),
        ({"city": "Philadelphia"}, "16801", "State College", (Correction.CITY,)),
        ({"label": "120 E Beaver Aveune"}, "16801", "State College", (Correction.STREET,)),
        ({"label": "120 E Beavr Ave"}, "16801", "State College", (Correction.STREET,)),
    ],
)
def test_wrong_parts_beside_a_known_house_are_corrected(
    validator: AddressValidator, parts: dict[str, str], code: str, city: str, analysis: tuple[Correction, ...]
) -> None:
    found = ask(validator, **({"label": "120 E Beaver Ave"} | parts))
    assert (found.status, found.analysis, found.plus4) == (PARTIALLY, analysis, None)
    assert found.address.formatted == f"120 East Beaver Avenue, {city}, PA {code} US"
    assert (found.address.postal_code, found.address.city) == (code, city)


@pytest.mark.usefixtures("real_extracts")
def test_numbered_streets_are_known_without_the_ending(validator: AddressValidator, manhattan: Gazetteer) -> None:
    rows = manhattan.rows(
        "SELECT h.number, s.name, c.postal_code FROM houses h JOIN streets s ON s.id = h.street"
        " JOIN contexts c ON c.id = h.context JOIN divisions v ON v.id = c.city"
        " WHERE s.name GLOB '* [0-9]*[a-z] Street' AND v.name = 'New York'"
        " AND c.postal_code GLOB '[0-9]*' ORDER BY h.id"
    )[::25]
    plain = [
        (number, re.sub(r"(\d)(?:st|nd|rd|th)\b", r"\1", street).replace("Street", "St"), code)
        for number, street, code in rows
    ]
    found = [
        ask(validator, number=number, street=street, postal_code=code, **NEW_YORK) for number, street, code in plain
    ]
    assert len(found) > 50
    assert all(not each.street[-5:].startswith("th") for each in (answer.address for answer in found) if each.street)
    assert sum((each.status, each.analysis) == (VERIFIED, ()) for each in found) / len(found) > 0.95


@pytest.mark.parametrize(
    ("unit", "id", "written"),
    [
        *(("Apt 4b", "4B", "Apt 4B"), ("apartment 4", "4", "Apartment 4"), ("#4", "4", "Unit 4")),
        *(("Bldg 3", "3", "Bldg 3"), ("Penthouse", "PENTHOUSE", "Penthouse"), ("Dept 4", "4", "Dept 4")),
        *(("Lot 12", "12", "Lot 12"), ("Bldg 3, Apt 4", "BLDG 3 APT 4", "Bldg 3 Apt 4"), ("app 5", "5", "App 5")),
        *(("4th floor", "4", "4th Floor"), ("Rear", "REAR", "Rear")),
    ],
)
def test_units_keep_the_word_that_was_written(validator: AddressValidator, unit: str, id: str, written: str) -> None:
    for parts in ({"label": f"120 E Beaver Ave {unit}"}, {"label": "120 E Beaver Ave", "unit": unit}):
        found = ask(validator, **parts)
        assert (found.status, found.address.unit) == (VERIFIED, id)
        assert found.address.formatted == f"120 East Beaver Avenue {written}, State College, PA 16801 US"


def test_half_numbers_are_numbers() -> None:
    line = parse_line("517.5 Bridge Street")
    assert (line.number, line.street) == ("517.5", "Bridge Street")
    lettered = parse_line("120-A Broadway")
    assert (lettered.number, lettered.street) == ("120-A", "Broadway")
    french = parse_line("123 rue Sainte-Catherine O, app 5")
    assert (french.number, french.street, french.unit and french.unit.text) == (
        *("123", "rue Sainte-Catherine O", "App 5"),
    )


@pytest.mark.parametrize("city", ["McCrory", "MCCRORY", "mccrory"])
def test_cities_are_spelled_as_they_are(world: World, city: str) -> None:
    found = ask(AddressValidator(world, []), label="1 A St", city=city, state_code="AR", postal_code="72101")
    assert found.address.city == "McCrory"


def test_grid_numbers_are_numbers(validator: AddressValidator) -> None:
    for number in ("N95W17996", "W204 N5678", "12 1/2", "12-34", "12b"):
        assert ask(validator, number=number, street="Nowhere At All Boulevard").address.number == number


def test_all_houses_of_one_number_on_a_street_are_one_address(
    validator: AddressValidator, state_college: Gazetteer
) -> None:
    units = state_college.rows(
        "SELECT DISTINCT u.unit FROM units u JOIN houses h ON h.id = u.house JOIN streets s ON s.id = h.street"
        " WHERE s.name = 'Vairo Boulevard' AND h.number = '10'"
    )
    assert len(units) > 80
    bare = ask(validator, label="10 Vairo Blvd", postal_code="16803")
    assert (bare.status, bare.record_type, bare.analysis) == (VERIFIED, RecordType.HIGH_RISE, (UnitFinding.MISSING,))
    for (unit,) in units:
        assert ask(validator, label="10 Vairo Blvd", unit=unit, postal_code="16803").analysis == ()
    assert ask(validator, label="10 Vairo Blvd Apt 9999", postal_code="16803").analysis == (UnitFinding.INVALID,)


def test_four_more_digits_are_echoed_and_never_made_up(validator: AddressValidator) -> None:
    for code in ("16801-1234", "168011234"):
        found = ask(validator, label="120 E Beaver Ave", postal_code=code)
        assert (found.plus4, found.address.postal_code, found.status) == ("1234", "16801", VERIFIED)


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("PO Box 12", RecordType.POST_OFFICE_BOX),
        ("P.O. Box 12-A", RecordType.POST_OFFICE_BOX),
        ("post office box 7", RecordType.POST_OFFICE_BOX),
        ("RR 2 Box 15", RecordType.RURAL_ROUTE),
        ("Rural Route 3", RecordType.RURAL_ROUTE),
        ("HC 1 Box 5", RecordType.RURAL_ROUTE),
        ("General Delivery", RecordType.GENERAL_DELIVERY),
    ],
)
def test_an_address_without_a_street_has_a_type_of_its_own(
    validator: AddressValidator, label: str, kind: RecordType
) -> None:
    found = ask(validator, label=label)
    # The post office is known, but no data lists its boxes.
    assert (found.record_type, found.status) == (kind, PARTIALLY)
    assert found.address.label == label.upper()
    assert ask(validator, label=label, city="Paris").status is UNVERIFIED


@pytest.mark.parametrize(
    "text", ["Box Hill Road", "Boxwood Lane 5", "12 PO Box Street", "General Delivery Way", "RRR 5"]
)
def test_streets_that_sound_like_boxes_are_streets(text: str) -> None:
    assert parse_line(text).type is RecordType.STREET


def with_units(gazetteer: Gazetteer) -> tuple[str, str, str, str, str]:
    """Return a house with known units: number, street, city, postal code, and one of the units."""
    rows = gazetteer.rows(
        "SELECT h.number, s.name, city.name, c.postal_code, u.unit FROM units u JOIN houses h ON h.id = u.house"
        " JOIN streets s ON s.id = h.street JOIN contexts c ON c.id = h.context"
        " JOIN divisions city ON city.id = c.city WHERE c.postal_code = '16801' AND u.unit GLOB '[0-9]*'"
        " AND (SELECT count(*) FROM houses o WHERE o.street = h.street AND o.number = h.number) = 1 ORDER BY h.id"
    )
    number, street, city, code, unit = rows[0]
    return number, street, city, code, unit


def test_known_units_are_validated(validator: AddressValidator, state_college: Gazetteer) -> None:
    number, street, city, code, unit = with_units(state_college)
    house = {"number": number, "street": street, "city": city, "postal_code": code}
    right = ask(validator, **house, unit=f"Apt {unit.upper()}")
    assert (right.status, right.record_type, right.analysis) == (VERIFIED, RecordType.HIGH_RISE, ())
    assert right.address.unit == unit.upper()
    assert f" Apt {unit.upper()}, " in right.address.formatted
    assert ask(validator, **house).analysis == (UnitFinding.MISSING,)
    assert ask(validator, **house, unit="no such unit").analysis == (UnitFinding.INVALID,)
    # If a house has no known units, the analysis is empty.
    assert ask(validator, label="120 E Beaver Ave", unit="4").analysis == ()


def test_a_unit_makes_a_high_rise_only_of_a_building_with_units(validator: AddressValidator) -> None:
    flat = ask(validator, label="120 E Beaver Ave Apt 4")  # its building is tagged as apartments
    assert (flat.record_type, flat.property_type, flat.address.unit) == (
        *(RecordType.HIGH_RISE, PropertyType.RESIDENTIAL, "4"),
    )
    assert ask(validator, label="120 E Beaver Ave").record_type is RecordType.STREET
    assert ask(validator, label="1 Nowhere At All Boulevard Apt 4").record_type is RecordType.STREET


def test_the_use_of_a_building_determines_the_property_type(
    validator: AddressValidator, state_college: Gazetteer
) -> None:
    wanted = {"house": PropertyType.RESIDENTIAL, "retail": PropertyType.COMMERCIAL, "yes": PropertyType.UNKNOWN}
    for use, kind in wanted.items():
        ((number, street, code),) = state_college.rows(
            "SELECT h.number, s.name, c.postal_code FROM houses h JOIN streets s ON s.id = h.street"
            " JOIN contexts c ON c.id = h.context WHERE h.use = ? AND c.postal_code = '16801' AND"
            " (SELECT count(*) FROM houses o WHERE o.street = h.street AND o.value = h.value) = 1"
            " ORDER BY h.id LIMIT 1",
            use,
        )
        found = ask(validator, number=number, street=street, postal_code=code)
        assert (found.status, found.property_type) == (VERIFIED, kind), (number, street)


@pytest.mark.slow
def test_a_business_that_has_a_house_to_itself_is_a_firm(validator: AddressValidator, shared_data: SharedData) -> None:
    extract = shared_data.extract("state-college")
    addresses = [each for each in tagged(extract) if each.city == "State College" and each.unit is None]
    found = [
        ask(validator, number=each.number, street=each.street, postal_code=each.postal_code) for each in addresses[::5]
    ]
    firms = [each for each in found if each.record_type is RecordType.FIRM]
    assert firms
    assert all(each.property_type is PropertyType.COMMERCIAL for each in firms)
    assert len(firms) < len(found) / 10


@pytest.mark.parametrize(
    ("parts", "param"),
    [
        ({"label": "1 A St", "country_code": "DE"}, "country_code"),
        ({"label": "1 A St", "country_code": ""}, "country_code"),
        ({"label": "1 A St", "state_code": "ZZ"}, "state_code"),
        ({"label": "1 A St", "state_code": "ON"}, "state_code"),
        ({"label": "1 A St", "state_code": "PA", "country_code": "CA", "postal_code": "K1A 0B1"}, "state_code"),
        ({"label": "1 A St", "postal_code": "ABC"}, "postal_code"),
        ({"label": "1 A St", "postal_code": "1680"}, "postal_code"),
        ({"label": "1 A St", "postal_code": "16801-12"}, "postal_code"),
        ({"label": "1 A St", "postal_code": "1680\u0967"}, "postal_code"),
        ({"label": "1 A St", "postal_code": "K1A 0B1"}, "postal_code"),
        ({"label": "1 A St", "postal_code": "D1A 0B1", "country_code": "CA", "state_code": "ON"}, "postal_code"),
        ({"label": "1 A St", "city": " "}, "city"),
        ({}, "number"),
        ({"street": "A St"}, "number"),
        ({"number": "1"}, "street"),
        ({"number": "1", "street": " "}, "street"),
        *(({"number": number, "street": "E Beaver Ave"}, "number") for number in ("abc", "-1", "Apt 5", "#", "½")),
        ({"label": "14 E Beaver Ave", "number": "120", "street": "E Beaver Ave"}, "address_label"),
    ],
)
def test_bad_input_is_named(validator: AddressValidator, parts: dict[str, str], param: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        ask(validator, **parts)
    assert caught.value.param == param
    assert caught.value.message.startswith(f"{param}: ")


@given(label=st.text(min_size=1, max_size=300).filter(str.strip), unit=st.none() | st.text(max_size=50))
def test_any_text_has_an_answer(label: str, unit: str | None) -> None:
    found = ask(AddressValidator(None, []), label=label, unit=unit)
    assert found.status is UNVERIFIED
    assert found.address.formatted.endswith("PA 16801 US")


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        *(("4b", "4B"), ("Apt 4b", "4B"), ("apt. #4b", "4B"), ("# 12", "12"), ("Suite 200", "200"), ("ste A", "A")),
        *(("unit", None), ("", None), ("Floor 3", "3"), ("Fl 3", "3"), ("PH", None), ("Unit unit", "UNIT")),
    ],
)
def test_units_are_bared_of_their_words(text: str, unit: str | None) -> None:
    assert unit_of(text) == unit


class TestWithoutData:
    """Missing data is unknown."""

    def test_without_areas_streets_are_unverified(self, world: World) -> None:
        found = ask(AddressValidator(world, []), label="120 E Beaver Ave")
        assert (found.status, found.record_type, found.property_type) == (
            *(UNVERIFIED, RecordType.STREET, PropertyType.UNKNOWN),
        )
        assert found.address.county == "Centre County"

    def test_without_the_pack_the_houses_postal_codes_count(self, state_college: Gazetteer) -> None:
        validator = AddressValidator(None, [state_college])
        assert ask(validator, label="120 E Beaver Ave").status is VERIFIED
        assert ask(validator, label="PO Box 12").status is UNVERIFIED


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gazetteer of two made-up streets in Ottawa."""
    file = tmp_path_factory.mktemp("canada") / "gazetteer.sqlite"
    here = Point(-75.70, 45.42)
    with GazetteerWriter(file, {"name": "town"}) as writer:
        nowhere = writer.context(Context())
        country = writer.division(Division(layer=Layer.COUNTRY, name="Canada", code="CA", point=here, context=nowhere))
        in_country = writer.context(Context(country=country, country_code="CA"))
        state = writer.division(Division(layer=Layer.STATE, name="Ontario", code="ON", point=here, context=in_country))
        in_state = writer.context(Context(country=country, state=state, country_code="CA"))
        city = writer.division(Division(layer=Layer.LOCALITY, name="Ottawa", point=here, context=in_state))
        lies: dict[str, Any] = {"country": country, "state": state, "city": city, "country_code": "CA"}
        plain = writer.context(Context(**lies))
        coded = writer.context(Context(**lies, postal_code="K1P 1J1"))
        wellington = writer.street(Street(name="Wellington Street", point=here, context=plain))
        writer.house(House(street=wellington, number="111", point=here, context=coded, use="office"))
        writer.house(House(street=wellington, number="150", point=here, context=plain))
        writer.street(Street(name="Rue Sainte-Anne", point=here, context=plain))
    return file


def test_the_only_business_at_its_address_is_a_firm(world: World, tmp_path: Path) -> None:
    here = Point(-75.70, 45.42)
    with GazetteerWriter(tmp_path / "gazetteer.sqlite", {}) as writer:
        nowhere = writer.context(Context())
        country = writer.division(Division(layer=Layer.COUNTRY, name="Canada", code="CA", point=here, context=nowhere))
        lies: dict[str, Any] = {"country": country, "country_code": "CA", "postal_code": "K1P 1J1"}
        state = writer.division(
            Division(layer=Layer.STATE, name="Ontario", code="ON", point=here, context=writer.context(Context(**lies)))
        )
        city = writer.division(
            Division(
                layer=Layer.LOCALITY, name="Ottawa", point=here, context=writer.context(Context(**lies, state=state))
            )
        )
        context = writer.context(Context(**lies, state=state, city=city))
        street = writer.street(Street(name="Wellington Street", point=here, context=context))
        uses = {"1": "office", "2": "office", "3": "office", "4": "house"}
        for number, use in uses.items():
            writer.house(House(street=street, number=number, point=here, context=context, use=use))
        addresses = [
            *(("Wellington Street", "1"), ("WELLINGTON STREET", "2"), ("Wellington Street", "2")),
            *(("Wellington Street", "4"), ("Elgin Street", "1"), (None, "1"), ("Wellington Street", None)),
        ]
        for at, (way, house_number) in enumerate(addresses):
            writer.place(
                PlaceRow(
                    place_id=f"{at:024}",
                    osm=f"n{at}",
                    name=f"Firm {at}",
                    point=here,
                    context=context,
                    street=way,
                    number=house_number,
                )
            )
    gazetteer = Gazetteer(tmp_path / "gazetteer.sqlite")
    validator = AddressValidator(world, [gazetteer])
    usual = {"city": "Ottawa", "state_code": "ON", "postal_code": "K1P 1J1", "country_code": "CA"}
    found = {number: ask(validator, label=f"{number} Wellington St", **usual) for number in uses}
    unit = ask(validator, label="1 Wellington St Unit 4", **usual)
    gazetteer.close()
    assert {each.status for each in found.values()} == {VERIFIED}
    # Two firms at 2, none at 3, and 4 is a dwelling.
    assert [number for number, each in found.items() if each.record_type is RecordType.FIRM] == ["1"]
    assert unit.record_type is not RecordType.FIRM


def test_a_street_without_houses_has_the_postal_codes_that_it_passes(world: World, tmp_path: Path) -> None:
    along = [Point(-73.9785 + 0.0002 * step, 40.7300 + 0.0030 * step) for step in range(17)]
    codes = [world.nearest_zip_code(point, world.counties.at(point), None) for point in along]
    middle = next(code for code in codes[4:12] if code not in (codes[0], codes[-1]))
    assert middle is not None
    with GazetteerWriter(tmp_path / "gazetteer.sqlite", {}) as writer:
        us = Division(layer=Layer.COUNTRY, name="USA", code="US", point=along[0], context=writer.context(Context()))
        lies: dict[str, Any] = {"country": writer.division(us), "country_code": "US"}
        inside = writer.context(Context(**lies))
        state = Division(layer=Layer.STATE, name="New York", code="NY", point=along[0], context=inside)
        lies["state"] = writer.division(state)
        inside = writer.context(Context(**lies))
        city = writer.division(Division(layer=Layer.LOCALITY, name="New York", point=along[0], context=inside))
        line = shapely.to_wkb(shapely.LineString([(point.longitude, point.latitude) for point in along]))
        context = writer.context(Context(**lies, city=city))
        writer.street(Street(name="Zephyr Boulevard", point=along[0], context=context, line=line))
    gazetteer = Gazetteer(tmp_path / "gazetteer.sqlite")
    validator, label = AddressValidator(world, [gazetteer]), "5 Zephyr Blvd"
    found = {
        code: ask(validator, label=label, city="New York", state_code="NY", postal_code=code).status
        for code in (codes[0], middle, codes[-1], "10004")
    }
    gazetteer.close()
    assert found.pop("10004") is UNVERIFIED
    assert set(found.values()) == {PARTIALLY}


def test_a_street_is_looked_for_in_the_whole_county_of_its_postal_code(world: World, tmp_path: Path) -> None:
    here = Point(-75.70, 45.42)
    with GazetteerWriter(tmp_path / "gazetteer.sqlite", {}) as writer:

        def division(layer: DivisionLayer, name: str, lies: dict[str, Any], code: str | None = None) -> int:
            context = writer.context(Context(**lies))
            return writer.division(Division(layer=layer, name=name, code=code, point=here, context=context))

        lies: dict[str, Any] = {"country": division(Layer.COUNTRY, "Canada", {}, "CA"), "country_code": "CA"}
        lies["state"] = division(Layer.STATE, "Ontario", lies, "ON")
        home, away = (lies | {"county": division(Layer.COUNTY, name, lies)} for name in ("Carleton", "Renfrew"))
        for name, inside in (("Ottawa", home), ("Kanata", home), ("Arnprior", away)):
            within = inside | {"city": division(Layer.LOCALITY, name, inside)}
            coded = writer.context(Context(**within, postal_code="K1P 1J1" if inside is home else "K7S 1A1"))
            street = Street(name=f"{name} Street", point=here, context=writer.context(Context(**within)))
            writer.house(House(street=writer.street(street), number="5", point=here, context=coded))
    gazetteer = Gazetteer(tmp_path / "gazetteer.sqlite")
    validator = AddressValidator(world, [gazetteer])
    usual = {"city": "Ottawa", "state_code": "ON", "postal_code": "K1P 1J1", "country_code": "CA"}
    found = {name: ask(validator, label=f"5 {name} St", **usual).status for name in ("Ottawa", "Kanata", "Arnprior")}
    gazetteer.close()
    assert found == {"Ottawa": VERIFIED, "Kanata": PARTIALLY, "Arnprior": UNVERIFIED}


class TestCanada:
    """A made-up town near the real Ottawa, since no real Canadian data is available here."""

    @pytest.fixture
    def canada(self, world: World, town: Path) -> Iterator[AddressValidator]:
        gazetteer = Gazetteer(town)
        yield AddressValidator(world, [gazetteer])
        gazetteer.close()

    @pytest.mark.parametrize(
        ("parts", "status"),
        [
            ({"label": "111 Wellington St"}, VERIFIED),
            ({"label": "111 Wellington St", "postal_code": "k1p1j1"}, VERIFIED),
            ({"number": "111", "street": "WELLINGTON ST", "city": "ottawa"}, VERIFIED),
            ({"label": "111 Wellington St", "postal_code": "K1A 0B1"}, PARTIALLY),
            ({"label": "150 Wellington St"}, VERIFIED),  # its code is unknown; the street has K1P 1J1
            ({"label": "7 Wellington St"}, PARTIALLY),
            ({"label": "5 rue Sainte Anne"}, PARTIALLY),
            ({"label": "111 Elgin St"}, UNVERIFIED),
            ({"label": "111 Wellington St", "state_code": "QC"}, UNVERIFIED),
            ({"label": "111 Wellington St", "postal_code": "H2X 1Y4"}, UNVERIFIED),
            ({"label": "PO Box 5"}, UNVERIFIED),
        ],
    )
    def test_rules(self, canada: AddressValidator, parts: dict[str, str], status: VerificationStatus) -> None:
        usual = {"city": "Ottawa", "state_code": "ON", "postal_code": "K1P 1J1", "country_code": "CA"}
        found = ask(canada, **(usual | parts))
        assert found.status is status
        assert (found.plus4, found.analysis) == (None, ())

    def test_it_is_written_as_in_canada(self, canada: AddressValidator) -> None:
        found = ask(
            canada, label="111 wellington st", city="ottawa", state_code="on", postal_code="k1p1j1", country_code="ca"
        )
        assert found.address.formatted == "111 Wellington Street, Ottawa, ON K1P 1J1 CA"
        assert (found.address.postal_code, found.property_type) == ("K1P 1J1", PropertyType.COMMERCIAL)
