"""All fields of all bodies and queries with values of each wrong type: a 400 with the parameter, never a 500.

The fields come from the OpenAPI document, at any depth, so that new fields are covered automatically.
"""

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import quote_plus

import httpx
import pytest

from app.api.server.docs import document
from app.api.v1 import RESOURCES
from tests.app.api.conftest import Api
from tests.app.api.contract import Contract
from tests.app.api.schemas import Node
from tests.odd_json import changed

pytestmark = pytest.mark.slow

type Way = tuple[str | int, ...]

VALUES: Final[tuple[Any, ...]] = (
    *(None, True, 0, 5, -1, 0.5, float("inf"), 10**30),
    *("", "text", "\0", "\ud800", "5", '{"a": [5]}', "[[]]", "x" * 3_000),
    *([], [None], [5], ["text"], [[5, "text"], 5], [{}]),
    *({}, {"a": 5}, {"text": {"": [None]}}),
)
TEXTS: Final = (
    "",
    "null",
    "true",
    "text",
    "5",
    "-0.5",
    "1e400",
    "NaN",
    "1_0",
    "\0",
    "[5]",
    "[[]]",
    '{"a": [5]}',
    ",|:",
)
NOT_EVEN_TEXT: Final = ("%FF", "%ED%A0%80", "%")

SAMPLES: Final[Node] = {
    "path": [{"coordinates": "60.17,24.94"}, {"coordinates": "60.18,24.95"}],
    "after": "2025-01-01",
    "before": "2025-01-02",
    "field": "userId",
    "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d",
    "url": "https://example.com/",
    "near": "60.17,24.94",
    "coordinates": "60.17,24.94",
    "origin": "60.17,24.94",
    "origins": "60.17,24.94",
    "destination": "60.17,24.94",
    "destinations": "60.17,24.94",
    "locations": "60.17,24.94|60.18,24.95|60.19,24.96",
    "width": "100",
    "height": "100",
}
"""Required fields whose schema does not describe the valid content of their text or list."""

_BEACON: Final = {"description": "A beacon", "type": "ibeacon", "uuid": SAMPLES["uuid"], "major": 1, "minor": 1}
_GEOFENCE: Final = {"description": "A lawn", "type": "circle", "coordinates": [24.94, 60.17], "radius": 100}
BASES: Final = {
    "/v1/beacons": _BEACON,
    "/v1/beacons/tag/externalId": _BEACON,
    "/v1/geofences": _GEOFENCE,
    "/v1/geofences/tag/externalId": _GEOFENCE,
}
"""Fields that bodies need depending on other fields, by path."""

LASTING: Final = frozenset({"/v1/clock", "/v1/faults", "/v1/settings", "/v1/events", "/v1/events/stream", "/v1/reset"})
"""Operations that are only sent invalid values, since valid ones change later responses or wait for events."""

LENIENT: Final = frozenset({"beacons", "tripOptions"})
"""Fields of location updates that devices fill in; errors in them do not invalidate the location."""


class Operation(NamedTuple):
    """An operation with its parameters."""

    method: str
    path: str
    body: Node
    query: dict[str, Node]
    required: frozenset[str]


def _operation(method: str, path: str) -> Operation:
    """Return the documented operation of a method and path."""
    operation = document()["paths"][path][method.lower()]
    content = operation.get("requestBody", {}).get("content", {})
    query = [each for each in operation.get("parameters", ()) if each["in"] == "query"]
    return Operation(
        method,
        path.replace("{", "").replace("}", ""),
        content.get("application/json", {}).get("schema", {}),
        {each["name"]: each["schema"] for each in query},
        frozenset(each["name"] for each in query if each.get("required")),
    )


# The document takes a second, which is too long for collection in every process.
_SERVED: Final = [
    (method.upper(), resource.path, operation)
    for resource in RESOURCES
    for method, operation in resource.operations.items()
]
BODIES: Final = [(method, path) for method, path, operation in _SERVED if operation.body]
QUERIES: Final = [(method, path) for method, path, operation in _SERVED if operation.query]


@pytest.fixture
def operation(request: pytest.FixtureRequest) -> Operation:
    """The operation of the method and path by which a test is parametrized."""
    return _operation(*request.param)


def named(way: tuple[str, str]) -> str:
    """Return the name of an operation for the test ID."""
    return " ".join(way).replace("{", "").replace("}", "")


def alternatives(schema: Node) -> Iterator[Node]:
    """Yield the alternative schemas for a value, with references resolved."""
    while "$ref" in schema:
        schema = document()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for each in schema.get("anyOf", ()):
        yield from alternatives(each)
    if "anyOf" not in schema:
        yield schema


def parts_of(schema: Node) -> dict[str | int, Node]:
    """Return the schemas of the fields of an object, or of the first items of a list."""
    parts: dict[str | int, Node] = dict(schema.get("properties", {}))
    if isinstance(others := schema.get("additionalProperties"), dict):
        parts["key"] = others
    parts.update(enumerate(schema.get("prefixItems", ())))
    return parts | ({0: schema["items"]} if "items" in schema and not parts else {})


def fields_in(schema: Node, way: Way = ()) -> Iterator[tuple[Way, Node]]:
    """Yield the fields of a body at any depth, with their schemas."""
    for each in alternatives(schema):
        for step, part in parts_of(each).items():
            yield (*way, step), part
            yield from fields_in(part, (*way, step))


def sample(schema: Node, way: Way = ()) -> Any:
    """Return a value that fits a schema and includes the field at the end of a path."""
    kind = next(each for each in alternatives(schema) if leads(each, way))
    if "enum" in kind or "const" in kind:
        return kind["const"] if "const" in kind else kind["enum"][0]
    if kind["type"] not in ("object", "array"):
        return {"string": "1", "boolean": True}.get(kind["type"], 1)
    parts = {step: _part(step, part, way) for step, part in parts_of(kind).items() if _is_needed(kind, step, way)}
    return parts if kind["type"] == "object" else list(parts.values())


def leads(schema: Node, way: Way) -> bool:
    """Return whether a schema includes the field at the end of a path."""
    if not way:
        return True
    return any(
        leads(part, way[1:]) for each in alternatives(schema) for step, part in parts_of(each).items() if step == way[0]
    )


def _is_needed(kind: Node, step: str | int, way: Way) -> bool:
    return step in way[:1] or step in kind.get("required", ()) or "prefixItems" in kind or bool(kind.get("minItems"))


def _part(step: str | int, schema: Node, way: Way) -> Any:
    if way[:1] == (step,):
        return sample(schema, way[1:])
    return SAMPLES.get(step) or sample(schema) if isinstance(step, str) else sample(schema)


def fault(answer: httpx.Response, way: Way, value: object, *, fits: bool) -> Node | None:
    """Return the `meta` of a response that is wrong for a value, or None; `fits` is whether the value is documented."""
    content = answer.json()
    metas = [content["meta"], *(each["meta"] for each in content.get("replays", ()))]
    meta: Node = max(metas, key=lambda meta: int(meta["code"]))
    if meta["code"] == 500 or (meta["code"] == 400 and not meta.get("param")):
        return meta
    # The values that clients send for an unset parameter are accepted for more fields than documented.
    tolerated = fits or meta["code"] == 404 or not value or value in ([None], [{}]) or not LENIENT.isdisjoint(way[:-1])
    is_named = meta["code"] == 400 and (meta["param"] in way or way[0] == "replays" or way[-1:] == ("path",))
    return None if tolerated or is_named else meta


@pytest.fixture(autouse=True)
def _empty_log(secret: Api) -> None:
    """Clear the log, because a search would have to scan all previous requests."""
    secret.delete("/v1/requests")


@pytest.mark.parametrize("operation", BODIES, ids=named, indirect=True)
def test_fields_of_json(secret: Api, contract: Contract, operation: Operation) -> None:
    faults = []
    for way, schema in fields_in(operation.body):
        for value in VALUES:
            body = changed(BASES.get(operation.path, {}) | sample(operation.body, way), way, value)
            fits = contract.schemas.fits(schema, value) or contract.schemas.fits(operation.body, body)
            if fits and operation.path in LASTING:
                continue
            # Infinity is replaced by a number that no float can hold.
            content = json.dumps(body).replace("Infinity", "1e400")
            answer = secret.request(operation.method, operation.path, content=content)
            faults.append((way, value, fault(answer, way, value, fits=fits)))
    assert len(faults) >= len(VALUES) / 2
    assert [each for each in faults if each[-1]] == []


def texts() -> Iterator[str]:
    """Yield texts in the encoding of queries and forms."""
    yield from map(quote_plus, TEXTS)
    yield from NOT_EVEN_TEXT


def is_number(schema: Node) -> bool:
    """Return whether a schema only allows a number or null."""
    return {str(each.get("type")) for each in alternatives(schema)} <= {"number", "integer", "null"}


def is_switch(schema: Node) -> bool:
    """Return whether a schema only allows a boolean or null."""
    return {str(each.get("type")) for each in alternatives(schema)} <= {"boolean", "null"}


def must_be_refused(schema: Node, text: str) -> bool:
    """Return whether a text has the wrong type for a schema."""
    nothing, numbers = ("", "null"), ("5", "-0.5", "1e400", "NaN", "true")
    numbers_only = is_number(schema) and text not in (*nothing, *numbers)
    return text not in NOT_EVEN_TEXT and (numbers_only or (is_switch(schema) and text not in (*nothing, "true")))


@pytest.mark.parametrize("operation", QUERIES, ids=named, indirect=True)
def test_fields_of_queries(secret: Api, operation: Operation) -> None:
    faults = []
    for name, schema in operation.query.items():
        for text in texts():
            wrong = must_be_refused(schema, text)
            if not wrong and operation.path in LASTING:
                continue
            pairs = {each: SAMPLES.get(each, "1") for each in operation.required} | {name: text}
            query = "&".join(f"{each}={value}" for each, value in pairs.items())
            answer = secret.request(operation.method, f"{operation.path}?{query}")
            if answer.headers["content-type"] == "application/json":
                faults.append((name, text, fault(answer, (name,), text, fits=not wrong)))
    assert [each for each in faults if each[-1]] == []


@pytest.mark.parametrize("operation", BODIES, ids=named, indirect=True)
def test_fields_of_forms(secret: Api, operation: Operation) -> None:
    faults = []
    kind = next(alternatives(operation.body))
    for name, schema in kind["properties"].items():
        for text in texts():
            wrong = must_be_refused(schema, text)
            if not wrong and operation.path in LASTING:
                continue
            pairs = BASES.get(operation.path, {}) | sample(operation.body) | {name: text}
            body = "&".join(f"{each}={value}" for each, value in pairs.items())
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            answer = secret.request(operation.method, operation.path, content=body, headers=headers)
            faults.append((name, text, fault(answer, (name,), text, fits=not wrong)))
    assert [each for each in faults if each[-1]] == []
