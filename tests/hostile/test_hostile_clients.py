"""Other clients are served normally during attacks, and the server's memory stays within its limits."""

import asyncio
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count, cycle
from pathlib import Path

import pytest

from tests.app.api.wire import Wire, meta_of, request
from tests.hostile.attacks import (
    BLOCK,
    DISCONNECTED,
    answered_late,
    at_once,
    await_end,
    crowd,
    kept,
    number_cut,
    poured,
    track,
)
from tests.hostile.served import MAX_MB, FewFiles, Target, endured, measures_p99

MIB = 1024 * 1024
MOST = 60 * MIB
"""Maximum bytes of an attacker who is not stopped."""

TAKEN = 16 * MIB
"""More bytes than the system buffers for a server that has stopped reading."""

ATTACK_S = 3.0
DEADLINE_S = 10.0
LATE_S = 8.0
"""Tolerance in seconds for deadlines on a slow machine."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


# 1: bytes that are neither body nor chunk


CHUNKED = request("POST", "/v1/track", "Transfer-Encoding: chunked")
AROUND = {
    "one long trailer": (CHUNKED + b"1\r\n{\r\n0\r\nx: ", b"x" * BLOCK),
    "many trailers": (CHUNKED + b"1\r\n{\r\n0\r\n", b"x: y\r\n" * (BLOCK // 6)),
    "an extension": (CHUNKED + b"1;x=", b"x" * BLOCK),
    "zeros of a size": (CHUNKED, b"0" * BLOCK),
    "a head": (b"GET /v1/ping HTTP/1.1\r\nHost: localhost\r\nx: ", b"x" * BLOCK),
    "many headers": (b"GET /v1/ping HTTP/1.1\r\nHost: localhost\r\n", b"x: y\r\n" * (BLOCK // 6)),
    "blank lines": (b"", b"\r\n" * (BLOCK // 2)),
}


@measures_p99
def test_the_parts_around_a_body_are_bounded(target: Target) -> None:
    kinds = cycle(AROUND.items())

    def attack() -> None:
        kind, (head, block) = next(kinds)
        taken, answer = poured(target.port, head, block, MOST)
        assert taken < TAKEN, kind
        # A reset may overtake the response.
        assert not answer or answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 401 ")), (kind, answer)

    endured(target, lambda: at_once(attack, clients=4, seconds=ATTACK_S * 2))


# 2: readers that never read


@pytest.mark.parametrize("path", ["/openapi.json", "/docs/swagger-ui-bundle.js"])
@measures_p99
def test_clients_that_do_not_read_are_cut_and_block_no_others(target: Target, path: str) -> None:
    payload = kept("GET", path) * 100

    def attack() -> None:
        before = target.open_files
        with crowd(target.port, 600, lambda _: payload) as clients:
            # On a slow machine the first are cut off before the last have arrived.
            await_end(lambda: len(clients) - number_cut(clients), 50, 3 * DEADLINE_S)
            await_end(lambda: target.open_files - before, 50, 3 * DEADLINE_S)

    endured(target, attack)


def test_who_reads_slowly_gets_everything(target: Target) -> None:
    with crowd(target.port, 1, lambda _: request("GET", "/docs/swagger-ui-bundle.js")) as (client,):
        received = 0
        client.settimeout(10)
        while part := client.recv(64 * 1024):
            received += len(part)
            time.sleep(0.1)
    assert received > MIB


# 3: slow and idle clients


@measures_p99
def test_thousands_of_idle_clients_block_no_others(target: Target) -> None:
    def attack() -> None:
        with crowd(target.port, 2_000, lambda _: b""):
            time.sleep(ATTACK_S)

    endured(target, attack)


@measures_p99
def test_thousands_of_slow_clients_block_no_others(target: Target) -> None:
    key = f"Authorization: {target.publishable}"
    begun = [
        b"POST /v1/tr",
        request("POST", "/v1/track", key, "Content-Length: 100", body=b"{"),
        request("POST", "/v1/track/replay", key, "Content-Length: 1000000", body=b"{" + b" " * 50_000),
        request("POST", "/v1/track", key, "Transfer-Encoding: chunked", body=b"5\r\n{"),
    ]

    def attack() -> None:
        with crowd(target.port, 2_000, lambda number: begun[number % len(begun)]):
            time.sleep(ATTACK_S)

    endured(target, attack)


def test_slow_clients_get_a_timeout_after_ten_seconds(target: Target) -> None:
    key = f"Authorization: {target.publishable}"
    half = request("POST", "/v1/track", key, "Content-Length: 100")
    chunked = request("POST", "/v1/track", key, "Transfer-Encoding: chunked")
    slow = [
        (b"", b""),
        (b"POST /v1/track HTTP/1.1\r\nHost: loc", b""),
        (b"", b"POST /v1/track HTTP/1.1\r\n" * 9),
        (half + b'{"deviceId":', b""),
        (half, b" " * 99),
        (chunked + b"5\r\n{", b""),
        (chunked, b"1\r\n \r\n" * 30),
        (kept("GET", "/v1/ping") + b"GET /v1/p", b"ing?" + b"x" * 99),
    ]

    async def wait() -> list[tuple[float, bytes]]:
        return await asyncio.gather(*(answered_late(target.port, *each) for each in slow for _ in range(5)))

    for seconds, answer in asyncio.run(wait()):
        last = answer[answer.rindex(b"HTTP/1.1") :]
        assert last.startswith(b"HTTP/1.1 408 "), answer
        assert meta_of(last)["code"] == 408
        assert DEADLINE_S - 1 <= seconds <= DEADLINE_S + LATE_S


# 4: bodies that are hard to parse


@measures_p99
def test_bodies_that_are_hard_to_parse_delay_no_others(target: Target) -> None:
    form = "Content-Type: application/x-www-form-urlencoded"
    update = b'{"deviceId":"r","latitude":1,"longitude":2,"accuracy":3,"metadata":{"k":"%s"}}' % (b"x" * 1_900)
    bodies = [
        (form, b"%" * (8 * MIB)),
        (form, b"%" * MIB),
        (form, b"replays=" + b"%5B" * (MIB // 3 - 9)),
        (form, b"&".join([b"userIds=" + b"x" * 200] * 5_000)),
        ("Accept: */*", b'{"replays":[' + b"[]," * (2 * MIB) + b"[]]}"),
        ("Accept: */*", b'{"replays":["' + b"\\u00e9" * MIB + b'"]}'),
        ("Accept: */*", b'{"replays":[' + b",".join([update] * 1_000) + b"]}"),
        ("Accept: */*", b'{"metadata":{' + b",".join(b'"%d":[]' % number for number in range(24_000)) + b"}}"),
    ]
    turns = count()

    def attack() -> None:
        header, body = bodies[next(turns) % len(bodies)]
        path = "/v1/track" if body.startswith(b'{"m') else "/v1/track/replay"
        key = f"Authorization: {target.publishable}"
        with Wire(target.port, timeout_s=120) as wire:
            wire.send(request("POST", path, key, header, f"Content-Length: {len(body)}", body=body))
            answer = wire.rest()
        assert answer.startswith((b"HTTP/1.1 200 ", b"HTTP/1.1 400 ", b"HTTP/1.1 503 ")), answer[:200]

    endured(target, lambda: at_once(attack, clients=16, seconds=ATTACK_S * 2))


# 5: requests sent without waiting for responses


def flood(port: int, requests: Iterator[bytes], seconds: float) -> tuple[int, int]:
    """Send requests as fast as possible without waiting, and read the responses; return the number of each.

    Responses to requests that the server has not read by then are not awaited.
    """
    answered = 0
    with Wire(port, timeout_s=60) as wire:

        def read() -> None:
            nonlocal answered
            end = b""
            with suppress(OSError):
                while part := wire.socket.recv(BLOCK):
                    answered += (end + part).count(b"HTTP/1.1 ")
                    end = part[-8:]

        reader = threading.Thread(target=read)
        reader.start()
        until, sent, data = time.monotonic() + seconds, 0, b""
        wire.socket.settimeout(1)
        while time.monotonic() < until:
            if not data:
                several = [next(requests) for _ in range(50)]
                data, sent = b"".join(several), sent + len(several)
            with suppress(TimeoutError):
                data = data[wire.socket.send(data) :]
        wire.socket.shutdown(socket.SHUT_RDWR)
        reader.join()
    return sent, answered


@pytest.mark.parametrize("kind", ["tracks", "refused tracks", "pings"])
@measures_p99
def test_requests_that_do_not_wait_delay_no_others(target: Target, kind: str) -> None:
    key = target.publishable if kind == "tracks" else "none"

    def requests() -> Iterator[bytes]:
        for number in count():
            yield kept("GET", "/v1/ping") if kind == "pings" else track(key, f"pipelined-{number}")

    def attack() -> None:
        sent, answered = flood(target.port, requests(), ATTACK_S * 2)
        assert sent > answered > 100

    endured(target, attack)


def test_requests_that_do_not_wait_are_answered_in_their_order(target: Target) -> None:
    names = [f"in-order-{number}" for number in range(500)]
    closing = request("GET", "/docs/start.js")
    with Wire(target.port, timeout_s=60) as wire:
        wire.send(b"".join(track(target.publishable, name) for name in names) + closing)
        answers = wire.rest()
    assert answers.count(b"HTTP/1.1 200 ") == 501
    assert re.findall(rb'"deviceId":"(in-order-\d+)"', answers) == [name.encode() for name in names]


def test_many_who_do_not_wait_take_bounded_memory(target: Target) -> None:
    several = kept("GET", "/v1/ping") * 20_000
    target.forget_peak()
    with crowd(target.port, 500, lambda _: several):
        time.sleep(ATTACK_S)
    assert target.peak_mb <= MAX_MB


@measures_p99
def test_a_search_for_a_few_of_thousands_of_requests_delays_no_others(target: Target) -> None:
    with Wire(target.port, timeout_s=60) as wire:
        parts = "GET", "/v1/config", f"Authorization: {target.publishable}"
        wire.send(kept(*parts) * 6_000 + request(*parts))
        assert wire.rest().count(b"HTTP/1.1 200 ") == 6_001
    key = f"Authorization: {target.secret}"
    kinds = cycle(["deviceId=nobody", "userId=nobody", "method=DELETE", "path=/v1/geofences"])

    def attack() -> None:
        with Wire(target.port, timeout_s=60) as wire:
            wire.send(request("GET", f"/v1/requests?{next(kinds)}", key))
            assert wire.rest().startswith(b"HTTP/1.1 200 ")

    endured(target, lambda: at_once(attack, clients=5, seconds=ATTACK_S))


# 6: few files


@pytest.mark.parametrize("files", [128, 256])
@measures_p99
def test_with_few_files_every_client_is_answered(tmp_path: Path, files: int) -> None:
    with FewFiles(tmp_path / "home", files).serve(tmp_path / "workspace") as serving:
        target = Target.of(serving)

        def attack() -> None:
            with crowd(target.port, 300, lambda number: b"" if number % 2 else b"GET /v1/p", per_second=75):
                payload = kept("GET", "/v1/config", f"Authorization: {target.publishable}")
                for _ in range(300):
                    with Wire(target.port) as wire:
                        wire.send(payload)
                        assert wire.socket.recv(BLOCK).startswith(b"HTTP/1.1 200 ")

        endured(target, attack)


def test_more_clients_than_files_are_answered_one_after_the_other(tmp_path: Path) -> None:
    with FewFiles(tmp_path / "home", 128).serve(tmp_path / "workspace") as serving:
        target = Target.of(serving)
        payload = kept("GET", "/v1/config", f"Authorization: {target.publishable}")
        wires = []
        try:
            for _ in range(300):
                wires.append(Wire(target.port))
                wires[-1].send(payload)
                assert wires[-1].socket.recv(BLOCK).startswith(b"HTTP/1.1 200 ")
        except DISCONNECTED:
            pytest.fail(f"client {len(wires)} was dropped without an answer")
        finally:
            for wire in wires:
                wire.socket.close()
