"""The world in the format of the window's map: shapes cut to tiles, with all positions in one array."""

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
"""Zoom of the tiles of each atlas. The window cuts tiles of higher zooms itself."""

MARGIN: Final = 8 / 256
"""How far a tile extends into its neighbours, so that no line ends at its edge."""


def world_inputs(detail: Detail) -> bytes:
    """Return the inputs of a packed world: the code that packs it, and the atlas if it exists."""
    files = Path(__file__), Path(world_atlas.__file__), ATLAS / f"countries-{detail}.json"
    return b"".join(file.read_bytes() for file in files if file.exists())


class _Packer:
    """Collects the positions of many shapes in sequence."""

    def __init__(self) -> None:
        self._places: list[Places] = []

    def lengths(self, shapes: Iterable[Places]) -> list[int]:
        """Add shapes and return the number of positions of each."""
        added = [shape for shape in shapes if len(shape)]
        self._places += added
        return [len(shape) for shape in added]

    def packed(self) -> bytes:
        """Return all positions as pairs of 32-bit floats. Their error is at most 2 m, that of the atlas 100 m."""
        return np.concatenate(self._places, dtype="<f4", casting="same_kind").tobytes()


def pack_world(detail: Detail, language: str = "en") -> bytes:
    """Return an atlas: the length of an index (4 bytes, little endian), the index as JSON, and the positions.

    The index has the number of positions of each ring and line, in their order: the countries first, then the tiles.
    The countries have names in the given language. Raises `NotFound` if the atlas has not been built.
    """
    atlas, packer, names = Atlas(detail), _Packer(), _country_names(language)
    countries = []
    for code, name, rings in atlas.outlines():
        # A second shape with the code of a country is a small, distant part of it.
        countries.append([names.pop(code, name), packer.lengths(rings)])
    trees = {"land": atlas.land, "coast": atlas.coast, "borders": atlas.borders}
    tiles = []
    for x, y in product(range(2 ** LEVELS[detail]), repeat=2):
        parts = {name: packer.lengths(_cut(tree, _box(LEVELS[detail], x, y))) for name, tree in trees.items()}
        if any(parts.values()):
            tiles.append([f"{LEVELS[detail]}/{x}/{y}", parts])
    index = orjson.dumps({"countries": countries, "tiles": tiles})
    # The floats must be aligned to their size.
    index += b" " * (-len(index) % 4)
    return len(index).to_bytes(4, "little") + index + packer.packed()


def _country_names(language: str) -> dict[str, str]:
    """Return names of countries by their numeric ISO codes, or nothing for English, which the atlas has."""
    if language == "en":
        return {}
    from babel import Locale
    from babel.core import get_global

    called = Locale(language).territories
    # CLDR lists the numeric codes as aliases of the alphabetic ones.
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
