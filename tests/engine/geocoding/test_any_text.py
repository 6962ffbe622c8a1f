"""Any typed text: a deterministic result that matches the query, or a clear refusal."""

from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.domain.addresses.address import (
    MAX_QUERY,
    Address,
    AddressLanguage,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    ReverseQuery,
    check_query,
)
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.search.nearby import HOUSE_WITHIN_M
from tests.engine.geocoding.small import write_small

WORDS = [
    *("120", "12a", "12 1/2", "62701", "16801-1234", "east", "E", "main", "street", "St", "springfield", "vaduz"),
    *("Äulestrasse", "aeulestr.", "渋谷", "US", "illinois", '"', "*", "NEAR", "AND", "OR", "NOT", "(", ")", "name:"),
    *("^", "-", ",", "#4", "apt", "½", "\u0300", "ß", "İ", "\u200f", "%", "_", "\\", "'", ";", "{", "}", "+"),
]
TEXTS = st.text(max_size=80) | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
LAYERS = st.frozensets(st.sampled_from(list(Layer)), min_size=1)
COUNTRIES = st.frozensets(st.sampled_from(["US", "LI", "JP", "FR"]), max_size=2)


@pytest.fixture(scope="module")
def geocoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([write_small(tmp_path_factory.mktemp("small") / "gazetteer.sqlite")])
    yield opened
    opened.close()


@given(TEXTS, LAYERS, COUNTRIES, st.sampled_from(list(AddressLanguage)), st.integers(1, 100))
@example("NEAR(main street)", frozenset(Layer), frozenset(), AddressLanguage.ENGLISH, 10)
@example('" OR 1', frozenset(Layer), frozenset(), AddressLanguage.ENGLISH, 10)
@example("\u0660\u0661 \u00bd st", frozenset(Layer), frozenset(), AddressLanguage.ENGLISH, 10)
def test_every_text_is_answered_or_refused(
    geocoder: EmbeddedGeocoder,
    text: str,
    layers: frozenset[Layer],
    countries: frozenset[str],
    language: AddressLanguage,
    limit: int,
) -> None:
    try:
        query = check_query(text)
    except InvalidParameter:
        return
    ahead = ForwardQuery(text=query, layers=layers, countries=countries, language=language, limit=limit)
    begun = AutocompleteQuery(text=query, layers=layers, countries=countries, language=language, limit=limit)
    for found in (geocoder.forward(ahead), geocoder.autocomplete(begun)):
        assert len(found) <= limit
        assert {each.layer for each in found} <= layers
        assert not countries or {each.country_code for each in found} <= countries
    assert geocoder.forward(ahead) == geocoder.forward(ahead)
    assert geocoder.autocomplete(begun) == geocoder.autocomplete(begun)


@given(TEXTS)
def test_the_location_of_a_found_house_finds_that_house(geocoder: EmbeddedGeocoder, text: str) -> None:
    for there in _houses(geocoder, text):
        back = geocoder.reverse(ReverseQuery(point=there.point, layers=frozenset({Layer.ADDRESS})))
        assert back[0].distance_m is not None
        assert back[0].distance_m <= HOUSE_WITHIN_M
        assert back[0].street == there.street


def _houses(geocoder: EmbeddedGeocoder, text: str) -> Iterator[Address]:
    if text.split() and "\0" not in text:
        found = geocoder.forward(ForwardQuery(text=text))
        yield from (each for each in found if each.number is not None)


@pytest.mark.parametrize("text", ["", "   ", "x" * (MAX_QUERY + 1), "main street " * 1_000, "a\0b", "\ud800"])
def test_an_unsearchable_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        check_query(text)
    assert refused.value.param == "query"


@pytest.mark.parametrize("text", ["a " * 500, "1 " * 500, "東" * 1_000, "1a" * 500, "," * 999 + "a", "x" * 1_000])
def test_long_texts_are_answered(geocoder: EmbeddedGeocoder, text: str) -> None:
    geocoder.forward(ForwardQuery(text=text[:MAX_QUERY].strip()))
    geocoder.autocomplete(AutocompleteQuery(text=text[:MAX_QUERY].strip(), near=Point(0, 0)))
