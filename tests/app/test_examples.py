"""The commands of README.md and docs/command-line.md, run by a shell unchanged."""

import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
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


@pytest.fixture
def port() -> int:
    """Return a port that is currently free, since the default port of the examples may be in use."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


class Shells:
    """Runs commands as a user types them, with `fencewright` on the PATH."""

    def __init__(self, program: Program, folder: Path) -> None:
        import sys

        (folder / "bin").mkdir()
        command = folder / "bin" / "fencewright"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m app.main "$@"\n', encoding="utf-8")
        command.chmod(0o755)
        search = f"{folder / 'bin'}:{program.environment['PATH']}"
        self._environment = {**program.environment, "PATH": search, "PYTHONPATH": str(ROOT), "NO_PROXY": "*"}
        self._folder = folder

    def run(self, commands: str) -> str:
        """Run commands, each of which must succeed, and return their output."""
        done = subprocess.run(
            [SHELL, "-e", "-c", commands],
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
    def beside(self, command: str, until: str) -> Iterator[None]:
        """Run a command in another terminal, from the time it prints a text until the block ends."""
        with subprocess.Popen(
            [SHELL, "-c", f"exec {command}"],
            cwd=self._folder,
            env=self._environment,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stderr is not None
            assert any(until in line for line in process.stderr)
            try:
                yield
            finally:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=TIMEOUT_S)


@pytest.fixture
def shells(program: Program, tmp_path: Path) -> Shells:
    return Shells(program, tmp_path)


@pytest.mark.slow
def test_the_readme_shows_an_event(shells: Shells, port: int) -> None:
    text = section(README, "### As an SDK developer").replace("8787", str(port))
    serve, *rest = blocks(text)
    assert serve.startswith("fencewright serve")
    with shells.beside(f"{serve.strip()} --port {port}", until="its keys are in"):
        output = shells.run("\n".join(rest))
    answers = [orjson.loads(line) for line in re.sub(r"}{", "}\n{", output).splitlines()]
    (tracked,) = [answer for answer in answers if "events" in answer]
    assert [event["type"] for event in tracked["events"]] == ["user.entered_geofence"]
    (located,) = [answer for answer in answers if "addresses" in answer]
    assert located["addresses"]


@pytest.mark.slow
def test_the_example_for_ci(shells: Shells, tmp_path: Path) -> None:
    """An earlier run left an outdated ready file behind."""
    (tmp_path / "ready.json").write_text('{"url": "http://127.0.0.1:1", "pid": 1, "keys": {}}', encoding="utf-8")
    (tmp_path / "fences.csv").write_text(
        'description,type,tag,externalId,coordinates,radius\nA shop,circle,store,1,"[1.0828,51.2798]",100\n',
        encoding="utf-8",
    )
    (example,) = blocks(section(COMMAND_LINE, "## In CI"))
    output = shells.run(example + 'echo "$url $workspace"; wait\n')
    *_, last = output.splitlines()
    url, workspace = last.split()
    assert url != "http://127.0.0.1:1"
    assert "1 created" in output
    assert not Path(workspace).exists()
    assert not (tmp_path / "ready.json").exists()


def test_the_example_for_ci_ends_if_the_server_does_not_start(shells: Shells, tmp_path: Path) -> None:
    (example,) = blocks(section(COMMAND_LINE, "## In CI"))
    with pytest.raises(AssertionError):
        shells.run(example.replace("--port 0", "--port 99999"))
