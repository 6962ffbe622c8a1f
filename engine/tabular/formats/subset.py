"""Some rows of a file as a file of the same format: for users who correct what an import refused.

Rows are copied as they are in the file, with all columns. Databases are copied in a process of their own, as they are
read; see `vector.py`. A format that cannot be written, or a file whose features cannot be located, becomes GeoJSON
or CSV.
"""

import csv
import io
import json
import os
import subprocess
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import orjson
from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.imports import ImportFile, ImportOptions
from engine.domain.ports import Progress, no_progress
from engine.processes import module_command, search_path
from engine.tabular.encodings import decoded, recoded, recoded_xml
from engine.tabular.formats.archives import Archive, pack, shapefile_of
from engine.tabular.formats.batches import FEATURES, Batches
from engine.tabular.formats.features import Cut
from engine.tabular.formats.opening import open_source
from engine.tabular.formats.source import FILE, MEMORY_OF_FILE, FileFormat, Part, Source, SourceRow, within_s
from engine.tabular.rows import dialect, table_rows
from engine.tabular.spreadsheet import protected, write_rows

_ENDINGS: Final[Mapping[FileFormat, str]] = {
    FileFormat.CSV: ".csv",
    FileFormat.GEOJSON: ".geojson",
    FileFormat.WKT: ".wkt",
    FileFormat.KML: ".kml",
    FileFormat.GPX: ".gpx",
    FileFormat.SHAPEFILE: ".zip",
    FileFormat.GEOPACKAGE: ".gpkg",
}
_FOLDER: Final = b"<Folder"
_COPIER: Final = "engine.tabular.formats.copying"
_STEM: Final = "refused"


class Subset(Struct, frozen=True):
    """A file with some rows of another: its bytes, its extension, and a sentence if it has another format."""

    data: bytes
    ending: str
    note: str = ""


def subset_of(file: ImportFile, options: ImportOptions, rows: Collection[int], progress: Progress) -> Subset:
    """Return a file with these rows, numbered as in the errors of an import.

    Raises `InvalidParameter` if the file cannot be read; `progress` may raise `Cancelled`.
    """
    source = open_source(file.data, file.name, options.layer, progress, sheet=options.sheet, encoding=options.encoding)
    wanted = frozenset(rows)
    data = _unpacked(file.data)
    copied = _copied(source, data, file, options, wanted)
    if copied is not None:
        return Subset(copied, _ENDINGS[source.format])
    chosen = [row for row in source.rows if row.number in wanted]
    other = "CSV" if source.format is FileFormat.EXCEL else "GeoJSON"
    note = f"Rows of this {source.format.label} cannot be copied; they were saved as {other}."
    if source.format is FileFormat.EXCEL:
        return Subset(_table(source.columns, chosen), ".csv", note)
    return Subset(_collection(chosen), ".geojson", note)


def _copied(
    source: Source, data: bytes, file: ImportFile, options: ImportOptions, wanted: frozenset[int]
) -> bytes | None:
    """Return the rows as they are in the file, or None if they cannot be copied."""
    match source.format:
        case FileFormat.CSV:
            return _lines_of_table(data, options, wanted)
        case FileFormat.WKT:
            text = decoded(data, FILE, options.encoding).text
            return "".join(f"{line}\n" for at, line in enumerate(text.splitlines(), 1) if at in wanted).encode()
        case FileFormat.GEOJSON:
            return _features(recoded(data, options.encoding).data, len(source.rows), wanted)
        case FileFormat.KML | FileFormat.GPX:
            return _elements(source, recoded_xml(data, options.encoding).data, options, wanted)
        case FileFormat.SHAPEFILE | FileFormat.GEOPACKAGE:
            return _records(source, file.data, options, wanted)
        case _:
            return None


def _unpacked(data: bytes) -> bytes:
    """Return the only map or table of an archive, or the data of any other file."""
    if not data.startswith(b"PK\x03\x04"):
        return data
    archive = Archive(data)
    for ending in (".kml", ".geojson", ".json", ".csv", ".gpx", ".wkt"):
        if found := archive.names(ending):
            return archive.read(found[0])
    return data


def _lines_of_table(data: bytes, options: ImportOptions, wanted: frozenset[int]) -> bytes:
    """Return the header and the rows of a table, with its separator and in its encoding."""
    read = decoded(data, FILE, options.encoding)
    text, separator, skipped = dialect(read.text)
    out = io.StringIO(newline="")
    table = csv.writer(out, delimiter=separator, lineterminator="\r\n")
    for at, row in enumerate(table_rows(text, separator, skipped, FILE)):
        if at == 0 or row.number in wanted:
            table.writerow(row.cells)
    declared = f"sep={separator}\r\n" if skipped else ""
    mark = "\ufeff" if read.encoding.value.startswith("utf-16") or data.startswith(b"\xef\xbb\xbf") else ""
    return f"{mark}{declared}{out.getvalue()}".encode(read.encoding.value)


def _features(data: bytes, count: int, wanted: frozenset[int]) -> bytes | None:
    """Return the features of a collection, with its other members."""
    cut = Cut(data)
    if not cut.found or not cut.starts:
        return data if count == 1 else None
    chosen = [data[cut.starts[at - 1] : cut.ends[at - 1]] for at in sorted(wanted) if at <= len(cut.starts)]
    return data[: cut.starts[0]] + b",\n".join(chosen) + data[cut.ends[-1] :]


def _elements(source: Source, data: bytes, options: ImportOptions, wanted: frozenset[int]) -> bytes | None:
    """Return the features of KML or GPX.

    Their order is usually that of the document. If it has folders, which may be read in another order, the copy is read
    again, and there is none if it has other rows.
    """
    batches = Batches(source.format, data)
    if len(batches) != len(source.rows) or source.format not in FEATURES:
        return None
    copy = batches.only(at - 1 for at in sorted(wanted))
    if _FOLDER not in data:
        return copy
    try:
        found = open_source(copy, FILE, options.layer, no_progress).rows
    except InvalidParameter:
        return None
    expected = [row for row in source.rows if row.number in wanted]
    return copy if list(map(_content, found)) == list(map(_content, expected)) else None


def _content(row: SourceRow) -> tuple[object, ...]:
    """Return the values, parts and fault by which two rows are compared. Columns without a value do not count."""
    return {name: value for name, value in row.values.items() if value}, row.parts, row.fault


def _records(source: Source, data: bytes, options: ImportOptions, wanted: frozenset[int]) -> bytes | None:
    """Return the records of a database, copied in another process; None if the process fails."""
    with tempfile.TemporaryDirectory(prefix="fencewright-") as folder:
        path = _unpack(source.format, data, options.layer, Path(folder))
        command = module_command(_COPIER, source.format.value, str(path), options.layer or "")
        numbers = json.dumps(sorted(wanted)).encode()
        try:
            done = subprocess.run(
                command,
                input=numbers,
                capture_output=True,
                timeout=within_s(MEMORY_OF_FILE),
                check=False,
                env={**os.environ, "PYTHONPATH": search_path()},
            )
        except subprocess.TimeoutExpired:
            return None
        written = sorted((Path(folder) / "copy").glob("*"))
        if done.returncode != 0 or not written:
            return None
        if source.format is FileFormat.GEOPACKAGE:
            return written[0].read_bytes()
        return pack((each.name, each.read_bytes()) for each in written)


def _unpack(format: FileFormat, data: bytes, layer: str | None, folder: Path) -> Path:
    """Write a database, or the files of a Shapefile, to a folder and return its main file."""
    if format is FileFormat.GEOPACKAGE:
        path = folder / f"{_STEM}.gpkg"
        path.write_bytes(data)
        return path
    archive = Archive(data)
    shapes = archive.names(".shp")
    chosen = next((each for each in shapes if layer is not None and Path(each).stem == layer), shapes[0])
    for ending, content in shapefile_of(archive, chosen).items():
        (folder / f"{_STEM}{ending}").write_bytes(content)
    return folder / f"{_STEM}.shp"


def _table(columns: Sequence[str], rows: Sequence[SourceRow]) -> bytes:
    out = io.StringIO(newline="")
    lines = ([row.values.get(column, "") for column in columns] for row in rows)
    write_rows(out, [columns, *lines], escape=protected)
    return out.getvalue().encode()


def _collection(rows: Sequence[SourceRow]) -> bytes:
    features = [
        {"type": "Feature", "properties": dict(row.values), "geometry": _geometry(row.parts or ())} for row in rows
    ]
    return orjson.dumps({"type": "FeatureCollection", "features": features}, option=orjson.OPT_APPEND_NEWLINE)


def _geometry(parts: Sequence[Part]) -> dict[str, Any] | None:
    """Return the geometry of a feature from its parts."""
    shapes = [_shape(part) for part in parts]
    if len(shapes) < 2:
        return shapes[0] if shapes else None
    return {"type": "GeometryCollection", "geometries": shapes}


def _shape(part: Part) -> dict[str, Any]:
    rings: Any = part.holes
    holes = rings if isinstance(rings, tuple) else ()
    match part.type:
        case "point":
            return {"type": "Point", "coordinates": part.coordinates}
        case "line":
            return {"type": "LineString", "coordinates": part.coordinates}
        case _:
            return {"type": "Polygon", "coordinates": [part.coordinates, *holes]}
