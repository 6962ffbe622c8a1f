"""Opening a file according to its content, regardless of its name."""

import re
from collections import Counter
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.imports import Encoding
from engine.domain.ports import Progress
from engine.domain.values import replace
from engine.domain.words import count
from engine.tabular.encodings import beginning, recoded, recoded_xml
from engine.tabular.formats.archives import SHAPE, SIDECARS, Archive, shapefile_of
from engine.tabular.formats.attributes import recoded_attributes
from engine.tabular.formats.excel import PROTECTED
from engine.tabular.formats.geojson import read_geojson
from engine.tabular.formats.source import FILE, MEMORY_OF_FILE, FileFormat, SeveralLayers, Source
from engine.tabular.formats.vector import read_vector
from engine.tabular.formats.wkt import is_wkt, read_wkt
from engine.tabular.formats.xml import root_of
from engine.tabular.rows import read_csv

_ZIP: Final = b"PK\x03\x04"
_EMPTY_ZIP: Final = b"PK\x05\x06"
_CONTENT_TYPES: Final = "[Content_Types].xml"
"""The file by which archives of Office are recognised."""

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The beginning of old Excel files, and of new ones that are encrypted."""

_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_SQLITE: Final = b"SQLite format 3\0"
_GPKG_AT: Final = 68
_GPKG_IDS: Final = (b"GPKG", b"GP10", b"GP11")
_FLATGEOBUF: Final = b"fgb\x03fgb"
_SHAPEFILE: Final = b"\x00\x00\x27\x0a"
LARGE: Final = 4 * 1024**2
"""Larger GeoJSON is read in a separate process, since parsing it here would take seconds and much memory."""

_LIST: Final = re.compile(r"\[\s*[{\[]")
_LINES: Final = re.compile(rb"<(?:\w+:)?(rte|trk)[\s>]")
"""The beginnings of routes and tracks in GPX."""


def open_source(
    data: bytes,
    name: str,
    layer: str | None,
    progress: Progress,
    memory: int = MEMORY_OF_FILE,
    *,
    sheet: str | None = None,
    encoding: Encoding | None = None,
) -> Source:
    """Read the rows of a file; `memory` is the limit of the process that reads formats of others, in bytes.

    `encoding` is that of a text file, by default the recognised one.

    Raises `InvalidParameter` for a file that cannot be read as a whole.
    """
    archive = Archive(data) if data.startswith((_ZIP, _EMPTY_ZIP)) else None
    binary = data.startswith((_OLE, _SQLITE)) or (archive is not None and archive.has(_CONTENT_TYPES))
    if binary and encoding is not None:
        raise InvalidParameter(
            "encoding", "encoding: only text files and Shapefiles have one to choose, and this file is neither."
        )
    if data.startswith(_OLE) or (archive is not None and archive.has(_CONTENT_TYPES)):
        if layer is not None:
            raise InvalidParameter("layer", "layer: an Excel file has sheets instead; choose one with sheet.")
        return _of_excel(data, archive, sheet, progress, memory)
    if sheet is not None:
        raise InvalidParameter("sheet", "sheet: only Excel files have sheets, and this file is not one.")
    if archive is not None:
        return _of_archive(archive, name, layer, progress, memory, encoding)
    if data.startswith(_SQLITE):
        return _of_database(data, name, layer, progress, memory)
    if data.startswith(_FLATGEOBUF):
        return read_vector(FileFormat.FLATGEOBUF, {".fgb": data}, layer, progress, memory, name)
    if data.startswith(_SHAPEFILE):
        raise InvalidParameter(
            FILE,
            "A .shp file alone has no attributes. Import a ZIP archive that also contains the .dbf and .prj files.",
        )
    return _of_text(data, name, layer, progress, memory, encoding)


def _of_text(
    data: bytes, name: str, layer: str | None, progress: Progress, memory: int, encoding: Encoding | None
) -> Source:
    begin = beginning(data, encoding)
    if begin.startswith("{") or _LIST.match(begin):
        text = recoded(data, encoding)
        if len(text.data) > LARGE:
            files = {".geojson": text.data}
            source = read_vector(FileFormat.GEOJSON, files, None, progress, memory, name)
        else:
            source = read_geojson(text.data)
        return replace(source, encoding=text.encoding, notes=text.notes)
    if begin.startswith("<"):
        return _of_xml(data, name, layer, progress, memory, encoding)
    if is_wkt(begin):
        return read_wkt(data, encoding)
    return read_csv(data, encoding)


def _of_excel(data: bytes, archive: Archive | None, sheet: str | None, progress: Progress, memory: int) -> Source:
    if archive is None:
        old = "This is a file of an old version of Excel, or of another program. Save it as .xlsx or CSV."
        raise InvalidParameter(FILE, PROTECTED if _ENCRYPTED in data else old)
    if not archive.has("xl/workbook.xml"):
        raise InvalidParameter(FILE, "This Office document is not an Excel workbook (.xlsx). Save it as .xlsx or CSV.")
    archive.check()
    return read_vector(FileFormat.EXCEL, {".xlsx": data}, sheet, progress, memory)


def _of_archive(
    archive: Archive, name: str, layer: str | None, progress: Progress, memory: int, encoding: Encoding | None
) -> Source:
    if pages := archive.names(".kml"):
        return _of_xml(archive.read(pages[0]), name, layer, progress, memory, encoding)
    shapes = archive.names(SHAPE)
    if len(shapes) > 1:
        wanted = [shape for shape in shapes if layer is not None and _stem(shape) == layer]
        if not wanted:
            raise SeveralLayers([_stem(shape) for shape in shapes])
        shapes, layer = wanted, None
    if shapes:
        files = shapefile_of(archive, shapes[0])
        ordered: dict[str, bytes] = {ending: files[ending] for ending in SIDECARS if ending in files}
        texts = recoded_attributes(ordered, encoding)
        source = read_vector(FileFormat.SHAPEFILE, texts.files, None, progress, memory, name)
        return replace(source, encoding=texts.encoding, notes=texts.notes)
    for ending in (".gpkg", ".geojson", ".json", ".csv", ".gpx", ".wkt"):
        if found := archive.names(ending):
            content = archive.read(found[0])
            if not content.startswith(_ZIP):
                return open_source(content, name, layer, progress, memory, encoding=encoding)
    if archive.has("mimetype", "content.xml"):
        raise InvalidParameter(FILE, "This is an OpenDocument file. Save it as .xlsx or CSV.")
    raise InvalidParameter(FILE, "This ZIP archive contains no geographic file or table, and is not an Excel workbook.")


def _of_database(data: bytes, name: str, layer: str | None, progress: Progress, memory: int) -> Source:
    if data[_GPKG_AT : _GPKG_AT + 4] not in _GPKG_IDS:
        raise InvalidParameter(FILE, "This is a SQLite database, but not a GeoPackage.")
    return read_vector(FileFormat.GEOPACKAGE, {".gpkg": data}, layer, progress, memory, name)


def _of_xml(
    data: bytes, name: str, layer: str | None, progress: Progress, memory: int, encoding: Encoding | None
) -> Source:
    text = recoded_xml(data, encoding)
    root = root_of(text.data)
    if root not in ("kml", "gpx"):
        raise InvalidParameter(FILE, f"This XML is neither KML nor GPX: its document is <{root[:40]}>.")
    source = read_vector(FileFormat(root), {f".{root}": text.data}, layer, progress, memory, name)
    lines = _lines_of(text.data) if root == "gpx" and source.rows else ()
    return replace(source, encoding=text.encoding, notes=(*text.notes, *lines))


def _lines_of(data: bytes) -> tuple[str, ...]:
    """Return a sentence about the routes and tracks of a GPX, which are not read, if it also has waypoints."""
    found = Counter(kind.decode() for kind in _LINES.findall(data))
    counts = [count(found[kind], name) for kind, name in (("rte", "route"), ("trk", "track")) if found[kind]]
    if not counts:
        return ()
    return (f"Only the waypoints were read; {' and '.join(counts)} can be played in the simulator.",)


def _stem(shape: str) -> str:
    return shape.rpartition("/")[2][: -len(SHAPE)]
