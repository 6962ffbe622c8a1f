"""The program with a remote router whose URL contains secrets, which only the router receives."""

from base64 import b64encode
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.commands import Commands, ServingHere
from tests.servers import ReceivedRequest, Reply, answering, send, serving

WAYS = (
    "route/distance?origin=1,2&destination=1,2.01&modes=car",
    "route/matrix?origins=1,2&destinations=1,2.01|3,4&mode=car",
    "route/directions?locations=1,2|1,2.01",
    "search/users?near=1,2&mode=car&radius=5",
)
LOGIN = b64encode(b"user:s3cret").decode()
SECRETS = ("s3cret", "KEY", "user:", LOGIN)


def echo(handler: Any, request: ReceivedRequest) -> None:
    """Return everything that was sent."""
    words = f"{request.target} {request.headers}"
    send(handler, 400, b'{"error_code": 199, "error": "%s"}' % words.replace('"', "'").encode())


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (answering({}), "sends responses that cannot be read."),
        (answering([]), "sends responses that cannot be read."),
        (answering("no", 401), "answered with status 401."),
        (lambda handler, _: send(handler, 200, b"KEY"), "is not a Valhalla server."),
        (echo, "cannot answer: "),
    ],
)
def test_no_client_and_no_log_receives_the_secrets(
    fencewright: Commands, tmp_path: Path, reply: Reply, reason: str
) -> None:
    with serving(reply) as valhalla:
        url = valhalla.url_with("user:s3cret@", "/base/?api_key=KEY")
        with fencewright.serve(tmp_path / "w", "--router", url) as served:
            answers = [ask(served, way) for way in WAYS]
            valhalla.stop()
            answers += [ask(served, way) for way in WAYS]
            ended = served.stop()
    assert [answer.status_code for answer in answers] == [503] * len(answers)
    messages = [answer.json()["meta"]["message"] for answer in answers]
    assert all(f"outing server {valhalla.url}/base " in message for message in messages)
    assert all(reason in message for message in messages[: len(WAYS)]), messages
    assert all("cannot be reached" in message for message in messages[len(WAYS) :]), messages
    for text in (*messages, ended.err, ended.out):
        assert not any(secret in text for secret in SECRETS), text
    assert {(request.path, *request.params["api_key"]) for request in valhalla.requests} <= {
        (f"/base/{action}", "KEY") for action in ("route", "sources_to_targets", "locate", "isochrone")
    }
    assert {request.headers["authorization"] for request in valhalla.requests} == {
        f"Basic {b64encode(b'user:s3cret').decode()}"
    }


def ask(server: ServingHere, path: str) -> httpx.Response:
    key = server.key(level="publishable" if path.startswith("route") else "secret")
    return httpx.get(f"{server.url}/v1/{path}", headers={"Authorization": key}, trust_env=False, timeout=30)


@pytest.mark.parametrize(
    "options",
    [
        ("--router", "ftp://user:s3cret@host/?api_key=KEY"),
        ("--router", "http://user:s3cret@host:port/?api_key=KEY"),
        ("--router", "localhost:8002?api_key=KEY"),
        ("--geocoder", "http://user:s3cret@host/?api_key=KEY"),
        ("--geocoder", "photon+http://user:s3cret@host:0/?api_key=KEY"),
    ],
)
def test_no_error_of_the_command_line_does(fencewright: Commands, tmp_path: Path, options: tuple[str, str]) -> None:
    ended = fencewright("serve", "--workspace", tmp_path / "w", "--port", 0, *options)
    assert ended.code == 2
    assert options[0] in ended.err
    assert not any(secret in ended.err for secret in SECRETS), ended.err
