"""Recent searches and the chosen results, newest first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import orjson

from app.desktop.model.search.results import Kind, SearchResult
from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point, check_latitude, check_longitude

RECENT_KEPT: Final = 10


def with_newest(recent: Iterable[SearchResult], newest: SearchResult) -> tuple[SearchResult, ...]:
    """Return the ten newest distinct results."""
    others = (each for each in recent if _key(each) != _key(newest))
    return (newest, *others)[:RECENT_KEPT]


def encode_recent(recent: Iterable[SearchResult]) -> str:
    """Return results as text for the settings. Distances are not saved because they change."""
    return orjson.dumps([_fields(each) for each in recent]).decode()


def decode_recent(text: str) -> tuple[SearchResult, ...]:
    """Return the results in a saved text, or an empty tuple if the text is invalid."""
    try:
        listed = orjson.loads(text or "[]")
        return tuple(_found(each) for each in listed)[:RECENT_KEPT]
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError, InvalidParameter):
        return ()


def _key(found: SearchResult) -> tuple[object, ...]:
    return found.fence_id or (found.kind, found.title, found.detail), found.fence_id is None


def _fields(found: SearchResult) -> dict[str, object]:
    location = {"longitude": found.point.longitude, "latitude": found.point.latitude}
    description = {"kind": found.kind, "title": found.title, "detail": found.detail}
    return {**description, **location, "fence": found.fence_id, "place": found.place_id, "street": found.street}


def _found(fields: dict[str, Any]) -> SearchResult:
    return SearchResult(
        kind=Kind(fields["kind"]),
        title=str(fields["title"]),
        detail=str(fields["detail"]),
        point=Point(
            check_longitude(float(fields["longitude"]), "longitude"),
            check_latitude(float(fields["latitude"]), "latitude"),
        ),
        fence_id=_text(fields["fence"]),
        place_id=_text(fields["place"]),
        street=_text(fields.get("street")),
    )


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
