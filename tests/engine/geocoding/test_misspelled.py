"""Houses on streets with a short name and one wrong letter, in a small gazetteer of two towns."""

from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase
from typing import Final

import pytest
import shapely

from engine.domain.addresses.address import Address, ForwardQuery, Layer, MatchConfidence
from engine.domain.geometry import Point
from engine.gazetteer.text import number_of
from engine.gazetteer.writer import Context, Division, GazetteerWriter, House, Street
from engine.geocoding.embedded import EmbeddedGeocoder

ARDEN: Final = Point(-89.6, 39.8)
BOYD: Final = Point(-89.6, 39.804)
"""The next town, some hundred metres north."""

COLE: Final = Point(-89.6, 40.0)
"""A town too far away for a street to continue there."""

STREETS: Final = (
    ("Main Street", ARDEN, "Arden", 0, ("10", "14")),
    ("Bell Avenue", ARDEN, "Arden", 1, ("20",)),
    ("Oat Street", ARDEN, "Arden", 2, ("31",)),
    ("Oak Street", ARDEN, "Arden", 3, ("36",)),
    ("114th Street", ARDEN, "Arden", 7, ("86-03",)),
    ("MacDougal Street", ARDEN, "Arden", 5, ("64",)),
    ("Triq is-Sur", ARDEN, "Arden", 6, ("73",)),
    ("West Mall", ARDEN, "Arden", 4, ("40",)),
    ("West Mall", BOYD, "Boyd", 0, ("50",)),
    ("West Mall", COLE, "Cole", 0, ("60",)),
)


@pytest.fixture(scope="module")
def geocoder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedGeocoder]:
    opened = EmbeddedGeocoder([_write(tmp_path_factory.mktemp("misspelled") / "gazetteer.sqlite")])
    yield opened
    opened.close()


def _write(file: Path) -> Path:
    with GazetteerWriter(file, {"name": "misspelled"}) as writer:
        nowhere = writer.context(Context())
        country = writer.division(
            Division(layer=Layer.COUNTRY, name="United States", code="US", point=ARDEN, context=nowhere)
        )
        in_country = writer.context(Context(country=country, country_code="US"))
        towns = {
            name: writer.division(Division(layer=Layer.LOCALITY, name=name, point=point, context=in_country))
            for name, point in (("Arden", ARDEN), ("Boyd", BOYD), ("Cole", COLE))
        }
        for name, at, town, row, numbers in STREETS:
            context = writer.context(Context(country=country, city=towns[town], country_code="US"))
            _write_street(writer, name, Point(at.longitude, at.latitude + row * 0.0005), context, numbers)
    return file


def _write_street(writer: GazetteerWriter, name: str, at: Point, context: int, numbers: tuple[str, ...]) -> None:
    line = shapely.LineString([(at.longitude, at.latitude), (at.longitude + 0.002, at.latitude)])
    street = writer.street(Street(name=name, point=at, context=context, line=shapely.to_wkb(line)))
    for number in numbers:
        point = Point(at.longitude + number_of(number)[0] * 0.00002, at.latitude)
        writer.house(House(street=street, number=number, point=point, context=context))


def ask(geocoder: EmbeddedGeocoder, text: str) -> tuple[Address, ...]:
    return geocoder.forward(ForwardQuery(text=text))


def named(addresses: tuple[Address, ...]) -> list[tuple[str | None, str | None, str | None]]:
    return [(each.number, each.street, each.city) for each in addresses]


def slips(word: str) -> set[str]:
    """Return all texts with one letter missing, added, replaced or exchanged with the next one."""
    places = range(len(word) + 1)
    missing = {word[:at] + word[at + 1 :] for at in places}
    added = {word[:at] + letter + word[at:] for at in places for letter in ascii_lowercase}
    other = {word[:at] + letter + word[at + 1 :] for at in places[:-1] for letter in ascii_lowercase}
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in places[:-2]}
    return (missing | added | other | swapped) - {word}


@pytest.mark.parametrize(("word", "street", "number"), [("main", "Main Street", 10), ("bell", "Bell Avenue", 20)])
@pytest.mark.parametrize("end", ["", ", Arden", " arden"])
def test_a_house_is_found_with_any_wrong_letter_in_a_short_name(
    geocoder: EmbeddedGeocoder, word: str, street: str, number: int, end: str
) -> None:
    for typed in sorted(slips(word)):
        text = f"{number} {street.lower().replace(word, typed)}{end}"
        found = ask(geocoder, text)
        assert named(found)[:1] == [(str(number), street, "Arden")], text
        assert all(each.confidence is MatchConfidence.FALLBACK for each in found), text


@pytest.mark.parametrize(
    ("text", "street"),
    [
        ("64 Mac Dougla Street", "MacDougal Street"),
        ("64 Mc Dougal Street, Arden", "MacDougal Street"),
        ("86-03 114yth Street, Arden", "114th Street"),
        ("86-03 1t14th Street", "114th Street"),
        ("86-03 114ht Street, Arden", "114th Street"),
        ("Triq ie-Sur 73", "Triq is-Sur"),
        ("Triq si-Sur 73, Arden", "Triq is-Sur"),
    ],
)
def test_a_house_is_found_if_a_space_or_an_article_is_wrong(geocoder: EmbeddedGeocoder, text: str, street: str) -> None:
    best = ask(geocoder, text)[0]
    assert (best.street, best.confidence) == (street, MatchConfidence.FALLBACK)
    assert best.number is not None


def test_a_street_that_exists_as_given_is_not_corrected_to_the_house_on_a_similar_one(
    geocoder: EmbeddedGeocoder,
) -> None:
    assert named(ask(geocoder, "31 Oak Street, Arden"))[:1] == [(None, "Oak Street", "Arden")]
    assert named(ask(geocoder, "31 Oat Street, Arden"))[:1] == [("31", "Oat Street", "Arden")]


def test_a_wrong_article_is_not_exact(geocoder: EmbeddedGeocoder) -> None:
    found = ask(geocoder, "73 Triq en Sur, Arden")
    assert (found[0].street, found[0].confidence) == ("Triq is-Sur", MatchConfidence.FALLBACK)


def test_a_number_that_no_similar_street_has_gives_no_house(geocoder: EmbeddedGeocoder) -> None:
    assert all(each.number is None for each in ask(geocoder, "11 Min Street, Arden"))


@pytest.mark.parametrize("text", ["50 West Mall, Arden", "50 west mall arden", "50 West Mlal, Arden"])
def test_a_house_is_found_where_its_street_continues_in_the_next_town(geocoder: EmbeddedGeocoder, text: str) -> None:
    best = ask(geocoder, text)[0]
    assert (best.number, best.city, best.confidence) == ("50", "Boyd", MatchConfidence.FALLBACK)


def test_a_street_of_the_same_name_elsewhere_is_no_continuation(geocoder: EmbeddedGeocoder) -> None:
    assert named(ask(geocoder, "60 West Mall, Arden")) == [(None, "West Mall", "Arden")]
