"""Real addresses read straight from extracts of OpenStreetMap, and the ways people write them.

What the geocoder finds is compared with these; nothing of the engine takes part in reading them.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import osmium
from osmium.filter import KeyFilter
from pyproj import Geod

EXTRACTS: Final = ("state-college", "nyc-lower", "liechtenstein")
_STATES: Final = {"state-college": "PA", "nyc-lower": "NY"}
_GEOD: Final = Geod(ellps="WGS84")
_SHORT: Final = {
    "Street": "St",
    "Avenue": "Ave",
    "Road": "Rd",
    "Drive": "Dr",
    "Lane": "Ln",
    "Place": "Pl",
    "Court": "Ct",
    "Boulevard": "Blvd",
    "Circle": "Cir",
    "Terrace": "Ter",
    "Square": "Sq",
    "Parkway": "Pkwy",
    "Highway": "Hwy",
    "North": "N",
    "South": "S",
    "East": "E",
    "West": "W",
}
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class RealAddress:
    """An address as it is tagged, at the middle of what it is tagged on. `extract` is where it is from."""

    extract: str
    number: str
    street: str
    city: str | None
    postal_code: str | None
    longitude: float
    latitude: float

    @property
    def text(self) -> tuple[str, str, str | None, str | None]:
        """Its written identity; several things may have the same."""
        return self.number, self.street, self.city, self.postal_code

    def distance_m(self, longitude: float, latitude: float) -> float:
        """Return how far away a position is."""
        return float(_GEOD.inv(self.longitude, self.latitude, longitude, latitude)[2])


def read_addresses(file: Path) -> list[RealAddress]:
    """Return all addresses of an extract that have a number and a street."""
    extract = file.name.removesuffix(".osm.pbf")
    found: list[RealAddress] = []
    for thing in osmium.FileProcessor(file).with_locations().with_filter(KeyFilter("addr:housenumber")):
        tags = thing.tags
        if "addr:street" not in tags or (middle := _middle(thing)) is None:
            continue
        place = (tags.get("addr:city"), tags.get("addr:postcode"))
        found.append(RealAddress(extract, tags["addr:housenumber"], tags["addr:street"], *place, *middle))
    return found


def _middle(thing: object) -> tuple[float, float] | None:
    if isinstance(thing, osmium.osm.Node):
        return thing.location.lon, thing.location.lat
    if not isinstance(thing, osmium.osm.Way):
        return None
    places = [node.location for node in thing.nodes if node.location.valid()]
    if not places:
        return None
    longitudes, latitudes = [place.lon for place in places], [place.lat for place in places]
    return (min(longitudes) + max(longitudes)) / 2, (min(latitudes) + max(latitudes)) / 2


def is_plain(address: RealAddress) -> bool:
    """Whether it is one address, and not several in one tag."""
    return not re.search(r"[;,]", address.number) and bool(re.match(r"\d", address.number))


def as_written(address: RealAddress) -> str:
    """Return it as it is written in its country."""
    if address.extract in _STATES:
        state = _STATES[address.extract] if address.city or address.postal_code else None
        end = " ".join(text for text in (state, address.postal_code) if text)
        return ", ".join(text for text in (f"{address.number} {address.street}", address.city, end) if text)
    end = " ".join(text for text in (address.postal_code, address.city) if text)
    return ", ".join(text for text in (f"{address.street} {address.number}", end) if text)


def variants(address: RealAddress) -> Iterator[tuple[str, str]]:
    """Yield the usual other ways to write it, each with what is done to it."""
    yield "abbreviated", as_written(replace(address, street=abbreviated(address.street)))
    yield "without city", as_written(replace(address, city=None))
    yield "swapped", _swapped(address)
    yield "upper case", as_written(address).upper()


def abbreviated(street: str) -> str:
    """Return a street with its type and direction shortened."""
    words = [_SHORT.get(word, word) for word in street.split(" ")]
    return re.sub(r"(?<=\w)(strasse|straße)\b", "str.", " ".join(words))


def _swapped(address: RealAddress) -> str:
    """Return it with the number on the other side of the street, and the city first."""
    in_states = address.extract in _STATES
    line = f"{address.street} {address.number}" if in_states else f"{address.number} {address.street}"
    return f"{address.city}, {line}" if address.city else line


def with_typo(address: RealAddress, source: random.Random) -> str:
    """Return it with one slip of the finger in the longest word of its street."""
    words = address.street.split(" ")
    at = max(range(len(words)), key=lambda index: len(words[index]))
    words[at] = slip(words[at], source)
    return as_written(replace(address, street=" ".join(words)))


def slip(word: str, source: random.Random) -> str:
    """Return a word with a letter missing, too many, wrong, or two swapped."""
    at = source.randrange(len(word))
    letter = source.choice(_LETTERS)
    kind = source.randrange(4)
    if kind == 0 and len(word) > 3:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + letter + word[at:]
    if kind == 2 and len(word) > 1:
        at = min(at, len(word) - 2)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + letter + word[at + 1 :]


NEAR_M: Final = 30.0
"""Things farther away are something else."""


class Sample:
    """Some addresses, drawn once for all by a seed, among all that could be meant by their words."""

    def __init__(self, addresses: list[RealAddress], count: int, seed: int) -> None:
        plain = [address for address in addresses if is_plain(address)]
        self.drawn = random.Random(seed).sample(plain, count)
        self._same: dict[tuple[str, str, str], list[RealAddress]] = {}
        for address in plain:
            self._same.setdefault((address.extract, address.street, address.number), []).append(address)

    def is_there(self, address: RealAddress, longitude: float, latitude: float, near_m: float = NEAR_M) -> bool:
        """Whether an address, or another that the same words mean, is at a position."""
        return any(
            other.distance_m(longitude, latitude) <= near_m
            for other in self._same[address.extract, address.street, address.number]
            if _agree(address.city, other.city) and _agree(address.postal_code, other.postal_code)
        )


def _agree(one: str | None, other: str | None) -> bool:
    """Whether two tags do not contradict each other; what is not tagged does not."""
    return one is None or other is None or one == other


def is_itself(address: RealAddress, number: str | None, street: str | None) -> bool:
    """Whether a number and a street are those of an address, but for case and spaces."""
    return _bare(number) == _bare(address.number) and _bare(street) == _bare(address.street)


def _bare(text: str | None) -> str:
    return re.sub(r"[\s.]", "", text or "").casefold()
