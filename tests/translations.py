"""Updater of the window's translation catalogues: ``python -m tests.translations``.

Collects all texts passed to `tr` and `counted`, the texts of the map page, and the texts of the engine that the window
shows, and updates the files of Qt Linguist: translations stay, removed texts are marked, and new ones are unfinished.
No code is run: texts are literals, read from the source.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import Any, Final
from xml.etree import ElementTree as Xml
from xml.sax.saxutils import escape

from app.desktop.language.catalogue import CONTEXT, NOUNS, numerus
from app.desktop.language.engine_texts import WORDS
from app.desktop.language.page_texts import texts_of
from app.desktop.model.words import field_title
from engine.domain.fields.beacon import BEACON
from engine.domain.fields.geofence import RULES
from engine.domain.fields.rows import Field
from engine.domain.fields.settings import SETTINGS

ROOT: Final = Path(__file__).parents[1]
LANGUAGE: Final = ROOT / "app" / "desktop" / "language"
TEMPLATES: Final = LANGUAGE / "engine_texts.json"
FORMS: Final = {"de": 2}
"""Number of plural forms in each language; Qt orders them by its own rules."""

BRACES_OF_USERS: Final = frozenset({"z", "x", "y", "-y", "s", "r", ""})
"""Braces that texts contain because users write them: the parts of a tile's address, and an empty JSON object."""

_ERRORS: Final = frozenset({"InvalidParameter", "Conflict", "NotFound", "HeaderError", "UnknownColumn"})
_OTHER_ERRORS: Final = frozenset(
    {
        *("FencewrightError", "StorageUnavailable", "RoutingUnavailable", "GeocodingUnavailable", "NoGeocodingData"),
        *("WorkspaceError", "WorkspaceBusy", "WorkspaceUnreachable", "AddressInUse", "RequestFailed", "DownloadFailed"),
        *("BuildFailed", "NotTaken", "SetupFailed", "PackagesError"),
    }
)
_PROSE: Final = (
    "engine/geofences/checks",
    "engine/geofences/imports/opening_hours.py",
    "engine/tracking/places.py",
    "engine/tracking/regions.py",
    "engine/tracking/kept/explaining.py",
    "engine/geofences/promotion",
    "engine/nightly",
    "engine/simulation/formats",
    "engine/tabular/encodings.py",
    "engine/tabular/formats/excel.py",
    "engine/tabular/formats/subset.py",
    "engine/tabular/formats/opening.py",
    "engine/tabular/identifying.py",
    "engine/tabular/layouts.py",
    "engine/tabular/reading.py",
    "engine/geofences/imports/importing.py",
    "engine/geofences/imports/repairing.py",
    "engine/geofences/imports/shapes.py",
    "engine/simulation/writing/dropped.py",
    "app/endpoint.py",
)
"""Modules of the engine with sentences that the window shows."""

_WORDS: Final = ("engine/domain/tracking/decision.py", "engine/domain/tracking/event_wording.py")
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_FILLED: Final = re.compile(r"\{[^{}]*\}")
_NAMED: Final = re.compile(r"[a-z][A-Za-z_]*: ")


@dataclass(slots=True)
class Text:
    """A source text, the files that use it, and whether it is a counted noun."""

    source: str
    files: set[str] = field(default_factory=set)
    counts: bool = False


@dataclass(slots=True)
class Message:
    """A catalogue's entry for a source text: one translation, or one for each form of a noun."""

    translations: list[str]
    is_finished: bool = True
    is_obsolete: bool = False


class Collected:
    """Every text of the program by its source, in the order of the files."""

    def __init__(self) -> None:
        self.texts: dict[str, Text] = {}
        self.templates: set[str] = set()
        self.odd: list[str] = []
        """Calls of `tr` and `searched` without a literal, or with values that do not match its placeholders."""

    def add(self, source: str, file: Path | str, *, counts: bool = False) -> None:
        """Add a text."""
        if not _WORD.search(_FILLED.sub("", source)):
            return  # only numbers, which need no translation
        text = self.texts.setdefault(source, Text(source, counts=counts))
        text.files.add(file if isinstance(file, str) else file.relative_to(ROOT).as_posix())


@cache
def collected() -> Collected:
    """Return the current texts of the program."""
    found = Collected()
    for file in sorted((ROOT / "app" / "desktop").rglob("*.py")):
        _collect_window(file, found)
    for _, nouns in NOUNS:
        found.add(f"%n {nouns}", LANGUAGE / "catalogue.py", counts=True)
    for word in WORDS:
        found.add(word, LANGUAGE / "engine_texts.py")
    for file in sorted((ROOT / "app" / "desktop" / "map" / "web").rglob("*.js")):
        for source in texts_of(file.read_text(encoding="utf-8")):
            found.add(source, file)
    setup = (ROOT / "app" / "setup").glob("*.py")
    for file in (*sorted((ROOT / "engine").rglob("*.py")), *sorted(setup), ROOT / "app" / "endpoint.py"):
        _collect_engine(file, found)
    rows: tuple[Field[Any], ...] = (*RULES, *SETTINGS, *BEACON)
    for row in rows:
        if row.check is not None:
            found.add(field_title(row.name), ROOT / "engine" / "domain" / "fields" / "rows.py")
    return found


def _collect_window(file: Path, found: Collected) -> None:
    if file.parent == LANGUAGE:
        return
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for param in _fields(tree):
        found.add(field_title(param), file)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        words = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if called in ("tr", "searched"):
            if len(words) != 1 or len(node.args) != 1:
                found.odd.append(f"{file.relative_to(ROOT)}:{node.lineno}")
                continue
            if called == "tr" and not _is_filled(words[0], {each.arg for each in node.keywords}):
                found.odd.append(f"{file.relative_to(ROOT)}:{node.lineno}")
            found.add(words[0], file)
        elif called == "counted" and len(words) == len(node.args) - 1:
            found.add(numerus(*words), file, counts=True)


def _is_filled(source: str, given: set[str | None]) -> bool:
    """Return whether the values match the placeholders of a text; without values, only braces for users may occur."""
    named = {re.split(r"[.\[]", name)[0] for _, name, _, _ in Formatter().parse(source) if name is not None}
    return named == given if given else named <= BRACES_OF_USERS


# The engine


def _collect_engine(file: Path, found: Collected) -> None:
    name = file.relative_to(ROOT).as_posix()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for source in filter(_is_telling, _messages_of(tree, name)):
        found.add(source, file)
        found.templates.add(source)
    for param in _fields(tree):
        found.add(field_title(param), file)
    if name in _WORDS:
        for source in _wordings(tree):
            found.add(source, file)
            found.templates.add(source)


def _messages_of(tree: ast.Module, name: str) -> Iterator[str]:
    """Yield the messages and sentences of a module as templates, with ``{0}`` and so on for inserted values."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if called in _ERRORS and len(node.args) > 1:
                yield from map(_without_name, _templates(node.args[1]))
            elif called == "RowError" and len(node.args) > 2:
                yield from _templates(node.args[2])
            elif called in _OTHER_ERRORS and node.args:
                yield from _templates(node.args[0])
    if name.startswith(_PROSE):
        yield from _prose(tree)


def _is_telling(template: str) -> bool:
    """Return whether a message can be recognized because it has enough text around its values."""
    text = _FILLED.sub("", template)
    return len(_WORD.findall(text)) > 1 if text != template else " " in text or text[:1].isupper()


def _fields(tree: ast.Module) -> Iterator[str]:
    """Yield the fields named by errors."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _ERRORS and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value.isidentifier():
                yield first.value


def _prose(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        # A sentence built in two statements is shown as one.
        body = getattr(node, "body", None)
        for first, second in pairwise(body if isinstance(body, list) else ()):
            if isinstance(first, ast.Assign) and isinstance(second, ast.AugAssign):
                for one in _templates(first.value):
                    yield from (_renumbered(one + other) for other in _templates(second.value))
        if isinstance(node, ast.Expr):
            continue
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Constant | ast.JoinedStr) and not isinstance(node, ast.JoinedStr):
                yield from filter(_is_sentence, _templates(child))


def _is_sentence(text: str) -> bool:
    """Return whether a literal is a sentence or part of one, rather than a field name or text of a log or e-mail."""
    found = re.search(r"[a-z]{2,} [a-z{]|^[A-Z][a-z]+$", text)
    return found is not None and not re.search(r"%s|^Fencewright: |^[a-z][A-Za-z_]*: ", text)


def _templates(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.replace("{", "{{").replace("}", "}}") if "{" in node.value else node.value
    elif isinstance(node, ast.IfExp):
        yield from _templates(node.body)
        yield from _templates(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        number = 0
        text = ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                text += str(part.value).replace("{", "{{").replace("}", "}}")
            else:
                text += f"{{{number}}}"
                number += 1
        if _WORD.search(_FILLED.sub("", text)):
            yield text


def _renumbered(template: str) -> str:
    numbers = iter(range(100))
    return _FILLED.sub(lambda _: f"{{{next(numbers)}}}", template)


def _without_name(template: str) -> str:
    """Return an error without its field name, which the window adds."""
    for prefix in (_NAMED, re.compile(r"\{0\}: ")):
        if (match := prefix.match(template)) is not None:
            return _renumbered(template[match.end() :])
    return template


def _wordings(tree: ast.Module) -> Iterator[str]:
    """Yield the sentences of reasons and remedies, with named placeholders, and the outcomes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name in ("Wording", "EventWording", "Factor", "Outcome"):
            for statement in node.body:
                if isinstance(statement, ast.Assign):
                    value = statement.value
                    last = value.elts[-1] if isinstance(value, ast.Tuple) else value
                    if isinstance(last, ast.Constant):
                        yield str(last.value)


# Catalogues


def catalogue_file(language: str) -> Path:
    """Return the file of a language."""
    return LANGUAGE / f"fencewright_{language}.ts"


def read_catalogue(file: Path) -> dict[str, Message]:
    """Return the entries of a Qt Linguist file by source, or none if the file does not exist."""
    if not file.exists():
        return {}
    found = {}
    for node in Xml.parse(file).iter("message"):
        translation = node.find("translation")
        assert translation is not None
        forms = [form.text or "" for form in translation.findall("numerusform")]
        kind = translation.get("type", "")
        found[node.findtext("source", "")] = Message(
            forms or [translation.text or ""], kind in ("", "vanished", "obsolete"), kind in ("vanished", "obsolete")
        )
    return found


def updated(known: Mapping[str, Message], language: str) -> dict[str, Message]:
    """Return a catalogue with every text of the program, keeping translations and marking removed texts."""
    texts, made = collected().texts, dict[str, Message]()
    for source in sorted(texts, key=lambda each: (min(texts[each].files), each)):
        forms = FORMS[language] if texts[source].counts else 1
        message = known.get(source)
        given = message.translations if message is not None and len(message.translations) == forms else [""] * forms
        made[source] = Message(given, is_finished=all(given) and message is not None and message.is_finished)
    for source, message in known.items():
        if source not in texts and any(message.translations):
            made[source] = Message(message.translations, is_obsolete=True)
    return made


def write_catalogue(file: Path, language: str, messages: Mapping[str, Message]) -> None:
    """Write a file in Qt Linguist's format, without line numbers, which would change with every edit."""
    file.write_text("\n".join((*_head(language), *_body(messages), *_FOOT)) + "\n", encoding="utf-8")


_FOOT: Final = ("</context>", "</TS>")


def _head(language: str) -> tuple[str, ...]:
    return (
        '<?xml version="1.0" encoding="utf-8"?>',
        "<!DOCTYPE TS>",
        f'<TS version="2.1" language="{language}" sourcelanguage="en">',
        "<context>",
        f"    <name>{CONTEXT}</name>",
    )


def _body(messages: Mapping[str, Message]) -> Iterator[str]:
    texts = collected().texts
    for source, message in messages.items():
        text = texts.get(source)
        counts = text.counts if text is not None else len(message.translations) > 1
        yield f"    <message{' numerus="yes"' if counts else ''}>"
        for name in sorted(text.files if text is not None else ()):
            yield f'        <location filename="../../../{name}"/>'
        yield f"        <source>{_escaped(source)}</source>"
        yield from _translation(message, counts=counts)
        yield "    </message>"


def _translation(message: Message, *, counts: bool) -> Iterator[str]:
    kind = "vanished" if message.is_obsolete else "" if message.is_finished else "unfinished"
    opening = f'<translation type="{kind}">' if kind else "<translation>"
    if not counts:
        yield f"        {opening}{_escaped(message.translations[0])}</translation>"
        return
    yield f"        {opening}"
    for form in message.translations:
        yield f"            <numerusform>{_escaped(form)}</numerusform>"
    yield "        </translation>"


def _escaped(text: str) -> str:
    return escape(text, {'"': "&quot;", "'": "&apos;"})


def write_templates() -> None:
    """Write the templates by which the engine's messages are recognized."""
    made = json.dumps(sorted(collected().templates), ensure_ascii=False, indent=1)
    TEMPLATES.write_text(made + "\n", encoding="utf-8")


def merge(messages: dict[str, Message], files: Iterable[Path]) -> list[str]:
    """Import translations from files ``{source: translation}``; a noun has a list. Return the unknown sources."""
    unknown = []
    for file in files:
        for source, given in json.loads(file.read_text(encoding="utf-8")).items():
            forms = given if isinstance(given, list) else [given]
            if source not in messages or len(forms) != len(messages[source].translations):
                unknown.append(f"{file.name}: {source}")
            elif all(forms):
                messages[source] = Message(list(forms))
    return unknown


def main() -> int:
    """Update all catalogues, and report missing translations."""
    parser = argparse.ArgumentParser(prog="python -m tests.translations", description=__doc__)
    parser.add_argument("--merge", nargs="+", type=Path, default=[], metavar="FILE", help="take over {source: text}")
    parser.add_argument("--language", choices=FORMS, default="de", help="whose texts --merge gives")
    options = parser.parse_args()
    write_templates()
    for language in FORMS:
        file = catalogue_file(language)
        messages = updated(read_catalogue(file), language)
        for line in merge(messages, options.merge) if language == options.language else ():
            print("not taken over:", line)
        write_catalogue(file, language, messages)
        left = sum(not message.is_finished for message in messages.values())
        obsolete = sum(message.is_obsolete for message in messages.values())
        print(f"{file.name}: {len(messages) - obsolete} texts, {left} unfinished, {obsolete} vanished")
    for place in collected().odd:
        print(f"{place}: tr() takes a literal, and values by their names")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
