"""Imports as the history keeps them."""

from typing import Annotated, NotRequired

from pydantic import Field

from app.api.wire.common.answers import AnswerModel, Id, PageAnswerModel, Record, Time, one_of
from app.api.wire.common.encoding import encode_time
from app.api.wire.common.fields import Identifier
from app.api.wire.common.requests import Limit, RequestModel
from engine.domain.imports import WHOLE_FILE, Channel, ImportRecord, ImportStatus, RowError
from engine.domain.queries import DEFAULT_LIMIT

type Count = Annotated[int, Field(ge=0)]

MAX_TOLD_ERRORS = 100


class ImportListQuery(RequestModel):
    """Which imports to list, newest first."""

    limit: Limit = DEFAULT_LIMIT
    before: Identifier | None = Field(None, description="The `_id` of an import; those older than it are listed.")


class ImportErrorRecord(Record):
    """Why a row was not imported, or, without a row, the file."""

    row: NotRequired[Annotated[int, Field(ge=1, description="As a spreadsheet counts: a header is row 1.")]]
    column: NotRequired[str]
    message: Annotated[str, Field(min_length=1)]


class ImportRecordAnswer(Record):
    """An import. Of one that was refused, nothing was stored."""

    _id: Id
    live: bool
    createdAt: Time
    fileName: str
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="The hash of the file.")]
    channel: Annotated[str, one_of(*Channel)]
    status: Annotated[str, one_of(*ImportStatus)]
    rows: Count
    created: Count
    updated: Count
    unchanged: Count
    deleted: Count
    failed: Annotated[int, Field(ge=0, description="How many rows have an error.")]
    errors: Annotated[list[ImportErrorRecord], Field(description=f"The first {MAX_TOLD_ERRORS} errors.")]
    undoable: Annotated[bool, Field(description="Unless a later change touches one of its geofences.")]
    undoneAt: NotRequired[Time]


class ImportAnswer(AnswerModel):
    """An import."""

    # `import` is a keyword.
    importRecord: ImportRecordAnswer


class ImportListAnswer(PageAnswerModel):
    """Imports, newest first."""

    imports: list[ImportRecordAnswer]


def encode_import(record: ImportRecord) -> ImportRecordAnswer:
    """Return an import."""
    encoded: ImportRecordAnswer = {
        "_id": record.id,
        "live": record.environment.live,
        "createdAt": encode_time(record.created_at),
        "fileName": record.name,
        "sha256": record.sha256,
        "channel": record.channel.value,
        "status": record.status.value,
        "rows": record.rows,
        "created": record.created,
        "updated": record.updated,
        "unchanged": record.unchanged,
        "deleted": record.deleted,
        "failed": record.failed,
        "errors": [_encode_error(error) for error in record.errors[:MAX_TOLD_ERRORS]],
        "undoable": record.undoable,
    }
    if record.undone_at is not None:
        encoded["undoneAt"] = encode_time(record.undone_at)
    return encoded


def _encode_error(error: RowError) -> ImportErrorRecord:
    encoded: ImportErrorRecord = {"message": error.message}
    if error.row != WHOLE_FILE:
        encoded["row"] = error.row
    if error.column is not None:
        encoded["column"] = error.column
    return encoded
