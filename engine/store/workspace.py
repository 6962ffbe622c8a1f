"""The workspace: a folder with the database, the keys and the settings of a project.

The process that has it open holds a lock on it and publishes its address, so that other commands can use that process.
Nothing ever bypasses its writer.
"""

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import IO

import orjson
from msgspec import Struct
from msgspec.structs import asdict

from engine.domain.errors import WorkspaceBusy, WorkspaceError
from engine.domain.nesting import not_too_deep
from engine.store.certificates.keeping import Certificates
from engine.store.keys import KeyRing, write_private
from engine.store.ownership import check_ours

MEMORY = ":memory:"
"""Name of a workspace that exists only as long as the process."""

DATABASE = "fencewright.db"
KEYS = "keys.json"
SETTINGS = "settings.json"
WINDOW = "window.json"
"""The window's file in the workspace, with the colours of tags and saved filters."""
_LOCK = "lock"
_LOCK_TRIES = 10
_LOCK_WAIT_S = 0.05
_ENDPOINT = "endpoint.json"


class Endpoint(Struct, frozen=True):
    """Address of the process that has the workspace open.

    `control_url` is for other commands on the workspace and always set. `url` is the endpoint for clients, or None
    while it is stopped. A `brief` process is a command that ends when its own work is done. A `temporary` workspace is
    deleted when the process ends.
    """

    pid: int
    control_url: str
    control_token: str
    url: str | None
    brief: bool = False
    temporary: bool = False


class Workspace:
    """An open, locked workspace."""

    def __init__(self, folder: Path, lock: IO[bytes], *, temporary: bool) -> None:
        """Create the object. Used by `open_workspace`, which already holds the lock."""
        self.folder = folder
        self.temporary = temporary
        self.keys = KeyRing(folder / KEYS)
        self.certificates = Certificates(folder)
        self._lock = lock
        self._identity = _identity(folder.stat())
        self._endpoint: Endpoint | None = None
        self._small_files: dict[str, tuple[int, bytes]] = {}

    @property
    def name(self) -> str:
        """Name of the workspace for a title."""
        return "Temporary workspace" if self.temporary else self.folder.name

    @property
    def database_file(self) -> Path:
        """Path of the SQLite database."""
        return self.folder / DATABASE

    @property
    def endpoint(self) -> Endpoint | None:
        """The address that was published last."""
        return self._endpoint

    @property
    def is_in_place(self) -> bool:
        """Whether the folder at the workspace's path is still the folder that was opened."""
        try:
            return _identity(self.folder.stat()) == self._identity
        except OSError:
            return False

    def remember(self) -> None:
        """Keep the contents of the small files in memory, so that a copy can be saved if the folder is deleted."""
        for name in (SETTINGS, WINDOW):
            file = self.folder / name
            with suppress(OSError):
                written = file.stat().st_mtime_ns
                if self._small_files.get(name, (0, b""))[0] != written:
                    self._small_files[name] = written, file.read_bytes()

    def copy_small_files(self, folder: Path) -> None:
        """Write the keys and the last known small files into a folder; raises `OSError`."""
        self.keys.save_as(folder / KEYS)
        if self.is_in_place:
            self.remember()
        for name, (_, content) in self._small_files.items():
            (folder / name).write_bytes(content)

    def hold(self) -> bool:
        """Return whether this process holds the lock.

        A deleted lock file is created again if no other process has it. The workspace must be in place.
        """
        try:
            if self._has_lock():
                return True
            if (lock := _lock_file(self.folder)) is None:
                return False
            self._lock.close()
            self._lock = lock
            if self._endpoint is not None and _published(self.folder) is None:
                self.publish(self._endpoint)
        except (OSError, WorkspaceError):
            pass  # without write access, no other process can open it either
        return True

    def _has_lock(self) -> bool:
        try:
            return _identity((self.folder / _LOCK).stat()) == _identity(os.fstat(self._lock.fileno()))
        except FileNotFoundError:
            return False

    def publish(self, endpoint: Endpoint) -> None:
        """Publish the address of this process for other commands; raises `WorkspaceError` if this is not possible."""
        if not self.is_in_place:
            raise WorkspaceError(f"The folder {self.folder} was deleted or replaced while it was open.")
        try:
            write_private(self.folder / _ENDPOINT, orjson.dumps(asdict(endpoint)))
        except OSError as error:
            raise WorkspaceError(f"Nothing can be written in {self.folder}: {error.strerror}.") from error
        self._endpoint = endpoint

    def close(self) -> None:
        """Withdraw the address, release the lock and delete a temporary workspace. Can be called repeatedly."""
        if self._lock.closed:
            return
        self._withdraw_address()
        self._lock.close()
        self._remove_temporary()

    def withdraw(self) -> None:
        """Withdraw the address and delete a temporary workspace, before the process ends and releases the lock."""
        self._withdraw_address()
        self._remove_temporary()

    def _withdraw_address(self) -> None:
        with suppress(OSError):
            # Another process may have the folder that has replaced this one, or its lock.
            if self._has_lock():
                (self.folder / _ENDPOINT).unlink(missing_ok=True)

    def _remove_temporary(self) -> None:
        if self.temporary:
            shutil.rmtree(self.folder, ignore_errors=True)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def open_workspace(folder: Path | str) -> Workspace:
    """Open or create the workspace in `folder` and lock it. ":memory:" creates a temporary one.

    Raises `WorkspaceBusy` if another process has it open, or `WorkspaceError` if the folder cannot be used.
    """
    temporary = str(folder) == MEMORY
    path = Path(tempfile.mkdtemp(prefix="fencewright-")) if temporary else Path(folder).expanduser().absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _locked(path, temporary=temporary)
    except OSError as error:
        raise WorkspaceError(f"The workspace {path} cannot be opened: {error.strerror}.") from error


def _locked(folder: Path, *, temporary: bool) -> Workspace:
    lock = _lock_patiently(folder)
    try:
        check_ours(folder / DATABASE)
        (folder / _ENDPOINT).unlink(missing_ok=True)
        return Workspace(folder, lock, temporary=temporary)
    except BaseException:
        lock.close()
        raise


def _lock_patiently(folder: Path) -> IO[bytes]:
    for _ in range(_LOCK_TRIES):
        if (lock := _lock_file(folder)) is not None:
            return lock
        if _published(folder) is not None:
            break
        # Without an address, the holder is only checking whether the workspace is open, or is about to publish one.
        sleep(_LOCK_WAIT_S)
    raise WorkspaceBusy(_busy_text(folder))


def _lock_file(folder: Path) -> IO[bytes] | None:
    """Return the open, locked lock file, or None if another process holds it."""
    # The kernel releases the lock when its holder dies for any reason.
    stream = os.fdopen(os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600), "rb")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        return None
    return stream


def _busy_text(folder: Path) -> str:
    endpoint = _published(folder)
    if endpoint is None:
        return f"The workspace {folder} is open in another process."
    at = f" at {endpoint.url}" if endpoint.url else ""
    return f"The workspace {folder} is open in another process (process {endpoint.pid}){at}."


def read_endpoint(folder: Path) -> Endpoint | None:
    """Return the address of the process that has the workspace open, or None if it is not open."""
    if not (folder / _LOCK).exists():
        return None
    lock = _lock_file(folder)
    if lock is not None:
        lock.close()
        return None
    return _published(folder)


def find_holder(folder: Path) -> tuple[bool, Endpoint | None]:
    """Return whether a process has the workspace open, and its address if it has published one.

    A process without an address may only be checking the lock, or about to publish one, so it is observed for a moment.
    """
    for _ in range(_LOCK_TRIES):
        if not is_locked(folder):
            return False, None
        if (endpoint := _published(folder)) is not None:
            return True, endpoint
        sleep(_LOCK_WAIT_S)
    return True, None


def is_workspace(folder: Path) -> bool:
    """Return whether a folder contains a workspace, or at least its keys, and no database of another program."""
    try:
        check_ours(folder / DATABASE)
        return (folder / DATABASE).exists() or (folder / KEYS).exists()
    except (OSError, WorkspaceError):
        return False


def is_locked(folder: Path) -> bool:
    """Return whether a process has the workspace open at this moment, even if it does not respond."""
    if not (folder / _LOCK).exists():
        return False
    lock = _lock_file(folder)
    if lock is not None:
        lock.close()
    return lock is None


def _published(folder: Path) -> Endpoint | None:
    try:
        return Endpoint(**orjson.loads(not_too_deep((folder / _ENDPOINT).read_bytes())))
    except (OSError, ValueError, TypeError):
        return None


def read_keys(folder: Path) -> KeyRing:
    """Return the keys of a workspace that is not open."""
    return KeyRing(folder / KEYS)
