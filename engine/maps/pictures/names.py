"""The names on a map: which are shown, where, and in which size."""

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from msgspec import Struct, structs

from engine.maps.fonts import BOLD, OBLIQUE, REGULAR
from engine.maps.look import COUNTRIES_TO, COUNTRY_SIZES, HALO_PX, LOOK, Node, size_at
from engine.maps.pictures.canvas import Canvas, Color, color_of
from engine.maps.pictures.letters import Alphabet, Line, set_line
from engine.maps.pictures.outlines import outline_of, pieces_within, segments_of, stroke
from engine.maps.pictures.sheet import Drawn, Sheet
from engine.maps.pictures.view import Positions, View

_ALONG: Final = ("street_names", "waterway_names")
_BETWEEN_PX: Final = 320
"""Distance between two occurrences of the same name."""

_LEADING: Final = 1.2
_WIDEST_EM: Final = 10
_WIDEST_COUNTRY_EM: Final = 7
_SHARPEST: Final = 0.6
"""Largest angle between two letters along a line, in radians."""

_APART_PX: Final = 3


class _Name(Struct, frozen=True):
    """A name on the map and how it is written; `along` is the line that it follows, in pieces."""

    text: str
    font: str
    size: float
    color: Color
    lines: list[Positions]
    along: bool
    widest: float = _WIDEST_EM


class Names:
    """Writes names on a canvas, the most important first; a name that would cover another one is left out."""

    def __init__(self, canvas: Canvas, view: View, theme: str, alphabet: Callable[[str], Alphabet]) -> None:
        """Write on a canvas with the alphabets of fonts."""
        self._canvas, self._view = canvas, view
        self._alphabet = alphabet
        self._ink: Node = LOOK["themes"][theme]["streets"]
        self._halo = color_of(self._ink["halo"])
        self._taken: list[tuple[float, float, float, float]] = []
        self._written: dict[str, list[tuple[float, float]]] = {}

    def keep_free(self, box: tuple[float, float, float, float]) -> None:
        """Write no names into a box."""
        self._taken.append(box)

    def write_all(self, world: Sheet, streets: Sheet) -> None:
        """Write the names of countries, then those of the streets' tiles."""
        for name in self._countries(world):
            self._place(name)
        for entry in LOOK["labels"]:
            for name in self._named(streets, entry):
                self._place(name)

    def line(self, text: str, size: float, font: str = REGULAR) -> Line:
        """Return a line of text of a size in CSS pixels."""
        return set_line(self._alphabet(font), text, size * self._view.scale)

    def ink(self, rings: list[Positions], color: Color) -> None:
        """Fill letters with a halo around them."""
        closed = [np.concatenate([ring, ring[:1]]) for ring in rings]
        width, height = self._view.pixels
        around = stroke(segments_of(closed, (-99, -99, width + 99, height + 99)), 2 * HALO_PX * self._view.scale)
        self._canvas.fill(around, self._halo)
        self._canvas.fill(outline_of(rings), color)

    def _countries(self, world: Sheet) -> Iterator[_Name]:
        zoom = self._view.zoom
        if zoom >= COUNTRIES_TO:
            return
        size = size_at([list(stop) for stop in COUNTRY_SIZES], zoom, 1)
        color = color_of(self._ink["place"])
        found = sorted(world.features("countries"), key=lambda drawn: _number(drawn, "from"))
        for drawn in found:
            # The world's zooms are those of MapLibre.
            if zoom - 1 >= _number(drawn, "from"):
                text = str(drawn.properties.get("name", ""))
                yield _Name(text, BOLD, size, color, drawn.parts, along=False, widest=_WIDEST_COUNTRY_EM)

    def _named(self, streets: Sheet, entry: Node) -> Iterator[_Name]:
        zoom = self._view.zoom
        first: float = entry["from"] if "from" in entry else LOOK["detailFrom"]
        last: float = entry.get("to", zoom)
        if not first <= zoom < last + 1:
            return
        size, font = size_at(entry["size"], zoom, 1), OBLIQUE if entry.get("italic") else REGULAR
        found = list(streets.features(entry["layer"], entry["kinds"]))
        if entry["layer"] == "places":
            found.sort(key=lambda drawn: -_number(drawn, "population"))
        color = color_of(self._ink[entry["ink"]])
        for drawn in found:
            if entry["layer"] != "area_names" or _number(drawn, "from") <= zoom:
                text = str(drawn.properties.get("name", ""))
                yield _Name(text, font, size, color, drawn.parts, entry["layer"] in _ALONG)

    def _place(self, name: _Name) -> None:
        text = self._alphabet(name.font).drawable(name.text)
        if not text:
            return
        name = structs.replace(name, text=text)
        width, height = self._view.pixels
        for part in name.lines:
            if name.along:
                for piece in pieces_within(part, (0, 0, width, height)):
                    self._place_along(name, piece)
            elif len(part):
                self._place_at(name, *part[0].tolist())

    def _place_at(self, name: _Name, x: float, y: float) -> None:
        rows = self._wrapped(name)
        if not rows or not rows[0].length:
            return
        size = name.size * self._view.scale
        width, height = max(row.length for row in rows), size * (1 + _LEADING * (len(rows) - 1))
        if not self._take(name, (x, y), [(x - width / 2, y - height / 2, x + width / 2, y + height / 2)]):
            return
        top = y - size * _LEADING * (len(rows) - 1) / 2
        rings = [ring for at, row in enumerate(rows) for ring in row.straight(x, top + at * size * _LEADING)]
        self.ink(rings, name.color)

    def _wrapped(self, name: _Name) -> list[Line]:
        """Return the rows of a name, at most `widest` wide where its words allow."""
        widest = name.widest * name.size * self._view.scale
        rows: list[Line] = []
        words = ""
        for word in name.text.split():
            longer = f"{words} {word}".strip()
            if words and self.line(longer, name.size, name.font).length > widest:
                rows.append(self.line(words, name.size, name.font))
                longer = word
            words = longer
        return [*rows, self.line(words, name.size, name.font)]

    def _place_along(self, name: _Name, path: Positions) -> None:
        steps = np.diff(path, axis=0)
        along = np.concatenate([[0], np.cumsum(np.hypot(steps[:, 0], steps[:, 1]))])
        total = float(along[-1])
        line = self.line(name.text, name.size, name.font)
        if not line.length or total < line.length:
            return
        # From the middle outwards, so that the name is where most of the street is.
        room = (total - line.length) / 2
        every = line.length / 2
        offsets = np.arange(0, room + 1e-6, every)
        for offset in (0.0, *(sign * at for at in offsets[1:].tolist() for sign in (1, -1))):
            self._try_along(name, line, path, along, total / 2 + offset)

    def _try_along(self, name: _Name, line: Line, path: Positions, along: Positions, middle: float) -> None:
        places, angles = _letters_along(path, along, line.middles + middle - line.length / 2)
        if abs(angles[0]) > np.pi / 2 or (np.cos(angles).sum() < 0):
            # Readable from below: the other way round.
            places, angles = _letters_along(path, along, middle + line.length / 2 - line.middles, back=True)
        if np.abs(np.diff(np.unwrap(angles))).max(initial=0) > _SHARPEST:
            return
        size = name.size * self._view.scale / 2
        boxes = [(x - size, y - size, x + size, y + size) for x, y in places.tolist()]
        x, y = places[len(places) // 2].tolist()
        if self._take(name, (x, y), boxes):
            self.ink(line.turned(places, angles), name.color)

    def _take(self, name: _Name, at: tuple[float, float], boxes: list[tuple[float, float, float, float]]) -> bool:
        """Take the place of a name; False if it is not free, or the same name is near."""
        scale = self._view.scale
        width, height = self._view.pixels
        if any(west < 0 or north < 0 or east > width or south > height for west, north, east, south in boxes):
            # A name that would be cut off. Maps that can be moved show it, a picture need not.
            return False
        near = _BETWEEN_PX * scale
        others = self._written.get(name.text, ())
        if any(abs(x - at[0]) < near and abs(y - at[1]) < near for x, y in others):
            return False
        if self._taken:
            taken = np.array(self._taken)
            wanted = np.array(boxes) + np.array([-1, -1, 1, 1]) * _APART_PX * scale
            for west, north, east, south in wanted.tolist():
                free = (taken[:, 0] >= east) | (taken[:, 2] <= west) | (taken[:, 1] >= south) | (taken[:, 3] <= north)
                if not free.all():
                    return False
        self._taken += boxes
        self._written.setdefault(name.text, []).append(at)
        return True


def _letters_along(
    path: Positions, along: Positions, at: Positions, *, back: bool = False
) -> tuple[Positions, Positions]:
    """Return the places and angles of letters at distances along a path, or along the reversed path."""
    places = np.stack([np.interp(at, along, path[:, 0]), np.interp(at, along, path[:, 1])], axis=1)
    # The angle of a letter is that of the path around it, so that corners turn gradually.
    reach = 4.0
    low, high = np.clip(at - reach, 0, along[-1]), np.clip(at + reach, 0, along[-1])
    step = [np.interp(high, along, path[:, axis]) - np.interp(low, along, path[:, axis]) for axis in (0, 1)]
    angles = np.arctan2(step[1], step[0])
    return places, angles + np.pi if back else angles


def _number(drawn: Drawn, key: str) -> float:
    value = drawn.properties.get(key, 0)
    return float(value) if isinstance(value, int | float) else 0.0
