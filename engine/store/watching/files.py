"""The files of an open database, which may be deleted or replaced while they are in use.

A process continues to use files that were deleted, moved or replaced, and SQLite does not notice. It would acknowledge
data that is lost when the process ends. A file is recognised by its device and inode. A backup copied over the database
keeps both, so the header of the database has a number that changes with the contents. A number that this process has
not written shows that another program has written the file.
"""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from secrets import randbelow
from threading import Lock
from typing import Final, NamedTuple

from engine.domain.errors import StorageUnavailable

_NUMBER_AT: Final = 60
"""Offset of `PRAGMA user_version` in the header of an SQLite file."""

_NUMBER_BYTES: Final = 4
_FIRST_NUMBER: Final = 10_000
"""Lower numbers are schema versions that name the copy made before an upgrade; see `engine.store.migrations.copies`."""

_NUMBERS: Final = 2**31 - _FIRST_NUMBER
_LOGS: Final = ("-wal", "-shm")


class _Identity(NamedTuple):
    """The identity of a file, which is independent of its path."""

    device: int
    inode: int


class DatabaseFiles:
    """The database of a workspace, its write-ahead log and the log's index. Can be watched from any thread.

    `problem` is the problem found by the last look, or None.
    """

    def __init__(self, file: Path) -> None:
        """Open the file, creating it if necessary; raises `OSError`."""
        self.file = file
        self._path = str(file)
        self._log = str(self._beside(_LOGS[0]))
        self.problem: StorageUnavailable | None = None
        # Locations are private; SQLite gives its other files the same mode. The descriptor stays open because closing
        # any descriptor of a file releases SQLite's locks on it in this process.
        self.descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
        self._identity = _identity(os.fstat(self.descriptor))
        self._logs: dict[str, _Identity] = {}
        self._lock = Lock()
        self._numbers: list[int] = []
        self._is_number_due = True
        self._changes = 0
        self._seen = (-1, -1)
        self.is_overwritten = False
        """Whether another program has written to the database. This is permanent."""
        self.is_taken = False
        """Whether another process has opened the workspace without the lock of this one. This is permanent."""
        self.is_closed = False

    def begin(self, connection: sqlite3.Connection) -> None:
        """Record the current files as the correct ones, including the logs that `connection` uses."""
        (number,) = connection.execute("PRAGMA user_version").fetchone()
        if number < _FIRST_NUMBER:
            number = _numbered(connection, number)
        self._logs = {str(path): _identity(path.stat()) for path in map(self._beside, _LOGS) if path.exists()}
        self._numbers = [self._number_in_file(), number]
        self._seen = _state(os.fstat(self.descriptor))

    def close(self) -> None:
        """Close the file, after SQLite has closed it."""
        self.is_closed = True
        os.close(self.descriptor)

    def look(self, *, thoroughly: bool = False) -> StorageUnavailable | None:
        """Return the problem with the files, if there is one.

        Replaced logs are only detected if `thoroughly` is set. Querying the times of a file that is written with each
        commit would slow down the next write, as the kernel would have to record a more precise time.
        """
        self.problem = self._problem(thoroughly=thoroughly)
        return self.problem

    def check(self) -> None:
        """Raise `StorageUnavailable` unless the files are the ones that were opened."""
        if (problem := self.look()) is not None:
            raise problem

    def mark(self, connection: sqlite3.Connection) -> None:
        """Change the header number in the open transaction, unless the previous change has not reached the file yet.

        A transaction without changes is left alone, as it would write to the file only for this purpose.
        """
        if not self._is_number_due or connection.total_changes == self._changes:
            return
        self._changes = connection.total_changes
        number = _new_number()
        with self._lock:
            self._numbers.append(number)
            self._is_number_due = False
        connection.execute(f"PRAGMA user_version={number}")

    def knows(self, number: int) -> bool:
        """Return whether the number may be in the header of this database."""
        return number in self._numbers

    def drop_log(self) -> None:
        """Empty the write-ahead log of an overwritten database, because it belongs to the former contents."""
        if _identity(os.stat(self._log)) == self._logs.get(self._log):  # noqa: PTH116 - as below
            os.truncate(self._log, 0)

    def _beside(self, ending: str) -> Path:
        # SQLite keeps them beside the file itself rather than beside a symbolic link.
        itself = self.file.resolve()
        return itself.with_name(itself.name + ending)

    def _problem(self, *, thoroughly: bool) -> StorageUnavailable | None:
        if self.is_taken:
            return StorageUnavailable(
                f"The workspace cannot be used: the lock beside {self.file} was deleted while it was open, and another "
                "process has opened the workspace. Nothing is stored by this one."
            )
        found: os.stat_result | OSError
        try:
            found = os.stat(self._path)  # noqa: PTH116 - for every commit; a third of what `Path.stat` takes
        except OSError as error:
            found = error
        if isinstance(found, os.stat_result) and _identity(found) == self._identity:
            is_in_place = True
            self._verify(found)
        else:
            is_in_place = False
            self._verify(os.fstat(self.descriptor))
        if self.is_overwritten:
            return StorageUnavailable(
                f"The workspace cannot be used: {self.file} was overwritten by another program while it was open. "
                "Close the workspace and open it again to use what is there now."
            )
        if not is_in_place:
            return self._problem_of(found)
        return self._problem_of_logs() if thoroughly else self._problem_of_log()

    def _problem_of(self, found: os.stat_result | OSError) -> StorageUnavailable:
        """Return the problem of a file that is no longer at its path."""
        if isinstance(found, FileNotFoundError | NotADirectoryError):
            return StorageUnavailable(
                f"The workspace cannot be used: {self.file} was deleted or moved away while it was open. Put it back, "
                "or save a copy before the program ends; nothing is stored until then."
            )
        if isinstance(found, OSError):
            return StorageUnavailable(
                f"The workspace cannot be used: {self.file} cannot be reached ({found.strerror}). Nothing is stored "
                "until it can."
            )
        return StorageUnavailable(
            f"The workspace cannot be used: {self.file} was replaced by another file while it was open. Put the first "
            "one back, or save a copy before the program ends; nothing is stored until then."
        )

    def _problem_of_log(self) -> StorageUnavailable | None:
        """Return the problem if the write-ahead log is missing, without which commits would not outlive the process."""
        return None if os.access(self._log, os.F_OK) else _problem_of_log(self._log)

    def _problem_of_logs(self) -> StorageUnavailable | None:
        for path, identity in self._logs.items():
            try:
                found = os.stat(path)  # noqa: PTH116 - as above
            except OSError:
                return _problem_of_log(path)
            if found.st_ino != identity.inode or found.st_dev != identity.device:
                return _problem_of_log(path)
        return None

    def _verify(self, found: os.stat_result) -> None:
        """Check that only this process has changed the file, and set `is_overwritten` otherwise."""
        state = found.st_size, found.st_mtime_ns
        if state == self._seen:
            return
        number = self._number_in_file()
        with self._lock:
            if number in self._numbers:
                del self._numbers[: self._numbers.index(number)]
                self._seen, self._is_number_due = state, True
            else:
                self.is_overwritten = True

    def _number_in_file(self) -> int:
        header = os.pread(self.descriptor, _NUMBER_BYTES, _NUMBER_AT)
        return int.from_bytes(header) if len(header) == _NUMBER_BYTES else -1


def _problem_of_log(path: str) -> StorageUnavailable:
    return StorageUnavailable(
        f"The workspace cannot be used: {path} was deleted or replaced while it was open. Close the workspace and open "
        "it again: all that was acknowledged is in the database. Nothing is stored until then."
    )


def _identity(found: os.stat_result) -> _Identity:
    return _Identity(found.st_dev, found.st_ino)


def _state(found: os.stat_result) -> tuple[int, int]:
    return found.st_size, found.st_mtime_ns


def renumber(connection: sqlite3.Connection) -> None:
    """Assign a new number to a copy of a database, which is recognised as another one if copied over the original."""
    connection.execute(f"PRAGMA user_version={_new_number()}")


def _numbered(connection: sqlite3.Connection, number: int) -> int:
    """Assign the first number to a new or upgraded database; return its number, the old one if the disk is full."""
    with suppress(sqlite3.Error):
        renumber(connection)
        (number,) = connection.execute("PRAGMA user_version").fetchone()
    return number


def _new_number() -> int:
    return _FIRST_NUMBER + randbelow(_NUMBERS)
