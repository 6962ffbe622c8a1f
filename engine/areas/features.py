"""Features of an extract on the basemap: conversion of OpenStreetMap tags to a layer, a kind, and a minimum zoom.

docs/areas.md describes the result for map styles.
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

type Tags = Mapping[str, str]
"""Tags of an object. Only the relevant ones are read, because osmium's tags are slow to list."""

type Value = str | int | bool

MAX_ZOOM: Final = 14


class Feature(Struct, frozen=True):
    """The representation of an object on the map."""

    layer: str
    kind: str
    min_zoom: int
    properties: Mapping[str, Value] = field(default_factory=dict)


_ROADS: Final = {
    "motorway": ("motorway", 5),
    "trunk": ("trunk", 6),
    "primary": ("primary", 8),
    "secondary": ("secondary", 10),
    "tertiary": ("tertiary", 11),
    "unclassified": ("minor", 12),
    "residential": ("minor", 12),
    "living_street": ("minor", 12),
    "road": ("minor", 12),
    "busway": ("service", 13),
    "service": ("service", 13),
    "pedestrian": ("pedestrian", 13),
    "track": ("track", 13),
    "cycleway": ("cycleway", 13),
    "footway": ("path", 14),
    "path": ("path", 14),
    "bridleway": ("path", 14),
    "steps": ("steps", 14),
}
_RAILWAYS: Final = {
    "rail": 8,
    "light_rail": 11,
    "subway": 11,
    "tram": 12,
    "narrow_gauge": 11,
    "funicular": 12,
    "monorail": 12,
}
_WATERWAYS: Final = {"river": 8, "canal": 10, "stream": 12, "drain": 14, "ditch": 14}
_WATER: Final = {
    ("natural", "water"): "water",
    ("waterway", "riverbank"): "water",
    ("waterway", "dock"): "water",
    ("landuse", "reservoir"): "water",
    ("landuse", "basin"): "water",
    ("leisure", "swimming_pool"): "pool",
}
_LAND: Final = {
    ("natural", "wood"): "forest",
    ("landuse", "forest"): "forest",
    ("natural", "scrub"): "scrub",
    ("natural", "heath"): "scrub",
    ("natural", "grassland"): "grass",
    ("landuse", "grass"): "grass",
    ("landuse", "meadow"): "grass",
    ("landuse", "village_green"): "grass",
    ("landuse", "recreation_ground"): "park",
    ("leisure", "park"): "park",
    ("leisure", "garden"): "park",
    ("leisure", "playground"): "park",
    ("leisure", "golf_course"): "park",
    ("leisure", "pitch"): "pitch",
    ("leisure", "stadium"): "pitch",
    ("landuse", "cemetery"): "cemetery",
    ("landuse", "allotments"): "farmland",
    ("landuse", "farmland"): "farmland",
    ("landuse", "orchard"): "farmland",
    ("landuse", "vineyard"): "farmland",
    ("natural", "wetland"): "wetland",
    ("natural", "sand"): "sand",
    ("natural", "beach"): "sand",
    ("natural", "bare_rock"): "rock",
    ("natural", "scree"): "rock",
    ("natural", "glacier"): "glacier",
    ("landuse", "residential"): "residential",
    ("landuse", "industrial"): "industrial",
    ("landuse", "commercial"): "commercial",
    ("landuse", "retail"): "commercial",
    ("amenity", "school"): "school",
    ("amenity", "university"): "school",
    ("amenity", "college"): "school",
    ("amenity", "hospital"): "hospital",
    ("amenity", "parking"): "parking",
    ("aeroway", "aerodrome"): "airport",
    ("highway", "pedestrian"): "pedestrian",
    ("place", "square"): "pedestrian",
}
_ORDER: Final = {pair: rank for rank, pair in enumerate((*_WATER, *_LAND))}
_GROUND_KEYS: Final = tuple(dict.fromkeys(key for key, _ in _ORDER))
_LAND_FROM: Final = {"forest": 8, "glacier": 8, "farmland": 10, "residential": 10, "parking": 14, "pedestrian": 13}
_PLACES: Final = {
    "city": 5,
    "town": 8,
    "island": 9,
    "village": 10,
    "suburb": 11,
    "quarter": 12,
    "neighbourhood": 13,
    "hamlet": 12,
    "isolated_dwelling": 13,
    "islet": 13,
}
_BOUNDARIES: Final = {"2": ("country", 4), "4": ("region", 6)}

POINT_KEYS: Final = ("place",)
"""Keys of nodes on the map."""

LINE_KEYS: Final = ("highway", "railway", "waterway", "aeroway", "route", "boundary", "natural")
"""Keys of ways that are lines on the map, including shores."""

AREA_KEYS: Final = ("building", "natural", "waterway", "landuse", "leisure", "amenity", "aeroway", "highway", "place")
"""Keys of objects that are areas on the map."""


def point_feature(tags: Tags) -> Feature | None:
    """Return the feature of a named place, or None."""
    kind = tags.get("place", "")
    if kind not in _PLACES or "name" not in tags:
        return None
    population = tags.get("population", "")
    known = {"population": int(population)} if population.isascii() and population.isdigit() else {}
    return Feature("places", kind, _PLACES[kind], _named(tags) | known)


def line_feature(tags: Tags) -> Feature | None:
    """Return the feature of a road, runway, ferry, railway, waterway or border, or None; areas are excluded."""
    if tags.get("area") == "yes":
        return None
    if (highway := tags.get("highway")) is not None:
        return _road(highway, tags)
    if (railway := tags.get("railway", "")) in _RAILWAYS:
        from_zoom = 13 if "service" in tags else _RAILWAYS[railway]
        return Feature("railways", railway, from_zoom, _named(tags) | _structure(tags))
    if (waterway := tags.get("waterway", "")) in _WATERWAYS:
        return Feature("waterways", waterway, _WATERWAYS[waterway], _named(tags) | _structure(tags))
    if (aeroway := tags.get("aeroway", "")) in ("runway", "taxiway"):
        return Feature("roads", aeroway, 11, _named(tags))
    if tags.get("route") == "ferry":
        return Feature("roads", "ferry", 8, _named(tags))
    if tags.get("boundary") == "administrative" and (level := tags.get("admin_level", "")) in _BOUNDARIES:
        return Feature("boundaries", *_BOUNDARIES[level])
    return None


def area_feature(tags: Tags) -> Feature | None:
    """Return the feature of a building, water area or land use, or None."""
    if tags.get("building", "no") != "no":
        return Feature("buildings", "building", 13, _named(tags))
    if (water := _first_of(_WATER, tags)) is not None:
        return Feature("water", water, 8 if water == "water" else MAX_ZOOM, _named(tags))
    if (land := _first_of(_LAND, tags)) is not None:
        return Feature("land", land, _LAND_FROM.get(land, 11), _named(tags))
    return None


def _first_of(kinds: Mapping[tuple[str, str], str], tags: Tags) -> str | None:
    """Return the first kind that matches an area's tags; a street only counts if it is tagged as an area."""
    pairs = ((key, tags.get(key)) for key in _GROUND_KEYS)
    known = [(key, value) for key, value in pairs if value is not None and (key, value) in kinds]
    if not known:
        return None
    candidates = known if tags.get("area") == "yes" else [pair for pair in known if pair[0] != "highway"]
    return kinds[min(candidates, key=_ORDER.__getitem__)] if candidates else None


def _road(highway: str, tags: Tags) -> Feature | None:
    main, link, _ = highway.partition("_link")
    if main not in _ROADS:
        return None
    kind, from_zoom = _ROADS[main]
    properties = _named(tags) | _structure(tags)
    if link:
        properties["link"] = True
    if tags.get("oneway") in ("yes", "-1"):
        properties["oneway"] = tags["oneway"]
    return Feature("roads", kind, from_zoom, properties)


def _named(tags: Tags) -> dict[str, Value]:
    return {key: tags[key] for key in ("name", "ref") if key in tags}


def _structure(tags: Tags) -> dict[str, Value]:
    return {key: True for key in ("bridge", "tunnel") if tags.get(key, "no") not in ("no", "")}
