"""GET /v1/events/stream: its events, filters and starting points."""

import socket
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from time import monotonic, sleep

import pytest

from app.api.server.server import ApiServer
from app.api.v1.request_log.reader import RequestReader
from engine.domain.environment import Environment, KeyLevel
from engine.engine import Engine
from tests.app.api.conftest import CENTRAL_PARK, Api, assert_refused, circle, fix
from tests.app.api.streams.client import Reader, reading
from tests.app.api.wire import Wire, request

AWAY = -73.5
_PLACES = (-120 + 0.01 * number for number in count())
"""Longitudes without other geofences."""


def buy(api: Api, device: str, **fields: object) -> str:
    """Report a conversion and return its `_id`."""
    event_id: str = api.post("/v1/events", json={"name": "bought", "deviceId": device} | fields).json()["event"]["_id"]
    return event_id


def stored(api: Api, device: str) -> list[str]:
    """Return the events of a device from the list, oldest first."""
    events = api.get(f"/v1/events?deviceId={device}&limit=1000").json()["events"]
    return [event["_id"] for event in reversed(events)]


def walk(api: Api, tag: str, device: str, rounds: int = 1, user: str | None = None) -> None:
    """Enter and leave a geofence."""
    longitude = next(_PLACES)
    api.put(f"/v1/geofences/{tag}/1", json=circle(tag, coordinates=[longitude, CENTRAL_PARK[1]]))
    for _ in range(rounds):
        api.post("/v1/track", json=fix(device, longitude, userId=user))
        api.post("/v1/track", json=fix(device, AWAY, userId=user))


def test_events_come_as_they_are_stored_and_as_the_list_spells_them(secret: Api, name: str) -> None:
    with reading(secret.url, str(secret.key), f"deviceId={name}") as reader:
        walk(secret, name, name)
        bought = buy(secret, name)
        messages = reader.take(3)
    assert [message.type for message in messages] == ["message"] * 3
    assert [message.id for message in messages] == stored(secret, name)
    assert messages[2].id == bought
    assert messages[0].data == secret.get(f"/v1/events/{messages[0].id}").json()["event"]


def test_an_answer_of_its_kind(secret: Api) -> None:
    with reading(secret.url, str(secret.key), Accept_Encoding="gzip", Origin="https://page.example") as reader:
        headers = reader.response.headers
    assert headers["content-type"] == "text/event-stream"
    assert headers["transfer-encoding"] == "chunked"
    assert headers["content-encoding"] is None
    assert headers["cache-control"] == "no-store"
    assert headers["access-control-allow-origin"] == "*"
    assert headers["x-radar-request-id"]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("userId=u-{0}", [0, 1]),
        ("type=user.exited_geofence&tag={0}", [1]),
        ("type=user.exited_geofence, bought&deviceId={0}", [1, 2]),
        ("tag=other,{0}&externalId=1", [0, 1]),
        ("type=bought&deviceId={0}", [2]),
    ],
)
def test_filters(secret: Api, name: str, query: str, wanted: list[int]) -> None:
    encoded = query.format(name).replace(" ", "%20")
    with reading(secret.url, str(secret.key), encoded) as reader, reading(secret.url, str(secret.key)) as all_of_them:
        walk(secret, f"x-{name}", f"x-{name}")
        walk(secret, name, name, user=f"u-{name}")
        buy(secret, name)
        ids = all_of_them.ids(5)[2:]
        assert reader.ids(len(wanted)) == [ids[at] for at in wanted]
    past = "&".join(("lastEventId=0", encoded))
    with reading(secret.url, str(secret.key), past) as reader:
        assert reader.ids(len(wanted)) == [ids[at] for at in wanted], "the database chooses as the tail does"


def test_environments_do_not_mix(secret: Api, live: Api, name: str) -> None:
    with reading(secret.url, str(secret.key)) as of_test, reading(secret.url, str(live.key)) as of_live:
        in_live, in_test = buy(live, name), buy(secret, name)
        assert (of_test.ids(1), of_live.ids(1)) == ([in_test], [in_live])


def test_it_goes_on_after_the_last_event_by_header_and_by_query(secret: Api, name: str) -> None:
    ids = [buy(secret, name) for _ in range(4)]
    of_device = f"deviceId={name}"
    with reading(secret.url, str(secret.key), of_device, Last_Event_ID=ids[1]) as reader:
        ids.append(buy(secret, name))
        assert reader.ids(3) == ids[2:]
    with reading(secret.url, str(secret.key), f"{of_device}&lastEventId={ids[3]}") as reader:
        assert reader.ids(1) == ids[4:]
    both = f"{of_device}&lastEventId={ids[0]}"
    with reading(secret.url, str(secret.key), both, Last_Event_ID=ids[2]) as reader:
        assert reader.ids(2) == ids[3:], "a browser repeats the query when it connects again, and the header is newer"


def test_a_last_event_that_is_none_of_these(secret: Api, live: Api, name: str) -> None:
    of_live, deleted = buy(live, name), buy(secret, name)
    secret.delete(f"/v1/events/{deleted}")
    for unknown in (of_live, deleted, "nonsense", "1"):
        assert_refused(secret.get(f"/v1/events/stream?lastEventId={unknown}"), "lastEventId", "Test", "send 0")
        answer = secret.get("/v1/events/stream", headers={"Last-Event-ID": unknown})
        assert_refused(answer, "Last-Event-ID", "no event of Test")


def test_the_number_of_a_deleted_event_is_not_given_again(secret: Api, name: str) -> None:
    first = buy(secret, name)
    with reading(secret.url, str(secret.key), f"deviceId={name}") as reader:
        last = buy(secret, name)
        assert reader.ids(1) == [last]
        secret.delete(f"/v1/events/{last}")
        after = buy(secret, name)
        assert reader.ids(1) == [after]
    with reading(secret.url, str(secret.key), f"deviceId={name}&lastEventId={first}") as reader:
        assert reader.ids(1) == [after]


def test_refused_keys_parameters_and_methods(secret: Api, publishable: Api, make_api: object) -> None:
    assert publishable.get("/v1/events/stream").status_code == 403
    assert_refused(secret.get("/v1/events/stream?heartbeatSeconds=0.5"), "heartbeatSeconds", "[1, 300]")
    assert_refused(secret.request("POST", "/v1/events/stream"), "method", status=405)


def test_a_head_alone(secret: Api) -> None:
    answer = secret.request("HEAD", "/v1/events/stream")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/event-stream")


def test_http_10_is_refused_with_a_remedy(server: ApiServer, secret: Api) -> None:
    data = request("GET", "/v1/events/stream", f"Authorization: {secret.key}").replace(b"HTTP/1.1", b"HTTP/1.0", 1)
    with Wire(server.port) as wire:
        wire.send(data)
        answer = wire.rest()
    assert b" 400 " in answer.partition(b"\r\n")[0]
    assert b"proxy_http_version 1.1" in answer


def test_heartbeats_while_nothing_is_wanted(secret: Api, name: str) -> None:
    with reading(secret.url, str(secret.key), f"deviceId={name}&heartbeatSeconds=1") as reader:
        with ThreadPoolExecutor() as pool:
            beat = pool.submit(reader.line)
            while not beat.done():
                buy(secret, f"other-{name}")  # events that do not match the filter are not sent
        assert (beat.result(), reader.line()) == (": still here", "")
        bought = buy(secret, name)
        assert reader.ids(1) == [bought]


def test_a_replaced_key_ends_its_streams(tmp_path_factory: pytest.TempPathFactory) -> None:
    with Engine.open(tmp_path_factory.mktemp("keys")) as engine, ApiServer(engine, port=0) as server:
        key = engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)
        with reading(server.url, key, "heartbeatSeconds=1") as reader:
            engine.workspace.keys.rotate(Environment.TEST, KeyLevel.SECRET)
            (end,) = reader.messages()
    assert (end.type, end.data["reason"]) == ("end", "keyReplaced")


def test_the_request_log_has_its_head_and_none_of_its_events(server: ApiServer, secret: Api, name: str) -> None:
    requests = server.requests
    assert isinstance(requests, RequestReader)
    with reading(secret.url, str(secret.key), f"deviceId={name}") as reader:
        (logged,) = [each for each in requests.snapshot() if name.encode() in each.head and b"/stream" in each.head]
        for _ in range(20):
            buy(secret, name)
        assert len(reader.ids(20)) == 20
    assert (logged.status, logged.answer_size) == (200, 0)
    assert sum(name.encode() in each.head and b"/stream" in each.head for each in requests.snapshot()) == 1


def test_who_leaves_gives_up_the_place_and_the_last_one_ends_all_listening(
    engine: Engine, secret: Api, name: str
) -> None:
    readers = [Reader(secret.url, str(secret.key)).begin() for _ in range(3)]
    assert [*map(callable, engine.changes._listeners)] == [True], "one for all streams"
    readers[0].close()
    half = readers[1].connection.sock
    assert half is not None
    half.shutdown(socket.SHUT_WR)
    assert readers[1].line() is None, "who ends its side reads no stream"
    bought = buy(secret, name)
    assert readers[2].ids(1) == [bought]
    for reader in readers[1:]:
        reader.close()
    deadline = monotonic() + 20
    while engine.changes.listened_to and monotonic() < deadline:
        sleep(0.01)
    assert not engine.changes.listened_to


def test_updates_of_the_past_come_in_the_order_in_which_they_were_stored(secret: Api, name: str) -> None:
    secret.put(f"/v1/geofences/{name}/1", json=circle(name))
    replays = [
        fix(name, longitude, recordedAt=f"2026-01-01T00:00:{number:02}Z", replayed=True)
        for number, longitude in enumerate([AWAY, CENTRAL_PARK[0]] * 10)
    ]
    with reading(secret.url, str(secret.key), f"deviceId={name}") as reader:
        secret.post("/v1/track/replay", json={"replays": replays})
        ids = stored(secret, name)
        assert len(ids) >= 10
        assert reader.ids(len(ids)) == ids
