"""POST /v1/track over a real socket."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from engine.domain.environment import Environment
from engine.engine import Engine
from tests.app.api.conftest import CENTRAL_PARK, Api, assert_refused, circle, fix


def test_an_update_answers_the_user_and_no_events(publishable: Api, name: str) -> None:
    answer = publishable.post("/v1/track", json=fix(name, metadata={"level": 3})).json()
    assert list(answer) == ["meta", "events", "user"]
    assert answer["meta"] == {"code": 200}
    user = answer["user"]
    assert user["deviceId"] == name
    assert user["metadata"] == {"level": 3}
    assert user["location"] == {"type": "Point", "coordinates": list(CENTRAL_PARK)}
    assert user["locationAccuracy"] == 5
    assert user["ip"] == "127.0.0.1"
    assert user["live"] is False
    assert "userId" not in user


def test_entry_and_exit(secret: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name, metadata={"size": "small"}))
    entered = secret.post("/v1/track", json=fix(name, updatedAt="2025-03-01T10:00:00Z")).json()
    own = [event for event in entered["events"] if event["geofence"]["tag"] == name]
    assert [event["type"] for event in own] == ["user.entered_geofence"]
    assert own[0]["createdAt"] == "2025-03-01T10:00:00.000Z"
    assert own[0]["confidence"] == 3
    assert own[0]["geofence"]["metadata"] == {"size": "small"}
    assert "duration" not in own[0]
    assert name in [geofence["tag"] for geofence in entered["user"]["geofences"]]

    left = secret.post("/v1/track", json=fix(name, longitude=-73.9, updatedAt="2025-03-01T10:01:30.5Z")).json()
    own = [event for event in left["events"] if event["geofence"]["tag"] == name]
    assert [event["type"] for event in own] == ["user.exited_geofence"]
    assert own[0]["duration"] == pytest.approx(90.5 / 60, abs=0.001)
    assert left["user"]["geofences"] == []


def test_null_means_absent_and_unknown_keys_are_ignored(publishable: Api, name: str) -> None:
    absent: dict[str, Any] = dict.fromkeys(
        ["userId", "description", "metadata", "updatedAt", "foreground", "tripOptions"]
    )
    body = fix(name, **absent, locationMs=1, updatedAtMsDiff=2, nearbyGeofences=True)
    user = publishable.post("/v1/track", json=body).json()["user"]
    assert "userId" not in user
    assert "description" not in user


def test_a_form_like_radar_python_sends(publishable: Api, name: str) -> None:
    form = {k: str(v) for k, v in fix(name).items()} | {"foreground": "True", "metadata": '{"a": true}'}
    user = publishable.post("/v1/track", data=form).json()["user"]
    assert user["foreground"] is True
    assert user["metadata"] == {"a": True}


def test_a_form_with_bracketed_metadata(publishable: Api, name: str) -> None:
    form = {k: str(v) for k, v in fix(name).items()} | {"metadata[a]": "5", "metadata[b]": '"5"', "metadata[c]": "x"}
    assert publishable.post("/v1/track", data=form).json()["user"]["metadata"] == {"a": 5, "b": "5", "c": "x"}


def test_a_chunked_body(publishable: Api, name: str) -> None:
    whole = json.dumps(fix(name)).encode()

    def chunks() -> Iterator[bytes]:
        yield whole[:10]
        yield whole[10:]

    response = publishable.post("/v1/track", content=chunks(), headers={"Content-Type": "application/json"})
    assert response.status_code == 200


DEVICE: dict[str, Any] = {
    "deviceType": "iOS",
    "deviceOS": "17.4",
    "deviceMake": "Apple",
    "deviceModel": "iPhone15,2",
    "altitude": -3.5,
    "verticalAccuracy": 0,
}


def test_all_fields_are_kept_and_shown(publishable: Api, secret: Api, name: str) -> None:
    body = fix(name, userId=f"user-{name}", foreground=True, stopped=True, description="Ann", **DEVICE)
    tracked = publishable.post("/v1/track", json=body).json()["user"]
    (listed,) = secret.get(f"/v1/users?deviceId={name}").json()["users"]
    assert listed == tracked
    given = DEVICE | {"userId": f"user-{name}", "foreground": True, "stopped": True, "description": "Ann"}
    assert {field: tracked[field] for field in given} == given


def test_fields_that_a_device_omits_stay(publishable: Api, name: str) -> None:
    publishable.post("/v1/track", json=fix(name, description="Ann", metadata={"a": 1, "b": 2}, **DEVICE))
    user = publishable.post("/v1/track", json=fix(name, deviceOS="18", metadata={"c": 3})).json()["user"]
    assert (user["deviceOS"], user["deviceMake"], user["description"]) == ("18", "Apple", "Ann")
    assert user["metadata"] == {"c": 3}


def test_an_id_like_an_e_mail_address_is_flagged(publishable: Api, name: str) -> None:
    user = publishable.post("/v1/track", json=fix(name, userId=f"{name}@example.com")).json()["user"]
    assert user["personalData"] is True
    assert "personalData" not in publishable.post("/v1/track", json=fix(name, userId=f"{name}@home")).json()["user"]


@pytest.mark.parametrize(
    ("times", "shown"),
    [
        ({"updatedAtMs": 1740823200123}, "2025-03-01T10:00:00.123Z"),
        ({"updatedAtMs": 1740823200123.9}, "2025-03-01T10:00:00.123Z"),
        ({"updatedAtMs": 1, "updatedAt": "2025-03-01"}, "2025-03-01T00:00:00.000Z"),
        ({"updatedAtMs": None, "updatedAtMsDiff": 5, "updatedAt": "2025-03-01"}, "2025-03-01T00:00:00.000Z"),
    ],
)
def test_times_in_milliseconds(publishable: Api, name: str, times: dict[str, Any], shown: str) -> None:
    assert publishable.post("/v1/track", json=fix(name, **times)).json()["user"]["updatedAt"] == shown


def test_a_fix_of_a_while_ago(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/clock", json={"now": "2025-03-01T10:00:00Z", "frozen": True})
    try:
        user = publishable.post("/v1/track", json=fix(name, updatedAtMsDiff=90_500)).json()["user"]
        assert user["updatedAt"] == "2025-03-01T09:58:29.500Z"
        ahead = publishable.post("/v1/track", json=fix(f"{name}-ahead", updatedAtMsDiff=-20)).json()["user"]
        assert ahead["updatedAt"] == "2025-03-01T10:00:00.000Z"
    finally:
        secret.post("/v1/clock", json={"system": True})


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("2025-03-01", "2025-03-01T00:00:00.000Z"),
        ("2025-03-01T10:00:00", "2025-03-01T10:00:00.000Z"),
        ("2025-03-01T10:00:00.123456+02:00", "2025-03-01T08:00:00.123Z"),
        ("2025-03-01 10:00:00Z", "2025-03-01T10:00:00.000Z"),
    ],
)
def test_times(publishable: Api, name: str, sent: str, shown: str) -> None:
    assert publishable.post("/v1/track", json=fix(name, updatedAt=sent)).json()["user"]["updatedAt"] == shown


BAD: list[tuple[str, Any, str]] = [
    ("deviceId", "", "1 to 256"),
    ("deviceId", "  ", "blank"),
    ("deviceId", "x" * 257, "257"),
    ("deviceId", 5, "a string"),
    ("deviceId", None, "required"),
    ("deviceId", "a\0b", "NUL"),
    ("userId", "", "1 to 256"),
    ("userId", True, "a string"),
    ("latitude", 91, "[-90, 90]"),
    ("latitude", -90.0001, "[-90, 90]"),
    ("latitude", "40.7", "a number"),
    ("latitude", True, "a number"),
    ("latitude", None, "required"),
    ("latitude", float("nan"), "finite"),
    ("latitude", float("inf"), "finite"),
    ("latitude", 10**400, "finite"),
    ("latitude", [1], "a number"),
    ("longitude", 180.1, "[-180, 180]"),
    ("longitude", float("-inf"), "finite"),
    ("accuracy", 0, "greater than 0"),
    ("accuracy", -1, "greater than 0"),
    ("accuracy", False, "a number"),
    ("foreground", 2, "true or false"),
    ("foreground", "true", "true or false"),
    ("stopped", "no", "true or false"),
    ("replayed", -1, "true or false"),
    ("description", 5, "a string"),
    ("description", "x" * 2001, "2001"),
    ("deviceType", "Fridge", "'iOS', 'Android' or 'Web'"),
    ("updatedAt", "yesterday", "ISO 8601"),
    ("updatedAt", 1700000000, "ISO 8601"),
    ("updatedAt", "0001-01-01T00:00:00+10:00", "ISO 8601"),
    ("updatedAt", "0001-01-01T00:00:00Z", "years 1900 to 2199"),
    ("updatedAt", "9999-12-31T23:59:59.999Z", "years 1900 to 2199"),
    ("metadata", [1], "dictionary"),
    ("metadata", "[1]", "dictionary"),
    ("metadata", "{", "JSON"),
    ("metadata", {"a": {"b": 1}}, "'a'"),
    ("metadata", {"a": None}, "'a'"),
    ("metadata", {"a": float("nan")}, "'a'"),
    ("metadata", {"a": 10**30}, "64-bit"),
    ("metadata", {"a": "x" * 2001}, "'a'"),
    ("metadata", {"": 1}, "1 to 256"),
    ("metadata", {f"k{i}": i for i in range(33)}, "32"),
    ("altitude", "high", "a number"),
    ("verticalAccuracy", True, "a number"),
    ("altitude", float("nan"), "finite"),
    ("verticalAccuracy", 10**400, "finite"),
    ("deviceOS", 17, "a string"),
    ("deviceMake", "x" * 2001, "2001"),
    ("deviceModel", ["iPhone"], "a string"),
    ("deviceModel", "a\0b", "NUL"),
    ("mocked", 2, "true or false"),
    ("mocked", "true", "true or false"),
    ("compromised", {}, "true or false"),
    ("updatedAtMs", "1740823200123", "a number"),
    ("updatedAtMs", -1, "within"),
    ("updatedAtMs", 7_258_118_400_000, "within"),
    ("updatedAtMsDiff", True, "a number"),
    ("updatedAtMsDiff", 1e300, "within"),
    ("updatedAtMsDiff", float("inf"), "finite"),
]


@pytest.mark.parametrize(("param", "value", "words"), BAD)
def test_bad_values_name_their_parameter(
    publishable: Api, engine: Engine, name: str, param: str, value: Any, words: str
) -> None:
    content = json.dumps(fix(name) | {param: value})
    before = engine.history.counts(Environment.TEST)
    assert_refused(publishable.post("/v1/track", content=content), param, words)
    assert engine.history.counts(Environment.TEST) == before


@pytest.mark.parametrize("param", ["deviceId", "latitude", "longitude", "accuracy"])
def test_required_parameters(publishable: Api, name: str, param: str) -> None:
    body = {key: value for key, value in fix(name).items() if key != param}
    assert_refused(publishable.post("/v1/track", json=body), param, "required")


@pytest.mark.parametrize(
    ("text", "param"),
    [
        (r'"deviceId": "\ud800"', "deviceId"),
        (r'"deviceId": "x", "metadata": {"a": "\udfff"}', "metadata"),
        (r'"deviceId": "x", "latitude": 1' + "0" * 5000, "latitude"),
    ],
)
def test_values_that_only_a_lenient_parser_reads(publishable: Api, text: str, param: str) -> None:
    rest = (
        ', "latitude": 1, "longitude": 1, "accuracy": 1'
        if "latitude" not in text
        else ', "longitude": 1, "accuracy": 1'
    )
    assert_refused(publishable.post("/v1/track", content="{" + text + rest + "}"), param)


@pytest.mark.parametrize("body", [b"", b"   ", b"{", b"[]", b"5", b"null", b'"x"', b"\xff\xfe", b"[" * 100_000, b"a=b"])
def test_bodies_that_are_no_object(publishable: Api, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    assert_refused(publishable.post("/v1/track", content=body, headers=headers), "body")


def test_negative_zero_is_zero(publishable: Api, name: str) -> None:
    response = publishable.post("/v1/track", json=fix(name, longitude=-0.0, latitude=-0.0))
    assert b"-0.0" not in response.content


def test_a_repeated_form_field_is_refused(publishable: Api, name: str) -> None:
    form = {key: str(value) for key, value in fix(name).items()} | {"accuracy": ["5", "6"]}
    assert_refused(publishable.post("/v1/track", data=form), "accuracy", "more than once")


def test_numbers_in_forms_are_numbers_as_everybody_writes_them(publishable: Api, name: str) -> None:
    """Python itself would read 1_0 as 10."""
    form = {"deviceId": name, "latitude": "1_0", "longitude": "9", "accuracy": "5"}
    assert_refused(publishable.post("/v1/track", data=form), "latitude", "number")
    assert_refused(publishable.get("/v1/context", params={"coordinates": "4_7.1,9.5"}), "coordinates")


def test_a_lower_case_zone_is_utc(publishable: Api, name: str) -> None:
    body = fix(name, updatedAt="2026-03-01t10:00:00z")
    assert publishable.post("/v1/track", json=body).json()["user"]["updatedAt"] == "2026-03-01T10:00:00.000Z"


@pytest.mark.parametrize("accuracy", [1e-200, 1e155, 1.7e308])
def test_an_accuracy_beyond_all_measure_is_answered(publishable: Api, name: str, accuracy: float) -> None:
    assert publishable.post("/v1/track", json=fix(name) | {"accuracy": accuracy}).status_code == 200
