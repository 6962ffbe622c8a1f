"""Limits of files that GDAL reads: features, positions and text, in batches and with bounded memory."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import orjson
import pytest
import shapely
from pyogrio import raw

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import MAX_RING_POSITIONS
from engine.domain.ports import no_progress
from engine.tabular.formats import opening, vector
from engine.tabular.formats.archives import pack
from engine.tabular.formats.batches import BATCH_BYTES, MAX_FEATURE_BYTES, Batches
from engine.tabular.formats.features import Cut, batches_of
from engine.tabular.formats.opening import open_source
from engine.tabular.formats.source import MAX_CELL, MEMORY_OF_FILE, MEMORY_OF_SYNC, FileFormat, Source, cpu_s, within_s

WRAPPER = '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>{}</Document></kml>'
FILE_BYTES = 24_000_000


def read(data: bytes, memory: int = MEMORY_OF_SYNC, layer: str | None = None) -> Source:
    return open_source(data, "a file", layer, no_progress, memory)


def placemark(number: int, inner: str = "<Point><coordinates>9.5,47.1</coordinates></Point>", data: str = "") -> str:
    return f"<Placemark><name>Store {number}</name>{data}{inner}</Placemark>\n"


def kml(*placemarks: str) -> bytes:
    return WRAPPER.format("".join(placemarks)).encode()


def polygon(positions: int) -> str:
    angles = np.linspace(0, 2 * np.pi, positions - 1, endpoint=False)
    ring = [f"{9 + np.cos(angle) / 100:.7f},{47 + np.sin(angle) / 100:.7f}" for angle in angles]
    coordinates = " ".join([*ring, ring[0]])
    return (
        f"<Polygon><outerBoundaryIs><LinearRing><coordinates>{coordinates}</coordinates></LinearRing></outerBoundaryIs>"
        "</Polygon>"
    )


def large(piece: str) -> bytes:
    """Return a KML file of the size that took 1.5 GB in the nightly sync."""
    return kml(*(piece for _ in range(FILE_BYTES // len(piece))))


@pytest.mark.slow
@pytest.mark.parametrize(
    "make_piece",
    [
        lambda: placemark(1),
        lambda: placemark(1, polygon(MAX_RING_POSITIONS)),
        lambda: placemark(1, data=f"<description>{'x' * 20_000}</description>"),
    ],
    ids=["points", "rings", "texts"],
)
def test_a_large_file_of_the_nightly_sync_is_read_in_its_memory(make_piece: Callable[[], str]) -> None:
    piece = make_piece()
    source = read(large(piece))
    assert len(source.rows) == FILE_BYTES // len(piece)
    assert all(row.fault is None and row.parts for row in source.rows)


@pytest.mark.slow
def test_a_large_file_in_a_wide_encoding_is_read_in_its_memory() -> None:
    body = "".join(placemark(number) for number in range(100_000))
    wide = pack([("doc.kml", WRAPPER.replace('"1.0"', '"1.0" encoding="UTF-16"').format(body).encode("utf-16"))])
    assert len(read(wide).rows) == 100_000


@pytest.mark.parametrize("memory", [MEMORY_OF_SYNC, MEMORY_OF_FILE])
@pytest.mark.slow
def test_a_giant_feature_is_an_error_of_its_row(memory: int) -> None:
    rows = read(kml(placemark(1), placemark(2, polygon(1_000_000)), placemark(3)), memory).rows
    assert [row.number for row in rows] == [1, 2, 3]
    assert [row.fault for row in rows] == [None, "The feature takes 20.0 MB; at most 8 MB are allowed.", None]
    assert [row.values.get("Name") for row in rows] == ["Store 1", None, "Store 3"]


@pytest.mark.parametrize(
    ("make_inner", "fault"),
    [
        (lambda: polygon(370_000), "a polygon of 370,000 positions cannot be read; at most 200,000 can"),
        (lambda: f"<MultiGeometry>{polygon(5) * 36_000}</MultiGeometry>", "at most 10,000 parts are allowed"),
    ],
    ids=["ring", "parts"],
)
def test_the_largest_feature_is_read_in_the_memory_of_the_nightly_sync(
    make_inner: Callable[[], str], fault: str
) -> None:
    data = kml(placemark(1, make_inner()), placemark(2))
    assert 7 * 1024**2 < len(data) < MAX_FEATURE_BYTES
    first, second = read(data).rows
    assert fault in (first.fault or "")
    assert second.fault is None


def feature(number: int, geometry: object, **properties: object) -> dict[str, object]:
    return {"type": "Feature", "id": number, "properties": {"tag": "shop", **properties}, "geometry": geometry}


def collection(*features: object, **others: object) -> bytes:
    return orjson.dumps({"type": "FeatureCollection", **others, "features": features, "bbox": [0, 0, 1, 1]})


POINT: dict[str, object] = {"type": "Point", "coordinates": [9.5, 47.1, 400]}
RING = [[9, 47], [9.1, 47], [9.1, 47.1], [9, 47]]
FEATURES = [
    feature(1, POINT),
    feature(2, {"type": "Polygon", "coordinates": [RING]}, name='a "quoted" \\ {name} [with] features'),
    feature(3, {"type": "MultiPolygon", "coordinates": [[RING], [RING]]}, features=[{"features": []}]),
    feature(4, {"type": "LineString", "coordinates": RING}, other=1.5),
    feature(5, None, tag=None),
    feature(6, {"type": "Polygon", "coordinates": [RING, RING]}),
    {"type": "Point"},
    feature(8, {"type": "Point", "coordinates": ["x", 1]}),
]


@pytest.mark.parametrize("others", [{}, {"crs": {"properties": {"name": "EPSG:3857"}}}], ids=["degrees", "metres"])
def test_a_large_geojson_is_read_as_a_small_one(monkeypatch: pytest.MonkeyPatch, others: dict[str, object]) -> None:
    data = collection(*FEATURES * 3_000, **others)
    batched = read(data)
    monkeypatch.setattr(opening, "LARGE", len(data))
    whole = read(data)
    assert len(batched.rows) == 24_000
    assert batched == whole


@pytest.mark.parametrize("spaced", [orjson.OPT_INDENT_2, 0])
@pytest.mark.parametrize("document", [{"features": [], "type": "FeatureCollection"}, FEATURES[1]])
def test_a_document_without_features_to_split_is_read_whole(
    monkeypatch: pytest.MonkeyPatch, document: dict[str, object], spaced: int
) -> None:
    data = orjson.dumps(document, option=spaced)
    small = read(data)
    monkeypatch.setattr(opening, "LARGE", 0)
    assert read(data) == small


@pytest.mark.parametrize(
    "wrong",
    [
        b'{"type":"FeatureCollection","features":[\n{"type":"Feature"},\n{"type":Feature}\n]}',
        b'{"type":"FeatureCollection","features":[{"type":"Feature"},{"type":Feature}]}',
        b'{"type":"FeatureCollection","features":[{"type":"Feature"},{"type":"Feature"',
        b'{"type":"FeatureCollection","features":[{"type":"Feature"}}',
        b'{"type":"FeatureCollection","features":[{"type":"Feature"},,{"type":"Feature"}]}',
        b'{"type":"FeatureCollection","features":[{"type":"Feature"} "x" {"type":"Feature"}]}',
        b'{"type":"FeatureCollection","features":[{"type":"Feature","id":' + b"[" * 200 + b"]" * 200 + b"}]}",
        b'{"type":"Collection","features":[{"type":"Feature"}]}',
        b'{"type":"FeatureCollection","features":[1,null,{"type":"Feature"}]}',
        b'{"type":"FeatureCollection","features":{"a":[{"type":"Feature"}]}}',
    ],
)
def test_a_large_geojson_with_faults_is_refused_as_a_small_one(monkeypatch: pytest.MonkeyPatch, wrong: bytes) -> None:
    def outcome() -> object:
        try:
            return read(wrong)
        except InvalidParameter as error:
            return error.param, error.message

    small = outcome()
    monkeypatch.setattr(opening, "LARGE", 0)
    assert outcome() == small


@pytest.mark.slow
def test_a_giant_feature_of_geojson_is_an_error_of_its_row() -> None:
    giant = feature(2, {"type": "Polygon", "coordinates": [RING * 300_000]})
    rows = read(collection(feature(1, POINT), giant, feature(3, POINT))).rows
    assert [row.number for row in rows] == [1, 2, 3]
    assert [bool(row.fault) for row in rows] == [False, True, False]
    assert "MB; at most 8 MB are allowed." in (rows[1].fault or "")


def test_a_feature_of_geojson_may_have_exactly_the_most_bytes() -> None:
    data = collection(feature(1, POINT))
    cut = Cut(data)
    size = cut.ends[0] - cut.starts[0]
    assert [row.fault for rows in batches_of(data, cut, size) for row in rows] == [None]
    (row,) = (row for rows in batches_of(data, cut, size - 1) for row in rows)
    assert (row.number, (row.fault or "").split(" takes ")[0]) == (1, "The feature")


@pytest.mark.parametrize("memory", [MEMORY_OF_SYNC, MEMORY_OF_FILE])
def test_a_ring_of_too_many_positions_is_an_error_of_its_row(memory: int) -> None:
    sizes = (MAX_RING_POSITIONS, MAX_RING_POSITIONS + 1, 200_001)
    rows = read(kml(*(placemark(1, polygon(size)) for size in sizes)), memory).rows
    assert [row.fault for row in rows] == [
        None,
        None,  # an import can simplify it
        "coordinates: a polygon of 200,001 positions cannot be read; at most 200,000 can.",
    ]
    assert rows[2].parts is None


def test_a_text_that_is_too_long_is_an_error_of_its_row() -> None:
    texts = ("x" * MAX_CELL, "x" * (MAX_CELL + 1))
    rows = read(kml(*(placemark(1, data=f"<description>{text}</description>") for text in texts))).rows
    assert rows[0].fault is None
    assert rows[1].fault == "description: may have at most 1,000,000 characters, not 1,000,001."
    assert rows[1].fault_column == "description"


def test_features_of_all_batches_come_in_their_order_with_all_columns() -> None:
    """The first batch lacks a column: its cells must be empty rather than missing, since missing ones keep a value."""
    filler = f"<description>{'x' * 10_000}</description>"
    tagged = '<ExtendedData><Data name="tag"><value>shop</value></Data></ExtendedData>'
    count = 3 * BATCH_BYTES // 10_000
    source = read(
        kml(*(placemark(number, data=filler + (tagged if number == count else "")) for number in range(count + 1)))
    )
    assert [row.values["Name"] for row in source.rows] == [f"Store {number}" for number in range(count + 1)]
    assert [row.number for row in source.rows] == list(range(1, count + 2))
    assert {row.values["tag"] for row in source.rows[:-1]} == {""}
    assert source.rows[-1].values["tag"] == "shop"
    assert "tag" in source.columns


def parts(data: bytes) -> Iterator[bytes]:
    yield from (content for content, _ in Batches(FileFormat.KML, data).documents())


def test_a_document_is_cut_at_its_features_only() -> None:
    body = (
        "<!-- <Placemark> --><Style><a/></Style><Folder><name>f &gt;</name>"
        '<Placemark id=">"/></Folder><Folder><k:Placemark xmlns:k="http://www.opengis.net/kml/2.2"/><StyleMap/></Folder>'
    )
    whole = WRAPPER.format(body).encode()
    assert len(Batches(FileFormat.KML, whole)) == 2
    assert b"".join(parts(whole)) == whole.replace(b"<Style><a/></Style>", b"").replace(b"<StyleMap/>", b"")


def test_a_wide_encoding_is_read_whole() -> None:
    data = WRAPPER.replace('"1.0"', '"1.0" encoding="UTF-16"').format(placemark(7)).encode("utf-16")
    data = pack([("doc.kml", data)])
    assert [row.values["Name"] for row in read(data).rows] == ["Store 7"]


def test_a_geopackage_is_read_in_batches(tmp_path: Path) -> None:
    file, count = tmp_path / "zones.gpkg", 25_000
    shapes = shapely.to_wkb(shapely.points(np.linspace(8, 9, count), 47))
    names = [np.array([f"n{number}" for number in range(count)], dtype=object)]
    raw.write(str(file), shapes, names, np.array(["name"]), driver="GPKG", crs="EPSG:4326", geometry_type="Point")
    rows = read(file.read_bytes()).rows
    assert [row.values["name"] for row in rows] == [f"n{number}" for number in range(count)]


def circle(positions: int) -> shapely.Polygon:
    angles = np.linspace(0, 2 * np.pi, positions - 1, endpoint=False)
    return shapely.Polygon(np.column_stack([9 + np.cos(angles) / 100, 47 + np.sin(angles) / 100]))


def test_a_giant_feature_of_a_geopackage_is_an_error_of_its_row(tmp_path: Path) -> None:
    file, positions = tmp_path / "zones.gpkg", (20, 2_000, 3_500_000, 20, 400_000, 20)
    names = np.array([f"n{number}" for number in range(len(positions))], dtype=object)
    shapes = shapely.to_wkb(np.array([circle(number) for number in positions]))
    raw.write(str(file), shapes, [names], np.array(["name"]), driver="GPKG", crs="EPSG:4326", geometry_type="Polygon")
    rows = read(file.read_bytes()).rows
    assert [row.values.get("name") for row in rows] == ["n0", "n1", None, "n3", "n4", "n5"]
    assert [row.fault for row in rows] == [
        None,
        None,
        "The feature takes 53.4 MB; at most 8 MB are allowed.",
        None,
        "coordinates: a polygon of 400,000 positions cannot be read; at most 200,000 can.",
        None,
    ]


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".gpkg", ".shp"])
def test_large_features_beside_many_small_ones_are_read_in_their_memory(tmp_path: Path, ending: str) -> None:
    """Rows of this file are small on average, but there is a run of large ones."""
    file, positions = tmp_path / f"zones{ending}", [400_000] * 12 + [5] * 2_000
    shapes = shapely.to_wkb(np.array([circle(number) for number in positions]))
    names = np.array([str(number) for number in range(len(positions))], dtype=object)
    driver = "GPKG" if ending == ".gpkg" else "ESRI Shapefile"
    raw.write(str(file), shapes, [names], np.array(["name"]), driver=driver, crs="EPSG:4326", geometry_type="Polygon")
    rows = read(pack((each.name, each.read_bytes()) for each in tmp_path.iterdir())).rows
    assert [row.values["name"] for row in rows] == names.tolist()
    assert [row.fault is None for row in rows] == [number == 5 for number in positions]


def test_a_process_that_ends_in_the_middle_of_a_line_is_an_error_of_the_file() -> None:
    command = [sys.executable, "-c", "print('{\"rows\": 2}'); print('{\"number\": 1, \"val', end='')"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        messages = vector._messages(process, FileFormat.KML, lambda: None)
        assert next(messages) == {"rows": 2}
        with pytest.raises(InvalidParameter, match="could not be read"):
            next(messages)


def test_a_process_whose_processor_time_is_over_takes_too_long() -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_CPU, (1, 6))"
    code = f"{limit}\nprint('{{\"rows\": 2}}', flush=True)\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        messages = vector._messages(process, FileFormat.KML, lambda: None)
        assert next(messages) == {"rows": 2}
        with pytest.raises(InvalidParameter, match="takes too long to read"):
            next(messages)


def test_a_process_whose_time_is_over_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector, "within_s", lambda _: 0.0)
    with pytest.raises(InvalidParameter, match="takes too long to read"):
        read(pack([("a.kml", b"<kml><Placemark/></kml>")]))


def test_a_file_that_a_person_chooses_has_more_time_than_one_of_a_sync() -> None:
    """The size of a file chosen by a user may be four times as large."""
    assert cpu_s(MEMORY_OF_FILE) > 2 * cpu_s(MEMORY_OF_SYNC)
    assert within_s(MEMORY_OF_FILE) > within_s(MEMORY_OF_SYNC) > cpu_s(MEMORY_OF_SYNC)
