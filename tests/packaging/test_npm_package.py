"""The npm package of packaging/npm-fencewright, packed, installed, and run by three test runners."""

import json
import os
import shutil
import socket
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app import __version__
from app.setup.packages import PackagesError
from tests.app.lab.conftest import CAME, VISIT
from tests.app.program import ROOT
from tests.node_packages import fetch, find_node
from tests.packaging.test_pytest_plugin import COMMAND
from tests.waiting import eventually

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("npm-package")]

PACKAGE = ROOT / "packaging" / "npm-fencewright"
RUNNERS = Path("tests/packaging/node")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the packed package and the test runners."""
    try:
        npm = fetch(RUNNERS)
    except PackagesError as problem:
        pytest.skip(f"the test runners cannot be fetched: {problem}")
    folder = tmp_path_factory.mktemp("project")
    packed = subprocess.run(
        [*npm, "pack", "--pack-destination", str(folder), "--json"],
        cwd=PACKAGE,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    (about,) = json.loads(packed.stdout)
    assert {each["path"] for each in about["files"]} == {
        *("LICENSE", "README.md", "index.d.ts", "index.js", "package.json", "program.js", "served.js"),
    }
    modules = folder / "node_modules"
    modules.mkdir()
    for each in (ROOT / RUNNERS / "node_modules").iterdir():
        (modules / each.name).symlink_to(each)
    with tarfile.open(folder / about["filename"]) as archive:
        archive.extractall(folder, filter="data")
    (folder / "package").rename(modules / "fencewright")
    for file in (ROOT / RUNNERS).glob("*.mjs"):
        shutil.copy(file, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "playwright.config.mjs").write_text(
        "export default { testMatch: 'store.playwright.mjs', timeout: 60000 };"
    )
    (folder / "vitest.config.mjs").write_text("export default { test: { include: ['store.vitest.mjs'] } };")
    (folder / "visit.fence.yaml").write_text(VISIT + CAME)
    program = folder / "fencewright"
    program.write_text(f'#!/bin/sh\nexec {COMMAND} "$@"\n')
    program.chmod(0o755)
    return folder


def run(folder: Path, *arguments: str, variables: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run Node.js in the project."""
    node = find_node()
    assert node is not None
    own = {
        "FENCEWRIGHT": str(folder / "fencewright"),
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
    }
    return subprocess.run(
        [node, *arguments],
        cwd=folder,
        env={**os.environ, **own, "NO_COLOR": "1", **(variables or {})},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "summary"),
    [
        (("--test", "--test-reporter=tap", "store.test.mjs"), "# pass 6\n# fail 0"),
        (("node_modules/vitest/vitest.mjs", "run"), "6 passed"),
        (("node_modules/@playwright/test/cli.js", "test"), "6 passed"),
    ],
    ids=["node", "vitest", "playwright"],
)
def test_it_works_with(project: Path, arguments: tuple[str, ...], summary: str) -> None:
    ended = run(project, *arguments)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert summary in ended.stdout


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("/nowhere/fencewright", "FENCEWRIGHT is '/nowhere/fencewright', which cannot be run (ENOENT)"),
        ("false", "fencewright has not started: it said nothing"),
        ("http://127.0.0.1:9", "FENCEWRIGHT_SECRET_KEY must be its Test secret key"),
    ],
)
def test_a_program_that_does_not_start_is_an_error(project: Path, command: str, reason: str) -> None:
    script = "import { startFencewright } from 'fencewright'; await startFencewright();"
    ended = run(project, "--input-type=module", "-e", script, variables={"FENCEWRIGHT": command})
    assert ended.returncode == 1
    assert reason in ended.stderr


def test_a_server_that_is_not_stopped_ends_with_the_tests(project: Path) -> None:
    script = (
        "import { startFencewright } from 'fencewright'; const { url } = await startFencewright(); console.log(url);"
    )
    ended = run(project, "--input-type=module", "-e", script)
    assert ended.stdout.startswith("http://127.0.0.1:")
    address = urlsplit(ended.stdout.strip())
    eventually(lambda: is_refused(address.hostname, address.port))


def is_refused(host: str | None, port: int | None) -> bool:
    """Whether nothing listens at an address."""
    try:
        socket.create_connection((host or "", port or 0), 5).close()
    except ConnectionRefusedError:
        return True
    return False


def test_its_version_is_that_of_the_program() -> None:
    assert json.loads((PACKAGE / "package.json").read_text())["version"] == __version__
