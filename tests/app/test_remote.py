"""Requests to the process that has the workspace open, if it ends, hangs, or is another version."""

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from app.api.commands.geofences import ImportRequest, import_file
from app.cli.workspaces import find_open_workspace, reach_workspace
from app.remote import RemoteWorkspace
from engine.domain.errors import AnswerLost, WorkspaceError, WorkspaceUnreachable
from engine.store.workspace import Endpoint

AGREES = b"HTTP/1.1 100 Continue\r\n\r\n"
ANSWERS = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

type Handle = Callable[[socket.socket], object]


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(content), content)


@contextmanager
def process(handle: Handle) -> Iterator[RemoteWorkspace]:
    """Yield a workspace of a process that handles its first connection in this way, and then ends."""

    def serve() -> None:
        with listening.accept()[0] as connection:
            connection.recv(65_536)
            handle(connection)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = Thread(target=serve)
        thread.start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        yield RemoteWorkspace(Path("w"), Endpoint(os.getpid(), address, "", None))
        thread.join()


def agree_and(answer: bytes) -> Handle:
    """Return a handler that accepts a call and sends this response."""

    def handle(connection: socket.socket) -> None:
        connection.sendall(AGREES)
        connection.recv(65_536)
        connection.sendall(answer)

    return handle


def run_import(remote: RemoteWorkspace, *, reuse: bool = False) -> object:
    return remote.run(import_file, ImportRequest(name="t.csv"), data=b"table", reuse=reuse)


def test_a_process_that_ends_before_it_takes_a_call_has_done_nothing() -> None:
    with process(lambda _: None) as remote, pytest.raises(WorkspaceUnreachable):
        run_import(remote)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        ANSWERS,
        ANSWERS + chunk(b'{"done":1,"total":2}\n'),
        ANSWERS + chunk(b'{"answer":'),
        ANSWERS + chunk(b'{"bytes":100}\n') + chunk(b"half of it"),
    ],
    ids=["agreed", "began", "went on", "in a line", "in a file"],
)
def test_a_process_that_ends_later_may_have_done_it(answer: bytes) -> None:
    with process(agree_and(answer)) as remote, pytest.raises(AnswerLost, match="check that before you run"):
        run_import(remote)


def test_a_process_that_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.remote._ANSWER_WITHIN_S", 0.2)
    with (
        process(lambda connection: connection.recv(1)) as remote,
        pytest.raises(WorkspaceError, match="has not answered within"),
    ):
        run_import(remote)


def test_a_process_that_reports_progress_is_awaited() -> None:
    answer = ANSWERS + b"".join(map(chunk, (b"\n", b"\n", b'{"done":1,"total":1}\n', b'{"answer":1}\n')))
    with process(agree_and(answer)) as remote:
        assert run_import(remote) == 1


WHOLE = b'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"answer":1}\n'


def agree_twice(connection: socket.socket) -> None:
    agree_and(WHOLE)(connection)
    connection.recv(65_536)
    agree_and(WHOLE)(connection)


def test_operations_use_the_connection_of_the_one_before() -> None:
    with process(agree_twice) as remote:
        assert [run_import(remote, reuse=True), run_import(remote, reuse=True)] == [1, 1], (
            "the process has taken one connection"
        )
        remote.close()


@pytest.mark.parametrize(
    "first",
    [
        ANSWERS + chunk(b'{"answer":1}\n'),
        WHOLE.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n"),
        WHOLE.replace(b"13", b"14"),
    ],
    ids=["a stream", "to be closed", "more to come"],
)
def test_a_connection_that_cannot_have_another_operation_is_closed(first: bytes) -> None:
    def answer(connection: socket.socket) -> None:
        agree_and(first)(connection)
        assert not connection.recv(1)

    with process(answer) as remote:
        assert run_import(remote, reuse=True) == 1


def test_a_connection_that_was_unused_for_long_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.remote._UNUSED_S", 0.0)
    with process(agree_and(WHOLE)) as remote:
        assert run_import(remote, reuse=True) == 1
        monkeypatch.setattr("app.remote._ANSWER_WITHIN_S", 0.2)
        with pytest.raises(WorkspaceError, match="has not answered"):  # it does not accept a second connection
            run_import(remote, reuse=True)


def test_nothing_is_done_twice_on_a_connection_that_ended() -> None:
    with process(agree_and(WHOLE)) as remote:
        assert run_import(remote, reuse=True) == 1
        with pytest.raises(WorkspaceUnreachable):
            run_import(remote, reuse=True)


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with reach_workspace(tmp_path):
        assert find_open_workspace(tmp_path) is not None
        monkeypatch.setattr("app.remote.VERSION", 1)
        with pytest.raises(WorkspaceError, match="another version of Fencewright"):
            find_open_workspace(tmp_path)
