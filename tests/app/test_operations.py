"""docs/service.md and docs/troubleshooting.md: usable files of services, and messages as the program writes them."""

import plistlib
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from app.cli.options.parsing import parse_arguments
from tests.app.program import ROOT, TIMEOUT_S

DOCS = ROOT / "docs"
SERVICES = DOCS / "services"
UNIT = SERVICES / "fencewright.service"
PLIST = SERVICES / "org.fencewright.serve.plist"
PAGE = (DOCS / "service.md").read_text(encoding="utf-8")
TROUBLESHOOTING = (DOCS / "troubleshooting.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", [UNIT, PLIST], ids=lambda file: file.name)
def test_the_page_shows_the_files_as_they_are(file: Path) -> None:
    assert f"\n{file.read_text(encoding='utf-8')}```" in PAGE
    assert f"services/{file.name})" in PAGE


def commands_of_services() -> list[list[str]]:
    (unit,) = re.findall(r"^ExecStart=(.+)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    (task,) = re.findall(r'--exec (.+)"$', PAGE, re.MULTILINE)
    return [shlex.split(unit), plistlib.loads(PLIST.read_bytes())["ProgramArguments"], shlex.split(task)]


@pytest.mark.parametrize("command", commands_of_services(), ids=["systemd", "launchd", "Windows"])
def test_each_service_starts_the_server(command: list[str]) -> None:
    program, *arguments = command
    assert program.endswith("/fencewright/.venv/bin/fencewright")
    parsed = parse_arguments(arguments)
    assert (parsed.command, Path(parsed.workspace).name) == ("serve", "geofences")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not there")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    program = tmp_path / "fencewright" / ".venv" / "bin" / "fencewright"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", UNIT],
        env={"HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_messages_are_those_of_the_program() -> None:
    """Each quoted message, up to a value in it (…), is a text in the code."""
    source = "\n".join(
        path.read_text(encoding="utf-8") for package in ("app", "engine") for path in (ROOT / package).rglob("*.py")
    )
    # Texts of several lines are put together, and values and the limits of quotes are not compared.
    source = re.sub(r'"\s*\n\s*f?"', "", source)
    source = re.sub(r"\{[^{}\n]*\}", "…", source)
    messages = TROUBLESHOOTING.partition("## Requests")[2].partition("## Addresses")[0]
    quoted = re.findall(r"^\| (?:\d+ )?`([^`]+ [^`]+)`", messages, re.MULTILINE)
    parts = [part.strip() for text in quoted for part in re.split(r"…|8787|127\.0\.0\.1", text)]
    wanted = [part for part in parts if len(part) > 5 and not part.startswith("webhooks test")]
    assert len(wanted) > 10
    assert [part for part in wanted if part not in source] == []
