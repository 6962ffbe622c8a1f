"""Streets and roads that are not found are no towns at the other end of the world, and towns are found where named."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from engine.domain.addresses.address import Address, AutocompleteQuery, ForwardQuery
from engine.geocoding.embedded import EmbeddedGeocoder
from tests.engine.geocoding.small import write_small

SHORT = ("Gia", "Min", "Man", "Mai", "Nar", "Bel", "Sat", "ain", "ray", "Mal", "Mc Laughiin", "Mac Dougla")


@pytest.fixture(scope="module")
def geocoder(tmp_path_factory: pytest.TempPathFactory, pack: Path) -> Iterator[EmbeddedGeocoder]:
    small = write_small(tmp_path_factory.mktemp("strangers") / "gazetteer.sqlite")
    opened = EmbeddedGeocoder([small], pack / "world.sqlite")
    yield opened
    opened.close()


def cities(found: tuple[Address, ...]) -> list[str | None]:
    return [each.city or each.state or each.country for each in found]


@pytest.mark.parametrize(("name", "street"), list(product(SHORT, ("{} Street", "South {} Avenue", "West {} Lane"))))
def test_no_place_of_the_world_is_returned_for_a_word_of_a_street(
    geocoder: EmbeddedGeocoder, name: str, street: str
) -> None:
    assert geocoder.forward(ForwardQuery(text=f"233 {street.format(name)}")) == ()
    assert geocoder.forward(ForwardQuery(text=street.format(name))) == ()


@pytest.mark.parametrize("text", ["Triq si-sur 221", "Triq mt-Kampanella 217", "Triq ms-sur 241", "Triq Isl-Qasab 46"])
def test_an_article_is_no_code_of_a_country_within_a_street(geocoder: EmbeddedGeocoder, text: str) -> None:
    assert geocoder.forward(ForwardQuery(text=text)) == ()


@pytest.mark.parametrize("text", ["I-8", "I 8", "A1", "D 902", "B 27", "N-340", "RN-95", "SS 16"])
def test_an_unknown_road_is_no_place_that_shares_its_letter(geocoder: EmbeddedGeocoder, text: str) -> None:
    assert geocoder.forward(ForwardQuery(text=text)) == ()


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("10 Downing Street, London", "London"),
        ("10 Downing Street London", "London"),
        ("12 Rue de la Paix Paris", "Paris"),
        ("Kungsgatan 12 Stockholm", "Stockholm"),
        ("Hauptstrasse 5 Wien", "Vienna"),
        ("123 Unknown Street Reykjavik Iceland", "Reykjavík"),
        ("10115 Berlin", "Berlin"),
        ("10 Unknown Drive, AZ 85999", "Arizona"),
        ("Berlin 12", "Berlin"),
        ("Paris", "Paris"),
        ("Pariss", "Paris"),
        ("Ho Chi Minh City", "Ho Chi Minh City"),
        ("Ho Chi Mihn City", "Ho Chi Minh City"),
        ("Vik", "Vik"),
        ("Vík í Mýrdal", "Vík í Mýrdal"),
        ("Hạ Long", "Hạ Long"),
    ],
)
def test_a_town_is_found_by_its_name_and_as_the_place_of_an_unknown_street(
    geocoder: EmbeddedGeocoder, text: str, city: str
) -> None:
    assert cities(geocoder.forward(ForwardQuery(text=text)))[:1] == [city]


def test_a_town_is_completed_behind_a_street(geocoder: EmbeddedGeocoder) -> None:
    completed = geocoder.autocomplete(AutocompleteQuery(text="Rua Nova Rio de Janei"))
    assert cities(completed)[:1] == ["Rio de Janeiro"]


@pytest.mark.parametrize("text", ["South Gia Street", "2444 Min Street", "I-8"])
def test_no_place_of_the_world_completes_a_street(geocoder: EmbeddedGeocoder, text: str) -> None:
    assert geocoder.autocomplete(AutocompleteQuery(text=text)) == ()
