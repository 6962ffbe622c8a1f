"""Histories on web servers and in buckets."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from engine.backtest.reading import buckets
from engine.backtest.reading.ranges import HistoryChanged
from engine.domain.errors import InvalidParameter
from tests.engine.backtest.reading.histories import HEADER, Rows, csv, parquet, rows, scanned, table
from tests.engine.nightly.servers import BUCKET, KEY_ID, REGION, SECRET, delete, put, s3
from tests.servers import FakeServer, ReceivedRequest, send, serving

ROW = "a,2026-01-01T00:00:00Z,9.5,47.1"
MANY = 5_000


@dataclass
class Files:
    """Files by path, of which parts can be requested if `ranges` is set."""

    content: dict[str, bytes] = field(default_factory=dict)
    ranges: bool = True
    etag: str = '"1"'
    server: FakeServer = field(default_factory=FakeServer)
    sent: int = 0

    def url(self, name: str) -> str:
        return f"{self.server.url}/{name}"

    def answer(self, handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        body = self.content.get(request.path.strip("/"))
        if body is None:
            return send(handler, 404, b"none")
        wanted = request.headers.get("range")
        if wanted is None or not self.ranges:
            return send(handler, 200, body, etag=self.etag)
        first, last = map(int, wanted.removeprefix("bytes=").split("-"))
        part = body[first : last + 1]
        self.sent += len(part)
        place = f"bytes {first}-{first + len(part) - 1}/{len(body)}"
        return send(handler, 206, part, etag=self.etag, content_range=place)


@pytest.fixture
def served() -> Iterator[Files]:
    files = Files()
    with serving(files.answer) as files.server:
        yield files


def test_files_on_web_servers(served: Files, tmp_path: Path) -> None:
    file = parquet(tmp_path / "1.parquet", table(MANY, unused=[str(number) * 20 for number in range(MANY)]))
    served.content = {"1.parquet": file.read_bytes(), "2.csv": csv(tmp_path / "2.csv", HEADER, ROW).read_bytes()}
    found = rows(served.url("1.parquet"), served.url("2.csv"))
    assert found["device"][-1] == "a"
    assert len(found["device"]) == MANY + 1


def test_large_files_on_web_servers_are_divided(served: Files, tmp_path: Path) -> None:
    served.content = {"1.csv": csv(tmp_path / "1.csv", HEADER, *[ROW] * MANY).read_bytes()}
    found = scanned(served.url("1.csv"), portion_rows=1_000)
    assert [portion.rows for portion in found.portions] == [1_000] * 5
    assert len(Rows(found)["device"]) == MANY


@pytest.mark.parametrize("count", [1, MANY])
def test_servers_that_send_whole_files_only(served: Files, tmp_path: Path, count: int) -> None:
    served.content = {"1.csv": csv(tmp_path / "1.csv", HEADER, *[ROW] * count).read_bytes()}
    served.ranges = False
    with pytest.raises(
        InvalidParameter, match=r"history: .*1.csv: the server cannot send parts of a file; download it"
    ):
        scanned(served.url("1.csv"))
    found = scanned(served.url("1.csv"), downloads=tmp_path / "downloads")
    served.content = {}
    assert found.portions[0].file == served.url("1.csv")
    assert len(Rows(found)["device"]) == count
    Path(found.portions[0].path).unlink()
    with pytest.raises(HistoryChanged):
        Rows(found)


def test_a_file_on_a_server_that_changes_or_disappears(served: Files, tmp_path: Path) -> None:
    served.content = {"1.parquet": parquet(tmp_path / "1.parquet").read_bytes()}
    found = scanned(served.url("1.parquet"))
    served.etag = '"2"'
    with pytest.raises(HistoryChanged, match=r"1.parquet changed after it was checked"):
        Rows(found)
    served.content = {}
    with pytest.raises(HistoryChanged, match=r"1.parquet cannot be read any more: status 404"):
        Rows(found)


def test_secrets_in_urls_are_not_shown(served: Files, tmp_path: Path) -> None:
    served.content = {"1.csv": csv(tmp_path / "1.csv", HEADER, ROW, "bad").read_bytes()}
    found = scanned(served.url("1.csv?signature=secret"))
    assert found.portions[0].file == served.url("1.csv")
    read = Rows(found)
    assert (len(read["device"]), read.examples[0].file) == (1, served.url("1.csv"))
    assert all("signature=secret" in request.target for request in served.server.requests)


def test_missing_files_and_servers(served: Files) -> None:
    with pytest.raises(InvalidParameter, match=r"history: .*/none.csv: the server answered with the status 404\."):
        scanned(served.url("none.csv"))
    url = served.url("1.csv")
    served.server.stop()
    with pytest.raises(
        InvalidParameter, match=r"^history: http://127.0.0.1:\d+/1.csv: cannot be reached: no connection"
    ):
        scanned(url)
    with pytest.raises(InvalidParameter, match="a URL must not contain a user or a password"):
        scanned("https://me:secret@example.com/1.csv")


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    with s3() as url:
        yield url


@pytest.fixture
def s3_url(bucket: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket with credentials in the environment."""
    environment = {
        "AWS_ACCESS_KEY_ID": KEY_ID,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": REGION,
        "AWS_ENDPOINT_URL": bucket,
        "AWS_ALLOW_HTTP": "true",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    buckets.forget_stores()
    yield bucket
    buckets.forget_stores()


def test_buckets(s3_url: str, tmp_path: Path) -> None:
    made = table(MANY, deviceId=None)
    for day in (2, 10):
        file = parquet(tmp_path / f"{day}.parquet", made, row_group_size=1_000)
        put(s3_url, f"days/day={day}/device=d{day}/part.parquet", file.read_bytes())
    put(s3_url, "days/_SUCCESS")
    put(s3_url, "one.csv", csv(tmp_path / "1.csv", HEADER, ROW).read_bytes())
    found = scanned(f"s3://{BUCKET}/days", portion_rows=1_000)
    assert len(found.portions) == 10
    assert found.portions[0].file == f"s3://{BUCKET}/days/day=2/device=d2/part.parquet"
    assert Rows(found)["device"] == ["d2"] * MANY + ["d10"] * MANY
    assert "1 other file in the folders was left out." in found.notes
    assert len(scanned(f"s3://{BUCKET}/days/*/device=d1*/*.parquet").portions) == 1
    assert rows(f"s3://{BUCKET}/one.csv")["device"] == ["a"]


def test_an_object_that_changes_or_disappears(s3_url: str, tmp_path: Path) -> None:
    put(s3_url, "changing/1.parquet", parquet(tmp_path / "1.parquet").read_bytes())
    found = scanned(f"s3://{BUCKET}/changing/1.parquet")
    put(s3_url, "changing/1.parquet", parquet(tmp_path / "1.parquet", table(11)).read_bytes())
    with pytest.raises(HistoryChanged, match=rf"s3://{BUCKET}/changing/1.parquet changed after it was checked"):
        Rows(found)
    delete(s3_url, "changing/1.parquet")
    with pytest.raises(HistoryChanged, match=r"1.parquet disappeared after it was checked"):
        Rows(found)


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("s3://", "history: s3:// is not an address such as s3://bucket/folder."),
        (f"s3://{BUCKET}/none/", f"history: s3://{BUCKET}/none/: there is no such bucket or object."),
        ("s3://no-such-bucket/a", "history: s3://no-such-bucket/a: there is no such bucket or object."),
    ],
)
def test_missing_objects(s3_url: str, address: str, message: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        scanned(address)
    assert caught.value.message == message
