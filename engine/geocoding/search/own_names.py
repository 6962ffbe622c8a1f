"""Names of countries, and of the cities of time zones, in the languages spoken there: Polska, Ελλάδα, Αθήνα.

The world pack has the names of countries in ten languages. Unicode CLDR has them in every language, and also the cities
that time zones are named after. English has further names for some countries that neither of them lists.
"""

import pickle
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from babel.core import get_global
from babel.languages import get_official_languages
from babel.localedata import locale_identifiers, resolve_locale_filename
from msgspec import Struct

from engine.domain.addresses.address import AddressLanguage, ForwardQuery, Layer
from engine.gazetteer.text import fold
from engine.geocoding.search.candidates import Finder
from engine.geocoding.search.entries import Entry
from engine.geocoding.search.matching import Match, query_words
from engine.geocoding.search.ranking import RANK_SHARE, RankedEntry, wanted

_ALSO: Final = {
    "AE": ("UAE", "Emirates"),
    "BA": ("Bosnia",),
    "BO": ("Plurinational State of Bolivia",),
    "CD": ("DRC", "DR Congo", "Democratic Republic of the Congo", "Zaire"),
    "CG": ("Republic of the Congo",),
    "CI": ("Ivory Coast", "Republic of Côte d'Ivoire"),
    "CN": ("People's Republic of China", "PRC"),
    "CV": ("Cabo Verde",),
    "CZ": ("Czech Republic", "Česká republika"),
    "DE": ("Federal Republic of Germany",),
    "DO": ("Dominican Rep",),
    "FM": ("Federated States of Micronesia",),
    "FR": ("French Republic",),
    "GB": ("Great Britain", "Britain"),
    "GM": ("The Gambia",),
    "GR": ("Hellas", "Hellenic Republic"),
    "IE": ("Republic of Ireland",),
    "IR": ("Persia", "Islamic Republic of Iran"),
    "KP": ("DPRK",),
    "KR": ("Republic of Korea", "ROK"),
    "LA": ("Lao People's Democratic Republic",),
    "LK": ("Ceylon",),
    "MK": ("Macedonia", "FYROM"),
    "MM": ("Burma",),
    "NL": ("Holland", "The Netherlands"),
    "PS": ("Palestine", "State of Palestine"),
    "RU": ("Russian Federation",),
    "SY": ("Syrian Arab Republic",),
    "SZ": ("Swaziland",),
    "TL": ("East Timor",),
    "TR": ("Turkey", "Turkiye"),
    "TW": ("Republic of China",),
    "TZ": ("United Republic of Tanzania",),
    "US": ("USA", "America", "United States of America"),
    "VA": ("Vatican", "Holy See"),
    "VN": ("Viet Nam",),
}
"""Names that are common in English but missing from CLDR."""

_NO_COUNTRIES: Final = frozenset({"EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"})
"""Codes of CLDR for groups of countries and for unknown ones."""

_SAME_CITY_RANK: Final = 0.6
"""Rank of a locality of some thousand inhabitants, the smallest that a time zone may be named after."""

_LOOKED_AT: Final = 20
_CODE: Final = 2
"""Length of the code of a country or state."""

_DIGIT: Final = re.compile(r"\d")


class OwnName(Struct, frozen=True):
    """The meaning of a name: a country by its code, or one of its cities by its English name.

    `city` is None for the country itself.
    """

    country: str
    city: str | None = None


def named(world: Finder, query: ForwardQuery) -> Iterator[RankedEntry]:
    """Yield the country and the city whose own name is the whole query."""
    text = fold(query.text)
    for own in _meanings(text):
        for entry in _entries(world, own):
            if wanted(entry, query.layers, query.countries):
                match = Match(1.0, True, True, 1.0)
                words = query_words(text.split())
                yield RankedEntry(entry, match, 1.0 + RANK_SHARE * entry.rank, None, True, words)


def with_code(world: Finder, text: str) -> str:
    """Return a query with the code of its country instead of a name that the pack does not have.

    ``Warszawa, Polska`` is read as ``Warszawa, PL``.
    """
    before, comma, last = text.rpartition(",")
    name = fold(last) if comma else ""
    country = next((own.country for own in _meanings(name) if own.city is None), None)
    if country is None or _is_known(world, country, name):
        return text
    return f"{before}, {country}"


def _meanings(name: str) -> tuple[OwnName, ...]:
    """Return the meanings of a folded name; addresses and codes are not looked up."""
    is_code = name.isascii() and len(name) <= _CODE
    return () if is_code or _DIGIT.search(name) is not None else own_names().get(name, ())


def _is_known(world: Finder, country: str, name: str) -> bool:
    entries = _entries(world, OwnName(country))
    return any(name in map(fold, (entry.name, *entry.names.values())) for entry in entries)


def _entries(world: Finder, own: OwnName) -> list[Entry]:
    """Return the country, or the largest city with the English name."""
    if own.city is None:
        rows = world.gazetteer.rows(
            "SELECT d.id FROM divisions v JOIN documents d ON d.kind = 'division' AND d.ref = v.id"
            " WHERE v.layer = 'country' AND v.code = ?",
            own.country,
        )
        return world.entries([number for (number,) in rows])
    words = query_words((*fold(own.city).split(), own.country.lower()))
    english = fold(own.city)
    for entry in world.entries(world.all_of(words, _LOOKED_AT, frozenset({"division"}))):
        if entry.layer is Layer.LOCALITY and entry.context.country_code == own.country:
            called = (entry.name, entry.name.removesuffix(" City"), *entry.names.values())
            if entry.rank >= _SAME_CITY_RANK and english in map(fold, called):
                return [entry]
    return []


@cache
def own_names() -> Mapping[str, tuple[OwnName, ...]]:
    """Return the meanings of each folded name."""
    found: dict[str, dict[OwnName, None]] = {}
    for name, own in (*_other_names(), *_local_names()):
        found.setdefault(fold(name), {})[own] = None
    return {name: tuple(owns) for name, owns in found.items() if name}


@cache
def country_names() -> Mapping[str, frozenset[str]]:
    """Return the names of each country by its code, in the languages of addresses."""
    found: dict[str, set[str]] = {code: set(names) for code, names in _ALSO.items()}
    for language in AddressLanguage:
        for code, name in _locale(language)["territories"].items():
            if len(code) == _CODE and code not in _NO_COUNTRIES:
                found.setdefault(code, set()).add(name)
    return {code: frozenset(names) for code, names in found.items()}


def _other_names() -> Iterator[tuple[str, OwnName]]:
    for code, names in _ALSO.items():
        yield from ((name, OwnName(code)) for name in names)


def _local_names() -> Iterator[tuple[str, OwnName]]:
    """Yield names of countries and cities in the languages of the country, in each script of these languages."""
    english = _locale("en")["territories"]
    zones: Mapping[str, str] = get_global("zone_territories")
    in_country: dict[str, list[str]] = {}
    for zone, country in zones.items():
        in_country.setdefault(country, []).append(zone)
    for language, countries in sorted(_spoken().items()):
        for locale in _scripts().get(language, ()):
            data = _locale(locale)
            for country in countries:
                if country in english and (name := data.get("territories", {}).get(country)):
                    yield name, OwnName(country)
                for zone in in_country.get(country, ()):
                    if city := data.get("time_zones", {}).get(zone, {}).get("city"):
                        yield city, OwnName(country, _english_city(zone))


def _english_city(zone: str) -> str:
    called = _zones_in_english().get(zone, {}).get("city")
    return str(called or zone.rpartition("/")[2].replace("_", " "))


@cache
def _zones_in_english() -> Mapping[str, Mapping[str, Any]]:
    zones: Mapping[str, Mapping[str, Any]] = _locale("en").get("time_zones", {})
    return zones


def _spoken() -> dict[str, list[str]]:
    """Return the countries in which each language is official, nationwide or in a region."""
    spoken: dict[str, list[str]] = {}
    for country in _locale("en")["territories"]:
        if len(country) == 2:
            for language in get_official_languages(country, regional=True, de_facto=True):
                spoken.setdefault(language.partition("_")[0], []).append(country)
    return spoken


@cache
def _scripts() -> Mapping[str, tuple[str, ...]]:
    """Return the locales of each language: its own and those of other scripts, without regional ones."""
    found: dict[str, list[str]] = {}
    for locale in locale_identifiers():
        language, _, script = locale.partition("_")
        if not script or (len(script) == 4 and script.isalpha()):
            found.setdefault(language, []).append(locale)
    return {language: tuple(sorted(locales)) for language, locales in found.items()}


def _locale(name: str) -> Mapping[str, Any]:
    # Babel's own reader keeps every locale in memory permanently.
    data: Mapping[str, Any] = pickle.loads(Path(resolve_locale_filename(name)).read_bytes())
    return data
