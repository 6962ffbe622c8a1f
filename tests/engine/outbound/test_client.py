"""Requests to URLs from data: only to public addresses, and within limits."""

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from ipaddress import ip_address

import httpcore
import pytest

from engine.domain.errors import InvalidParameter
from engine.domain.ports import Cancelled
from engine.outbound import guard
from engine.outbound.client import GuardedClient
from engine.outbound.questions import Bounds, Question, RequestFailed, check_url
from tests.servers import Reply, answering, break_off, drip, flood, send, serving

BOUNDS = Bounds(1024 * 1024, 20.0, redirects=2, max_ratio=50)


@pytest.fixture(scope="module")
def client() -> Iterator[GuardedClient]:
    client = GuardedClient()
    yield client
    client.close()


def failure(client: GuardedClient, url: str, *, private: bool = False, bounds: Bounds = BOUNDS) -> str:
    with pytest.raises(RequestFailed) as error:
        client.ask(Question(url=url, bounds=bounds, private=private))
    return error.value.message


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "0"),
        *("[64:ff9b::7f00:1]", "[fe80::1]", "224.0.0.1", "169.254.169.254"),
    ],
)
def test_a_private_address_is_not_connected_to_however_it_is_spelled(client: GuardedClient, host: str) -> None:
    assert "which is not public" in failure(client, f"http://{host}:9/table.csv?token=KEY")


def test_nothing_arrives_at_a_private_server_unless_that_is_wanted(client: GuardedClient) -> None:
    with serving(answering([1])) as fake:
        assert failure(client, fake.url_with(after_host="/a?token=KEY")).startswith(f"{fake.url}/a leads to")
        assert not fake.requests
        reply = client.ask(Question(url=fake.url, bounds=BOUNDS, private=True))
        assert (reply.status, reply.body, reply.is_whole) == (200, b"[1]", True)
        # The open connection is not used for requests that may not make one.
        assert "not public" in failure(client, fake.url)


@pytest.mark.parametrize("private", [True, False])
@pytest.mark.parametrize("host", ["nowhere.invalid", f"{'a' * 64}.example", "a..b", "xn--a"])
def test_a_host_name_that_does_not_exist_is_the_reason(client: GuardedClient, host: str, private: bool) -> None:
    message = failure(client, f"http://{host}/table.csv?token=KEY", private=private)
    assert message == f"http://{host}/table.csv cannot be reached: its host name cannot be resolved."


def test_a_closed_port_is_no_connection(client: GuardedClient) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    message = failure(client, f"http://127.0.0.1:{port}/", private=True)
    assert message == f"http://127.0.0.1:{port} cannot be reached: no connection."


def only_one_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "is_public", lambda address: str(address) == "127.0.0.1")


def test_a_redirection_is_held_to_the_same(client: GuardedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    only_one_is_public(monkeypatch)
    with serving(answering({})) as inner:
        target = inner.url.replace("127.0.0.1", "127.0.0.2")
        with serving(lambda handler, _: send(handler, 302, b"", location=target)) as outer:
            assert "leads to the address 127.0.0.2, which is not public" in failure(client, outer.url)
        assert not inner.requests
        with serving(lambda handler, _: send(handler, 301, b"", location=inner.url)) as outer:
            assert client.ask(Question(url=outer.url, bounds=BOUNDS)).body == b"{}"


def test_the_resolved_address_is_the_one_connected_to(client: GuardedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    resolved: list[str] = []

    async def rebinding(host: str, _port: int) -> list[object]:
        resolved.append(host)
        return [ip_address("127.0.0.2"), ip_address("127.0.0.1" if len(resolved) == 1 else "127.0.0.3")]

    only_one_is_public(monkeypatch)
    monkeypatch.setattr(guard, "_addresses_of", rebinding)
    with serving(answering({})) as fake:
        url = fake.url.replace("127.0.0.1", "rebinding.example")
        assert client.ask(Question(url=url, bounds=BOUNDS)).status == 200
        assert resolved == ["rebinding.example"]
        assert fake.requests[0].headers["host"] == url.removeprefix("http://")


@pytest.mark.parametrize("private", [False, True])
def test_a_host_without_an_address_is_named_as_that(
    client: GuardedClient, monkeypatch: pytest.MonkeyPatch, private: bool
) -> None:
    def look_up(*_: object, **_options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    assert failure(client, "http://missing.example/a?token=KEY", private=private) == (
        "http://missing.example/a cannot be reached: its host name cannot be resolved."
    )


def test_a_server_that_is_not_there_has_no_connection(client: GuardedClient, monkeypatch: pytest.MonkeyPatch) -> None:
    only_one_is_public(monkeypatch)
    with serving(answering({})) as closed:
        pass
    for private in (False, True):
        assert failure(client, closed.url, private=private) == f"{closed.url} cannot be reached: no connection."


def test_redirections_end(client: GuardedClient) -> None:
    with serving(lambda handler, request: send(handler, 307, b"", location=request.target)) as fake:
        assert failure(client, fake.url, private=True).endswith("redirects too often.")
        assert len(fake.requests) == 3
    with serving(lambda handler, _: send(handler, 302, b"", location="file:///etc/passwd")) as fake:
        assert failure(client, fake.url, private=True).endswith("redirects to an address of file.")


def packed(ratio_of: bytes) -> Reply:
    return lambda handler, _: send(handler, 200, gzip.compress(ratio_of), content_encoding="gzip")


def hang_up(handler: BaseHTTPRequestHandler, _: object) -> None:
    handler.connection.close()


@pytest.mark.parametrize(
    ("reply", "bounds", "expected"),
    [
        (flood, BOUNDS, "sent more than 1 MB."),
        (packed(bytes(64 * 1024**2)), BOUNDS, "sent more than 1 MB."),
        (packed(bytes(8 * 1024**2)), Bounds(32 * 1024**2, 20.0, max_ratio=50), "compressed to less than 1/50"),
        (break_off, BOUNDS, "closed the connection during its response."),
        (drip, Bounds(1024, 0.5), "did not answer in time."),
        (hang_up, BOUNDS, "closed the connection"),
    ],
    ids=["flood", "bomb", "ratio", "broken", "drip", "hang-up"],
)
def test_answers_are_bounded(client: GuardedClient, reply: Reply, bounds: Bounds, expected: str) -> None:
    with serving(reply) as fake:
        message = failure(client, f"{fake.url}/x?token=KEY", private=True, bounds=bounds)
    assert expected in message
    assert "KEY" not in message


def test_the_caller_can_stop_waiting(client: GuardedClient) -> None:
    hold, requested = threading.Event(), threading.Event()

    def silent(_handler: BaseHTTPRequestHandler, _: object) -> None:
        requested.set()
        hold.wait(30)

    def stop() -> None:
        if requested.is_set():
            raise Cancelled

    with serving(silent) as fake:
        try:
            with pytest.raises(Cancelled):
                client.ask(Question(url=fake.url, bounds=BOUNDS, private=True), stop)
        finally:
            hold.set()


def test_closing_ends_waiting_requests() -> None:
    client, hold, requested = GuardedClient(), threading.Event(), threading.Event()
    errors: list[str] = []

    def silent(_handler: BaseHTTPRequestHandler, _: object) -> None:
        requested.set()
        hold.wait(30)

    def ask(url: str) -> None:
        with suppress(httpcore.ConnectError):
            errors.append(failure(client, url, private=True))

    with serving(silent) as fake:
        thread = threading.Thread(target=ask, args=(fake.url,))
        thread.start()
        assert requested.wait(30)
        client.close()
        thread.join(30)
        hold.set()
    assert errors == [f"{fake.url} was cancelled."]


@pytest.mark.parametrize(
    "url",
    [
        *("", "ftp://example.com/a", "example.com/a.csv", "http://", "http://a b/", "http://example.com:0/"),
        *("http://me:secret@example.com/a.csv", "http://me@example.com/", "http://[::1/", "http://a/\n"),
        "http://example.com/" + "x" * 2_048,
    ],
)
def test_an_invalid_url(url: str) -> None:
    with pytest.raises(InvalidParameter) as error:
        check_url(url, "urls")
    assert error.value.param == "urls"
    assert "secret" not in error.value.message


def test_a_url_with_a_port_and_a_query_is_one() -> None:
    ask: Callable[[str], str] = lambda url: check_url(url, "urls")  # noqa: E731
    assert ask("https://example.com:8443/a%20b.csv?x=1") == "https://example.com:8443/a%20b.csv?x=1"
