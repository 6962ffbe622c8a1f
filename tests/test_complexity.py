"""The complexity of functions: at most 20 paths.

Ruff counts branches (`C901` in pyproject.toml). Here, conditions within a line count, too: each operand of `and` and
`or` after the first, conditional expressions, and the loops and conditions of comprehensions.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
MOST: Final = 20

_BRANCHES: Final = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert)


@pytest.mark.slow
def test_no_function_has_more_ways_than_one_can_follow() -> None:
    counted = {f"{file}: {function.name}": ways(function) for file, function in functions()}
    assert len(counted) > 1_000
    assert {name: count for name, count in counted.items() if count > MOST} == {}


def test_conditions_in_one_line_count() -> None:
    text = """
def shown(fences, point):
    if point is None or not fences:
        return []
    near = [each for each in fences if each.is_on and each.holds(point)]
    return near if near else fences
"""
    [function] = ast.parse(text).body
    # One, plus one each for: if, or, the loop, its condition, and, the conditional expression.
    assert ways(function) == 7


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Yield the functions and methods of the program with their files; nested functions are part of the outer one."""
    for package in ("app", "engine"):
        for file in sorted((ROOT / package).rglob("*.py")):
            name = file.relative_to(ROOT).as_posix()
            yield from ((name, each) for each in _outermost(ast.parse(file.read_bytes())))


def _outermost(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        else:
            yield from _outermost(child)


def ways(function: ast.AST) -> int:
    """Return the number of paths through a function."""
    return 1 + sum(map(_added_by, ast.walk(function)))


def _added_by(node: ast.AST) -> int:
    match node:
        case ast.BoolOp(values=values):
            return len(values) - 1
        case ast.comprehension(ifs=ifs):
            return 1 + len(ifs)
        case ast.match_case(pattern=ast.MatchAs(pattern=None), guard=None):
            return 0
        case _:
            return int(isinstance(node, (*_BRANCHES, ast.match_case)))
