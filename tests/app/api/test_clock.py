"""GET and POST /v1/clock: the time of the Test environment."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from time import sleep
from typing import Any

import pytest

from tests.app.api.conftest import Api, assert_refused, circle, fix

NOON = "2025-03-01T12:00:00.000Z"


@pytest.fixture
def clock(secret: Api) -> Iterator[Api]:
    """The Test secret client, which resets the clock to the system time afterwards."""
    yield secret
    secret.post("/v1/clock", json={"system": True})


def seconds_from_now(text: str) -> float:
    return abs((datetime.fromisoformat(text) - datetime.now(UTC)).total_seconds())


def test_it_follows_the_systems_until_it_is_changed(clock: Api) -> None:
    answer = clock.get("/v1/clock").json()
    assert seconds_from_now(answer["now"]) < 5
    assert (answer["system"], answer["frozen"], answer["scale"]) == (True, False, 1)


def test_set_and_frozen(clock: Api) -> None:
    answer = clock.post("/v1/clock", json={"now": NOON, "frozen": True}).json()
    assert answer == {"meta": {"code": 200}, "now": NOON, "system": False, "frozen": True, "scale": 1}
    assert clock.get("/v1/clock").json() == answer


def test_advanced(clock: Api) -> None:
    clock.post("/v1/clock", json={"now": NOON, "frozen": True})
    assert clock.post("/v1/clock", json={"advanceSeconds": 90.5}).json()["now"] == "2025-03-01T12:01:30.500Z"
    assert clock.post("/v1/clock", json={"advanceSeconds": 0}).json()["frozen"] is True


def test_scaled(clock: Api) -> None:
    clock.post("/v1/clock", json={"now": NOON, "scale": 1000})
    sleep(0.05)
    later = datetime.fromisoformat(clock.get("/v1/clock").json()["now"])
    assert (later - datetime.fromisoformat(NOON)).total_seconds() >= 50


@pytest.mark.parametrize(
    ("body", "param", "message"),
    [
        ({"advanceSecond": 10}, "advanceSeconds", "at least one field is required; advanceSecond was given instead."),
        (
            {"advance_seconds": 10},
            "advanceSeconds",
            "at least one field is required; advance_seconds was given instead.",
        ),
        ({"unit": 10}, "now", "at least one field is required."),
    ],
)
@pytest.mark.parametrize("form", ["json", "data"])
def test_a_field_is_required_and_a_misspelled_one_named(
    clock: Api, form: str, body: dict[str, object], param: str, message: str
) -> None:
    assert_refused(clock.post("/v1/clock", **{form: body}), param, f"{param}: {message}")
    # Next to a known field, unknown ones are ignored as everywhere.
    assert clock.post("/v1/clock", **{form: body | {"frozen": True}}).json()["frozen"] is True


def test_the_systems_again(clock: Api) -> None:
    clock.post("/v1/clock", json={"now": NOON, "frozen": True})
    answer = clock.post("/v1/clock", json={"system": True}).json()
    assert answer["system"] is True
    assert seconds_from_now(answer["now"]) < 5


def test_updates_and_geofences_obey_it(clock: Api, name: str) -> None:
    clock.post("/v1/clock", json={"now": NOON, "frozen": True})
    clock.post("/v1/geofences", json=circle(name, disableAfter="2025-03-01T13:00:00Z", deleteAfter="2025-03-01T14:00Z"))
    assert clock.post("/v1/track", json=fix(name)).json()["user"]["updatedAt"] == NOON
    clock.post("/v1/clock", json={"advanceSeconds": 3601})
    assert clock.get(f"/v1/geofences/{name}/1").json()["geofence"]["enabled"] is False
    clock.post("/v1/clock", json={"advanceSeconds": 3601})
    assert clock.get(f"/v1/geofences/{name}/1").status_code == 404


def test_live_has_the_systems_time(clock: Api, live: Api, name: str) -> None:
    clock.post("/v1/clock", json={"now": NOON, "frozen": True})
    assert seconds_from_now(live.post("/v1/track", json=fix(name)).json()["user"]["updatedAt"]) < 5


def test_a_form(clock: Api) -> None:
    answer = clock.post("/v1/clock", data={"now": "2025-03-01T12:00:00Z", "frozen": "True"}).json()
    assert (answer["now"], answer["frozen"]) == (NOON, True)


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "now"),
    ({"system": False}, "now"),
    ({"now": None}, "now"),
    ({"now": "noon"}, "now"),
    ({"now": 5}, "now"),
    ({"now": "0001-01-01"}, "now"),
    ({"now": "9999-01-01"}, "now"),
    ({"frozen": "true"}, "frozen"),
    ({"frozen": 1}, "frozen"),
    ({"advanceSeconds": -1}, "advanceSeconds"),
    ({"advanceSeconds": "5"}, "advanceSeconds"),
    ({"advanceSeconds": 1e300}, "advanceSeconds"),
    ({"advanceSeconds": float("nan")}, "advanceSeconds"),
    ({"scale": -1}, "scale"),
    ({"scale": 1e7}, "scale"),
    ({"scale": True}, "scale"),
    ({"system": "yes"}, "system"),
    ({"system": True, "frozen": True}, "system"),
]


@pytest.mark.parametrize(("body", "param"), BAD)
def test_bad_changes_name_their_parameter(clock: Api, body: dict[str, Any], param: str) -> None:
    assert_refused(clock.post("/v1/clock", content=json.dumps(body)), param)
    assert clock.get("/v1/clock").json()["system"] is True


def test_only_the_test_secret_key_opens_it(publishable: Api, live: Api) -> None:
    for api in (publishable, live):
        assert_refused(api.get("/v1/clock"), "Authorization", status=403)
        assert_refused(api.post("/v1/clock", json={"system": True}), "Authorization", status=403)
