"""Addresses that are partly wrong, or have extra parts: the house comes first, exact only if everything is true."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.addresses.address import Address, ForwardQuery, MatchConfidence
from engine.geocoding.embedded import EmbeddedGeocoder
from tests.engine.geocoding.small import SPRINGFIELD, house_at, write_small
from tests.osm_addresses import EXTRACTS, Sample, read_addresses, read_surroundings, slips
from tests.shared import SharedData

SAMPLED = 60


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([write_small(tmp_path_factory.mktemp("small") / "gazetteer.sqlite")])
    yield opened
    opened.close()


def best(geocoder: EmbeddedGeocoder, text: str) -> Address:
    return geocoder.forward(ForwardQuery(text=text))[0]


@pytest.mark.parametrize(
    "text",
    [
        "120 East Main Street, Springfield, IL 62791",
        "120 East Main Street, Springfield, IL 52701",
        "120 East Main Street, IL 62791",
        "120 East Main Street, Springfield, OH 62701",
        "120 East Main Street, Springfield, Texas",
        "120 East Main Street, Harbor Heights, IL 62701",
        "Lincoln Tower, 120 East Main Street, Springfield, IL 62701",
    ],
)
def test_wrong_or_unknown_parts_around_a_house_leave_the_house(small: EmbeddedGeocoder, text: str) -> None:
    found = best(small, text)
    assert (found.label, found.postal_code, found.point) == (
        "120 East Main Street",
        "62701",
        house_at(SPRINGFIELD, 0, 120),
    )
    assert found.confidence is MatchConfidence.FALLBACK


@pytest.mark.parametrize("rest", ["Springfield, IL 52701", "Springfield, OH 62701", "Springfield, Texas"])
def test_the_same_street_elsewhere_comes_before_another_street_here(small: EmbeddedGeocoder, rest: str) -> None:
    found = small.forward(ForwardQuery(text=f"120 East Main Street, {rest}"))
    assert [(each.label, each.city) for each in found] == [
        ("120 East Main Street", "Springfield"),
        ("120 East Main Street", "Rochester"),
        ("120 West Main Street", "Springfield"),
    ]


@pytest.mark.parametrize("number", ["", "120 "])
def test_both_streets_of_a_query_come_before_the_same_street_elsewhere(small: EmbeddedGeocoder, number: str) -> None:
    # The second of them is written in the order of its name, too, although its words occur twice.
    found = small.forward(ForwardQuery(text=f"{number}East Main Street & West Main Street"))
    assert [(each.label, each.city) for each in found] == [
        (f"{number}East Main Street", "Springfield"),
        (f"{number}West Main Street", "Springfield"),
        (f"{number}East Main Street", "Rochester"),
    ]


@pytest.mark.parametrize("text", ["999 East Main Street, Rochester, IL 62701", "East Main Street 999, 62701 Rochester"])
def test_the_street_in_its_town_comes_before_that_of_a_wrong_postal_code(small: EmbeddedGeocoder, text: str) -> None:
    found = small.forward(ForwardQuery(text=text))
    assert [(each.label, each.city) for each in found] == [
        ("East Main Street", "Rochester"),
        ("East Main Street", "Springfield"),
    ]


@pytest.mark.parametrize(
    "unit",
    [
        "Fl 20",
        "20th Floor",
        "3rd Fl.",
        "Penthouse",
        "PH",
        "Dept 4",
        "Lot 4",
        "Bldg 3 Apt 4B",
        "Suite 200-A",
        "3. Stock",
    ],
)
def test_a_unit_is_no_part_of_the_street(small: EmbeddedGeocoder, unit: str) -> None:
    found = best(small, f"120 East Main Street {unit}, Springfield, IL 62701")
    assert (found.label, found.point) == ("120 East Main Street", house_at(SPRINGFIELD, 0, 120))
    assert found.confidence is MatchConfidence.EXACT


@pytest.mark.parametrize(
    "text",
    [
        "Apt 4, 120 East Main Street, Springfield, IL",
        "Building 3, Flat 2, 120 East Main Street, Springfield",
        "Suite 300, 120 E Main St, 62701",
        "120 East Main Street Building 3 Springfield",
    ],
)
def test_a_unit_may_stand_first_or_amid(small: EmbeddedGeocoder, text: str) -> None:
    found = best(small, text)
    assert (found.label, found.confidence) == ("120 East Main Street", MatchConfidence.EXACT)


def test_the_number_behind_a_building_is_the_house(small: EmbeddedGeocoder) -> None:
    assert best(small, "Lincoln Building 120 East Main Street Springfield").label == "120 East Main Street"


@pytest.mark.parametrize(
    "text",
    [
        "c/o Mary Poppins, 120 East Main Street, Springfield, IL 62701",
        "C/O Mary Poppins 120 East Main Street, Springfield, IL 62701",
        "120 East Main Street, c/o Mary Poppins, Springfield, IL 62701",
        "Attn: M. Poppins, 120 East Main Street, Springfield, IL 62701",
    ],
)
def test_an_addressee_is_no_part_of_the_address(small: EmbeddedGeocoder, text: str) -> None:
    found = best(small, text)
    assert (found.label, found.confidence) == ("120 East Main Street", MatchConfidence.EXACT)


@pytest.fixture(scope="module")
def real(
    state_college_file: Path, manhattan_file: Path, liechtenstein_file: Path, pack: Path
) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([state_college_file, manhattan_file, liechtenstein_file], pack / "world.sqlite")
    yield opened
    opened.close()


def test_a_house_is_exact_only_if_no_other_is_called_so(real: EmbeddedGeocoder) -> None:
    several = real.forward(ForwardQuery(text="Kirchstrasse 13", limit=1))
    assert (several[0].label, several[0].confidence) == ("Kirchstrasse 13", MatchConfidence.FALLBACK)
    for town in ("Vaduz", "Ruggell"):
        found = best(real, f"Kirchstrasse 13, {town}")
        assert (found.city, found.confidence) == (town, MatchConfidence.EXACT)
    # Brooklyn and New York both have this address, ninety metres apart.
    assert best(real, "440 Kent Avenue, New York, NY").confidence is MatchConfidence.FALLBACK
    assert best(real, "440 Kent Avenue, Brooklyn, NY 11249").confidence is MatchConfidence.EXACT


def test_a_building_before_a_house_is_no_city_of_its_last_word(real: EmbeddedGeocoder) -> None:
    assert best(real, "Hotel Panorama, Kirchstrasse 13, Vaduz").label == "Kirchstrasse 13"
    assert best(real, "London, 10 Downing Street").label == "London"


@pytest.mark.slow
def test_partly_wrong_addresses_are_found_in_real_areas(real: EmbeddedGeocoder, shared_data: SharedData) -> None:
    hits: dict[str, list[bool]] = {}
    for name in EXTRACTS:
        file = shared_data.extract(name)
        sample, around, source = (
            Sample(read_addresses(file), SAMPLED, seed=11),
            read_surroundings(file),
            random.Random(3),
        )
        for address in sample.drawn:
            for slip in slips(address, around, source):
                found = real.forward(ForwardQuery(text=slip.text))[:1]
                right = bool(found) and sample.is_there(slip.means, found[0].point.longitude, found[0].point.latitude)
                hits.setdefault(slip.kind, []).append(right)
                if slip.is_untrue and found:
                    assert found[0].confidence is not MatchConfidence.EXACT, slip.text
    assert {kind for kind, found in hits.items() if sum(found) < 0.95 * len(found)} == set()
    assert sum(map(sum, hits.values())) >= 0.97 * sum(map(len, hits.values()))
