"""Webhooks over HTTP: storage, deliveries, lists, tests, and resending to a receiver on a real server."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import orjson
import pytest
from pydantic import TypeAdapter

from app.api.server.server import ApiServer
from app.api.wire.webhook import MultipleBody, SingleBody, WirePayloads
from engine.engine import Engine
from engine.outbound.posting.signing import is_signed
from tests.app.api.conftest import Api, assert_refused, circle, fix, unlimited
from tests.servers import FakeServer, answering, serving
from tests.waiting import eventually

TOKEN = "a-token-of-a-test"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine that sends to webhooks."""
    with Engine.open(tmp_path_factory.mktemp("workspace"), payloads=WirePayloads) as engine:
        unlimited(engine)
        yield engine


@pytest.fixture
def receiver() -> Iterator[FakeServer]:
    with serving(answering({})) as server:
        yield server


@pytest.fixture
def webhook(secret: Api, receiver: FakeServer) -> Iterator[Callable[..., dict[str, Any]]]:
    """A factory for webhooks at the receiver, which are deleted after the test."""
    made: list[str] = []

    def create(**fields: Any) -> dict[str, Any]:
        answer = secret.post("/v1/webhooks", json={"url": f"{receiver.url}/hook", "token": TOKEN} | fields)
        assert answer.status_code == 200, answer.text
        record: dict[str, Any] = answer.json()["webhook"]
        made.append(record["_id"])
        return record

    yield create
    for webhook_id in made:
        secret.delete(f"/v1/webhooks/{webhook_id}")


def deliveries(api: Api, webhook: dict[str, Any], **params: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(f"/v1/webhooks/{webhook['_id']}/deliveries", params=params).json()[
        "deliveries"
    ]
    return found


def test_events_arrive_signed_in_order_and_as_documented(
    secret: Api, publishable: Api, receiver: FakeServer, webhook: Callable[..., dict[str, Any]], name: str
) -> None:
    made = webhook()
    secret.post("/v1/geofences", json=circle(name))
    answers = [publishable.post("/v1/track", json=fix(name, **at)).json() for at in ({}, {"longitude": 0}, {})]
    conversion = publishable.post("/v1/events", json={"name": "bought", "deviceId": name}).json()["event"]
    wanted = [event for answer in answers for event in answer["events"]] + [conversion]
    assert len(wanted) == 4
    eventually(lambda: len(receiver.requests) >= 4)
    assert [request.json["event"] for request in receiver.requests] == wanted
    for request, answer in zip(receiver.requests, answers, strict=False):
        assert request.path == "/hook"
        TypeAdapter(SingleBody).validate_python(request.json)
        assert request.json["user"] == {**answer["user"]}
        assert is_signed(TOKEN, request.headers["x-radar-signing-id"], request.headers["x-radar-signature"])
    assert len({request.headers["x-radar-signing-id"] for request in receiver.requests}) == 4
    eventually(lambda: [each["status"] for each in deliveries(secret, made)] == ["delivered"] * 4)
    newest = deliveries(secret, made)[0]
    assert newest["eventIds"] == [conversion["_id"]]
    read = secret.get(f"/v1/webhooks/{made['_id']}/deliveries/{newest['_id']}").json()["delivery"]
    assert orjson.loads(read["body"]) == receiver.requests[-1].json
    assert (read["statusCode"], read["attempts"]) == (200, 1)


def test_several_events_of_an_update_share_a_request(
    secret: Api, publishable: Api, receiver: FakeServer, webhook: Callable[..., dict[str, Any]], name: str
) -> None:
    webhook(delivery="multiple", tags=name)
    for number in range(7):
        secret.post("/v1/geofences", json=circle(name, str(number)))
    answer = publishable.post("/v1/track", json=fix(name)).json()
    own = [event for event in answer["events"] if event["geofence"]["tag"] == name]
    assert len(own) == 7
    eventually(lambda: len(receiver.requests) == 2)
    for request in receiver.requests:
        TypeAdapter(MultipleBody).validate_python(request.json)
    assert [len(request.json["events"]) for request in receiver.requests] == [5, 2]
    assert [event for request in receiver.requests for event in request.json["events"]] == own


def test_only_wanted_events_arrive(
    secret: Api,
    publishable: Api,
    live: Api,
    receiver: FakeServer,
    webhook: Callable[..., dict[str, Any]],
    name: str,
) -> None:
    webhook(eventTypes=["user.exited_geofence", f"paid-{name}"], tags=[])
    webhook(tags=[f"other-{name}"])
    webhook(enabled=False)
    secret.post("/v1/geofences", json=circle(name))
    for longitude in (fix(name)["longitude"], 0):
        publishable.post("/v1/track", json=fix(name, longitude=longitude))
    publishable.post("/v1/events", json={"name": f"paid-{name}", "deviceId": name})
    live.post("/v1/events", json={"name": f"paid-{name}", "deviceId": name})
    eventually(lambda: any(request.json["event"]["type"] == f"paid-{name}" for request in receiver.requests))
    types = [request.json["event"]["type"] for request in receiver.requests]
    assert types == ["user.exited_geofence"] * (len(types) - 1) + [f"paid-{name}"], "the shared fences of a module"
    assert len(types) > 1
    assert not receiver.requests[-1].json["event"]["live"]


def test_trips_and_beacons_and_unknown_users_count(
    secret: Api, publishable: Api, receiver: FakeServer, webhook: Callable[..., dict[str, Any]], name: str
) -> None:
    webhook()
    publishable.post("/v1/events", json={"name": "hello", "userId": f"nobody-{name}"})
    publishable.post("/v1/trips", json={"externalId": name, "status": "started"})
    eventually(lambda: len(receiver.requests) == 2)
    by_type = {request.json["event"]["type"]: request.json for request in receiver.requests}
    assert by_type["hello"]["user"] == {"metadata": {}, "userId": f"nobody-{name}"}
    assert by_type["user.started_trip"]["event"]["trip"]["externalId"] == name


def test_a_paused_webhook_collects(
    secret: Api, publishable: Api, receiver: FakeServer, webhook: Callable[..., dict[str, Any]], name: str
) -> None:
    made = webhook(paused=True)
    publishable.post("/v1/events", json={"name": "a", "deviceId": name})
    assert [each["status"] for each in deliveries(secret, made)] == ["queued"]
    assert secret.get(f"/v1/webhooks/{made['_id']}").json()["webhook"]["queued"] == 1
    secret.patch(f"/v1/webhooks/{made['_id']}", json={"paused": False})
    eventually(lambda: len(receiver.requests) == 1)


def test_a_test_answers_the_outcome(secret: Api, receiver: FakeServer, webhook: Callable[..., dict[str, Any]]) -> None:
    made = webhook(enabled=False, delivery="multiple")
    outcome = secret.post(f"/v1/webhooks/{made['_id']}/test").json()["delivery"]
    assert (outcome["status"], outcome["kind"], outcome["statusCode"]) == ("delivered", "test", 200)
    TypeAdapter(MultipleBody).validate_python(receiver.requests[0].json)
    receiver.stop()
    refused = secret.post(f"/v1/webhooks/{made['_id']}/test").json()["delivery"]
    assert (refused["status"], refused["error"]) == ("failed", "cannot be reached: it refused the connection")
    receiver.stop = lambda: None


def test_deliveries_are_sent_again(
    secret: Api, publishable: Api, receiver: FakeServer, webhook: Callable[..., dict[str, Any]], name: str
) -> None:
    made = webhook()
    began = datetime.now(UTC) - timedelta(seconds=5)
    publishable.post("/v1/events", json={"name": f"first-{name}", "deviceId": name})
    publishable.post("/v1/events", json={"name": f"second-{name}", "deviceId": name})
    eventually(lambda: [each["status"] for each in deliveries(secret, made)] == ["delivered"] * 2)
    first = deliveries(secret, made)[1]
    path = f"/v1/webhooks/{made['_id']}/deliveries/{first['_id']}/resend"
    assert secret.post(path).json()["delivery"]["status"] == "queued"
    eventually(lambda: len(receiver.requests) == 3)
    before, again = receiver.requests[0], receiver.requests[2]
    assert again.json == before.json
    assert again.headers["x-radar-signing-id"] != before.headers["x-radar-signing-id"]
    assert is_signed(TOKEN, again.headers["x-radar-signing-id"], again.headers["x-radar-signature"])
    secret.patch(f"/v1/webhooks/{made['_id']}", json={"eventTypes": [f"first-{name}", f"second-{name}"]})
    replayed = {"after": began.isoformat(), "before": datetime.now(UTC).isoformat()}
    assert secret.post(f"/v1/webhooks/{made['_id']}/replay", json=replayed).json()["queued"] == 2
    eventually(lambda: len(receiver.requests) == 5)
    assert [request.json["event"] for request in receiver.requests[3:]] == [
        request.json["event"] for request in receiver.requests[:2]
    ]


def test_a_deleted_event_is_not_sent_any_more(
    secret: Api, publishable: Api, receiver: FakeServer, webhook: Callable[..., dict[str, Any]], name: str
) -> None:
    made = webhook(paused=True)
    deleted, left = (
        publishable.post("/v1/events", json={"name": word, "deviceId": name}).json()["event"] for word in "ab"
    )
    secret.delete(f"/v1/events/{deleted['_id']}")
    secret.patch(f"/v1/webhooks/{made['_id']}", json={"paused": False})
    eventually(lambda: len(receiver.requests) == 1)
    assert receiver.requests[0].json["event"] == left


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"url": "ftp://x"}, "url"),
        ({"url": "nothing"}, "url"),
        ({"url": "http://"}, "url"),
        ({}, "url"),
        ({"url": "http://x", "token": "short"}, "token"),
        ({"url": "http://x", "token": "with a space in it"}, "token"),
        ({"url": "http://x", "eventTypes": ["user.entered_geofences"]}, "eventTypes"),
        ({"url": "http://x", "tags": [""]}, "tags"),
        ({"url": "http://x", "delivery": "both"}, "delivery"),
        ({"url": "http://x", "enabled": "perhaps"}, "enabled"),
        ({"url": "http://" + "x" * 3_000}, "url"),
    ],
)
def test_invalid_fields_are_refused(secret: Api, fields: dict[str, Any], param: str) -> None:
    assert_refused(secret.post("/v1/webhooks", json=fields), param)


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "http://10.0.0.1/", "http://localhost/", "http://[::1]/"])
def test_live_reaches_no_private_address(live: Api, url: str) -> None:
    assert_refused(live.post("/v1/webhooks", json={"url": url}), "url", "private address")


def test_unknown_webhooks_and_deliveries_are_not_found(
    secret: Api, webhook: Callable[..., dict[str, Any]], live: Api
) -> None:
    made = webhook()
    assert live.get(f"/v1/webhooks/{made['_id']}").status_code == 404
    for method, path in (
        ("GET", "/v1/webhooks/0"),
        ("PATCH", "/v1/webhooks/0"),
        ("DELETE", "/v1/webhooks/0"),
        ("POST", "/v1/webhooks/0/test"),
        ("GET", "/v1/webhooks/0/deliveries"),
        ("GET", f"/v1/webhooks/{made['_id']}/deliveries/{'0' * 23}7"),
        ("POST", f"/v1/webhooks/{made['_id']}/deliveries/zz/resend"),
    ):
        assert secret.request(method, path, **({"json": {}} if method == "PATCH" else {})).status_code == 404


def test_the_request_log_hides_tokens(
    secret: Api, server: ApiServer, webhook: Callable[..., dict[str, Any]], name: str
) -> None:
    token = f"secret-{name}-0123456789"
    webhook(token=token)
    secret.post("/v1/webhooks", json={"url": "no", "token": f"{token}-refused"})
    httpx.post(
        f"{server.url}/v1/webhooks", data={"url": "no", "token": token}, headers={"Authorization": secret.key or ""}
    )
    shown = secret.get("/v1/requests", params={"limit": 3}).json()["requests"]
    for each in shown:
        whole = secret.get(f"/v1/requests/{each['number']}").text
        assert "webhooks" in whole
        assert token not in whole


def test_the_request_log_hides_the_credentials_of_a_receiver(
    secret: Api, webhook: Callable[..., dict[str, Any]], receiver: FakeServer, name: str
) -> None:
    code = f"code-{name}-0123456789"
    made = webhook(url=receiver.url.replace("://", f"://caller:{code}-pass@") + f"/hook?v=2&code={code}%2B")
    assert secret.get("/v1/webhooks").json()["webhooks"][-1]["url"] == made["url"]
    shown = [
        secret.get(f"/v1/requests/{each['number']}").text
        for each in secret.get("/v1/requests", params={"limit": 2}).json()["requests"]
    ]
    assert all("/hook?" in each and "v=2" not in each and code not in each for each in shown)
