"""GET /maps/…: the resources that MapLibre, and the vendor's plugin for it, need to show our own map."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import orjson

from app.api.http.content import A_DAY, NOTHING, Content, WholeFile
from app.api.v1.operations import Call, Media, Routes
from app.api.wire.maps.marker import draw_marker
from app.api.wire.maps.picture import PictureQuery, picture_of
from app.api.wire.maps.requests import MapQuery, StyleQuery
from app.api.wire.maps.style import STREETS, THEMES, WORLD, encode_style
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter, NotFound
from engine.maps.glyphs import IN_RANGE
from engine.maps.tile import TilePlace

JSON: Final = "application/json"
PNG: Final = "image/png"
SVG: Final = "image/svg+xml"
TILE: Final = "application/vnd.mapbox-vector-tile"
LETTERS: Final = "application/x-protobuf"
ARCHIVE: Final = "application/vnd.pmtiles"
SPRITES: Final = Path(__file__).parents[3] / "resources" / "map" / "sprites"

_SPRITE: Final = re.compile(r"(light|dark)(@2x)?")
_RANGE: Final = re.compile(r"(\d{1,5})-(\d{1,5})", re.ASCII)
_WHOLE: Final = re.compile(r"\d{1,9}", re.ASCII)


routes = Routes(KeyLevel.PUBLISHABLE)


@routes(
    "GET",
    "/maps/tiles/{source}/{z}/{x}/{y}.mvt",
    name="readMapTile",
    summary="Get a vector tile of the streets or the world",
    answer=Media(TILE, empty=True),
)
async def tile(call: Call[MapQuery, None]) -> Content:
    """Return a tile of the areas in use, or of the world."""
    maps = call.services.engine.maps
    sources = {STREETS: maps.streets.tile, WORLD: maps.world.tile}
    source = sources.get(name := call.path["source"])
    if source is None:
        raise NotFound("source", f"source: there are no tiles {name!r}; there is {', '.join(sources)}.")
    place = TilePlace(*(_whole(call.path, param) for param in ("z", "x", "y")))
    found = await call.services.tiles.run(lambda: source(place))
    return NOTHING if found is None else Content(found.packed, TILE, found.tag, packed=True)


@routes("GET", "/maps/styles/{style}", name="readMapStyle", summary="Get a MapLibre style", answer=Media(JSON))
async def style(call: Call[StyleQuery, None]) -> Content:
    """Return a style."""
    theme = THEMES.get(name := call.path["style"])
    if theme is None:
        raise NotFound("style", f"style: there is no style {name!r}; there is {', '.join(THEMES)}.")
    areas = await call.services.run(call.services.engine.maps.areas_in_use)
    return Content(orjson.dumps(encode_style(theme, areas, call.origin, call.query.publishable_key)), JSON)


@routes(
    "GET",
    "/maps/glyphs/{fontstack}/{range}.pbf",
    name="readMapGlyphs",
    summary="Get a range of glyphs",
    answer=Media(LETTERS),
)
async def letters(call: Call[MapQuery, None]) -> Content:
    """Return a range of the glyphs of a font."""
    span = _RANGE.fullmatch(written := call.path["range"])
    if span is None or int(span[2]) - int(span[1]) != IN_RANGE - 1:
        raise InvalidParameter("range", f"range: must be like 0-255, not {written!r}.")
    glyphs = call.services.engine.maps.glyphs
    drawn = await call.services.tiles.run(lambda: glyphs.letters(call.path["fontstack"], int(span[1])))
    return Content(drawn, LETTERS, packed=True, kept=A_DAY)


@routes(
    "GET",
    "/maps/sprites/{sprite}.json",
    name="readMapSpriteIndex",
    summary="Get the index of a sprite",
    answer=Media(JSON),
)
async def sprite_index(call: Call[MapQuery, None]) -> Content:
    """Return the positions of the icons in the sprite image."""
    return await _sprite(call, "json", JSON)


@routes(
    "GET", "/maps/sprites/{sprite}.png", name="readMapSprite", summary="Get the image of a sprite", answer=Media(PNG)
)
async def sprite_picture(call: Call[MapQuery, None]) -> Content:
    """Return the sprite image."""
    return await _sprite(call, "png", PNG)


@routes("GET", "/maps/static", name="readMapPicture", summary="Get a picture of the map", answer=Media(PNG))
async def picture(call: Call[PictureQuery, None]) -> Content:
    """Return a picture, drawn while no other one is."""
    wanted = picture_of(call.query)
    draw = call.services.engine.maps.pictures.draw
    return Content(await call.services.pictures.run(lambda: draw(wanted)), PNG)


@routes("GET", "/maps/markers/{name}", name="readMapMarker", summary="Get a marker", answer=Media(SVG))
async def marker(call: Call[MapQuery, None]) -> Content:
    """Return a marker."""
    return Content(draw_marker(call.path["name"]), SVG, kept=A_DAY)


async def _sprite(call: Call[MapQuery, None], suffix: str, kind: str) -> Content:
    name = call.path["sprite"]
    if _SPRITE.fullmatch(name) is None:
        raise NotFound("sprite", f"sprite: must be light, dark, light@2x or dark@2x, not {name!r}.")
    return Content(await call.services.run((SPRITES / f"{name}.{suffix}").read_bytes), kind, kept=A_DAY)


@routes(
    "GET",
    "/maps/areas/{area}.pmtiles",
    name="readMapArea",
    summary="Get all street tiles of an area as PMTiles",
    answer=Media(ARCHIVE, ranges=True),
)
async def archive(call: Call[MapQuery, None]) -> WholeFile:
    """Return the file with all tiles of an area in use."""
    areas = await call.services.run(call.services.engine.maps.areas_in_use)
    wanted = call.path["area"]
    file = next((area.basemap for area in areas if area.name == wanted), None)
    if file is None:
        raise NotFound("area", f"area: no area {wanted!r} with a street map is in use.")
    return WholeFile(file, ARCHIVE, "area")


def _whole(path: Mapping[str, str], param: str) -> int:
    if _WHOLE.fullmatch(path[param]) is None:
        raise InvalidParameter(param, f"{param}: must be a whole number, not {path[param]!r}.")
    return int(path[param])
