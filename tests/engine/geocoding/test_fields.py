"""Every field of an address is filled from the real data that docs/geocoding.md names."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import fields

from engine.domain.addresses.address import (
    Address,
    AddressLanguage,
    ForwardQuery,
    Layer,
    MatchConfidence,
    ReverseQuery,
    flag_of,
)
from engine.domain.geometry import Point
from engine.domain.ip import parse_ip_ranges
from engine.geo.zones import time_zone_at
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.ip import IpLocator
from engine.geocoding.regions import RegionFinder
from engine.geocoding.world import World

WINTER = datetime(2026, 1, 15, 12, tzinfo=UTC)
SUMMER = datetime(2026, 7, 15, 12, tzinfo=UTC)
NEW_YORK = Point(-74.0094, 40.7033)


@pytest.fixture(scope="module")
def geocoder(
    state_college_file: Path, manhattan_file: Path, liechtenstein_file: Path, pack: Path
) -> Iterator[EmbeddedGeocoder]:
    geocoder = EmbeddedGeocoder([state_college_file, manhattan_file, liechtenstein_file], pack / "world.sqlite")
    yield geocoder
    geocoder.close()


def best(geocoder: EmbeddedGeocoder, text: str, *layers: Layer, language: str = "en") -> Address:
    query = ForwardQuery(text=text, language=AddressLanguage(language))
    if layers:
        query = ForwardQuery(text=text, layers=frozenset(layers), language=AddressLanguage(language))
    found = geocoder.forward(query)
    assert found, text
    return found[0]


def house(geocoder: EmbeddedGeocoder) -> Address:
    return best(geocoder, "55 Water Street, New York")


def test_a_house_has_everything_but_a_unit_and_the_name_of_a_place(geocoder: EmbeddedGeocoder) -> None:
    found = house(geocoder)
    assert (found.point.longitude, found.point.latitude) == pytest.approx((-74.0094, 40.7033), abs=1e-3)
    assert (found.number, found.street, found.label) == ("55", "Water Street", "55 Water Street")
    assert (found.neighborhood, found.borough, found.city) == ("Financial District", "Manhattan", "New York")
    assert (found.county, found.state, found.state_code) == ("New York County", "New York", "NY")
    assert (found.country, found.country_code) == ("United States", "US")
    assert found.postal_code in ("10004", "10041")
    assert found.formatted == f"55 Water Street, New York, NY {found.postal_code} US"
    assert (found.layer, found.confidence) == (Layer.ADDRESS, MatchConfidence.EXACT)
    assert flag_of(found.country_code or "") == "🇺🇸"


def test_a_number_between_others_is_interpolated(geocoder: EmbeddedGeocoder) -> None:
    found = best(geocoder, "122 East Beaver Avenue, State College")
    assert (found.number, found.confidence) == ("122", MatchConfidence.INTERPOLATED)


def test_a_street_is_a_fallback_for_a_number_it_does_not_have(geocoder: EmbeddedGeocoder) -> None:
    found = best(geocoder, "99999 East Beaver Avenue, State College")
    assert (found.number, found.street, found.confidence) == (None, "East Beaver Avenue", MatchConfidence.FALLBACK)


def test_a_unit_is_returned_if_the_house_has_it(geocoder: EmbeddedGeocoder) -> None:
    rows = geocoder.areas[0].rows(
        "SELECT h.number, s.name, c.postal_code, u.unit FROM units u JOIN houses h ON h.id = u.house"
        " JOIN streets s ON s.id = h.street JOIN contexts c ON c.id = h.context"
        " WHERE u.unit GLOB '[0-9][0-9][0-9]' AND c.postal_code IS NOT NULL"
        " AND (SELECT count(*) FROM houses o WHERE o.street = h.street AND o.number = h.number) = 1"
        " ORDER BY h.id LIMIT 1"
    )
    number, street, code, unit = rows[0]
    found = best(geocoder, f"{number} {street} Apt {unit}, State College, PA {code}")
    assert (found.number, found.street, found.unit) == (number, street, unit)


def test_a_place_has_its_name_and_its_address(geocoder: EmbeddedGeocoder) -> None:
    found = best(geocoder, "McDonald's, State College", Layer.PLACE)
    assert (found.layer, found.place_label) == (Layer.PLACE, "McDonald's")
    assert found.number
    assert found.street
    assert found.label == f"{found.number} {found.street}"
    assert found.place_id
    assert found.formatted.startswith("McDonald's, ")


def test_something_near_has_a_distance(geocoder: EmbeddedGeocoder) -> None:
    nearest, *larger = geocoder.reverse(ReverseQuery(point=NEW_YORK))
    assert nearest.distance_m is not None
    assert 0 < nearest.distance_m < 100
    assert {address.layer for address in larger} >= {Layer.LOCALITY, Layer.COUNTY, Layer.STATE, Layer.COUNTRY}
    assert all(address.distance_m == 0 for address in larger if address.layer in (Layer.STATE, Layer.COUNTRY))


@pytest.mark.parametrize(
    ("language", "state", "country"),
    [
        ("de", "Pennsylvania", "Vereinigte Staaten"),
        ("es", "Pensilvania", "Estados Unidos"),
        ("ja", "ペンシルベニア州", "アメリカ合衆国"),
    ],
)
def test_names_are_given_in_other_languages(
    geocoder: EmbeddedGeocoder, language: str, state: str, country: str
) -> None:
    found = best(geocoder, "120 East Beaver Avenue, State College, PA", language=language)
    assert (found.state, found.country) == (state, country)


@pytest.mark.parametrize(
    ("text", "layer"),
    [
        ("16801", Layer.POSTAL_CODE),
        ("Schaan", Layer.LOCALITY),
        ("Pennsylvania", Layer.STATE),
        ("Japan", Layer.COUNTRY),
        ("Torkelgass 13, 9494 Schaan", Layer.ADDRESS),
    ],
)
def test_the_layer_is_that_of_the_result(geocoder: EmbeddedGeocoder, text: str, layer: Layer) -> None:
    assert best(geocoder, text).layer is layer


def test_time_zones_have_name_code_and_offsets(geocoder: EmbeddedGeocoder) -> None:
    point = house(geocoder).point
    zone = time_zone_at(point, SUMMER)
    assert (zone.id, zone.name, zone.code) == ("America/New_York", "Eastern Daylight Time", "EDT")
    assert (zone.utc_offset_s, zone.dst_offset_s) == (-14_400, 3_600)
    assert zone.now == SUMMER
    assert zone.now.hour == 8
    zone = time_zone_at(point, WINTER)
    assert (zone.name, zone.code, zone.utc_offset_s, zone.dst_offset_s) == ("Eastern Standard Time", "EST", -18_000, 0)


def test_an_ip_address_has_its_proxy(geocoder: EmbeddedGeocoder, world: World, pack: Path, tmp_path: Path) -> None:
    regions = RegionFinder(world, geocoder.areas)
    locator = IpLocator(pack, tmp_path, world=world, regions=regions, geocoder=geocoder, areas=())
    found = locator.locate("8.8.8.8", parse_ip_ranges("8.8.8.0/24"))
    assert (found.ip, found.proxy) == ("8.8.8.8", True)
    locator.close()


def test_no_field_was_forgotten(geocoder: EmbeddedGeocoder) -> None:
    filled = {
        field.name
        for address in (
            house(geocoder),
            best(geocoder, "McDonald's, State College", Layer.PLACE),
            geocoder.reverse(ReverseQuery(point=NEW_YORK))[0],
        )
        for field in fields(Address)
        if getattr(address, field.name) not in (None, "")
    }
    # A unit must be known, and only streets and parts of cities have a finer layer; both have separate tests.
    assert {field.name for field in fields(Address)} - filled == {"finer", "unit"}
