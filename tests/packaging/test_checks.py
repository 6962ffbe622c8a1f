"""The order of checks and tests in packaging/test.sh, and its handling of failures."""

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


def run_tests(checkout: Path, *arguments: str, failing: str = "no such argument") -> tuple[int, list[str]]:
    """Run the test command, and return its exit code with its output about pytest."""
    done = run(
        [SHELL, str(checkout / "packaging/test.sh"), *arguments],
        environment={"FAILING": failing, "HOME": str(checkout)},
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith(("pytest", "== tests", "FAILED"))]
    assert done.stdout.splitlines()[-1].endswith(" passed"), "pytest's closing line is the last line"
    return done.returncode, lines


def test_all_tests_are_preceded_by_those_that_want_the_shared_folder_without_it(checkout: Path) -> None:
    code, lines = run_tests(checkout)
    assert code == 0
    assert lines[:2] == [
        "== tests without the shared folder",
        "pytest without=1 <-n> <0> <-m> <shared_data> <-q> <-r> <fE>",
    ]
    assert [line.startswith("pytest without= <-n> <4>") for line in lines[2:]] == [True]


def test_a_failure_without_the_shared_folder_is_one_of_the_run(checkout: Path) -> None:
    code, lines = run_tests(checkout, failing="shared_data")
    assert (code, lines[2]) == (1, "FAILED before the tests: tests without the shared folder")
    assert len(lines) == 4


def test_arguments_are_pytests_alone(checkout: Path) -> None:
    code, lines = run_tests(checkout, "tests/engine", "-k", "a b")
    assert code == 0
    assert [line.endswith("<tests/engine> <-k> <a b>") for line in lines] == [True]
