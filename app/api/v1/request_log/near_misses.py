"""Near misses: parts of a request that had no effect or were refused although something similar is served."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain, islice
from typing import Any, Final

from msgspec import Struct
from pydantic import BaseModel

from app.api.http.errors import shown
from app.api.http.request_log.masking import holds_key, is_secret_param
from app.api.v1.operations import Operation, Resource
from app.api.v1.request_log.nearest_path import nearest_path
from app.api.v1.request_log.sdk_fields import (
    NOT_LOOKED_AT,
    OF_TRIP_OPTIONS,
    SENT_BY_SDKS,
    SYNONYMS,
    UNSERVED_FIELDS,
    UNSERVED_PATHS,
)
from app.api.wire.common.decoding import FORM, NOTHING, lost_dictionary, not_served, refused
from app.api.wire.trips.request import DestinationBody, TripOptionsBody
from app.exchanges import NearMiss, NearMissKind

MOST: Final = 20
"""Maximum number of near misses per request; a body of a thousand unknown fields is one mistake."""

MAX_NAMES: Final = 500
LIKE_NAME: Final = 78.0
"""Minimum similarity (of 100) at which one name may have been mistaken for another."""

MULTIPART: Final = "multipart/form-data"
_JSON: Final = re.compile(r"(application|text)/([^/]+\+)?json")

_OBJECTS: Final = {"tripOptions": TripOptionsBody, "destination": DestinationBody}
"""Parameters that are objects, whose field names are checked as well."""


class Received(Struct, frozen=True):
    """A request as near misses see it; `path` is raw, without `/api` and without a trailing slash.

    `query` and `body` hold the values by the names of the parameters, as far as they could be read.
    """

    method: str
    path: str
    query: Mapping[str, object]
    headers: Mapping[str, str]
    body: Mapping[str, object]
    status: int


class _Place(Struct, frozen=True):
    """The names allowed in one part of a request, and the names allowed in the other part."""

    known: frozenset[str]
    elsewhere: frozenset[str]
    this: str
    other: str


class NearMisses:
    """Finds near misses of requests to the given resources."""

    def __init__(self, resources: Iterable[Resource]) -> None:
        self._resources = tuple(resources)
        self._paths = [resource.path for resource in self._resources]
        self._takers: dict[str, list[str]] = {}
        for resource in self._resources:
            for method, operation in resource.operations.items():
                for name in names_of(operation.query) | names_of(operation.body):
                    self._takers.setdefault(name, []).append(f"{method} {resource.path}")

    def of(self, request: Received) -> tuple[NearMiss, ...]:
        """Return the near misses of a request, the most severe first."""
        return tuple(islice(self._all(request), MOST))

    def _all(self, request: Received) -> Iterator[NearMiss]:
        found = [resource for resource in self._resources if _fits(resource.path, request.path)]
        if request.method == "OPTIONS":
            return
        yield from _misplaced_key(request)
        if not found:
            yield from self._wrong_path(request)
            return
        method = "GET" if request.method == "HEAD" else request.method
        serving = [resource for resource in found if method in resource.operations]
        if not serving:
            yield _wrong_method(request, found)
            return
        operation = serving[0].operations[method]
        yield from islice(chain(_refused(operation.query, request.query), _refused(operation.body, request.body)), 1)
        if operation.name not in NOT_LOOKED_AT:
            yield from self._of_fields(request, operation, f"{method} {serving[0].path}")

    # Paths and methods

    def _wrong_path(self, request: Received) -> Iterator[NearMiss]:
        for beginning, text in UNSERVED_PATHS.items():
            if request.path == beginning or request.path.startswith(f"{beginning}/"):
                yield NearMiss(NearMissKind.NOT_SERVED, text)
                return
        if request.status != 404:
            return
        serving = {each.path for each in self._resources if request.method in each.operations}
        nearest = nearest_path(request.path, self._paths, serving)
        if nearest is not None:
            text = f"Nothing is served at {request.path}; did you mean {nearest}?"
            yield NearMiss(NearMissKind.WRONG_PATH, text, suggestion=nearest)

    # Fields

    def _of_fields(self, request: Received, operation: Operation, target: str) -> Iterator[NearMiss]:
        query, body = names_of(operation.query), names_of(operation.body)
        silent = SENT_BY_SDKS.get(operation.name, frozenset())
        in_query = _Place(query, body - query, "query", "body")
        in_body = _Place(body, query - body, "body", "query")
        given = request.headers.get("content-type", "")
        if operation.body is not None:
            yield from _wrong_type(given)
        is_form = given.lower().encode("latin-1", "replace").startswith(FORM)
        yield from _lost_dictionaries(request.body if is_form else {})
        yield from _unserved(operation.query, request.query)
        yield from _unserved(operation.body, request.body)
        yield from self._of_place(request.query, in_query, silent, target)
        yield from self._of_place(request.body, in_body, silent, target)
        yield from self._of_objects(request.body, body, target)
        if operation.long_list is not None:
            yield from self._of_items(request.body.get(operation.long_list), operation.name, target)

    def _of_place(
        self, given: Mapping[str, object], place: _Place, silent: frozenset[str], target: str
    ) -> Iterator[NearMiss]:
        for name in islice(given, MAX_NAMES):
            if name not in place.known and name not in silent and not is_secret_param(name):
                yield self._of_name(name, place, target)

    def _of_name(self, name: str, place: _Place, target: str) -> NearMiss:
        if name in place.elsewhere:
            text = f"{name}: belongs in the {place.other} of {target}, not in the {place.this}."
            return NearMiss(NearMissKind.WRONG_PLACE, text, name)
        if name in UNSERVED_FIELDS:
            return NearMiss(NearMissKind.NOT_SERVED, f"{name}: {UNSERVED_FIELDS[name]}; it was ignored.", name)
        nearest = nearest_name(name, place.known) or nearest_name(name, place.elsewhere)
        if nearest is not None:
            belongs = f" in the {place.other}" if nearest not in place.known else ""
            text = f"{name}: no parameter of {target}; did you mean {nearest}{belongs}?"
            return NearMiss(NearMissKind.MISSPELLED_FIELD, text, name, nearest)
        takers = [each for each in self._takers.get(name, ()) if each != target]
        known = f"; {takers[0]} takes it" if takers else ""
        return NearMiss(NearMissKind.UNKNOWN_FIELD, f"{name}: no parameter of {target}{known}.", name)

    def _of_objects(self, body: Mapping[str, object], known: frozenset[str], target: str) -> Iterator[NearMiss]:
        for name, model in _OBJECTS.items():
            if name in known and isinstance(given := body.get(name), dict):
                place = _Place(names_of(model), frozenset(), "body", "query")
                yield from self._of_place(given, place, OF_TRIP_OPTIONS, f"{name} of {target}")

    def _of_items(self, items: object, name: str, target: str) -> Iterator[NearMiss]:
        """Check past updates, each of which is like the body of a track request, and report each mistake once."""
        track = next((each.operations["POST"] for each in self._resources if each.path == "/v1/track"), None)
        if name != "replayTracks" or track is None or not isinstance(items, list):
            return
        seen: dict[str, object] = {}
        for item in items:
            if isinstance(item, dict):
                seen |= {key: value for key, value in item.items() if value not in NOTHING or key not in seen}
        place = _Place(names_of(track.body), frozenset(), "body", "query")
        yield from islice(_refused(track.body, seen), 1)
        yield from _unserved(track.body, seen)
        yield from self._of_place(seen, place, SENT_BY_SDKS[name], f"an item of {target}")
        yield from self._of_objects(seen, place.known, f"an item of {target}")


@cache
def names_of(model: type[BaseModel] | None) -> frozenset[str]:
    """Return the names of a request's parameters on the wire."""
    if model is None:
        return frozenset()
    return frozenset(field.alias or name for name, field in model.model_fields.items())


@lru_cache(maxsize=4096)
def nearest_name(name: str, known: frozenset[str]) -> str | None:
    """Return the known name that a client may have meant, or None if no name is similar enough."""
    plain = _plain(name)
    by_plain = {_plain(each): each for each in sorted(known)}
    if plain in by_plain:
        return by_plain[plain]
    if SYNONYMS.get(plain) in known:
        return SYNONYMS[plain]
    if len(plain) < 3:
        return None
    from rapidfuzz import fuzz, process

    best = process.extractOne(plain, by_plain.keys(), scorer=fuzz.ratio, score_cutoff=LIKE_NAME)
    return None if best is None else by_plain[best[0]]


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "").replace(" ", "")


def _fits(template: str, path: str) -> bool:
    wanted, sent = template.split("/"), path.split("/")
    return len(wanted) == len(sent) and all(
        one.startswith("{") or one == two for one, two in zip(wanted, sent, strict=True)
    )


def _wrong_method(request: Received, found: Iterable[Resource]) -> NearMiss:
    methods = list(dict.fromkeys(method for resource in found for method in resource.operations))
    text = f"{request.method} is not served at {request.path}; it serves {', '.join(methods)}."
    return NearMiss(NearMissKind.WRONG_METHOD, text, "method", methods[0] if len(methods) == 1 else None)


def _wrong_type(given: str) -> Iterator[NearMiss]:
    """Report a Content-Type that is neither JSON nor a form; a body without one is read as JSON."""
    kind = given.partition(";")[0].strip().lower()
    if kind == MULTIPART:
        text = f"Content-Type: {kind} is not read; send JSON, or {FORM.decode()}."
        yield NearMiss(NearMissKind.WRONG_TYPE, text, "Content-Type")
    elif kind and kind != FORM.decode() and not _JSON.fullmatch(kind):
        text = f"Content-Type: {shown(kind)} is not a JSON type; the body was read as JSON anyway."
        yield NearMiss(NearMissKind.WRONG_TYPE, text, "Content-Type", "application/json")


def _unserved(model: type[BaseModel] | None, given: Mapping[str, Any]) -> Iterator[NearMiss]:
    """Report parameters that were set but have no effect yet."""
    if model is None:
        return
    for field, warning in not_served(model).items():
        name = model.model_fields[field].alias or field
        if given.get(name) not in NOTHING:
            yield NearMiss(NearMissKind.NOT_SERVED, warning, name)


def _refused(model: type[BaseModel] | None, given: Mapping[str, Any]) -> Iterator[NearMiss]:
    """Report parameters of features that are not served, for which a request is refused."""
    for name, mark in {} if model is None else refused(model).items():
        if (text := mark.explanation(name, given.get(name))) is not None:
            yield NearMiss(NearMissKind.NOT_SERVED, text, name)


def _lost_dictionaries(form: Mapping[str, object]) -> Iterator[NearMiss]:
    """Report dictionaries that a client library could not encode in a form; in queries, SDKs never can."""
    for name, value in form.items():
        if (text := lost_dictionary(name, value, form=True)) is not None:
            yield NearMiss(NearMissKind.MISSPELLED_FIELD, text, name)


def _misplaced_key(request: Received) -> Iterator[NearMiss]:
    """Report a key outside its header, if the header holds no known key."""
    if request.status != 401:
        return
    scheme = request.headers.get("authorization", "").partition(" ")[0].lower()
    if scheme == "basic":
        text = "Authorization: Basic is not supported; send the key by itself, or after Bearer."
        yield NearMiss(NearMissKind.WRONG_PLACE, text, "Authorization")
        return
    places: tuple[tuple[str, Mapping[str, object]], ...] = (
        ("another header", {name: value for name, value in request.headers.items() if name != "authorization"}),
        ("the query", request.query),
        ("the body", request.body),
    )
    for place, given in places:
        for name, value in islice(given.items(), MAX_NAMES):
            if _is_key(name, value):
                text = f"{name}: the key is read from the header Authorization, not from {place}."
                yield NearMiss(NearMissKind.WRONG_PLACE, text, name, "Authorization")


def _is_key(name: str, value: object) -> bool:
    if not isinstance(value, str):
        return False
    return holds_key(value) or name.lower().replace("_", "-") in ("x-api-key", "api-key", "x-radar-key", "key")
