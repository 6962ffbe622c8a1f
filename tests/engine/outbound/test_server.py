"""Local servers that misbehave in every way, and the resulting errors."""

import gzip
import logging
import threading
import time
import zlib
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from engine.domain.errors import FencewrightError, RoutingUnavailable
from engine.outbound.server import MAX_ANSWER, MAX_REDIRECTS, RemoteServer
from engine.outbound.shapes import WrongShape
from tests.servers import (
    FakeServer,
    ReceivedRequest,
    Reply,
    answering,
    bomb,
    break_off,
    drip,
    drip_head,
    flood,
    send,
    serving,
)

LIMIT_S = 20.0


@contextmanager
def asking(url: str) -> Iterator[RemoteServer[RoutingUnavailable]]:
    """Yield a remote server that closes at the end of the block."""
    server = RemoteServer("odd server", url, RoutingUnavailable, connections=4)
    try:
        yield server
    finally:
        server.close()


def failure(reply: Reply, limit_s: float = LIMIT_S) -> str:
    """Return the error for a server with this reply."""
    with serving(reply) as fake, asking(fake.url) as server, pytest.raises(RoutingUnavailable) as error:
        server.get("/x", "", limit_s)
    assert error.value.message.startswith(f"The odd server {fake.url} ")
    return error.value.message.removeprefix(f"The odd server {fake.url} ")


def body_of(reply: Reply) -> bytes:
    with serving(reply) as fake, asking(fake.url) as server:
        return server.get("/x", "", LIMIT_S).body


def test_a_request_and_its_response() -> None:
    with serving(answering({"a": 1}, 418)) as fake, asking(f"{fake.url}/base/") as server:
        answer = server.post("/route", b'{"b":2}', LIMIT_S)
        assert (answer.status, answer.json()) == (418, {"a": 1})
        assert server.name == f"the odd server {fake.url}/base"
    (request,) = fake.requests
    assert (request.target, request.json) == ("/base/route", {"b": 2})
    assert (request.headers["content-type"], request.headers["accept-encoding"]) == ("application/json", "gzip")


@pytest.mark.parametrize("query", ["api_key=KEY", "a=1&a=2&flag&empty=", "x=%20+%C3%A4%2F%3F&y=a@b"])
def test_the_query_of_its_address_is_sent_as_it_was_written(query: str) -> None:
    with serving(answering({})) as fake, asking(f"{fake.url}/base/?{query}#part") as server:
        server.get("/x", "q=1&r=a+b", LIMIT_S)
        server.post("/y", b"{}", LIMIT_S)
    assert [request.target for request in fake.requests] == [f"/base/x?q=1&r=a+b&{query}", f"/base/y?{query}"]


def test_user_and_password_are_sent_decoded() -> None:
    with serving(answering({})) as fake, asking(fake.url_with("me:s%40cret%2F@", "?key=KEY")) as server:
        server.get("/x", "", LIMIT_S)
    assert fake.requests[0].headers["authorization"] == f"Basic {b64encode(b'me:s@cret/').decode()}"
    assert "host" in fake.requests[0].headers
    assert "@" not in fake.requests[0].headers["host"]


MISBEHAVIOUR: dict[str, Reply] = {
    "drip": drip,
    "drip_head": drip_head,
    "flood": flood,
    "bomb": bomb(40),
    "break_off": break_off,
    "hang_up": lambda handler, _: handler.connection.close(),
    "garbage": lambda handler, request: _write(handler, f"{request.target} {request.headers}".encode()),
    "long_head": lambda handler, request: _write(
        handler, b"HTTP/1.1 200 OK\r\nx: " + request.target.encode() * 100_000
    ),
    "elsewhere": lambda handler, request: send(handler, 302, b"", location=f"http://a:KEY@127.0.0.1:9{request.target}"),
    "nowhere": lambda handler, request: send(handler, 302, b"", location=f"http://[{request.target}"),
    "round": lambda handler, request: send(handler, 307, b"", location=request.target),
    "packed": lambda handler, _: send(handler, 200, b"KEY", content_encoding="KEY"),
}


def _write(handler: BaseHTTPRequestHandler, text: bytes) -> None:
    handler.wfile.write(text)


@pytest.mark.parametrize("kind", MISBEHAVIOUR)
def test_no_message_and_no_log_contains_a_secret(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    limit_s = 0.5 if kind.startswith("drip") else LIMIT_S
    with (
        serving(MISBEHAVIOUR[kind]) as fake,
        asking(fake.url_with("user:s3cret@", "/base?api_key=KEY")) as server,
        pytest.raises(RoutingUnavailable) as error,
    ):
        server.get("/x", "", limit_s)
    assert f"{fake.url}/base " in error.value.message
    for text in (error.value.message, caplog.text):
        assert not any(secret in text for secret in ("KEY", "s3cret", "user", "api_key")), text


def test_a_response_is_shown_short_and_without_the_secrets_it_repeats() -> None:
    with asking("http://user:s%333cret@127.0.0.1:9/?api_key=K%45Y+1&verbose") as server:
        login = b64encode(b"user:s33cret").decode()
        response = f"user, s33cret\nK%45Y+1\x00KEY 1 verbose {login}!"
        assert server.shown(response) == "…, … … … … …!"
        assert len(server.shown("x" * 10_000_000)) == 200


@pytest.mark.parametrize("reply", [drip, drip_head, lambda *_: time.sleep(2)], ids=["drip", "head", "silence"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_the_time_is_that_of_the_whole_answer(reply: Reply, method: str) -> None:
    began = time.monotonic()
    with serving(reply) as fake, asking(fake.url) as server, pytest.raises(RoutingUnavailable, match="in time"):
        server.get("/", "", 0.5) if method == "get" else server.post("/", b"", 0.5)
    assert time.monotonic() - began < 10


def test_time_is_not_granted_again_after_a_redirection() -> None:
    def slowly_round(handler: BaseHTTPRequestHandler, _: ReceivedRequest) -> None:
        time.sleep(0.4)
        send(handler, 302, b"", location="/again")

    assert failure(slowly_round, 1.0) == "did not answer in time."


def test_the_limit_applies_to_the_unpacked_size() -> None:
    most = bytes(MAX_ANSWER)
    for body, packing in ((most, "identity"), (gzip.compress(most), "gzip"), (zlib.compress(most), "deflate")):
        assert body_of(lambda handler, _, b=body, p=packing: send(handler, 200, b, content_encoding=p)) == most  # type: ignore[misc]
    for body, packing in ((most + b"x", "identity"), (gzip.compress(most + b"x"), "gzip")):
        message = failure(lambda handler, _, b=body, p=packing: send(handler, 200, b, content_encoding=p))  # type: ignore[misc]
        assert message == "sent more than 8 MB."


@pytest.mark.parametrize(
    ("body", "packing", "expected"),
    [
        (gzip.compress(b"[1, 2, 3]" * 100, mtime=0)[:-9], "gzip", "closed the connection during its response."),
        (b"[1]", "gzip", "sent a response that cannot be decompressed."),
        (b"[1]", "br", "uses an unsupported compression."),
        (
            gzip.compress(gzip.compress(b"[1]", mtime=0), mtime=0),
            "gzip, gzip",
            "uses an unsupported compression.",
        ),
    ],
)
def test_packed_answers_that_are_none(body: bytes, packing: str, expected: str) -> None:
    assert failure(lambda handler, _: send(handler, 200, body, content_encoding=packing)) == expected


def test_an_empty_answer_may_be_marked_as_packed() -> None:
    assert body_of(lambda handler, _: send(handler, 200, b"", content_encoding="gzip")) == b""


def test_invalid_json() -> None:
    for body in (b"", b"<html>", b"[" * 100_000, b"\xff", b'{"a":'):
        with serving(lambda handler, _, b=body: send(handler, 200, b)) as fake, asking(fake.url) as server:  # type: ignore[misc]
            answer = server.get("/", "", LIMIT_S)
            with pytest.raises(WrongShape):
                answer.json()


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirections_of_the_server_itself_keep_question_and_login(status: int) -> None:
    def move(handler: BaseHTTPRequestHandler, request: ReceivedRequest) -> None:
        if request.path.startswith("/new"):
            answering({"found": True})(handler, request)
        else:
            send(handler, status, b"", location=f"/new{request.target}")

    with serving(move) as fake, asking(fake.url_with("me:secret@", "?key=KEY")) as server:
        assert server.post("/route", b"[1]", LIMIT_S).json() == {"found": True}
        assert server.get("/route", "q=1", LIMIT_S).json() == {"found": True}
    assert [(request.target, request.body) for request in fake.requests] == [
        ("/route?key=KEY", b"[1]"),
        ("/new/route?key=KEY", b"[1]"),
        ("/route?q=1&key=KEY", b""),
        ("/new/route?q=1&key=KEY", b""),
    ]
    assert len({request.headers["authorization"] for request in fake.requests}) == 1


@pytest.mark.parametrize("before_host", ["", "me:KEY@"])
def test_redirections_to_another_server_are_not_followed(before_host: str) -> None:
    with serving(answering({})) as other:
        target = other.url_with(before_host, "/")
        message = failure(lambda handler, _: send(handler, 307, b"", location=target))
        assert message == f"redirects to another server, {other.url}."
        assert other.requests == []


def test_redirections_end() -> None:
    with serving(lambda handler, _: send(handler, 308, b"", location="/x")) as fake, asking(fake.url) as server:
        with pytest.raises(RoutingUnavailable, match="redirects too often"):
            server.get("/x", "", LIMIT_S)
        assert len(fake.requests) == MAX_REDIRECTS + 1


def test_cookies_are_not_kept() -> None:
    with serving(lambda handler, _: send(handler, 200, b"", set_cookie="a=b")) as fake, asking(fake.url) as server:
        for _ in range(2):
            server.get("/", "", LIMIT_S)
    assert all("cookie" not in request.headers for request in fake.requests)


def test_it_is_used_from_many_threads() -> None:
    with serving(answering([1])) as fake, asking(fake.url) as server:
        found: list[Any] = []
        threads = [
            threading.Thread(target=lambda: found.append(server.get("/", "", LIMIT_S).json())) for _ in range(20)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [[1]] * 20


def test_closing_ends_waiting_requests(silent: FakeServer) -> None:
    server = RemoteServer("odd server", silent.url, RoutingUnavailable, connections=1)
    errors: list[FencewrightError] = []

    def ask() -> None:
        try:
            server.get("/", "", 60)
        except RoutingUnavailable as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    while not silent.requests:
        time.sleep(0.01)
    began = time.monotonic()
    server.close()
    for thread in threads:
        thread.join()
    assert time.monotonic() - began < 10
    assert [error.message for error in errors] == [f"The odd server {silent.url} is no longer in use."] * 3
    server.close()
    with pytest.raises(RoutingUnavailable, match="no longer in use"):
        server.get("/", "", 1)


@pytest.fixture
def silent() -> Iterator[FakeServer]:
    """A server that does not respond before the end of the test."""
    over = threading.Event()

    def wait(*_: object) -> None:
        over.wait(60)

    with serving(wait) as fake:
        yield fake
        over.set()
