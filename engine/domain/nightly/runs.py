"""Results of a sync: each file, the geofences, the e-mail about it."""

from datetime import datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct

from engine.domain.environment import Environment
from engine.domain.imports import RowError
from engine.domain.nightly.settings import SyncSettings

FIRST_ERRORS: Final = 10
"""Maximum number of errors, and of warnings, of a file in a run; the history of imports has more."""


class SyncTrigger(StrEnum):
    """Trigger of a sync."""

    NIGHTLY = "nightly"
    MANUAL = "manual"


class FileOutcome(StrEnum):
    """Outcome of a file."""

    IMPORTED = "imported"
    UNCHANGED = "unchanged"
    FAILED = "failed"


class SyncStatus(StrEnum):
    """Status of a finished sync; `PARTIAL` when some files or rows failed."""

    SUCCEEDED = "succeeded"
    PARTIAL = "partial"
    FAILED = "failed"
    CANCELLED = "cancelled"


class MailState(StrEnum):
    """Status of the e-mail."""

    NONE = "none"
    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"


class SyncedFile(Struct, frozen=True, kw_only=True):
    """A file of a sync: `name` is its URL without the query, or its object key; `message` is the error if it failed.

    `errors` and `warnings` are the first of them, `warned` is the number of warnings, and `ignored` has the columns
    without an effect.
    """

    name: str
    outcome: FileOutcome
    rows: int = 0
    created: int = 0
    updated: int = 0
    unchanged: int = 0
    failed: int = 0
    errors: tuple[RowError, ...] = ()
    warned: int = 0
    warnings: tuple[RowError, ...] = ()
    ignored: tuple[str, ...] = ()
    message: str | None = None


class MailStatus(Struct, frozen=True, kw_only=True):
    """State of the e-mail about a run: its number of attempts, the time of the next one, and the last error."""

    state: MailState = MailState.NONE
    attempts: int = 0
    due_at: datetime | None = None
    message: str | None = None


class SyncRun(Struct, frozen=True, kw_only=True):
    """A sync that has ended. `number` counts the runs of a workspace, and is 0 if the run was not stored."""

    environment: Environment
    trigger: SyncTrigger
    started_at: datetime
    ended_at: datetime
    files: tuple[SyncedFile, ...] = ()
    deleted: int = 0
    notes: tuple[str, ...] = ()
    cancelled: bool = False
    mail: MailStatus = MailStatus()
    number: int = 0

    @property
    def status(self) -> SyncStatus:
        """The final status."""
        if self.cancelled:
            return SyncStatus.CANCELLED
        if all(file.outcome is FileOutcome.FAILED for file in self.files):
            return SyncStatus.FAILED
        bad = any(file.outcome is FileOutcome.FAILED or file.failed for file in self.files)
        return SyncStatus.PARTIAL if bad else SyncStatus.SUCCEEDED

    def total(self, count: str) -> int:
        """Return the sum of a count over all files, such as ``created``."""
        return sum(getattr(file, count) for file in self.files)


class SyncState(Struct, frozen=True, kw_only=True):
    """The sync of an environment: its settings, the secrets that are set, and the current and last runs."""

    settings: SyncSettings
    secrets: frozenset[str] = frozenset()
    running: bool = False
    next_run_at: datetime | None = None
    last_run: SyncRun | None = None
