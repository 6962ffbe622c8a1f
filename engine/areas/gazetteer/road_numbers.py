"""Numbers of roads, such as I 8, US 95, A 1 and D 902, and the ways to write them in each country.

The prefixes are those of the tag ``ref`` as OpenStreetMap's wiki lists them by country.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from engine.areas.gazetteer.tags import Tags, split
from engine.gazetteer.rows import ROAD_NUMBER

_ROADS: Final = frozenset(
    ("motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street", "road")
)
"""Kinds of ways with a road's number; that of a path is of a route for walkers."""

_NUMBER: Final = re.compile(r"(?P<prefix>[^\W\d_]*)[\s.\-]*(?P<number>\d+[^\W\d_]?(?:[-./]\d+)?)")
_MOST: Final = 4
"""Maximum number of numbers of one road."""

_HIGHWAYS: Final = ("Highway {}", "Route {}")
_OF_STATES: Final = (*_HIGHWAYS, "State Route {}", "State Highway {}", "State Road {}", "SR {}", "SH {}")
_WITHOUT_PREFIX: Final = {"AU": _HIGHWAYS, "CA": _HIGHWAYS, "NZ": _HIGHWAYS, "US": _OF_STATES}
"""Names of roads in the countries that number them without a prefix."""

_WRITTEN: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "AD": {"CG": ("Carretera General {}",), "CS": ("Carretera Secundària {}",)},
    "AT": {
        "A": ("Autobahn {}", "Autobahn A{}"),
        "B": ("Bundesstraße {}",),
        "L": ("Landesstraße {}",),
        "S": ("Schnellstraße {}", "Schnellstraße S{}"),
    },
    "BE": {"A": ("Autoroute A{}",), "N": ("Route nationale {}", "Nationale {}", "Nationalestraat {}")},
    "BR": {"BR": ("Rodovia BR-{}",)},
    "CH": {"A": ("Autobahn {}", "Autobahn A{}", "Autoroute A{}", "Autostrada A{}")},
    "DE": {
        "A": ("Autobahn {}", "Autobahn A{}", "Bundesautobahn {}", "BAB {}"),
        "B": ("Bundesstraße {}",),
        "K": ("Kreisstraße {}",),
        "L": ("Landesstraße {}", "Landstraße {}"),
        "ST": ("Staatsstraße {}",),
    },
    "ES": {
        "A": ("Autovía A-{}", "Autopista A-{}"),
        "AP": ("Autopista AP-{}",),
        "N": ("Carretera N-{}", "Carretera Nacional {}", "Nacional {}"),
    },
    "FR": {
        "A": ("Autoroute A{}", "Autoroute {}"),
        "D": ("RD {}", "RD{}", "Route départementale {}", "Départementale {}"),
        "N": ("RN {}", "RN{}", "Route nationale {}", "Nationale {}"),
    },
    "GB": {"M": ("M{} Motorway",)},
    "IT": {
        "A": ("Autostrada A{}", "Autostrada {}"),
        "SP": ("Strada Provinciale {}", "Provinciale {}"),
        "SR": ("Strada Regionale {}",),
        "SS": ("Strada Statale {}", "Statale {}"),
    },
    "MX": {"MEX": ("Carretera Federal {}", "Carretera México {}")},
    "NL": {"A": ("Rijksweg {}", "Rijksweg A{}", "Snelweg A{}"), "N": ("Rijksweg N{}", "Provinciale weg N{}")},
    "PT": {
        "A": ("Autoestrada A{}", "Autoestrada {}"),
        "EM": ("Estrada Municipal {}",),
        "EN": ("N {}", "N{}", "Estrada Nacional {}", "Nacional {}"),
        "IC": ("Itinerário Complementar {}",),
        "IP": ("Itinerário Principal {}",),
        "M": ("EM {}", "Estrada Municipal {}"),
        "N": ("EN {}", "EN{}", "Estrada Nacional {}", "Nacional {}"),
    },
    "US": {
        "CR": ("County Road {}", "County Route {}", "County Highway {}"),
        "I": ("Interstate {}", "Interstate Highway {}", "Highway {}"),
        "US": ("US Highway {}", "US Route {}", *_HIGHWAYS),
    },
}
"""Further ways to write the numbers with a prefix, by country."""


def is_road(tags: Tags) -> bool:
    """Return whether a way is part of a road with a number."""
    return "ref" in tags and tags.get("highway") in _ROADS


def numbers_of(tags: Tags) -> tuple[str, ...]:
    """Return the numbers of a road: ``I 8;US 95`` is two. A European number follows the national ones."""
    if not is_road(tags):
        return ()
    listed = [*split(tags["ref"]), *split(tags.get("int_ref", ""))]
    return tuple(dict.fromkeys(each for each in listed if _NUMBER.fullmatch(each)))[:_MOST]


def name_of(number: str, country: str | None) -> str | None:
    """Return the number of a road without a name as its name, or None if it is a mere number elsewhere."""
    found = _NUMBER.fullmatch(number)
    if found is None or found["prefix"]:
        return number if found else None
    written = _WITHOUT_PREFIX.get(country or "")
    return written[0].format(number) if written else None


def written(numbers: Iterable[str], country: str | None) -> dict[str, str]:
    """Return the names that roads with these numbers are found by, by keys that mark them as numbers."""
    names = dict.fromkeys(name for number in numbers for name in _written(number, country))
    return {f"{ROAD_NUMBER}{at or ''}": name for at, name in enumerate(names)}


def _written(number: str, country: str | None) -> Iterator[str]:
    found = _NUMBER.fullmatch(number)
    if found is None:
        return
    prefix, digits = found["prefix"], found["number"]
    if prefix:
        yield from (f"{prefix} {digits}", f"{prefix}{digits}")
        others = _WRITTEN.get(country or "", {}).get(prefix.upper(), _OF_STATES if country == "US" else ())
    else:
        others = _WITHOUT_PREFIX.get(country or "", ())
    yield from (name.format(digits) for name in others)
