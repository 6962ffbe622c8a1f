"""Agreement between autocompletion, search and validation in real areas."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from engine.domain.addresses.address import (
    DEFAULT_LAYERS,
    FINE,
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    MatchConfidence,
)
from engine.domain.addresses.validation import AddressQuery, VerificationStatus
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.geo.earth import metres_between
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.validation.validator import AddressValidator
from engine.geocoding.world import World
from tests.osm_addresses import NEAR_M, RealAddress, Sample, abbreviated, read_addresses
from tests.shared import SharedData

EVERYTHING: Final = DEFAULT_LAYERS | FINE
SAMPLED: Final = 25
"""Number of samples of each kind in each area."""

_NAMES: Final = {
    "house": "SELECT number || ' ' || s.name, h.longitude, h.latitude FROM houses h JOIN streets s ON s.id = h.street",
    "street": "SELECT name, longitude, latitude FROM streets",
    "place": "SELECT name, longitude, latitude FROM places",
    "division": "SELECT name, longitude, latitude FROM divisions WHERE layer <> 'country'",
}
_STATES: Final = {"state-college": "PA", "nyc-lower": "NY"}
_SAME_TOWN_M: Final = 30_000.0


@pytest.fixture(scope="module")
def geocoder(
    state_college_file: Path, manhattan_file: Path, liechtenstein_file: Path, pack: Path
) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([state_college_file, manhattan_file, liechtenstein_file], pack / "world.sqlite")
    yield opened
    opened.close()


def forward(geocoder: EmbeddedGeocoder, text: str, layers: frozenset[Layer] = EVERYTHING) -> tuple[Address, ...]:
    return geocoder.forward(ForwardQuery(text=text, layers=layers))


@pytest.mark.parametrize("kind", _NAMES)
def test_an_offered_address_is_found_at_its_location(geocoder: EmbeddedGeocoder, kind: str) -> None:
    source = random.Random(kind)
    offered = {each.formatted: each for area in geocoder.areas for each in _offered(geocoder, area, kind, source)}
    assert len(offered) > SAMPLED
    for each in offered.values():
        for layers in (frozenset({each.layer}), EVERYTHING):
            found = forward(geocoder, each.formatted, layers)
            assert any(_is_same(each, other) for other in found), (each.formatted, found[:3])


def _offered(geocoder: EmbeddedGeocoder, area: Gazetteer, kind: str, source: random.Random) -> Iterator[Address]:
    """Yield the suggestions for beginnings of names, of any length."""
    rows = area.rows(f"{_NAMES[kind]} ORDER BY 1, 2")
    for name, longitude, latitude in source.sample(rows, min(SAMPLED, len(rows))):
        text = name[: source.randint(min(3, len(name)), len(name))].strip()
        near = Point(longitude + 0.008, latitude) if source.random() < 0.7 else None
        yield from geocoder.autocomplete(AutocompleteQuery(text=text, near=near, layers=EVERYTHING, limit=5))


def _is_same(one: Address, other: Address) -> bool:
    if one.place_id is not None and one.place_id == other.place_id:
        return True
    away_m = metres_between(one.point, other.point)
    # A borough is the postal city of that name.
    is_town = one.layer is other.layer is Layer.LOCALITY and one.label == other.label
    return away_m <= (_SAME_TOWN_M if is_town else NEAR_M)


@pytest.mark.slow
@pytest.mark.parametrize("area", _STATES)
def test_a_verified_address_is_found_exactly(
    geocoder: EmbeddedGeocoder,
    world: World,
    state_college: Gazetteer,
    manhattan: Gazetteer,
    shared_data: SharedData,
    area: str,
) -> None:
    validator = AddressValidator(world, [state_college, manhattan])
    verified = 0
    for address in Sample(read_addresses(shared_data.extract(area)), 150, seed=16).drawn:
        for street, unit in ((address.street, ""), (abbreviated(address.street).upper(), " Apt 4B")):
            result = validator.validate(_query_of(address, f"{address.number} {street}{unit}"))
            if result.status is VerificationStatus.VERIFIED:
                verified += 1
                found = geocoder.forward(ForwardQuery(text=result.address.formatted))[0]
                assert found.confidence is MatchConfidence.EXACT, result.address.formatted
                assert metres_between(found.point, result.address.point) <= NEAR_M, result.address.formatted
    assert verified > 200


def _query_of(address: RealAddress, line: str) -> AddressQuery:
    return AddressQuery(
        label=line,
        city=address.city or "New York",
        state_code=_STATES[address.extract],
        postal_code=address.postal_code or "10001",
        country_code="US",
    )


@pytest.mark.parametrize(
    ("text", "formatted", "layer"),
    [
        # One of a hundred avenues named Pennsylvania, and a postal code of the city that a bridge is named after.
        ("Pennsylvania Avenue, State College, PA 16801", None, Layer.ADDRESS),
        ("Brooklyn, NY 11206", None, Layer.POSTAL_CODE),
        ("Parkway Plaza Building C, State College, PA 16801", None, Layer.PLACE),
        ("1028 Blue Course Drive, State College, PA 16801", None, Layer.PLACE),
        ("Allen Street & Delancey Street, New York, NY 10002", None, Layer.PLACE),
        ("Ihosy Airport, Ihosy MG", "Ihosy Airport, Ihosy MG", Layer.PLACE),
    ],
)
def test_names_with_numbers_units_and_divisions(
    geocoder: EmbeddedGeocoder, text: str, formatted: str | None, layer: Layer
) -> None:
    found = [each for each in forward(geocoder, text) if each.layer is layer]
    assert found[0].formatted == (formatted or f"{text} US")
    assert found[0].confidence is MatchConfidence.EXACT


def test_a_postal_code_of_an_area_and_of_the_world_is_answered_once(geocoder: EmbeddedGeocoder) -> None:
    for text in ("16823", "11249"):
        codes = frozenset({Layer.POSTAL_CODE})
        assert len(forward(geocoder, text, codes)) == 1
        assert len(geocoder.autocomplete(AutocompleteQuery(text=text, layers=codes))) == 1


def test_the_houses_of_an_estate_are_one_address(geocoder: EmbeddedGeocoder) -> None:
    found = forward(geocoder, "10 Vairo Boulevard, State College, PA 16803", DEFAULT_LAYERS)
    assert (found[0].label, found[0].confidence) == ("10 Vairo Boulevard", MatchConfidence.EXACT)
