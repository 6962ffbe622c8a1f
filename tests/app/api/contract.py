"""Checks every request and response of a test against the OpenAPI document, and against the SDKs' parsers."""

import gzip
import re
import zlib
from urllib.parse import parse_qsl, unquote, urlsplit

import httpx
import orjson

from app.api.http.errors import METADATA
from app.api.server.docs import document
from app.api.wire.common.encoding import wire_name
from tests.app.api.schemas import Node, Schemas
from tests.app.api.sdk_rules import check_rules
from tests.app.api.sdk_shapes import check_shapes

IGNORED_PATHS = ("/openapi.json", "/docs", "/_workspace")
IDENTIFIER = re.compile(r"[0-9a-f]{24}")
MEDIA_STATUSES = (200, 204, 206, 304)
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")


class Contract:
    """The document, prepared for checks."""

    def __init__(self) -> None:
        self.document = document()
        self.schemas = Schemas(self.document)
        self._templates: dict[int, list[tuple[list[str], Node]]] = {}
        for template, item in self.document["paths"].items():
            parts = template.split("/")
            self._templates.setdefault(len(parts), []).append((parts, item))

    def check(self, request: httpx.Request, response: httpx.Response) -> None:
        """Fail if a request was accepted against the document, or the response is not as documented."""
        path = _path_of(request)
        if path.startswith(IGNORED_PATHS) or request.method in ("OPTIONS", "HEAD"):
            return
        operation = self.operation(request.method, path)
        if operation is not None and "304" in operation["responses"] and response.status_code in MEDIA_STATUSES:
            self.check_media(operation, response)
            return
        answer = response.json()
        self.check_envelope(response, answer)
        check_names(request, answer["meta"])
        check_shapes(answer, path)
        check_rules(answer, response.status_code, path)
        if operation is None:
            assert response.status_code in (400, 404, 405), "only documented operations may be served"
            return
        self.check_answer(operation, response, answer)
        if response.status_code == 200:
            self.check_request(operation, request, answer)

    def check_envelope(self, response: httpx.Response, answer: Node) -> None:
        """Check the parts that all responses have in common."""
        assert response.headers["content-type"] == "application/json"
        assert response.headers["access-control-allow-origin"] == "*"
        assert response.headers["x-radar-request-id"]
        assert answer["meta"]["code"] == response.status_code
        assert_without_null(answer)

    def check_media(self, operation: Node, response: httpx.Response) -> None:
        """Check a response that has its own content type."""
        documented = operation["responses"][str(response.status_code)]
        kinds = documented.get("content", {})
        assert response.headers.get("content-type") in (kinds or [None])
        assert documented["headers"].keys() <= response.headers.keys()
        assert response.headers["access-control-allow-origin"] == "*"
        assert bool(response.content) == bool(kinds)

    def operation(self, method: str, path: str) -> Node | None:
        """Return the documented operation for a raw path."""
        parts = path.split("/")
        for wanted, item in self._templates.get(len(parts), ()):
            if _fits(wanted, parts):
                found: Node | None = item.get(method.lower())
                return found
        return None

    def check_answer(self, operation: Node, response: httpx.Response, answer: Node) -> None:
        """Check that the status and the body are documented."""
        documented = self.response(operation, response.status_code)
        assert documented is not None, f"{response.status_code} is not documented: {response.text}"
        self.schemas.validate(documented["content"]["application/json"]["schema"], answer)

    def response(self, operation: Node, status: int) -> Node | None:
        """Return the documented response with a status; those of errors are shared by all operations."""
        documented: Node | None = operation["responses"].get(str(status))
        if documented is not None and "$ref" in documented:
            shared: Node = self.document["components"]["responses"][str(status)]
            return shared
        return documented

    def check_request(self, operation: Node, request: httpx.Request, answer: Node) -> None:
        """Check that the document allows an accepted request."""
        content_type = request.headers.get("content-type", "")
        if "requestBody" in operation and content_type.startswith("application/json") and hasattr(request, "_content"):
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            self.schemas.validate(schema, _accepted(orjson.loads(_sent(request)), answer))
        known = {parameter["name"]: parameter for parameter in operation.get("parameters", ())}
        for name, value in parse_qsl(urlsplit(str(request.url)).query, keep_blank_values=True):
            if name in known and name not in METADATA and value != "null":
                self.schemas.validate(known[name]["schema"], _typed(value, known[name]["schema"]))


def check_names(request: httpx.Request, meta: Node) -> None:
    """Check that an error names a field as on the wire or as the client wrote it, and never as in the engine."""
    param = meta.get("param", "")
    if wire_name(param) != param:
        sent = f"{unquote(str(request.url))} {request.content.decode(errors='replace')}"
        assert param in sent, meta


def _fits(wanted: list[str], parts: list[str]) -> bool:
    """Return whether a path matches a template; the segment for an `_id` must have the form of an ID."""
    return all(
        bool(IDENTIFIER.fullmatch(part)) if name == "{_id}" and len(parts) > 4 else _stands_for(name, part)
        for name, part in zip(wanted, parts, strict=True)
    )


def _sent(request: httpx.Request) -> bytes:
    """Return the uncompressed body of a request."""
    coding = request.headers.get("content-encoding", "").lower()
    if coding in ("gzip", "x-gzip"):
        return gzip.decompress(request.content)
    return zlib.decompress(request.content) if coding == "deflate" else request.content


def _stands_for(name: str, part: str) -> bool:
    return part.endswith(name.partition("}")[2]) if name[:1] == "{" else name == part


def _accepted(body: Node, answer: Node) -> Node:
    """Return a body without the items that the response refuses individually."""
    outcomes = answer.get("replays")
    if outcomes is None or not isinstance(body["replays"], list):
        return body
    kept = [item for item, outcome in zip(body["replays"], outcomes, strict=True) if outcome["meta"]["code"] == 200]
    return body | {"replays": kept}


def _path_of(request: httpx.Request) -> str:
    path = request.url.raw_path.decode().partition("?")[0]
    return path.removeprefix("/api") if path.startswith("/api/v1/") else path


def _typed(value: str, schema: Node) -> object:
    kinds = {str(part.get("type")) for part in (schema, *schema.get("anyOf", ()))}
    if kinds & {"integer", "number"} and NUMBER.fullmatch(value):
        return int(value) if value.lstrip("+-").isdigit() else float(value)
    if "boolean" in kinds and value.lower() in ("true", "false", "1", "0"):
        return value.lower() in ("true", "1")
    return value


def assert_without_null(value: object) -> None:
    """Fail if the value contains null."""
    assert value is not None
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        assert_without_null(item)
