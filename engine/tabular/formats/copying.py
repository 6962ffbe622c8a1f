"""The process that copies some records of a GeoPackage or a Shapefile with GDAL to a folder beside the file.

The numbers of the records, from 1, come from standard input as JSON.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

from engine.tabular.formats.source import MEMORY_OF_FILE, FileFormat
from engine.tabular.formats.worker import limit

_DRIVERS: Final = {FileFormat.GEOPACKAGE: "GPKG", FileFormat.SHAPEFILE: "ESRI Shapefile"}
_PORTION: Final = 5_000


def main(format: FileFormat, path: Path, layer: str | None, wanted: list[int]) -> None:
    """Write the records to ``copy`` beside the file."""
    import numpy as np
    from pyogrio import raw

    limit(MEMORY_OF_FILE)
    folder = path.parent / "copy"
    folder.mkdir()
    target, encoding = folder / path.name, {"encoding": "UTF-8"} if format is FileFormat.SHAPEFILE else {}
    portions = [_portion(path, layer, wanted, first) for first in range(0, max(wanted), _PORTION)]
    found = [each for each in portions if each is not None]
    meta = found[0][0]
    shapes = np.concatenate([shapes for _, shapes, _ in found])
    fields = [np.concatenate(cells) for cells in zip(*(fields for _, _, fields in found), strict=True)]
    raw.write(
        str(target),
        shapes,
        fields,
        meta["fields"],
        geometry_type=meta["geometry_type"] or "Unknown",
        crs=meta["crs"],
        driver=_DRIVERS[format],
        promote_to_multi=False,
        **({"layer": layer} if layer is not None and format is FileFormat.GEOPACKAGE else {}),
        **encoding,
    )


def _portion(path: Path, layer: str | None, wanted: list[int], first: int) -> tuple[Any, Any, list[Any]] | None:
    """Return the wanted records among a portion of the file, or None if there are none."""
    from pyogrio import raw

    chosen = [number - 1 - first for number in wanted if first < number <= first + _PORTION]
    if not chosen:
        return None
    meta, _, shapes, fields = raw.read(path, layer=layer, skip_features=first, max_features=_PORTION)
    return meta, shapes[chosen], [cells[chosen] for cells in fields]


if __name__ == "__main__":
    main(FileFormat(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] or None, json.load(sys.stdin))
