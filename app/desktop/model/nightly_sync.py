"""The nightly sync in words, and from what is typed to a change of its settings."""

from dataclasses import fields
from typing import Any, Final

from app.desktop.language import translated, within_sentence
from app.desktop.model.words import count, local_time
from engine.domain.nightly.runs import FileOutcome, MailState, SyncedFile, SyncRun, SyncState, SyncStatus
from engine.domain.nightly.settings import SECRETS, SyncChange, SyncSettings

_ENDINGS: Final = {
    SyncStatus.SUCCEEDED: "Succeeded",
    SyncStatus.PARTIAL: "Partially succeeded",
    SyncStatus.FAILED: "Failed",
    SyncStatus.CANCELLED: "Cancelled",
}


def changed_values(settings: SyncSettings, values: dict[str, Any]) -> SyncChange:
    """Return the change from settings to the values of a form; empty secrets stay as they are."""
    given = {
        field.name: values[field.name]
        for field in fields(SyncSettings)
        if field.name in values and values[field.name] != getattr(settings, field.name)
    }
    secrets = {name: values[name] for name in SECRETS if values.get(name)}
    return SyncChange(**given, **secrets)


def split_lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text that are not blank, each once."""
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def next_text(state: SyncState) -> str:
    """Return when the next sync is, as a sentence."""
    if state.running:
        return "A sync is running."
    if state.next_run_at is None:
        return "Nightly sync is off. “Save and Sync” runs one now."
    return f"Next sync: {local_time(state.next_run_at)}."


def run_title(run: SyncRun) -> str:
    """Return how a sync ended, and when."""
    what = "Nightly sync" if run.trigger == "nightly" else "Manual sync"
    return f"{_ENDINGS[run.status]} · {what} · {local_time(run.ended_at)}"


def run_lines(run: SyncRun) -> list[str]:
    """Return what came of a sync, line by line."""
    lines = [*map(translated, run.notes)]
    if run.deleted:
        lines.append(f"{count(run.deleted, 'geofence')} deleted.")
    for file in run.files:
        lines += _file_lines(file)
    match run.mail.state:
        case MailState.SENT:
            lines.append("E-mail sent.")
        case MailState.PENDING:
            lines.append(f"E-mail not sent yet. {run.mail.message or ''}".strip())
        case MailState.FAILED:
            lines.append(f"E-mail not sent. {run.mail.message or ''}".strip())
        case _:
            pass
    return lines


def run_summary(run: SyncRun) -> str:
    """Return what came of a sync, in a line."""
    counts = ", ".join(
        f"{run.total(name):,} {translated(name)}" for name in ("created", "updated", "unchanged", "failed")
    )
    return f"Sync {within_sentence(_ENDINGS[run.status])}: {counts}"


def _file_lines(file: SyncedFile) -> list[str]:
    if file.outcome is FileOutcome.UNCHANGED:
        return [f"{file.name}: unchanged, skipped."]
    if file.outcome is FileOutcome.FAILED:
        return [f"Failed: {translated(file.message or file.name)}"]
    counts = f"{file.created:,} created, {file.updated:,} updated, {file.unchanged:,} unchanged, {file.failed:,} failed"
    lines = [f"{file.name}: {count(file.rows, 'row')}: {counts}."]
    for error in file.errors:
        column = f", column {error.column}" if error.column else ""
        lines.append(f"    Row {error.row}{column}: {translated(error.message)}")
    return lines
