"""Imports: the report of one for another command of this workspace, and its record in the history."""

from typing import Annotated, Any, Final, NotRequired

from pydantic import Field

from app.api.wire.common.answers import AnswerModel, Id, PageAnswerModel, Record, Time, one_of
from app.api.wire.common.encoding import Encoded, encode_time
from app.api.wire.common.fields import Identifier
from app.api.wire.common.requests import Limit, RequestModel
from engine.domain.geofence import Geofence
from engine.domain.imports import (
    MAX_KEPT_ERRORS,
    MAX_LISTED_ERRORS,
    WHOLE_FILE,
    Channel,
    ImportRecord,
    ImportReport,
    ImportStatus,
    JudgedRow,
    RefusedRow,
    RowError,
)
from engine.domain.queries import DEFAULT_LIMIT

type Count = Annotated[int, Field(ge=0)]

_LISTED: Final = f"The first {MAX_KEPT_ERRORS:,} {{}}, in a list of imports the first {MAX_LISTED_ERRORS}."


class ImportListQuery(RequestModel):
    """Query of imports, newest first."""

    limit: Limit = DEFAULT_LIMIT
    before: Identifier | None = Field(None, description="The `_id` of an import; lists older imports.")


class ImportErrorRecord(Record):
    """Error of a row that was not imported, or warning about one that was; without a row, about the file."""

    row: NotRequired[Annotated[int, Field(ge=1, description="Numbered as in a spreadsheet; the header is row 1.")]]
    column: NotRequired[str]
    message: Annotated[str, Field(min_length=1)]


class RefusedRowRecord(Record):
    """Row that was not imported, with what it was meant for, as far as it could be read."""

    row: Annotated[int, Field(ge=1)]
    tag: NotRequired[str]
    externalId: NotRequired[str]
    description: NotRequired[str]


class ImportRecordAnswer(Record):
    """An import, which stored nothing if it was refused."""

    _id: Id
    live: bool
    createdAt: Time
    fileName: str
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256 hash of the file.")]
    channel: Annotated[str, one_of(*Channel)]
    status: Annotated[str, one_of(*ImportStatus)]
    rows: Count
    created: Count
    updated: Count
    unchanged: Count
    deleted: Count
    failed: Annotated[int, Field(ge=0, description="Number of rows with errors.")]
    errors: Annotated[list[ImportErrorRecord], Field(description=_LISTED.format("errors"))]
    warned: Annotated[int, Field(ge=0, description="Number of warnings.")]
    warnings: Annotated[list[ImportErrorRecord], Field(description=_LISTED.format("warnings"))]
    refused: Annotated[list[RefusedRowRecord], Field(description=_LISTED.format("rows with errors"))]
    undoable: Annotated[
        bool, Field(description="Whether the import can be undone: no later change affects its geofences.")
    ]
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
        "errors": [encode_row_error(error) for error in record.errors],
        "warned": record.warned,
        "warnings": [encode_row_error(warning) for warning in record.warnings],
        "refused": list(map(_encode_refused, record.refused)),
        "undoable": record.undoable,
    }
    if record.undone_at is not None:
        encoded["undoneAt"] = encode_time(record.undone_at)
    return encoded


def _encode_refused(row: RefusedRow) -> RefusedRowRecord:
    encoded: RefusedRowRecord = {"row": row.row}
    if row.tag:
        encoded["tag"] = row.tag
    if row.external_id:
        encoded["externalId"] = row.external_id
    if row.name:
        encoded["description"] = row.name
    return encoded


def encode_row_error(error: RowError) -> ImportErrorRecord:
    """Return an error or a warning about a row of an import file."""
    encoded: ImportErrorRecord = {"message": error.message}
    if error.row != WHOLE_FILE:
        encoded["row"] = error.row
    if error.column is not None:
        encoded["column"] = error.column
    return encoded


def encode_report(report: ImportReport, most_errors: int | None = None) -> Encoded:
    """Return the outcome of an import, for another command of this workspace.

    `most_errors` limits the number of errors and warnings; the outcome then includes how many more there are.
    """
    errors, warnings = report.errors[:most_errors], report.warnings[:most_errors]
    overwritten = [f"{row.record.tag}/{row.record.external_id}" for row in report.overwritten if row.record]
    more = {"moreErrors": len(report.errors) - len(errors), "moreWarnings": len(report.warnings) - len(warnings)}
    return {
        "kind": report.kind,
        "rows": report.rows,
        "created": report.created,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "deleted": report.deleted,
        "failed": report.failed,
        "dryRun": report.dry_run,
        "stored": report.stored and not report.dry_run,
        "importId": report.import_id,
        "ignoredColumns": list(report.ignored),
        **({"overwritten": overwritten} if overwritten else {}),
        "errors": [encode_row_error(error) for error in errors],
        "warnings": [encode_row_error(warning) for warning in warnings],
        "refused": list(map(_encode_refused, report.refused[:most_errors])),
        **{name: count for name, count in more.items() if count},
    }


def encode_preview(report: ImportReport) -> Encoded:
    """Return the effect that an import of geofences would have on each row."""
    return {"preview": [_encode_judged(row) for row in report.judged]}


def _encode_judged(row: JudgedRow[Geofence]) -> Encoded:
    encoded: dict[str, Any] = {"row": row.row, "action": row.action.value}
    known = row.record or row.before
    if known is not None:
        encoded |= {"tag": known.tag, "externalId": known.external_id, "description": known.description}
    elif row.refused is not None:
        named = {"tag": row.refused.tag, "externalId": row.refused.external_id, "description": row.refused.name}
        encoded |= {name: text for name, text in named.items() if text}
    if row.overwrites:
        encoded["overwrites"] = True
    if row.differing:
        encoded["fields"] = list(row.differing)
    if row.errors:
        encoded["errors"] = [encode_row_error(error) for error in row.errors]
    if row.warnings:
        encoded["warnings"] = [encode_row_error(warning) for warning in row.warnings]
    return encoded
