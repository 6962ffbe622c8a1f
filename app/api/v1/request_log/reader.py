"""The readable request log: bytes are decoded, keys are masked, and events and near misses are found."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from pydantic_core import from_json

from app.api.http.request_log.masking import MASK, KeyMask, decoded
from app.api.http.request_log.ring import MAX_OPENED, RawLines, RequestLog, opened, split_head, split_line
from app.api.v1.operations import Resource
from app.api.v1.request_log.near_misses import NearMisses, Received
from app.api.wire.common.decoding import FORM, parse_pairs
from app.api.wire.common.nested import split_name
from app.exchanges import EventMark, Exchange, LoggedRequest, Message, NearMiss, RequestSummary
from engine.domain.errors import FencewrightError
from engine.domain.geometry import Point
from engine.domain.values import replace

_TRACKS: Final = frozenset({("POST", "/v1/track"), ("POST", "/v1/track/replay")})
_CONVERSION: Final = ("POST", "/v1/events")
_TRIPS: Final = "/v1/trips"
_REPLACED: Final = "\ufffd"
"""The replacement character for bytes that are not valid UTF-8."""

_PAIRS: Final = ("coordinates", "near", "origin", "origins")
"""Parameters with a latitude and a longitude."""


class RequestReader:
    """Reads a request log and masks all keys; the only access to its contents, and thread-safe."""

    def __init__(self, log: RequestLog, keys: Callable[[], Iterable[str]], resources: Iterable[Resource]) -> None:
        self.log = log
        self._mask = KeyMask(keys)
        self._near_misses = NearMisses(resources)

    def snapshot(self) -> Sequence[Exchange]:
        """Return all kept requests, oldest first."""
        return self.log.snapshot()

    def clear(self, *, live: bool) -> int:
        """Delete the requests of an environment and requests without a key, and return their number."""
        return self.log.clear(live=live)

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` after each request, on the server's thread, and return a function that unsubscribes it."""
        return self.log.subscribe(listener)

    def summary(self, exchange: Exchange) -> RequestSummary:
        """Return the summary of a request."""
        method, target, lines = split_head(exchange.head)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in lines}
        raw_path, _, raw_query = target.partition(b"?")
        path, query = plain_path(raw_path), _query_of(raw_query)
        content = opened(exchange.body, headers.get("content-encoding", ""))
        body = _body_of(content, headers.get("content-type", ""))
        received = Received(_text(method), path, query, headers, body, exchange.status)
        identity = {**query, **_first_of(body), **body}
        mask = self._mask.text
        return RequestSummary(
            number=exchange.number,
            at=exchange.at,
            duration_s=exchange.duration_s,
            live=exchange.live,
            method=mask(received.method),
            path=self._mask.target(_text(target)),
            status=exchange.status,
            device_id=_known(identity, "deviceId", mask),
            user_id=_known(identity, "userId", mask),
            events=tuple(EventMark(mask(each.id), mask(each.type)) for each in events_of(exchange, received)),
            near_misses=tuple(self._masked(each) for each in self._near_misses.of(received)),
            faults=exchange.faults,
            point=position_of(identity),
        )

    def read(self, exchange: Exchange) -> LoggedRequest:
        """Return a request with all its details."""
        _, _, lines = split_head(exchange.head)
        request = self._message(lines, exchange.body, exchange.body_size)
        answer = None
        if exchange.status:
            head, _, body = exchange.answer.partition(b"\r\n\r\n")
            answer = self._message(split_head(head)[2], body, exchange.answer_size)
        return LoggedRequest(self.summary(exchange), exchange.peer, request, answer)

    def _message(self, lines: RawLines, body: bytes, size: int) -> Message:
        headers = tuple(self._header(name, value) for name, value in lines)
        content = opened(body, _coding_of(lines))
        is_cut = size > len(body) or len(content) == MAX_OPENED
        return Message(headers, self._mask.text(_text(content)), size, is_cut)

    def _header(self, raw_name: bytes, raw_value: bytes) -> tuple[str, str]:
        name = self._mask.text(_text(raw_name))
        return name, self._mask.header(name, _text(raw_value))

    def _masked(self, near_miss: NearMiss) -> NearMiss:
        mask = self._mask.text
        param = None if near_miss.param is None else mask(near_miss.param)
        suggestion = None if near_miss.suggestion is None else mask(near_miss.suggestion)
        return replace(near_miss, message=mask(near_miss.message), param=param, suggestion=suggestion)


def may_be_for(exchange: Exchange, method: str | None, path: str | None) -> bool:
    """Return whether a request may have this method and its masked path this beginning; False is certain."""
    raw_method, target, _ = split_line(exchange.head)
    if method is not None and MASK not in method and _text(raw_method).upper() != method.upper():
        return False
    if path is None or MASK in path:
        return True
    # A masked path is shown decoded if an encoding hides a key.
    shown, wanted = _text(target), path.removeprefix("/api")
    return any(each.removeprefix("/api").startswith(wanted) for each in (shown, decoded(shown)))


class Value:
    """The value of a parameter, which is searched for in the raw bytes of requests before they are parsed."""

    def __init__(self, value: str) -> None:
        raw = value.encode("utf-8", "surrogatepass")
        self._member, self._pair = b'"%s"' % raw, b"=%s" % raw
        self._is_anywhere = MASK in value or _REPLACED in value

    def may_be_in(self, exchange: Exchange) -> bool:
        """Return whether a request may have a parameter with this value; False is certain."""
        body, target = exchange.body, exchange.head.partition(b"\r\n")[0]
        if self._is_anywhere or self._member in body or self._pair in body or self._pair in target:
            return True
        head = exchange.head.lower()
        is_encoded = b"\\" in body or b"%" in target or b"+" in target
        return is_encoded or b"content-encoding" in head or b"urlencoded" in head


def plain_path(raw: bytes) -> str:
    """Return a path as the routes see it, without the alias and without redundant slashes."""
    path = _text(raw)
    while path.startswith("//"):
        path = path[1:]
    path = path[4:] if path.startswith("/api/v1/") else path
    return path.rstrip("/") if path.startswith(("/v1/", "/maps/")) else path


def events_of(exchange: Exchange, received: Received) -> list[EventMark]:
    """Return the events that a request caused, as far as the kept part of its response shows them."""
    operation = (received.method, received.path)
    many = operation in _TRACKS or (received.method != "GET" and received.path.startswith(_TRIPS))
    if exchange.status != 200 or not (many or operation == _CONVERSION):
        return []
    head, _, content = exchange.answer.partition(b"\r\n\r\n")
    answer = _json_of(opened(content, _coding_of(split_head(head)[2])))
    events = answer.get("events", []) if many else [answer.get("event")]
    marks = (each for each in events if isinstance(each, dict)) if isinstance(events, list) else ()
    return [EventMark(each["_id"], each["type"]) for each in marks if _is_event(each)]


def _coding_of(lines: RawLines) -> str:
    """Return the content encoding of a body."""
    return next((value.decode("latin-1") for name, value in lines if name.lower() == b"content-encoding"), "")


def _is_event(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("_id"), str) and isinstance(record.get("type"), str)


def _query_of(raw: bytes) -> Mapping[str, object]:
    try:
        return _by_name(parse_pairs(raw, "query"))
    except FencewrightError:
        return {}


def _body_of(body: bytes, content_type: str) -> Mapping[str, object]:
    """Return the parameters of a body as far as they can be read, even if it was truncated."""
    if content_type.lower().encode("latin-1", "replace").startswith(FORM) and not body.lstrip().startswith(b"{"):
        try:
            return _by_name(parse_pairs(body, "body"))
        except FencewrightError:
            return {}
    return _json_of(body)


def _by_name(pairs: Iterable[tuple[str, str]]) -> Mapping[str, object]:
    """Return values by name; ``metadata[key]`` becomes an entry of the dictionary `metadata`."""
    values: dict[str, object] = {}
    for name, value in pairs:
        whole, keys = split_name(name)
        if not keys:
            values[whole] = value
        elif isinstance(held := values.setdefault(whole, {}), dict):
            held[keys[0]] = value
    return values


def _json_of(body: bytes) -> dict[str, Any]:
    if not body.lstrip().startswith(b"{"):
        return {}
    try:
        value = from_json(body, allow_partial=True)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _first_of(body: Mapping[str, object]) -> Mapping[str, object]:
    """Return the first of several updates, since all updates of a request belong to one device."""
    items = body.get("replays")
    first = items[0] if isinstance(items, list) and items else None
    return first if isinstance(first, dict) else {}


def position_of(params: Mapping[str, object]) -> Point | None:
    """Return the position in a request, given as two parameters or as a pair, or None without a valid one."""
    given = [params.get("latitude"), params.get("longitude")]
    if None in given:
        pair = next((params[name] for name in _PAIRS if name in params), None)
        given = list(pair.split("|")[0].split(",")) if isinstance(pair, str) else []
    try:
        latitude, longitude = (float(str(each)) for each in given)
    except ValueError:
        return None
    return Point(longitude, latitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


def _known(identity: Mapping[str, object], name: str, mask: Callable[[str], str]) -> str | None:
    value = identity.get(name)
    return mask(value) if isinstance(value, str) and value else None


_text = partial(str, encoding="utf-8", errors="replace")
