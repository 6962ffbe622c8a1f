"""The page docs/not-served.md, compared with the specification, the SDKs and the served operations."""

import re
from pathlib import Path

import httpx
import pytest

from app.api.server.docs import document
from app.api.server.server import ApiServer
from app.api.v1 import RESOURCES
from app.api.v1.request_log.sdk_fields import UNSERVED_FIELDS, UNSERVED_PATHS
from app.api.wire.common.decoding import names_not_served, names_refused
from engine.domain.tracking.updates import EventType
from tests.app.api.conftest import Api

PAGE = (Path(__file__).parents[4] / "docs" / "not-served.md").read_text()
TABLE = "\n".join(line for line in PAGE.splitlines() if line.startswith("|"))
MODELS = tuple(
    {
        model.__name__: model
        for resource in RESOURCES
        for operation in resource.operations.values()
        for model in (operation.query, operation.body)
        if model is not None
    }.values()
)
FEATURES = PAGE.partition("\n## Features\n")[2].partition("\n## ")[0]
PATHS = sorted(
    pair
    for line in FEATURES.splitlines()
    if line.startswith("|")
    for pair in re.findall(r"`(GET|POST|PUT|PATCH|DELETE) (/[^`?]+)`", line.split("|")[2])
)

# All endpoints that the specification describes or an official SDK calls.
KNOWN_PATHS = """
POST /v1/track
POST /v1/track/replay
GET /v1/config
POST /v1/logs
GET /v1/ping
GET /v1/context
POST /v1/trips
GET /v1/trips
GET /v1/trips/{id}
DELETE /v1/trips/{id}
PATCH /v1/trips/{id}/update
PATCH /v1/trips/{id}/legs/{legId}
PUT /v1/trips/{id}/legs
POST /v1/events
GET /v1/events
GET /v1/events/{id}
DELETE /v1/events/{id}
PUT /v1/events/{id}/verification
GET /v1/search/beacons
GET /v1/search/users
GET /v1/search/geofences
GET /v1/search/places
GET /v1/search/autocomplete
POST /v1/search/autocomplete/click
POST /v1/sync/region
GET /maps/styles/{style}
GET /maps/markers/{name}
GET /maps/static
GET /v1/geocode/forward
GET /v1/geocode/reverse
GET /v1/geocode/ip
GET /v1/addresses/validate
GET /v1/route/distance
GET /v1/route/matrix
POST /v1/route/match
GET /v1/route/directions
GET /v1/route/optimize
POST /v1/geofences
GET /v1/geofences
GET /v1/geofences/{_id}
PUT /v1/geofences/{_id}
DELETE /v1/geofences/{_id}
GET /v1/geofences/{tag}/{externalId}
PUT /v1/geofences/{tag}/{externalId}
DELETE /v1/geofences/{tag}/{externalId}
GET /v1/geofences/{_id}/users
GET /v1/geofences/{tag}/{externalId}/users
GET /v1/beacons
POST /v1/beacons
GET /v1/beacons/{tag}/{externalId}
PUT /v1/beacons/{tag}/{externalId}
DELETE /v1/beacons/{tag}/{externalId}
GET /v1/users
GET /v1/users/{id}
DELETE /v1/users/{id}
"""

KNOWN_EVENTS = """
user.entered_geofence user.exited_geofence user.dwelled_in_geofence user.entered_place user.exited_place
user.nearby_place_chain user.entered_region_country user.exited_region_country user.entered_region_state
user.exited_region_state user.entered_region_dma user.exited_region_dma user.entered_region_postal_code
user.exited_region_postal_code user.entered_beacon user.exited_beacon user.started_trip user.updated_trip
user.stopped_trip user.approaching_trip_destination user.arrived_at_trip_destination
user.arrived_at_wrong_trip_destination user.fired_trip_orders user.failed_fraud
"""


def test_every_known_endpoint_is_served_or_listed() -> None:
    served = {
        (method.upper(), path)
        for path, item in document()["paths"].items()
        for method in item
        if method != "parameters"
    }
    known = {(line.split()[0], line.split()[1]) for line in KNOWN_PATHS.strip().splitlines()}
    assert set(PATHS) == known - served


def test_listed_paths_answer_404(secret: Api) -> None:
    for method, path in PATHS:
        response = secret.request(method, re.sub(r"\{\w+\}", "x", path))
        assert response.status_code == 404
        assert "Nothing is served at" in response.json()["meta"]["message"]


def test_the_request_log_and_the_page_name_the_same_paths_and_parameters(secret: Api) -> None:
    column = "".join(line.split("|")[2] for line in FEATURES.splitlines() if line.startswith("|"))
    assert set(re.findall(r"`(/[^`]+)`", column)) == set(UNSERVED_PATHS)
    for path in UNSERVED_PATHS:
        assert secret.get(f"{path}/x").status_code == 404
    for name in UNSERVED_FIELDS:
        assert f"`{name}`" in TABLE


def test_every_known_event_can_come_or_is_listed() -> None:
    listed = set(re.findall(r"`(user\.\w+)`", TABLE))
    assert listed == set(KNOWN_EVENTS.split()) - {kind.value for kind in EventType}


def test_every_parameter_without_effect_and_every_refused_one_is_listed() -> None:
    declared = {name for model in MODELS for name in names_not_served(model) | names_refused(model)}
    assert {"verified", "geometryPoints", "expandUnits"} <= declared
    for name in declared:
        assert f"`{name}`" in TABLE


def test_every_parameter_that_the_page_calls_ignored_is_declared() -> None:
    declared = {name for model in MODELS for name in names_not_served(model)}
    ignored = [line.split("|") for line in TABLE.splitlines() if "ignored, with a warning" in line]
    names = {name for line in ignored for name in re.findall(r"`(\w+)`", line[1])}
    assert names == declared - {"beacons"}


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/v1/search/autocomplete?query=Helsinki", ("expandUnits", "mailable", "postalCode")),
        ("/v1/route/distance?origin=60.17,24.94&destination=60.17,24.95&modes=car", ("geometryPoints",)),
    ],
)
def test_parameters_of_queries_are_named(publishable: Api, path: str, names: tuple[str, ...]) -> None:
    for name in names:
        answer = publishable.get(f"{path}&{name}=5")
        assert answer.status_code in (200, 503)
        if answer.status_code == 200:
            assert any(warning.startswith(f"{name}: ") for warning in answer.json()["meta"]["warnings"])
        plain = publishable.get(f"{path}&{name}=false").json()["meta"]
        assert not any(warning.startswith(f"{name}: ") for warning in plain.get("warnings", ()))


def test_the_endpoint_has_the_page_and_a_link_to_it(server: ApiServer) -> None:
    for path in ("/docs", "/openapi.json"):
        assert "/docs/not-served" in httpx.get(server.url + path).text
    answer = httpx.get(f"{server.url}/docs/not-served")
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    page = answer.text
    assert page.count("<tr>") == TABLE.count("\n") + 1 - 3, "a row for each, without the rules of three tables"
    for text in ("<h1>What is not served</h1>", "<code>user.fired_trip_orders</code>", "<code>authToken</code>"):
        assert text in page
    assert not re.search(r"\]\(|`|\|", page), "no marks are left"


def test_transit_alone_is_refused(publishable: Api) -> None:
    response = publishable.get("/v1/route/distance?origin=47.1,9.5&destination=47.2,9.5&modes=transit")
    assert response.json()["meta"]["param"] == "modes"


@pytest.mark.parametrize("word", ["orders", "traffic", "attestation", "event integrations"])
def test_the_list_has(word: str) -> None:
    assert word in TABLE
