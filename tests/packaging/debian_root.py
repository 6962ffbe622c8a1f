"""Bare Debian systems in folders of their own, for tests that install the program as users and their CI do.

Each is a fresh copy of a system that debootstrap has made once. Its processes have their own mounts and process IDs.
They end with the test, also if that is killed, and share the network of the machine.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO

from tests.packaging.debian_settings import environment_of
from tests.packaging.debian_systems import kept_system

# Runs as the first process of the root: lays a writable layer over the system, adds what a container has, and waits for
# the end of its input. When it ends, the kernel ends all other processes of the root and removes the mounts.
_FIRST = r"""
set -eu
system=$1; work=$2; shift 2
mkdir -p "$work/changes" "$work/scratch" "$work/root"
layers="lowerdir=$system,upperdir=$work/changes,workdir=$work/scratch"
if ! mount -t overlay overlay -o "$layers" "$work/root" 2>/dev/null; then
    cp -a --reflink=auto "$system/." "$work/root/"
    mount --bind "$work/root" "$work/root"
fi
cd "$work/root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys 2>/dev/null || true
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
    : >"dev/$name"
    mount --bind "/dev/$name" "dev/$name"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s fd/0 dev/stdin; ln -s fd/1 dev/stdout; ln -s fd/2 dev/stderr
while [ $# -gt 0 ]; do
    mkdir -p "./$2"
    mount --bind "$1" "./$2"
    shift 2
done
mkdir -p .outside
pivot_root . .outside
cd /
umount -l /.outside
rmdir /.outside
trap '' CHLD
echo ready
exec cat >/dev/null
"""
_END_S = 10.0
_SHOWN = 6000


class Failed(AssertionError):
    """A command of a test has failed in the root."""


class DebianRoot:
    """A running Debian system; see `debian_root`."""

    def __init__(self, first: int, environment: Mapping[str, str]) -> None:
        """Use the root whose first process has this ID outside of it."""
        self._first = first
        self._environment = environment
        self._started: list[subprocess.Popen[str]] = []

    @property
    def path(self) -> Path:
        """The root's files as seen from outside. Absolute symbolic links lead to files of the machine."""
        return Path(f"/proc/{self._first}/root")

    def run(
        self,
        command: Sequence[str | Path],
        *,
        user: str = "root",
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        text: str = "",
        timeout_s: float = 600.0,
        check: bool = True,
    ) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, with the given text as its input, and return its output.

        Raise `Failed` if it takes too long or, unless `check` is false, if its exit code is not 0. What it has left in
        the background keeps running.
        """
        with TemporaryFile("w+") as given, TemporaryFile("w+") as output, TemporaryFile("w+") as errors:
            given.write(text)
            given.seek(0)
            process = self._open(command, user, env, cwd, given, output, errors)
            try:
                code = process.wait(timeout_s)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                _kill(process)
            output.seek(0)
            errors.seek(0)
            printed, complaints = output.read(), errors.read()
        failed = f"took more than {timeout_s:g} s" if code is None else f"ended with {code}" if check and code else ""
        if code is None or failed:
            raise Failed(f"{' '.join(map(str, command))} {failed}\n{printed[-_SHOWN:]}\n{complaints[-_SHOWN:]}")
        return subprocess.CompletedProcess(list(command), code, printed, complaints)

    def sh(
        self,
        script: str,
        *,
        user: str = "root",
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout_s: float = 600.0,
        check: bool = True,
    ) -> subprocess.CompletedProcess[str]:
        """Run a script with ``sh -e``; otherwise as `run`."""
        command = ["sh", "-ec", script]
        return self.run(command, user=user, env=env, cwd=cwd, timeout_s=timeout_s, check=check)

    def start(
        self,
        command: Sequence[str | Path],
        *,
        user: str = "root",
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        stdout: IO[str] | int = subprocess.DEVNULL,
        stderr: IO[str] | int = subprocess.DEVNULL,
    ) -> subprocess.Popen[str]:
        """Start a command in the background; end it with `stop`. It ends with the root at the latest."""
        process = self._open(command, user, env, cwd, subprocess.DEVNULL, stdout, stderr)
        self._started.append(process)
        return process

    def stop(self, process: subprocess.Popen[str], number: int = signal.SIGTERM, timeout_s: float = 30.0) -> int:
        """Send a signal to a command that was started, wait for its end and return its exit code."""
        if process.poll() is None:
            os.killpg(process.pid, number)
        try:
            return process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            _kill(process)
            raise

    def install(self, *packages: str) -> None:
        """Install Debian packages without those that they only recommend."""
        self.run(["apt-get", "-q", "update"])
        self.run(["apt-get", "-q", "install", "-y", "--no-install-recommends", *packages], timeout_s=1800)

    def copy_in(self, source: Path, target: str) -> None:
        """Copy a file or folder of the machine to the absolute path `target` of the root, with its permissions."""
        inside = self.path / target.lstrip("/")
        inside.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-aT", "--reflink=auto", source, inside], check=True)
        subprocess.run(["chown", "-Rh", "0:0", inside], check=True)

    def close(self) -> None:
        """End the commands that were started."""
        for process in self._started:
            _kill(process)

    def _open(
        self,
        command: Sequence[str | Path],
        user: str,
        env: Mapping[str, str] | None,
        cwd: str | None,
        stdin: IO[str] | int,
        stdout: IO[str] | int,
        stderr: IO[str] | int,
    ) -> subprocess.Popen[str]:
        home = self._home(user)
        variables = {**self._environment, "HOME": home, "USER": user, "LOGNAME": user, **(env or {})}
        # nsenter is a program of the machine; env, setpriv and sh are those of the root.
        enter = [
            shutil.which("nsenter") or "nsenter",
            f"--target={self._first}",
            "--mount",
            "--pid",
            "--",
            "/usr/bin/env",
        ]
        become = ["-i", *(f"{name}={value}" for name, value in variables.items())]
        if user != "root":
            become += ["/usr/bin/setpriv", f"--reuid={user}", f"--regid={self._group(user)}", "--init-groups"]
        within = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', cwd or home, *map(str, command)]
        return subprocess.Popen(
            [*enter, *become, *within],
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            text=True,
            env={},
            start_new_session=True,
        )

    def _account(self, user: str) -> list[str]:
        lines = (self.path / "etc/passwd").read_text().splitlines()
        account = next((line.split(":") for line in lines if line.startswith(f"{user}:")), None)
        if account is None:
            raise Failed(f"the root has no user {user}; add one with useradd --create-home")
        return account

    def _home(self, user: str) -> str:
        return self._account(user)[5]

    def _group(self, user: str) -> str:
        return self._account(user)[3]


def _kill(process: subprocess.Popen[str]) -> None:
    """End a command and the processes of its group. Those that it has detached keep running."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def debian_root(
    suite: str = "bookworm",
    packages: Sequence[str] = (),
    *,
    shared: Mapping[Path, str] | None = None,
) -> Generator[DebianRoot]:
    """Make a fresh, bare Debian system of a release, and remove it afterwards.

    A system with `packages` is kept for later tests, as is the bare one. Folders of the machine in `shared` appear
    under the given paths and can be written. The test is skipped, with the reason, where no system can be made.
    """
    with kept_system(suite, packages) as system, TemporaryDirectory(prefix="fencewright-debian-") as work:
        mounts = [str(part) for pair in (shared or {}).items() for part in pair]
        command = ["unshare", "--mount", "--propagation=private", "--pid", "--fork", "--kill-child", "sh", "-c", _FIRST]
        holder = subprocess.Popen(
            [*command, "sh", system, work, *mounts],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        root = None
        try:
            assert holder.stdout is not None
            if holder.stdout.readline() != "ready\n":
                raise Failed("the Debian root could not be mounted; its messages are above")
            children = Path(f"/proc/{holder.pid}/task/{holder.pid}/children").read_text().split()
            root = DebianRoot(int(children[0]), environment_of(suite))
            yield root
        finally:
            if root is not None:
                root.close()
            assert holder.stdin is not None
            assert holder.stdout is not None
            holder.stdin.close()
            holder.stdout.close()
            try:
                holder.wait(_END_S)
            except subprocess.TimeoutExpired:
                sys.stderr.write("the Debian root did not end by itself\n")
                holder.kill()
                holder.wait()
