"""Routing of a path to the operation that serves it."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, override

from pydantic import BaseModel
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Receive, Scope, Send

from app.api.http.admission import QUERY_KEY, Caller
from app.api.http.content import Content, WholeFile, content_response, file_response
from app.api.http.errors import MethodNotAllowed
from app.api.http.faults import Struck
from app.api.http.headers import RawHeaders, raw_headers
from app.api.http.limits import HeldBody, read_body, refuse_announced
from app.api.http.rates import LIMIT_NAME
from app.api.http.responses import JSON_TYPE, JsonResponse, coding_of, unpacked
from app.api.http.services import Services
from app.api.http.streams.reader import Follow, StreamResponse
from app.api.v1.operations import Answer, Call, Media, Operation, Resource
from app.api.wire.common.decoding import QUICK_BODY, decode_body, decode_query, parse_pairs, unquoted, warnings_of
from app.api.wire.common.encoding import on_the_wire, with_warnings
from app.api.wire.common.locations import location_of
from engine.domain.edits import EditSource, editing_as
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import FencewrightError, InvalidParameter


class Segment(Convertor[str]):
    """One path segment as it was sent, possibly empty; it is decoded only when it is used."""

    regex = "[^/]*"

    @override
    def convert(self, value: str) -> str:
        return value

    @override
    def to_string(self, value: str) -> str:
        return value


register_url_convertor("segment", Segment())

_NONE: Final[tuple[Match, Scope]] = (Match.NONE, {})


class ResourceRoute(Route):
    """The route of a resource for all methods; methods that it does not serve are not passed to another route."""

    def __init__(self, resource: Resource, services: Services) -> None:
        super().__init__(resource.path.replace("}", ":segment}"), ResourceEndpoint(resource, services))
        self.resource = resource
        self._services = services

    @override
    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return the match of the request's path with this resource, and the endpoint and path segments for it."""
        found = self.path_regex.match(scope["path"])
        if found is None:
            return _NONE
        segments = found.groupdict()
        applies = self.resource.applies
        if applies is not None and not applies(self._services, decode_segments(segments)):
            return _NONE
        return Match.FULL, {"endpoint": self.endpoint, "path_params": segments}


class ResourceEndpoint:
    """Serves the operations of a resource."""

    def __init__(self, resource: Resource, services: Services) -> None:
        self._resource = resource
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        response = await self.serve(Request(scope, receive))
        await response(scope, receive, send)

    async def serve(self, request: Request) -> Response:
        """Run the operation that the request asks for and return its response."""
        services = self._services
        operation = self._operation(request.method)
        headers = raw_headers(request.scope)
        peer = request.scope["client"]
        query_key = key_in_query(request.scope["query_string"]) if isinstance(operation.answer, Media) else None
        caller = services.admission.caller(headers, peer[0] if peer else None, operation.level, query_key)
        services.admission.check_workspace()
        environment = caller.key.environment
        if operation.rehearsed:
            services.admission.rehearse(environment)
        held = HeldBody(services.body_room)
        warnings: list[str] = []
        try:
            query = decode_query(operation.query, request.scope["query_string"], warnings) if operation.query else None
            body = await self._body(request, headers, operation, held, warnings) if operation.body else None
            struck = self._struck(operation, request.scope, caller, query, body)
            if struck is not None and (instead := await struck.begin()) is not None:
                return instead
            await self._check_country(operation, environment, query, body)
            call = Call(
                services=services,
                environment=environment,
                path=_decoded_segments(request.path_params),
                query=query,
                body=body,
                client=caller.address,
                device_type=device_type_of(headers),
                last_event_id=last_event_id_of(headers),
                origin=origin_of(request.scope, headers) if isinstance(operation.answer, Media) else "",
                warnings=warnings + warnings_of(query, body),
                author=_author(caller.key.level, headers),
            )
            call.headers += services.admission.admit_request(caller, operation.name, operation.rate)
            answer = await _answered(operation, call)
        finally:
            held.release()
        response = self._response(answer, call, caller, headers)
        return response if struck is None else struck.answered(response)

    def _response(self, answer: Answer, call: Call[Any, Any], caller: Caller, headers: RawHeaders) -> Response:
        """Return the HTTP response for an answer of an operation."""
        services = self._services
        if isinstance(answer, Content):
            return content_response(answer, headers)
        if isinstance(answer, WholeFile):
            return file_response(answer, headers)
        if isinstance(answer, Follow):
            return StreamResponse(services.streams, answer, partial(services.admission.still_admits, caller))
        return JsonResponse(with_warnings(answer, call.warnings), headers=call.headers)

    def _struck(
        self, operation: Operation, scope: Scope, caller: Caller, query: BaseModel | None, body: BaseModel | None
    ) -> Struck | None:
        """Return the injected faults that hit a request, or None if there are none.

        Operations that tests depend on are never hit.
        """
        faults = self._services.faults
        if not (faults.is_on and operation.rehearsed):
            return None
        device_id = getattr(body, "device_id", None) or getattr(query, "device_id", None)
        limit = LIMIT_NAME if operation.limited else operation.name
        return faults.strike(scope, caller.key, device_id, limit)

    async def _check_country(
        self, operation: Operation, environment: Environment, query: BaseModel | None, body: BaseModel | None
    ) -> None:
        """Refuse a location in a blocked country."""
        check = self._services.admission.country_check(environment) if operation.rehearsed else None
        location = location_of(query, body) if check is not None else None
        if check is not None and location is not None:
            await self._services.run(check, *location)

    async def _body(
        self, request: Request, headers: RawHeaders, operation: Operation, held: HeldBody, warnings: list[str]
    ) -> BaseModel:
        assert operation.body is not None
        coding = coding_of(headers)
        refuse_announced(request, operation.max_body)
        body = await read_body(request, operation.max_body, held, packed=coding is not None)
        if coding is not None:
            body = await self._services.heavy.run(partial(unpacked, body, coding, operation.max_body))
            held.shrink(len(body))
        content_type = headers.get(b"content-type", JSON_TYPE)
        decode = partial(
            decode_body, operation.body, body, content_type, long_list=operation.long_list, warnings=warnings
        )
        return decode() if len(body) <= QUICK_BODY else await self._services.heavy.run(decode)

    def _operation(self, method: str) -> Operation:
        operations = self._resource.operations
        operation = operations.get("GET" if method == "HEAD" else method)
        if operation is None:
            raise MethodNotAllowed(method, self._resource.path, operations)
        return operation


def device_type_of(headers: RawHeaders) -> str | None:
    """Return the device type that an SDK sends, or None if the header is absent."""
    given = headers.get(b"x-radar-device-type")
    return None if given is None else given.decode("latin-1")


def _author(level: KeyLevel, headers: RawHeaders) -> str:
    """Return the name of a client in the edit history: the kind of its key, and its user agent."""
    agent = headers.get(b"user-agent", b"").decode("latin-1").partition(" ")[0]
    return f"{level.value} key, {agent}" if agent else f"{level.value} key"


def last_event_id_of(headers: RawHeaders) -> str | None:
    """Return the ID of the last event that a client received, as browsers send it when they reconnect."""
    given = headers.get(b"last-event-id")
    return None if given is None else given.decode("utf-8", "replace").strip() or None


async def _answered(operation: Operation, call: Call[Any, Any]) -> Answer:
    """Return an operation's answer; errors of the engine name their fields as on the wire."""
    try:
        with editing_as(EditSource.API, call.author):
            return await operation.handler(call)
    except FencewrightError as error:
        on_the_wire(error)
        raise


def key_in_query(query: bytes) -> str | None:
    """Return the key in a query string."""
    return next((value for name, value in parse_pairs(query, "query") if name == QUERY_KEY), None)


def origin_of(scope: Scope, headers: RawHeaders) -> str:
    """Return the base URL of this endpoint as the client sees it; a proxy that ends TLS reports the scheme."""
    scheme = "https" if headers.get(b"x-forwarded-proto", b"").lower() == b"https" else scope["scheme"]
    host = headers.get(b"host")
    if host:
        return f"{scheme}://{host.decode('latin-1')}"
    name, port = scope["server"]
    return f"{scheme}://[{name}]:{port}" if ":" in name else f"{scheme}://{name}:{port}"


def decode_segments(segments: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of a raw path by their names in the template, percent-decoded."""
    return {name: decode_segment(segment.encode("latin-1"), name) for name, segment in segments.items()}


def _decoded_segments(segments: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters of a path; raises `InvalidParameter` if one of them is empty."""
    decoded = decode_segments(segments)
    for name, value in decoded.items():
        if not value:
            param = name.removeprefix("_")
            raise InvalidParameter(param, f"{param}: must not be empty in the path.")
    return decoded


def decode_segment(segment: bytes, param: str) -> str:
    """Return one segment of a raw path, percent-decoded; a plus sign is a plus sign."""
    try:
        segment.decode("ascii")
        return unquoted(segment)
    except UnicodeDecodeError:
        raise InvalidParameter(param, f"{param}: the path is not valid UTF-8.") from None
