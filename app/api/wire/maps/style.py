"""Styles of MapLibre: the URLs of a map's tiles, glyphs and sprites, and the layers that draw them."""

from collections.abc import Sequence
from typing import Any, Final, Literal
from urllib.parse import quote

from app.api.http.admission import QUERY_KEY
from app.api.wire.maps.layers import layers_of
from engine.domain.area import Area, halves
from engine.maps.look import LOOK
from engine.maps.pictures.picture import FIRST_STREETS, LAST_STREETS, LAST_WORLD

type Theme = Literal["light", "dark"]
type Node = dict[str, Any]

THEMES: Final[dict[str, Theme]] = {
    "light": "light",
    "dark": "dark",
    "radar-default-v1": "light",
    "radar-light-v1": "light",
    "radar-dark-v1": "dark",
}
"""Themes by the style names that clients request."""

STREETS, WORLD = "streets", "world"


def encode_style(theme: Theme, areas: Sequence[Area], origin: str, key: str | None) -> Node:
    """Return a style; its URLs begin with `origin` and include the `key` if the style was requested with one."""
    query = f"?{QUERY_KEY}={quote(key, safe='')}" if key else ""
    base = f"{origin}/maps"
    return {
        "version": 8,
        "name": f"Fencewright {theme}",
        "sources": {
            WORLD: _tiles(base, WORLD, query, 0, LAST_WORLD),
            STREETS: _tiles(base, STREETS, query, FIRST_STREETS, LAST_STREETS),
            "areas": {"type": "geojson", "data": _boxes(areas)},
        },
        "sprite": f"{base}/sprites/{theme}{query}",
        "glyphs": f"{base}/glyphs/{{fontstack}}/{{range}}.pbf{query}",
        "layers": layers_of(theme),
    }


def _tiles(base: str, source: str, query: str, first: int, last: int) -> Node:
    return {
        "type": "vector",
        "tiles": [f"{base}/tiles/{source}/{{z}}/{{x}}/{{y}}.mvt{query}"],
        "minzoom": first,
        "maxzoom": last,
        "attribution": LOOK["attribution"][source],
    }


def _boxes(areas: Sequence[Area]) -> Node:
    """Return the boxes in which streets are drawn, since their coast is finer than the world's."""
    features = [
        {"type": "Feature", "properties": {"name": area.name}, "geometry": _box(*box)}
        for area in areas
        if area.basemap is not None
        for box in halves(area.bounds)
    ]
    return {"type": "FeatureCollection", "features": features}


def _box(west: float, south: float, east: float, north: float) -> Node:
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "Polygon", "coordinates": [ring]}
