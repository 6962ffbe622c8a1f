"""The world's own names, drawn from Unicode CLDR and GeoNames: common names of countries and cities."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import pytest

from engine.domain.addresses.address import AddressLanguage, ForwardQuery, Layer, MatchConfidence
from engine.gazetteer import reader
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.search import candidates
from engine.geocoding.search.forward import forward
from tests.benchmarks.world_names import NOWHERE, NameQuery, countries, local_cities, zone_cities


@pytest.fixture(scope="module")
def geocoder(pack: Path) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([], pack / "world.sqlite")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("names", "least"),
    [
        pytest.param(partial(countries, local=False), 1.0, id="countries in English"),
        pytest.param(partial(countries, local=True), 0.99, id="countries in their language"),
        # A city with a country's name means the country: Guatemala.
        pytest.param(partial(zone_cities, local=False), 0.96, id="cities in English"),
        pytest.param(partial(zone_cities, local=True), 0.95, id="cities in their language"),
        pytest.param(lambda: islice(local_cities(), 0, None, 10), 0.96, id="large cities"),
    ],
)
def test_the_first_result_is_the_named_place(
    geocoder: EmbeddedGeocoder, names: Callable[[], Iterator[NameQuery]], least: float
) -> None:
    wrong, cases = [], list(names())
    for each in cases:
        found = geocoder.forward(ForwardQuery(text=each.name))
        if not found or not each.is_right(found[0]):
            wrong.append((each.name, found[0].formatted if found else None))
    assert len(cases) > 90
    assert len(wrong) <= len(cases) * (1 - least), wrong


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(
            ("Czech Republic", "CZ"),
            ("Holland", "NL"),
            ("UAE", "AE"),
            ("great britain", "GB"),
            ("The Netherlands", "NL"),
        ),
        *(("Burma", "MM"), ("Ivory Coast", "CI"), ("U.S.A.", "US"), ("Mexico", "MX"), ("Ελλάδα", "GR")),
        # In another script of their language than the usual one.
        *(("中國", "CN"), ("台灣", "TW"), ("Азәрбајҹан", "AZ"), ("Ўзбекистон", "UZ")),
    ],
)
def test_countries_have_further_names(geocoder: EmbeddedGeocoder, text: str, code: str) -> None:
    first = geocoder.forward(ForwardQuery(text=text))[0]
    assert (first.layer, first.country_code, first.confidence) == (Layer.COUNTRY, code, MatchConfidence.EXACT)
    assert not geocoder.forward(ForwardQuery(text=text, layers=frozenset({Layer.STATE}), countries=frozenset({"LI"})))


@pytest.mark.parametrize(
    ("text", "label"),
    [("Warszawa, Polska", "Warsaw"), ("Amsterdam, Holland", "Amsterdam"), ("Atlanta, Georgia", "Atlanta")],
)
def test_a_city_in_a_country_by_its_own_name(geocoder: EmbeddedGeocoder, text: str, label: str) -> None:
    found = geocoder.forward(ForwardQuery(text=text))
    assert found[0].label == label
    assert found[0].confidence is MatchConfidence.EXACT or label == "Warsaw"


@pytest.mark.parametrize("name", ["Guatemala", "Luxembourg", "Djibouti", "Panama", "Mexico", "Singapore", "الكويت"])
def test_a_city_of_its_countrys_name_comes_after_it_and_before_the_state(geocoder: EmbeddedGeocoder, name: str) -> None:
    alone = geocoder.forward(ForwardQuery(text=name))
    assert [each.layer for each in alone[:2]] == [Layer.COUNTRY, Layer.LOCALITY]
    assert geocoder.forward(ForwardQuery(text=f"{name}, {name}"))[0] == alone[1]
    assert geocoder.forward(ForwardQuery(text=name, layers=frozenset({Layer.LOCALITY})))[0] == alone[1]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        *(("Θεσσαλονίκη", "Thessaloníki"), ("Πάτρα", "Pátra"), ("חיפה", "Haifa"), ("באר שבע", "Beersheba")),
        *(("เชียงใหม่", "Chiang Mai"), ("ภูเก็ต", "Phuket"), ("ბათუმი", "Batumi"), ("Գյումրի", "Gyumri")),
        *(("मुंबई", "Mumbai"), ("চট্টগ্রাম", "Chattogram"), ("சென்னை", "Chennai"), ("Μόναχο", "Munich")),
    ],
)
def test_cities_are_found_in_further_scripts(geocoder: EmbeddedGeocoder, text: str, label: str) -> None:
    found = geocoder.forward(ForwardQuery(text=text))
    assert (found[0].label, found[0].confidence) == (label, MatchConfidence.EXACT)


@pytest.mark.parametrize(
    ("language", "formatted"),
    [("de", "München DE"), ("es", "Múnich DE"), ("pt", "Munique DE"), ("ru", "Мюнхен DE"), ("fr", "Munich DE")],
)
def test_large_cities_have_their_names_in_other_languages(
    geocoder: EmbeddedGeocoder, language: str, formatted: str
) -> None:
    for text in ("Munich", "München"):
        found = geocoder.forward(ForwardQuery(text=text, language=AddressLanguage(language)))
        assert (found[0].formatted, found[0].confidence) == (formatted, MatchConfidence.EXACT)


def test_a_city_is_not_called_as_its_state_is(geocoder: EmbeddedGeocoder) -> None:
    for text, formatted in (("Guatemala City", "Guatemala City GT"), ("New York City", "New York, NY US")):
        assert geocoder.forward(ForwardQuery(text=text))[0].formatted == formatted


@pytest.mark.parametrize("text", NOWHERE)
def test_an_unknown_name_finds_nothing(geocoder: EmbeddedGeocoder, text: str) -> None:
    assert geocoder.forward(ForwardQuery(text=text)) == ()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        *(("Rue de Rivoli, Paris", "Paris"), ("Disneyland Paris", "Paris"), ("Main Street Lititz", "Lititz")),
        *(("10 Downing Street London", "London"), ("Cologne, MN", "Cologne"), ("Taj Mahal, Agra", "Agra")),
    ],
)
def test_a_named_city_is_the_result(geocoder: EmbeddedGeocoder, text: str, first: str) -> None:
    assert geocoder.forward(ForwardQuery(text=text))[0].label == first


def test_caches_are_bounded_and_change_no_result(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [each.name for each in list(countries(local=False))[::4]] * 2
    roomy = EmbeddedGeocoder([], pack / "world.sqlite")
    expected = [roomy.forward(ForwardQuery(text=text)) for text in texts]
    roomy.close()
    for name, most in (("_KEPT", 20), ("_KEPT_NAMES", 10), ("_KEPT_NUMBERS", 2_000), ("_KEPT_ENTRIES", 50)):
        monkeypatch.setattr(candidates, name, most)
    monkeypatch.setattr(reader, "_KEPT_DIVISIONS", 60)
    monkeypatch.setattr(reader, "_KEPT_CONTEXTS", 30)
    finder = candidates.Finder(reader.Gazetteer(pack / "world.sqlite"), is_world=True)
    for text, answer in zip(texts, expected, strict=True):
        assert forward([], [finder], ForwardQuery(text=text)) == answer
        assert len(finder.gazetteer._divisions) <= 60
        assert len(finder.gazetteer._contexts) <= 30
        assert len(finder._names) <= 12
    finder.gazetteer.close()


@pytest.mark.parametrize(
    ("text", "label"),
    [
        *(("Cologne", "Köln"), ("Mecca", "Makkah"), ("Bombay", "Mumbai"), ("Peking", "Beijing"), ("Danzig", "Gdańsk")),
        *(
            ("Auschwitz", "Oświęcim"),
            ("Courtrai", "Kortrijk"),
            ("Mullingar", "An Muileann gCearr"),
            ("Meran", "Merano"),
        ),
        *(("Big Apple", "New York"), ("Filadelfia", "Philadelphia"), ("Nueva Orleans", "New Orleans")),
        ("Makhanda", "Grahamstown"),
    ],
)
def test_cities_are_found_by_the_names_that_others_call_them(geocoder: EmbeddedGeocoder, text: str, label: str) -> None:
    assert geocoder.forward(ForwardQuery(text=text))[0].label == label


@pytest.mark.parametrize(
    "text", ["Central Park, New York", "East River", "Union Depot", "Acropolis", "Jericho Heights"]
)
def test_former_names_of_english_towns_are_not_used(geocoder: EmbeddedGeocoder, text: str) -> None:
    assert {each.label for each in geocoder.forward(ForwardQuery(text=text))} <= {"New York"}
    assert "Medina" not in {each.label for each in geocoder.forward(ForwardQuery(text="Mecca"))}
