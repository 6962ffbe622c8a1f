"""Names of cities in the ten languages: in CLDR, in their states' names, and by which other names they lead to.

GeoNames' package has many names of each city, and does not say of which language they are. CLDR names the cities of the
time zones, and Natural Earth the states, many of which are a city, in all ten languages; a list has further large ones.
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
"""Inhabitants from which on a locality is found by its other names, too."""

_FAMOUS: Final = 100_000
"""Inhabitants from which on all of them count."""

_MOST_LATIN: Final = 16
"""How many names in Latin letters others have besides those in other scripts, most like their own."""

_LATIN: Final = re.compile("[A-Z\u00c0-\u024f\u1e00-\u1eff]")
_OTHERS: Final = re.compile(
    "[\u0370-\u03ff\u0400-\u04ff\u0530-\u05ff\u0600-\u06ff\u0900-\u109f\u10a0-\u10ff\u1200-\u137f\u1780-\u17ff\u1f00-\u1fff"
    "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
"""How names begin in other scripts: from Greek, Hebrew and the scripts of India to Thai and those of the ten languages.

GeoNames' transliterations begin with small Latin letters.
"""

_HANGUL: Final = re.compile("[\uac00-\ud7af]")
_KANA: Final = re.compile("[\u3040-\u30ff]")
_HAN: Final = re.compile("[\u3400-\u9fff]+")
_CODE: Final = re.compile("[A-Z]{3}")
_NO_CITY: Final = re.compile(r"\b(?:Air(?:port|field)|Aeroporto?|Flughafen|Heliport)\b", re.IGNORECASE)

type City = Mapping[str, Any]
"""A city as GeoNames' package has it."""


class CityNames:
    """Names of cities by their language, as far as it is known."""

    def __init__(self, cities: Iterable[City]) -> None:
        self._zones = _zone_cities(cities)
        self._exonyms = exonyms()

    def of(self, city: City, state: Mapping[str, str] | None) -> dict[str, str]:
        """Return by which names a city is found besides its own.

        Those whose language is known are under it; the others are under ``alt1``, ``alt2``, …, which are no language:
        they lead to the city and are not shown. `state` are the names of the state that is called like the city.
        """
        if city["population"] < _MANY:
            return {}
        alternates = [name for name in city["alternatenames"] if _is_name(name, city["name"])]
        known = {fold(name) for name in alternates} if state else frozenset[str]()
        names = {language: name for language, name in (state or {}).items() if fold(name) in known}
        if city["countrycode"] != "US":
            # GeoNames' own name is the English one; only New York City is a name that nobody writes in addresses.
            names.pop("en", None)
        names |= self._exonym(city) | _by_script(alternates, city["countrycode"])
        names |= self._zones.get(city["geonameid"], {})
        names = {language: name for language, name in names.items() if name != city["name"]}
        # Of names that are found by the same letters one is enough: the one with its marks.
        others = {fold(name): name for name in sorted(_chosen(alternates, city), key=_has_marks)}
        for same in (city["name"], *names.values()):
            others.pop(fold(same), None)
        return names | {f"alt{number}": name for number, name in enumerate(others.values(), 1)}

    def _exonym(self, city: City) -> dict[str, str]:
        known = set(map(fold, city["alternatenames"]))
        listed = self._exonyms.get((city["countrycode"], city["name"]), {})
        return {language: name for language, name in listed.items() if fold(name) in known}


def one_name(name: str) -> str:
    """Return one of several names that a slash divides, in simplified signs where one is: ``纽约/紐約``."""
    parts = [part for each in name.split("/") if (part := each.strip())]
    return next((part for part in parts if is_simplified(part)), parts[0] if parts else name)


def is_simplified(name: str) -> bool:
    """Whether Chinese signs are such as are used on the mainland: those that its character set has."""
    try:
        name.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def _zone_cities(cities: Iterable[City]) -> dict[int, dict[str, str]]:
    """Return the names of the cities of time zones by GeoNames' number."""
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
            # A zone's city is the largest of its name: New York City rather than a borough of it.
            found[max(called, key=lambda city: city["population"])["geonameid"]] = names
    return found


def _by_script(alternates: Iterable[str], country: str) -> dict[str, str]:
    """Return the names whose script tells their language: Hangul, kana, and Chinese signs outside Japan."""
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
    """Yield the names to be found by: all in other scripts; of Latin ones all of a famous city, else the most alike."""
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
    """Whether a name may be one in one of the ten languages, and not the code or the name of an airport."""
    if _OTHERS.match(name):
        return True
    if not _LATIN.match(name) or _NO_CITY.search(name):
        return False
    # NYC are the initials of the city; VIE is its airport.
    return not _CODE.fullmatch(name) or name == "".join(word[0] for word in own.split()).upper()
