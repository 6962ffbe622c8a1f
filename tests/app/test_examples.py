"""Examples whose output or errors matter, run by a shell unchanged. `test_pages.py` runs those of all pages."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.app.program import ROOT, TIMEOUT_S, Program

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND_LINE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
SHELL = shutil.which("dash") or "/bin/sh"

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="the examples ask with curl")


def section(page: str, heading: str) -> str:
    """Return the text below a heading, up to the next heading."""
    return re.split(r"^##+ ", page.partition(f"\n{heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


def blocks(text: str) -> list[str]:
    """Return the commands of a text, block by block."""
    found = re.findall(r"^( *)```sh\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL)
    return [re.sub(f"^{indent}", "", block, flags=re.MULTILINE) for indent, block in found]


FIRST_LINE = next(block for block in blocks(README) if block.startswith("alias ")).strip()


@pytest.fixture
def port() -> int:
    """Return a port that is currently free, since the default port of the examples may be in use."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


class Shells:
    """Runs commands as a user types them in a checkout, after the line of the README that makes `fencewright` work."""

    def __init__(self, program: Program, folder: Path, port: int) -> None:
        (folder / "packaging").mkdir()
        # The set-up of the checkout has tests of its own.
        run = folder / "packaging" / "run.sh"
        run.write_text(f'exec "{sys.executable}" -m app.main "$@"\n', encoding="utf-8")
        for name in ("resources", "docs"):
            (folder / name).symlink_to(ROOT / name)
        self._environment = {**program.environment, "PYTHONPATH": str(ROOT), "NO_PROXY": "*"}
        self._folder = folder
        self._port = str(port)

    def run(self, commands: str) -> str:
        """Run commands in a new terminal, each of which must succeed, and return their output."""
        done = subprocess.run(
            self._terminal("-e", commands),
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def beside(self, command: str, until: str = "its keys are in") -> Iterator[None]:
        """Run a command in another terminal, from the time it prints a text until the block ends."""
        with subprocess.Popen(
            self._terminal("-e", command),
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        ) as process:
            assert process.stdout is not None
            try:
                assert any(until in line for line in process.stdout)
                yield
            finally:
                os.killpg(process.pid, signal.SIGTERM)
                process.communicate(timeout=TIMEOUT_S)

    def _terminal(self, option: str, commands: str) -> list[str]:
        return [SHELL, option, "-c", f"{FIRST_LINE}\n{commands}".replace("8787", self._port)]


@pytest.fixture
def shells(program: Program, tmp_path: Path, port: int) -> Shells:
    return Shells(program, tmp_path, port)


@pytest.mark.slow
def test_the_example_for_ci(shells: Shells, tmp_path: Path) -> None:
    """An earlier run left an outdated ready file behind."""
    (tmp_path / "ready.json").write_text('{"url": "http://127.0.0.1:1", "pid": 1, "keys": {}}', encoding="utf-8")
    (example,) = blocks(section(COMMAND_LINE, "### In CI"))
    output = shells.run(example + 'echo "$url $workspace"; wait\n')
    *_, last = output.splitlines()
    url, workspace = last.split()
    assert url != "http://127.0.0.1:1"
    assert "11 created" in output
    assert not Path(workspace).exists()
    assert not (tmp_path / "ready.json").exists()


def test_the_example_for_ci_ends_if_the_server_does_not_start(shells: Shells, tmp_path: Path) -> None:
    (example,) = blocks(section(COMMAND_LINE, "### In CI"))
    with pytest.raises(AssertionError):
        shells.run(example.replace("--port 0", "--port 99999"))


def test_all_pages_have_the_same_line() -> None:
    assert blocks(section(COMMAND_LINE, "## The examples")) == [f"{FIRST_LINE}\n"]


@pytest.mark.slow
def test_a_portals_table_reaches_live(shells: Shells, port: int) -> None:
    copy, portal, serve, *rest = blocks((ROOT / "docs" / "portal.md").read_text(encoding="utf-8"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        portal_port = str(free.getsockname()[1])
    shells.run(copy)
    with (
        shells.beside(portal.replace("8000", portal_port), until="Serving HTTP"),
        shells.beside(f"{serve.strip()} --port {port}"),
    ):
        outputs = [shells.run(block.replace("8000", portal_port)) for block in rest]
        live = shells.run("fencewright export --environment live --format csv --output -")
    _, tried, synced, checked, promoted, night, corrected = outputs
    assert "25 created, 0 updated, 0 failed (dry run" in tried
    assert tried.count("PH") == 5, "the holidays that a week cannot express"
    assert "25 created, 0 updated, 0 unchanged, 0 failed" in synced
    assert checked.count("overlap") == 1
    assert "25 created, 0 updated, 0 deleted" in promoted
    assert "1 created, 1 updated, 24 unchanged" in night
    assert "not promoted: there are new findings" in night
    assert "1 created, 1 updated, 0 deleted" in corrected
    assert len(live.splitlines()) == 1 + 26
    assert "Mon" in live


FIELD_REPORT = (ROOT / "docs" / "field-report.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_field_report_becomes_a_test(shells: Shells, tmp_path: Path) -> None:
    set_up, *outputs = (shells.run(block) for block in blocks(FIELD_REPORT))
    reproduced, explained, tried, played_again, written, passed = outputs
    explanation, events = re.findall(r"^```text\n(.*?)^```", FIELD_REPORT, re.MULTILINE | re.DOTALL)
    assert "operatingHoursRestriction  true" in set_up
    assert reproduced == "", "an event came before the remedy"
    assert explanation in explained
    assert re.findall("✗ (.*?):", explained) == ["operatingHours"]
    assert [line.split()[3] for line in tried.splitlines() if line.startswith("+")] == ["entered", "exited"]
    assert played_again.endswith(events)
    assert "1 passed; 2 events of 106 fixes" in written
    assert "1 passed; 2 events of 106 fixes" in passed
    assert b"<testsuites" in (tmp_path / "junit.xml").read_bytes()


@pytest.mark.slow
def test_the_test_of_a_field_report_fails_with_the_old_hours(shells: Shells, tmp_path: Path) -> None:
    """The scenario reads the geofences from the file of the project, as the page recommends at its end."""
    *steps, run = blocks(FIELD_REPORT)
    for block in steps:
        shells.run(block)
    scenario = tmp_path / "scenarios" / "closing-time.fence.yaml"
    text = scenario.read_text(encoding="utf-8")
    (entry,) = re.findall(r"`(- file: \S+)`", FIELD_REPORT)
    scenario.write_text(
        re.sub("^( *)- {tag:.*\n(?: *- {tag:.*\n)*", rf"\1{entry}\n", text, flags=re.MULTILINE), "utf-8"
    )
    assert "1 passed" in shells.run(run)
    shutil.copy(ROOT / "resources" / "demo" / "shops.csv", tmp_path)
    failed = shells.run(f"{run.strip()} || echo failed")
    assert "entry withheld: closed by the platform rule: Mon–Fri 09:00–18:00" in failed
    assert failed.endswith("failed\n")
