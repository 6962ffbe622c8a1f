"""The nightly sync on the wire: its settings, its state, and the results of its runs."""

from typing import Annotated, Any, Final, Literal, NotRequired

from pydantic import BeforeValidator, Field, PlainValidator
from pydantic.alias_generators import to_camel

from app.api.wire.common.answers import AnswerModel, Meta, Record, Time, one_of
from app.api.wire.common.decoding import infer, validate
from app.api.wire.common.encoding import encode_time
from app.api.wire.common.fields import COMMA_TEXT, JSON_TEXT, ONE_FAULT, Text, read_json_text, read_list, refusal
from app.api.wire.common.requests import RequestModel, StrictModel
from engine.domain.errors import InvalidParameter
from engine.domain.imports import ALL_REPAIRS, NO_REPAIRS, Encoding, Repair, RowError, repairs_of
from engine.domain.nightly.runs import FileOutcome, MailState, SyncedFile, SyncRun, SyncState, SyncStatus, SyncTrigger
from engine.domain.nightly.settings import (
    MAX_FILES,
    SECRETS,
    FileOptions,
    SmtpSecurity,
    SyncChange,
    SyncProtocol,
)
from engine.domain.words import did_you_mean
from engine.tabular.cells import json_of


def _read_secret(value: object) -> object:
    # Other errors show the wrong value, but this one is secret.
    if value is None or isinstance(value, str):
        return value
    raise refusal("must be a string")


def _read_repairs(value: object) -> frozenset[Repair]:
    if value is None or isinstance(value, bool):
        return ALL_REPAIRS if value else NO_REPAIRS
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        try:
            return repairs_of(value)
        except InvalidParameter as error:
            raise refusal(error.message.removeprefix("repair: ")) from None
    raise refusal("must be true, false, or a list of repairs")


type RepairWord = Literal["rings", "simplify", "parts", "lines"]
type _Names = Annotated[list[Text], Field(max_length=MAX_FILES), ONE_FAULT, BeforeValidator(read_list), COMMA_TEXT]
type _Secret = Annotated[str | None, BeforeValidator(_read_secret, json_schema_input_type=str | None)]
type _Repairs = Annotated[
    frozenset[Repair], PlainValidator(_read_repairs, json_schema_input_type=bool | list[RepairWord] | None)
]
type FieldTexts = dict[str, str]
"""Columns or values by the fields of a geofence, spelled as columns of the CSV."""

type ProtocolWord = Literal["HTTP", "AWS S3"]
type EncodingWord = Literal["utf-8", "utf-16-le", "utf-16-be", "latin-1", "windows-1252"]
type SecurityWord = Literal["starttls", "tls", "none"]


class FileOptionsBody(StrictModel):
    """Options of reading a file of a sync, as of an import."""

    file: Annotated[Text, Field(description="One of the `urls` or `objectKeys`.")]
    layer: Text | None = Field(None, description="Layer to read from a file with several.")
    sheet: Text | None = Field(None, description="Sheet to read from an Excel file; defaults to the first with rows.")
    encoding: EncodingWord | None = Field(
        None, description="Encoding of plain text or a Shapefile; by default that of its content."
    )
    map: FieldTexts | None = Field(None, description="Columns of the file by the fields that are read from them.")
    set: FieldTexts | None = Field(None, description="Values of fields for rows without one.")
    id: Text | None = Field(
        None,
        description="Rule by which the external ID is made of columns, in braces: `{ZONE}-{NR}`; or `names` for one "
        "made of the description, or `numbers`.",
    )
    metadata: list[Text] | None = Field(
        None, description="Columns that become keys of the metadata, or `all` for those without another meaning."
    )
    repair: _Repairs = Field(NO_REPAIRS, description="Repairs of shapes that cannot be geofences, or true for all.")
    line_width: float | None = Field(None, description="Width of lines for the repair `lines`, in metres.")


type _FileOptions = Annotated[
    list[FileOptionsBody], Field(max_length=2 * MAX_FILES), BeforeValidator(read_json_text), JSON_TEXT
]


class SyncSettingsBody(StrictModel):
    """The settings to change: present ones change, absent ones stay, and null resets to the default."""

    enabled: bool | None = Field(None, description="Whether it runs every night.")
    notification_email: Text | None = Field(None, description="Receives an e-mail after each sync.")
    protocol: ProtocolWord | None = None
    urls: _Names | None = Field(None, description="For HTTP: public HTTP or HTTPS URLs of the files.")
    region: Text | None = Field(None, description="For AWS S3, like the next four: the bucket's region.")
    bucket: Text | None = None
    object_keys: _Names | None = Field(None, description="Keys of the files.")
    file_options: _FileOptions | None = Field(
        None, description="Options of single files, replacing those of all; other files are read without any."
    )
    access_key_id: Text | None = Field(None, description="Access key ID of an IAM user with the permission GetObject.")
    secret_access_key: _Secret = Field(None, description="Write-only.")
    endpoint: Text | None = Field(None, description="URL of an S3-compatible service other than AWS.")
    hour: Annotated[int, Field(ge=0, le=23)] | None = Field(None, description="Hour of the nightly sync.")
    time_zone: Text | None = Field(
        None, description="Time zone of the hour, such as Europe/Zurich; defaults to the computer's."
    )
    delete_missing: bool | None = Field(
        None, description="Whether to delete geofences that a sync created and no file contains any more."
    )
    smtp_host: Text | None = Field(None, description="The mail server.")
    smtp_port: Annotated[int, Field(ge=1, le=65_535)] | None = Field(
        None, description="Defaults to 587 with STARTTLS, 465 with TLS, else 25."
    )
    smtp_security: SecurityWord | None = None
    smtp_user: Text | None = None
    smtp_password: _Secret = Field(None, description="Write-only; cleared when the mail server changes.")
    smtp_from: Text | None = Field(None, description="The sender of the e-mails.")


NAMES: Final = tuple(to_camel(name) for name in SyncSettingsBody.model_fields)
"""The wire names of the settings."""

_ALL_LISTED: Final = "; fencewright sync show lists all of them."

SECRET_NAMES: Final = tuple(map(to_camel, SECRETS))

_NOT_TEXT: Final = ("enabled", "hour", "deleteMissing", "smtpPort", "fileOptions")


class RunQuery(RequestModel):
    """Options of a sync."""

    force: bool = Field(False, description="Whether to import unchanged files, too.")


class RowErrorRecord(Record):
    """Error of a row that was not imported, or warning about one that was; row 1 is the header."""

    row: Annotated[int, Field(ge=0)]
    column: NotRequired[str]
    message: str


class SyncedFileRecord(Record):
    """A file of a sync."""

    name: Annotated[str, Field(description="Its URL without the query, or its bucket and key.")]
    outcome: Annotated[str, one_of(*FileOutcome)]
    rows: Annotated[int, Field(ge=0)]
    created: Annotated[int, Field(ge=0)]
    updated: Annotated[int, Field(ge=0)]
    unchanged: Annotated[int, Field(ge=0)]
    failed: Annotated[int, Field(ge=0)]
    errors: Annotated[list[RowErrorRecord], Field(description="The first of them.")]
    warned: Annotated[int, Field(ge=0, description="Number of warnings.")]
    warnings: Annotated[list[RowErrorRecord], Field(description="The first of them; row 0 is the file as a whole.")]
    ignoredColumns: Annotated[list[str], Field(description="Columns without an effect.")]
    message: NotRequired[Annotated[str, Field(description="Why it failed.")]]


class MailRecord(Record):
    """Status of the e-mail."""

    status: Annotated[str, one_of(*MailState)]
    attempts: Annotated[int, Field(ge=0)]
    nextAttemptAt: NotRequired[Time]
    message: NotRequired[str]


class SyncRunRecord(Record):
    """A sync and its result."""

    status: Annotated[str, one_of(*SyncStatus)]
    trigger: Annotated[str, one_of(*SyncTrigger)]
    startedAt: Time
    endedAt: Time
    deleted: Annotated[int, Field(ge=0)]
    files: list[SyncedFileRecord]
    notes: Annotated[list[str], Field(description="Further notes, as sentences.")]
    email: MailRecord


class FileOptionsRecord(Record):
    """Options of reading a file of a sync; unset ones are left out."""

    file: str
    layer: NotRequired[str]
    sheet: NotRequired[str]
    encoding: NotRequired[Annotated[str, one_of(*Encoding)]]
    map: NotRequired[FieldTexts]
    set: NotRequired[FieldTexts]
    id: NotRequired[str]
    metadata: NotRequired[list[str]]
    repair: NotRequired[Annotated[bool | list[RepairWord], Field(description="Repairs, or true for all.")]]
    lineWidth: NotRequired[Annotated[float, Field(gt=0, description="Metres.")]]


class SyncStateRecord(Record):
    """Settings and state of the nightly sync; unset settings are left out."""

    enabled: bool
    notificationEmail: NotRequired[str]
    protocol: Annotated[str, one_of(*SyncProtocol)]
    urls: list[str]
    region: NotRequired[str]
    bucket: NotRequired[str]
    objectKeys: list[str]
    fileOptions: Annotated[list[FileOptionsRecord], Field(description="Options of single files.")]
    accessKeyId: NotRequired[str]
    secretAccessKeySet: Annotated[bool, Field(description="Whether this computer has the secret.")]
    endpoint: NotRequired[str]
    hour: Annotated[int, Field(ge=0, le=23)]
    timeZone: NotRequired[str]
    deleteMissing: bool
    smtpHost: NotRequired[str]
    smtpPort: NotRequired[int]
    smtpSecurity: Annotated[str, one_of(*SmtpSecurity)]
    smtpUser: NotRequired[str]
    smtpPasswordSet: bool
    smtpFrom: NotRequired[str]
    running: bool
    nextRunAt: NotRequired[Time]
    lastRun: NotRequired[SyncRunRecord]


class SyncStateAnswer(AnswerModel):
    """The nightly sync of the environment."""

    sync: SyncStateRecord


class SyncRunAnswer(AnswerModel):
    """Result of a sync."""

    run: SyncRunRecord


class CancelAnswer(Record):
    """Whether a running sync was cancelled."""

    meta: Meta
    cancelled: bool


def parse_sync_setting(name: str, text: str) -> object:
    """Return the value of text from a command line; empty text is null; raises `InvalidParameter`."""
    if name not in NAMES:
        raise InvalidParameter(name, f"{name}: unknown setting{did_you_mean(name, NAMES, _ALL_LISTED)}")
    if not text.strip():
        return None
    if name in SECRET_NAMES:
        return text
    text = text.strip()
    if name not in _NOT_TEXT:
        return text
    if name == "fileOptions":
        return json_of(name, text)
    return text.lower() == "true" if text.lower() in ("true", "false") else infer(text)


def decode_sync_change(mapping: dict[str, object]) -> SyncChange:
    """Return the change that a JSON object requests; raises `InvalidParameter` naming the invalid setting."""
    return sync_change(validate(SyncSettingsBody, mapping, strict=True))


def sync_change(body: SyncSettingsBody) -> SyncChange:
    """Return the engine's change for a request body."""
    changed: dict[str, Any] = {name: getattr(body, name) for name in body.model_fields_set}
    for name, kind in (("protocol", SyncProtocol), ("smtp_security", SmtpSecurity)):
        if changed.get(name) is not None:
            changed[name] = kind(changed[name])
    for name in ("urls", "object_keys"):
        if changed.get(name) is not None:
            changed[name] = tuple(dict.fromkeys(each.strip() for each in changed[name]))
    if body.file_options is not None:
        changed["file_options"] = tuple(map(_file_options, body.file_options))
    return SyncChange(**changed)


def _file_options(body: FileOptionsBody) -> FileOptions:
    return FileOptions(
        file=body.file.strip(),
        layer=body.layer,
        sheet=body.sheet,
        encoding=None if body.encoding is None else Encoding(body.encoding),
        mapping=body.map or {},
        fixed=body.set or {},
        id=body.id,
        metadata=tuple(dict.fromkeys(body.metadata or ())),
        repairs=body.repair,
        line_width_m=body.line_width,
    )


def encode_options(options: FileOptions) -> FileOptionsRecord:
    """Return the options of a file."""
    encoded: FileOptionsRecord = {"file": options.file}
    if options.layer is not None:
        encoded["layer"] = options.layer
    if options.sheet is not None:
        encoded["sheet"] = options.sheet
    if options.encoding is not None:
        encoded["encoding"] = options.encoding.value
    if options.mapping:
        encoded["map"] = options.mapping
    if options.fixed:
        encoded["set"] = options.fixed
    if options.id is not None:
        encoded["id"] = options.id
    if options.metadata:
        encoded["metadata"] = list(options.metadata)
    if options.repairs:
        encoded["repair"] = True if options.repairs == ALL_REPAIRS else sorted(each.value for each in options.repairs)
    if options.line_width_m is not None:
        encoded["lineWidth"] = options.line_width_m
    return encoded


def encode_sync(state: SyncState) -> SyncStateRecord:
    """Return the settings and the current state of a sync."""
    settings = state.settings
    encoded: SyncStateRecord = {
        "enabled": settings.enabled,
        "protocol": settings.protocol.value,
        "urls": list(settings.urls),
        "objectKeys": list(settings.object_keys),
        "fileOptions": list(map(encode_options, settings.file_options)),
        "secretAccessKeySet": "secret_access_key" in state.secrets,
        "hour": settings.hour,
        "deleteMissing": settings.delete_missing,
        "smtpSecurity": settings.smtp_security.value,
        "smtpPasswordSet": "smtp_password" in state.secrets,
        "running": state.running,
    }
    if settings.notification_email is not None:
        encoded["notificationEmail"] = settings.notification_email
    if settings.region is not None:
        encoded["region"] = settings.region
    if settings.bucket is not None:
        encoded["bucket"] = settings.bucket
    if settings.access_key_id is not None:
        encoded["accessKeyId"] = settings.access_key_id
    if settings.endpoint is not None:
        encoded["endpoint"] = settings.endpoint
    if settings.time_zone is not None:
        encoded["timeZone"] = settings.time_zone
    if settings.smtp_host is not None:
        encoded["smtpHost"] = settings.smtp_host
    if settings.smtp_port is not None:
        encoded["smtpPort"] = settings.smtp_port
    if settings.smtp_user is not None:
        encoded["smtpUser"] = settings.smtp_user
    if settings.smtp_from is not None:
        encoded["smtpFrom"] = settings.smtp_from
    if state.next_run_at is not None:
        encoded["nextRunAt"] = encode_time(state.next_run_at)
    if state.last_run is not None:
        encoded["lastRun"] = encode_run(state.last_run)
    return encoded


def encode_run(run: SyncRun) -> SyncRunRecord:
    """Return the result of a sync."""
    mail: MailRecord = {"status": run.mail.state.value, "attempts": run.mail.attempts}
    if run.mail.due_at is not None:
        mail["nextAttemptAt"] = encode_time(run.mail.due_at)
    if run.mail.message is not None:
        mail["message"] = run.mail.message
    return {
        "status": run.status.value,
        "trigger": run.trigger.value,
        "startedAt": encode_time(run.started_at),
        "endedAt": encode_time(run.ended_at),
        "deleted": run.deleted,
        "files": [_encode_file(file) for file in run.files],
        "notes": list(run.notes),
        "email": mail,
    }


def _encode_file(file: SyncedFile) -> SyncedFileRecord:
    encoded: SyncedFileRecord = {
        "name": file.name,
        "outcome": file.outcome.value,
        "rows": file.rows,
        "created": file.created,
        "updated": file.updated,
        "unchanged": file.unchanged,
        "failed": file.failed,
        "errors": [_encode_error(error) for error in file.errors],
        "warned": file.warned,
        "warnings": [_encode_error(warning) for warning in file.warnings],
        "ignoredColumns": list(file.ignored),
    }
    if file.message is not None:
        encoded["message"] = file.message
    return encoded


def _encode_error(error: RowError) -> RowErrorRecord:
    if error.column is None:
        return {"row": error.row, "message": error.message}
    return {"row": error.row, "column": error.column, "message": error.message}
