"""A PostgreSQL cluster with PostGIS in a folder, connected by a socket there, and stopped at the end of its block."""

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import psutil

ACCOUNT: Final = "postgres"
"""The account that runs PostgreSQL if root starts it, since PostgreSQL refuses to run as root."""

PACKAGES: Final = "postgresql and postgresql-15-postgis-3"
"""The required packages in Debian 12."""

_PLACES: Final = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin")
"""Folders of the programs that are not on PATH."""

_SETTINGS: Final = {
    "listen_addresses": "",
    "plan_cache_mode": "force_generic_plan",
    "shared_buffers": "512MB",
    # For a standalone cluster without replicas: the shortest log that survives a power cut.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    # Existing log files are reused, since creating one writes all of it.
    "min_wal_size": "512MB",
    "max_wal_size": "4GB",
    "fsync": "on",
    "synchronous_commit": "on",
}
_LONGEST_S: Final = 60.0


class Missing(Exception):
    """A requirement of the cluster is missing. The text names it."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running cluster: the folder of its socket, the user to connect as, and its main process."""

    socket: Path
    user: str
    process: int

    @property
    def written(self) -> int:
        """Number of bytes that its processes have written to files so far."""
        first = psutil.Process(self.process)
        # Processes that have ended are included in their parent's number.
        return sum(written_by(each.pid) for each in (first, *first.children(recursive=True)))

    @property
    def cpu_s(self) -> float:
        """Processor time of all its processes so far."""
        first = psutil.Process(self.process)
        ended = first.cpu_times()
        running = [each.cpu_times() for each in (first, *first.children(recursive=True))]
        total: float = ended.children_user + ended.children_system + sum(each.user + each.system for each in running)
        return total


def written_by(process: int) -> int:
    """Return the bytes that a process and its finished children have written to files, and by `write` elsewhere.

    The system's figure for bytes written to the disk is unsuitable. If a file is rewritten, it counts whole blocks,
    which may be many times larger than the written data.
    """
    try:
        text = Path(f"/proc/{process}/io").read_text(encoding="ascii")
    except FileNotFoundError:
        return 0
    return int(text.partition("wchar: ")[2].split()[0])


def find_programs() -> Path:
    """Return the folder of the newest version of PostgreSQL's programs, or raise `Missing`."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).resolve().parent] if on_path else []
    for pattern in _PLACES:
        places = Path("/").glob(pattern.removeprefix("/"))
        found += sorted(places, key=lambda place: _version(place.parent.name), reverse=True)
    for folder in found:
        if all(os.access(folder / name, os.X_OK) for name in ("initdb", "postgres")):
            return folder
    raise Missing(f"PostgreSQL is not installed (initdb and postgres were not found); in Debian 12: {PACKAGES}.")


def _version(name: str) -> int:
    digits = "".join(filter(str.isdigit, name))
    return int(digits or 0)


def account() -> str | None:
    """Return the account that must start the cluster instead of the current one, or None. Raises `Missing`."""
    if os.geteuid():
        return None
    try:
        return pwd.getpwnam(ACCOUNT).pw_name
    except KeyError as error:
        raise Missing(f"Root cannot run PostgreSQL, and there is no account {ACCOUNT} to run it as.") from error


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """Create a cluster in a new folder, and run it."""
    programs, user = find_programs(), account()
    folder.mkdir(mode=0o700)
    if user is not None:
        shutil.chown(folder, user, pwd.getpwnam(user).pw_gid)
        # Only root may enter the temporary folder that root created.
        folder.parent.chmod(0o711)
    name = user or pwd.getpwuid(os.geteuid()).pw_name
    data = folder / "data"
    made = [str(programs / "initdb"), "-D", str(data), "-U", name, "-A", "trust", "-E", "UTF8", "--locale=C"]
    _run(made, user, folder)
    settings = [part for key, value in _SETTINGS.items() for part in ("-c", f"{key}={value}")]
    command = [str(programs / "postgres"), "-D", str(data), "-k", str(folder), *settings]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(command, stderr=log, stdout=log, cwd=folder, start_new_session=True, user=user) as process,
    ):
        try:
            _wait_until_ready(process, data)
            yield Cluster(folder, name, process.pid)
        finally:
            process.send_signal(signal.SIGINT)  # stop without waiting for clients


def _run(command: Sequence[str], user: str | None, folder: Path) -> None:
    done = subprocess.run(command, user=user, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr.strip()}")


def _wait_until_ready(process: subprocess.Popen[bytes], data: Path) -> None:
    began = monotonic()
    while not _is_ready(data):
        if process.poll() is not None or monotonic() - began > _LONGEST_S:
            raise RuntimeError(f"PostgreSQL did not start: {(data.parent / 'log').read_text(encoding='utf-8')[-2000:]}")
        sleep(0.05)


def _is_ready(data: Path) -> bool:
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return False
    return len(lines) > 7 and lines[7].strip() == "ready"
