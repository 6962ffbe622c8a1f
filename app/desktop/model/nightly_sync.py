"""Descriptions of the nightly sync, and conversion of form input to a change of its settings."""

from typing import Any, Final

from app.desktop.language import counted, tr, translated, within_sentence
from app.desktop.model.importing import MADE_NAMES, field_name
from app.desktop.model.words import local_time
from engine.domain.imports import RowError
from engine.domain.nightly.runs import FileOutcome, MailState, SyncedFile, SyncRun, SyncState, SyncStatus
from engine.domain.nightly.settings import SECRETS, FileOptions, SyncChange, SyncSettings

_ENDINGS: Final = {
    SyncStatus.SUCCEEDED: tr("Succeeded"),
    SyncStatus.PARTIAL: tr("Partially succeeded"),
    SyncStatus.FAILED: tr("Failed"),
    SyncStatus.CANCELLED: tr("Cancelled"),
}


def changed_values(settings: SyncSettings, values: dict[str, Any]) -> SyncChange:
    """Return the change from the current settings to the values of a form. Empty secrets stay unchanged."""
    given = {
        name: values[name]
        for name in SyncSettings.__struct_fields__
        if name in values and values[name] != getattr(settings, name)
    }
    secrets = {name: values[name] for name in SECRETS if values.get(name)}
    return SyncChange(**given, **secrets)


def split_lines(text: str) -> tuple[str, ...]:
    """Return the distinct lines of a text that are not blank."""
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def options_text(options: FileOptions) -> str:
    """Return the options of a file in one line."""
    parts = [
        tr("{field_name} from {column}", field_name=field_name(field), column=column)
        for field, column in options.mapping.items()
        if column
    ]
    parts += [f"{field_name(field)} = {value}" for field, value in options.fixed.items()]
    if options.id is not None:
        parts.append(f"{field_name('externalId')} = {MADE_NAMES.get(options.id, options.id)}")
    if options.metadata:
        parts.append(tr("metadata from {columns}", columns=", ".join(options.metadata)))
    if options.repairs:
        parts.append(tr("polygons are repaired"))
    if options.sheet is not None:
        parts.append(tr("sheet {sheet_name}", sheet_name=options.sheet))
    if options.encoding is not None:
        parts.append(options.encoding.label)
    if options.layer is not None:
        parts.append(tr("layer {layer_name}", layer_name=options.layer))
    return "; ".join(parts)


def next_text(state: SyncState) -> str:
    """Return the time of the next sync as a sentence."""
    if state.running:
        return tr("A sync is running.")
    if state.next_run_at is None:
        return tr("Nightly sync is off. “Save and Sync” runs one now.")
    return tr("Next sync: {time}.", time=local_time(state.next_run_at))


def run_title(run: SyncRun) -> str:
    """Return the outcome and time of a sync."""
    kind = tr("Nightly sync") if run.trigger == "nightly" else tr("Manual sync")
    return f"{_ENDINGS[run.status]} · {kind} · {local_time(run.ended_at)}"


def run_lines(run: SyncRun) -> list[str]:
    """Return the results of a sync, line by line."""
    lines = [*map(translated, run.notes)]
    if run.deleted:
        lines.append(tr("{geofences} deleted.", geofences=counted(run.deleted, "geofence")))
    for file in run.files:
        lines += _file_lines(file)
    match run.mail.state:
        case MailState.SENT:
            lines.append(tr("E-mail sent."))
        case MailState.PENDING:
            lines.append(tr("E-mail not sent yet. {message}", message=run.mail.message or "").strip())
        case MailState.FAILED:
            lines.append(tr("E-mail not sent. {message}", message=run.mail.message or "").strip())
        case _:
            pass
    return lines


def run_summary(run: SyncRun) -> str:
    """Return the results of a sync in one line."""
    counts = ", ".join(
        tr("{count:,} {outcome}", count=run.total(name), outcome=translated(name))
        for name in ("created", "updated", "unchanged", "failed")
    )
    return tr("Sync {status}: {row_counts}", status=within_sentence(_ENDINGS[run.status]), row_counts=counts)


def _file_lines(file: SyncedFile) -> list[str]:
    if file.outcome is FileOutcome.UNCHANGED:
        return [tr("{file_name}: unchanged, skipped.", file_name=file.name)]
    if file.outcome is FileOutcome.FAILED:
        return [tr("Failed: {message}", message=translated(file.message or file.name))]
    counts = tr(
        "{created:,} created, {updated:,} updated, {unchanged:,} unchanged, {failed:,} failed",
        created=file.created,
        updated=file.updated,
        unchanged=file.unchanged,
        failed=file.failed,
    )
    lines = [f"{file.name}: {counted(file.rows, 'row')}: {counts}."]
    if file.ignored:
        lines.append(tr("    Ignored columns: {columns}", columns=", ".join(file.ignored)))
    lines += map(_row_line, file.errors)
    if file.warned:
        lines += [f"    {counted(file.warned, 'warning')}:", *map(_row_line, file.warnings)]
        if file.warned > len(file.warnings):
            lines.append(tr("    … see the import history for the others"))
    return lines


def _row_line(error: RowError) -> str:
    if not error.row:  # about the file as a whole
        return f"    {translated(error.message)}"
    column = tr(", column {column}", column=error.column) if error.column else ""
    return tr("    Row {row}{column}: {message}", row=error.row, column=column, message=translated(error.message))
