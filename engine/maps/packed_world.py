"""The world as the window's map reads it: shapes cut to tiles, all their positions in one array."""

from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Final

import numpy as np
import orjson
import shapely

from engine.maps import world_atlas
from engine.maps.world_atlas import ATLAS, Atlas, Detail, Places

LEVELS: Final[dict[Detail, int]] = {"50m": 0, "10m": 3}
"""For each atlas, the zoom of its tiles. The window cuts those of higher zooms itself."""

MARGIN: Final = 8 / 256
"""How much of its neighbours a tile has as well, so that no line ends at its edge."""


def world_inputs(detail: Detail) -> bytes:
    """Return what a packed world depends on: the code that packs it, and the atlas if it is there."""
    files = Path(__file__), Path(world_atlas.__file__), ATLAS / f"countries-{detail}.json"
    return b"".join(file.read_bytes() for file in files if file.exists())


class _Packer:
    """Positions of many shapes, one behind the other."""

    def __init__(self) -> None:
        self._places: list[Places] = []

    def lengths(self, shapes: Iterable[Places]) -> list[int]:
        """Add shapes; return how many positions each has."""
        added = [shape for shape in shapes if len(shape)]
        self._places += added
        return [len(shape) for shape in added]

    def packed(self) -> bytes:
        """Return all positions as pairs of 32-bit floats: at most 2 m off, where the atlas itself is by 100."""
        return np.concatenate(self._places, dtype="<f4", casting="same_kind").tobytes()


def pack_world(detail: Detail, language: str = "en") -> bytes:
    """Return an atlas: the length of an index (4 bytes, little endian), the index as JSON, and the positions.

    The index has how many positions each ring and line has, in the order in which they follow one another: those of
    the countries, then those of the tiles. The countries have the names of a language. Raises `NotFound` where the
    atlas has not been built.
    """
    atlas, packer, names = Atlas(detail), _Packer(), _country_names(language)
    countries = []
    for code, name, rings in atlas.outlines():
        # What has the code of a country that came before is a small part of it, far off.
        countries.append([names.pop(code, name), packer.lengths(rings)])
    trees = {"land": atlas.land, "coast": atlas.coast, "borders": atlas.borders}
    tiles = []
    for x, y in product(range(2 ** LEVELS[detail]), repeat=2):
        parts = {name: packer.lengths(_cut(tree, _box(LEVELS[detail], x, y))) for name, tree in trees.items()}
        if any(parts.values()):
            tiles.append([f"{LEVELS[detail]}/{x}/{y}", parts])
    index = orjson.dumps({"countries": countries, "tiles": tiles})
    # The floats have to begin at a multiple of their size.
    index += b" " * (-len(index) % 4)
    return len(index).to_bytes(4, "little") + index + packer.packed()


def _country_names(language: str) -> dict[str, str]:
    """Return names of countries by their numeric ISO codes; none in English, in which the atlas has them."""
    if language == "en":
        return {}
    from babel import Locale
    from babel.core import get_global

    called = Locale(language).territories
    # CLDR knows the numbers as other codes of the letters.
    codes = {number: letters[0] for number, letters in get_global("territory_aliases").items() if number.isdecimal()}
    return {number: called[code] for number, code in codes.items() if code in called}


def _box(level: int, x: int, y: int) -> tuple[float, float, float, float]:
    size = 2.0**-level
    return (x - MARGIN) * size, (y - MARGIN) * size, (x + 1 + MARGIN) * size, (y + 1 + MARGIN) * size


def _cut(tree: shapely.STRtree, box: tuple[float, float, float, float]) -> Sequence[Places]:
    """Return the rings and lines of shapes within a box."""
    parts = shapely.get_parts(shapely.clip_by_rect(tree.geometries[tree.query(shapely.box(*box))], *box))
    is_area = shapely.get_type_id(parts) == shapely.GeometryType.POLYGON
    is_line = shapely.get_type_id(parts) == shapely.GeometryType.LINESTRING
    lines = np.concatenate([shapely.get_rings(parts[is_area]), parts[is_line]])
    if not len(lines):
        return []
    return np.split(shapely.get_coordinates(lines), np.cumsum(shapely.get_num_coordinates(lines))[:-1])
