"""Drawing a picture of the map."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from threading import Lock
from typing import Final

from msgspec import Struct

from engine.domain.area import Area
from engine.maps.look import LOOK
from engine.maps.pictures.canvas import Canvas, color_of
from engine.maps.pictures.ground import Painter
from engine.maps.pictures.letters import Alphabet
from engine.maps.pictures.names import Names
from engine.maps.pictures.overlays import Credits, Marker, Path, credits_of, draw_marker, draw_path
from engine.maps.pictures.png import encode_png
from engine.maps.pictures.sheet import TileSource, sheet_of
from engine.maps.pictures.view import View

FIRST_STREETS, LAST_STREETS, LAST_WORLD = 4, 14, 8

_MAX_KEPT: Final = 32 * 1024 * 1024
"""Bytes of pictures to keep."""


class Picture(Struct, frozen=True):
    """A picture of the map: what it shows, its theme, and the markers and paths on it."""

    view: View
    theme: str
    markers: tuple[Marker, ...] = ()
    paths: tuple[Path, ...] = ()


class Pictures:
    """Draws pictures, one at a time, and keeps the last ones while the areas stay the same."""

    def __init__(self, areas: Callable[[], tuple[Area, ...]], streets: TileSource, world: TileSource) -> None:
        """Draw the areas that `areas` returns, from two sources of tiles."""
        self._areas, self._streets, self._world = areas, streets, world
        self._alphabet = cache(Alphabet)
        self._lock = Lock()
        self._kept: OrderedDict[tuple[Picture, object], bytes] = OrderedDict()

    def draw(self, picture: Picture) -> bytes:
        """Return a picture as PNG. Raises `NotFound` if the web assets have not been built."""
        with self._lock:
            areas = [area for area in self._areas() if area.basemap is not None]
            key = (picture, tuple((area.bounds, _state(area)) for area in areas))
            drawn = self._kept.pop(key, None)
            if drawn is None:
                drawn = self._draw(picture, areas)
            self._kept[key] = drawn
            while sum(map(len, self._kept.values())) > _MAX_KEPT and len(self._kept) > 1:
                self._kept.popitem(last=False)
            return drawn

    def _draw(self, picture: Picture, areas: Sequence[Area]) -> bytes:
        view, theme = picture.view, picture.theme
        canvas = Canvas(*view.pixels, color_of(LOOK["themes"][theme]["sea"]))
        painter, names = Painter(canvas, view, theme), Names(canvas, view, theme, self._alphabet)
        world = sheet_of(view, self._world, 0, LAST_WORLD)
        streets = sheet_of(view, self._streets, FIRST_STREETS, LAST_STREETS)
        painter.world(world, [area.bounds for area in areas])
        painter.streets(streets)
        credit = Credits(names, view, credits_of(has_streets=not streets.is_empty))
        names.keep_free(credit.box)
        names.write_all(world, streets)
        for path in picture.paths:
            draw_path(canvas, view, path)
        # Markers farther south are in front.
        for marker in sorted(picture.markers, key=lambda marker: -marker.latitude):
            draw_marker(canvas, view, marker)
        credit.draw(canvas, theme)
        return encode_png(canvas.pixels)


def _state(area: Area) -> object:
    """Return the time, size and inode of the file with an area's tiles, or None without one."""
    try:
        found = area.basemap.stat() if area.basemap is not None else None
    except OSError:
        return None
    return None if found is None else (found.st_mtime_ns, found.st_size, found.st_ino)
