"""Reading and writing the records of the nightly sync. Functions that write run inside the writer's transaction."""

import zlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

import msgspec
import orjson
import sqlalchemy as sa
from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.imports import Key, Repair, RowError
from engine.domain.nightly.runs import FileOutcome, MailState, MailStatus, SyncedFile, SyncRun, SyncTrigger
from engine.domain.nightly.settings import DEFAULT_SYNC, FileOptions, SmtpSecurity, SyncProtocol, SyncSettings
from engine.domain.values import replace
from engine.store.records.cells import from_ms, to_ms
from engine.store.statements import upsert_rows
from engine.store.tables import sync_files, sync_runs, sync_settings

MOST_RUNS: Final = 100
"""How many runs of an environment are kept."""

_COUNTS: Final = ("rows", "created", "updated", "unchanged", "failed")


class KnownFile(Struct, frozen=True):
    """State of a file when it was last imported.

    `keys` are the keys of its rows, or None unless the sync deletes geofences. `stale_keys` are keys of former rows
    whose geofences have not been deleted yet.
    """

    etag: str = ""
    sha256: str = ""
    keys: frozenset[Key] | None = None
    stale_keys: frozenset[Key] = frozenset()


def read_settings(connection: sa.Connection, environment: Environment) -> tuple[SyncSettings, datetime | None]:
    """Return the settings of an environment, and the time when they were set or the sync last ran."""
    condition = sync_settings.c.live == int(environment.live)
    row = connection.execute(sa.select(sync_settings).where(condition)).one_or_none()
    return (DEFAULT_SYNC, None) if row is None else (_settings_of(row.content), from_ms(row.since))


def save_settings(connection: sa.Connection, environment: Environment, settings: SyncSettings, since: datetime) -> None:
    """Store the settings of an environment."""
    content = orjson.dumps(msgspec.to_builtins(settings)).decode()
    row = {"live": int(environment.live), "since": to_ms(since), "content": content}
    upsert_rows(connection, sync_settings, [row])


def known_files(connection: sa.Connection, environment: Environment) -> Mapping[str, KnownFile]:
    """Return the states of an environment's files by their location."""
    rows = connection.execute(sa.select(sync_files).where(sync_files.c.live == int(environment.live)))
    return {row.source: KnownFile(row.etag, row.sha256, *_keys_of(row.keys)) for row in rows}


def save_files(connection: sa.Connection, environment: Environment, files: Mapping[str, KnownFile]) -> None:
    """Store the states of an environment's files, replacing all others."""
    live = int(environment.live)
    connection.execute(sa.delete(sync_files).where(sync_files.c.live == live))
    rows = [
        {"live": live, "source": source, "etag": file.etag, "sha256": file.sha256, "keys": _packed(file)}
        for source, file in files.items()
    ]
    if rows:
        upsert_rows(connection, sync_files, rows)


def forget_versions(connection: sa.Connection, environment: Environment, sources: Iterable[str]) -> None:
    """Forget which versions of files were imported, so that the next sync imports them again; keep their keys."""
    chosen = sa.and_(sync_files.c.live == int(environment.live), sync_files.c.source.in_(tuple(sources)))
    connection.execute(sa.update(sync_files).where(chosen).values(etag="", sha256=""))


def forget_files(connection: sa.Connection, environment: Environment) -> None:
    """Delete the states of the files because their geofences no longer exist."""
    connection.execute(sa.delete(sync_files).where(sync_files.c.live == int(environment.live)))


def add_run(connection: sa.Connection, run: SyncRun) -> SyncRun:
    """Store a run and delete the oldest ones beyond the limit; return the run with its number."""
    row = {"live": int(run.environment.live), "content": _run_text(run)}
    key = connection.execute(sa.insert(sync_runs).values(row)).inserted_primary_key
    assert key is not None
    of_environment = sync_runs.c.live == int(run.environment.live)
    kept = sa.select(sync_runs.c.number).where(of_environment).order_by(sync_runs.c.number.desc()).limit(MOST_RUNS)
    connection.execute(sa.delete(sync_runs).where(of_environment, sync_runs.c.number.not_in(kept)))
    return replace(run, number=int(key[0]))


def update_run(connection: sa.Connection, run: SyncRun) -> None:
    """Store the outcome of the e-mail about a run."""
    statement = sa.update(sync_runs).where(sync_runs.c.number == run.number)
    connection.execute(statement.values(content=_run_text(run)))


def runs(connection: sa.Connection, environment: Environment, limit: int = MOST_RUNS) -> tuple[SyncRun, ...]:
    """Return the runs of an environment, newest first."""
    statement = (
        sa.select(sync_runs)
        .where(sync_runs.c.live == int(environment.live))
        .order_by(sync_runs.c.number.desc())
        .limit(limit)
    )
    return tuple(_run_of(environment, row.number, row.content) for row in connection.execute(statement))


def _settings_of(text: str) -> SyncSettings:
    content = orjson.loads(text)
    known = {name: content[name] for name in SyncSettings.__struct_fields__ if name in content}
    known["protocol"] = SyncProtocol(known["protocol"])
    known["smtp_security"] = SmtpSecurity(known["smtp_security"])
    known["urls"], known["object_keys"] = tuple(known["urls"]), tuple(known["object_keys"])
    # Absent in workspaces of versions that read every file alike.
    options = list(map(_with_repairs, known.get("file_options", ())))
    known["file_options"] = msgspec.convert(options, tuple[FileOptions, ...])
    return SyncSettings(**known)


def _with_repairs(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a file, which had one repair before there were several."""
    return {"repairs": list(Repair), **options} if options.pop("repair", False) else options


def _packed(file: KnownFile) -> bytes | None:
    if file.keys is None:
        return None
    return zlib.compress(orjson.dumps({"keys": sorted(file.keys), "gone": sorted(file.stale_keys)}), 1)


def _keys_of(packed: bytes | None) -> tuple[frozenset[Key] | None, frozenset[Key]]:
    if packed is None:
        return None, frozenset()
    content = orjson.loads(zlib.decompress(packed))
    return frozenset(map(tuple, content["keys"])), frozenset(map(tuple, content["gone"]))


def _run_text(run: SyncRun) -> str:
    mail = run.mail
    content: dict[str, Any] = {
        "trigger": run.trigger,
        "started_at": to_ms(run.started_at),
        "ended_at": to_ms(run.ended_at),
        "files": [_file_content(file) for file in run.files],
        "deleted": run.deleted,
        "notes": run.notes,
        "cancelled": run.cancelled,
        "mail": {
            "state": mail.state,
            "attempts": mail.attempts,
            "due_at": None if mail.due_at is None else to_ms(mail.due_at),
            "message": mail.message,
        },
    }
    return orjson.dumps(content).decode()


def _file_content(file: SyncedFile) -> dict[str, Any]:
    counts = {name: getattr(file, name) for name in (*_COUNTS, "warned")}
    rows = {
        name: [[each.row, each.column, each.message] for each in getattr(file, name)] for name in ("errors", "warnings")
    }
    content = {"name": file.name, "outcome": file.outcome, **counts, **rows}
    return {**content, "ignored": file.ignored, "message": file.message}


def _run_of(environment: Environment, number: int, text: str) -> SyncRun:
    content = orjson.loads(text)
    mail = content["mail"]
    due_at = None if mail["due_at"] is None else from_ms(mail["due_at"])
    return SyncRun(
        environment=environment,
        trigger=SyncTrigger(content["trigger"]),
        started_at=from_ms(content["started_at"]),
        ended_at=from_ms(content["ended_at"]),
        files=tuple(map(_file_of, content["files"])),
        deleted=content["deleted"],
        notes=tuple(content["notes"]),
        cancelled=content["cancelled"],
        mail=MailStatus(
            state=MailState(mail["state"]), attempts=mail["attempts"], due_at=due_at, message=mail["message"]
        ),
        number=number,
    )


def _file_of(content: Mapping[str, Any]) -> SyncedFile:
    return SyncedFile(
        name=content["name"],
        outcome=FileOutcome(content["outcome"]),
        errors=tuple(RowError(*error) for error in content["errors"]),
        # Earlier versions kept neither warnings nor ignored columns.
        warned=content.get("warned", 0),
        warnings=tuple(RowError(*warning) for warning in content.get("warnings", ())),
        ignored=tuple(content.get("ignored", ())),
        message=content["message"],
        **{name: content[name] for name in _COUNTS},
    )
