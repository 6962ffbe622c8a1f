"""Downloads of regions from a fake Geofabrik server."""

import hashlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.areas.library import AreaLibrary
from engine.areas.regions import INDEX_VARIABLE, DownloadFailed, Region, Regions
from engine.domain.errors import Conflict, NotFound
from engine.domain.ports import Cancelled, no_progress
from tests.engine.areas.geofabrik import Geofabrik, playing

pytestmark = pytest.mark.slow


@pytest.fixture
def server(town_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Geofabrik]:
    monkeypatch.setattr("engine.areas.regions._WAIT_S", 0.01)
    with playing(town_file.read_bytes()) as geofabrik:
        monkeypatch.setenv(INDEX_VARIABLE, f"{geofabrik.url}/index.json")
        yield geofabrik


@pytest.fixture
def regions(server: Geofabrik) -> Iterator[Regions]:
    with Regions() as connection:
        yield connection


@pytest.fixture
def region(regions: Regions) -> Region:
    return regions.find("town")


@pytest.mark.parametrize("name", ["isle-of-man", "europe/isle-of-man", "Isle of Man", " EUROPE/Isle-of-Man/ "])
def test_a_region_has_an_id_a_path_and_a_name(regions: Regions, name: str) -> None:
    assert regions.find(name).id == "isle-of-man"
    assert regions.find("us/vermont") == regions.find("vermont")


def test_an_unknown_region_is_reported_with_a_suggestion(regions: Regions) -> None:
    with pytest.raises(NotFound, match="did you mean isle-of-man") as refused:
        regions.find("isle-of-mann")
    assert refused.value.param == "region"


def test_a_download(regions: Regions, region: Region, server: Geofabrik, tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    file = regions.download(region, tmp_path, lambda *step: progress.append(step))
    assert file.read_bytes() == server.extract
    assert progress[-1] == (len(server.extract), len(server.extract))
    assert server.ranges == [None]
    assert regions.download(region, tmp_path, no_progress) == file
    assert server.ranges == [None], "it was there"


def test_a_download_that_breaks_off_is_continued(
    regions: Regions, region: Region, server: Geofabrik, tmp_path: Path
) -> None:
    server.break_after = [300, 100]
    file = regions.download(region, tmp_path, no_progress)
    assert file.read_bytes() == server.extract
    assert server.ranges == [None, "bytes=300-", "bytes=400-"]


def test_the_next_attempt_resumes_the_last_one(
    regions: Regions, region: Region, server: Geofabrik, tmp_path: Path
) -> None:
    server.break_after = [300, 0, 0, 0, 0]
    with pytest.raises(DownloadFailed, match="300 bytes are kept"):
        regions.download(region, tmp_path, no_progress)
    server.break_after = []
    assert regions.download(region, tmp_path, no_progress).read_bytes() == server.extract
    assert server.ranges[-1] == "bytes=300-"


def test_a_server_without_ranges_sends_all_again(
    regions: Regions, region: Region, server: Geofabrik, tmp_path: Path
) -> None:
    server.with_ranges = False
    server.break_after = [300]
    assert regions.download(region, tmp_path, no_progress).read_bytes() == server.extract


@pytest.mark.parametrize("at", ["/index.json", "/town-latest.osm.pbf.md5", "/town-latest.osm.pbf"])
def test_waiting_for_a_server_that_sends_nothing_can_be_cancelled(server: Geofabrik, tmp_path: Path, at: str) -> None:
    server.silent_at = at

    def stop(_done: int, _total: int) -> None:
        if server.silent.is_set():
            raise Cancelled

    with pytest.raises(Cancelled):
        AreaLibrary(tmp_path).add("town", stop)
    kept = sum(part.stat().st_size for part in tmp_path.rglob("*.part"))
    assert kept == (len(server.extract) // 2 if at.endswith(".pbf") else 0)
    server.silent_at = None
    with Regions() as connection:
        region = connection.find("town")
        assert (
            connection.download(region, tmp_path / "areas" / ".downloads", no_progress).read_bytes() == server.extract
        )


def test_a_cancelled_download_is_continued(regions: Regions, region: Region, server: Geofabrik, tmp_path: Path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        regions.download(region, tmp_path, stop)
    assert regions.download(region, tmp_path, no_progress).read_bytes() == server.extract
    assert server.ranges[1:] == [f"bytes={len(server.extract)}-"]


def test_a_wrong_checksum_is_reported_and_nothing_is_kept(
    regions: Regions, region: Region, server: Geofabrik, tmp_path: Path
) -> None:
    server.checksum = "0" * 32
    with pytest.raises(DownloadFailed, match="does not match its checksum"):
        regions.download(region, tmp_path, no_progress)
    assert list(tmp_path.iterdir()) == []


def test_a_part_of_an_older_extract_is_thrown_away(
    regions: Regions, region: Region, server: Geofabrik, tmp_path: Path
) -> None:
    server.break_after = [300, 0, 0, 0, 0]
    with pytest.raises(DownloadFailed):
        regions.download(region, tmp_path, no_progress)
    server.break_after = []
    server.extract += b"newer"
    server.checksum = hashlib.md5(server.extract).hexdigest()
    file = regions.download(region, tmp_path, no_progress)
    assert file.read_bytes() == server.extract
    assert list(tmp_path.iterdir()) == [file]
    assert server.ranges[-1] is None


def test_a_region_without_an_extract_is_reported(regions: Regions, server: Geofabrik, tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match=r"isle-of-man-latest.osm.pbf returned the status 404"):
        regions.download(regions.find("isle-of-man"), tmp_path, no_progress)


@pytest.mark.parametrize("path", ["/town-latest.osm.pbf", "/none.json"])
def test_an_invalid_index_is_reported(server: Geofabrik, path: str) -> None:
    with Regions(server.url + path) as regions, pytest.raises(DownloadFailed):
        regions.find("town")


def test_a_missing_network_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with Regions(f"http://127.0.0.1:{port}/index.json") as regions, pytest.raises(DownloadFailed) as failed:
        regions.find("town")
    assert f"127.0.0.1:{port}" in failed.value.message
    assert "Check the network connection." in failed.value.message


def test_an_area_is_added_by_its_region(server: Geofabrik, tmp_path: Path) -> None:
    library = AreaLibrary(tmp_path, bundled=tmp_path / "none")
    server.break_after = [300]
    progress: list[int] = []
    area = library.add("The Town", lambda done, _total: progress.append(done))
    assert (area.name, area.source) == ("town", "town")
    assert progress == sorted(progress)
    assert 50 in progress, "half of the work is the download"
    assert progress[-1] == 100
    assert (area.folder / "source.osm.pbf").read_bytes() == server.extract
    assert (area.folder / "source.osm.pbf").stat().st_nlink == 1
    assert list((tmp_path / "areas" / ".downloads").iterdir()) == []
    with pytest.raises(Conflict):
        library.add("town")
