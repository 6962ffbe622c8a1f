"""Builds of an area with the real programs: the results, and the files left after a failure."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.areas.basemap import draw_tiles, write_features
from engine.areas.build import measure_area
from engine.areas.builder import run_build
from engine.areas.extract import bounds_of, is_sorted
from engine.areas.folder import FORMAT, SOURCE, read_area, read_areas
from engine.domain.area import Area
from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.ports import Cancelled, no_progress
from tests.engine.areas.extracts import Extract, closed, place, town
from tests.engine.areas.gazetteers import lying, query
from tests.engine.areas.reading import features, way

pytestmark = pytest.mark.slow


def build(file: Path, areas: Path, name: str = "area") -> Area:
    run_build(file, areas, name, source=file.name, progress=no_progress)
    area = read_area(areas / name)
    assert area is not None
    return area


def test_an_area_describes_itself(town_area: Area, town_file: Path) -> None:
    west, south, east, north = town_area.bounds
    assert (west, south) == pytest.approx(place(0, 0))
    assert (east, north) == pytest.approx(place(5, 5.5))
    assert (town_area.name, town_area.source, town_area.format) == ("town", "town-latest.osm.pbf", FORMAT)
    assert {file.name for file in town_area.folder.iterdir()} == {
        *("area.json", "roads.tar", "basemap.pmtiles", "gazetteer.sqlite", "source.osm.pbf", "ends.npy")
    }
    assert (town_area.folder / SOURCE).read_bytes() == town_file.read_bytes()
    assert town_area.size_bytes == sum(file.stat().st_size for file in town_area.folder.iterdir())


def test_its_content_can_be_found(town_area: Area) -> None:
    assert town_area.gazetteer == town_area.folder / "gazetteer.sqlite"
    names = {name for (name,) in query(town_area.gazetteer, "SELECT name FROM streets")}
    assert names == {f"{kind} {number}" for kind in ("Avenue", "Road") for number in range(6)}
    assert {lies.city for lies in lying(town_area.gazetteer, "streets", "Road 3")} == {"Gridton"}
    assert query(town_area.gazetteer, "SELECT name FROM places ORDER BY 1") == [("Green",), ("Pond",)]


def test_there_are_ways_in_it(town_area: Area) -> None:
    blocks = way(town_area.roads, place(0, 0), place(3, 2))["length"] * 1000
    # A block is 78 m from west to east and 111 m from south to north.
    assert blocks == pytest.approx(3 * 77.8 + 2 * 111.1, rel=0.02)


def test_its_map_has_the_features_of_the_extract(town_area: Area) -> None:
    found = {
        (layer, shown["kind"], shown.get("name"))
        for layer, shown in features(town_area, 14)
        if layer not in ("roads", "places", "street_names")
    }
    assert found == {
        ("area_names", "water", "Pond"),
        ("area_names", "park", "Green"),
        ("water", "water", "Pond"),
        ("buildings", "building", None),
        ("land", "park", "Green"),
        ("railways", "rail", None),
    }
    roads = {(shown["kind"], shown["name"]) for layer, shown in features(town_area, 14) if layer == "roads"}
    assert roads == {("minor", f"Avenue {n}") for n in range(6)} | {("secondary", f"Road {n}") for n in range(6)}
    places = [shown for layer, shown in features(town_area, 14) if layer == "places"]
    assert places == [{"kind": "town", "name": "Gridton", "population": 1200}]
    far = {(layer, shown["kind"]) for layer, shown in features(town_area, 10)}
    assert ("roads", "secondary") in far
    assert ("roads", "minor") not in far


def test_an_unsorted_extract_gives_the_same_area(town_area: Area, tmp_path: Path) -> None:
    file = town().write(tmp_path / "town.osm.pbf", backwards=True)
    assert not is_sorted(file)
    area = build(file, tmp_path / "areas")
    ends = place(0, 0), place(5, 4)
    assert way(area.roads, *ends)["length"] == way(town_area.roads, *ends)["length"]
    assert sorted(map(str, features(area, 14))) == sorted(map(str, features(town_area, 14)))


def test_an_extract_may_be_xml_and_lack_nodes(tmp_path: Path) -> None:
    file = town().write(tmp_path / "town.osm", without=frozenset({3}))
    area = build(file, tmp_path / "areas")
    # The third vertex of Avenue 0 is missing: the map shows the rest of it, and the route leads around it.
    assert ("roads", {"kind": "minor", "name": "Avenue 0"}) in list(features(area, 14))
    assert way(area.roads, place(0, 3), place(0, 5))["length"] * 1000 == pytest.approx(222 + 2 * 78, rel=0.02)


@pytest.mark.parametrize("new_from", [1, 20], ids=["all", "some"])
@pytest.mark.parametrize("name", ["town.osm", "town.osm.pbf"])
def test_objects_may_have_negative_ids(name: str, new_from: int, town_area: Area, tmp_path: Path) -> None:
    extract = town()
    extract.relation([("w", 14, "outer")], type="multipolygon", leisure="park", name="Court")
    file = extract.write(tmp_path / name, new_from=new_from)
    area = build(file, tmp_path / "areas")
    assert area.bounds == town_area.bounds
    ends = place(0, 0), place(5, 4)
    assert way(area.roads, *ends)["length"] == way(town_area.roads, *ends)["length"]
    assert area.gazetteer is not None
    assert query(area.gazetteer, "SELECT name FROM places ORDER BY 1") == [("Court",), ("Green",), ("Pond",)]
    shown = [(layer, kind["kind"]) for layer, kind in features(area, 14) if layer == "roads"]
    assert sorted(shown) == sorted((layer, kind["kind"]) for layer, kind in features(town_area, 14) if layer == "roads")


def test_an_area_with_negative_ids_can_be_measured(tmp_path: Path) -> None:
    area = build(town().write(tmp_path / "town.osm.pbf", new_from=1), tmp_path / "areas")
    assert area.ends is not None
    before = area.ends.read_bytes()
    area.ends.unlink()
    measure_area(area.folder)
    assert area.ends.read_bytes() == before


@pytest.mark.parametrize("most_bytes", [1_500_000, 400])
def test_features_are_left_out_only_of_tiles_that_are_too_large(
    most_bytes: int, town_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.areas.basemap._MAX_TILE_BYTES", most_bytes)
    bounds = bounds_of(town_file)
    assert bounds is not None
    written = write_features(town_file, bounds, tmp_path, no_progress)
    (tmp_path / "area").mkdir()
    drawn = draw_tiles(written, tmp_path / "area", tmp_path, "town", no_progress)
    assert drawn is not None
    assert (drawn.stat().st_size > 3_400) is (most_bytes > 1_000)


def test_the_sea_is_on_the_map(tmp_path: Path) -> None:
    extract = town()
    extract.line(place(5, 4.5), place(0, 4.5), natural="coastline")
    area = build(extract.write(tmp_path / "coast.osm.pbf"), tmp_path / "areas")
    assert ("water", {"kind": "sea"}) in list(features(area, 8))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda file: None, "no such file"),
        (lambda file: file.mkdir(), "this is a folder"),
        (lambda file: file.write_text("no extract"), "is not an OpenStreetMap extract"),
        (lambda file: file.write_bytes(b""), "is not an OpenStreetMap extract"),
        (lambda file: file.write_bytes(town().write(file).read_bytes()[:-40]), "or it is damaged"),
        (lambda file: Extract().write(file), "contains no positions"),
    ],
    ids=["missing", "folder", "text", "empty", "cut off", "nothing in it"],
)
def test_an_invalid_extract_is_reported_and_leaves_nothing(
    make: Callable[[Path], object], words: str, tmp_path: Path
) -> None:
    file = tmp_path / "bad.osm.pbf"
    make(file)
    with pytest.raises(InvalidParameter, match=words) as refused:
        build(file, tmp_path / "areas")
    assert refused.value.param == "file"
    assert remains(tmp_path / "areas") == []


@pytest.mark.parametrize("cut", [False, True], ids=["none", "none that is whole"])
def test_an_area_without_roads_has_addresses_and_a_map(cut: bool, tmp_path: Path) -> None:
    extract = Extract()
    closed(extract, 0, 0, 1, 1, building="yes", **{"addr:housenumber": "3", "addr:street": "Mill Lane"})
    extract.node(*place(3, 3), place="town", name="Gridton")
    if cut:
        extract.way([extract.node(*place(2, 2)), 900, 901], highway="residential", name="Mill Lane")
    area = build(extract.write(tmp_path / "houses.osm.pbf"), tmp_path / "areas")
    assert area.roads is None
    assert area.gazetteer is not None
    assert query(area.gazetteer, "SELECT number FROM houses") == [("3",)]
    assert ("buildings", {"kind": "building"}) in list(features(area, 14))
    assert {file.name for file in area.folder.iterdir()} == {
        *("area.json", "basemap.pmtiles", "gazetteer.sqlite", "source.osm.pbf", "ends.npy")
    }


def test_an_area_of_addresses_alone_has_no_map(tmp_path: Path) -> None:
    extract = Extract()
    extract.nodes.append((*place(1, 1), {"addr:housenumber": "5", "addr:street": "Elm Street"}))
    extract.nodes.append((*place(2, 2), {"addr:housenumber": "7", "addr:street": "Elm Street"}))
    area = build(extract.write(tmp_path / "addresses.osm.pbf"), tmp_path / "areas")
    assert (area.roads, area.basemap) == (None, None)
    assert area.gazetteer is not None
    assert query(area.gazetteer, "SELECT number FROM houses") == [("5",), ("7",)]


def test_a_name_that_is_taken_is_refused_and_the_area_stays(town_file: Path, tmp_path: Path) -> None:
    (tmp_path / "areas" / "town").mkdir(parents=True)
    kept = tmp_path / "areas" / "town" / "area.json"
    kept.write_text("{}")
    with pytest.raises(Conflict) as refused:
        build(town_file, tmp_path / "areas", "town")
    assert refused.value.param == "name"
    assert kept.read_text() == "{}"
    assert remains(tmp_path / "areas") == ["town"]


def test_a_cancelled_build_ends_its_programs_and_leaves_nothing(town_file: Path, tmp_path: Path) -> None:
    seen: list[int] = []

    def stop(done: int, _total: int) -> None:
        seen.append(done)
        if done >= 20:
            raise Cancelled

    with pytest.raises(Cancelled):
        run_build(town_file, tmp_path / "areas", "town", source="x", progress=stop)
    assert seen == sorted(seen)
    assert remains(tmp_path / "areas") == []
    assert processes_about(tmp_path) == []


def test_a_killed_build_is_cleaned_up_when_areas_are_read(town_file: Path, tmp_path: Path) -> None:
    areas = tmp_path / "areas"
    with _builder(town_file, areas) as process:
        _wait_until(lambda: any(areas.glob(".building-*/source.osm.pbf")))
        assert read_areas(areas) == ()
        assert any(areas.glob(".building-*")), "a build under way was cleared up"
        process.kill()
    assert read_areas(areas) == ()
    assert remains(areas) == []


def test_a_build_ends_with_its_parent(town_file: Path, tmp_path: Path) -> None:
    areas = tmp_path / "areas"
    parent = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "from engine.areas.builder import run_build; from pathlib import Path; import sys;"
            "run_build(Path(sys.argv[1]), Path(sys.argv[2]), 'town', source='x', progress=lambda *_: None)",
            *(str(town_file), str(areas)),
        ]
    )
    with parent:
        _wait_until(lambda: any(areas.glob(".building-*/source.osm.pbf")))
        assert processes_about(tmp_path)
        parent.send_signal(signal.SIGKILL)
    _wait_until(lambda: not processes_about(tmp_path))
    # An ending process has no command line any more, but keeps its lock for a moment.
    _wait_until(lambda: read_areas(areas) == () and remains(areas) == [])


@pytest.mark.usefixtures("real_extracts")
@pytest.mark.timeout(400)
def test_a_real_country_whose_borders_can_be_avoided(built_areas: Path) -> None:
    area = read_area(built_areas / "liechtenstein")
    assert area is not None
    assert area.bounds == pytest.approx((9.471, 47.048, 9.636, 47.271), abs=0.001)
    # Schaan to Buchs across the Rhine, and Schaan to Vaduz.
    abroad, within = ((9.509, 47.167), (9.474, 47.167)), ((9.509, 47.167), (9.5215, 47.141))
    free = {"country_crossing_cost": 0.0, "country_crossing_penalty": 0.0}
    dear = {"country_crossing_cost": 0.0, "country_crossing_penalty": 5000.0}
    assert way(area.roads, *abroad, dear)["cost"] == pytest.approx(way(area.roads, *abroad, free)["cost"] + 5000)
    assert way(area.roads, *within, dear)["cost"] == pytest.approx(way(area.roads, *within, free)["cost"])
    named = {shown.get("name") for layer, shown in features(area, 14) if layer == "roads"}
    assert {"Städtle", "Landstrasse"} <= named
    assert {"city", "town", "village"} & {shown["kind"] for layer, shown in features(area, 10) if layer == "places"}


def remains(areas: Path) -> list[str]:
    """Return the contents of a folder of areas except its lock."""
    return sorted(path.name for path in areas.glob("*") if path.name != ".lock") if areas.exists() else []


def processes_about(folder: Path) -> list[str]:
    """Return the commands of the processes that mention a folder."""
    commands = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = process.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if str(folder) in command and int(process.parent.name) != os.getpid():
            commands.append(command)
    return commands


def _builder(file: Path, areas: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "engine.areas.build", str(file), str(areas), "town", "--source", "x"]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True)


def _wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
