"""Every example of the reference, sent to a real server: the responses are as recorded, and as documented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

import httpx
import orjson
import pytest

from app.api.server import docs
from app.api.server.application import create_app
from app.api.server.docs import document
from app.api.server.examples import Recording, read_examples
from app.api.server.openapi import FORM
from app.api.v1.operations import Media
from engine.bundled import AREAS, WORLD
from engine.domain.environment import KeyLevel
from engine.engine import Engine
from tests.app.api.contract import Contract
from tests.app.api.examples.example import Example
from tests.app.api.examples.failures import record_failures
from tests.app.api.examples.recording import OPERATIONS, Recorded, StoryServer, query_of, record_story, story_server
from tests.app.api.examples.story import STORY
from tests.app.api.not_served.reference import REFERENCE, placed

needs_data = pytest.mark.skipif(
    not (AREAS.is_current_in(AREAS.folder()) and WORLD.is_current_in(WORLD.folder())),
    reason="the bundled area and the world pack have not been built",
)

BINARY: Final = {
    "readMapTile": "a vector tile",
    "readMapGlyphs": "glyphs",
    "readMapSprite": "a PNG",
    "readMapPicture": "a PNG",
    "readMapArea": "a PMTiles archive",
}
"""Operations whose response is binary, which a document in JSON cannot show."""

LOGGED: Final = ("listRequests", "readRequest")
"""Operations whose responses hold durations, the machine's time and random identifiers of requests."""

CHANGING: Final = ("durationMs", "queued")
"""Fields that depend on the speed of the machine."""

IDENTIFIER: Final = re.compile(r"[0-9a-f]{24}")
SIZE: Final = re.compile(r"[0-9]+ bytes")

PREPARED: Final = {
    "readEvent": "only a location update makes an event",
    "verifyEvent": "only a location update makes an event",
    "deleteEvent": "only a location update makes an event",
    "readTripRoute": "the trip has not ended yet",
    "readDelivery": "only an event or a test makes a delivery",
    "resendDelivery": "only an event or a test makes a delivery",
    "runSync": "the sync has no files yet",
    "getImport": "nothing has been imported yet",
    "undoImport": "nothing has been imported yet",
    "readFault": "no fault has been added yet",
    "removeFault": "no fault has been added yet",
}
"""Operations whose default request needs earlier ones, with the reason; all others work on the seed as they stand."""


@pytest.fixture(scope="module")
def server() -> Iterator[StoryServer]:
    """A server on a workspace with the seed."""
    with story_server() as server:
        yield server


@pytest.fixture(scope="module")
def recording() -> Recording:
    """The recorded examples."""
    return read_examples()


@pytest.fixture(scope="module")
def sent(server: StoryServer, contract: Contract) -> dict[str, list[Recorded]]:
    """The examples as recorded now, each exchange of which is checked against the document."""
    return record_story(server, contract.check)


@needs_data
@pytest.mark.parametrize("name", OPERATIONS)
def test_the_responses_are_as_recorded(sent: dict[str, list[Recorded]], recording: Recording, name: str) -> None:
    assert len(sent[name]) == len(recording.operations[name]) > 0
    for now, recorded in zip(sent[name], recording.operations[name], strict=True):
        for part in ("title", "path", "query", "headers", "body", "status", "media"):
            assert masked(now.get(part) or None) == masked(getattr(recorded, part) or None), (name, part)
        compare = same_shape if name in LOGGED else same
        compare(now.get("response"), recorded.response, name)


@needs_data
def test_the_errors_are_as_recorded(recording: Recording) -> None:
    with story_server() as server:
        same(record_failures(server), recording.errors, "errors")


def same(now: object, recorded: object, place: str) -> None:
    """Check that a value is as recorded, except for what `masked` leaves out, `CHANGING`, and last digits."""
    same_shape(now, recorded, place)
    if place.rpartition("/")[2] in CHANGING:
        return
    if isinstance(now, dict) and isinstance(recorded, dict):
        for key, value in now.items():
            same(value, recorded[key], f"{place}/{key}")
    elif isinstance(now, list) and isinstance(recorded, list):
        for index, (one, other) in enumerate(zip(now, recorded, strict=True)):
            same(one, other, f"{place}/{index}")
    elif isinstance(now, float | int):
        assert now == pytest.approx(recorded, rel=1e-6), place
    else:
        assert masked(now) == masked(recorded), place


def same_shape(now: object, recorded: object, place: str) -> None:
    """Check that a value has the same keys, and values of the same types, as the recorded one."""
    assert type_of(now) is type_of(recorded), place
    if isinstance(now, dict) and isinstance(recorded, dict):
        assert now.keys() == recorded.keys(), place
        for key, value in now.items():
            same_shape(value, recorded[key], f"{place}/{key}")
    elif isinstance(now, list) and isinstance(recorded, list):
        assert len(now) == len(recorded), place
        for index, (one, other) in enumerate(zip(now, recorded, strict=True)):
            same_shape(one, other, f"{place}/{index}")


def type_of(value: object) -> type:
    """Return the type of a value in JSON, which has only one for numbers."""
    return float if type(value) is int else type(value)


def masked(value: object) -> object:
    """Return a value without the digits of identifiers, and of sizes of files that a set-up builds."""
    return SIZE.sub("SIZE", IDENTIFIER.sub("ID", value)) if isinstance(value, str) else value


def test_every_request_and_response_of_the_document_has_an_example(contract: Contract) -> None:
    for name, (_method, path, operation) in OPERATIONS.items():
        item = document()["paths"][path]
        node = described(name)
        for parameter in item.get("parameters", ()):
            assert parameter["example"], (name, parameter["name"])
        for parameter in node.get("parameters", ()):
            assert "example" in parameter or not parameter["required"], (name, parameter["name"])
        if operation.body is not None:
            assert node["requestBody"]["content"]["application/json"]["examples"], name
            form = node["requestBody"]["content"][FORM]["schema"]
            assert all(field["examples"] for field in form["properties"].values()), name
            assert set(form.get("required", ())) <= set(form["properties"]), name
        shown = [content.get("examples") for content in node["responses"]["200"]["content"].values()]
        assert all(shown) != (name in BINARY), name
        assert not isinstance(operation.answer, Media) or name in BINARY or shown, name
        for status in node["responses"]:
            response = contract.response(node, int(status))
            if int(status) >= HTTPStatus.BAD_REQUEST:
                assert response is not None
                assert response["content"]["application/json"]["example"]["meta"]["code"] == int(status)


def test_a_response_names_its_request() -> None:
    shown = described("listGeofences")["responses"]["200"]["content"]["application/json"]["examples"]
    request = shown["stores-with-a-pick-up-point"]["description"]
    assert request == "`GET /v1/geofences?limit=10&tag=store&metadata[pickup]=true`"
    (read,) = described("readGeofenceByKey")["responses"]["200"]["content"]["application/json"]["examples"].values()
    assert read["description"] == "`GET /v1/geofences/store/kluuvi`"


def test_the_examples_of_the_document_fit_their_schemas(contract: Contract) -> None:
    checked = 0
    for media_or_parameter in with_examples(document()):
        schema = media_or_parameter["schema"]
        values = [example["value"] for example in media_or_parameter.get("examples", {}).values()]
        values += [media_or_parameter["example"]] if "example" in media_or_parameter else []
        values += schema.get("examples", [])
        for value in values:
            contract.schemas.validate(schema, value)
            checked += 1
    assert checked > 300


def with_examples(node: object) -> Iterator[dict[str, Any]]:
    """Yield the parts of a document that have a schema and may have examples of it."""
    if isinstance(node, dict):
        if isinstance(node.get("schema"), dict):
            yield node
        for key, part in node.items():
            if key not in ("examples", "example", "schema"):
                yield from with_examples(part)
    elif isinstance(node, list):
        for part in node:
            yield from with_examples(part)


def examples_of(method: str, path: str) -> list[Example]:
    """Return the examples of the operation at a path whose parameters may have other names."""
    return [
        example
        for example in STORY
        if (served := OPERATIONS[example.operation])[0] == method and placed(served[1]) == placed(path)
    ]


@pytest.mark.parametrize(("method", "path"), REFERENCE)
def test_the_examples_have_all_parameters_of_the_reference(method: str, path: str) -> None:
    examples = examples_of(method, path)
    assert examples
    used = {name for example in examples for name in example.parameters}
    assert {name.partition("[")[0] for name in REFERENCE[method, path]} <= used


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("name", OPERATIONS)
def test_what_tools_fill_in_is_a_request_that_works(name: str) -> None:
    """Each request is the second one to a server; the first one is in the request log."""
    with story_server() as server, httpx.Client(base_url=server.url, timeout=40, trust_env=False) as client:
        client.get("/v1/ping", headers=server.header(KeyLevel.PUBLISHABLE)).raise_for_status()
        response = client.send(filled_in(client, name, server), stream=True)
        status = response.status_code
        response.close()
    assert (status == HTTPStatus.OK) != (name in PREPARED), status
    assert status in (HTTPStatus.OK, HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND)


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in OPERATIONS if OPERATIONS[name][2].body and name not in PREPARED])
def test_what_tools_fill_in_a_form_is_a_request_that_works(name: str) -> None:
    with story_server() as server, httpx.Client(base_url=server.url, timeout=40, trust_env=False) as client:
        request = filled_in(client, name, server)
        fields = described(name)["requestBody"]["content"][FORM]["schema"]["properties"]
        form = {
            field: value if isinstance(value := schema["examples"][0], str) else orjson.dumps(value).decode()
            for field, schema in fields.items()
        }
        key = {"Authorization": request.headers["Authorization"]}
        response = client.request(request.method, request.url, data=form, headers=key)
    assert response.status_code == HTTPStatus.OK, response.text


def described(name: str) -> dict[str, Any]:
    """Return the operation in the document."""
    method, path, _ = OPERATIONS[name]
    found: dict[str, Any] = document()["paths"][path][method.lower()]
    return found


def filled_in(client: httpx.Client, name: str, server: StoryServer) -> httpx.Request:
    """Return the request for which tools take the values of a document: the examples, otherwise the defaults."""
    method, path, operation = OPERATIONS[name]
    item = document()["paths"][path]
    operation_node = described(name)
    query: dict[str, Any] = {}
    headers = server.header(operation.level)
    for parameter in (*item.get("parameters", ()), *operation_node.get("parameters", ())):
        value = parameter.get("example", parameter["schema"].get("default"))
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", quote(value, safe=""))
        elif value is not None:
            (query if parameter["in"] == "query" else headers)[parameter["name"]] = value
    bodies = operation_node.get("requestBody", {}).get("content", {}).get("application/json", {}).get("examples", {})
    body = next((example["value"] for example in bodies.values()), None)
    return client.build_request(method, path, params=query_of(query), headers=headers, json=body)


def test_a_server_starts_without_reading_the_examples(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docs, "read_examples", lambda: pytest.fail("the examples were read"))
    docs.document.cache_clear()
    create_app(engine)
