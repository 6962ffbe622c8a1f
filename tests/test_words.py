"""Plain English in docstrings, comments and names, as `tests.test_texts` checks it in texts for users."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
MAX_FIRST: Final = 120
"""Maximum length of the first paragraph of a docstring, in characters."""

ODD: Final = {
    r"told": "receives, was notified, reported",
    r"tells? of": "reports",
    r"(no|some|any)(body| ?one)": "the user, a client, the caller, another thread",
    r"who(m|se)?ever": "the user, a client, the caller, another thread",
    r"whatever": "any, regardless of",
    r"anew": "again",
    r"besides": "also, except",
    r"in vain|as ever|for ever": "leave it out",
    r"(goes|went|go|going) on": "continues",
    r"so (many|much|long|soon)(?! (as|that)\b)": "this many, this long",
    r"where (there (is|are|was|were)|none|nothing|that is)": "if",
    r"(?<!there )is (?-i:none)": "without, or None if",
    r"(is|are|was|were) to be \w+(ed|en|wn)": "must be, is",
}
"""Odd words and phrases in docstrings and comments, with what says it instead."""

ODD_FIRST: Final = {
    r"^(What|Which|Where|Who|Whose|That|When|If|So|Is|Are|Was|Has|Does)\b": "begin with a verb or a noun phrase",
    r"^(None|Nothing|There|It|They|This|These|Those)\b": "begin with a verb or a noun phrase",
    r"\bwhat\b": "name it",
    r"\bthose that\b|\bthe one that\b|\bthat which\b": "name it",
}
"""Odd beginnings and clauses in first paragraphs."""

MAX_CLAUSES: Final = 0.01
"""Maximum share of first paragraphs with such a clause."""

ODD_NAMES: Final = re.compile(
    r"(?:^|_)(told|tells?|nobody|somebody|anybody|whoever|anew|besides|happenings?|heard|asked|said|meant|mine|gone|things?)(?:_|\d|$)",
    re.IGNORECASE,
)

_QUOTED: Final = re.compile(r"``[^`]*``|`[^`]*`|\"[^\"]*\"|“[^”]*”|\*[^*\s][^*]*\*")
_DIRECTIVE: Final = re.compile(r"#\s*(noqa|type:|pragma|fmt:|ruff|!|shellcheck)")


@dataclass(frozen=True)
class Prose:
    """A docstring or comment, with its place."""

    place: str
    text: str
    is_docstring: bool = True

    @property
    def plain(self) -> str:
        """The text without quoted code and quotations, as one line."""
        return _QUOTED.sub("X", " ".join(self.text.split()))

    @property
    def first(self) -> str:
        """The first paragraph, as one line."""
        return " ".join(self.text.split("\n\n")[0].split())


@cache
def all_prose() -> list[Prose]:
    return [prose for file in python_files() for prose in prose_of(name_of(file), file.read_text(encoding="utf-8"))]


def python_files() -> list[Path]:
    folders = ("app", "engine", "packaging", "tests")
    files = [file for folder in folders for file in sorted((ROOT / folder).rglob("*.py"))]
    return [file for file in files if "node_modules" not in file.parts and file != Path(__file__)]


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def prose_of(name: str, source: str) -> Iterator[Prose]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _docstrings(name, node)
    yield from _comments(name, source)


def _docstrings(name: str, node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Prose]:
    """Yield the docstring of a node, and those of the attributes and constants in it."""
    for before, statement in pairwise([None, *node.body]):
        match statement:
            case ast.Expr(value=ast.Constant(value=str(text))) if before is None or isinstance(
                before, ast.Assign | ast.AnnAssign | ast.TypeAlias
            ):
                yield Prose(f"{name}:{statement.lineno}", text)


def _comments(name: str, source: str) -> Iterator[Prose]:
    """Yield the comments of a module; those of consecutive lines are one."""
    block: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT or _DIRECTIVE.match(token.string):
            continue
        if block and (block[-1].start[0] + 1, block[-1].start[1]) != token.start:
            yield _comment(name, block)
            block = []
        block.append(token)
    if block:
        yield _comment(name, block)


def _comment(name: str, tokens: list[tokenize.TokenInfo]) -> Prose:
    text = " ".join(token.string.lstrip("#").strip() for token in tokens)
    return Prose(f"{name}:{tokens[0].start[0]}", text, is_docstring=False)


@pytest.mark.slow
@pytest.mark.parametrize("odd", ODD)
def test_no_docstring_or_comment_uses_an_odd_word(odd: str) -> None:
    pattern = re.compile(rf"\b(?:{odd})\b", re.IGNORECASE)
    assert [(prose.place, prose.text) for prose in all_prose() if pattern.search(prose.plain)] == []


def test_first_paragraphs_are_short() -> None:
    long = [prose for prose in all_prose() if prose.is_docstring and len(prose.first) > MAX_FIRST]
    assert [(prose.place, prose.first) for prose in long] == []


@pytest.mark.parametrize("odd", ODD_FIRST)
def test_first_paragraphs_are_verbs_or_noun_phrases(odd: str) -> None:
    firsts = [prose for prose in all_prose() if prose.is_docstring]
    pattern = re.compile(odd)
    found = [(prose.place, prose.first) for prose in firsts if pattern.search(_QUOTED.sub("X", prose.first))]
    assert len(found) <= (0 if odd.startswith("^") else MAX_CLAUSES * len(firsts)), found


@pytest.mark.slow
def test_names_are_standard_terms() -> None:
    found = [
        (f"{name_of(file)}:{line}", name)
        for file in python_files()
        for line, name in _names(ast.parse(file.read_text(encoding="utf-8")))
        if ODD_NAMES.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)) and name not in KEPT_NAMES
    ]
    assert found == []


KEPT_NAMES: Final = {"told_s", "BEACON_GONE"}
"""Names that are stored in workspaces."""


def _names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the names that a module defines, each with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


@pytest.mark.parametrize(
    ("source", "odd"),
    [
        ('"""Whoever asks."""', 1),
        ('def f():\n    """Return it."""\n    # Nobody is\n    # told.\n', 1),
        ('A = 1\n"""So many are kept."""\n', 1),
        ('def f():\n    """Return ``told``, or None if the user has no name."""\n', 0),
    ],
)
def test_odd_words_are_found(source: str, odd: int) -> None:
    pattern = re.compile("|".join(rf"\b(?:{each})\b" for each in ODD), re.IGNORECASE)
    assert sum(bool(pattern.search(prose.plain)) for prose in prose_of("x", source)) == odd
