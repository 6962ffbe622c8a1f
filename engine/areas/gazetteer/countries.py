"""The divisions of an extract: countries, states, counties, localities, boroughs, neighborhoods, postal codes.

A settlement often occurs twice, as a boundary and as a node in its middle; these are merged.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import shapely
from msgspec import Struct, field

from engine.areas.gazetteer.clipped_boundaries import Spot, close_boundary
from engine.areas.gazetteer.reading import Boundary, Findings, TaggedObject
from engine.areas.gazetteer.tags import Tags, is_city, layer_of, name_in, names_of, population_of
from engine.domain.addresses.address import Layer
from engine.domain.area import Bounds, halves
from engine.gazetteer.rows import DivisionLayer
from engine.gazetteer.text import fold

_LOCAL_SHARE: Final = 0.1
_SAMPLE: Final = 40
"""Maximum number of addresses used to find the inside of a boundary."""

_LEAST_TAGGED: Final = 3
"""Minimum number of addresses whose city or state determines the inside of a boundary before others are known."""


class AdminDivision(Struct, kw_only=True, eq=False):
    """A division to be written; `number` is its number once written.

    `country` is the code of the country if known. `city` is true if people write it as the city of an address, and
    `clipped` if only a part of it is in the extract. `size` is the value of ``place``.
    """

    layer: DivisionLayer
    name: str
    spot: Spot
    names: Mapping[str, str] = field(default_factory=dict)
    shape: Any = None
    osm: str | None = None
    code: str | None = None
    country: str | None = None
    population: int = 0
    city: bool = True
    clipped: bool = False
    size: str = ""
    level: str = ""
    number: int | None = None

    def known_as(self) -> frozenset[str]:
        """Return all its names, folded."""
        return _folded(self.name, *self.names.values())


@lru_cache(maxsize=1 << 18)
def _folded(name: str, *others: str) -> frozenset[str]:
    """Return folded names; cached since each division is compared repeatedly, and the world has over 100,000."""
    return frozenset(filter(None, map(fold, (name, *(part for each in others for part in each.split(";"))))))


class Around(NamedTuple):
    """The divisions around something; equal surroundings share one instance."""

    country: AdminDivision | None = None
    state: AdminDivision | None = None
    county: AdminDivision | None = None
    city: AdminDivision | None = None
    borough: AdminDivision | None = None
    neighborhood: AdminDivision | None = None


class Countries:
    """Countries by position, as ISO alpha-2: from outlines, else the most frequent country of the extract's tags."""

    def __init__(self, findings: Findings, bounds: Bounds, outlines: Iterable[AdminDivision]) -> None:
        self._outlines = [division for division in outlines if division.layer == Layer.COUNTRY]
        for found in findings.settlements.values():
            code = found.tags.get("ISO3166-1:alpha2") or found.tags.get("ISO3166-1")
            if found.tags.get("admin_level") == "2" and code and found.shape is not None:
                shape = shapely.from_wkb(found.shape)
                self._outlines.insert(0, _division(found.tags, Layer.COUNTRY, found.spot, shape, found.osm))
        west, south, east, north = halves(bounds)[0]
        middle = ((west + east) / 2, (south + north) / 2)
        self.usual = _usual_country(findings)
        self.usual = self.usual or self.at(middle)
        self.languages = _local_languages(findings)

    def at(self, spot: Spot) -> str | None:
        """Return the country at a position."""
        for division in self._outlines:
            if shapely.contains_xy(division.shape, *spot):
                return division.code
        return self.usual


def _local_languages(findings: Findings) -> frozenset[str]:
    """Return the languages of street signs, if streets have names in several languages."""
    written = Counter(key[5:] for street in findings.streets for key in street.tags if key.startswith("name:"))
    often = len(findings.streets) * _LOCAL_SHARE
    return frozenset(language for language, count in written.items() if count > often and len(language) == 2)


def _usual_country(findings: Findings) -> str | None:
    votes = Counter(address.country.upper() for address in findings.addresses.values() if len(address.country) == 2)
    if not votes:
        codes = (boundary.tags.get("ISO3166-2", "") for boundary in findings.boundaries.values())
        votes.update(code[:2] for code in codes if code[2:3] == "-")
    return votes.most_common(1)[0][0] if votes else None


def divisions_in(findings: Findings, bounds: Bounds, countries: Countries) -> list[AdminDivision]:
    """Return the divisions of an extract."""
    whole = [
        division for found in findings.settlements.values() if (division := _settlement(found, countries)) is not None
    ]
    nodes = {division.osm: division for division in whole if division.shape is None}
    divisions = [division for division in whole if division.shape is not None]
    divisions += _clipped_divisions(findings, bounds, countries, nodes, divisions)
    return [*divisions, *_without_areas(nodes.values(), divisions, findings)]


def _settlement(found: TaggedObject, countries: Countries) -> AdminDivision | None:
    layer = layer_of(found.tags, countries.at(found.spot))
    if layer is None or (layer == Layer.COUNTRY and found.shape is None):
        return None
    shape = shapely.from_wkb(found.shape) if found.shape is not None else None
    return _division(found.tags, layer, found.spot, shape, found.osm, countries.languages)


def _division(
    tags: Tags, layer: DivisionLayer, spot: Spot, shape: Any, osm: str, languages: Container[str] = ()
) -> AdminDivision:
    name = name_in(tags) or ""
    if layer == Layer.POSTAL_CODE:
        name = tags.get("postal_code") or name.split()[0]
    return AdminDivision(
        layer=layer,
        name=name,
        spot=spot,
        names=names_of(tags, languages),
        shape=shape,
        osm=osm,
        code=_code(tags, layer),
        country=tags["ISO3166-2"][:2] if "ISO3166-2" in tags else None,
        population=population_of(tags),
        city=is_city(tags),
        size=tags.get("place", ""),
        level=tags.get("admin_level", ""),
    )


def _code(tags: Tags, layer: DivisionLayer) -> str | None:
    if layer == Layer.COUNTRY:
        return tags.get("ISO3166-1:alpha2") or tags.get("ISO3166-1")
    if layer == Layer.STATE:
        return tags.get("ISO3166-2", "").partition("-")[2] or tags.get("ref")
    return None


def _without_areas(
    nodes: Iterable[AdminDivision], divisions: list[AdminDivision], findings: Findings
) -> Iterator[AdminDivision]:
    """Yield the nodes that match no area; the data of the other nodes is merged into their area."""
    by_name: dict[str, list[AdminDivision]] = defaultdict(list)
    labelled: dict[str, AdminDivision] = {}
    for division in divisions:
        boundary = findings.boundaries.get(division.osm or "")
        labelled |= {f"n{number}": division for number in (boundary.labels if boundary is not None else ())}
        for name in division.known_as():
            by_name[name].append(division)
    for node in nodes:
        known = (labelled.get(node.osm or ""), *by_name[fold(node.name)])
        area = next((division for division in known if division is not None and _is_same(node, division)), None)
        if area is None:
            yield node
        else:
            _merge(area, node, is_label=node.osm in labelled)


def _is_same(node: AdminDivision, area: AdminDivision) -> bool:
    """Return whether a settlement's node may represent an area that has one of its names."""
    return node.layer == area.layer and bool(shapely.contains_xy(area.shape, *node.spot))


def _merge(area: AdminDivision, node: AdminDivision, *, is_label: bool) -> None:
    if is_label and fold(area.name) != fold(node.name):
        # The city of "City of New York" is New York.
        area.names = {"official": area.name, **area.names}
        area.name = node.name
    area.names = {**node.names, **area.names}
    area.spot, area.size = node.spot, node.size or area.size
    area.population = max(area.population, node.population)


def _clipped_divisions(
    findings: Findings,
    bounds: Bounds,
    countries: Countries,
    nodes: Mapping[str | None, AdminDivision],
    whole: list[AdminDivision],
) -> list[AdminDivision]:
    """Return the boundaries that the extract contains in part, if their inside can be determined."""
    pending = {
        key: boundary
        for key, boundary in findings.boundaries.items()
        if key not in findings.settlements and boundary.lines and layer_of(boundary.tags, countries.usual) is not None
    }
    tagged = _tagged_spots(findings)
    closed: dict[str, AdminDivision] = {}
    # The boundaries that only a few addresses determine come last, since these may name a town across the line.
    for often in ({name: spots for name, spots in tagged.items() if len(spots) >= _LEAST_TAGGED}, tagged):
        progress = True
        while progress:
            known = {division.osm: division for division in (*whole, *closed.values())}
            found = {key: _close(each, bounds, countries, nodes, often, known) for key, each in pending.items()}
            new = {key: division for key, division in found.items() if division is not None}
            for key, division in new.items():
                division.osm = key
                del pending[key]
            closed |= new
            progress = bool(new)
    return list(closed.values())


def _close(
    boundary: Boundary,
    bounds: Bounds,
    countries: Countries,
    nodes: Mapping[str | None, AdminDivision],
    tagged: Mapping[str, list[Spot]],
    known: Mapping[str | None, AdminDivision],
) -> AdminDivision | None:
    layer = layer_of(boundary.tags, countries.usual)
    assert layer is not None
    division = _division(boundary.tags, layer, (0.0, 0.0), None, "", countries.languages)
    inside = _spots_inside(division, boundary, nodes, tagged) or [
        known[part].spot for part in boundary.parts if part in known
    ]
    outside = [
        each.spot for each in known.values() if each.level == division.level and each.layer == layer and division.level
    ]
    division.shape = close_boundary(boundary.lines, bounds, inside, [] if inside else outside)
    if division.shape is None:
        return None
    longitude, latitude = shapely.get_coordinates(shapely.point_on_surface(division.shape))[0].tolist()
    division.spot, division.clipped = (longitude, latitude), True
    return division


def _spots_inside(
    division: AdminDivision,
    boundary: Boundary,
    nodes: Mapping[str | None, AdminDivision],
    tagged: Mapping[str, list[Spot]],
) -> list[Spot]:
    """Return positions inside a boundary: its labels and centres, else settlements or addresses with its name."""
    labels = (nodes.get(f"n{number}") for number in (*boundary.labels, *boundary.centres))
    if inside := [node.spot for node in labels if node is not None]:
        return inside
    names = division.known_as() | ({f"state {division.code}".lower()} if division.layer == Layer.STATE else set())
    called = [node.spot for node in nodes.values() if node.layer == division.layer and fold(node.name) in names]
    return called or [spot for name in sorted(names) for spot in tagged.get(name, ())]


def _tagged_spots(findings: Findings) -> dict[str, list[Spot]]:
    """Return the positions of addresses by the folded name of their city, and by their state, as ``state pa``."""
    spots: dict[str, list[Spot]] = defaultdict(list)
    folded: dict[str, str] = {}
    for address in findings.addresses.values():
        city = folded.get(address.city) or folded.setdefault(address.city, fold(address.city))
        for name in filter(None, (city, f"state {address.state.lower()}" if address.state else "")):
            if len(spots[name]) < _SAMPLE:
                spots[name].append(address.spot)
    return spots
