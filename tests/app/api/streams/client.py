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
    """One message: its `id` and type, and what its data hold."""

    id: str
    type: str
    data: Any


class Reader:
    """A stream that has been asked for; `messages` waits for what comes."""

    def __init__(self, url: str, key: str, query: str = "", headers: Mapping[str, str] | None = None) -> None:
        address = urlsplit(url)
        self.connection = HTTPConnection(str(address.hostname), address.port, timeout=TIMEOUT_S)
        path = "/v1/events/stream" + (f"?{query}" if query else "")
        self.connection.request("GET", path, headers={"Authorization": key, **(headers or {})})
        self.response: HTTPResponse = self.connection.getresponse()

    def begin(self) -> Self:
        """Wait for the first bytes: the stream follows from here on."""
        assert self.response.status == 200, self.response.read()
        assert self.line() == "retry: 1000"
        assert self.line() == ""
        return self

    def line(self) -> str | None:
        """Return the next line without its end; None at the end of the stream."""
        raw = self.response.readline()
        return raw.decode().rstrip("\n") if raw else None

    def messages(self) -> Iterator[Received]:
        """Yield messages until the stream ends; comments are left out."""
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
        """Return so many messages."""
        found = self.messages()
        return [next(found) for _ in range(count)]

    def ids(self, count: int) -> list[str]:
        """Return the identifiers of so many messages."""
        return [message.id for message in self.take(count)]

    def close(self) -> None:
        """Leave."""
        self.connection.close()
        self.response.close()


@contextmanager
def reading(url: str, key: str, query: str = "", **headers: str) -> Iterator[Reader]:
    """Read a stream while the block runs; underscores in the names of headers are hyphens."""
    reader = Reader(url, key, query, {name.replace("_", "-"): value for name, value in headers.items()})
    try:
        yield reader.begin()
    finally:
        reader.close()
