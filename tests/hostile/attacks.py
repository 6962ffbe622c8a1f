"""Hostile and broken clients, on real sockets."""

import asyncio
import select
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from typing import Final

from tests.app.api.wire import Wire, request

DISCONNECTED: Final = (BrokenPipeError, ConnectionResetError, ConnectionAbortedError)
BLOCK: Final = 64 * 1024


def kept(method: str, path: str, *headers: str, body: bytes = b"") -> bytes:
    """Return a request that keeps its connection alive."""
    return request(method, path, *headers, body=body).replace(b"Connection: close\r\n", b"")


def track(key: str, device: str) -> bytes:
    """Return a location update that keeps its connection alive."""
    body = b'{"deviceId":"%s","latitude":47.1,"longitude":9.5,"accuracy":5}' % device.encode()
    return kept("POST", "/v1/track", f"Authorization: {key}", f"Content-Length: {len(body)}", body=body)


def at_once(attack: Callable[[], None], clients: int, seconds: float) -> None:
    """Have several clients repeat an attack for a number of seconds."""
    until = time.monotonic() + seconds

    def repeat() -> None:
        while time.monotonic() < until:
            attack()

    with ThreadPoolExecutor(clients) as pool:
        for future in [pool.submit(repeat) for _ in range(clients)]:
            future.result()


def poured(port: int, head: bytes, block: bytes, most: int) -> tuple[int, bytes]:
    """Send a head and then blocks of at most this many bytes; return the number of bytes taken, and the response."""
    sent = 0
    with Wire(port) as wire, suppress(*DISCONNECTED):
        wire.socket.sendall(head)
        while sent < most:
            sent += wire.socket.send(block)
            wire.socket.settimeout(0.001)
            with suppress(TimeoutError):
                if answer := wire.socket.recv(BLOCK):
                    return sent, answer
            wire.socket.settimeout(10)
    return sent, b""


@contextmanager
def crowd(
    port: int, count: int, data: Callable[[int], bytes], per_second: float = 1_000
) -> Iterator[list[socket.socket]]:
    """Open this many connections with small windows, and send `data` on each without reading.

    A higher rate would leave other clients no time to send a request of their own.
    """
    with ExitStack() as stack:
        sockets = []
        for number in range(count):
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.settimeout(10)
            client.connect(("127.0.0.1", port))
            client.setblocking(False)
            with suppress(BlockingIOError, *DISCONNECTED):
                client.send(data(number))
            sockets.append(client)
            time.sleep(1 / per_second)
        yield sockets


def number_cut(clients: Iterable[socket.socket]) -> int:
    """Return the number of connections that the server has reset or closed."""
    poll = select.poll()
    for client in clients:
        poll.register(client, select.POLLRDHUP)  # resets are reported in any case
    return len(poll.poll(0))


def await_end(left: Callable[[], int], few: int, within_s: float) -> None:
    """Wait until only few are left, and fail if their number does not change within a time."""
    before, since = -1, time.monotonic()
    while (now := left()) > few:
        if now != before:
            before, since = now, time.monotonic()
        assert time.monotonic() < since + within_s, f"{now} are left"
        time.sleep(0.1)


async def answered_late(port: int, data: bytes, trickle: bytes = b"", every_s: float = 1.0) -> tuple[float, bytes]:
    """Send data, then single bytes at intervals; return the time until the server ended it, and its response."""
    began = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)

    async def drip() -> None:
        for at in range(len(trickle)):
            await asyncio.sleep(every_s)
            writer.write(trickle[at : at + 1])

    dripping = asyncio.create_task(drip())
    try:
        answer = await reader.read()
        return time.monotonic() - began, answer
    except ConnectionResetError:
        return time.monotonic() - began, b""
    finally:
        dripping.cancel()
        writer.close()
