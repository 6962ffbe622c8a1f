"""Examples of the map of the bundled area."""

from typing import Final

from tests.app.api.examples.example import STATION_AT, STORE_AT, Example, near

MAPS: Final = (
    Example(
        "readMapTile",
        "The centre of Helsinki",
        path={"source": "streets", "z": "14", "x": "9327", "y": "4742"},
    ),
    Example("readMapStyle", "Light", path={"style": "radar-light-v1"}),
    Example("readMapGlyphs", "Latin letters", path={"fontstack": "DejaVu Sans Condensed", "range": "0-255"}),
    Example("readMapSpriteIndex", "Light", path={"sprite": "light"}),
    Example("readMapSprite", "Light", path={"sprite": "light"}),
    Example(
        "readMapPicture",
        "The way to the store",
        query={
            "width": 400,
            "height": 300,
            "zoom": 15,
            "center": near((60.1702, 24.9446)),
            "scale": 2,
            "style": "radar-light-v1",
            "markers": [f"color:red|{near(STORE_AT)}"],
            "path": [f"stroke:0x2563eb|width:4|{near(STATION_AT)}|{near(STORE_AT)}"],
        },
    ),
    Example("readMapMarker", "Red", path={"name": "red"}),
    Example("readMapArea", "The bundled area", path={"area": "helsinki"}, headers={"Range": "bytes=0-126"}),
)
