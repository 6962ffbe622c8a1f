"""Houses, streets and corners in a neighbourhood that is near them but not in their addresses."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import shapely

from engine.domain.addresses.address import Address, ForwardQuery, Layer, MatchConfidence
from engine.domain.geometry import Point
from engine.gazetteer.writer import Context, Division, GazetteerWriter, House, Street
from engine.geocoding.embedded import EmbeddedGeocoder

CORNER: Final = Point(-89.6, 39.8)
STEP: Final = 0.004


@pytest.fixture(scope="module")
def geocoder(tmp_path_factory: pytest.TempPathFactory, pack: Path) -> Iterator[EmbeddedGeocoder]:
    file = _write(tmp_path_factory.mktemp("neighbourhoods") / "gazetteer.sqlite")
    opened = EmbeddedGeocoder([file], pack / "world.sqlite")
    yield opened
    opened.close()


def _write(file: Path) -> Path:
    """Write a town where Linden Road meets Cypress Street, near three neighbourhoods, and another one far away."""
    with GazetteerWriter(file, {"name": "neighbourhoods"}) as writer:
        nowhere = writer.context(Context())
        country = writer.division(
            Division(layer=Layer.COUNTRY, name="United States", code="US", point=CORNER, context=nowhere)
        )
        in_country = writer.context(Context(country=country, country_code="US"))
        town = writer.division(Division(layer=Layer.LOCALITY, name="Arden", point=CORNER, context=in_country))
        in_town = writer.context(Context(country=country, city=town, country_code="US"))
        for name, north in (("Kerrisdale", STEP), ("Binza", -STEP), ("Bellaire", STEP), ("Faraway Heights", 0.2)):
            point = Point(CORNER.longitude, CORNER.latitude + north)
            writer.division(Division(layer="neighborhood", name=name, point=point, context=in_town))
        linden = _write_street(writer, "Linden Road", STEP, 0, in_town)
        _write_street(writer, "Cypress Street", 0, STEP, in_town)
        writer.house(House(street=linden, number="7", point=Point(CORNER.longitude + 0.001, 39.8), context=in_town))
    return file


def _write_street(writer: GazetteerWriter, name: str, east: float, north: float, context: int) -> int:
    x, y = CORNER.longitude, CORNER.latitude
    line = shapely.LineString([(x - east, y - north), (x + east, y + north)])
    return writer.street(Street(name=name, point=CORNER, context=context, line=shapely.to_wkb(line)))


def ask(geocoder: EmbeddedGeocoder, text: str) -> tuple[Address, ...]:
    return geocoder.forward(ForwardQuery(text=text))


@pytest.mark.parametrize(
    "where",
    ["", ", Kerrisdale", ", Kerrisdle", ", Kerrisdale, Arden", ", Kerridsale, Arden", ", Binza", ", Bina", ", Arden"],
)
def test_a_corner_is_found_in_the_neighbourhood_that_is_near_it(geocoder: EmbeddedGeocoder, where: str) -> None:
    found = ask(geocoder, f"Linden Road & Cypress Street{where}")
    assert [each.label for each in found[:1]] == ["Linden Road & Cypress Street"]
    assert found[0].confidence is MatchConfidence.FALLBACK or where in ("", ", Arden")


@pytest.mark.parametrize("where", ["Faraway Heights", "London", "Paris, France"])
def test_a_corner_is_not_found_in_another_place(geocoder: EmbeddedGeocoder, where: str) -> None:
    labels = [each.label for each in ask(geocoder, f"Linden Road & Cypress Street, {where}")]
    assert "Linden Road & Cypress Street" not in labels


@pytest.mark.parametrize("where", ["Binza", "Bina", "Binaz", "Kerisdale"])
def test_a_house_is_found_with_a_misspelled_neighbourhood_that_is_a_town_elsewhere(
    geocoder: EmbeddedGeocoder, where: str
) -> None:
    best = ask(geocoder, f"7 Linden Road, {where}")[0]
    assert (best.number, best.street, best.confidence) == ("7", "Linden Road", MatchConfidence.FALLBACK)


def test_a_well_known_city_is_no_misspelled_neighbourhood(geocoder: EmbeddedGeocoder) -> None:
    assert ask(geocoder, "7 Linden Road, London")[0].city == "London"


@pytest.mark.parametrize("text", ["Bllaire", "Belaire", "Bellarie", "Kerrisdle"])
def test_a_misspelled_name_is_that_of_the_neighbourhood_here(geocoder: EmbeddedGeocoder, text: str) -> None:
    best = ask(geocoder, text)[0]
    assert best.neighborhood in ("Bellaire", "Kerrisdale")
    assert best.confidence is MatchConfidence.FALLBACK
