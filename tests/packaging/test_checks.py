"""The order of checks and tests in packaging/test.sh, and its handling of failures."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.packaging.checkout import SHELL, pretend_checkout, run, shell, stand_in

PYTEST = """printf 'pytest without=%s' "${FENCEWRIGHT_WITHOUT_SHARED-}"
printf ' <%s>' "$@"
printf '\\n%s passed\\n' "$#"
case "$*" in *"$FAILING"*) exit 1 ;; esac"""
"""A substitute for pytest that prints its arguments, and fails on request."""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout whose checks all pass."""
    checkout = pretend_checkout(tmp_path / "my fences")
    tools = checkout / ".venv/bin"
    (tools / "python").unlink()
    stand_in(
        tools, "python", f'case "$*" in *tests.*|*compileall*|*libraries*) ;; *) exec {sys.executable} "$@" ;; esac'
    )
    for name in ("ruff", "lint-imports", "mypy"):
        stand_in(tools, name, "echo fine")
    stand_in(tools, "pytest", PYTEST)
    assert shell('development=yes; setup_key >"$stamp"', root=checkout).returncode == 0
    return checkout


def run_tests(
    checkout: Path, *arguments: str, failing: str = "no such argument", ci: str = "", script: str = "test.sh"
) -> tuple[int, list[str]]:
    """Run the test command, and return its exit code with its output about pytest."""
    done = run(
        [SHELL, str(checkout / "packaging" / script), *arguments],
        # The index and the certificate are given, since asking pip for each of them takes a third of a second.
        environment={
            "FAILING": failing,
            "HOME": str(checkout),
            "CI": ci,
            "UV_INDEX_URL": "https://packages.example",
            "PIP_CERT": "/no/certificate",
        },
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith(("pytest", "== tests", "FAILED"))]
    assert done.stdout.splitlines()[-1].endswith(" passed"), "pytest's closing line is the last line"
    return done.returncode, lines


@pytest.mark.parametrize(("ci", "slow"), [("", False), ("false", False), ("true", True)])
def test_slow_tests_and_the_shared_folder_are_for_ci_only(checkout: Path, ci: str, slow: bool) -> None:
    code, lines = run_tests(checkout, ci=ci)
    assert code == 0
    before = ["== tests without the shared folder", "pytest without=1 <-n> <0> <-m> <shared_data> <-q> <-r> <fE>"]
    assert lines[:-1] == (before if slow else [])
    assert lines[-1].startswith(f"pytest without={'' if slow else '1'} <-n> <4>")
    assert ("<-m> <not slow> <--hypothesis-profile=brief>" in lines[-1]) is not slow


def test_slow_tests_run_alone(checkout: Path) -> None:
    code, lines = run_tests(checkout, "tests/engine", script="test-slow.sh")
    assert code == 0
    assert [line.endswith("<-m> <slow or shared_data> <tests/engine>") for line in lines] == [True]


def test_a_failure_without_the_shared_folder_is_one_of_the_run(checkout: Path) -> None:
    code, lines = run_tests(checkout, failing="shared_data", ci="true")
    assert (code, lines[2]) == (1, "FAILED before the tests: tests without the shared folder")
    assert len(lines) == 4


def test_a_new_checkout_begins_with_the_cache_of_mypy(checkout: Path) -> None:
    stand_in(checkout / ".venv/bin", "mypy", "mkdir -p .mypy_cache; echo checked >>.mypy_cache/log")
    kept, log = checkout / ".cache/fencewright/mypy/log", checkout / ".mypy_cache/log"
    for number in (2, 4):
        assert run_tests(checkout)[0] == 0
        assert kept.read_text().count("checked") == log.read_text().count("checked") == number
        shutil.rmtree(log.parent)
    log.parent.mkdir()
    run_tests(checkout)
    assert log.read_text().count("checked") == 2, "a cache of its own is not replaced"


def test_arguments_are_pytests_alone(checkout: Path) -> None:
    code, lines = run_tests(checkout, "tests/engine", "-k", "a b")
    assert code == 0
    assert [line.endswith("<tests/engine> <-k> <a b>") for line in lines] == [True]
