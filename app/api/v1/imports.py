"""Imports: list, read and undo them."""

from app.api.v1.operations import Call, Routes
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.imports import ImportAnswer, ImportListAnswer, ImportListQuery, encode_import
from engine.domain.environment import KeyLevel
from engine.domain.imports import ImportQuery
from engine.domain.queries import DEFAULT_LIMIT

routes = Routes(KeyLevel.SECRET)


@routes(
    "GET",
    "/v1/imports",
    name="listImports",
    summary="List the imports of geofences, newest first",
    answer=ImportListAnswer,
)
async def list_imports(call: Call[ImportListQuery, None]) -> Encoded:
    """List imports, newest first."""
    query = ImportQuery(limit=call.query.limit or DEFAULT_LIMIT, before=call.query.before)
    page = await call.services.run(call.services.engine.imports.page, call.environment, query)
    return encode_answer({"imports": list(map(encode_import, page.items))}, has_more=page.has_more)


@routes("GET", "/v1/imports/{id}", name="getImport", summary="Get an import", answer=ImportAnswer, errors=(404,))
async def read(call: Call[None, None]) -> Encoded:
    """Read the import with an ``_id``."""
    record = await call.services.run(call.services.engine.imports.get, call.environment, call.path["id"])
    return encode_answer({"importRecord": encode_import(record)})


@routes(
    "POST", "/v1/imports/{id}/undo", name="undoImport", summary="Undo an import", answer=ImportAnswer, errors=(404, 409)
)
async def undo(call: Call[None, None]) -> Encoded:
    """Undo an import and return its record."""
    record = await call.services.run(call.services.engine.imports.undo, call.environment, call.path["id"])
    return encode_answer({"importRecord": encode_import(record)})
