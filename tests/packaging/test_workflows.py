"""The workflows in docs, from a bare system to their results, and again with what they have cached."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.packaging.checkout import ROOT
from tests.packaging.debian_root import debian_root
from tests.packaging.workflows import GitHub, clone_of_the_project, run_gitlab

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(sys.platform != "linux", reason="Debian runs on Linux"),
]

EXAMPLES, SCENARIOS = ROOT / "docs" / "examples", ROOT / "docs" / "scenarios"
TOOLS = ("ca-certificates", "git", "jq", "nodejs", "python3", "python3-venv")
"""Tools of GitHub's runners that the steps use."""

INSTALL = "Install Fencewright"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the project."""
    return clone_of_the_project(tmp_path_factory.mktemp("project") / "fencewright")


def test_the_workflows_of_github_run_from_a_bare_system_and_then_from_the_cache(project: Path, tmp_path: Path) -> None:
    with debian_root("trixie", TOOLS) as root:
        first = GitHub(root, project, {EXAMPLES: "tests"}, tmp_path)
        first.run(EXAMPLES / "fencewright.yml")
        assert not first.hit
        assert "4 passed" in first.shown["Run the tests"]
        assert "listening on http://127.0.0.1:" in first.shown["Stop the server"]
    # The other workflow has the same cache.
    with debian_root("trixie", TOOLS) as root:
        second = GitHub(root, project, {SCENARIOS: "scenarios"}, tmp_path)
        second.run(SCENARIOS / "scenarios.yml")
        assert second.hit
        assert INSTALL not in second.shown
        assert "1 passed" in second.shown["Run the scenarios"]


def test_the_file_for_gitlab_runs_from_a_bare_system_and_then_from_the_cache(project: Path, tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_store.py").write_text((SCENARIOS / "test_store.py").read_text())
    for installs in (True, False):
        with debian_root("trixie") as root:
            root.copy_in(project, "/srv/fencewright")
            root.copy_in(tests, "/builds/tests")
            root.copy_in(SCENARIOS, "/builds/scenarios")
            repository = {"FENCEWRIGHT_REPOSITORY": "file:///srv/fencewright"}
            shown = run_gitlab(root, EXAMPLES / "gitlab-ci.yml", repository, tmp_path / "cache")
            assert "1 passed" in shown
            assert "2 passed" in shown
            assert ("requirements-headless.lock" in shown) == installs
