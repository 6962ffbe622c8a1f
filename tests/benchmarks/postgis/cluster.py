"""A PostgreSQL cluster with PostGIS in a folder, reached by a socket there; it ends with its block."""

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
"""The account that PostgreSQL runs as where root starts it, which it refuses."""

PACKAGES: Final = "postgresql and postgresql-15-postgis-3"
"""The names of what is needed in Debian 12."""

_PLACES: Final = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin")
"""Where the programs are that no PATH has."""

_SETTINGS: Final = {
    "listen_addresses": "",
    "plan_cache_mode": "force_generic_plan",
    "shared_buffers": "512MB",
    # For a cluster of its own, without copies elsewhere: the shortest log that survives a power cut.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    # Files of the log that are there already are used again; to make one writes all of it.
    "min_wal_size": "512MB",
    "max_wal_size": "4GB",
    "fsync": "on",
    "synchronous_commit": "on",
}
_LONGEST_S: Final = 60.0


class Missing(Exception):
    """Something without which there is no cluster; the text says which."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running cluster: the folder of its socket, the user to connect as, and its first process."""

    socket: Path
    user: str
    process: int

    @property
    def written(self) -> int:
        """The bytes that its processes have written into files so far."""
        first = psutil.Process(self.process)
        # Those of processes that have ended count as their parent's.
        return sum(written_by(each.pid) for each in (first, *first.children(recursive=True)))

    @property
    def cpu_s(self) -> float:
        """The processor time of all of its processes so far."""
        first = psutil.Process(self.process)
        ended = first.cpu_times()
        running = [each.cpu_times() for each in (first, *first.children(recursive=True))]
        total: float = ended.children_user + ended.children_system + sum(each.user + each.system for each in running)
        return total


def written_by(process: int) -> int:
    """Return the bytes that a process, and those it has waited for, have written into files, and by `write` elsewhere.

    What the system counts as written to the disk would not do: of a file that is written again it counts whole pieces,
    which may be many times as large as what was written.
    """
    try:
        text = Path(f"/proc/{process}/io").read_text(encoding="ascii")
    except FileNotFoundError:
        return 0
    return int(text.partition("wchar: ")[2].split()[0])


def find_programs() -> Path:
    """Return the folder with PostgreSQL's programs, of the newest version; raises `Missing`."""
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
    """Return the account to start the cluster as where it cannot be the own one; raises `Missing`."""
    if os.geteuid():
        return None
    try:
        return pwd.getpwnam(ACCOUNT).pw_name
    except KeyError as error:
        raise Missing(f"Root cannot run PostgreSQL, and there is no account {ACCOUNT} to run it as.") from error


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """Make a cluster in a folder, which is made, and run it."""
    programs, user = find_programs(), account()
    folder.mkdir(mode=0o700)
    if user is not None:
        shutil.chown(folder, user, pwd.getpwnam(user).pw_gid)
        # Only root may enter the temporary folder that it made.
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
            process.send_signal(signal.SIGINT)  # it ends without waiting for its clients


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
