"""The e-mail about a sync: its content, sending, and the retries."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from engine.domain.imports import RowError
from engine.domain.nightly.runs import (
    FIRST_ERRORS,
    FileOutcome,
    MailState,
    MailStatus,
    SyncedFile,
    SyncRun,
    SyncStatus,
)
from engine.domain.nightly.settings import SyncSettings
from engine.domain.words import count
from engine.outbound.mail import MailDelayed, MailRefused, MailServer, send_mail

_AGAIN_S: Final = (60, 300, 900, 1_800, 3_600, 2 * 3_600, 4 * 3_600, 8 * 3_600, 8 * 3_600)
"""Delays between attempts, in seconds; a mail server with greylisting expects a retry after minutes or an hour."""

_ENDINGS: Final = {
    SyncStatus.SUCCEEDED: "succeeded",
    SyncStatus.PARTIAL: "partially succeeded",
    SyncStatus.FAILED: "failed",
    SyncStatus.CANCELLED: "was cancelled",
}


def delivered(run: SyncRun, settings: SyncSettings, password: str | None, workspace: str, now: datetime) -> MailStatus:
    """Send the e-mail about a run, and return its status."""
    attempts = run.mail.attempts + 1
    if not settings.notification_email or not settings.smtp_host:
        return MailStatus(state=MailState.FAILED, attempts=attempts, message="The mail server is no longer set.")
    server = MailServer(
        host=settings.smtp_host,
        port=settings.mail_port,
        security=settings.smtp_security.value,
        user=settings.smtp_user,
        password=password,
    )
    try:
        send_mail(server, letter(run, settings, workspace))
    except MailRefused as refused:
        return MailStatus(state=MailState.FAILED, attempts=attempts, message=str(refused))
    except MailDelayed as delayed:
        due_at = again_at(attempts, now)
        state = MailState.FAILED if due_at is None else MailState.PENDING
        return MailStatus(state=state, attempts=attempts, due_at=due_at, message=str(delayed))
    return MailStatus(state=MailState.SENT, attempts=attempts)


def again_at(attempts: int, now: datetime) -> datetime | None:
    """Return the time of the next attempt after this many, or None once the e-mail is given up."""
    return now + timedelta(seconds=_AGAIN_S[attempts - 1]) if attempts <= len(_AGAIN_S) else None


def letter(run: SyncRun, settings: SyncSettings, workspace: str) -> EmailMessage:
    """Return the e-mail about a run."""
    message = EmailMessage()
    name = run.environment.value.capitalize()
    message["Subject"] = f"Fencewright: sync of {name} {_ENDINGS[run.status]}"
    message["From"] = settings.mail_sender
    message["To"] = settings.notification_email
    message["Date"] = format_datetime(run.ended_at)
    domain = settings.mail_sender.rpartition("@")[2]
    # The same for each attempt, so that a duplicate is recognised.
    message["Message-ID"] = f"<sync-{run.environment}-{run.number}-{int(run.started_at.timestamp())}@{domain}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n".join(_lines(run, workspace)) + "\n")
    return message


def summary(run: SyncRun) -> str:
    """Return the result of a run in one line."""
    counts = [f"{run.total(name):,} {name}" for name in ("created", "updated", "unchanged", "failed")]
    if run.deleted:
        counts.insert(2, f"{run.deleted:,} deleted")
    return ", ".join(counts)


def _lines(run: SyncRun, workspace: str) -> list[str]:
    name = run.environment.value.capitalize()
    lines = [
        f"The {run.trigger} sync of {name} in the workspace {workspace} {_ENDINGS[run.status]}.",
        f"{run.started_at:%Y-%m-%d %H:%M:%S} to {run.ended_at:%H:%M:%S} UTC. Geofences: {summary(run)}.",
        *run.notes,
    ]
    for file in run.files:
        lines += ["", *_lines_of_file(file)]
    return lines


def _lines_of_file(file: SyncedFile) -> list[str]:
    if file.outcome is FileOutcome.UNCHANGED:
        return [file.name, "  unchanged, skipped"]
    if file.outcome is FileOutcome.FAILED:
        return [file.name, f"  failed: {file.message}"]
    counts = f"{file.created:,} created, {file.updated:,} updated, {file.unchanged:,} unchanged, {file.failed:,} failed"
    lines = [file.name, f"  {count(file.rows, 'row')}: {counts}"]
    if file.ignored:
        lines.append(f"  ignored columns: {', '.join(file.ignored)}")
    lines += _lines_of_rows(file.errors, file.failed)
    if file.warned:
        lines += [f"  {count(file.warned, 'warning')}:", *_lines_of_rows(file.warnings, file.warned)]
    return lines


def _lines_of_rows(rows: Sequence[RowError], number: int) -> Iterator[str]:
    for each in rows:
        place = f"row {each.row}" if each.row else "file"
        column = f", column {each.column}" if each.column else ""
        yield f"  {place}{column}: {each.message}"
    if number > FIRST_ERRORS:
        yield "  … see the import history for the others"
