"""Other clients are also served normally during attacks over TLS by slow, numerous or non-reading clients."""

import asyncio
import os
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.app.api.wire import meta_of, request
from tests.app.program import Program
from tests.hostile.attacks import DISCONNECTED, answered_late, at_once, await_end, crowd, kept
from tests.hostile.served import MAX_MB, Target, endured, measures_p99

ATTACK_S = 3.0
DEADLINE_S = 10.0
LATE_S = 8.0

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """`fencewright serve --tls`, as its users run it."""
    home = tmp_path_factory.mktemp("hostile")
    with Program(home / "home").serve(home / "workspace", "--tls") as serving:
        yield Target.of(serving)


@pytest.fixture(scope="module")
def trust(target: Target) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=target.authority)


@pytest.fixture(scope="module")
def hello(trust: ssl.SSLContext) -> bytes:
    """The first message of a client."""
    outgoing = ssl.MemoryBIO()
    with suppress(ssl.SSLWantReadError):
        trust.wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost").do_handshake()
    return outgoing.read()


def shaken(target: Target, trust: ssl.SSLContext) -> ssl.SSLSocket:
    """Return a connection after its handshake."""
    raw = socket.create_connection(("127.0.0.1", target.port), timeout=30)
    try:
        return trust.wrap_socket(raw, server_hostname="localhost")
    except BaseException:
        raw.close()
        raise


@measures_p99
def test_thousands_of_unfinished_handshakes_block_no_others(target: Target, hello: bytes) -> None:
    begun = [b"", hello[:1], hello[: len(hello) // 2], hello, b"GET /cert"]

    def attack() -> None:
        with crowd(target.port, 2_000, lambda number: begun[number % len(begun)]):
            time.sleep(ATTACK_S)

    endured(target, attack)


def test_who_shakes_hands_slowly_is_cut_after_ten_seconds(target: Target, hello: bytes) -> None:
    slow = [(b"", b""), (hello[:1], b""), (hello[:200], b""), (b"", hello[:40]), (hello, b"")]

    async def wait() -> list[tuple[float, bytes]]:
        return await asyncio.gather(*(answered_late(target.port, *each) for each in slow for _ in range(5)))

    for seconds, answer in asyncio.run(wait()):
        assert not answer.startswith(b"HTTP/")
        assert DEADLINE_S - 1 <= seconds <= DEADLINE_S + LATE_S


def test_slow_clients_after_the_handshake_get_a_timeout(target: Target, trust: ssl.SSLContext) -> None:
    key = f"Authorization: {target.publishable}"
    half = request("POST", "/v1/track", key, "Content-Length: 100")

    async def ended(data: bytes) -> tuple[float, bytes]:
        began = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", target.port, ssl=trust, server_hostname="localhost")
        writer.write(data)
        try:
            return time.monotonic() - began, await reader.read()
        finally:
            writer.close()

    async def wait() -> list[tuple[float, bytes]]:
        slow = (b"", b"POST /v1/track HTTP/1.1\r\nHost: loc", half + b'{"deviceId":')
        began = time.monotonic()
        answers = await asyncio.gather(*(ended(data) for data in slow))
        return [(time.monotonic() - began, answer) for _, answer in answers]

    for seconds, answer in asyncio.run(wait()):
        assert answer.startswith(b"HTTP/1.1 408 "), answer
        assert meta_of(answer)["code"] == 408
        assert DEADLINE_S - 1 <= seconds <= DEADLINE_S + LATE_S


@measures_p99
def test_many_handshakes_delay_no_others(target: Target, trust: ssl.SSLContext) -> None:
    def attack() -> None:
        shaken(target, trust).close()

    endured(target, lambda: at_once(attack, clients=4, seconds=ATTACK_S))


@measures_p99
def test_many_connections_make_room_for_others(target: Target, trust: ssl.SSLContext) -> None:
    def attack() -> None:
        with ExitStack() as stack:
            for number in range(700):
                wire = stack.enter_context(shaken(target, trust))
                if number % 2:
                    wire.sendall(b"GET /v1/p")

    endured(target, attack)


@measures_p99
def test_who_does_not_read_is_cut_and_takes_bounded_memory(target: Target, trust: ssl.SSLContext) -> None:
    payload = kept("GET", "/docs/swagger-ui-bundle.js") * 20

    def attack() -> None:
        before = target.open_files
        with ExitStack() as stack:
            for _ in range(200):
                wire = stack.enter_context(shaken(target, trust))
                wire.setblocking(False)
                with suppress(ssl.SSLWantWriteError, *DISCONNECTED):
                    wire.send(payload)
            await_end(lambda: target.open_files - before, 50, 3 * DEADLINE_S)

    endured(target, attack)


@measures_p99
def test_noise_ends_its_connection_and_nothing_else(target: Target, hello: bytes) -> None:
    def attack() -> None:
        with socket.create_connection(("127.0.0.1", target.port), timeout=30) as wire, suppress(*DISCONNECTED):
            wire.sendall(hello + os.urandom(2_000) * 20)
            while wire.recv(65536):
                pass

    endured(target, lambda: at_once(attack, clients=4, seconds=ATTACK_S))
    assert target.peak_mb <= MAX_MB


def test_a_server_with_all_of_them_stops(tmp_path: Path, hello: bytes) -> None:
    with Program(tmp_path / "home").serve(tmp_path / "workspace", "--tls") as serving:
        port = Target.of(serving).port
        with crowd(port, 100, lambda number: (b"", hello[:50], hello)[number % 3]):
            assert serving.stop().code == 0
