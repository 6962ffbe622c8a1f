"""The request log does not report the parameters that SDKs send by themselves."""

import json
from typing import Any

import pytest

from app.api.v1 import RESOURCES
from app.api.v1.operations import Operation
from app.api.v1.request_log.near_misses import names_of
from app.api.v1.request_log.sdk_fields import FIELDS_OF_SDKS, NOT_LOOKED_AT, SENT_BY_SDKS, Sdk
from tests.app.api.conftest import Api
from tests.app.api.request_log.sdk_requests import IOS_TRACK, REQUESTS, Sent

OPERATIONS = {each.name: each for resource in RESOURCES for each in resource.operations.values()}
ACCEPTED = (200, 204, 404, 409)
"""Statuses of requests that the server reads: some are about a trip that is missing, or there twice."""

LOGGED = "/v1/requests?limit=1000&nearMisses=true"


def send(api: Api, sent: Sent) -> int:
    """Send a request as the SDK does; return its status."""
    body = None if sent.body is None else json.dumps(sent.body).encode()
    return api.send(sent.method, sent.path, content=body, headers={"Content-Type": "application/json"}).status_code


def names_in(sent: Sent) -> set[str]:
    """Return the names of the parameters of a request; those of past updates are the ones of its items."""
    query = sent.path.partition("?")[2]
    names = {pair.partition("=")[0].partition("[")[0] for pair in query.split("&") if pair}
    body: dict[str, Any] = dict(sent.body or {})
    for item in body.pop("replays", ()):
        body |= item
    return names | set(body)


def parameters_of(operation: Operation) -> frozenset[str]:
    """Return the documented parameters of an operation; those of past updates are the ones of an update."""
    if operation.name == "replayTracks":
        return parameters_of(OPERATIONS["track"])
    return names_of(operation.query) | names_of(operation.body)


@pytest.mark.parametrize("sdk", list(Sdk))
def test_a_request_of_an_sdk_is_no_near_miss(publishable: Api, secret: Api, sdk: Sdk) -> None:
    store = {"description": "Store", "type": "circle", "coordinates": [24.9414, 60.1719], "radius": 100}
    assert secret.put("/v1/geofences/store/1", json=store).status_code == 200
    secret.delete("/v1/requests")
    for sent in REQUESTS[sdk]:
        verified = sent.body is not None and sent.body.get("verified")
        assert send(publishable, sent) in ((400,) if verified else ACCEPTED), sent
    for each in secret.get(LOGGED).json()["requests"]:
        # A verified update is refused, whichever way the log says so.
        assert [miss for miss in each["nearMisses"] if miss.get("param") not in ("verified", "fraudPayload")] == []


@pytest.mark.parametrize("sdk", list(Sdk))
def test_each_request_belongs_to_its_operation(sdk: Sdk) -> None:
    for sent in REQUESTS[sdk]:
        resource = next(each for each in RESOURCES if OPERATIONS[sent.operation] in each.operations.values())
        wanted, given = resource.path.split("/"), sent.path.partition("?")[0].split("/")
        assert len(wanted) == len(given)
        assert all(one == two for one, two in zip(wanted, given, strict=True) if not one.startswith("{"))
        assert resource.operations[sent.method] is OPERATIONS[sent.operation]


@pytest.mark.parametrize("sdk", list(Sdk))
def test_the_table_has_exactly_what_the_sdk_adds(sdk: Sdk) -> None:
    for name, operation in OPERATIONS.items():
        sent = set().union(*(names_in(each) for each in REQUESTS[sdk] if each.operation == name))
        if name not in NOT_LOOKED_AT:
            assert sent <= parameters_of(operation) | SENT_BY_SDKS.get(name, frozenset()), name
        assert FIELDS_OF_SDKS[sdk].get(name, frozenset()) <= sent, name


def test_an_update_of_an_earlier_version_is_no_near_miss(publishable: Api, secret: Api) -> None:
    earlier = {"adId": "ad", "mocked": False, "fraudFailureReasons": [], "listenToServer": True, "indoorScan": ""}
    track = {**IOS_TRACK, **earlier, "nearbyBeacons": [], "sharing": False, "timeZone": "Europe/Helsinki"}
    secret.delete("/v1/requests")
    assert send(publishable, Sent("track", "POST", "/v1/track", track)) == 200
    assert send(publishable, Sent("replayTracks", "POST", "/v1/track/replay", {"replays": [track, track]})) == 200
    assert secret.get(LOGGED).json()["requests"] == []


def test_a_misspelling_beside_the_parameters_of_an_sdk_is_still_reported(publishable: Api, secret: Api) -> None:
    secret.delete("/v1/requests")
    send(publishable, Sent("track", "POST", "/v1/track", {**IOS_TRACK, "altitudeAdjustment": [], "moted": True}))
    (logged,) = secret.get(LOGGED).json()["requests"]
    assert [miss["param"] for miss in logged["nearMisses"]] == ["altitudeAdjustment", "moted"]
