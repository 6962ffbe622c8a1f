"""Debian systems made by debootstrap, kept in the cache of the user for all tests of this machine."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.packaging.debian_settings import environment_of, mirrors, write_settings

KEPT_DAYS = 7.0
"""After this time, a system is made again, since apt would no longer find some packages of its lists."""

_PROGRAMS = ("debootstrap", "unshare", "nsenter", "mount", "pivot_root")


@contextmanager
def kept_system(suite: str, packages: Sequence[str] = ()) -> Generator[Path]:
    """Return the folder of a system with these packages, which must not be changed. It is not removed meanwhile."""
    if os.geteuid() != 0:
        pytest.skip("only root can make a Debian root")
    if missing := [name for name in _PROGRAMS if shutil.which(name) is None]:
        pytest.skip(f"a Debian root needs {', '.join(missing)}")
    with _system(suite, packages) as folder:
        yield folder


@contextmanager
def _system(suite: str, packages: Sequence[str]) -> Generator[Path]:
    if not packages:
        with _kept(f"debian-{suite}", lambda folder: _debootstrap(suite, folder)) as folder:
            yield folder
        return
    names = sorted(set(packages))
    digest = hashlib.sha256(" ".join(names).encode()).hexdigest()[:12]

    def make(folder: Path) -> None:
        with _system(suite, ()) as bare:
            _install(bare, folder, suite, names)

    with _kept(f"debian-{suite}-{digest}", make) as folder:
        yield folder


@contextmanager
def _kept(name: str, make: Callable[[Path], None]) -> Generator[Path]:
    """Make a folder of the cache if it is missing or old, and keep other processes from removing it."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fencewright"
    cache.mkdir(parents=True, exist_ok=True)
    folder = cache / name
    with (cache / f"{name}.lock").open("w") as lock:
        while True:
            fcntl.flock(lock, fcntl.LOCK_SH)
            if _is_fresh(folder):
                break
            fcntl.flock(lock, fcntl.LOCK_UN)
            if not _lock_alone(lock.fileno(), wait=not folder.exists()):
                # It is old, and a test uses it.
                fcntl.flock(lock, fcntl.LOCK_SH)
                if folder.exists():
                    break
                continue
            if not _is_fresh(folder):
                _replace(folder, make)
        yield folder


def _is_fresh(folder: Path) -> bool:
    return folder.exists() and time.time() - folder.stat().st_mtime < KEPT_DAYS * 86_400


def _lock_alone(lock: int, *, wait: bool) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _replace(folder: Path, make: Callable[[Path], None]) -> None:
    for left in folder.parent.glob(f"{folder.name}.new-*"):
        _remove(left)
    work = Path(mkdtemp(prefix=f"{folder.name}.new-", dir=folder.parent))
    work.chmod(0o755)
    try:
        make(work)
        if folder.exists():
            old = work.with_name(f"{work.name}-old")
            folder.rename(old)
            _remove(old)
        os.utime(work)
        work.rename(folder)
    finally:
        _remove(work)


def _remove(folder: Path) -> None:
    """Remove a system, but nothing that is still mounted below it."""
    if folder.exists():
        subprocess.run(["rm", "-rf", "--one-file-system", folder], check=True)


def _debootstrap(suite: str, folder: Path) -> None:
    source = mirrors().get("archive")
    command: list[str | Path] = ["debootstrap", "--variant=minbase", suite, folder, *([source] if source else [])]
    # debootstrap mounts /proc and /sys in the new system, which must not remain if it is killed.
    done = _alone(command)
    if done.returncode:
        pytest.skip(f"debootstrap could not make {suite}: {_last_line(done)}")
    write_settings(folder, suite)
    _clean(folder)


def _install(bare: Path, folder: Path, suite: str, packages: Sequence[str]) -> None:
    subprocess.run(["cp", "-aT", "--reflink=auto", bare, folder], check=True)
    apt = 'apt-get -q update && exec apt-get -q install -y --no-install-recommends "$@"'
    script = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" sh -c "$@"'
    done = _alone(["sh", "-c", script, folder, apt, "sh", *packages], suite)
    if done.returncode:
        pytest.skip(f"apt could not install {' '.join(packages)} in {suite}: {_last_line(done)}")
    _clean(folder)


def _alone(command: Sequence[str | Path], suite: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command with mounts and processes that end with it."""
    unshare = ["unshare", "--mount", "--propagation=private", "--pid", "--fork", "--kill-child", "--mount-proc"]
    return subprocess.run(
        [*unshare, *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment_of(suite),
        check=False,
    )


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    return lines[-1] if lines else f"exit code {done.returncode}"


def _clean(folder: Path) -> None:
    """Remove packages that apt has downloaded and its lists, which get old."""
    for parent in ("var/cache/apt/archives", "var/lib/apt/lists"):
        for file in (folder / parent).iterdir():
            if file.is_file() and file.name != "lock":
                file.unlink()
