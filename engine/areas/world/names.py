"""Names of cities in the ten languages: from CLDR, their states' names, and a list; and other names to find them by.

GeoNames' package has many names of each city without their languages. CLDR names the cities of the time zones in all
ten languages, and Natural Earth the states, many of which are a city. A list adds further large cities.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from babel import Locale
from babel.core import get_global
from rapidfuzz import fuzz

from engine.areas.world.exonyms import exonyms
from engine.domain.addresses.address import AddressLanguage
from engine.gazetteer.text import fold

_MANY: Final = 15_000
"""Minimum number of inhabitants of a locality that is also found by its other names."""

_FAMOUS: Final = 100_000
"""Minimum number of inhabitants of a locality that is found by all its other names."""

_MOST_LATIN: Final = 16
"""Number of names in Latin letters, most similar to their own, by which smaller localities are found.

Names in other scripts come in addition.
"""

_LATIN: Final = re.compile("[A-Z\u00c0-\u024f\u1e00-\u1eff]")
_OTHERS: Final = re.compile(
    "[\u0370-\u03ff\u0400-\u04ff\u0530-\u05ff\u0600-\u06ff\u0900-\u109f\u10a0-\u10ff\u1200-\u137f\u1780-\u17ff\u1f00-\u1fff"
    "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
"""First characters of names in other scripts: Greek, Hebrew, Indian scripts, Thai and those of the ten languages.

GeoNames' transliterations begin with small Latin letters.
"""

_HANGUL: Final = re.compile("[\uac00-\ud7af]")
_KANA: Final = re.compile("[\u3040-\u30ff]")
_HAN: Final = re.compile("[\u3400-\u9fff]+")
_CODE: Final = re.compile("[A-Z]{3}")
_NO_CITY: Final = re.compile(r"\b(?:Air(?:port|field)|Aeroporto?|Flughafen|Heliport)\b", re.IGNORECASE)

type City = Mapping[str, Any]
"""A city in the form of GeoNames' package."""


class CityNames:
    """Names of cities by language, if the language is known."""

    def __init__(self, cities: Iterable[City]) -> None:
        self._zones = _zone_cities(cities)
        self._exonyms = exonyms()

    def of(self, city: City, state: Mapping[str, str] | None) -> dict[str, str]:
        """Return the additional names of a city.

        Names whose language is known are keyed by the language. The others are keyed ``alt1``, ``alt2``, …; they lead
        to the city but are not shown. `state` has the names of the state with the same name as the city.
        """
        if city["population"] < _MANY:
            return {}
        alternates = [name for name in city["alternatenames"] if _is_name(name, city["name"])]
        known = {fold(name) for name in alternates} if state else frozenset[str]()
        names = {language: name for language, name in (state or {}).items() if fold(name) in known}
        if city["countrycode"] != "US":
            # GeoNames' own name is the English one; only New York City is a name not used in addresses.
            names.pop("en", None)
        names |= self._exonym(city) | _by_script(alternates, city["countrycode"])
        names |= self._zones.get(city["geonameid"], {})
        names = {language: name for language, name in names.items() if name != city["name"]}
        # Of names with the same folded letters one is enough: the one with diacritics.
        others = {fold(name): name for name in sorted(_chosen(alternates, city), key=_has_marks)}
        for same in (city["name"], *names.values()):
            others.pop(fold(same), None)
        return names | {f"alt{number}": name for number, name in enumerate(others.values(), 1)}

    def _exonym(self, city: City) -> dict[str, str]:
        known = set(map(fold, city["alternatenames"]))
        listed = self._exonyms.get((city["countrycode"], city["name"]), {})
        return {language: name for language, name in listed.items() if fold(name) in known}


def one_name(name: str) -> str:
    """Return one of several names separated by slashes, in simplified characters if possible: ``纽约/紐約``."""
    parts = [part for each in name.split("/") if (part := each.strip())]
    return next((part for part in parts if is_simplified(part)), parts[0] if parts else name)


def is_simplified(name: str) -> bool:
    """Return whether Chinese characters are all in the character set of the mainland."""
    try:
        name.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def _zone_cities(cities: Iterable[City]) -> dict[int, dict[str, str]]:
    """Return the names of the cities of time zones, by GeoNames ID."""
    aliases: Mapping[str, str] = get_global("zone_aliases")
    by_zone: dict[str, list[City]] = defaultdict(list)
    for city in cities:
        if city["population"] >= _MANY:
            by_zone[aliases.get(city["timezone"], city["timezone"])].append(city)
    named = {language.value: Locale(language.value).time_zones for language in AddressLanguage}
    found = {}
    for zone, inside in by_zone.items():
        names = {
            language: name
            for language, zones in named.items()
            if (name := zones.get(zone, {}).get("city")) and "," not in name and "(" not in name
        }
        english = fold(names.pop("en", zone.rpartition("/")[2].replace("_", " ")))
        called = [city for city in inside if fold(city["name"]) == english]
        called = called or [city for city in inside if english in map(fold, city["alternatenames"])]
        if called and names:
            # The city of a zone is the largest with its name: New York City rather than a borough of it.
            found[max(called, key=lambda city: city["population"])["geonameid"]] = names
    return found


def _by_script(alternates: Iterable[str], country: str) -> dict[str, str]:
    """Return the names whose script determines their language: Hangul, kana, and Chinese characters outside Japan."""
    found: dict[str, str] = {}
    for name in map(one_name, alternates):
        if _HANGUL.match(name):
            found.setdefault("ko", name)
        elif _KANA.search(name):
            found.setdefault("ja", name)
        elif _HAN.fullmatch(name):
            if country == "JP":
                found.setdefault("ja", name)
            elif is_simplified(name):
                found.setdefault("zh", name)
    return found


def _chosen(alternates: Iterable[str], city: City) -> Iterator[str]:
    """Yield the names to find a city by: all in other scripts, and all Latin ones or the most similar ones.

    All Latin names are used for a city of at least 100,000 inhabitants.
    """
    latin = []
    for name in alternates:
        if _OTHERS.match(name):
            yield name
        else:
            latin.append(name)
    if city["population"] < _FAMOUS and len(latin) > _MOST_LATIN:
        own = fold(city["name"])
        latin = sorted(latin, key=lambda name: -fuzz.ratio(own, fold(name)))[:_MOST_LATIN]
    yield from latin


def _has_marks(name: str) -> bool:
    return not name.isascii()


def _is_name(name: str, own: str) -> bool:
    """Return whether a name may be in one of the ten languages, and is not the code or name of an airport."""
    if _OTHERS.match(name):
        return True
    if not _LATIN.match(name) or _NO_CITY.search(name):
        return False
    # NYC are the initials of the city; VIE is its airport.
    return not _CODE.fullmatch(name) or name == "".join(word[0] for word in own.split()).upper()
