"""Tables and workspaces that are large enough for a stop in the middle of the work."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.imports import ImportFile
from tests.app.program import Program
from tests.app.stops.middle import temporary_files_of
from tests.engine.areas.extracts import town

ROWS = 20_000
BEACON_HEADER = "description,type,tag,externalId,uuid,major,minor,latitude,longitude\n"
HEADER = "description,type,tag,externalId,coordinates,radius\n"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of many geofences."""
    file = tmp_path_factory.mktemp("stops") / "table.csv"
    places = ((14 + number % 200 / 100, 45 + number // 200 / 100) for number in range(ROWS))
    rows = (f'Shop,circle,store,e{at},"[{x:.2f},{y:.2f}]",150\n' for at, (x, y) in enumerate(places))
    file.write_text(HEADER + "".join(rows), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def beacon_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of many beacons."""
    file = tmp_path_factory.mktemp("stops") / "beacons.csv"
    uuid = "b9407f30-f5f8-466e-aff9-25556b57fe6d"
    rows = (f"Door,ibeacon,door,e{number},{uuid},1,{number},45,14\n" for number in range(ROWS))
    file.write_text(BEACON_HEADER + "".join(rows), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def drawing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A KML file of many geofences, which is read by a separate process."""
    file = tmp_path_factory.mktemp("stops") / "drawing.kml"
    marks = (
        f"<Placemark><name>Shop</name><ExtendedData><Data name='tag'><value>store</value></Data>"
        f"<Data name='externalId'><value>e{number}</value></Data><Data name='radius'><value>150</value></Data>"
        f"</ExtendedData><Point><coordinates>{14 + number % 200 / 100:.2f},{45 + number // 200 / 100:.2f}</coordinates>"
        "</Point></Placemark>"
        for number in range(ROWS)
    )
    head = '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>'
    file.write_text(head + "".join(marks) + "</Document></kml>", encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def town_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extract of a small town."""
    return town().write(tmp_path_factory.mktemp("extract") / "town.osm.pbf")


@pytest.fixture(scope="module")
def original(table: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with these geofences in Test."""
    folder = tmp_path_factory.mktemp("stops") / "w"
    with WorkspaceSession(folder) as session:
        session.engine.imports.run(Environment.TEST, ImportFile(table.read_bytes(), table.name))
    return folder


@pytest.fixture
def filled(original: Path, tmp_path: Path) -> Path:
    """A copy of that workspace."""
    return Path(copytree(original, tmp_path / "w"))


@pytest.fixture
def temporary(program: Program, tmp_path: Path) -> Iterator[Path]:
    """The folder of the program's temporary files, which must be empty at the end."""
    with temporary_files_of(program, tmp_path / "temporary") as folder:
        yield folder
