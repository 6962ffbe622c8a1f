"""The process that reads a map file with GDAL, or Excel, and writes its features to standard output as lines of JSON.

The first line is ``{"rows"}``, with more for Excel. It is followed by batches: a line ``{"layer", "columns"}`` and the
features. The last line is ``{"end": true}`` or ``{"error"}``. If a layer must be chosen, ``{"layers"}`` is the only
line. Files are read in batches, and limits apply to a feature before it becomes objects. The process ends when standard
input ends, which means that its reader has ended.
"""

import math
import os
import sys
import threading
from collections.abc import Iterator
from datetime import date
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, Final, NoReturn

import orjson

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RING_POSITIONS
from engine.tabular.formats.batches import FEATURES, MAX_FEATURE_BYTES, Batches
from engine.tabular.formats.crs import outside, reprojection
from engine.tabular.formats.excel import Sheet, read_sheet
from engine.tabular.formats.features import Cut, batches_of
from engine.tabular.formats.geojson import text_of
from engine.tabular.formats.parts import MAX_PARTS, parts_of
from engine.tabular.formats.portions import MAX_PORTION, PORTION_BYTES, portions, sizes_of
from engine.tabular.formats.source import (
    FILE,
    MAX_CELL,
    MAX_POSITIONS,
    MAX_POSITIONS_OF_SYNC,
    MAX_ROWS,
    MEMORY_OF_SYNC,
    POINT,
    POLYGON,
    FileFormat,
    SeveralLayers,
    SourceRow,
    cpu_s,
)

_ADDRESS_BYTES: Final = 4 * 1024**3
"""Limit of the address space, of which libraries reserve far more than they use; the memory limit is that of data."""

_OF_STYLE: Final = frozenset(
    {"timestamp", "begin", "end", "altitudeMode", "tessellate", "extrude", "visibility", "drawOrder", "icon"}
)
"""Columns of every KML file that only affect drawing."""

_SIMPLE: Final = {0: POINT, 3: POLYGON}
"""Parts by the type ID of single geometries."""

_MAX_READ: Final = 200_000
"""Maximum number of positions of a part."""

_BATCH: Final = "batch"
_FOLDER: Final = "folder"
_WAYPOINTS: Final = "waypoints"
_NAMES_SHOWN: Final = 10


def main(format: FileFormat, path: str, layer: str | None, memory: int) -> int:
    """Write the features of a file; return 1 after an error."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    limit(memory)
    try:
        _write_all(format, Path(path), layer, MAX_POSITIONS if memory > MEMORY_OF_SYNC else MAX_POSITIONS_OF_SYNC)
    except SeveralLayers as error:
        _send({"layers": error.layers})
        return 1
    except InvalidParameter as error:
        _send({"error": error.message, "param": error.param})
        return 1
    except MemoryError:
        _send({"error": f"Reading this {format.label} takes more than {memory // 1024**2} MB of memory."})
        return 1
    _send({"end": True})
    return 0


def _write_all(format: FileFormat, path: Path, layer: str | None, most: int) -> None:
    number, positions = 0, 0
    for each in _batches(format, path, layer):
        _send({"layer": each.layer, "columns": each.columns})
        positions += each.positions
        if positions > most:
            raise InvalidParameter(FILE, f"The features have more than {most:,} positions together.")
        for message in each.messages():
            number += 1
            _send({"number": number, **message})


def _batches(format: FileFormat, path: Path, layer: str | None) -> Iterator["_Batch | _TooLarge | _Features | Sheet"]:
    if format is FileFormat.EXCEL:
        return _sheet(path, layer)
    if format is FileFormat.GEOJSON:
        return _feature_batches(path)
    return _document_batches(format, path, layer) if format in FEATURES else _table_batches(format, path, layer)


def _sheet(path: Path, name: str | None) -> Iterator[Sheet]:
    """Yield a sheet of an Excel file."""
    sheet = read_sheet(path, name)
    heading = {"sheet": sheet.name, "sheets": sheet.names, "header": sheet.header_row, "columns": sheet.columns}
    _send({"rows": len(sheet.rows), **heading, "notes": sheet.notes})
    yield sheet


def _feature_batches(path: Path) -> Iterator["_Features"]:
    """Yield the batches of GeoJSON."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        cut = Cut(data)
        _send({"rows": len(cut.starts)})
        for number, rows in enumerate(batches_of(data, cut, MAX_FEATURE_BYTES)):
            yield _Features(number, rows)


def _document_batches(format: FileFormat, path: Path, layer: str | None) -> Iterator["_Batch | _TooLarge"]:
    """Yield the batches of KML or GPX, each of which is written to a file."""
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        batches, has_folders = Batches(format, data), format is FileFormat.KML and data.find(b"<Folder") >= 0
        _send({"rows": len(batches)})
        for batch in _read_documents(batches, format, path.with_stem(_BATCH), layer):
            if has_folders and isinstance(batch, _Batch):
                batch.add_folder()
            yield batch


def _read_documents(
    batches: Batches, format: FileFormat, path: Path, layer: str | None
) -> Iterator["_Batch | _TooLarge"]:
    seen = dict[str, None]()
    for content, count in batches.documents():
        if not content:
            yield _TooLarge(count)
            continue
        path.write_bytes(content)
        names = _layers(format, path)
        seen.update(dict.fromkeys(names))
        for name in names if layer is None else [name for name in names if name == layer]:
            yield _Batch(format, path, name, most=count)
    if layer is not None and layer not in seen:
        _refuse_layer(layer, list(seen))
    if not seen and not len(batches):
        raise _nothing_in(format)


def _table_batches(format: FileFormat, path: Path, layer: str | None) -> Iterator["_Batch | _TooLarge"]:
    """Yield the batches of a database table or of a Shapefile."""
    name = _chosen(_layers(format, path), layer, format)
    rows = _count(format, path, name)
    if rows > MAX_ROWS:
        raise InvalidParameter(FILE, f"There are {rows:,} features; at most {MAX_ROWS:,} are allowed.")
    _send({"rows": rows})
    size = sum(file.stat().st_size for file in path.parent.iterdir())
    portion = min(MAX_PORTION, max(1, rows * PORTION_BYTES // max(size, 1)))
    sizes = sizes_of(format, path, name, rows)
    for first, count in portions(rows, portion, sizes):
        size = int(sizes[first]) if count == 1 and sizes is not None else 0
        if format is FileFormat.GEOPACKAGE and size > MAX_FEATURE_BYTES:
            yield _TooLarge(size)
        else:
            yield _Batch(format, path, name, first, count)


def _count(format: FileFormat, path: Path, layer: str) -> int:
    import pyogrio

    try:
        return int(pyogrio.read_info(path, layer=layer, force_feature_count=True)["features"])
    except (pyogrio.errors.DataSourceError, pyogrio.errors.DataLayerError, UnicodeDecodeError) as error:
        raise _unreadable(format, error) from None


def _layers(format: FileFormat, path: Path) -> list[str]:
    """Return the layers with geometries."""
    import pyogrio

    try:
        listed = pyogrio.list_layers(path)
    except pyogrio.errors.DataSourceError as error:
        raise _unreadable(format, error) from None
    names = [str(name) for name, kind in listed if kind is not None]
    return [name for name in names if name == _WAYPOINTS] if format is FileFormat.GPX else names


def _chosen(names: list[str], wanted: str | None, format: FileFormat) -> str:
    """Return the layer to read; raises `InvalidParameter` if there are several, or none."""
    if wanted is not None:
        return wanted if wanted in names else _refuse_layer(wanted, names)
    if not names:
        raise _nothing_in(format)
    if len(names) > 1:
        raise SeveralLayers(names)
    return names[0]


def _refuse_layer(wanted: str, names: list[str]) -> NoReturn:
    shown = ", ".join(repr(name) for name in names[:_NAMES_SHOWN])
    raise InvalidParameter("layer", f"layer: there is no layer {wanted!r}. Layers: {shown}.")


def _nothing_in(format: FileFormat) -> InvalidParameter:
    return InvalidParameter(FILE, f"This {format.label} contains no layer with points or polygons.")


class _TooLarge:
    """A feature that is not read because it takes too much memory; its layer and attributes are unknown."""

    layer = ""
    columns: tuple[str, ...] = ()
    positions = 0

    def __init__(self, size: int) -> None:
        self._size = size

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield the message for the feature."""
        most = MAX_FEATURE_BYTES // 1024**2
        yield {
            "values": {},
            "fault": f"The feature takes {self._size / 1024**2:.1f} MB; at most {most} MB are allowed.",
        }


class _Features:
    """A portion of the features of GeoJSON; each feature has its own columns only, not those of the others."""

    def __init__(self, number: int, rows: list[SourceRow]) -> None:
        self.layer = str(number)
        self.columns = tuple(dict.fromkeys(column for row in rows for column in row.values))
        self.positions = sum(part.positions for row in rows for part in row.parts or ())
        self._rows = rows

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield the messages for the features."""
        for row in self._rows:
            parts = None if row.parts is None else [[part.type, part.coordinates, part.holes] for part in row.parts]
            yield {"values": row.values, "parts": parts, "fault": row.fault, "column": row.fault_column}


class _Batch:
    """A portion of the features of a layer, read as a whole.

    `most` should be close to their number, because pyogrio allocates memory for this many values of each field before
    it reads.
    """

    def __init__(self, format: FileFormat, path: Path, layer: str, first: int = 0, most: int = MAX_ROWS) -> None:
        import shapely
        from pyogrio import errors, raw

        try:
            meta, _, shapes, fields = raw.read(path, layer=layer, force_2d=True, skip_features=first, max_features=most)
        except (errors.DataSourceError, errors.DataLayerError, errors.FieldError, UnicodeDecodeError) as error:
            raise _unreadable(format, error) from None
        self.layer = layer
        hidden = _OF_STYLE if format is FileFormat.KML else frozenset()
        pairs = zip((str(field) for field in meta["fields"]), fields, strict=True)
        self._fields = {field: values for field, values in pairs if field not in hidden}
        self.columns = tuple(self._fields)
        self._shapes = _degrees(shapely.from_wkb([] if shapes is None else shapes, on_invalid="ignore"), meta["crs"])
        self._located = [] if shapes is None else [shape is not None for shape in shapes]
        self._sizes = shapely.get_num_coordinates(self._shapes)

    @property
    def positions(self) -> int:
        """Number of positions of all features."""
        return int(self._sizes.sum())

    def add_folder(self) -> None:
        """Add the name of the folder that a placemark is in, unless there is a column of this name."""
        if _FOLDER not in map(str.lower, self.columns):
            self._fields[_FOLDER] = [self.layer] * len(self._shapes)
            self.columns = tuple(self._fields)

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield the messages for the features."""
        columns = [
            [value if type(value) is str else _text(value) for value in cells] for cells in self._fields.values()
        ]
        places = self._places()
        for values in zip(*columns, strict=True) if columns else ((),) * len(self._shapes):
            place = next(places)
            row = dict(zip(self.columns, values, strict=True))
            long = next((field for field, value in row.items() if len(value) > MAX_CELL), None)
            if long is None:
                yield {"values": row, **place}
            else:
                fault = f"{long}: may have at most {MAX_CELL:,} characters, not {len(row[long]):,}."
                yield {"values": {**row, long: ""}, "fault": fault, "column": long}

    def _places(self) -> Iterator[dict[str, Any]]:
        """Yield the location of each feature: points and simple polygons are converted at once, others one by one."""
        import numpy as np
        import shapely

        kinds = shapely.get_type_id(self._shapes).tolist()
        holes = shapely.get_num_interior_rings(self._shapes).tolist()
        ends = self._sizes.cumsum()
        positions = shapely.get_coordinates(self._shapes)
        known = np.isfinite(positions).all(axis=1)
        for at, (shape, kind, size, end) in enumerate(
            zip(self._shapes, kinds, self._sizes.tolist(), ends, strict=True)
        ):
            simple = _SIMPLE.get(kind) if not holes[at] else None
            if shape is None:
                yield {"fault": "The geometry is damaged.", "column": "coordinates"} if self._located[at] else {}
            elif not known[end - size : end].all():
                yield {"fault": outside().message, "column": "coordinates"}
            elif simple is not None and 0 < size <= _MAX_READ:
                found = positions[end - size : end].tolist()
                yield {"parts": [[simple, found[0] if simple == POINT else found, []]]}
            else:
                yield _location(shape)


def _degrees(shapes: Any, crs: str | None) -> Any:
    """Return shapes in degrees, with longitudes within ±180° (see `in_degrees`)."""
    import numpy as np
    import shapely

    reproject = reprojection(crs)
    if not len(shapes):
        return shapes
    if reproject is not None:
        return shapely.transform(shapes, reproject)

    def turned(positions: Any) -> Any:
        longitudes, latitudes = positions[:, 0], positions[:, 1]
        beyond = (np.abs(longitudes) > 180) & (np.abs(longitudes) <= 360)
        return np.column_stack((np.where(beyond, longitudes - np.copysign(360, longitudes), longitudes), latitudes))

    bounds = shapely.total_bounds(shapes)
    return shapely.transform(shapes, turned) if bounds[0] < -180 or bounds[2] > 180 else shapes


def _location(shape: Any) -> dict[str, Any]:
    import shapely.geometry

    try:
        _check_size(shape)
        parts = parts_of(shapely.geometry.mapping(shape))
    except InvalidParameter as error:
        return {"fault": error.message, "column": error.param}
    return {"parts": [[part.type, part.coordinates, part.holes] for part in parts]}


def _check_size(shape: Any) -> None:
    """Raise `InvalidParameter` for a geometry with too many parts, or a part with too many positions.

    A part may have more positions than a geofence, because an import can simplify it.
    """
    import shapely

    if shapely.get_num_coordinates(shape) <= MAX_RING_POSITIONS:
        return
    parts = shapely.get_parts(shape)
    if len(parts) > MAX_PARTS:
        raise InvalidParameter(
            "coordinates", f"coordinates: at most {MAX_PARTS:,} parts are allowed, not {len(parts):,}."
        )
    most = int(shapely.get_num_coordinates(parts).max())
    if most > _MAX_READ:
        raise InvalidParameter(
            "coordinates", f"coordinates: a polygon of {most:,} positions cannot be read; at most {_MAX_READ:,} can."
        )


def _text(value: Any) -> str:
    """Return an attribute in the form of a table cell."""
    if isinstance(value, str):
        return value
    import numpy as np

    if isinstance(value, np.datetime64):
        return "" if np.isnat(value) else str(value.astype(date) if value.dtype == "datetime64[D]" else value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return ""
    if isinstance(value, bytes):
        return ""
    return text_of(value)


def _unreadable(format: FileFormat, error: Exception) -> InvalidParameter:
    if "bad_alloc" in str(error):
        raise MemoryError from error
    reason = str(error).splitlines()[0][:200] if str(error) else "no reason given"
    folder = os.path.dirname(sys.argv[2]) if len(sys.argv) > 2 else ""  # noqa: PTH120 - as GDAL spells it
    return InvalidParameter(FILE, f"This {format.label} cannot be read: {reason.replace(folder + os.sep, '')}.")


def limit(memory: int) -> None:
    """Limit memory and processor time, if the system supports it."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_BYTES, _ADDRESS_BYTES))
    # The soft limit first sends a signal that ends the process.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_s(memory), cpu_s(memory) + 5))


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


def _send(message: dict[str, Any]) -> None:
    sys.stdout.buffer.write(orjson.dumps(message) + b"\n")
    if "number" not in message:
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(FileFormat(sys.argv[1]), sys.argv[2], sys.argv[3] or None, int(sys.argv[4])))
