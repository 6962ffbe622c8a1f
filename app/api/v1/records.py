"""Records with a tag and an external ID, which geofences and beacons are: their paths, lists and changes."""

from types import MappingProxyType
from typing import Any

from app.api.v1.operations import Call
from app.api.wire.common.requests import RecordListQuery
from engine.domain.geofence import UNSET, Unset
from engine.domain.metadata import NO_METADATA
from engine.domain.queries import DEFAULT_LIMIT, RecordQuery
from engine.domain.text import check_identifier


def key_of(call: Call[Any, Any]) -> tuple[str, str]:
    """Return the tag and the external ID that a path names."""
    return check_identifier(call.path["tag"], "tag"), check_identifier(call.path["externalId"], "externalId")


def query_of[Q: RecordQuery](kind: type[Q], query: RecordListQuery) -> Q:
    """Return the engine's query for a list."""
    return kind(
        limit=query.limit or DEFAULT_LIMIT,
        tag=query.tag,
        external_id=query.external_id,
        created_before=query.created_before,
        created_after=query.created_after,
        updated_before=query.updated_before,
        updated_after=query.updated_after,
        metadata=NO_METADATA if query.metadata is None else MappingProxyType(query.metadata),
    )


def or_unset[T](value: T | None) -> T | Unset:
    """Return a field of a change; null is the same as absent."""
    return UNSET if value is None else value
