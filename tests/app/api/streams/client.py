"""A reader of server-sent events over a real connection."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from typing import Any, Self
from urllib.parse import urlsplit

import orjson

TIMEOUT_S = 30


@dataclass(frozen=True)
class Received:
    """One message: its `id` and type, and its data."""

    id: str
    type: str
    data: Any


class Reader:
    """A requested stream; `messages` waits for new messages."""

    def __init__(self, url: str, key: str, query: str = "", headers: Mapping[str, str] | None = None) -> None:
        address = urlsplit(url)
        self.connection = HTTPConnection(str(address.hostname), address.port, timeout=TIMEOUT_S)
        path = "/v1/events/stream" + (f"?{query}" if query else "")
        self.connection.request("GET", path, headers={"Authorization": key, **(headers or {})})
        self.response: HTTPResponse = self.connection.getresponse()

    def begin(self) -> Self:
        """Wait for the first bytes, after which the stream has begun."""
        assert self.response.status == 200, self.response.read()
        assert self.line() == "retry: 1000"
        assert self.line() == ""
        return self

    def line(self) -> str | None:
        """Return the next line without its end, or None at the end of the stream."""
        raw = self.response.readline()
        return raw.decode().rstrip("\n") if raw else None

    def messages(self) -> Iterator[Received]:
        """Yield messages until the stream ends, without comments."""
        fields: dict[str, str] = {}
        while (line := self.line()) is not None:
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            else:
                if "data" in fields:
                    yield Received(fields.get("id", ""), fields.get("event", "message"), orjson.loads(fields["data"]))
                fields = {}

    def take(self, count: int) -> list[Received]:
        """Return the next `count` messages."""
        found = self.messages()
        return [next(found) for _ in range(count)]

    def ids(self, count: int) -> list[str]:
        """Return the identifiers of the next `count` messages."""
        return [message.id for message in self.take(count)]

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()
        self.response.close()


@contextmanager
def reading(url: str, key: str, query: str = "", **headers: str) -> Iterator[Reader]:
    """Read a stream during the block; underscores in header names become hyphens."""
    reader = Reader(url, key, query, {name.replace("_", "-"): value for name, value in headers.items()})
    try:
        yield reader.begin()
    finally:
        reader.close()
