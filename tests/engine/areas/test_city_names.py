"""The names of cities and regions in the world pack, from data that lack languages or have other units."""

from typing import Any

import pytest
import shapely

from engine.areas.world.names import CityNames
from engine.areas.world.outlines import Outline, region_of
from engine.areas.world.points import read_localities
from engine.domain.geometry import Point
from engine.gazetteer.text import fold

LISTED = [
    "LNZ",
    "Lentia",
    "Lints",
    "Linz",
    "linaza",
    "Linz Airport",
    "Linec",
    "Línec",
    "Линц",
    "リンツ",
    "林茨",
    "린츠",
]


def city(**other: Any) -> dict[str, Any]:
    found = {"geonameid": 1, "name": "Linz", "countrycode": "AT", "population": 200_000, "alternatenames": LISTED}
    return found | {"timezone": "Europe/Vienna", "latitude": 48.3, "longitude": 14.3, "admin1code": "04"} | other


def names_of(state: dict[str, str] | None = None, **other: Any) -> dict[str, str]:
    linz = city(**other)
    return CityNames([linz]).of(linz, state)


def test_a_name_is_there_once_and_in_its_language_if_its_letters_show_it() -> None:
    names = names_of()
    assert {"ja": "リンツ", "zh": "林茨", "ko": "린츠"}.items() <= names.items()
    assert {"Lentia", "Lints", "Линц"} <= set(names.values())
    folded = [fold(name) for name in ("Linz", *names.values())]
    assert len(set(folded)) == len(folded)
    # With its diacritics, and neither codes nor transliterations nor airports.
    assert "Línec" in names.values()
    assert set(names.values()).isdisjoint({"LNZ", "linaza", "Linz Airport", "Linec"})


def test_a_city_has_those_names_of_its_state_that_are_its_own() -> None:
    names = names_of({"ru": "Линц", "fr": "Lince", "es": "Lints"})
    assert (names["ru"], names["es"], names.get("fr")) == ("Линц", "Lints", None)
    assert sorted(names.values()).count("Линц") == 1


def test_small_towns_have_no_other_names() -> None:
    assert names_of(population=14_999) == {}
    assert names_of(population=15_000) != {}


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"iso_a2": "FR", "region": "Île-de-France", "region_cod": "FR-IDF"}, ("FR", "Île-de-France", "IDF")),
        ({"iso_a2": "IT", "region": "Lombardia", "region_cod": "IT-25"}, ("IT", "Lombardia", "25")),
        ({"iso_a2": "FR", "region": "Corse", "region_cod": "FR-COR"}, ("FR", "Corse", "20R")),
        ({"iso_a2": "FR", "region": "Elsewhere", "region_cod": None}, ("FR", "Elsewhere", None)),
        ({"iso_a2": "GB", "geonunit": "Scotland", "region_cod": "GB-XX"}, ("GB", "Scotland", "SCT")),
        ({"iso_a2": "FR", "region": None, "region_cod": "FR-IDF"}, ("FR", None, None)),
        ({"iso_a2": "DE", "region": "East", "region_cod": "DE-E"}, ("DE", None, None)),
    ],
)
def test_the_parts_of_some_countries_belong_to_a_region(
    properties: dict[str, Any], expected: tuple[str, str | None, str | None]
) -> None:
    assert region_of(properties) == expected


@pytest.mark.slow
@pytest.mark.parametrize(("name", "english"), [("Linz", "Upper Austria"), ("Land ob der Enns", "Linz")])
def test_a_state_that_has_the_name_of_its_city_in_any_language_names_it(name: str, english: str) -> None:
    box, point = shapely.box(14.2, 48.2, 14.4, 48.4), Point(14.3, 48.3)
    state = Outline(
        country="AT", code="4", name=name, names={"en": english, "ru": "Линц"}, point=point, shape=box, geonames="AT.04"
    )
    county = Outline(country="US", code=None, name="Nowhere County", point=point, shape=box)
    found = {each.name: each for each in read_localities([state], [county]) if each.country == "AT"}
    assert (found["Linz"].state, found["Linz"].county, found["Linz"].names["ru"]) == (0, None, "Линц")
    assert found["Graz"].state is None
