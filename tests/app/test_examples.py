"""The commands of README.md and of the pages on first use, run by a shell unchanged."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import orjson
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
def test_the_readme_runs_as_written(shells: Shells, port: int) -> None:
    run, line, serve, create, track, geocode, *rest, test = blocks(README)
    assert (run.split("#")[0].split(), line) == (["sh", "packaging/run.sh"], f"{FIRST_LINE}\n")
    assert test.split("#")[0].split() == ["sh", "packaging/test.sh"], "the second command is for contributors"
    assert serve == "fencewright serve\n"
    with shells.beside(f"{serve.strip()} --port {port}"):
        answered = shells.run("\n".join((create, track, geocode)))
        output = shells.run("\n".join(rest))
    _, tracked, located = (orjson.loads(answer) for answer in answered.replace("}{", "}\n{").splitlines())
    assert [event["type"] for event in tracked["events"]] == ["user.entered_geofence"]
    assert located["addresses"]
    assert "11 created" in output
    # The lorry begins in the store, too.
    assert len([line for line in output.splitlines() if line.startswith("{")]) == 17 + 2
    assert "port/dover  Dover port: outside (394.4 m outside" in output
    assert "19 events before, 19 after (0 more, 0 fewer, 2 moved)" in output


@pytest.mark.slow
def test_the_example_for_ci(shells: Shells, tmp_path: Path) -> None:
    """An earlier run left an outdated ready file behind."""
    (tmp_path / "ready.json").write_text('{"url": "http://127.0.0.1:1", "pid": 1, "keys": {}}', encoding="utf-8")
    (example,) = blocks(section(COMMAND_LINE, "## In CI"))
    output = shells.run(example + 'echo "$url $workspace"; wait\n')
    *_, last = output.splitlines()
    url, workspace = last.split()
    assert url != "http://127.0.0.1:1"
    assert "11 created" in output
    assert not Path(workspace).exists()
    assert not (tmp_path / "ready.json").exists()


def test_the_example_for_ci_ends_if_the_server_does_not_start(shells: Shells, tmp_path: Path) -> None:
    (example,) = blocks(section(COMMAND_LINE, "## In CI"))
    with pytest.raises(AssertionError):
        shells.run(example.replace("--port 0", "--port 99999"))


def test_all_pages_have_the_same_line() -> None:
    assert blocks(section(COMMAND_LINE, "## The examples")) == [f"{FIRST_LINE}\n"]


ALONE = {
    "files.md": (0, 1, 2),
    "checks.md": (0, 1),
    "promote.md": (0,),
    "nightly-sync.md": (1,),
    "simulation.md": (0, 1),
    "testing.md": (0, 1),
}
"""The examples that need no server, by the numbers of their blocks. Other blocks have names to fill in."""

SERVED = {"trips.md": (0,), "places.md": (0,), "faults.md": (0,)}


def run_examples(shells: Shells, pages: Mapping[str, Sequence[int]]) -> str:
    """Run the numbered examples of pages, each in a terminal of its own, and return their output."""
    found = {name: blocks((ROOT / "docs" / name).read_text(encoding="utf-8")) for name in pages}
    return "".join(shells.run(found[name][number]) for name, numbers in pages.items() for number in numbers)


@pytest.mark.slow
def test_examples_without_a_server(shells: Shells) -> None:
    output = run_examples(shells, ALONE)
    assert "11 created" in output
    assert "25 created, 0 updated, 0 failed (dry run" in output
    assert "depot,ghent" in output
    assert "11 geofences checked: 0 errors, 0 warnings" in output
    assert "11 created, 0 updated, 0 deleted" in output
    assert "✓ Ann has her parcel at the store" in output
    assert "✓ shopping" in output


@pytest.mark.slow
def test_examples_with_a_server(shells: Shells, port: int) -> None:
    with shells.beside(f"fencewright serve --port {port}"):
        output = run_examples(shells, SERVED)
    types = re.findall(r'"type":"(user\.\w+)"', output)
    trip = ["started_trip", "approaching_trip_destination", "arrived_at_trip_destination", "stopped_trip"]
    assert [kind for kind in types if "trip" in kind and "updated" not in kind] == [f"user.{word}" for word in trip]
    assert '"externalId":"M-12"' in output
    assert re.search(r'"fault":\{[^}]*"kind":"status"', output)
    assert not re.search(r'"code":[45]', output)


@pytest.mark.slow
def test_the_first_webhook(shells: Shells, port: int) -> None:
    listen, create, *_ = blocks((ROOT / "docs" / "webhooks.md").read_text(encoding="utf-8"))
    receiver = str(port)
    with shells.beside(f"{listen.strip()} --port {receiver}", until=receiver):
        output = shells.run(create.replace("8788", receiver))
    assert "delivered" in output


@pytest.mark.slow
def test_a_portals_table_reaches_live(shells: Shells, port: int) -> None:
    table, serve, *rest = blocks((ROOT / "docs" / "portal.md").read_text(encoding="utf-8"))
    copy, portal = table.splitlines()
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
    assert "entry withheld: closed: Mon–Fri 09:00–18:00" in failed
    assert failed.endswith("failed\n")
