"""Text files of all encodings are read with their letters; bytes that are no text are refused with their row."""

import json
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from pyogrio import raw

from engine.domain.errors import InvalidParameter
from engine.domain.imports import Encoding
from engine.domain.ports import no_progress
from engine.tabular.encodings import recognised
from engine.tabular.formats import opening
from engine.tabular.formats.archives import pack
from engine.tabular.formats.opening import open_source
from engine.tabular.formats.source import Source

NAME = "Münchner Straße – „Süd“"
"""Letters of Latin-1, and quotation marks that only Windows-1252 has."""

PLAIN = "Café Zürich"
TABLE = f"tag,name\nx,{NAME}\n"
COLLECTION = json.dumps(
    {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "properties": {"name": NAME}, "geometry": {"type": "Point", "coordinates": [9, 47]}}
        ],
    },
    ensure_ascii=False,
)
KML = """<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>{}</name>
<Point><coordinates>9.5,47.1</coordinates></Point></Placemark></Document></kml>"""
GPX = """<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">
<wpt lat="47.1" lon="9.5"><name>{}</name></wpt></gpx>"""
ENCODINGS = [
    ("utf-8", Encoding.UTF_8),
    ("utf-8-sig", Encoding.UTF_8),
    ("utf-16", Encoding.UTF_16_LE),
    ("utf-16-le", Encoding.UTF_16_LE),
    ("utf-16-be", Encoding.UTF_16_BE),
    ("windows-1252", Encoding.WINDOWS_1252),
]


def read(data: bytes, encoding: Encoding | None = None) -> Source:
    return open_source(data, "a file", None, no_progress, encoding=encoding)


def name_of(source: Source) -> str:
    (row,) = source.rows
    return next(value for column, value in row.values.items() if column.lower() == "name")


def refusal(data: bytes, encoding: Encoding | None = None) -> str:
    with pytest.raises(InvalidParameter) as caught:
        read(data, encoding)
    return caught.value.message


@pytest.mark.parametrize("text", [TABLE, COLLECTION], ids=["csv", "geojson"])
@pytest.mark.parametrize(("codec", "encoding"), ENCODINGS)
def test_text_is_read_in_its_encoding(text: str, codec: str, encoding: Encoding) -> None:
    source = read(text.encode(codec))
    assert name_of(source) == NAME
    assert source.encoding is encoding
    notes = () if encoding is Encoding.UTF_8 else (f"The text is not UTF-8; it was read as {encoding.label}.",)
    assert source.notes == notes


def test_a_large_collection_is_read_in_its_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGE", 10)
    source = read(COLLECTION.encode("utf-16-le"))
    assert (name_of(source), source.encoding) == (NAME, Encoding.UTF_16_LE)


def test_letters_of_latin_1_are_read_without_a_choice() -> None:
    assert name_of(read(f"tag|name\nx|{PLAIN}\n".encode("latin-1"))) == PLAIN


@pytest.mark.parametrize("encoding", Encoding)
def test_a_chosen_encoding_is_used_without_a_note(encoding: Encoding) -> None:
    source = read(f"tag,name\nx,{PLAIN}\n".encode(encoding.value), encoding)
    assert (name_of(source), source.encoding, source.notes) == (PLAIN, encoding, ())


def test_a_wrong_choice_shows_other_letters_rather_than_failing() -> None:
    assert name_of(read("tag,name\nx,Zürich\n".encode(), Encoding.WINDOWS_1252)) == "ZÃ¼rich"


@pytest.mark.parametrize("template", [KML, GPX], ids=["kml", "gpx"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "iso-8859-1", "iso-8859-15", "windows-1252", "windows-1250"])
def test_xml_is_read_in_the_encoding_that_it_declares(template: str, codec: str) -> None:
    document = f'<?xml version="1.0" encoding="{codec}"?>\n{template.format("Größe Süd")}'
    source = read(document.encode(codec))
    assert (name_of(source), source.notes if codec != "utf-16" else ()) == ("Größe Süd", ())


def test_xml_that_is_not_what_it_declares_is_read_in_the_recognised_or_chosen_encoding() -> None:
    source = read(f'<?xml version="1.0" encoding="UTF-8"?>{KML.format(NAME)}'.encode("windows-1252"))
    assert (name_of(source), source.notes) == (NAME, ("The text is not UTF-8; it was read as Windows-1252.",))
    declared = f'<?xml version="1.0" encoding="ISO-8859-1"?>{KML.format(NAME)}'.encode()
    assert name_of(read(declared, Encoding.UTF_8)) == NAME


def shapefile(folder: Path, codec: str, *, page: str | None, text: str = PLAIN) -> bytes:
    """Return a Shapefile with one text, by default without a file that gives its encoding."""
    wkb = shapely.to_wkb(np.array([shapely.Point(9, 47)], dtype=object))
    names = [np.array([text], dtype=object)]
    file = folder / "a.shp"
    columns, options = np.array(["name"]), {"driver": "ESRI Shapefile", "crs": "EPSG:4326", "encoding": codec}
    raw.write(str(file), wkb, names, columns, geometry_type="Point", **options)
    (folder / "a.cpg").unlink(missing_ok=True)
    files = [(each.name, each.read_bytes()) for each in sorted(folder.glob("a.*"))]
    return pack([*files, *([("a.cpg", page.encode())] if page is not None else [])])


@pytest.mark.parametrize(
    ("codec", "page", "encoding"),
    [
        ("utf-8", None, Encoding.UTF_8),
        ("utf-8", "UTF-8", Encoding.UTF_8),
        ("windows-1252", None, Encoding.WINDOWS_1252),
        ("windows-1252", "1252", Encoding.WINDOWS_1252),
        ("iso-8859-1", "ISO-8859-1", Encoding.LATIN_1),
        ("cp437", "437", None),
    ],
)
def test_attributes_are_read_in_their_encoding(
    tmp_path: Path, codec: str, page: str | None, encoding: Encoding | None
) -> None:
    source = read(shapefile(tmp_path, codec, page=page))
    assert (name_of(source), source.encoding) == (PLAIN, encoding)
    assumed = page is None and encoding is Encoding.WINDOWS_1252
    assert source.notes == (("The text is not UTF-8; it was read as Windows-1252.",) if assumed else ())


def test_the_encoding_of_attributes_can_be_chosen(tmp_path: Path) -> None:
    data = shapefile(tmp_path, "windows-1252", page="UTF-8")
    assert refusal(data) == "row 1: the byte 0xe9 in name is not UTF-8; choose the encoding."
    assert name_of(read(data, Encoding.WINDOWS_1252)) == PLAIN


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"tag,name\nx,\x81\n", "row 2: the byte 0x81 is not UTF-8; save the text as UTF-8, or choose its encoding."),
        (f"tag,name\nx,{'ü' * 9}\ny,ü".encode()[:-1], "row 3: the byte 0xc3 is not UTF-8"),
        ("tag,name\nx,ü\n".encode("utf-16")[:-1], "row 2: the byte 0x0a is not UTF-16 LE"),
        (b"tag,name\nx,\0\n", "row 2: it contains a NUL character"),
        (b'{"type":\n"\x81"}', "line 2: the byte 0x81 is not UTF-8"),
        (b"<kml>\n<a>\x81</a></kml>", "line 2: the byte 0x81 is not UTF-8"),
        (b'<?xml version="1.0" encoding="windows-1252"?>\n<kml>\x81</kml>', "line 2: the byte 0x81 is not in the"),
    ],
)
def test_bytes_that_are_no_text_are_refused_with_their_row(data: bytes, message: str) -> None:
    assert refusal(data).startswith(message)


def test_a_format_with_one_encoding_has_none_to_choose() -> None:
    message = refusal(b"SQLite format 3\0" + b"\0" * 100, Encoding.LATIN_1)
    assert message == "encoding: only text files and Shapefiles have one to choose, and this file is neither."


words = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=200)


@given(words)
def test_utf_8_is_recognised(text: str) -> None:
    assert recognised(text.encode()) is Encoding.UTF_8
    assert recognised(text.encode("utf-8-sig")) is Encoding.UTF_8


@given(words, st.sampled_from(["utf-16-le", "utf-16-be"]))
def test_utf_16_is_recognised_by_its_mark_or_its_zero_bytes(text: str, codec: str) -> None:
    marked = f"\ufeff{text}".encode(codec)
    assert recognised(marked).value == codec
    table = f"name,value\n{text},1\n"
    assert recognised(table.encode(codec)).value == codec
