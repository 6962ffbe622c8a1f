"""Real addresses read directly from OpenStreetMap extracts, and the ways people write them.

The geocoder's results are compared with these; reading them does not use the engine.
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
_STATES: Final = {"state-college": "PA", "nyc-lower": "NY", "queens": "NY", "yuma": "AZ", "vancouver": "BC"}
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
    """An address as tagged, at the centre of the tagged object; `extract` is its source."""

    extract: str
    number: str
    street: str
    city: str | None
    postal_code: str | None
    longitude: float
    latitude: float
    reach_m: float = 0.0
    """Distance from the centre to the corners of the tagged object's box."""

    @property
    def text(self) -> tuple[str, str, str | None, str | None]:
        """Written identity, which several objects may share."""
        return self.number, self.street, self.city, self.postal_code

    def distance_m(self, longitude: float, latitude: float) -> float:
        """Return the distance to a position."""
        return float(_GEOD.inv(self.longitude, self.latitude, longitude, latitude)[2])


def read_addresses(file: Path) -> list[RealAddress]:
    """Return all addresses of an extract that have a number and a street."""
    extract = file.name.removesuffix(".osm.pbf")
    found: list[RealAddress] = []
    for element in osmium.FileProcessor(file).with_locations().with_filter(KeyFilter("addr:housenumber")):
        tags = element.tags
        if "addr:street" not in tags or (middle := _middle(element)) is None:
            continue
        place = (tags.get("addr:city"), tags.get("addr:postcode"))
        address = RealAddress(extract, tags["addr:housenumber"], tags["addr:street"], *place, *middle)
        found.append(replace(address, reach_m=_reach_m(element, address)))
    return found


def _reach_m(element: object, address: RealAddress) -> float:
    if not isinstance(element, osmium.osm.Way):
        return 0.0
    return max(address.distance_m(node.lon, node.lat) for node in element.nodes if node.location.valid())


def _middle(element: object) -> tuple[float, float] | None:
    if isinstance(element, osmium.osm.Node):
        return element.location.lon, element.location.lat
    if not isinstance(element, osmium.osm.Way):
        return None
    places = [node.location for node in element.nodes if node.location.valid()]
    if not places:
        return None
    longitudes, latitudes = [place.lon for place in places], [place.lat for place in places]
    return (min(longitudes) + max(longitudes)) / 2, (min(latitudes) + max(latitudes)) / 2


def is_plain(address: RealAddress) -> bool:
    """Return whether it is a single address rather than several in one tag."""
    return not re.search(r"[;,]", address.number) and bool(re.match(r"\d", address.number))


def as_written(address: RealAddress) -> str:
    """Return it in the format of its country."""
    if address.extract in _STATES:
        state = _STATES[address.extract] if address.city or address.postal_code else None
        end = " ".join(text for text in (state, address.postal_code) if text)
        return ", ".join(text for text in (f"{address.number} {address.street}", address.city, end) if text)
    end = " ".join(text for text in (address.postal_code, address.city) if text)
    return ", ".join(text for text in (f"{address.street} {address.number}", end) if text)


def variants(address: RealAddress) -> Iterator[tuple[str, str]]:
    """Yield the other usual ways to write it, each with a description of the change."""
    yield "abbreviated", as_written(replace(address, street=abbreviated(address.street)))
    yield "without city", as_written(replace(address, city=None))
    yield "swapped", _swapped(address)
    yield "upper case", as_written(address).upper()


def abbreviated(street: str) -> str:
    """Return a street with its type and direction abbreviated."""
    words = [_SHORT.get(word, word) for word in street.split(" ")]
    return re.sub(r"(?<=\w)(strasse|straße)\b", "str.", " ".join(words))


def _swapped(address: RealAddress) -> str:
    """Return it with the number on the other side of the street, and the city first."""
    in_states = address.extract in _STATES
    line = f"{address.street} {address.number}" if in_states else f"{address.number} {address.street}"
    return f"{address.city}, {line}" if address.city else line


def with_typo(address: RealAddress, source: random.Random) -> str:
    """Return it with one typing error in the longest word of its street."""
    words = address.street.split(" ")
    at = max(range(len(words)), key=lambda index: len(words[index]))
    words[at] = slip(words[at], source)
    return as_written(replace(address, street=" ".join(words)))


def slip(word: str, source: random.Random) -> str:
    """Return a word with a missing, extra, wrong or swapped letter."""
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
"""Maximum distance in metres of a matching result."""


class Sample:
    """A fixed random sample of addresses, among all addresses with the same words."""

    def __init__(self, addresses: list[RealAddress], count: int, seed: int) -> None:
        plain = [address for address in addresses if is_plain(address)]
        self.drawn = random.Random(seed).sample(plain, min(count, len(plain)))
        self._same: dict[tuple[str, str, str], list[RealAddress]] = {}
        for address in plain:
            self._same.setdefault((address.extract, address.street, address.number), []).append(address)

    def is_there(self, address: RealAddress, longitude: float, latitude: float, near_m: float = NEAR_M) -> bool:
        """Return whether an address, or another with the same words, is at a position."""
        return any(
            other.distance_m(longitude, latitude) <= max(near_m, other.reach_m)
            for other in self._same[address.extract, address.street, address.number]
            if _agree(address.city, other.city) and _agree(address.postal_code, other.postal_code)
        )


def _agree(one: str | None, other: str | None) -> bool:
    """Return whether two tags do not contradict each other; a missing tag never does."""
    return one is None or other is None or one == other


def is_itself(address: RealAddress, number: str | None, street: str | None) -> bool:
    """Return whether a number and a street are those of an address, ignoring case and spaces."""
    return _bare(number) == _bare(address.number) and _bare(street) == _bare(address.street)


def _bare(text: str | None) -> str:
    return re.sub(r"[\s.]", "", text or "").casefold()


# Errors: an address with a wrong part, or with additions

SLIPPED: Final = ("andorra", "heidelberg", "liechtenstein", "monaco", "nyc-lower", "porto", "state-college")
"""Extracts of different countries and notations."""

_CITIES: Final = {"nyc-lower": "New York", "monaco": "Monaco"}
"""City of the addresses whose tags name none."""

_SUBURBS: Final = {"borough", "suburb", "quarter", "neighbourhood"}
_SUBURB_WITHIN_M: Final = 3_000.0
_BUILDING_WITHIN_M: Final = 300.0
_OTHER_STATES: Final = ("OH", "Texas", "CA", "New Jersey")
_UNITS: Final = {
    "unit": ("Apt 4B", "Suite 200", "#12", "Unit 3"),
    "floor": ("Fl 20", "20th Floor", "Floor 3", "3rd Fl"),
    "unit without a number": ("Penthouse", "PH", "Basement"),
    "department or lot": ("Dept 4", "Lot 4", "Bldg 2 Apt 4"),
}


@dataclass(frozen=True, slots=True)
class Named:
    """A named object at a position."""

    name: str
    longitude: float
    latitude: float


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The surroundings of an extract's addresses: its suburbs and its named buildings."""

    suburbs: tuple[Named, ...]
    buildings: tuple[Named, ...]


def read_surroundings(file: Path) -> Surroundings:
    """Return the suburbs and the named buildings of an extract."""
    suburbs: list[Named] = []
    buildings: list[Named] = []
    for element in osmium.FileProcessor(file).with_locations().with_filter(KeyFilter("name")):
        tags = element.tags
        is_suburb, is_building = tags.get("place") in _SUBURBS, "building" in tags
        if (is_suburb or is_building) and (middle := _middle(element)) is not None:
            (suburbs if is_suburb else buildings).append(Named(tags["name"], *middle))
    return Surroundings(tuple(suburbs), tuple(buildings))


@dataclass(frozen=True, slots=True)
class Slip:
    """A text with an error: its kind, the text, and whether the text is untrue, so that no result is exact.

    `means` is the address as far as the text gives it: without its postal code, another one with the same words also
    fits.
    """

    kind: str
    text: str
    is_untrue: bool
    means: RealAddress


def slips(address: RealAddress, around: Surroundings, source: random.Random) -> Iterator[Slip]:
    """Yield an address with a wrong, missing or additional part."""
    tagged = address
    address = replace(address, city=address.city or _CITIES.get(address.extract))
    if address.postal_code and address.city and re.search(r"\d", address.postal_code):
        slipped = replace(address, postal_code=_wrong_digit(address.postal_code, source))
        yield Slip("wrong digit in the postal code", as_written(slipped), True, tagged)
        yield Slip("wrong digit, no city", as_written(replace(slipped, city=None)), True, tagged)
    yield from _state_slips(address, source, tagged)
    if (suburb := _nearest(address, around.suburbs, _SUBURB_WITHIN_M)) is not None and suburb != address.city:
        yield Slip("suburb instead of the city", as_written(replace(address, city=suburb)), False, tagged)
        yield Slip("suburb, no postal code", as_written(replace(address, city=suburb, postal_code=None)), False, tagged)
    for kind, units in _UNITS.items():
        yield Slip(kind, _with_unit(address, source.choice(units)), False, tagged)
    yield Slip("care of", _with_care_of(address, source), False, tagged)
    if (building := _nearest(address, around.buildings, _BUILDING_WITHIN_M)) is not None:
        yield Slip("building before the address", f"{building}, {as_written(address)}", False, tagged)


def _wrong_digit(code: str, source: random.Random) -> str:
    at = source.choice([index for index, char in enumerate(code) if char.isdigit()])
    other = source.choice([digit for digit in "0123456789" if digit != code[at]])
    return code[:at] + other + code[at + 1 :]


def _state_slips(address: RealAddress, source: random.Random, tagged: RealAddress) -> Iterator[Slip]:
    if (state := _STATES.get(address.extract)) is None or not address.city:
        return
    line = f"{address.number} {address.street}, {address.city}"
    end = f" {address.postal_code}" if address.postal_code else ""
    yield Slip("wrong state", f"{line}, {source.choice(_OTHER_STATES)}{end}", True, tagged)
    yield Slip("no state", f"{line},{end}".rstrip(","), False, tagged)
    if end:
        yield Slip("no postal code", f"{line}, {state}", False, replace(tagged, postal_code=None))


def _nearest(address: RealAddress, candidates: tuple[Named, ...], within_m: float) -> str | None:
    about = (each for each in candidates if _is_about(address, each))
    near = ((address.distance_m(each.longitude, each.latitude), each.name) for each in about)
    away_m, name = min(near, default=(within_m, ""))
    return name if away_m < within_m else None


def _is_about(address: RealAddress, candidate: Named) -> bool:
    return abs(address.longitude - candidate.longitude) < 0.05 and abs(address.latitude - candidate.latitude) < 0.05


def _with_unit(address: RealAddress, unit: str) -> str:
    line, *others = as_written(address).split(", ")
    return ", ".join((f"{line} {unit}", *others))


def _with_care_of(address: RealAddress, source: random.Random) -> str:
    whom = source.choice(("c/o Maria Weber", "c/o J. Smith", "Attn: A. Costa", "c/o Acme Ltd"))
    return f"{whom}, {as_written(address)}"
