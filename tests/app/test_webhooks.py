"""Webhooks from the command line, the built-in receiver, and the examples of the documentation."""

import hmac
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha1
from pathlib import Path
from socket import create_connection

import httpx
import orjson
import pytest

from app.receiver import MAX_BODY, Received, Receiver, Signature
from engine.domain.errors import AddressInUse
from engine.outbound.posting.signing import SIGNATURE, SIGNING_ID, signature, signed_headers
from tests.app.commands import Commands
from tests.app.program import ROOT, TIMEOUT_S, Program
from tests.app.webhook_crashes import crash_rounds

TOKEN = "a-token-of-a-test"
PAGE = (ROOT / "docs" / "webhooks.md").read_text(encoding="utf-8")


@contextmanager
def receiving(**options: object) -> Iterator[tuple[Receiver, list[Received]]]:
    """Run the built-in receiver."""
    received: list[Received] = []
    with Receiver(received.append, **options) as receiver:  # type: ignore[arg-type]
        yield receiver, received


def test_commands_make_change_and_try_webhooks(fencewright: Commands, tmp_path: Path) -> None:
    def run(action: str, *arguments: object) -> dict[str, object]:
        ended = fencewright("webhooks", action, *arguments, "--workspace", tmp_path / "w", "--json")
        assert ended.code == 0, ended.err
        answer: dict[str, object] = ended.json
        return answer

    with receiving(token=TOKEN) as (receiver, received):
        made = fencewright(
            "webhooks", "create", receiver.url, "--token", TOKEN, "--workspace", tmp_path / "w", "--json"
        )
        webhook = made.json["webhook"]["_id"]
        run("edit", webhook, "--tags", "store,depot", "--delivery", "multiple", "--event-types", "")
        run("pause", webhook)
        (listed,) = fencewright("webhooks", "list", "--workspace", tmp_path / "w", "--json").json["webhooks"]
        assert (listed["tags"], listed["delivery"], listed["paused"]) == (["store", "depot"], "multiple", True)
        run("resume", webhook)
        tested = fencewright("webhooks", "test", webhook, "--workspace", tmp_path / "w", "--json").json["delivery"]
        assert tested["status"] == "delivered"
        assert [each.signature for each in received] == [Signature.VALID]
        assert received[0].events[0].about == "webhook-test  store/1"
        run("resend", webhook, tested["_id"])
        replayed = run("replay", webhook, "--after", "2026-01-01", "--before", "2026-01-02")
        assert replayed["queued"] == 0
        shown = fencewright("webhooks", "deliveries", webhook, "--workspace", tmp_path / "w")
        assert tested["_id"] in shown.out
        assert "user.entered_geofence" in shown.out
    failed = fencewright("webhooks", "test", webhook, "--workspace", tmp_path / "w")
    assert (failed.code, "it refused the connection" in failed.out) == (1, True)
    run("delete", webhook)
    missing = fencewright("webhooks", "test", webhook, "--workspace", tmp_path / "w")
    assert (missing.code, missing.err) == (1, f"fencewright: No webhook has the _id '{webhook}'.\n")
    wrong = fencewright("webhooks", "create", "nothing", "--workspace", tmp_path / "w")
    assert wrong.code == 1
    assert "url: must be an http or https URL" in wrong.err


def test_commands_show_no_secret_of_an_address(fencewright: Commands, tmp_path: Path) -> None:
    url = "https://user:hidden@example.com/hook?key=hidden"
    for arguments in (("create", url), ("list",)):
        shown = fencewright("webhooks", *arguments, "--workspace", tmp_path / "w")
        assert "https://…@example.com/hook?…" in shown.out
        assert "hidden" not in shown.out + shown.err


def test_listen_shows_arriving_requests(tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    with program.start("listen", "--port", 0, "--token", TOKEN, "--json") as process:
        try:
            assert process.stderr is not None
            assert process.stdout is not None
            url = process.stderr.readline().split()[-1]
            for token in (TOKEN, "another-token-x"):
                body = {"event": {"_id": "1", "type": "a", "user": {"userId": "ann"}}, "user": {}}
                assert httpx.post(f"{url}/x", json=body, headers=dict(signed_headers(token))).status_code == 200
            shown = [orjson.loads(process.stdout.readline()) for _ in range(2)]
            assert [each["signature"] for each in shown] == ["valid", "wrong"]
            assert (shown[0]["path"], shown[0]["body"]) == ("/x", body)
        finally:
            process.terminate()
            assert process.wait(TIMEOUT_S) == 0


def test_the_receiver_bears_anything() -> None:
    with receiving() as (receiver, received):
        url = receiver.url
        assert httpx.post(url, content=b"\xff{", headers=dict(signed_headers(TOKEN))).status_code == 200
        assert httpx.post(url, json={"events": [3, {"type": 5, "user": []}]}).status_code == 200
        port = int(url.rpartition(":")[2])
        with create_connection(("127.0.0.1", port), TIMEOUT_S) as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY + 1))
            assert connection.recv(100).startswith(b"HTTP/1.1 413")
        assert httpx.get(url).status_code == 501
        assert [each.signature for each in received] == [Signature.UNCHECKED, Signature.MISSING]
        assert [len(each.events) for each in received] == [0, 1]
        with pytest.raises(AddressInUse, match="Nothing can listen"):
            Receiver(received.append, port=port)


def test_signatures_are_as_the_contract_has_them() -> None:
    expected = hmac.new(b"token", b"id", sha1).hexdigest()
    assert signature("token", "id") == expected == expected.lower()
    names = [name for name, _ in signed_headers("token")]
    assert names == [SIGNING_ID, SIGNATURE] == ["X-Radar-Signing-Id", "X-Radar-Signature"]


def example(language: str) -> str:
    """Return the program on the page for a language."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("language", "file", "command"), [("python", "receiver.py", sys.executable), ("js", "receiver.mjs", "node")]
)
def test_the_documented_receivers_check_the_signature(tmp_path: Path, language: str, file: str, command: str) -> None:
    found = shutil.which(command)
    assert found is not None, f"{command} is missing"
    program = example(language).replace("8788", "0").replace("the webhook's token", TOKEN)
    (tmp_path / file).write_text(program, encoding="utf-8")
    with subprocess.Popen([found, tmp_path / file], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            body = {"event": {"type": "user.entered_geofence"}, "user": {}}
            good, bad = dict(signed_headers(TOKEN)), dict(signed_headers("another-token-x"))
            assert httpx.post(url, json=body, headers=good).status_code == 200
            assert httpx.post(url, json=body, headers=bad).status_code == 401
            assert httpx.post(url, json=body).status_code == 401
            assert process.stdout.readline().strip() == "user.entered_geofence"
        finally:
            process.kill()


@pytest.mark.slow
def test_nothing_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    assert crash_rounds(tmp_path, 3) > 0


def test_a_served_workspace_takes_the_commands(fencewright: Commands, tmp_path: Path) -> None:
    arrived = threading.Event()
    with (
        Receiver(lambda _: arrived.set()) as receiver,
        fencewright.serve(tmp_path / "w") as server,
    ):
        made = fencewright("webhooks", "create", receiver.url, "--workspace", tmp_path / "w")
        assert made.code == 0, made.err
        assert "enabled" in made.out
        headers = {"Authorization": server.key()}
        httpx.post(f"{server.url}/v1/events", json={"name": "a", "deviceId": "d"}, headers=headers)
        assert arrived.wait(TIMEOUT_S)
        assert server.stop().code == 0
