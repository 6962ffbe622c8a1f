"""Retries are only for single tests that measure time, each with a reason, since they would hide races elsewhere."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
MOST = 60
SHORTEST_REASON = 20

WIDE = re.compile(r"^pytestmark\b.*second_try|^@.*(?:second_try|measures_p99).*\n(?:@.*\n)*class ", re.MULTILINE)
BY_HAND = re.compile(r"mark\.flaky\b|^def pytest_rerun", re.MULTILINE)


def test_few_tests_are_run_again_each_for_a_reason(request: pytest.FixtureRequest) -> None:
    items = request.session.items
    marks = {item.nodeid: mark for item in items if (mark := item.get_closest_marker("second_try")) is not None}
    assert len(marks) <= MOST
    for name, mark in marks.items():
        assert len(mark.args) == 1, name
        assert len(mark.args[0]) >= SHORTEST_REASON, f"{name} needs a reason"
    assert {item.nodeid for item in items if item.get_closest_marker("flaky") is not None} == set(marks)


def test_no_file_or_class_is_run_again_as_a_whole() -> None:
    assert files_with(WIDE) == set()


def test_nothing_else_lets_a_test_run_again() -> None:
    assert files_with(BY_HAND) == {TESTS / "conftest.py"}


def files_with(pattern: re.Pattern[str]) -> set[Path]:
    files = set(TESTS.rglob("*.py")) - {Path(__file__)}
    return {file for file in files if pattern.search(file.read_text(encoding="utf-8"))}
