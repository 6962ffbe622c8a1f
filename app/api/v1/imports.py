"""Imports: list and read them, and take one back."""

from app.api.v1.operations import Call, Operation, Resource
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.imports import ImportAnswer, ImportListAnswer, ImportListQuery, encode_import
from engine.domain.environment import KeyLevel
from engine.domain.imports import ImportQuery
from engine.domain.queries import DEFAULT_LIMIT


async def list_imports(call: Call[ImportListQuery, None]) -> Encoded:
    """List imports, newest first."""
    query = ImportQuery(limit=call.query.limit or DEFAULT_LIMIT, before=call.query.before)
    page = await call.services.run(call.services.engine.imports.page, call.environment, query)
    return encode_answer({"imports": list(map(encode_import, page.items))}, has_more=page.has_more)


async def read(call: Call[None, None]) -> Encoded:
    """Read the import with an ``_id``."""
    record = await call.services.run(call.services.engine.imports.get, call.environment, call.path["id"])
    return encode_answer({"importRecord": encode_import(record)})


async def undo(call: Call[None, None]) -> Encoded:
    """Put back what there was before an import, and answer it."""
    record = await call.services.run(call.services.engine.imports.undo, call.environment, call.path["id"])
    return encode_answer({"importRecord": encode_import(record)})


RESOURCES = (
    Resource(
        "/v1/imports",
        {
            "GET": Operation(
                name="listImports",
                summary="List the imports of geofences, newest first",
                level=KeyLevel.SECRET,
                handler=list_imports,
                query=ImportListQuery,
                answer=ImportListAnswer,
            )
        },
    ),
    Resource(
        "/v1/imports/{id}",
        {
            "GET": Operation(
                name="getImport",
                summary="Get an import",
                level=KeyLevel.SECRET,
                handler=read,
                answer=ImportAnswer,
                errors=(404,),
            )
        },
    ),
    Resource(
        "/v1/imports/{id}/undo",
        {
            "POST": Operation(
                name="undoImport",
                summary="Undo an import",
                level=KeyLevel.SECRET,
                handler=undo,
                answer=ImportAnswer,
                errors=(404, 409),
            )
        },
    ),
)
