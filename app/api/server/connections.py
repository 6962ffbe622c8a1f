"""Limit of concurrent connections, and the choice of a connection to close for a new one."""

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
"""Wanted limit of open files, well above the connections of two servers and all other files."""

OTHER_FILES: Final = 128
"""Number of files reserved for the database, the areas and other uses."""

_CANDIDATES: Final = 64
_AT_ONCE: Final = struct.pack("ii", 1, 0)


class Waiting(Protocol):
    """A connection as a candidate for closing."""

    transport: Transport

    @property
    def client_since(self) -> float | None:
        """Time (of the loop) since when the client must send or read, or None while the server must act."""
        ...

    @property
    def sends_ahead(self) -> bool:
        """Whether the client has sent its next request before the response to this one."""
        ...


def raise_file_limit() -> None:
    """Raise the limit of open files to the process's needs, as far as the system allows."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def most_connections() -> int:
    """Return the maximum number of connections of one server, which is lower if the process may open few files."""
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return min(MAX_CONNECTIONS, files - min(OTHER_FILES, files // 2))


class Places[C: Waiting]:
    """The connection slots of one server."""

    def __init__(self) -> None:
        self.most = most_connections()
        self._candidates: list[tuple[float, int, C]] = []
        self._none_at = -1.0

    def longest_waiting(self, connections: Iterable[C], now: float) -> C | None:
        """Return the connection that has waited longest for its client, or None if none is waiting.

        All connections are searched only occasionally, so that thousands of new ones cost little each.
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
        """Return the first candidate that is still waiting."""
        while self._candidates:
            since, _, each = self._candidates.pop()
            if each.client_since == since and (each.sends_ahead or not has_sent(each.transport)):
                return each
        return None


def has_sent(transport: Transport) -> bool:
    """Return whether data has arrived on a connection that the loop has not read yet."""
    if sys.platform == "win32" or transport.is_closing():
        return False
    size = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.FIONREAD, b"\0" * 4)
    return int.from_bytes(size, sys.byteorder) > 0


def reset(transport: Transport) -> None:
    """Close a connection immediately and discard the data that its client has not read."""
    with suppress(OSError, RuntimeError):  # already closed
        transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, _AT_ONCE)
    transport.abort()
