"""Shared parts of geofences and beacons, which have a tag and an external ID: paths, lists and changes."""

from types import MappingProxyType
from typing import Any

from msgspec import Struct

from app.api.http.rates import Rate
from app.api.v1.operations import Call, Handler, Operation, Resource
from app.api.wire.common.answers import Record
from app.api.wire.common.requests import RecordListQuery, RequestModel
from engine.domain.environment import KeyLevel
from engine.domain.geofence import UNSET, Unset
from engine.domain.metadata import NO_METADATA
from engine.domain.queries import DEFAULT_LIMIT, RecordQuery
from engine.domain.text import check_identifier
from engine.domain.values import replace


def key_of(call: Call[Any, Any]) -> tuple[str, str]:
    """Return the tag and the external ID in a path."""
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
    """Return a field of a change; null is treated as absent."""
    return UNSET if value is None else value


class RecordOperations(Struct, frozen=True, kw_only=True):
    """The operations of one kind of record, with the same names and paths for each kind.

    `noun` is the kind in English, which names its path and its operations: ``geofence``, ``beacon``. `rate` is the
    limit of reading, changing and deleting one record, each.
    """

    noun: str
    answer: type[Record]
    list_answer: type[Record]
    list_query: type[RecordListQuery]
    create_body: type[RequestModel]
    upsert_body: type[RequestModel]
    rate: Rate | None = None

    def all(self, *, create: Handler, list_all: Handler) -> Resource:
        """Return the resource of all records: create one, list them."""
        return Resource(
            f"/v1/{self.noun}s",
            {
                "POST": Operation(
                    name=f"create{self._name}",
                    summary=f"Create a {self.noun}",
                    level=KeyLevel.SECRET,
                    handler=create,
                    body=self.create_body,
                    answer=self.answer,
                    errors=(409,),
                ),
                "GET": Operation(
                    name=f"list{self._name}s",
                    summary=f"List {self.noun}s, newest update first",
                    level=KeyLevel.SECRET,
                    handler=list_all,
                    query=self.list_query,
                    answer=self.list_answer,
                ),
            },
        )

    def by_id(self, *, read: Handler, update: Handler, delete: Handler) -> Resource:
        """Return the resource of a record by its ``_id``."""
        return Resource(
            f"/v1/{self.noun}s/{{_id}}",
            {
                "GET": self._one(f"read{self._name}", f"Get a {self.noun} by its _id", read),
                "PUT": self._change(f"update{self._name}", f"Update a {self.noun} by its _id", update),
                "DELETE": self._one(f"delete{self._name}", f"Delete a {self.noun} by its _id", delete),
            },
        )

    def by_key(self, *, read: Handler, upsert: Handler, delete: Handler) -> Resource:
        """Return the resource of a record by its tag and external ID."""
        key = "by tag and external ID"
        return Resource(
            f"/v1/{self.noun}s/{{tag}}/{{externalId}}",
            {
                "GET": self._one(f"read{self._name}ByKey", f"Get a {self.noun} {key}", read),
                "PUT": self._change(f"upsert{self._name}", f"Update or create a {self.noun} {key}", upsert),
                "DELETE": self._one(f"delete{self._name}ByKey", f"Delete a {self.noun} {key}", delete),
            },
        )

    @property
    def _name(self) -> str:
        return self.noun.capitalize()

    def _one(self, name: str, summary: str, handler: Handler) -> Operation:
        return Operation(
            name=name, summary=summary, level=KeyLevel.SECRET, rate=self.rate, handler=handler, answer=self.answer
        )

    def _change(self, name: str, summary: str, handler: Handler) -> Operation:
        return replace(self._one(name, summary, handler), body=self.upsert_body, errors=(409,))
