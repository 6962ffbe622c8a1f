"""Compressed bodies and responses, over real sockets."""

import gzip
import zlib
from contextlib import suppress
from typing import Any

import httpx
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.api.http.errors import BodyTooLarge
from app.api.http.responses import Coding, takes_gzip, unpacked
from app.api.server.server import ApiServer
from engine.domain.errors import InvalidParameter
from tests.app.api.conftest import Api, assert_refused, circle, fix
from tests.app.api.wire import Wire, request

MIB = 1024 * 1024
GZIP = {"Content-Encoding": "gzip", "Content-Type": "application/json"}


def track(name: str, **fields: Any) -> bytes:
    return orjson.dumps(fix(name, **fields))


# Bodies


@pytest.mark.parametrize(
    ("coding", "pack"),
    [
        ("gzip", gzip.compress),
        ("GZip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("identity", bytes),
        ("", bytes),
    ],
)
def test_packed_bodies_are_unpacked(publishable: Api, name: str, coding: str, pack: Any) -> None:
    answer = publishable.post("/v1/track", content=pack(track(name)), headers={"Content-Encoding": coding})
    assert answer.json()["user"]["deviceId"] == name


def test_a_packed_body_in_chunks_and_a_packed_form(publishable: Api, name: str) -> None:
    body = gzip.compress(track(name))
    parts = iter([body[:7], body[7:20], body[20:]])
    assert publishable.post("/v1/track", content=parts, headers=GZIP).json()["user"]["deviceId"] == name
    form = f"deviceId={name}&latitude=1&longitude=2&accuracy=3".encode()
    headers = GZIP | {"Content-Type": "application/x-www-form-urlencoded"}
    answer = publishable.post("/v1/track", content=gzip.compress(form), headers=headers).json()
    assert answer["user"]["location"]["coordinates"] == [2.0, 1.0]


def test_a_large_replay_comes_packed(publishable: Api, name: str) -> None:
    metadata = {f"key-{number}": "x" * 150 for number in range(32)}
    body = orjson.dumps({"replays": [fix(f"{name}-{number}", metadata=metadata) for number in range(1_000)]})
    assert 5 * MIB < len(body) < 8 * MIB
    answer = publishable.post("/v1/track/replay", content=gzip.compress(body), headers=GZIP).json()
    assert [each["meta"]["code"] for each in answer["replays"]] == [200] * 1_000


@pytest.mark.parametrize(("path", "limit"), [("/v1/track", MIB), ("/v1/track/replay", 8 * MIB), ("/v1/logs", 8 * MIB)])
def test_a_body_that_becomes_too_large_is_refused(secret: Api, path: str, limit: int) -> None:
    for size in (limit + 1, 300 * MIB):
        packed = gzip.compress(bytes(size), 9)
        assert len(packed) < limit
        answer = secret.post(path, content=packed, headers=GZIP)
        assert_refused(answer, "body", f"{limit // MIB} MiB", "decompressed", status=413)
    exactly = b'{"a": "' + b" " * (limit - 9) + b'"}'
    assert len(exactly) == limit
    assert secret.post(path, content=gzip.compress(exactly), headers=GZIP).status_code in (200, 400)


def test_the_limits_of_json_hold_for_packed_bodies(secret: Api) -> None:
    deep = gzip.compress(b"[" * 200_000)
    assert_refused(secret.post("/v1/geofences", content=deep, headers=GZIP), "body")
    many = gzip.compress(b'{"metadata":[' + b"1," * 100_000 + b"1]}")
    assert_refused(secret.post("/v1/geofences", content=many, headers=GZIP), "body", "25,000 values")


# Without a time, so that all test processes name the cases in the same way.
WHOLE = gzip.compress(b"{}", mtime=0)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "is incomplete"),
        (b"{}", "is not gzip data"),
        (WHOLE[:-1], "is incomplete"),
        (WHOLE[:12], "is incomplete"),
        (WHOLE[:-8] + bytes(8), "is not gzip data"),
        (WHOLE + WHOLE, "more than one"),
        (WHOLE + b"x", "more than one"),
        (zlib.compress(b"{}"), "is not gzip data"),
    ],
)
def test_damaged_bodies(publishable: Api, body: bytes, words: str) -> None:
    assert_refused(publishable.post("/v1/track", content=body, headers=GZIP), "body", words)


def test_a_packed_body_still_needs_a_key(make_api: Any) -> None:
    answer = make_api("prj_test_pk_unknown").post("/v1/track", content=gzip.compress(bytes(300 * MIB)), headers=GZIP)
    assert answer.status_code == 401


@given(some.binary(max_size=300), some.integers(0, 300), some.sampled_from(Coding))
def test_unpacking_returns_the_original_or_refuses(content: bytes, limit: int, coding: Coding) -> None:
    packed = gzip.compress(content) if coding is Coding.GZIP else zlib.compress(content)
    if len(content) <= limit:
        assert unpacked(packed, coding, limit) == content
        assert unpacked(packed, coding, len(content)) == content
    else:
        with pytest.raises(BodyTooLarge):
            unpacked(packed, coding, limit)


@given(some.binary(max_size=100), some.sampled_from(Coding))
def test_any_bytes_are_unpacked_or_refused(content: bytes, coding: Coding) -> None:
    with suppress(InvalidParameter, BodyTooLarge):
        unpacked(content, coding, 100)


# Responses


@pytest.fixture(scope="module")
def listed(secret: Api) -> str:
    """A path whose response has several megabytes."""
    metadata = {f"key-{number}": "x" * 1_000 for number in range(16)}
    for number in range(100):
        assert (
            secret.put(
                f"/v1/geofences/packed/{number}", json=circle("packed", str(number), metadata=metadata)
            ).status_code
            == 200
        )
    return "/v1/geofences?tag=packed"


def raw(server: ApiServer, key: str | None, path: str, *headers: str) -> tuple[dict[str, str], bytes]:
    """Return the raw headers and body of a response."""
    with Wire(server.port) as wire:
        wire.send(request("GET", path, f"Authorization: {key}", *headers))
        head, _, body = wire.rest().partition(b"\r\n\r\n")
    lines = [line.partition(": ") for line in head.decode().split("\r\n")[1:]]
    return {name.lower(): value for name, _, value in lines}, body


def joined(body: bytes) -> bytes:
    """Return the content of a chunked body."""
    content = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        content += rest[: int(size, 16)]
        body = rest[int(size, 16) + 2 :]
    return content


@pytest.mark.parametrize("limit", [3, 100])
def test_answers_are_packed_for_those_who_take_it(server: ApiServer, secret: Api, listed: str, limit: int) -> None:
    path = f"{listed}&limit={limit}"
    headers, plain = raw(server, secret.key, path)
    assert (headers["vary"], "content-encoding" in headers) == ("accept-encoding", False)
    packed_headers, body = raw(server, secret.key, path, "Accept-Encoding: deflate, gzip;q=0.5")
    assert (packed_headers["vary"], packed_headers["content-encoding"]) == ("accept-encoding", "gzip")
    body = body if "content-length" in packed_headers else joined(body)
    assert "content-length" not in packed_headers or int(packed_headers["content-length"]) == len(body)
    assert len(body) < len(plain) / 4
    assert gzip.decompress(body) == plain
    assert packed_headers["x-radar-request-id"]


@pytest.mark.parametrize("accepted", ["identity", "gzip;q=0", "gzip; q=0.0", "br", "*;q=0", "gzip;q=x", ""])
def test_others_get_them_as_they_are(server: ApiServer, secret: Api, listed: str, accepted: str) -> None:
    headers, body = raw(server, secret.key, f"{listed}&limit=3", f"Accept-Encoding: {accepted}")
    assert "content-encoding" not in headers
    assert len(orjson.loads(body)["geofences"]) == 3


def test_small_answers_and_those_of_updates_are_not_packed(server: ApiServer, secret: Api, name: str) -> None:
    headers, _ = raw(server, secret.key, "/v1/ping", "Accept-Encoding: gzip")
    assert not {"content-encoding", "vary"} & headers.keys()
    updated = secret.post("/v1/track", json=fix(name, metadata={"note": "x" * 2_000}))
    assert len(updated.content) > 2_000
    assert "content-encoding" not in updated.headers


def test_large_answers_to_old_clients_are_not_packed(server: ApiServer, secret: Api, listed: str) -> None:
    with Wire(server.port) as wire:
        sent = request("GET", listed, f"Authorization: {secret.key}", "Accept-Encoding: gzip")
        wire.send(sent.replace(b"HTTP/1.1", b"HTTP/1.0"))
        head, _, body = wire.rest().partition(b"\r\n\r\n")
    assert b"content-encoding" not in head
    assert len(orjson.loads(body)["geofences"]) == 100


@pytest.mark.parametrize("limit", [3, 100])
def test_head_has_no_body(secret: Api, listed: str, limit: int) -> None:
    answer = secret.request("HEAD", f"{listed}&limit={limit}")
    assert (answer.status_code, answer.content, answer.headers["content-encoding"]) == (200, b"", "gzip")
    assert secret.get("/v1/ping").status_code == 200, "the connection goes on"


def test_the_document_and_the_page_are_packed(server: ApiServer) -> None:
    for path in ("/openapi.json", "/docs"):
        answer = httpx.get(server.url + path)
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.content


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [(None, False), (b"gzip", True), (b"GZIP", True), (b"*", True), (b"*, gzip;q=0", False), (b"br,gzip;q=1.0", True)],
)
def test_who_takes_gzip(accepted: bytes | None, expected: bool) -> None:
    assert takes_gzip({} if accepted is None else {b"accept-encoding": accepted}) is expected
