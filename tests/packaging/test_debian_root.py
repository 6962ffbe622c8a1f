"""The Debian roots of other tests: bare, writable, connected, and leaving nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.packaging.checkout import ROOT
from tests.packaging.debian_root import Failed, debian_root

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="Debian runs on Linux")]


def ends(process: int) -> bool:
    """Return whether a process ends within seconds, or merely waits to be collected."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            if " Z " in Path(f"/proc/{process}/stat").read_text():
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


def outside_ids(root: Path, command: str) -> list[int]:
    """Return the IDs, outside of the root, of its processes with this command line."""
    first = (root.parent / "ns/pid").readlink()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "ns/pid").readlink() == first and command in (folder / "cmdline").read_text():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def test_it_is_a_bare_system_in_which_users_can_install() -> None:
    with debian_root() as root:
        assert "bookworm" in root.sh("cat /etc/os-release").stdout
        assert "WITHIN" not in root.run(["env"]).stdout
        assert root.run(["sh", "-c", "command -v python3 || command -v curl"], check=False).returncode != 0
        root.run(["useradd", "--create-home", "--shell", "/bin/sh", "ann"])
        assert root.sh("whoami; pwd; echo kept >file", user="ann").stdout.split() == ["ann", "/home/ann"]
        assert (root.path / "home/ann/file").read_text() == "kept\n"
        assert root.run(["touch", "/etc/mine"], user="ann", check=False).returncode != 0
        root.install("jq")
        assert root.sh("echo '{\"a\": 1}' | jq .a").stdout == "1\n"
    with debian_root() as root:
        assert not (root.path / "home/ann").exists()


def test_files_folders_and_input_reach_it(tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "run").write_text("#!/bin/sh\ncat\n")
    (tmp_path / "given" / "run").chmod(0o755)
    common = tmp_path / "common"
    common.mkdir()
    with debian_root(shared={common: "/var/common"}) as root:
        root.copy_in(tmp_path / "given", "/opt/given")
        assert root.run(["/opt/given/run"], text="one\n").stdout == "one\n"
        root.sh("echo two >/var/common/file")
    assert (common / "file").read_text() == "two\n"


def test_a_failed_and_a_slow_command_are_reported_with_their_output() -> None:
    with debian_root() as root:
        with pytest.raises(Failed, match=r"ended with 3\n(?s:.*)the reason"):
            root.sh("echo the reason >&2; exit 3")
        began = time.monotonic()
        with pytest.raises(Failed, match=r"more than 0.5 s\n(?s:.*)so far"):
            root.sh("echo so far; sleep 60", timeout_s=0.5)
        assert time.monotonic() - began < 30
        assert all(map(ends, outside_ids(root.path, "sleep\x0060")))


def test_nothing_remains_after_it() -> None:
    mounts = Path("/proc/mounts").read_text()
    with debian_root() as root:
        root.sh("setsid sleep 61 & trap '' TERM; sleep 0.1")
        started = root.start(["sleep", "62"])
        assert root.stop(root.start(["sleep", "63"])) == -signal.SIGTERM
        assert all(map(ends, outside_ids(root.path, "sleep\x0063")))
        running = outside_ids(root.path, "sleep")
        # nsenter, which waits for the second one, is outside.
        assert len(running) == 2
        assert Path("/proc/mounts").read_text() == mounts
    assert all(map(ends, [*running, started.pid]))


def test_nothing_keeps_running_if_the_test_is_killed() -> None:
    code = """
from tests.packaging.debian_root import debian_root
with debian_root() as root:
    root.sh("setsid sleep 64 >/dev/null 2>&1 &")
    print(root.path, flush=True)
    input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as test:
        assert test.stdout is not None
        root = Path(test.stdout.readline().strip())
        if not root.name:
            test.kill()
            pytest.skip("no Debian root here")
        (sleeper,) = outside_ids(root, "sleep\x0064")
        test.kill()
        test.wait()
        assert ends(sleeper)
