"""New clients do not wait because of hundreds of clients that pipeline dozens of requests without reading."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.api.wire import Wire, request
from tests.app.program import Program
from tests.hostile.attacks import BLOCK, crowd, kept, track
from tests.hostile.served import MAX_P99_S, ROUNDS, SLOWER, Target, endured, measures_p99

CROWD = 520
"""Number of clients above the connection limit."""

AHEAD = 40
ATTACK_S = 3.0

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

KINDS: dict[str, Callable[[Target], bytes]] = {
    "pings": lambda target: kept("GET", "/v1/ping", f"Authorization: {target.publishable}"),
    "updates": lambda target: track(target.publishable, "ahead"),
    "refused updates": lambda _: track("none", "ahead"),
    "lists of users": lambda target: kept("GET", "/v1/users", f"Authorization: {target.secret}"),
    "large files": lambda _: kept("GET", "/docs/swagger-ui-bundle.js"),
}


def first_answer_s(target: Target) -> float:
    """Return the time until a new client gets its first response."""
    began = time.perf_counter()
    with Wire(target.port, timeout_s=60) as wire:
        wire.send(kept("GET", "/v1/config", f"Authorization: {target.publishable}"))
        assert wire.socket.recv(BLOCK).startswith(b"HTTP/1.1 200 ")
    return time.perf_counter() - began


def check_newcomers(target: Target, ahead: bytes) -> None:
    """Check that a client that arrives with the crowd, and the next one, do not wait."""
    waited = []

    def attack() -> None:
        with crowd(target.port, CROWD, lambda _: ahead):
            waited.append(first_answer_s(target))
            time.sleep(ATTACK_S)

    for _ in range(ROUNDS):
        calm_s = max(first_answer_s(target) for _ in range(20))
        endured(target, attack)
        print(f"first answer {waited[-1] * 1e3:.0f} ms, without the attack {calm_s * 1e3:.0f} ms")
        if waited[-1] <= max(MAX_P99_S, SLOWER * calm_s):
            return
    raise AssertionError(f"the next client waited {waited} s for its first answer")


@measures_p99
@pytest.mark.parametrize("kind", KINDS)
def test_hundreds_who_send_ahead_keep_no_new_client_waiting(target: Target, kind: str) -> None:
    with Wire(target.port, timeout_s=60) as wire:
        wire.send(b"".join(track(target.publishable, f"user-{number}") for number in range(100)))
        wire.send(request("GET", "/v1/ping"))
        assert wire.rest().count(b"HTTP/1.1 ") == 101
    check_newcomers(target, KINDS[kind](target) * AHEAD)


@measures_p99
def test_the_first_who_ask_for_the_document_of_the_interface_keep_no_new_client_waiting(tmp_path: Path) -> None:
    with Program(tmp_path / "home").serve(tmp_path / "workspace") as serving:
        check_newcomers(Target.of(serving), kept("GET", "/openapi.json") * AHEAD)
