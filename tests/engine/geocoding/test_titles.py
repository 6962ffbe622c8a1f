"""Titles of cities and states in queries."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.domain.addresses.address import ForwardQuery, Layer, MatchConfidence
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.search.wording.titles import without_title
from engine.geocoding.states import STATE_NAMES


@pytest.fixture(scope="module")
def worldwide(pack: Path) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([], pack / "world.sqlite")
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("text", "bare", "layer"),
    [
        ("City of Denver", "Denver", Layer.LOCALITY),
        ("the city of Denver, CO", "Denver, CO", Layer.LOCALITY),
        ("Town of Salem, MA", "Salem, MA", Layer.LOCALITY),
        ("Ville d'Orléans", "Orléans", Layer.LOCALITY),
        ("Ciudad de la Habana", "la Habana", Layer.LOCALITY),
        ("Ciudad de Las Palmas", "Las Palmas", Layer.LOCALITY),
        ("Cidade do Porto", "Porto", Layer.LOCALITY),
        ("Stadt Köln", "Köln", Layer.LOCALITY),
        ("город Москва", "Москва", Layer.LOCALITY),
        ("مدينة دبي", "دبي", Layer.LOCALITY),
        ("デンバー市", "デンバー", Layer.LOCALITY),
        ("New York State, USA", "New York, USA", Layer.STATE),
        ("Province of Ontario", "Ontario", Layer.STATE),
        ("Estado do Rio de Janeiro", "Rio de Janeiro", Layer.STATE),
        ("Freistaat Bayern", "Bayern", Layer.STATE),
        ("État de New York", "New York", Layer.STATE),
        ("뉴욕 주", "뉴욕", Layer.STATE),
        ("纽约州", "纽约", Layer.STATE),
    ],
)
def test_a_title_is_taken_off(text: str, bare: str, layer: Layer) -> None:
    titled = next(without_title(ForwardQuery(text=text)))
    assert (titled.query.text, titled.query.layers) == (bare, frozenset({layer}))


def test_an_article_may_belong_to_the_title_or_to_the_name() -> None:
    texts = [titled.query.text for titled in without_title(ForwardQuery(text="Ciudad de la Habana, Cuba"))]
    assert texts == ["la Habana, Cuba", "Habana, Cuba"]


@pytest.mark.parametrize("text", ["State College", "City", "City of", "Oklahoma City", "State Street", "", "Cityof X"])
def test_other_texts_have_no_title(text: str) -> None:
    assert list(without_title(ForwardQuery(text=text))) == []


def test_a_layer_that_is_not_wanted_is_not_returned() -> None:
    query = ForwardQuery(text="State of Ohio", layers=frozenset({Layer.LOCALITY}))
    assert list(without_title(query)) == []


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("City of Denver", "Denver, CO US"),
        ("City of Phoenix", "Phoenix, AZ US"),
        ("Town of Salem, MA", "Salem, MA US"),
        ("Stadt Köln", "Köln DE"),
        ("Ville de Lyon", "Lyon FR"),
        ("Cidade de Braga", "Braga PT"),
        ("Washington State", "Washington, US"),
        ("State of Georgia", "Georgia, US"),
        ("Province of Ontario", "Ontario, CA"),
        ("Estado de São Paulo", "São Paulo, BR"),
        # The whole is a name.
        ("City of London", "City of London GB"),
        ("City of Minneapolis, MN", "Minneapolis, MN US"),
        ("State of Mexico", "State of Mexico, MX"),
        ("Ciudad de México", "Mexico City MX"),
        ("Ciudad de La Plata", "La Plata AR"),
    ],
)
def test_a_title_decides_between_city_and_state(worldwide: EmbeddedGeocoder, text: str, formatted: str) -> None:
    found = worldwide.forward(ForwardQuery(text=text))
    assert found[0].formatted == formatted


@pytest.mark.parametrize("form", ["State of {}", "{} State", "The State of {}, USA"])
def test_each_state_is_found_with_its_title(worldwide: EmbeddedGeocoder, form: str) -> None:
    states = {name: code for name, (country, code) in STATE_NAMES.items() if country == "US" and code != "DC"}
    right = 0
    for name, code in states.items():
        found = worldwide.forward(ForwardQuery(text=form.format(name.title())))
        right += bool(found) and (found[0].layer, found[0].state_code) == (Layer.STATE, code)
    assert len(states) == 50
    assert right >= 0.97 * len(states)


def test_an_unknown_city_is_not_exact(worldwide: EmbeddedGeocoder) -> None:
    found = worldwide.forward(ForwardQuery(text="City of Zzyzxville"))
    assert all(each.confidence is not MatchConfidence.EXACT for each in found)
