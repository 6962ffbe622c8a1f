"""Stops of the server in the middle of work for other processes."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Final

import httpx
import pytest

from app.api.commands import geofences
from app.api.wire.review.checks import CheckQuery
from app.remote import RemoteWorkspace
from app.seeds import write_seed
from app.session import SEARCHES_GRACE_S
from app.stopping import LATE
from engine.domain.environment import Environment
from engine.domain.errors import WorkspaceStopped
from engine.domain.ports import Progress
from engine.geofences.checks.findings import CheckOptions
from engine.geofences.promotion.promotions import PromotionQuery
from tests.app.program import Program
from tests.app.stops.conftest import ROWS
from tests.app.stops.middle import Reached, RemoteWork, Work, counts, descendants, stop_server

BOTH: Final = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["term", "int"])
NONE: Final = {Environment.TEST: 0, Environment.LIVE: 0}
AS_BEFORE: Final = {Environment.TEST: ROWS, Environment.LIVE: 0}

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.usefixtures("temporary")]


def reading(done: int, total: int) -> bool:
    """Return whether a file is being read, which is the first third of an import."""
    return total > 0 and 0.05 < done / total < 0.33


def judging(done: int, total: int) -> bool:
    """Return whether rows are being judged, which is the second third."""
    return total > 0 and 0.37 < done / total < 0.66


def storing(done: int, total: int) -> bool:
    """Return whether rows are being stored, which is the last third."""
    return total > 0 and 0.7 < done / total < 1


def judged(done: int, total: int) -> bool:
    """Return whether only storing the rows is left."""
    return total > 1 and done >= total


def importing(file: Path) -> Work:
    """Return a function that imports a file."""
    request, data = geofences.ImportRequest(name=file.name), file.read_bytes()
    return lambda remote, progress: remote.run(geofences.import_file, request, data=data, progress=progress)


@BOTH
@pytest.mark.parametrize("reached", [reading, judging, storing])
def test_an_import(program: Program, table: Path, tmp_path: Path, reached: Reached, number: signal.Signals) -> None:
    workspace = tmp_path / "w"
    with program.serve(workspace) as server, RemoteWork(workspace, importing(table), reached) as work:
        assert stop_server(server, number).count("\n") == 3
    if work.answer is None:
        assert isinstance(work.error, WorkspaceStopped)
        assert work.error.message.endswith("was stopped; nothing was imported. Run the command again.")
    assert counts(workspace) == (NONE if work.answer is None else AS_BEFORE)


@BOTH
def test_an_import_by_a_process_of_its_own(
    program: Program, drawing: Path, temporary: Path, tmp_path: Path, number: signal.Signals
) -> None:
    workspace = tmp_path / "w"
    with program.serve(workspace) as server, RemoteWork(workspace, importing(drawing), reading) as work:
        assert descendants(server.process.pid)
        assert list(temporary.iterdir())
        stop_server(server, number)
    assert isinstance(work.error, WorkspaceStopped)
    assert counts(workspace) == NONE


def promotion(remote: RemoteWorkspace, progress: Progress) -> object:
    """Promote all geofences."""
    content = write_seed(remote.run(geofences.plan, PromotionQuery())["changeSet"])
    return remote.run(geofences.apply, geofences.ApplyRequest(), data=content, progress=progress)


@BOTH
@pytest.mark.parametrize("reached", [lambda done, total: 0 < done < total, judged])
def test_a_promotion(program: Program, filled: Path, reached: Reached, number: signal.Signals) -> None:
    with program.serve(filled) as server, RemoteWork(filled, promotion, reached) as work:
        stop_server(server, number)
    assert work.answer is not None or isinstance(work.error, WorkspaceStopped)
    promoted = ROWS if work.answer is not None else 0
    assert counts(filled) == {Environment.TEST: ROWS, Environment.LIVE: promoted}


@BOTH
def test_a_check(program: Program, filled: Path, number: signal.Signals) -> None:
    def check(remote: RemoteWorkspace, progress: Progress) -> object:
        return remote.run(geofences.check, CheckQuery(options=CheckOptions()), progress=progress)

    with (
        program.serve(filled) as server,
        RemoteWork(filled, check, lambda done, total: 0.1 < done / total < 0.9) as work,
    ):
        stop_server(server, number)
    assert isinstance(work.error, WorkspaceStopped)
    assert counts(filled) == AS_BEFORE


@contextmanager
def stalling(first: bytes) -> Iterator[tuple[str, Event]]:
    """Serve the first file whole and others only in part; yield the URL, and an event for a partial response."""
    begun, over = Event(), Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_first = self.path.endswith("first.csv")
            self.send_response(200)
            self.send_header("content-length", str(len(first) if is_first else 1_000_000))
            self.end_headers()
            self.wfile.write(first)
            self.wfile.flush()
            if not is_first:
                begun.set()
                over.wait()

        def log_message(self, format: str, *_: object) -> None:
            """Suppress log messages."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", begun
        finally:
            over.set()
            server.shutdown()


def set_sync(server_url: str, key: str, *urls: str) -> None:
    """Configure a sync that imports files from these URLs."""
    headers = {"Authorization": key}
    for path, change in (("settings", {"allowPrivateUrls": True}), ("imports/sync", {"urls": list(urls)})):
        httpx.patch(f"{server_url}/v1/{path}", headers=headers, json=change).raise_for_status()


def syncing(remote: RemoteWorkspace, progress: Progress) -> object:
    """Run a sync."""
    return remote.run(geofences.run_sync, geofences.SyncRequest(), progress=progress)


@BOTH
def test_a_sync_keeps_the_files_before(program: Program, table: Path, tmp_path: Path, number: signal.Signals) -> None:
    few = b"".join(table.read_bytes().splitlines(keepends=True)[:11])
    workspace = tmp_path / "w"
    with stalling(few) as (url, begun), program.serve(workspace) as server:
        set_sync(server.url, server.key(), f"{url}/first.csv", f"{url}/second.csv")
        with RemoteWork(workspace, syncing, lambda _done, _total: begun.is_set()) as work:
            stop_server(server, number)
    assert isinstance(work.error, WorkspaceStopped)
    assert "files imported so far stay imported" in work.error.message
    assert counts(workspace) == {Environment.TEST: 10, Environment.LIVE: 0}


@BOTH
def test_a_sync_does_not_keep_a_half_file(
    program: Program, table: Path, tmp_path: Path, number: signal.Signals
) -> None:
    workspace = tmp_path / "w"
    with stalling(table.read_bytes()) as (url, _), program.serve(workspace) as server:
        set_sync(server.url, server.key(), f"{url}/first.csv")
        with RemoteWork(workspace, syncing, lambda done, total: 0 < done < total) as work:
            stop_server(server, number)
    assert isinstance(work.error, WorkspaceStopped)
    assert counts(workspace) == NONE


@contextmanager
def silent() -> Iterator[tuple[str, Event]]:
    """Accept requests without responding; yield the address, and an event for a request."""
    begun, over = Event(), Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            begun.set()
            over.wait()

        def do_GET(self) -> None:
            self.do_POST()

        def log_message(self, format: str, *_: object) -> None:
            """Suppress log messages."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", begun
        finally:
            over.set()
            server.shutdown()


@BOTH
def test_a_search_for_a_route_is_cut_off(program: Program, tmp_path: Path, number: signal.Signals) -> None:
    """Its client gets a response, and the server ends cleanly before its deadline."""
    answers: list[httpx.Response] = []

    def ask(url: str, key: str) -> None:
        query = {"origin": "47.1,9.5", "destination": "47.2,9.6", "modes": "car"}
        headers = {"Authorization": key}
        answers.append(httpx.get(f"{url}/v1/route/distance", params=query, headers=headers, timeout=60))

    with silent() as (router, begun), program.serve(tmp_path / "w", "--router", router) as server:
        asking = Thread(target=ask, args=(server.url, server.key(level="publishable")))
        asking.start()
        assert begun.wait(60)
        began = time.monotonic()
        messages = stop_server(server, number)
        took = time.monotonic() - began
        asking.join()
    assert LATE not in messages
    assert took > SEARCHES_GRACE_S
    assert [answer.status_code for answer in answers] == [503]
