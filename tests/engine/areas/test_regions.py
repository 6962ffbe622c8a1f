"""Downloading regions from a server that plays Geofabrik."""

import hashlib
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import orjson
import pytest

from engine.areas.library import AreaLibrary
from engine.areas.regions import INDEX_VARIABLE, DownloadFailed, Region, Regions
from engine.domain.errors import Conflict, NotFound
from engine.domain.ports import Cancelled, no_progress


class Geofabrik(ThreadingHTTPServer):
    """Has an index, an extract and its checksum; breaks off the answers it is told to."""

    daemon_threads = True

    def __init__(self, extract: bytes) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.extract = extract
        self.checksum = hashlib.md5(extract).hexdigest()
        self.break_after: list[int] = []
        self.ranges: list[str | None] = []
        self.with_ranges = True

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_port}"

    def index(self) -> dict[str, Any]:
        """Regions as Geofabrik describes them."""
        about = [
            {"id": "europe", "name": "Europe"},
            {"id": "town", "parent": "europe", "name": "The Town"},
            {"id": "us/vermont", "parent": "us", "name": "Vermont"},
            {"id": "isle-of-man", "parent": "europe", "name": "Isle of Man"},
        ]
        return {
            "type": "FeatureCollection",
            "features": [
                {"type": "Feature", "properties": each | {"urls": {"pbf": f"{self.url}/{each['id']}-latest.osm.pbf"}}}
                for each in about
            ],
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Geofabrik

    def do_GET(self) -> None:
        if self.path == "/index.json":
            self._send(orjson.dumps(self.server.index()))
        elif self.path.endswith(".md5"):
            self._send(f"{self.server.checksum}  town-latest.osm.pbf\n".encode())
        elif self.path == "/town-latest.osm.pbf":
            self._send_extract()
        else:
            self.send_error(404)

    def _send(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send_extract(self) -> None:
        asked = self.headers.get("Range")
        self.server.ranges.append(asked)
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.server.with_ranges else 0
        body = self.server.extract[start:]
        if asked and not body:
            self.send_error(416)
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.server.break_after:
            self.wfile.write(body[: self.server.break_after.pop(0)])
            self.close_connection = True
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)
        else:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(town_file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Geofabrik]:
    geofabrik = Geofabrik(town_file.read_bytes())
    monkeypatch.setenv(INDEX_VARIABLE, f"{geofabrik.url}/index.json")
    monkeypatch.setattr("engine.areas.regions._WAIT_S", 0.01)
    thread = threading.Thread(target=geofabrik.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield geofabrik
    geofabrik.shutdown()
    geofabrik.server_close()
    thread.join()


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


def test_an_unknown_region_is_told_with_one_that_may_be_meant(regions: Regions) -> None:
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


def test_the_next_attempt_continues_where_the_last_one_ended(
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


def test_a_cancelled_download_is_continued(regions: Regions, region: Region, server: Geofabrik, tmp_path: Path) -> None:
    def stop(_done: int, _total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        regions.download(region, tmp_path, stop)
    assert regions.download(region, tmp_path, no_progress).read_bytes() == server.extract
    assert server.ranges[1:] == [f"bytes={len(server.extract)}-"]


def test_a_wrong_checksum_is_told_and_nothing_is_kept(
    regions: Regions, region: Region, server: Geofabrik, tmp_path: Path
) -> None:
    server.checksum = "0" * 32
    with pytest.raises(DownloadFailed, match="does not fit its checksum"):
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


def test_a_region_without_an_extract_is_told(regions: Regions, server: Geofabrik, tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match=r"isle-of-man-latest.osm.pbf answered 404"):
        regions.download(regions.find("isle-of-man"), tmp_path, no_progress)


@pytest.mark.parametrize("path", ["/town-latest.osm.pbf", "/none.json"])
def test_what_is_no_index_is_told(server: Geofabrik, path: str) -> None:
    with Regions(server.url + path) as regions, pytest.raises(DownloadFailed):
        regions.find("town")


def test_without_a_network_it_says_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with Regions(f"http://127.0.0.1:{port}/index.json") as regions, pytest.raises(DownloadFailed) as failed:
        regions.find("town")
    assert f"127.0.0.1:{port}" in failed.value.message
    assert "Is there a network?" in failed.value.message


def test_an_area_is_added_by_its_region(server: Geofabrik, tmp_path: Path) -> None:
    library = AreaLibrary(tmp_path, bundled=tmp_path / "none")
    server.break_after = [300]
    progress: list[int] = []
    area = library.add("The Town", lambda done, _total: progress.append(done))
    assert (area.name, area.source) == ("town", "town")
    assert progress == sorted(progress)
    assert (area.folder / "source.osm.pbf").read_bytes() == server.extract
    assert (area.folder / "source.osm.pbf").stat().st_nlink == 1
    assert list((tmp_path / "areas" / ".downloads").iterdir()) == []
    with pytest.raises(Conflict):
        library.add("town")
