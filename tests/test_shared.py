"""Files of the shared folder are requested in one place, so that they can be missing."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared import WITHOUT, SharedData

TESTS = Path(__file__).parent
PLACE = "shared.py"
SHARED_PATH = re.compile(r"(?:.*/)?shared(?:/.*)?")
"""The folder, or a path in it."""


def modules() -> Iterator[tuple[str, str]]:
    """Yield the test modules, each with its source."""
    for file in sorted(TESTS.rglob("*.py")):
        name = file.relative_to(TESTS).as_posix()
        if "node_modules" not in file.parts and name not in (PLACE, Path(__file__).name):
            yield name, file.read_text(encoding="utf-8")


def test_no_other_module_knows_the_path_of_the_shared_folder() -> None:
    found = [
        f"{name}:{node.lineno}"
        for name, source in modules()
        if "shared" in source
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SHARED_PATH.fullmatch(node.value)
    ]
    assert found == [], "ask for the fixture shared_data, which tests/shared.py explains"


def test_only_the_fixture_and_benchmarks_make_it() -> None:
    makers = {name for name, source in modules() if re.search(r"\bSharedData\(", source)}
    assert {name for name in makers if not name.startswith("benchmarks/")} == {"conftest.py"}, (
        "a test that asks without the fixture has no marker, and is not run without the folder"
    )


@pytest.mark.parametrize("find", [SharedData.extract, SharedData.track])
def test_a_hidden_folder_is_missing(find: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WITHOUT, "1")
    assert callable(find)
    with pytest.raises(pytest.skip.Exception, match="missing"):
        find(SharedData(), "liechtenstein")
    assert SharedData().find_extract("liechtenstein") is None
