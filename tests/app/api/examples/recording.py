"""Sends the requests of the story to a real server on a workspace with the seed, and records the responses.

The machine's clock stands still and identifiers are made in the same order, so that a response changes only with the
program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch
from urllib.parse import quote, urlsplit

import httpx
import orjson

import engine.wiring
from app.api.server.server import ApiServer
from app.api.v1 import RESOURCES
from app.api.v1.operations import Operation, Streamed
from app.api.wire.webhook import WirePayloads
from app.seeds import decode_seed
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from tests.app.api.examples.example import Earlier, Example
from tests.app.api.examples.story import STORY
from tests.engine.fixtures import SetClock
from tests.engine.nightly.servers import files
from tests.servers import answering, serving
from tests.waiting import eventually

SEED: Final = Path(__file__).parents[4] / "resources" / "demo" / "helsinki.json"
NOW: Final = datetime(2026, 5, 12, 9, tzinfo=UTC)
ENDPOINT, RECEIVER, FILES = (f"127.0.0.1:{port}" for port in (8787, 8788, 8000))
"""The hosts in the examples, which stand for the servers of a recording."""

OPERATIONS: Final[Mapping[str, tuple[str, str, Operation]]] = {
    operation.name: (method, resource.path, operation)
    for resource in RESOURCES
    for method, operation in resource.operations.items()
}
"""Method, path and declaration by the name of an operation."""

STORES: Final = """\
description,type,externalId,coordinates,radius
Store at the market,circle,market,"[24.9524, 60.1677]",70
"""
"""The table of the nightly sync."""

TEXTS: Final = ("image/svg+xml", "text/event-stream")
"""Content types that are recorded as text. Others, except JSON, are not recorded."""

type Recorded = dict[str, Any]
type Check = Callable[[httpx.Request, httpx.Response], None]


def unchecked(_request: httpx.Request, _response: httpx.Response) -> None:
    """Accept any exchange."""


class Client:
    """Sends examples to a server, checks each exchange, and remembers the first response of each operation."""

    def __init__(self, url: str, keys: Mapping[KeyLevel, str], addresses: Mapping[str, str], check: Check) -> None:
        self._check = check
        self._client = httpx.Client(base_url=url, timeout=40, trust_env=False)
        self._keys, self._addresses = keys, addresses
        self._earlier: dict[str, Any] = {}

    def send(self, example: Example) -> httpx.Response:
        """Send a request, again until the response has what is awaited, and return the last response."""
        response = self._once(example)

        def complete() -> bool:
            nonlocal response
            if found(response.json(), example.awaited) is None:
                response = self._once(example)
            return found(response.json(), example.awaited) is not None

        if example.awaited:
            eventually(complete)
        if response.is_success and response.headers.get("content-type") == "application/json":
            self._earlier.setdefault(example.operation, response.json())
        return response

    def record(self, example: Example) -> Recorded:
        """Send a request and return the example as it is stored."""
        response = self.send(example)
        assert response.is_success, f"{example.operation}, {example.title}: {response.text}"
        parts = {
            "title": example.title,
            "path": self._path_of(example),
            "query": example.query,
            "headers": example.headers,
            "body": example.body,
            "status": response.status_code,
            "media": response.headers["content-type"],
            "response": self._shown(response),
        }
        return {name: value for name, value in parts.items() if value not in ({}, None)}

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _once(self, example: Example) -> httpx.Response:
        method, template, operation = OPERATIONS[example.operation]
        path = template
        for name, value in self._path_of(example).items():
            path = path.replace(f"{{{name}}}", quote(value, safe=""))
        body = example.body
        request = self._client.build_request(
            method,
            path,
            params=query_of(example.query),
            headers={"Authorization": self._keys[operation.level], **example.headers},
            json=None if body is None else replaced(body, self._addresses),
        )
        if isinstance(operation.answer, Streamed):
            return self._first_message(request)
        response = self._client.send(request)
        self._check(request, response)
        return response

    def _first_message(self, request: httpx.Request) -> httpx.Response:
        """Return a response that holds the beginning of a stream, up to its first event."""
        response = self._client.send(request, stream=True)
        received = b""
        for part in response.iter_raw():
            received += part
            if b"data: " in received and received.endswith(b"\n\n"):
                break
        response.close()
        first = received[: received.index(b"\n\n", received.index(b"data: ")) + 2]
        return httpx.Response(response.status_code, headers=response.headers, content=first, request=request)

    def _path_of(self, example: Example) -> dict[str, str]:
        return {
            name: found(self._earlier[value.operation], value.place) if isinstance(value, Earlier) else value
            for name, value in example.path.items()
        }

    def _shown(self, response: httpx.Response) -> object:
        kind = response.headers["content-type"]
        documented = {actual: address for address, actual in self._addresses.items()}
        if kind == "application/json":
            return replaced(response.json(), documented)
        return replaced(response.text, documented) if kind.startswith(TEXTS) else None


@dataclass(frozen=True)
class StoryServer:
    """A server on a workspace with the seed: its address, its keys of Test, and the engine."""

    url: str
    keys: Mapping[KeyLevel, str]
    engine: Engine
    addresses: Mapping[str, str]

    def header(self, level: KeyLevel) -> dict[str, str]:
        """Return the header with a key."""
        return {"Authorization": self.keys[level]}

    @contextmanager
    def client(self, check: Check = unchecked) -> Iterator[Client]:
        """Connect a client, which remembers no responses yet."""
        client = Client(self.url, self.keys, self.addresses, check)
        yield client
        client.close()


@contextmanager
def story_server() -> Iterator[StoryServer]:
    """Serve a workspace with the seed."""
    with (
        patch.object(engine.wiring, "randbits", lambda _: 0x4A100),
        patch.object(engine.wiring, "token_hex", lambda size: "5b1e9d4f7a"[: 2 * size]),
        serving(answering({})) as receiver,
        files() as served,
        Engine.open(":memory:", clock=SetClock(NOW), payloads=WirePayloads) as opened,
    ):
        served.content["stores.csv"] = STORES.encode()
        addresses = {RECEIVER: urlsplit(receiver.url).netloc, FILES: urlsplit(served.server.url).netloc}
        opened.seeding.load(decode_seed(orjson.dumps(replaced(orjson.loads(SEED.read_bytes()), addresses))))
        keys = {level: opened.workspace.keys.value(Environment.TEST, level) for level in KeyLevel}
        with ApiServer(opened, port=0) as server:
            yield StoryServer(server.url, keys, opened, addresses | {ENDPOINT: urlsplit(server.url).netloc})


def record_story(server: StoryServer, check: Check = unchecked) -> dict[str, list[Recorded]]:
    """Send the whole story and return its examples by operation, in the order of the document."""
    recorded: dict[str, list[Recorded]] = {name: [] for name in OPERATIONS}
    with server.client(check) as client:
        for example in STORY:
            recorded[example.operation].append(client.record(example))
    return recorded


def query_of(query: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of a query: ``metadata[key]`` for dictionaries, repeated names for lists."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if isinstance(value, Mapping):
            pairs += ((f"{name}[{key}]", text_of(each)) for key, each in value.items())
        else:
            pairs += ((name, text_of(each)) for each in (value if isinstance(value, list) else [value]))
    return tuple(pairs)


def text_of(value: object) -> str:
    """Return a value as in a query."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def found(content: Any, place: tuple[str | int, ...]) -> Any:
    """Return the value at keys and indices, or None if there is none."""
    for part in place:
        try:
            content = content[part]
        except (KeyError, IndexError):
            return None
    return content


def replaced[T](content: T, addresses: Mapping[str, str]) -> T:
    """Return JSON with other addresses."""
    text = orjson.dumps(content)
    for address, other in addresses.items():
        text = text.replace(address.encode(), other.encode())
    changed: T = orjson.loads(text)
    return changed
