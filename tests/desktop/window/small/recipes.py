"""How the main window makes and connects each of its parts, read from its own source.

A small window makes only some of the parts, each with the expression that the main window uses, and connects those that
it has made. A new part or connection of the main window is therefore available without a change of the tests.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from textwrap import dedent
from typing import Any, Final, NamedTuple

from app.desktop.window import docks, main_window, parts
from app.desktop.window.docks import Docks
from app.desktop.window.main_window import MainWindow
from app.desktop.window.parts import WindowParts

_SOURCES: Final[tuple[Callable[..., None], ...]] = (
    WindowParts.__init__,
    MainWindow.__init__,
    MainWindow._make_editors,
    MainWindow._make_sources,
    MainWindow._make_inspectors,
    MainWindow._make_workspace,
    MainWindow._arrange,
    MainWindow._connect_controllers,
    MainWindow._connect_model,
    MainWindow._connect_panels,
    MainWindow._make_commands,
    MainWindow._end,
)
"""The methods that make, connect and end the parts, in the order in which they run."""

_ARGUMENTS: Final = {
    "memory": "None",
    "open_session": "self.open_session",
    "others": "self.others",
    "confirmation": "LiveConfirmation(self, self.model)",
}
"""Expressions for the arguments of these methods."""

type Step = Callable[[Any], Any]


class Connection(NamedTuple):
    """A statement that concerns parts, and the parts that it needs."""

    needs: frozenset[str]
    run: Step


class Recipes(NamedTuple):
    """The expression of each part, the statements that connect parts, and the statements that end them."""

    parts: Mapping[str, Step]
    connections: tuple[Connection, ...]
    endings: tuple[Connection, ...]


@cache
def recipes() -> Recipes:
    """Return how the main window makes, connects and ends its parts."""
    made: dict[str, ast.expr] = {}
    statements: list[tuple[str, ast.expr]] = []
    for source in _SOURCES:
        for name, expression in _statements(source):
            if name:
                made.setdefault(name, expression)
            else:
                statements.append((source.__name__, expression))
    connections = [(where, _connection(each, made.keys())) for where, each in statements]
    return Recipes(
        {name: _step(expression) for name, expression in made.items()},
        tuple(each for where, each in connections if where != MainWindow._end.__name__),
        tuple(each for where, each in connections if where == MainWindow._end.__name__),
    )


@cache
def docked() -> Mapping[str, str]:
    """Return the name of the dock of each panel."""
    calls = (node for node in ast.walk(_tree(WindowParts.__init__)) if isinstance(node, ast.Call))
    (call,) = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == Docks.__name__)
    return {panel: str(keyword.arg) for keyword in call.keywords for panel in _parts_in(keyword.value)}


@cache
def dock_steps() -> Mapping[str, Step]:
    """Return how the docks make each dock. The content is the attribute `content` of the docks."""
    found: dict[str, Step] = {}
    for name, expression in _statements(Docks.__init__):
        if name and isinstance(expression, ast.Call) and ast.unparse(expression.func) == "self._add":
            expression.args[2] = ast.parse("self.content", mode="eval").body
            found[name] = _step(expression)
    return found


def _statements(method: Any) -> Iterator[tuple[str, ast.expr]]:
    """Yield the expressions of a method, each with the attribute that it is assigned to or ""."""
    known = {name: ast.parse(text, mode="eval").body for name, text in _ARGUMENTS.items()}
    for statement in _tree(method).body:
        match statement:
            case ast.Assign(targets=[*targets], value=value):
                yield from _assigned(targets, _with_locals(value, known), known)
            case ast.Expr(value=ast.Call() as call) if not _is_internal(call):
                yield "", _with_locals(call, known)
            case ast.For(target=ast.Name(id=name), iter=ast.expr() as every, body=[ast.Expr(value=body)]):
                for each in _elements(every):
                    yield "", _with_locals(body, {**known, name: each})
            case _:
                # Anything else is not about one of the parts.
                pass


def _assigned(targets: list[ast.expr], value: ast.expr, known: dict[str, ast.expr]) -> Iterator[tuple[str, ast.expr]]:
    """Yield the attributes that a statement assigns, and remember the local names."""
    attributes = [target for target in targets if isinstance(target, ast.Attribute)]
    for target in targets:
        match target, value:
            case ast.Attribute(attr=name), _:
                yield name, value
            case ast.Name(id=name), _:
                known[name] = ast.parse(f"self.{attributes[0].attr}", mode="eval").body if attributes else value
            case ast.Tuple(elts=names), ast.Tuple(elts=values):
                yield from (
                    pair for one, other in zip(names, values, strict=True) for pair in _assigned([one], other, known)
                )


def _elements(every: ast.expr) -> Iterator[ast.expr]:
    """Yield the elements of a tuple with nested ones, or of the tuple that a method of the window returns."""
    match every:
        case ast.Call(func=ast.Attribute(attr=name)):
            (returned,) = (node for node in _tree(getattr(MainWindow, name)).body if isinstance(node, ast.Return))
            assert returned.value is not None
            yield from _elements(returned.value)
        case ast.Tuple(elts=elements):
            yield from (each for element in elements for each in _elements(element))
        case ast.Starred(value=value):
            yield from _elements(value)
        case _:
            yield every


def _is_internal(call: ast.Call) -> bool:
    """Return whether a call concerns the window's own methods, whose statements are read themselves."""
    return "super()" in ast.unparse(call) or any(name.startswith("_") for name in _parts_in(call))


def _connection(expression: ast.expr, names: Iterable[str]) -> Connection:
    return Connection(frozenset(_parts_in(expression)) & frozenset(names), _step(expression))


def _parts_in(expression: ast.expr) -> Iterator[str]:
    """Yield the attributes of the window that an expression mentions."""
    for node in ast.walk(expression):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield node.attr


class _Locals(ast.NodeTransformer):
    """Replaces the local names of a method by their values."""

    def __init__(self, known: Mapping[str, ast.expr]) -> None:
        self._known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a local name."""
        return self._known.get(node.id, node)


def _with_locals(expression: ast.expr, known: Mapping[str, ast.expr]) -> ast.expr:
    copy = ast.parse(ast.unparse(expression), mode="eval").body
    replaced: ast.expr = _Locals(known).visit(copy)
    return replaced


def _step(expression: ast.expr) -> Step:
    """Return a function that evaluates an expression for a window."""
    scope = {**vars(docks), **vars(parts), **vars(main_window)}
    step: Step = eval(f"lambda self: ({ast.unparse(expression)})", scope)
    return step


def _tree(method: Any) -> ast.FunctionDef:
    (tree,) = ast.parse(dedent(inspect.getsource(method))).body
    assert isinstance(tree, ast.FunctionDef)
    return tree
