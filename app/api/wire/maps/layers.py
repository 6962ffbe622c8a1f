"""Conversion of the look, which the window's map uses as well, to layers of MapLibre."""

from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from engine.maps.fonts import BOLD, OBLIQUE, REGULAR
from engine.maps.look import COUNTRIES_TO, COUNTRY_SIZES, GROWTH, HALO_PX, LOOK, Node

_CLOSER: Final = 1
"""Zoom offset: MapLibre's tiles have 512 pixels, so the same scale is one zoom level less than in the look."""

_ALONG: Final = ("street_names", "waterway_names")
_ARROWS_FROM: Final = 15


def layers_of(theme: str) -> list[Node]:
    """Return the layers of a style from bottom to top."""
    colors = LOOK["themes"][theme]
    ink = colors["streets"]
    painted = chain(LOOK["ground"], LOOK["paths"])
    drawn = [
        *_world(colors),
        *(_painted(entry, ink, f"below-{at}") for at, entry in enumerate(painted)),
        *_roads(ink),
        *(_painted(entry, ink, f"above-{at}") for at, entry in enumerate(LOOK["rails"])),
        _arrows(),
    ]
    # MapLibre places the names of the last layer first.
    named = [_named(entry, ink, f"names-{at}") for at, entry in enumerate(LOOK["labels"])]
    return [*drawn, *reversed(named), _countries(ink)]


def _world(colors: Node) -> Iterator[Node]:
    """Yield sea, land, coasts and borders, and above them the boxes of areas, which have a finer coast."""
    world = LOOK["world"]
    far, near, from_zoom = world["width"]["far"], world["width"]["near"], world["nearFrom"] - _CLOSER
    detail = LOOK["detailFrom"] - _CLOSER
    width = ["step", ["zoom"], far, from_zoom, near]
    dash = [length / near for length in world["borderDash"]]
    yield {"id": "sea", "type": "background", "paint": {"background-color": colors["sea"]}}
    yield _layer("land", "fill", "world", "land", {"fill-color": colors["land"], "fill-antialias": False})
    yield _layer("coast", "line", "world", "coast", {"line-color": colors["coast"], "line-width": width})
    border = {"line-color": colors["border"], "line-width": width}
    yield _layer("borders", "line", "world", "borders", border) | {"maxzoom": from_zoom}
    dashed = border | {"line-dasharray": dash}
    yield _layer("borders-near", "line", "world", "borders", dashed) | {"minzoom": from_zoom}
    edge = {"line-color": colors["areaEdge"], "line-width": 1, "line-dasharray": world["areaDash"]}
    yield {"id": "area-edges", "type": "line", "source": "areas", "minzoom": detail, "paint": edge}
    fill = {"fill-color": colors["land"], "fill-antialias": False}
    yield {"id": "areas", "type": "fill", "source": "areas", "minzoom": detail, "paint": fill}


def _layer(name: str, kind: str, source: str, part: str, paint: Node) -> Node:
    return {"id": name, "type": kind, "source": source, "source-layer": part, "paint": paint}


def _painted(entry: Node, ink: Node, name: str) -> Node:
    """Return the layer of polygons or lines."""
    if "fill" in entry:
        paint: Node = {"fill-color": ink[entry["fill"]]}
        if "edge" in entry:
            paint["fill-outline-color"] = ink[entry["edge"]]
        layer = _layer(f"{name}-{entry['layer']}", "fill", "streets", entry["layer"], paint)
    else:
        width = entry["width"]
        paint = {"line-color": ink[entry["line"]], "line-width": _by_zoom(width, entry.get("base", GROWTH))}
        if "dash" in entry:
            # The look has pixels, whereas MapLibre takes multiples of the line's width.
            typical = width if isinstance(width, int | float) else sum(value for _, value in width) / len(width)
            paint["line-dasharray"] = [round(length / typical, 2) for length in entry["dash"]]
        if "tunnelOpacity" in entry:
            paint["line-opacity"] = _in_tunnels(entry["tunnelOpacity"])
        layer = _layer(f"{name}-{entry['layer']}", "line", "streets", entry["layer"], paint)
        layer["layout"] = {"line-join": "round"}
    return layer | {"minzoom": _first_zoom(entry)} | _of_kinds(entry)


def _first_zoom(entry: Node) -> float:
    first: float = entry["from"] if "from" in entry else LOOK["detailFrom"]
    return first - _CLOSER


def _of_kinds(entry: Node) -> Node:
    return {"filter": _is_kind(entry["kinds"])} if "kinds" in entry else {}


def _is_kind(kinds: list[str]) -> list[Any]:
    return ["in", ["get", "kind"], ["literal", kinds]]


def _in_tunnels(opacity: float) -> list[Any]:
    return ["case", ["boolean", ["get", "tunnel"], False], opacity, 1]


def _by_zoom(value: Any, base: float) -> Any:
    """Return a value interpolated by zoom; a constant value is returned unchanged."""
    if isinstance(value, int | float):
        return value
    return _interpolated([(zoom, size) for zoom, size in value], base)


def _interpolated(stops: list[tuple[float, Any]], base: float) -> list[Any]:
    flat = chain.from_iterable((zoom - _CLOSER, value) for zoom, value in stops)
    return ["interpolate", ["exponential", base], ["zoom"], *flat]


def _roads(ink: Node) -> Iterator[Node]:
    """Yield the edges of all roads, then all road bodies above them, so that roads join at crossings."""
    roads = LOOK["roads"]
    edges = roads["edges"]
    for road in roads["kinds"]:
        if not road.get("edgeless"):
            more = [(zoom, edges["far"] if zoom < edges["nearFrom"] else edges["near"]) for zoom, _ in road["width"]]
            layer = _road(road, "edge", ink[edges["line"]], [wider for _, wider in more], "butt")
            yield layer | {"minzoom": max(edges["from"], road["from"]) - _CLOSER}
    for road in roads["kinds"]:
        layer = _road(road, "body", ink[road["line"]], [0] * len(road["width"]), "round")
        yield layer | {"minzoom": road["from"] - _CLOSER}


def _road(road: Node, part: str, color: str, wider: list[float], cap: str) -> Node:
    roads = LOOK["roads"]
    is_link = ["boolean", ["get", "link"], False]
    stops = [
        (zoom, ["case", is_link, round(width * roads["linkShare"], 3) + more, width + more])
        for (zoom, width), more in zip(road["width"], wider, strict=True)
    ]
    paint = {
        "line-color": color,
        "line-width": _interpolated(stops, GROWTH),
        "line-opacity": _in_tunnels(roads["tunnelOpacity"]),
    }
    layer = _layer(f"{part}-{road['kinds'][-1]}", "line", "streets", "roads", paint)
    return layer | {"layout": {"line-join": "round", "line-cap": cap}} | _of_kinds(road)


def _arrows() -> Node:
    """Return the layer of arrows along one-way roads."""
    layer = _layer("oneway", "symbol", "streets", "roads", {"icon-opacity": 0.8})
    layout = {
        "symbol-placement": "line",
        "symbol-spacing": 160,
        "icon-image": "oneway",
        "icon-rotate": ["case", ["==", ["get", "oneway"], "-1"], 180, 0],
        "icon-padding": 4,
    }
    return layer | {"minzoom": _ARROWS_FROM, "filter": ["has", "oneway"], "layout": layout}


def _named(entry: Node, ink: Node, name: str) -> Node:
    """Return the layer with names of places and areas, or with names along streets and rivers."""
    layout: Node = {
        "text-field": ["get", "name"],
        "text-font": [OBLIQUE if entry.get("italic") else REGULAR],
        "text-size": _by_zoom(entry["size"], 1),
    }
    if entry["layer"] in _ALONG:
        layout |= {"symbol-placement": "line", "symbol-spacing": 320}
    if entry["layer"] == "places":
        layout["symbol-sort-key"] = ["-", 0, ["coalesce", ["get", "population"], 0]]
    layer = _layer(f"{name}-{entry['layer']}", "symbol", "streets", entry["layer"], _written(ink, entry["ink"]))
    is_kind = _is_kind(entry["kinds"])
    if entry["layer"] == "area_names":
        is_kind = ["all", is_kind, [">=", ["+", ["zoom"], _CLOSER], ["get", "from"]]]
    last = {"maxzoom": entry["to"]} if "to" in entry else {}
    first = _first_zoom(entry)
    return layer | {"layout": layout, "filter": is_kind, "minzoom": first} | last


def _countries(ink: Node) -> Node:
    layer = _layer("countries", "symbol", "world", "countries", _written(ink, "place"))
    layout = {
        "text-field": ["get", "name"],
        "text-font": [BOLD],
        "text-size": _interpolated(list(COUNTRY_SIZES), 1),
        "text-max-width": 7,
        "symbol-sort-key": ["get", "from"],
    }
    large_enough = [">=", ["zoom"], ["get", "from"]]
    return layer | {"layout": layout, "filter": large_enough, "maxzoom": COUNTRIES_TO - _CLOSER}


def _written(ink: Node, color: str) -> Node:
    return {"text-color": ink[color], "text-halo-color": ink["halo"], "text-halo-width": HALO_PX}
