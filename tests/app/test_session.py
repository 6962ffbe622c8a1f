"""An open workspace is found through its folder, and no traces remain after it is closed."""

import os
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.session import WorkspaceSession
from engine.domain.errors import AddressInUse, WorkspaceBusy, WorkspaceError
from engine.store.workspace import read_endpoint


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/v1/config", trust_env=False).status_code < 500
    except httpx.ConnectError:
        return False


def test_an_open_workspace_is_published_until_it_closes(tmp_path: Path) -> None:
    assert read_endpoint(tmp_path) is None
    with WorkspaceSession(tmp_path) as session:
        endpoint = read_endpoint(tmp_path)
        assert endpoint is not None
        assert (endpoint.pid, endpoint.url, session.url) == (os.getpid(), None, None)
        assert stat.S_IMODE((tmp_path / "endpoint.json").stat().st_mode) == 0o600
        with pytest.raises(WorkspaceBusy):
            WorkspaceSession(tmp_path)
    assert read_endpoint(tmp_path) is None
    assert not _answers(endpoint.control_url)
    session.close()


def test_the_endpoint_starts_and_stops_while_the_workspace_is_open(tmp_path: Path) -> None:
    with WorkspaceSession(tmp_path, port=0) as session:
        for _ in range(2):
            url = session.start_endpoint()
            assert session.start_endpoint() == session.url == url
            assert _answers(url)
            endpoint = read_endpoint(tmp_path)
            assert endpoint is not None
            assert endpoint.url == url
            session.stop_endpoint()
            session.stop_endpoint()
            assert not _answers(url)
        endpoint = read_endpoint(tmp_path)
        assert endpoint is not None
        assert endpoint.url is None
        session.start_endpoint()
    assert session.url is None
    with pytest.raises(WorkspaceError):
        session.start_endpoint()


def test_a_taken_port_leaves_the_workspace_usable(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with WorkspaceSession(tmp_path, port=port) as session:
            with pytest.raises(AddressInUse, match=str(port)):
                session.start_endpoint()
            assert session.url is None
            taken.close()
            session.start_endpoint()
            assert session.url == f"http://127.0.0.1:{port}"


def test_other_commands_may_have_to_wait_for_the_endpoint(tmp_path: Path) -> None:
    with WorkspaceSession(tmp_path, port=0, reachable=False) as session:
        notified = threading.Event()
        stop = session.requests.subscribe(notified.set)
        assert read_endpoint(tmp_path) is None
        assert session.requests.snapshot() == ()
        assert session.requests.clear(live=False) == 0
        session.stop_endpoint()
        assert read_endpoint(tmp_path) is None
        url = session.start_endpoint()
        endpoint = read_endpoint(tmp_path)
        assert endpoint is not None
        assert endpoint.url == url
        assert _answers(endpoint.control_url)
        assert _answers(url)
        assert notified.wait(60)
        stop()
        assert [session.requests.summary(each).path for each in session.requests.snapshot()] == ["/v1/config"]
        session.stop_endpoint()
        assert _answers(endpoint.control_url)
    assert not _answers(endpoint.control_url)
    assert read_endpoint(tmp_path) is None


def test_a_workspace_that_was_never_reachable_is_closed(tmp_path: Path) -> None:
    with WorkspaceSession(tmp_path, reachable=False):
        pass
    with WorkspaceSession(tmp_path):
        assert read_endpoint(tmp_path) is not None


def test_the_tokens_of_two_sessions_differ(tmp_path: Path) -> None:
    tokens = set()
    for _ in range(2):
        with WorkspaceSession(tmp_path):
            endpoint = read_endpoint(tmp_path)
            assert endpoint is not None
            tokens.add(endpoint.control_token)
    assert len(tokens) == 2


def test_a_temporary_workspace_is_removed_afterwards() -> None:
    with WorkspaceSession(":memory:") as session:
        folder = session.engine.workspace.folder
        assert folder.is_dir()
    assert not folder.exists()
