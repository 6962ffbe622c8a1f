"""Checks of the answers to the calls of pages/calls.mjs."""

from typing import Any, Final

import pytest

from tests.clients.chromium import Position

HERE: Final[Position] = {"latitude": 60.1699, "longitude": 24.9400, "accuracy": 10}
"""The position of the browser, near the store and outside of it."""

type Answers = dict[str, Any]


def failures(answers: Answers) -> Answers:
    """Return the calls that failed."""
    return {name: each for name, each in answers.items() if isinstance(each, dict) and "failed" in each}


def answered(answers: Answers) -> set[str]:
    """Return the names of the calls that were answered."""
    return {name for name, each in answers.items() if each is not None} - failures(answers).keys()


def check_tracking(answers: Answers) -> None:
    """Check the location update and the context."""
    user = answers["trackOnce"]["user"]
    assert user["userId"] == "ann"
    assert user["location"]["coordinates"] == pytest.approx([HERE["longitude"], HERE["latitude"]])
    context = answers["context"].get("context", answers["context"])
    assert [geofence["tag"] for geofence in context["geofences"]] == ["store"]


def check_conversion(answers: Answers) -> None:
    """Check the conversion."""
    event = answers["conversion"]["event"]
    assert (event["type"], event["metadata"]["sku"]) == ("bought", "a")


def check_trips(answers: Answers) -> None:
    """Check the states of two trips, and the location update on the first one."""
    started = answers["startTrip"]["trip"]
    assert (started["status"], started["externalId"], started["metadata"]) == ("pending", "order-1", {"car": "red"})
    on_trip = answers["trackOnTrip"]
    assert on_trip["user"]["trip"]["_id"] == started["_id"]
    assert on_trip["user"]["trip"]["status"] == "started"
    assert {"distance", "duration"} <= on_trip["user"]["trip"]["eta"].keys()
    assert "user.started_trip" in [event["type"] for event in on_trip["events"]]
    updated = answers["updateTrip"]
    assert (updated["trip"]["mode"], updated["trip"]["metadata"]) == ("foot", {"car": "blue"})
    assert [event["type"] for event in updated["events"]] == ["user.updated_trip"]
    assert answers["completeTrip"]["trip"]["status"] == "completed"
    assert [event["type"] for event in answers["completeTrip"]["events"]] == ["user.stopped_trip"]
    assert answers["cancelTrip"]["trip"]["status"] == "canceled"


def check_searches(answers: Answers) -> None:
    """Check addresses, geofences, places and routes."""
    assert answers["forward"]["addresses"][0]["street"] == "Mannerheimintie"
    assert answers["reverse"]["addresses"][0]["countryCode"] == "FI"
    assert answers["ip"]["address"]["countryCode"] == "FI"
    assert any("Mannerheim" in each["formattedAddress"] for each in answers["autocomplete"]["addresses"])
    assert [geofence["externalId"] for geofence in answers["geofences"]["geofences"]] == ["1"]
    assert all("food-beverage" in place["categories"] for place in answers["places"]["places"])
    assert answers["places"]["places"]
    assert answers["distance"]["routes"]["foot"]["distance"]["value"] > 100
    assert answers["matrix"]["matrix"][0][0]["distance"]["value"] > 100
