"""The process that reads a map's file with GDAL and writes its features to standard output, a line of JSON for each.

The first line is ``{"columns", "rows"}``, then come the features, and at last ``{"end": true}`` or ``{"error"}``, or
``{"layers"}`` alone, of which one must be chosen. It ends when standard input does: whoever waited has gone.
"""

import math
import os
import sys
import threading
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

import orjson

from engine.domain.errors import InvalidParameter
from engine.tabular.formats.crs import Reproject, reprojection
from engine.tabular.formats.geojson import text_of
from engine.tabular.formats.parts import parts_of
from engine.tabular.formats.source import FILE, MAX_ROWS, FileFormat, SeveralLayers

MEMORY_BYTES: Final = 4 * 1024**3
CPU_S: Final = 110
_OF_STYLE: Final = frozenset(
    {"timestamp", "begin", "end", "altitudeMode", "tessellate", "extrude", "visibility", "drawOrder", "icon"}
)
"""Columns that every KML has, and that are about drawing it."""

_WAYPOINTS: Final = "waypoints"
_NAMES_SHOWN: Final = 10


def main(format: FileFormat, path: str, layer: str | None) -> int:
    """Write the features of a file; return 1 after an error."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit()
    try:
        _write_all(format, path, layer)
    except SeveralLayers as error:
        _tell({"layers": error.layers})
        return 1
    except InvalidParameter as error:
        _tell({"error": error.message, "param": error.param})
        return 1
    except MemoryError:
        _tell({"error": f"This {format.label} is too large."})
        return 1
    _tell({"end": True})
    return 0


def _write_all(format: FileFormat, path: str, layer: str | None) -> None:
    layers = [_Layer(format, path, name) for name in _layers(format, path, layer)]
    rows = sum(len(each) for each in layers)
    if rows > MAX_ROWS:
        raise InvalidParameter(FILE, f"There are {rows:,} features; at most {MAX_ROWS:,} are allowed.")
    columns = dict.fromkeys(column for each in layers for column in each.columns)
    _tell({"columns": list(columns), "rows": rows})
    number = 0
    for each in layers:
        for message in each.messages():
            number += 1
            _tell({"number": number, **message})


def _layers(format: FileFormat, path: str, wanted: str | None) -> list[str]:
    """Return the layers to read; raises `InvalidParameter` where there are several tables, or none."""
    import pyogrio

    try:
        listed = pyogrio.list_layers(path)
    except pyogrio.errors.DataSourceError as error:
        raise _unreadable(format, error) from None
    names = [str(name) for name, kind in listed if kind is not None]
    if format is FileFormat.GPX:
        names = [name for name in names if name == _WAYPOINTS]
    if wanted is not None:
        names = [name for name in names if name == wanted] or _refuse_layer(wanted, names)
    if not names:
        raise InvalidParameter(FILE, f"This {format.label} contains no layer with points or polygons.")
    if len(names) > 1 and format is not FileFormat.KML:
        raise SeveralLayers(names)
    return names


def _refuse_layer(wanted: str, names: list[str]) -> list[str]:
    shown = ", ".join(repr(name) for name in names[:_NAMES_SHOWN])
    raise InvalidParameter("layer", f"layer: there is no layer {wanted!r}. Layers: {shown}.")


class _Layer:
    """One layer, read whole."""

    def __init__(self, format: FileFormat, path: str, name: str) -> None:
        from pyogrio import errors, raw

        try:
            meta, _, self._shapes, fields = raw.read(path, layer=name, force_2d=True, max_features=MAX_ROWS + 1)
        except (errors.DataSourceError, errors.DataLayerError, errors.FieldError, UnicodeDecodeError) as error:
            raise _unreadable(format, error) from None
        self._reproject = reprojection(meta["crs"])
        hidden = _OF_STYLE if format is FileFormat.KML else frozenset()
        pairs = zip((str(field) for field in meta["fields"]), fields, strict=True)
        self._fields = {field: values for field, values in pairs if field not in hidden}
        self.columns = tuple(self._fields)

    def __len__(self) -> int:
        return 0 if self._shapes is None else len(self._shapes)

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield the features."""
        for at in range(len(self)):
            values = {field: _text(column[at]) for field, column in self._fields.items()}
            yield {"values": values, **_where(self._shapes[at], self._reproject)}


def _where(shape: bytes | None, reproject: Reproject | None) -> dict[str, Any]:
    import shapely
    import shapely.geometry

    if shape is None:
        return {}
    try:
        parts = parts_of(shapely.geometry.mapping(shapely.from_wkb(shape)))
        if reproject is not None:
            parts = tuple(map(reproject, parts))
    except InvalidParameter as error:
        return {"fault": error.message, "column": error.param}
    except shapely.errors.GEOSException:
        return {"fault": "The geometry is damaged.", "column": "coordinates"}
    return {"parts": [[part.type, part.coordinates] for part in parts]}


def _text(value: Any) -> str:
    """Return an attribute as a cell of a table would spell it."""
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
    said = str(error).splitlines()[0][:200] if str(error) else "no reason given"
    folder = os.path.dirname(sys.argv[2]) if len(sys.argv) > 2 else ""  # noqa: PTH120 - as GDAL spells it
    return InvalidParameter(FILE, f"This {format.label} cannot be read: {said.replace(folder + os.sep, '')}.")


def _limit() -> None:
    """Bound memory and processor time, where the system can."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


def _tell(message: dict[str, Any]) -> None:
    sys.stdout.buffer.write(orjson.dumps(message) + b"\n")
    if "number" not in message:
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(FileFormat(sys.argv[1]), sys.argv[2], sys.argv[3] or None))
