"""Updates that arrive late, repeatedly or from the future, in the form that clients send."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine.domain.environment import Environment
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.app.api.conftest import Api, circle, fix

AWAY = -73.5
LAST_WEEK = datetime.now(UTC).replace(microsecond=0) - timedelta(days=8)


@pytest.fixture(scope="module", autouse=True)
def dwells(engine: Engine) -> None:
    change = SettingsChange(dwell_event=True, default_dwell_threshold_s=300, kept_updates=0)
    engine.settings.change(Environment.TEST, change)


def spelled(minute: float) -> str:
    return (LAST_WEEK + timedelta(minutes=minute)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def past(name: str, minute: int) -> dict[str, Any]:
    """Return one of 60 updates a minute apart; the device is inside from 10 to 25 and from 30 to 50."""
    inside = 10 <= minute < 26 or 30 <= minute < 51
    return fix(name, **({} if inside else {"longitude": AWAY}), updatedAt=spelled(minute))


def replayed(api: Api, *bodies: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = api.post("/v1/track/replay", json={"replays": list(bodies)}).json()
    return answer


def events(secret: Api, name: str) -> list[tuple[str, str, float | None]]:
    """Return all events of a test's geofence, in the order of their times."""
    found = secret.get(f"/v1/events?deviceId={name}&limit=1000").json()["events"]
    own = [(each["createdAt"], each["type"], each.get("duration")) for each in found if each["geofence"]["tag"] == name]
    return [(kind.removeprefix("user.").split("_")[0], at, lasted) for at, kind, lasted in sorted(own)]


def in_order() -> list[tuple[str, str, float | None]]:
    return [
        ("entered", spelled(10), None),
        ("dwelled", spelled(16), None),
        ("exited", spelled(26), 16.0),
        ("entered", spelled(30), None),
        ("dwelled", spelled(36), None),
        ("exited", spelled(51), 21.0),
    ]


def test_neighbours_that_changed_places(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    minutes = [*range(5), 6, 5, *range(7, 60)]
    answer = replayed(publishable, *(past(name, minute) for minute in minutes))
    assert events(secret, name) == in_order()
    late = answer["replays"][6]
    assert late["user"]["updatedAt"] > spelled(60)
    assert late["meta"]["warnings"] == [
        f"updatedAt: earlier than the user's newest update, {spelled(6)}; this update has the server's time instead."
    ]
    assert answer["meta"]["warnings"] == [
        "updatedAt: 1 of 60 updates was earlier than the user's newest update, with the server's time instead."
    ]
    assert answer["replays"][7]["user"]["updatedAt"] == spelled(7)


def test_one_late_update_in_between(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    replayed(publishable, *(past(name, minute) for minute in range(5)))
    late = publishable.post("/v1/track", json=past(name, 2) | {"accuracy": 6}).json()
    assert late["meta"]["warnings"][0].startswith("updatedAt: earlier than")
    replayed(publishable, *(past(name, minute) for minute in range(5, 60)))
    assert events(secret, name) == in_order()


def test_a_replay_that_is_sent_again(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    bodies = [past(name, minute) for minute in range(60)]
    first, again = replayed(publishable, *bodies), replayed(publishable, *bodies)
    assert events(secret, name) == in_order()
    assert [each["_id"] for each in again["events"]] == [each["_id"] for each in first["events"]]
    assert [item["events"] for item in again["replays"]] == [item["events"] for item in first["replays"]]
    assert again["user"] == first["user"]
    assert again["meta"]["warnings"] == [
        "updatedAt: 60 of 60 updates were already stored, with the events of the first time in the response."
    ]


def test_batches_that_overlap(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    replayed(publishable, *(past(name, minute) for minute in range(41)))
    replayed(publishable, *(past(name, minute) for minute in range(31, 60)))
    assert events(secret, name) == in_order()


def test_an_update_sent_again_as_replayed(secret: Api, publishable: Api, name: str) -> None:
    """A mobile SDK that received no response keeps the update and sends it with the next one."""
    secret.post("/v1/geofences", json=circle(name))
    first = publishable.post("/v1/track", json=past(name, 10)).json()
    answer = replayed(publishable, past(name, 10), past(name, 26))
    assert answer["replays"][0]["events"] == first["events"]
    assert [each[0] for each in events(secret, name)] == ["entered", "exited"]


def test_an_age_alone(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    body = fix(name, updatedAtMsDiff=60_000)
    first = publishable.post("/v1/track", json=body).json()
    publishable.post("/v1/track", json=fix(name, longitude=AWAY))
    again = publishable.post("/v1/track", json=body).json()
    assert again["events"] == first["events"]
    assert again["meta"]["warnings"] == [
        "updatedAt: this update was already stored; the response contains the events it generated then."
    ]


def test_a_clock_that_is_a_day_ahead(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    ahead = publishable.post("/v1/track", json=fix(name, updatedAt=tomorrow)).json()
    assert ahead["meta"]["warnings"] == [
        "updatedAt: more than 60 seconds ahead of the server's time; later updates are not compared with it."
    ]
    replayed(publishable, *(fix(name, updatedAt=spelled(minute)) for minute in range(120)))
    replayed(publishable, fix(name, longitude=AWAY, updatedAt=spelled(120)))
    assert events(secret, name)[:2] == [("dwelled", spelled(6), None), ("exited", spelled(120), 120.0)]


def test_an_anonymous_update_is_never_one_that_was_stored(publishable: Api, name: str) -> None:
    body = fix("anonymous", anonymous=True, updatedAt=spelled(0))
    for _ in range(2):
        assert "warnings" not in publishable.post("/v1/track", json=body).json()["meta"]


def test_a_reset_removes_stored_updates(secret: Api, publishable: Api, name: str) -> None:
    secret.post("/v1/geofences", json=circle(name))
    first = publishable.post("/v1/track", json=past(name, 10)).json()
    secret.delete(f"/v1/users/{name}")
    again = publishable.post("/v1/track", json=past(name, 10)).json()
    assert "warnings" not in again["meta"]
    assert [each["_id"] for each in again["events"]] != [each["_id"] for each in first["events"]]
