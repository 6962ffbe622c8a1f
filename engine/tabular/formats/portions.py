"""Portions of the features of a GeoPackage or Shapefile that are read at once, by the size of their geometries."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.tabular.formats.source import FileFormat

if TYPE_CHECKING:
    import numpy as np

PORTION_BYTES: Final = 4 * 1024**2
MAX_PORTION: Final = 10_000
_SHX_HEADER: Final = 100

type Sizes = "np.ndarray"


def portions(rows: int, most: int, sizes: Sizes | None) -> Iterator[tuple[int, int]]:
    """Yield the first feature and the number of features of each portion; a file without features has one portion.

    A geometry that is larger than a portion has a portion of its own.
    """
    ends = None if sizes is None else sizes.cumsum()
    first = 0
    while first < max(rows, 1):
        count = most
        if ends is not None:
            before = int(ends[first - 1]) if first else 0
            count = min(most, max(1, int(ends.searchsorted(before + PORTION_BYTES, "right")) - first))
        yield first, count
        first += count


def sizes_of(format: FileFormat, path: Path, layer: str, rows: int) -> Sizes | None:
    """Return the size of each geometry in bytes, in the order of the features, or None if it is unknown."""
    sizes = _of_geopackage(path, layer) if format is FileFormat.GEOPACKAGE else _of_shapefile(path)
    return sizes if sizes is not None and len(sizes) == rows > 0 else None


def _of_geopackage(path: Path, layer: str) -> Sizes | None:
    import numpy as np

    named = "SELECT column_name FROM gpkg_geometry_columns WHERE table_name = ?"
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
            (column,) = database.execute(named, (layer,)).fetchone()
            table, geometry = (name.replace('"', '""') for name in (layer, column))
            lengths = database.execute(f'SELECT coalesce(length("{geometry}"), 0) FROM "{table}"')
            return np.fromiter((length for (length,) in lengths), dtype="int64")
    except (sqlite3.Error, TypeError, ValueError):  # a damaged file, for which GDAL has a better message
        return None


def _of_shapefile(path: Path) -> Sizes | None:
    import numpy as np

    index = path.with_suffix(".shx")
    if not index.exists():
        return None
    content = index.read_bytes()[_SHX_HEADER:]
    words = np.frombuffer(content, dtype=">i4", count=len(content) // 8 * 2)[1::2]
    return words.astype("int64").clip(0) * 2
