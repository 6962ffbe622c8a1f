"""Recall of real addresses in a fixed sample; the benchmark uses a larger one.

The addresses are read from the extracts by independent code, `tests.osm_addresses`.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.addresses.address import AutocompleteQuery, ForwardQuery, Layer, MatchConfidence, ReverseQuery
from engine.domain.geometry import Point
from engine.geocoding.embedded import EmbeddedGeocoder
from tests.osm_addresses import (
    EXTRACTS,
    NEAR_M,
    RealAddress,
    Sample,
    as_written,
    is_itself,
    read_addresses,
    variants,
    with_typo,
)
from tests.shared import SharedData

SAMPLED = 150


@pytest.fixture(scope="module")
def geocoder(
    state_college_file: Path, manhattan_file: Path, liechtenstein_file: Path, pack: Path
) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([state_college_file, manhattan_file, liechtenstein_file], pack / "world.sqlite")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def sample(shared_data: SharedData) -> Sample:
    files = [shared_data.extract(name) for name in EXTRACTS]
    return Sample([address for file in files for address in read_addresses(file)], SAMPLED, seed=20_260)


def found(geocoder: EmbeddedGeocoder, sample: Sample, address: RealAddress, text: str) -> bool:
    best = geocoder.forward(ForwardQuery(text=text))[:1]
    return bool(best) and sample.is_there(address, best[0].point.longitude, best[0].point.latitude)


def share(hits: list[bool]) -> float:
    return sum(hits) / len(hits)


@pytest.mark.slow
def test_addresses_are_found_as_they_are_written(geocoder: EmbeddedGeocoder, sample: Sample) -> None:
    assert share([found(geocoder, sample, each, as_written(each)) for each in sample.drawn]) >= 0.98


@pytest.mark.slow
def test_addresses_are_found_in_their_usual_variants(geocoder: EmbeddedGeocoder, sample: Sample) -> None:
    hits: dict[str, list[bool]] = {}
    for each in sample.drawn:
        for kind, text in variants(each):
            hits.setdefault(kind, []).append(found(geocoder, sample, each, text))
    assert {kind for kind, found in hits.items() if share(found) < 0.95} == set()


@pytest.mark.slow
def test_addresses_are_found_with_one_typo(geocoder: EmbeddedGeocoder, sample: Sample) -> None:
    source = random.Random(4)
    assert share([found(geocoder, sample, each, with_typo(each, source)) for each in sample.drawn]) >= 0.85


@pytest.mark.slow
def test_positions_of_addresses_have_these_addresses(geocoder: EmbeddedGeocoder, sample: Sample) -> None:
    hits = []
    for each in sample.drawn:
        best = geocoder.reverse(ReverseQuery(point=Point(each.longitude, each.latitude)))[0]
        hits.append(is_itself(each, best.number, best.street))
    assert share(hits) >= 0.98


@pytest.mark.slow
def test_an_exact_match_is_the_queried_address(geocoder: EmbeddedGeocoder, sample: Sample) -> None:
    source = random.Random(5)
    for each in sample.drawn:
        best = geocoder.forward(ForwardQuery(text=as_written(each)))[0]
        if best.confidence is MatchConfidence.EXACT:
            assert is_itself(each, best.number, best.street)
        slipped = geocoder.forward(ForwardQuery(text=with_typo(each, source), layers=frozenset({Layer.ADDRESS})))[:1]
        if slipped and slipped[0].confidence is MatchConfidence.EXACT:
            assert slipped[0].number is not None


@pytest.mark.slow
def test_addresses_are_offered_before_they_are_typed_to_the_end(geocoder: EmbeddedGeocoder, sample: Sample) -> None:
    hits = []
    for each in sample.drawn[::3]:
        line = as_written(each).split(",")[0]
        # If the number comes last, it cannot be guessed before it is typed.
        typed = line[:-2] if line.startswith(each.number) else line
        near = Point(each.longitude + 0.01, each.latitude)
        offered = geocoder.autocomplete(AutocompleteQuery(text=typed, near=near))
        hits.append(any(sample.is_there(each, at.point.longitude, at.point.latitude, NEAR_M) for at in offered))
    assert share(hits) >= 0.9


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("Äulestrasse 51, 9490 Vaduz", "Äulestrasse 51, 9490 Vaduz LI"),
        ("Aeulestr. 51 Vaduz", "Äulestrasse 51, 9490 Vaduz LI"),
        ("aulestrasse 51", "Äulestrasse 51, 9490 Vaduz LI"),
        ("VADUZ, ÄULESTRASSE 51", "Äulestrasse 51, 9490 Vaduz LI"),
        ("Städtle 37 Vaduz", "Städtle 37, 9490 Vaduz LI"),
        ("Staedtle 37, 9490", "Städtle 37, 9490 Vaduz LI"),
        ("stadtle 37 vaduz", "Städtle 37, 9490 Vaduz LI"),
        ("Mühleweg 26a, Vaduz", "Mühleweg 26a, 9490 Vaduz LI"),
        ("muehleweg 26 A vaduz", "Mühleweg 26a, 9490 Vaduz LI"),
    ],
)
def test_german_streets_are_found_in_every_spelling(geocoder: EmbeddedGeocoder, text: str, formatted: str) -> None:
    best = geocoder.forward(ForwardQuery(text=text))[0]
    assert (best.formatted, best.confidence) == (formatted, MatchConfidence.EXACT)
