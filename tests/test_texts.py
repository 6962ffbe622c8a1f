"""Style of the texts that users see: the window, the command line, errors and the /v1 document."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from app.api.server.openapi import openapi_document
from app.api.v1 import RESOURCES

_ROOT: Final = Path(__file__).parents[1]
_SQL: Final = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|ALTER|DROP|WITH|FROM|JOIN|WHERE|AND) ")

ODD: Final = {
    r"\bfences?\b(?![-_.+:])": "geofence",
    r"\bcorners?\b": "vertex, vertices",
    r"\bon purpose\b": "injected",
    r"\bas a rule\b": "usually, typical",
    r"\ba text\b": "a string",
    r"\bn-th\b": "nth",
    r"\bstatus line\b": "status bar",
    r"\b(updates|requests|bytes|metres|events) a (second|minute|hour|run|request)\b": "per second",
    r"has passed by then": "passed",
    r"\bsince \d+ (s|min|minutes|hours)\b": "for",
    r"\bis needed\b|\bare needed\b": "is required",
    r"\bknown are\b": "must be one of",
    r"\bso (many|much|long)\b(?! (as|that))": "this many",
    r"\bbelongs? into\b": "belongs in",
    r"\bmade-up\b": "sample",
    r"[a-z]\(s\)": "count() of engine/domain/units.py",
    r"[a-z]\.\.\.(?!\w)": "…",
    r" (?:,|;|\.(?!\w|shp|osm|prj|dbf|\*|pem|crt|json|html))": "no space before punctuation",
}
"""Odd or ambiguous words, with their replacements."""

_PLURALS: Final = re.compile(
    r" (events|fixes|users|geofences|beacons|devices|updates|hits|rows|positions|files|faults)\b"
)


@dataclass(frozen=True)
class _Sources:
    """The objects checked in all modules: texts, formatted texts, and calls, each with its location."""

    texts: list[tuple[str, str]]
    formatted: list[tuple[str, list[tuple[str, str]]]]
    """Each location with the inserted expressions, as code, and the text after each."""

    calls: list[tuple[str, ast.Call]]


@cache
def _sources() -> _Sources:
    found = _Sources([], [], [])
    for folder in ("app", "engine"):
        for file in sorted((_ROOT / folder).rglob("*.py")):
            if "lab" not in file.parts:
                _collect(file.relative_to(_ROOT).as_posix(), file.read_text(encoding="utf-8"), found)
    return found


def _collect(name: str, source: str, found: _Sources) -> None:
    skipped: set[int] = set()  # docstrings, and the parts of f-strings
    for node in ast.walk(ast.parse(source)):  # parents come before their parts
        location = f"{name}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Expr):
            skipped.add(id(node.value))
        elif isinstance(node, ast.Call):
            found.calls.append((location, node))
            if (template := _translated(node)) is not None:
                skipped.add(id(node.args[0]))
                found.formatted.append((location, _filled_in(template, node)))
        elif isinstance(node, ast.JoinedStr):
            found.formatted.append((location, _parts(node)))
            skipped.update(id(part) for part in node.values)
        text = _literal(node)
        if text and id(node) not in skipped and re.search(r"[a-z]{2,} [a-z(]", text) and not _SQL.match(text):
            found.texts.append((location, text))


def _literal(node: ast.AST) -> str | None:
    """Return a string literal, with ``{}`` for inserted values."""
    if (template := _translated(node)) is not None:
        return re.sub(r"\{[^{}]*\}", "{}", template)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return None


def _translated(node: ast.AST) -> str | None:
    """Return the text that a call of ``tr`` translates."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "tr" and node.args:
        text = node.args[0]
        return text.value if isinstance(text, ast.Constant) and isinstance(text.value, str) else None
    return None


def _filled_in(template: str, call: ast.Call) -> list[tuple[str, str]]:
    values = {each.arg: ast.unparse(each.value) for each in call.keywords}
    pieces = re.split(r"\{(\w+)[^{}]*\}", template)
    return [(values.get(name, name), after) for name, after in zip(pieces[1::2], pieces[2::2], strict=True)]


def _parts(text: ast.JoinedStr) -> list[tuple[str, str]]:
    return [
        (ast.unparse(value.value), str(after.value) if isinstance(after, ast.Constant) else "")
        for value, after in pairwise((*text.values, ast.Constant("")))
        if isinstance(value, ast.FormattedValue)
    ]


@pytest.mark.slow
def test_no_text_uses_an_odd_word() -> None:
    odd = re.compile("|".join(ODD))
    assert [(location, text) for location, text in _sources().texts if odd.search(text)] == []


def test_words_are_one_space_apart() -> None:
    apart = re.compile(r"[a-z,;] {2,}[a-z]")
    # The command line sets columns, as does the tooltip with examples of the event filter.
    found = [
        (location, text)
        for location, text in _sources().texts
        if apart.search(text) and not location.startswith("app/cli/")
    ]
    # Their filters are shown with two spaces between the words.
    assert {location.split(":")[0] for location, _ in found} == {
        "app/desktop/panels/events/head.py",
        "app/desktop/panels/fence_table/head.py",
    }


def test_counts_agree_with_their_nouns() -> None:
    """A number that may be 1 goes through ``count()``; limits, rates and words do not."""
    others = re.compile(r"[A-Z_ 0-9*/.]+|MOST.*|most|cells|count|found|kind|ending|fixes|len\(rows\)|.*per_second.*")
    odd = []
    for location, node in _sources().formatted:
        for value, after in node:
            if _PLURALS.match(after) and not others.fullmatch(value):
                odd.append((location, value, after))
    assert odd == []


def test_a_tooltip_of_one_phrase_has_no_period() -> None:
    odd = []
    for location, node in _sources().calls:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if called in ("setToolTip", "tip_text", "tool_button") and node.args:
            text = _literal(node.args[0])
            if text and text.endswith(".") and ". " not in text and "\n" not in text:
                odd.append((location, text))
    assert odd == []


def test_an_error_is_a_sentence() -> None:
    odd = []
    for location, node in _sources().calls:
        if getattr(node.func, "id", "") in ("InvalidParameter", "Conflict", "NotFound") and len(node.args) == 2:
            text = _literal(node.args[1])
            if text and not text.endswith((".", "?", "{}")):
                odd.append((location, text))
    assert odd == []


def test_the_document_describes_operations_as_imperatives() -> None:
    document = openapi_document(RESOURCES, "1")
    verbs = {
        *("Autocomplete", "Cancel", "Clear", "Create", "Delete", "Find", "Geocode", "Get", "Inject", "List", "Log"),
        *("Match", "Optimize", "Queue", "Remove", "Reorder", "Report", "Reset", "Reverse", "Send", "Set", "Stream"),
        *("Sync", "Undo", "Update", "Validate", "Accept"),
    }
    summaries = [operation["summary"] for path in document["paths"].values() for operation in _operations(path)]
    assert summaries
    assert [each for each in summaries if each.split(" ")[0].rstrip(",") not in verbs or each.endswith(".")] == []


def _operations(path: dict[str, Any]) -> list[dict[str, Any]]:
    return [value for value in path.values() if isinstance(value, dict) and "summary" in value]


def test_a_schema_is_described_by_a_noun() -> None:
    schemas = openapi_document(RESOURCES, "1")["components"]["schemas"]
    described = {name: schema["description"] for name, schema in schemas.items() if "description" in schema}
    assert described
    odd = re.compile(r"(What|Which|Where|How|Who|Word) ")
    assert {name: text for name, text in described.items() if odd.match(text)} == {}
