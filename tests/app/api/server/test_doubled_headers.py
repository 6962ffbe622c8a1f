"""Requests that repeat a header: with two hosts, keys or types, another program may have used the other one."""

import json
from contextlib import closing
from http.client import HTTPConnection

import httpx
import pytest

from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from tests.app.api.conftest import assert_refused, fix

NAMES = ("Host", "Authorization", "Content-Type", "Content-Encoding", "Origin")


@pytest.fixture(scope="module")
def headers(server: ApiServer, engine: Engine) -> dict[str, str]:
    """The headers that a device sends with an update."""
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
    return {
        "Host": httpx.URL(server.url).netloc.decode(),
        "Authorization": key,
        "Content-Type": "application/json",
        "Content-Encoding": "identity",
        "Origin": "https://example.com",
    }


def lines(headers: dict[str, str], *more: tuple[str, str]) -> list[tuple[str, str]]:
    """Return headers as lines of a request."""
    return [*headers.items(), *more]


def send_raw(server: ApiServer, path: str, body: dict[str, object], lines: list[tuple[str, str]]) -> httpx.Response:
    """Send a request unchanged, which HTTP clients would not, because they send a single Host."""
    url = httpx.URL(server.url)
    content = json.dumps(body).encode()
    with closing(HTTPConnection(url.host, url.port)) as connection:
        connection.putrequest("POST", path, skip_host=True, skip_accept_encoding=True)
        for name, value in lines:
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(content)))
        connection.endheaders(content)
        answer = connection.getresponse()
        return httpx.Response(answer.status, content=answer.read())


@pytest.mark.parametrize("path", ["/v1/track", "/v1/track?explain=true", "/v1/events"])
@pytest.mark.parametrize("name", NAMES)
def test_a_header_that_decides_is_given_once(server: ApiServer, headers: dict[str, str], name: str, path: str) -> None:
    body = fix("doubled", name="bought")
    for value in (headers[name], "another"):
        for more in ([(name, value)], [(name.lower(), value), (name.upper(), value)]):
            assert_refused(send_raw(server, path, body, lines(headers, *more)), name, "given more than once")
    assert send_raw(server, path, body, lines(headers)).status_code == 200


def test_the_way_that_updates_take_refuses_it_as_well(server: ApiServer, headers: dict[str, str]) -> None:
    plain = {name: headers[name] for name in ("Host", "Authorization", "Content-Type")}
    with httpx.Client(base_url=server.url) as client:
        for _ in range(2):
            assert client.post("/v1/track", json=fix("plain"), headers=plain).status_code == 200
            doubled = client.post("/v1/track", json=fix("plain"), headers=lines(plain, ("authorization", "other")))
            assert_refused(doubled, "Authorization", "given more than once")


def test_other_headers_may_come_twice(server: ApiServer, headers: dict[str, str]) -> None:
    more = [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "192.0.2.2"), ("Accept", "a/b"), ("Accept", "*/*")]
    assert httpx.get(f"{server.url}/v1/config?deviceId=1", headers=lines(headers, *more)).status_code == 200
