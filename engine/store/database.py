"""Opening the database and upgrading its schema."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, override

import sqlalchemy as sa
import sqlalchemy.dialects
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.util import LRUCache

from engine.domain.environment import Environment
from engine.domain.errors import StorageUnavailable, WorkspaceError
from engine.domain.ports import Progress, Stop, no_progress
from engine.domain.settings import DEFAULT_SETTINGS
from engine.store.migrations.copies import drop_copy
from engine.store.ownership import sign
from engine.store.records.fields import settings_text
from engine.store.statements import KEPT_STATEMENTS
from engine.store.tables import metadata as tables
from engine.store.watching.files import DatabaseFiles, renumber

SCHEMA_VERSION = "0023"
"""Newest migration in `migrations/versions`."""

_COPY_PAGES = 1_000
_BUSY_MS = 5_000
_CACHED_KIB, _FEW_CACHED_KIB = -65_536, -1_024
"""Values for SQLite, where a negative number is in kibibytes."""

_LOG_ROOM: Final = 65_536
"""Bytes of disk space that SQLite needs to open a database, for the write-ahead log and its index."""

_PRIMARY_CODE: Final = 0xFF
"""Bit mask for the primary code of an SQLite error."""

_STEPS_BETWEEN_LOOKS: Final = 20_000
"""Number of SQLite VM steps after which a long statement checks for a stop. They take a few milliseconds."""

_PURGE_MS = 50
"""How long emptying the write-ahead log waits for readers."""

_VERSIONS = sa.Table("alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True))
"""The version table of Alembic."""

_PRAGMAS = (
    # Readers never wait for the writer, and the writer waits only for the disk.
    "PRAGMA journal_mode=WAL",
    # Acknowledged updates survive a power failure.
    "PRAGMA synchronous=FULL",
    f"PRAGMA busy_timeout={_BUSY_MS}",
    "PRAGMA temp_store=MEMORY",
    f"PRAGMA cache_size={_CACHED_KIB}",
    # Deleted data is overwritten, which is not the default of every SQLite build.
    "PRAGMA secure_delete=ON",
)


@contextmanager
def keeping_few_pages(connection: sa.Connection) -> Iterator[None]:
    """Reduce the page cache while reading much data once.

    Otherwise the objects created from the pages would lie between them, so that the memory could not be freed.
    """
    connection.exec_driver_sql(f"PRAGMA cache_size={_FEW_CACHED_KIB}")
    try:
        yield
    finally:
        connection.exec_driver_sql(f"PRAGMA cache_size={_CACHED_KIB}")


class AlikeDialect(SQLiteDialect_pysqlite):
    """A dialect that is equal for all SQLite databases of the process, so that compiled statements can be shared."""

    supports_statement_cache = True

    @override
    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    @override
    def __hash__(self) -> int:
        return hash(type(self))


sa.dialects.registry.register("sqlite.alike", __name__, AlikeDialect.__name__)

_STATEMENTS: Final = LRUCache[Any, Any](500)
"""Compiled statements of all databases. Compiling took a third of the time to open, use and close a database."""


class Database:
    """The open database, with connections for reading from any thread and one for the writer."""

    def __init__(self, file: Path, progress: Progress = no_progress, stop: Stop | None = None) -> None:
        """Open the SQLite database in `file`, creating or upgrading it as needed.

        `progress` reports an upgrade and may raise `Cancelled`, which leaves the database unchanged. Once `stop` has
        begun, long reads end. Raises `WorkspaceError` if the file is not a database, was written by a newer version, or
        cannot be upgraded.
        """
        self.file = file
        self.stop = Stop() if stop is None else stop
        try:
            self.files = DatabaseFiles(file)
        except OSError as error:
            raise WorkspaceError(f"The database {file} cannot be opened: {error.strerror}.") from error
        # A URI with an explicit mode, so that SQLite does not create a file that was deleted.
        address = sa.URL.create("sqlite+alike", database=file.absolute().as_uri(), query={"mode": "rw", "uri": "true"})
        self._engine = sa.create_engine(
            address,
            connect_args={"cached_statements": KEPT_STATEMENTS},
            execution_options={"compiled_cache": _STATEMENTS},
            pool_size=4,
            max_overflow=28,
        )
        self._spare: sqlite3.Connection | None = None
        self._using_spare = Lock()
        sa.event.listen(self._engine, "connect", self._on_connect)
        try:
            with self._engine.connect() as connection:
                _migrate(connection, file, progress)
            self._spare = self._open_spare()
            self.files.begin(self._spare)
        except (DBAPIError, sqlite3.Error) as error:
            self.close()
            cause = error.orig if isinstance(error, DBAPIError) else error
            if _lacks_room(cause, file):
                raise WorkspaceError(f"The database {file} cannot be opened: the disk is full.") from error
            raise WorkspaceError(f"The database {file} cannot be opened: {cause}.") from error
        except BaseException:
            self.close()
            raise

    def connect(self) -> sa.Connection:
        """Return a connection that the caller must close."""
        return self._engine.connect()

    def read[T](self, query: Callable[[sa.Connection], T]) -> T:
        """Run a query on the last commit and return its result.

        Raises `StorageUnavailable`, or `Stopped` if a long query is interrupted because the program is stopping.
        """
        self.files.check()
        with stopping(self.stop), storage_errors(), self._engine.connect() as connection:
            return query(connection)

    def read_at_once[T](self, query: Callable[[sa.Connection], T]) -> T:
        """Run a query of several statements on the same commit and return its result."""

        def of_one_commit(connection: sa.Connection) -> T:
            # The driver only begins transactions for writes.
            connection.exec_driver_sql("BEGIN")
            return query(connection)

        return self.read(of_one_commit)

    def copy_to(self, file: Path, progress: Progress) -> None:
        """Write a consistent copy of the database into a new file while the database is in use.

        `progress` receives numbers of database pages and may raise `Cancelled`.
        """
        if self.files.look() is not None and self.files.is_overwritten:
            raise StorageUnavailable(f"There is nothing left to copy: {self.file} was overwritten by another program.")
        source = self._spare
        assert source is not None
        target = sqlite3.connect(file)
        try:
            with storage_errors(), self._using_spare:
                source.backup(target, pages=_COPY_PAGES, progress=lambda _, left, total: progress(total - left, total))
            renumber(target)
        except sqlite3.Error as error:
            raise StorageUnavailable(f"The database could not be copied: {error}.") from error
        finally:
            target.close()

    def before_commit(self, connection: sa.Connection) -> None:
        """Check the files before the open transaction is committed; raises `StorageUnavailable`."""
        self.files.check()
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        self.files.mark(driver)

    def make_safe(self) -> bool:
        """Empty the write-ahead log if the files are not the ones that were opened; return success.

        SQLite would later treat its contents as the log of the database that has replaced this one.
        """
        if self.files.look(thoroughly=True) is None or self._spare is None:
            return True
        if not self._using_spare.acquire(blocking=False):
            return False  # a copy is being saved
        try:
            if not self.files.is_overwritten:
                return _emptied(self._spare)
            if self._is_log_ours(self._spare):
                self.files.drop_log()
        except (OSError, sqlite3.Error):
            return False
        finally:
            self._using_spare.release()
        return True

    def close(self) -> None:
        """Close all connections. Does nothing if they are closed already."""
        if self.files.is_closed:
            return
        self.make_safe()
        self._engine.dispose()
        if self._spare is not None:
            if self.files.is_overwritten:
                self._spare.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)
            self._spare.close()
            self._spare = None
        self.files.close()

    def _open_spare(self) -> sqlite3.Connection:
        """Return a connection that stays open with the database and reads the file even if its path is removed."""
        address = f"{self.file.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(address, uri=True, check_same_thread=False, cached_statements=KEPT_STATEMENTS)
        _configure(connection)
        return connection

    def _is_log_ours(self, connection: sqlite3.Connection) -> bool:
        """Return whether the contents of the write-ahead log were written by this process."""
        (number,) = connection.execute("PRAGMA user_version").fetchone()
        return self.files.knows(number)

    def _on_connect(self, connection: sqlite3.Connection, _record: object) -> None:
        _configure(connection)
        interrupt(connection, lambda: self.stop.begun)
        if self._spare is not None and (problem := self.files.look(thoroughly=True)) is not None:
            # The connection may have opened another file.
            connection.close()
            raise problem


def _lacks_room(error: BaseException | None, file: Path) -> bool:
    """Return whether opening a database failed for lack of disk space for its log, which SQLite does not report."""
    if getattr(error, "sqlite_errorcode", 0) & _PRIMARY_CODE != sqlite3.SQLITE_IOERR:
        return False
    try:
        return shutil.disk_usage(file.resolve().parent).free < _LOG_ROOM
    except OSError:
        return False


def interrupt(connection: sqlite3.Connection, when: Callable[[], bool]) -> None:
    """Interrupt a long operation of a connection as soon as `when` returns True."""
    connection.set_progress_handler(when, _STEPS_BETWEEN_LOOKS)


def driver_of(connection: sa.Connection) -> sqlite3.Connection:
    """Return the driver's own connection."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def purge_log(connection: sa.Connection) -> bool:
    """Empty the write-ahead log, which contains deleted and replaced data; return whether it is empty.

    It cannot be emptied while another connection reads from it, or if the disk is full.
    """
    return _emptied(driver_of(connection))


def _emptied(connection: sqlite3.Connection) -> bool:
    connection.execute(f"PRAGMA busy_timeout={_PURGE_MS}")
    try:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error:
        return False
    finally:
        connection.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
    return not busy


def _configure(connection: sqlite3.Connection) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _migrate(connection: sa.Connection, file: Path, progress: Progress) -> None:
    version = _version(connection)
    if version is None:
        _make(connection, file)
    elif version > SCHEMA_VERSION:
        raise WorkspaceError(
            f"The database has schema {version}, which is newer than this program's {SCHEMA_VERSION}: "
            "open it with a newer Fencewright."
        )
    elif version != SCHEMA_VERSION:
        # Imported here because Alembic is slow to import and most databases are current or new.
        from engine.store.migrations.upgrading import upgrade

        upgrade(connection, file, version, progress)
    driver = driver_of(connection)
    sign(driver)
    drop_copy(driver, file)


def _make(connection: sa.Connection, file: Path) -> None:
    """Create the tables of a database that is new or whose creation by an earlier program was interrupted."""
    if _names(connection):
        from engine.store.migrations.upgrading import is_unmade

        if not is_unmade(connection):
            raise WorkspaceError(
                f"The database {file} does not say which schema it has (alembic_version is empty), so nothing in it "
                "was changed. Put a saved copy of the workspace in its place, or choose another workspace."
            )
    _create(connection)


def _create(connection: sa.Connection) -> None:
    """Create all tables of an empty database in their current form, either all or none."""
    _pattern().backup(driver_of(connection))


@cache
def _pattern() -> sqlite3.Connection:
    """Return an empty database with all tables. Copying it takes a fifth of the time needed to create the tables."""
    # Can be used from any thread, because SQLite serialises access.
    pattern = sqlite3.connect(":memory:", check_same_thread=False)
    for statement in _schema():
        pattern.execute(statement)
    pattern.execute("INSERT INTO alembic_version (version_num) VALUES (?)", (SCHEMA_VERSION,))
    # Settings that are not stored are those of an earlier version of this program.
    first = [(int(environment.live), 0, settings_text(DEFAULT_SETTINGS)) for environment in Environment]
    pattern.executemany("INSERT INTO settings (live, changed_at, content) VALUES (?, ?, ?)", first)
    pattern.commit()
    return pattern


@cache
def _schema() -> tuple[str, ...]:
    """Return the statements that create all tables.

    Compiling them takes longer than running them, so they are cached.
    """
    statements: list[str] = []

    def write(statement: sa.ExecutableDDLElement, *_: object) -> None:
        statements.append(str(statement.compile(dialect=writer.dialect)))

    writer = sa.create_mock_engine("sqlite://", write)
    for part in (tables, _VERSIONS.metadata):
        part.create_all(writer, checkfirst=False)
    return tuple(statements)


def _names(connection: sa.Connection) -> set[str]:
    """Return the names of all tables and other objects in a database."""
    return {name for (name,) in connection.exec_driver_sql("SELECT name FROM sqlite_master")}


def _version(connection: sa.Connection) -> str | None:
    if "alembic_version" not in _names(connection):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


@contextmanager
def stopping(stop: Stop) -> Iterator[None]:
    """Raise `Stopped` in place of the error of a statement that was interrupted by a stop."""
    try:
        yield
    except StorageUnavailable:
        stop.check()
        raise


@contextmanager
def storage_errors() -> Iterator[None]:
    """Convert errors of the database driver to the domain's own error."""
    try:
        yield
    except DBAPIError as error:
        raise StorageUnavailable(f"The database could not be used: {error.orig}.") from error
