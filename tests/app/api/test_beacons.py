"""Beacons on the wire: storage, lists, searches, and detection by devices."""

import json
import threading
from typing import Any

import httpx
import pytest

from engine.engine import Engine
from tests.app.api.conftest import CENTRAL_PARK, Api, MakeApi, assert_refused, fix

UUID = "b9407f30-f5f8-466e-aff9-25556b57fe6d"
UID, INSTANCE = "edd1ebeac04e5defa017", "0bdb87539b67"
POINT = {"type": "Point", "coordinates": list(CENTRAL_PARK)}
_MINORS = iter(range(1, 65_536))


def ibeacon(tag: str, external_id: str = "1", **fields: Any) -> dict[str, Any]:
    """Return the body of an iBeacon that no other test uses."""
    return {
        "description": "Front door",
        "tag": tag,
        "externalId": external_id,
        "type": "ibeacon",
        "uuid": UUID,
        "major": 100,
        "minor": next(_MINORS),
        "geometry": POINT,
    } | fields


def eddystone(tag: str, instance: int, **fields: Any) -> dict[str, Any]:
    """Return the body of an Eddystone beacon."""
    signal = {"type": "eddystone", "uid": UID, "instance": f"{instance:012x}"}
    return {"description": "Wall", "tag": tag, "externalId": "e", "geometry": POINT} | signal | fields


def store(secret: Api, body: dict[str, Any]) -> dict[str, Any]:
    answer = secret.post("/v1/beacons", json=body)
    assert answer.status_code == 200, answer.text
    beacon: dict[str, Any] = answer.json()["beacon"]
    return beacon


def reported_beacon(beacon: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """Return a beacon in the form that the iOS SDK reports."""
    parts = ("type", "uuid", "major", "minor", "uid", "instance")
    return {part: beacon[part] for part in parts if part in beacon} | {"rssi": -63} | fields


def test_a_beacon_is_answered_as_sdks_read_it(secret: Api, name: str) -> None:
    body = ibeacon(name, uuid=UUID.upper(), minor="7", metadata={"floor": 2, "open": True})
    beacon = store(secret, body)
    assert beacon.pop("_id")
    assert beacon.pop("createdAt") == beacon.pop("updatedAt")
    assert beacon == body | {"uuid": UUID, "major": "100", "minor": "7", "live": False, "enabled": True}
    beacon = store(secret, eddystone(name, 1, uid=UID.upper(), enabled=False))
    assert (beacon["uid"], beacon["instance"], beacon["enabled"]) == (UID, f"{1:012x}", False)
    assert not {"uuid", "major", "minor"} & beacon.keys()


def test_read_changed_and_deleted_by_both_names(secret: Api, name: str) -> None:
    beacon = store(secret, ibeacon(name, "a/b ü"))
    by_id, by_key = f"/v1/beacons/{beacon['_id']}", f"/v1/beacons/{name}/a%2Fb%20%C3%BC"
    assert secret.get(by_id).json()["beacon"] == secret.get(by_key).json()["beacon"] == beacon
    assert secret.put(by_id, json={"description": "Side door"}).json()["beacon"]["description"] == "Side door"
    changed = secret.put(by_key, json={"enabled": False, "uuid": None, "geometry": None}).json()["beacon"]
    assert (changed["enabled"], changed["uuid"], changed["description"]) == (False, UUID, "Side door")
    assert secret.delete(by_key).json()["beacon"] == changed
    for method in ("GET", "PUT", "DELETE"):
        body = {"json": {"description": "x"}} if method == "PUT" else {}
        assert_refused(secret.request(method, by_id, **body), "id", status=404)
    assert_refused(secret.get(by_key), "externalId", status=404)
    assert_refused(secret.delete(by_key), "externalId", status=404)


def test_an_upsert_creates(secret: Api, name: str) -> None:
    body = {key: value for key, value in ibeacon(name).items() if key not in ("tag", "externalId")}
    first = secret.put(f"/v1/beacons/{name}/1", json=body).json()["beacon"]
    again = secret.put(f"/v1/beacons/{name}/1", json=body).json()["beacon"]
    assert (again["_id"], again["tag"], again["externalId"]) == (first["_id"], name, "1")
    assert_refused(secret.put(f"/v1/beacons/{name}/2", json={"description": "x"}), "type")
    assert_refused(secret.put(f"/v1/beacons/{name}/2", json=ibeacon(name, "3")), "externalId")


def test_a_form(secret: Api, name: str) -> None:
    form = ibeacon(name) | {"geometry": json.dumps(POINT), "metadata": '{"a": 1}', "enabled": "False"}
    answer = secret.post("/v1/beacons", data=form)
    assert answer.status_code == 200, answer.text
    beacon = answer.json()["beacon"]
    assert (beacon["major"], beacon["geometry"], beacon["metadata"], beacon["enabled"]) == (
        "100",
        POINT,
        {"a": 1},
        False,
    )


def test_the_documented_coordinates(secret: Api, name: str) -> None:
    longitude, latitude = CENTRAL_PARK
    body = ibeacon(name, geometry=None, coordinates=[longitude, latitude])
    beacon = store(secret, body)
    assert beacon["geometry"] == POINT
    assert "coordinates" not in beacon
    by_id, by_key = f"/v1/beacons/{beacon['_id']}", f"/v1/beacons/{name}/1"
    moved = secret.put(by_id, json={"coordinates": [1, -2]}).json()["beacon"]
    assert moved["geometry"]["coordinates"] == [1, -2]
    for form in ({"coordinates": "[3, 4.5]"}, {"coordinates": ["3", "4.5"]}):
        secret.put(by_key, json={"coordinates": [0, 0]})
        assert secret.put(by_key, data=form).json()["beacon"]["geometry"]["coordinates"] == [3, 4.5]
    kept = secret.put(by_key, json={"coordinates": None, "description": "Kept"}).json()["beacon"]
    assert kept["geometry"]["coordinates"] == [3, 4.5]
    both = secret.put(by_key, json={"coordinates": [1, 2], "geometry": {"type": "Point", "coordinates": [1, 2]}})
    assert both.json()["beacon"]["geometry"]["coordinates"] == [1, 2]
    assert_refused(secret.put(by_key, json={"coordinates": [1, 2], "geometry": POINT}), "coordinates", "geometry")


@pytest.mark.parametrize("missing", ["description", "tag", "externalId", "type", "uuid", "major", "minor"])
def test_a_missing_field_is_named(secret: Api, name: str, missing: str) -> None:
    body = ibeacon(name)
    for empty in ({}, {missing: None}):
        rest = {key: value for key, value in body.items() if key != missing}
        assert_refused(secret.post("/v1/beacons", json=rest | empty), missing, "required")


def test_a_missing_position_is_named_as_the_platform_documents_it(secret: Api, name: str) -> None:
    body = ibeacon(name)
    del body["geometry"]
    for empty in ({}, {"geometry": None}, {"coordinates": None}):
        for method, path in (("POST", ""), ("PUT", f"/{body['tag']}/{body['externalId']}")):
            answer = secret.request(method, f"/v1/beacons{path}", json=body | empty)
            assert_refused(answer, "coordinates", "coordinates: is required.")


@pytest.mark.parametrize(
    ("fields", "param"),
    [
        ({"uuid": "none"}, "uuid"),
        ({"uuid": 5}, "uuid"),
        ({"uuid": ""}, "uuid"),
        ({"major": 70_000}, "major"),
        ({"major": "70000"}, "major"),
        ({"major": -1}, "major"),
        ({"major": 1.5}, "major"),
        ({"major": True}, "major"),
        ({"major": [1]}, "major"),
        ({"minor": "x"}, "minor"),
        ({"minor": 10**400}, "minor"),
        ({"uid": UID}, "uid"),
        ({"instance": INSTANCE}, "instance"),
        ({"type": "altbeacon"}, "type"),
        ({"type": "eddystone"}, "uuid"),
        ({"geometry": list(CENTRAL_PARK)}, "geometry"),
        ({"geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}}, "geometry"),
        ({"geometry": {"type": "Point"}}, "geometry"),
        ({"geometry": {"type": "Point", "coordinates": [1]}}, "geometry"),
        ({"geometry": {"type": "Point", "coordinates": [181, 1]}}, "geometry"),
        ({"geometry": {"type": "Point", "coordinates": [1, "2"]}}, "geometry"),
        ({"geometry": "nowhere"}, "geometry"),
        ({"coordinates": [181, 1]}, "coordinates"),
        ({"coordinates": [1, 91]}, "coordinates"),
        ({"coordinates": [1]}, "coordinates"),
        ({"coordinates": [1, "2"]}, "coordinates"),
        ({"coordinates": [[1, 2], [1, 3], [2, 3], [1, 2]]}, "coordinates"),
        ({"coordinates": POINT}, "coordinates"),
        ({"coordinates": "nowhere"}, "coordinates"),
        ({"coordinates": [1, 2]}, "coordinates"),  # `geometry` is elsewhere.
        ({"enabled": "yes"}, "enabled"),
        ({"metadata": {"a": {}}}, "metadata"),
        ({"metadata": {str(n): n for n in range(17)}}, "metadata"),
        ({"description": "\u0000"}, "description"),
        ({"tag": " "}, "tag"),
        ({"externalId": "x" * 257}, "externalId"),
    ],
)
def test_an_invalid_value_is_named(secret: Api, name: str, fields: dict[str, Any], param: str) -> None:
    answer = secret.post("/v1/beacons", json=ibeacon(name) | fields)
    assert answer.status_code == 400, answer.text
    meta = answer.json()["meta"]
    assert meta["param"].partition(".")[0] == param, meta
    assert_refused(secret.get(f"/v1/beacons/{name}/1"), "externalId", status=404)


def test_conflicts(secret: Api, live: Api, name: str) -> None:
    body = ibeacon(name)
    store(secret, body)
    assert_refused(secret.post("/v1/beacons", json=ibeacon(name)), "externalId", status=409)
    assert_refused(secret.post("/v1/beacons", json=body | {"externalId": "2"}), "uuid", name, status=409)
    store(secret, eddystone(name, 2))
    assert_refused(secret.post("/v1/beacons", json=eddystone(name, 2, externalId="f")), "uid", status=409)
    assert_refused(secret.put(f"/v1/beacons/{name}/e", json={"externalId": "1"}), "externalId", status=409)
    store(live, body)


def test_keys(publishable: Api, make_api: MakeApi, secret: Api, name: str) -> None:
    store(secret, ibeacon(name))
    for method, path in (
        ("POST", "/v1/beacons"),
        ("GET", "/v1/beacons"),
        *((method, f"/v1/beacons/{name}/1") for method in ("GET", "PUT", "DELETE")),
    ):
        assert publishable.request(method, path).status_code == 403
    near = f"?near={CENTRAL_PARK[1]},{CENTRAL_PARK[0]}"
    assert publishable.get(f"/v1/search/beacons{near}").status_code == 200
    assert make_api(None).get(f"/v1/search/beacons{near}").status_code == 401
    assert secret.patch(f"/v1/beacons/{name}/1").status_code == 405


def test_lists(secret: Api, live: Api, name: str) -> None:
    for number in range(3):
        store(secret, ibeacon(name, str(number), metadata={"floor": number}))
    answer = secret.get(f"/v1/beacons?tag={name}&limit=2").json()
    assert [beacon["externalId"] for beacon in answer["beacons"]] == ["2", "1"]
    assert answer["meta"]["hasMore"] is True
    listed = secret.get(f"/v1/beacons?tag={name}&metadata[floor]=1").json()
    assert [beacon["externalId"] for beacon in listed["beacons"]] == ["1"]
    created = answer["beacons"][1]["createdAt"]
    assert secret.get(f"/v1/beacons?tag={name}&createdBefore={created}").json()["meta"]["hasMore"] is False
    assert live.get(f"/v1/beacons?tag={name}").json()["beacons"] == []
    assert_refused(secret.get("/v1/beacons?limit=1001"), "limit")
    assert_refused(secret.get("/v1/beacons?createdAfter=never"), "createdAfter")


class TestSearch:
    """The search for nearby beacons, and the identifiers for an SDK to scan for."""

    NEAR = "near=10.0,20.0"

    @pytest.fixture(autouse=True)
    def stored(self, secret: Api, name: str) -> str:
        for beacon in secret.get("/v1/beacons?limit=1000").json()["beacons"]:
            secret.delete(f"/v1/beacons/{beacon['_id']}")
        for number in range(4):
            point = {"type": "Point", "coordinates": [20.0 + number / 1_000, 10.0]}
            store(secret, ibeacon(name, str(number), geometry=point, enabled=number != 2, metadata={"floor": number}))
        store(secret, eddystone(name, 7, geometry={"type": "Point", "coordinates": [20.0, 10.0001]}))
        return name

    def test_nearest_first(self, publishable: Api) -> None:
        answer = publishable.get(f"/v1/search/beacons?{self.NEAR}&radius=1000&limit=null&installId=x").json()
        assert [beacon["externalId"] for beacon in answer["beacons"]] == ["0", "e", "1", "3"]
        assert answer["meta"]["settings"] == {"beacons": {"uuids": [UUID], "uids": [UID]}}

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("limit=1", ["0"]),
            ("radius=150", ["0", "e", "1"]),
            ("metadata[floor]=3", ["3"]),
            ("tags=nothing", []),
            ("", ["0", "e", "1", "3"]),
        ],
    )
    def test_limits_and_filters(self, publishable: Api, query: str, found: list[str]) -> None:
        answer = publishable.get(f"/v1/search/beacons?{self.NEAR}&{query}").json()
        assert [beacon["externalId"] for beacon in answer["beacons"]] == found

    def test_nothing_found(self, publishable: Api) -> None:
        answer = publishable.get("/v1/search/beacons?near=0,0").json()
        assert answer["beacons"] == []
        assert answer["meta"]["settings"] == {"beacons": {"uuids": [], "uids": []}}

    @pytest.mark.parametrize(
        ("query", "param"),
        [
            ("", "near"),
            ("near=x", "near"),
            ("near=91,0", "near"),
            ("near=0,0&radius=0", "radius"),
            ("near=0,0&radius=10001", "radius"),
            ("near=0,0&limit=101", "limit"),
            ("near=0,0&limit=0", "limit"),
        ],
    )
    def test_refused(self, publishable: Api, query: str, param: str) -> None:
        assert_refused(publishable.get(f"/v1/search/beacons?{query}"), param)


def kinds(answer: httpx.Response) -> list[tuple[str, str]]:
    assert answer.status_code == 200, answer.text
    return [(event["type"], event["beacon"]["externalId"]) for event in answer.json()["events"] if "beacon" in event]


class TestReportedBeacons:
    """The beacons that devices report, and the resulting events."""

    @pytest.fixture
    def beacons(self, secret: Api, name: str) -> dict[str, dict[str, Any]]:
        stored = [store(secret, ibeacon(name, "1")), store(secret, ibeacon(name, "2"))]
        stored.append(store(secret, eddystone(name, next(_MINORS) + 1_000)))
        return {beacon["externalId"]: beacon for beacon in stored}

    def test_a_visit(self, secret: Api, publishable: Api, name: str, beacons: dict[str, dict[str, Any]]) -> None:
        one, wall = beacons["1"], beacons["e"]
        at = "2026-03-02T12:00:00.000Z"
        came = publishable.post(
            "/v1/track",
            json=fix(name, beacons=[reported_beacon(one), reported_beacon(wall), reported_beacon(one)], updatedAt=at),
        )
        assert kinds(came) == [("user.entered_beacon", "1"), ("user.entered_beacon", "e")]
        summary = {key: value for key, value in one.items() if key not in ("createdAt", "updatedAt", "live")}
        user, event = came.json()["user"], came.json()["events"][0]
        assert user["beacons"][0] == event["beacon"] == summary
        assert (event["confidence"], event["location"], event.get("duration")) == (3, POINT, None)
        assert kinds(publishable.post("/v1/track", json=fix(name))) == []
        left = publishable.post(
            "/v1/track", json=fix(name, beacons=[reported_beacon(wall)], updatedAt="2026-03-02T12:01:30.000Z")
        )
        # The update in between had no time and was of now, so this one is of now, too.
        assert kinds(left) == [("user.exited_beacon", "1")]
        assert left.json()["events"][0]["duration"] > 0
        assert [beacon["externalId"] for beacon in left.json()["user"]["beacons"]] == ["e"]
        assert secret.get(f"/v1/users/{name}").json()["user"]["beacons"] == left.json()["user"]["beacons"]
        empty = publishable.post("/v1/track", json=fix(name, beacons=[]))
        assert kinds(empty) == [("user.exited_beacon", "e")]
        assert "beacons" not in empty.json()["user"]

    def test_durations_are_minutes(self, publishable: Api, name: str, beacons: dict[str, dict[str, Any]]) -> None:
        report = [reported_beacon(beacons["1"])]
        publishable.post("/v1/track", json=fix(name, beacons=report, updatedAt="2026-03-02T12:00:00.000Z"))
        body = fix(name, beacons=[], updatedAt="2026-03-02T12:01:30.000Z")
        assert publishable.post("/v1/track", json=body).json()["events"][0]["duration"] == 1.5

    def test_events_are_listed_and_found(
        self, secret: Api, publishable: Api, name: str, beacons: dict[str, dict[str, Any]]
    ) -> None:
        (event,) = publishable.post("/v1/track", json=fix(name, beacons=[reported_beacon(beacons["2"])])).json()[
            "events"
        ]
        listed = secret.get(f"/v1/events?deviceId={name}&type=user.entered_beacon").json()["events"]
        assert listed == [event]
        assert secret.get(f"/v1/events/{event['_id']}").json()["event"] == event
        assert secret.get(f"/v1/events?tag={name}&externalId=2").json()["events"] == [event]
        assert secret.get(f"/v1/events?tag={name}&externalId=1").json()["events"] == []

    def test_who_waits_for_an_event_gets_it(
        self, secret: Api, publishable: Api, name: str, beacons: dict[str, dict[str, Any]]
    ) -> None:
        report = fix(name, beacons=[reported_beacon(beacons["1"])])
        threading.Timer(0.3, lambda: publishable.post("/v1/track", json=report)).start()
        found = secret.get(f"/v1/events?tag={name}&externalId=1&waitSeconds=20").json()["events"]
        assert [event["type"] for event in found] == ["user.entered_beacon"]

    def test_as_sdks_report_it(self, publishable: Api, name: str, beacons: dict[str, dict[str, Any]]) -> None:
        one, wall = beacons["1"], beacons["e"]
        reports: list[dict[str, Any]] = [
            # Android includes the known fields of the beacon; a beacon that was ranged by UUID has no known _id.
            reported_beacon(one, _id="", metadata={}, uuid=one["uuid"].upper()),
            # Older SDKs omit the type.
            {key: one[key] for key in ("_id", "uuid", "major", "minor")},
            {"uuid": one["uuid"], "major": int(one["major"]), "minor": int(one["minor"])},
            # Only an _id.
            {"_id": one["_id"]},
            {"_id": wall["_id"]},
            {"uid": wall["uid"], "instance": wall["instance"].upper()},
            reported_beacon(wall, geometry={"type": "Point", "coordinates": [0, 0]}),
        ]
        for number, report in enumerate(reports):
            expected = "e" if report.get("uid") or report.get("_id") == wall["_id"] else "1"
            answer = publishable.post("/v1/track", json=fix(f"{name}-{number}", beacons=[report]))
            assert kinds(answer) == [("user.entered_beacon", expected)]

    @pytest.mark.parametrize(
        "report",
        [
            {},
            {"_id": "unknown"},
            {"_id": 5, "uuid": None, "major": [], "minor": {}},
            {"type": "ibeacon", "uuid": UUID, "major": "100", "minor": "65535"},
            {"type": "eddystone", "uid": UID},
            {"type": "ibeacon", "uuid": "x", "major": "1", "minor": "1"},
            {"type": ["eddystone"], "uid": {"a": 1}},
        ],
    )
    def test_unknown_beacons_are_ignored(self, publishable: Api, name: str, report: dict[str, Any]) -> None:
        headers = {"Content-Type": "text/plain"}
        answer = publishable.post("/v1/track", content=json.dumps(fix(name, beacons=[report])), headers=headers)
        assert answer.json()["events"] == []
        assert answer.json()["meta"] == {"code": 200}
        assert "beacons" not in answer.json()["user"]

    @pytest.mark.parametrize("odd", ["x", 5, True, {}, {"uuid": UUID}, ["id"], [None], [[]], [{}] * 1_001])
    def test_an_invalid_list_of_beacons_is_refused(self, publishable: Api, name: str, odd: object) -> None:
        assert_refused(publishable.post("/v1/track", json=fix(name, beacons=odd)), "beacons")

    @pytest.mark.parametrize("nothing", [None, "null", ""])
    def test_empty_beacons_change_nothing(
        self, publishable: Api, name: str, beacons: dict[str, dict[str, Any]], nothing: object
    ) -> None:
        publishable.post("/v1/track", json=fix(name, beacons=[reported_beacon(beacons["1"])]))
        content = json.dumps(fix(name, beacons=nothing))
        answer = publishable.post("/v1/track", content=content, headers={"Content-Type": "text/plain"}).json()
        assert answer["events"] == []
        assert len(answer["user"]["beacons"]) == 1

    def test_a_form(self, publishable: Api, name: str, beacons: dict[str, dict[str, Any]]) -> None:
        form = fix(name) | {"beacons": json.dumps([reported_beacon(beacons["1"])])}
        assert kinds(publishable.post("/v1/track", data=form)) == [("user.entered_beacon", "1")]
        assert kinds(publishable.post("/v1/track", data=fix(name) | {"beacons": ""})) == []
        assert kinds(publishable.post("/v1/track", data=fix(name) | {"beacons": "[]"})) == [("user.exited_beacon", "1")]

    def test_updates_of_the_past(self, publishable: Api, name: str, beacons: dict[str, dict[str, Any]]) -> None:
        reports = [[reported_beacon(beacons["1"])], None, [], [reported_beacon(beacons["2"])], "x"]
        replays = [
            fix(name, beacons=report, updatedAt=f"2026-03-02T12:0{minute}:00.000Z")
            for minute, report in enumerate(reports)
        ]
        answer = publishable.post("/v1/track/replay", json={"replays": replays}).json()
        events = [(event["type"], event.get("duration"), event["replayed"]) for event in answer["events"]]
        assert events == [
            ("user.entered_beacon", None, True),
            ("user.exited_beacon", 2, True),
            ("user.entered_beacon", None, True),
        ]
        assert [item["meta"]["code"] for item in answer["replays"]] == [200, 200, 200, 200, 400]

    def test_explained(self, secret: Api, name: str, beacons: dict[str, dict[str, Any]]) -> None:
        answer = secret.post("/v1/track?explain=true", json=fix(name, beacons=[reported_beacon(beacons["1"])]))
        assert kinds(answer) == [("user.entered_beacon", "1")]
        assert answer.json()["explanations"] == []


def test_two_clients_at_once_make_one_beacon(secret: Api, engine: Engine, name: str) -> None:
    body, answers = ibeacon(name), []

    def send(external_id: str) -> None:
        answers.append(secret.post("/v1/beacons", json=body | {"externalId": external_id}).status_code)

    threads = [threading.Thread(target=send, args=(str(number),)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, *[409] * 5]
