"""A bare socket for requests that a proper client would never send."""

import socket
from types import TracebackType
from typing import Self

import orjson


class Wire:
    """A connection to a server on this machine; every wait ends after `timeout_s`."""

    def __init__(self, port: int, timeout_s: float = 60) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        """Send bytes; it is not an error if the server has already closed."""
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            return

    def rest(self) -> bytes:
        """Return everything the server sends until it closes."""
        received = b""
        try:
            while chunk := self.socket.recv(65536):
                received += chunk
        except ConnectionResetError:
            pass
        return received


def request(method: str, path: str, *headers: str, body: bytes = b"") -> bytes:
    """Return the bytes of a request that closes the connection afterwards."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Connection: close", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def meta_of(answer: bytes) -> dict[str, object]:
    """Return the `meta` of a raw response."""
    meta: dict[str, object] = orjson.loads(answer.partition(b"\r\n\r\n")[2])["meta"]
    return meta
