"""The OpenAPI 3.1 document, generated from the models that validate requests."""

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

from pydantic import TypeAdapter

from app.api.http.admission import QUERY_KEY
from app.api.http.errors import METADATA
from app.api.http.streams.reader import EVENT_STREAM
from app.api.v1.operations import Media, Operation, Resource, Streamed
from app.api.wire.common.answers import ErrorAnswer
from engine.domain.environment import KeyLevel

REFERENCE: Final = "#/components/schemas/{model}"
RESPONSE: Final = "#/components/responses/{status}"
ALWAYS: Final = (400, 401, 408, 500, 503)
PARAMETER: Final = re.compile(r"\{(\w+)\}")
FORM: Final = "application/x-www-form-urlencoded"
ABOUT: Final = """\
Send the API key raw in the `Authorization` header, or as `Bearer <key>`; it selects the Test or the Live
environment. `/api/v1` is an alias of `/v1`. Unknown keys are ignored, and null means absent. Times are UTC;
a time without a zone is read as UTC. Every response has an `x-radar-request-id`. `meta.warnings` lists, as
sentences, parameters that were accepted but have no effect, or not the expected one. A separate page lists the parts of
the specification that are [not served](/docs/not-served).

Identify a geofence by its `_id` or by `{tag}/{externalId}`, each percent-encoded. In a path with two segments, a first
segment that is the `_id` of an existing geofence means that geofence, never a tag. An unknown path returns 404, and an
unsupported method 405. In a query, `metadata[key]=1` matches the number 1, the string `1` and true; `"5"` in double
quotes matches only the string. Bodies may have at most 1 MiB (8 MiB of JSON for `/v1/track/replay`), and may use
`Content-Encoding: gzip` or `deflate`; the limits apply to the decompressed body.

The examples are of a workspace with the seed `resources/demo/helsinki.json`, in the bundled area. They work as they are
in one that `fencewright serve --workspace :memory: --seed resources/demo/helsinki.json` serves, with its secret key
`prj_test_sk_0000000000`.
"""

STREAM: Final = """\
Server-sent events until the client disconnects. Each message has the event's `_id` as `id` and the event as `data`.
Comments are heartbeats. The last message has the type `end` and gives the reason in `data`: `{"reason", "message"}`.
"""

type Node = dict[str, Any]

LIMIT_HEADERS: Final[Node] = {
    "x-ratelimit-limit": {"description": "Requests per second.", "schema": {"type": "integer"}},
    "x-ratelimit-remaining": {"description": "Requests left in this second.", "schema": {"type": "integer"}},
    "x-ratelimit-reset": {
        "description": "When the next request is accepted, in Unix seconds.",
        "schema": {"type": "integer"},
    },
}
"""Headers of responses to which the limit applies: not while the setting is off, nor for replayed updates."""

LAST_EVENT_ID: Final[Node] = {
    "name": "Last-Event-ID",
    "in": "header",
    "required": False,
    "description": "The id of the last event received; the stream continues after it.",
    "schema": {"type": "string"},
}

_IDENTIFIED: Final[Node] = {"x-radar-request-id": {"schema": {"type": "string"}}}


def openapi_document(resources: Iterable[Resource], version: str) -> Node:
    """Return the document for `resources`."""
    resources = tuple(resources)
    schemas = _schemas(resources)
    paths = {resource.path: _path_item(resource, schemas) for resource in resources}
    errors = _error_responses(paths)
    named = _named_in([paths, errors], schemas, set())
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fencewright", "version": version, "description": ABOUT},
        "servers": [{"url": "/"}],
        "security": [{"key": []}],
        "paths": paths,
        "components": {
            # Models of queries have become parameters, and types created by validators are not sent, so nothing refers
            # to them.
            "schemas": {name: schema for name, schema in schemas.items() if name in named},
            "responses": errors,
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "Authorization"},
                "keyInQuery": {"type": "apiKey", "in": "query", "name": QUERY_KEY},
            },
        },
    }


def _named_in(node: object, schemas: Node, found: set[str]) -> set[str]:
    """Return `found` extended by the names of all schemas to which `node` refers, directly or indirectly."""
    if isinstance(node, dict):
        reference = node.get("$ref", "")
        is_schema = isinstance(reference, str) and reference.startswith(REFERENCE.partition("{")[0])
        name = reference.rpartition("/")[2] if is_schema else ""
        if name and name not in found:
            found.add(name)
            _named_in(schemas[name], schemas, found)
    for part in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        _named_in(part, schemas, found)
    return found


def _schemas(resources: tuple[Resource, ...]) -> Node:
    models: dict[type[Any], None] = {ErrorAnswer: None}
    for resource in resources:
        for operation in resource.operations.values():
            answer = operation.answer
            parts = (operation.query, operation.body, answer.record if isinstance(answer, Streamed) else answer)
            models |= {model: None for model in parts if isinstance(model, type)}
    _, definitions = TypeAdapter.json_schemas(
        [(model.__name__, "validation", TypeAdapter(model)) for model in models], ref_template=REFERENCE
    )
    schemas: Node = definitions["$defs"]
    return schemas


def _path_item(resource: Resource, schemas: Node) -> Node:
    names = PARAMETER.findall(resource.path)
    group = {"tags": [resource.path.removeprefix("/v1").split("/")[1]]}
    operations: Node = {
        method.lower(): group | _operation(operation, bool(names), schemas)
        for method, operation in resource.operations.items()
    }
    return operations | ({"parameters": [_path_parameter(name) for name in names]} if names else {})


def _path_parameter(name: str) -> Node:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _operation(operation: Operation, has_path: bool, schemas: Node) -> Node:
    described: Node = {
        "operationId": operation.name,
        "summary": operation.summary,
        "description": " ".join(filter(None, (_needs(operation), operation.credit))),
        "responses": _responses(operation, has_path),
    }
    if isinstance(operation.answer, Media):
        described["security"] = [{"key": []}, {"keyInQuery": []}]
    if operation.query:
        described["parameters"] = _query_parameters(schemas[operation.query.__name__], schemas)
    if isinstance(operation.answer, Streamed):
        described.setdefault("parameters", []).append(LAST_EVENT_ID)
    if operation.body:
        schema = _reference(operation.body)
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema}, FORM: {"schema": schema}},
        }
    return described


def _needs(operation: Operation) -> str:
    return f"Needs a {_key_words(operation.level)}.{_rate_words(operation)}"


def _key_words(level: KeyLevel) -> str:
    return "secret key" if level is KeyLevel.SECRET else "publishable or secret key"


def _rate_words(operation: Operation) -> str:
    if operation.rate is None:
        return ""
    whose = "address" if operation.rate.per_client else "key"
    return f" With endpointRateLimits, {operation.rate.per_second} requests per second for each {whose}."


def _query_parameters(schema: Node, schemas: Node) -> list[Node]:
    required = schema.get("required", [])
    return [
        _query_parameter(name, _inline(part, schemas), name in required) for name, part in schema["properties"].items()
    ]


def _inline(schema: Node, schemas: Node) -> Node:
    """Return a schema with its references resolved, as readers and tools expect for a parameter."""
    if "$ref" in schema:
        target = schemas[schema["$ref"].rpartition("/")[2]]
        return _inline(target | {key: value for key, value in schema.items() if key != "$ref"}, schemas)
    if "anyOf" in schema:
        return schema | {"anyOf": [_inline(kind, schemas) for kind in schema["anyOf"]]}
    return schema


def _query_parameter(name: str, schema: Node, required: bool) -> Node:
    parameter: Node = {"name": name, "in": "query", "required": required}
    if "description" in schema:
        parameter["description"] = schema["description"]
    if name in METADATA:
        parameter |= {"style": "deepObject", "explode": True}
    hidden = {"title", "description"} | ({"default"} if schema.get("default") in (None, []) else set())
    shown = {key: value for key, value in schema.items() if key not in hidden}
    return parameter | {"schema": _without_null(shown)}


def _without_null(schema: Node) -> Node:
    """Return a schema for a query string, which has no null."""
    kinds: list[Node] = [kind for kind in schema.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) != 1:
        return schema
    rest: Node = {key: value for key, value in schema.items() if key != "anyOf"}
    return rest | kinds[0]


def _responses(operation: Operation, has_path: bool) -> Node:
    statuses = {*ALWAYS, *operation.errors}
    if operation.level is KeyLevel.SECRET:
        statuses.add(403)
    if operation.rehearsed:
        statuses |= {402, 429, 451}
    if operation.body is not None:
        statuses |= {413, 415}
    if has_path:
        statuses.add(404)
    if operation.rate is not None:
        statuses.add(429)
    limits = LIMIT_HEADERS if operation.limited or operation.rate else {}
    responses = _successes(operation.answer, limits)
    if isinstance(operation.answer, Media):
        # For a secret key in the query.
        statuses |= {403, 416} if operation.answer.ranges else {403}
    for status in sorted(statuses):
        responses[str(status)] = {"$ref": RESPONSE.format(status=status)}
    return responses


def _error_responses(paths: Node) -> Node:
    """Return the error responses of all operations, by status."""
    statuses = {
        status
        for path in paths.values()
        for method, operation in path.items()
        if method != "parameters"
        for status, response in operation["responses"].items()
        if "$ref" in response
    }
    return {
        status: _response(
            HTTPStatus(int(status)).phrase,
            ErrorAnswer,
            LIMIT_HEADERS if int(status) == HTTPStatus.TOO_MANY_REQUESTS else {},
        )
        for status in sorted(statuses)
    }


def _successes(answer: type[Any] | Media | Streamed, limits: Node) -> Node:
    if isinstance(answer, Media):
        return _media_responses(answer)
    if isinstance(answer, Streamed):
        return {"200": _stream_response(answer)}
    return {"200": _response("Success", answer, limits)}


def _stream_response(streamed: Streamed) -> Node:
    """Return the response of a stream of server-sent events, whose data has its own schema."""
    record = _reference(streamed.record)
    schema = {"type": "string", "contentMediaType": "application/json", "contentSchema": record}
    return {"description": STREAM, "headers": _IDENTIFIED, "content": {EVENT_STREAM: {"schema": schema}}}


def _media_responses(media: Media) -> Node:
    """Return the responses of an operation with its own content type."""
    headers = _IDENTIFIED | {
        "cache-control": {"schema": {"type": "string"}},
        "etag": {"description": "For If-None-Match.", "schema": {"type": "string"}},
    }
    content = {media.kind: {"schema": {"type": "object"} if media.kind == "application/json" else {}}}
    responses: Node = {"200": {"description": "Success", "headers": headers, "content": content}}
    if media.empty:
        responses["204"] = {"description": "No content", "headers": _IDENTIFIED}
    if media.ranges:
        responses["206"] = {"description": "The requested range", "headers": headers, "content": content}
    return responses | {"304": {"description": "Not modified", "headers": headers}}


def _response(description: str, model: type[Any], headers: Node) -> Node:
    content = {"application/json": {"schema": _reference(model)}}
    return {"description": description, "headers": _IDENTIFIED | headers, "content": content}


def _reference(model: type[Any]) -> Node:
    return {"$ref": REFERENCE.format(model=model.__name__)}
