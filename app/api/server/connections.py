"""Limit of connections at once, and the choice of the one that makes room for a new one."""

import struct
import sys
from asyncio import Transport
from collections.abc import Iterable
from contextlib import suppress
from heapq import nsmallest
from socket import SO_LINGER, SOL_SOCKET
from typing import Final, Protocol

from app.api.http.limits import MAX_CONNECTIONS

if sys.platform != "win32":
    import fcntl
    import resource
    import termios

WANTED_FILES: Final = 4_096
"""Twice as many as the connections that two servers may have, and what else a process opens."""

OTHER_FILES: Final = 128
"""Files that connections leave to the database, the areas and whatever else the process has open."""

_CANDIDATES: Final = 64
_AT_ONCE: Final = struct.pack("ii", 1, 0)


class Waiting(Protocol):
    """A connection, seen by who looks for room."""

    transport: Transport

    @property
    def client_since(self) -> float | None:
        """Since when it is the client's turn to send or to read, by the loop's time; None while it is ours."""
        ...

    @property
    def sends_ahead(self) -> bool:
        """Whether the client has sent its next request before the answer to this one."""
        ...


def raise_file_limit() -> None:
    """Let this process open as many files as it needs, as far as the system allows."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def most_connections() -> int:
    """Return how many connections one server may have, which is less where the process may open few files."""
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return min(MAX_CONNECTIONS, files - min(OTHER_FILES, files // 2))


class Places[C: Waiting]:
    """The places for connections of one server."""

    def __init__(self) -> None:
        self.most = most_connections()
        self._candidates: list[tuple[float, int, C]] = []
        self._none_at = -1.0

    def longest_waiting(self, connections: Iterable[C], now: float) -> C | None:
        """Return the connection that has waited longest for its client; None where none waits.

        That one is looked for among all only now and then: those who come by the thousand each cost little.
        """
        if not self._candidates and now == self._none_at:
            return None
        if (found := self._next()) is not None:
            return found
        waiting = ((each.client_since, number, each) for number, each in enumerate(connections))
        oldest = nsmallest(_CANDIDATES, ((since, number, each) for since, number, each in waiting if since is not None))
        self._candidates = oldest[::-1]
        found = self._next()
        if found is None:
            self._none_at = now
        return found

    def _next(self) -> C | None:
        """Return the first candidate that still waits."""
        while self._candidates:
            since, _, each = self._candidates.pop()
            if each.client_since == since and (each.sends_ahead or not has_sent(each.transport)):
                return each
        return None


def has_sent(transport: Transport) -> bool:
    """Whether something has arrived on a connection that the loop has not seen yet."""
    if sys.platform == "win32" or transport.is_closing():
        return False
    size = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.FIONREAD, b"\0" * 4)
    return int.from_bytes(size, sys.byteorder) > 0


def reset(transport: Transport) -> None:
    """Close a connection at once, and let the system forget what its client has not read."""
    with suppress(OSError, RuntimeError):  # it is closed already
        transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, _AT_ONCE)
    transport.abort()
