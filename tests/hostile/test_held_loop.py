"""Event loop latency: the largest and hardest body of each operation, and the largest responses."""

import gzip
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import batched
from math import cos, pi, sin
from typing import Final

import httpx
import orjson
import pytest

from app.api.v1 import RESOURCES
from app.api.v1.operations import Operation
from tests.app.api.wire import Wire, request
from tests.app.program import ROOT

MAX_HELD_S: Final = 0.05
"""Limit for a machine that counts to `COUNTED` in `COUNTING_S`; a slower or busy one gets proportionally longer."""

MAX_CHUNKS_S: Final = 0.02
"""Limit for chunks, which many responses may send in the same round of the loop."""

COUNTED: Final = 200_000
COUNTING_S: Final = 0.014
ROUNDS: Final = 12
"""Number of attempts of a request that held the loop, since another program may have slowed the machine down."""

FORM: Final = "application/x-www-form-urlencoded"
JSON: Final = "application/json"
MIB: Final = 1024 * 1024

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def longest_s() -> float:
    """Return how long the loop may be held, at the machine's current speed."""
    began, total = time.process_time(), 0
    for number in range(COUNTED):
        total += number & 7
    return MAX_HELD_S * max(1.0, (time.process_time() - began) / COUNTING_S)


@dataclass(frozen=True)
class Probed:
    """A server with a watched loop."""

    process: subprocess.Popen[str]
    client: httpx.Client

    def held_s(self) -> float:
        """Return the longest time for which the loop was held since the previous call."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def check(self, method: str, path: str, description: str = "", **options: object) -> httpx.Response:
        """Send a request and check that it did not hold the loop; `description` describes the request."""
        shortest = 9.0
        for _ in range(ROUNDS):
            self.held_s()
            answer = self.client.request(method, path, **options)  # type: ignore[arg-type]
            shortest = min(shortest, self.held_s())
            if shortest <= MAX_HELD_S or shortest <= longest_s():
                return answer
        raise AssertionError(
            f"{method} {path} held the loop for {shortest * 1e3:.0f} ms ({description}): {answer.text[:100]}"
        )


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Probed]:
    workspace = tmp_path_factory.mktemp("probed") / "workspace"
    command = [sys.executable, "-m", "tests.hostile.probed", str(workspace)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready = orjson.loads(process.stdout.readline())
            headers = {"Authorization": ready["keys"][-1]}
            with httpx.Client(base_url=f"http://127.0.0.1:{ready['port']}", headers=headers, timeout=300) as client:
                yield Probed(process, client)
        finally:
            process.kill()


OPERATIONS: Final = {
    operation.name: (method, resource.path, operation)
    for resource in RESOURCES
    for method, operation in resource.operations.items()
    if operation.body is not None
}


def filled(begin: bytes, item: bytes, end: bytes, size: int) -> bytes:
    """Return as many items as fit into `size` bytes."""
    return begin + b",".join([item] * ((size - len(begin) - len(end)) // (len(item) + 1))) + end


def members(size: int, value: bytes) -> bytes:
    """Return a dictionary of about this many bytes, with the value under each of its keys."""
    found = b",".join(b'"%d":%s' % (number, value) for number in range(size // (len(value) + 10)))
    return b"{" + found + b"}"


def field_of(operation: Operation) -> bytes:
    """Return the name of a field that holds a list, or of any field."""
    assert operation.body is not None
    fields = operation.body.model_fields
    lists = (field for field in fields.values() if "list" in str(field.annotation))
    alias = (next(lists, None) or next(iter(fields.values()))).alias
    assert alias is not None
    return alias.encode()


def hard_bodies(operation: Operation) -> dict[str, tuple[str, bytes]]:
    """Return bodies of the operation's maximum size, each with its type."""
    size, name = operation.max_body, field_of(operation)
    return {
        "empty lists": (JSON, filled(b'{"%s":[' % name, b"[]", b"]}", size)),
        "empty dictionaries": (JSON, filled(b'{"%s":[' % name, b"{}", b"]}", size)),
        "numbers": (JSON, filled(b'{"%s":[' % name, b"1", b"]}", size)),
        "texts": (JSON, filled(b'{"%s":[' % name, b'"a"', b"]}", size)),
        "as many values as there may be": (JSON, filled(b'{"%s":[' % name, b"{}", b"]}", 290_000)),
        "one text of escapes": (JSON, b'{"%s":["' % name + b"\\u00e9" * (size // 6 - 10) + b'"]}'),
        "one long text": (JSON, b'{"%s":["' % name + b"x" * (size - 40) + b'"]}'),
        "commas in a text": (JSON, b'{"%s":"' % name + b"," * (size - 40) + b'"}'),
        "quotes in a text": (JSON, b'{"%s":"' % name + b'\\"' * (size // 2 - 40) + b'"}'),
        "a list as text": (JSON, b'{"%s":"[' % name + b"[]," * (size // 3 - 20) + b'1]"}'),
        "unknown keys": (JSON, members(size, b"1")),
        "metadata": (JSON, b'{"metadata":' + members(size - 40, b"[]") + b"}"),
        "nested lists": (JSON, b'{"%s":' % name + b"[" * (size - 40)),
        "spaces": (JSON, b" " * size),
        "no end": (JSON, b'{"%s":[' % name + b"1," * (size // 2 - 20)),
        "percent signs": (FORM, b"%" * MIB),
        "escapes": (FORM, b"%s=" % name + b"%41" * (MIB // 3 - 20)),
        "escapes between letters": (FORM, b"%s=" % name + b"%41a" * (MIB // 4 - 20)),
        "ampersands": (FORM, b"&" * MIB),
        "a thousand times the same": (FORM, b"&".join([b"userIds=" + b"x" * 200] * 4_990)),
        "JSON in a form": (FORM, b"%s=[" % name + b"[]," * (MIB // 3 - 20) + b"1]"),
        "too large a form": (FORM, b"%" * (8 * MIB)),
    }


@pytest.mark.parametrize("name", OPERATIONS)
def test_no_body_holds_the_loop(probed: Probed, name: str) -> None:
    method, template, operation = OPERATIONS[name]
    path = template.replace("{", "").replace("}", "")
    for description, (content_type, body) in hard_bodies(operation).items():
        answer = probed.check(method, path, description, content=body, headers={"Content-Type": content_type})
        assert answer.status_code in (200, 400, 403, 404), answer.text


def update(number: int, **fields: object) -> dict[str, object]:
    return {"deviceId": f"d-{number}", "latitude": 47.1, "longitude": 9.5, "accuracy": 5, **fields}


def test_the_largest_replay_does_not_hold_the_loop(probed: Probed) -> None:
    metadata = {f"key-{number}": "é" * 110 for number in range(32)}
    body = orjson.dumps({"replays": [update(number, metadata=metadata) for number in range(1_000)]})
    assert 7 * MIB < len(body) < 8 * MIB
    answer = probed.check("POST", "/v1/track/replay", content=body).json()
    assert [each["meta"]["code"] for each in answer["replays"]] == [200] * 1_000
    assert answer["replays"][7]["user"]["metadata"] == metadata


def test_the_smallest_chunks_do_not_hold_the_loop(probed: Probed) -> None:
    body = b"1\r\n \r\n" * 800_000 + b"0\r\n\r\n"
    port, key = probed.client.base_url.port, probed.client.headers["Authorization"]
    assert port is not None
    sent = request("POST", "/v1/track", f"Authorization: {key}", "Transfer-Encoding: chunked", body=body)
    shortest = 9.0
    for _ in range(ROUNDS):
        probed.held_s()
        with Wire(port, timeout_s=60) as wire:
            wire.send(sent)
            assert wire.rest().startswith(b"HTTP/1.1 400 ")
        shortest = min(shortest, probed.held_s())
        if shortest <= MAX_CHUNKS_S:
            break
    assert shortest <= MAX_CHUNKS_S * longest_s() / MAX_HELD_S


def test_hundreds_who_ask_at_once_do_not_hold_the_loop(probed: Probed) -> None:
    port = probed.client.base_url.port
    assert port is not None
    key = f"Authorization: {probed.client.headers['Authorization']}"
    payload = request("GET", "/v1/search/geofences?near=50,10&" + "&".join(["tags=a"] * 1_000), key)
    shortest = 9.0
    for _ in range(ROUNDS):
        with ExitStack() as stack:
            wires = [stack.enter_context(Wire(port, timeout_s=60)) for _ in range(400)]
            probed.held_s()
            os.kill(probed.process.pid, signal.SIGSTOP)
            for wire in wires:
                wire.send(payload)
            os.kill(probed.process.pid, signal.SIGCONT)
            assert all(wire.rest().startswith(b"HTTP/1.1 400 ") for wire in wires)
        shortest = min(shortest, probed.held_s())
        if shortest <= MAX_HELD_S:
            break
    assert shortest <= longest_s()


def test_packed_bodies_do_not_hold_the_loop(probed: Probed) -> None:
    headers = {"Content-Encoding": "gzip"}
    for path, most in (("/v1/track", MIB), ("/v1/track/replay", 8 * MIB)):
        for size, status in ((300 * MIB, 413), (most - 1, 400)):
            packed = gzip.compress(b" " * size, 1)[: most // 2]
            assert probed.check("POST", path, content=packed, headers=headers).status_code in (status, 400)


def test_the_longest_path_does_not_hold_the_loop(probed: Probed) -> None:
    path = [{"coordinates": f"60.{number:06},24.94", "accuracy": 5} for number in range(16_000)]
    assert probed.check("POST", "/v1/route/match", json={"path": path}).status_code in (200, 400, 404, 503)


@pytest.mark.parametrize("path", ["/v1/users/" + "%" * 31_000, "/v1/geofences?tag=" + "%41" * 10_000])
def test_the_longest_addresses_do_not_hold_the_loop(probed: Probed, path: str) -> None:
    url = httpx.URL(str(probed.client.base_url))
    request = httpx.Request("GET", url.copy_with(raw_path=path.encode()), headers=probed.client.headers)
    for _ in range(ROUNDS):
        probed.held_s()
        answer = probed.client.send(request)
        if (held_s := probed.held_s()) <= longest_s():
            break
    else:
        pytest.fail(f"the loop was held for {held_s * 1e3:.0f} ms")
    assert answer.status_code in (200, 400, 404)


def test_the_largest_answers_do_not_hold_the_loop(probed: Probed) -> None:
    metadata = {f"key-{number}": "x" * 200 for number in range(32)}
    for numbers in batched(range(1_000), 250):
        replays = [update(number, metadata=metadata) for number in numbers]
        assert probed.client.post("/v1/track/replay", json={"replays": replays}).status_code == 200
    ring = [[10 + cos(at * pi / 999) / 3, 50 + sin(at * pi / 999) / 3] for at in range(1_998)]
    for number in range(100):
        fence = {"description": "Large", "type": "polygon", "coordinates": [*ring, ring[0]], "enabled": True}
        assert probed.client.put(f"/v1/geofences/large/{number}", json=fence).status_code == 200
    for path in ("/v1/users", "/v1/events", "/v1/geofences"):
        assert probed.check("GET", f"{path}?limit=1000").status_code == 200
    assert probed.check("GET", "/v1/search/geofences?near=50,10&limit=100").status_code == 200


def test_the_largest_records_are_listed_in_portions(probed: Probed) -> None:
    metadata = {f"key-{number}": "\u4e2d" * 2_000 for number in range(32)}
    for number in range(400):
        body = orjson.dumps(update(number, metadata=metadata))
        assert probed.client.post("/v1/track", content=body).status_code == 200
    answer = probed.check("GET", "/v1/users?limit=1000")
    assert 30 * MIB < len(answer.content) < 33 * MIB
    assert answer.json()["meta"]["hasMore"] is True
