"""YAML as data with the position of every value.

Plain values are read as YAML 1.2 does (``on`` and ``12:30`` are texts). Features that make small files large or
ambiguous are refused: anchors and aliases, tags, duplicate keys, and anything that is too long or too deep.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml
from msgspec import Struct, field

from app.lab.files.faults import Fault, Mark, ScenarioInvalid, Way, field_name
from engine.domain.values import replace

MAX_BYTES: Final = 2 * 1024 * 1024
MAX_DEPTH: Final = 30
MAX_NODES: Final = 200_000

_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULL: Final = frozenset({"", "~", "null", "Null", "NULL"})
_TRUTH: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WHOLE: Final = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER: Final = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,3})?")

type Scalar = str | int | float | bool | None


class Span(Struct, frozen=True):
    """The range of a value in the text. `end` is directly after its last character, without any text that follows."""

    start: Mark
    end: Mark
    is_flow: bool = False


class Document(Struct, frozen=True):
    """A file's data, its text, and the position of each value and each key."""

    file: Path
    text: str
    data: Any
    values: dict[Way, Span]
    keys: dict[Way, Mark]
    faults: tuple[Fault, ...] = ()
    """Faults of a text that can still be read."""

    prefix: str = ""
    """A byte order mark, which is not part of the text."""

    def mark(self, path: Way) -> Mark:
        """Return the position of a value, or of the nearest value around it."""
        while path not in self.values and path:
            path = path[:-1]
        return self.values[path].start if path in self.values else Mark(1, 1)

    def key_mark(self, path: Way) -> Mark:
        """Return the position of a key, or else of its value."""
        return self.keys.get(path) or self.mark(path)

    def fault(self, path: Way, message: str) -> Fault:
        """Return a fault for a value."""
        return Fault(self.file, self.mark(path), field_name(path), message)

    def key_fault(self, path: Way, message: str) -> Fault:
        """Return a fault for a key."""
        return Fault(self.file, self.key_mark(path), field_name(path), message)

    def invalid(self, path: Way, message: str) -> ScenarioInvalid:
        """Return the exception for a single fault."""
        return ScenarioInvalid([self.fault(path, message)])


def read_document(file: Path) -> Document:
    """Return the document in a file, or raise `ScenarioInvalid`."""
    try:
        with file.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise _at_start(file, f"cannot be read: {error.strerror}.") from error
    if len(content) > MAX_BYTES:
        raise _at_start(file, f"must not be larger than {MAX_BYTES // 1024 // 1024} MiB.")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ScenarioInvalid([Fault(file, Mark(line, 1), "", "must be UTF-8.")]) from error
    return parse_document(file, text)


def parse_document(file: Path, text: str) -> Document:
    """Return the document in a text, or raise `ScenarioInvalid` naming `file`."""
    prefix = _BOM if text.startswith(_BOM) else ""
    text = text.removeprefix(_BOM)
    try:
        return replace(_Builder(file, text, text.splitlines()).build(yaml.parse(text, Loader=_LOADER)), prefix=prefix)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        error_mark = Mark(1, 1) if mark is None else _mark(mark)
        begun = (
            "" if error.context_mark is None else f" {error.context} that begins in line {error.context_mark.line + 1}"
        )
        raise ScenarioInvalid([Fault(file, error_mark, "", f"is not valid YAML: {error.problem}{begun}.")]) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ScenarioInvalid([Fault(file, Mark(line, 1), "", f"is not valid YAML: {error.reason}.")]) from None


def _at_start(file: Path, message: str) -> ScenarioInvalid:
    return ScenarioInvalid([Fault(file, Mark(1, 1), "", message)])


def _mark(mark: Any) -> Mark:
    return Mark(mark.line + 1, mark.column + 1)


_FIRST: Final = Mark(1, 1)
_BOM: Final = "\ufeff"


class _Open(Struct):
    """A mapping or list that is being read. `key` is the key of the next value."""

    path: Way
    data: Any
    start: Mark
    is_flow: bool
    key: str | None = None


class _Builder(Struct):
    """Builds a document from the events of the parser, without recursion."""

    file: Path
    text: str
    lines: list[str]
    values: dict[Way, Span] = field(default_factory=dict)
    keys: dict[Way, Mark] = field(default_factory=dict)
    stack: list[_Open] = field(default_factory=list)
    data: Any = None
    faults: list[Fault] = field(default_factory=list)
    has_aliases: bool = False
    documents: int = 0
    nodes: int = 0
    end: Mark = _FIRST
    """End of the last written value, since a block has no end of its own."""

    def build(self, events: Iterator[Any]) -> Document:
        for event in events:
            self._take(event)
        if self.has_aliases:  # their values are unknown
            raise ScenarioInvalid(self.faults)
        return Document(self.file, self.text, self.data, self.values, self.keys, tuple(self.faults))

    def _take(self, event: Any) -> None:
        match event:
            case yaml.DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    raise self._refused(event, "must hold one document; --- begins another.")
            case yaml.AliasEvent():
                self._check(event)
                self._refuse(event, f"aliases (*{event.anchor}) are not allowed; write the value out.")
                self._attach(self._place(event), None)
                self.has_aliases = True
            case yaml.ScalarEvent():
                self._check(event)
                self._put_scalar(event)
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._check(event)
                self._begin(event)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                opened = self.stack.pop()
                if opened.is_flow:
                    self.end = _mark(event.end_mark)
                self.values[opened.path] = Span(opened.start, self.end, opened.is_flow)

    def _check(self, event: Any) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self._refused(event, f"must not hold more than {MAX_NODES:,} values.")
        if event.anchor is not None and not isinstance(event, yaml.AliasEvent):
            self._refuse(event, f"anchors (&{event.anchor}) are not allowed.")
        if (tag := getattr(event, "tag", None)) is not None and tag != "!":
            self._refuse(event, f"tags ({tag}) are not allowed.")
        if len(self.stack) >= MAX_DEPTH:
            raise self._refused(event, f"must not be nested more than {MAX_DEPTH} levels deep.")

    def _begin(self, event: Any) -> None:
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        path = self._place(event)
        data: Any = {} if is_mapping else []
        self._attach(path, data)
        self.stack.append(_Open(path, data, _mark(event.start_mark), bool(event.flow_style)))

    def _put_scalar(self, event: Any) -> None:
        above = self.stack[-1] if self.stack else None
        start, end = _mark(event.start_mark), _mark(event.end_mark)
        if end.column > 1 or end == start:
            self.end = end
        else:  # a block of text ends at the start of the next line
            self.end = Mark(end.line - 1, len(self.lines[end.line - 2]) + 1)
        if above is not None and isinstance(above.data, dict) and above.key is None:
            self._put_key(above, event, start)
            return
        path = self._place(event)
        self.values[path] = Span(start, self.end)
        self._attach(path, _plain(event.value) if event.implicit[0] else event.value)

    def _put_key(self, above: _Open, event: Any, start: Mark) -> None:
        path = (*above.path, event.value)
        if path in self.keys:
            message = f"is given twice; it is in line {self.keys[path].line} already."
            self.faults.append(Fault(self.file, start, field_name(path), message))
        self.keys.setdefault(path, start)
        above.key = event.value

    def _place(self, event: Any) -> Way:
        if not self.stack:
            return ()
        above = self.stack[-1]
        if isinstance(above.data, list):
            return (*above.path, len(above.data))
        if above.key is None:
            raise self._refused(event, "a key must be a text.")
        return (*above.path, above.key)

    def _attach(self, path: Way, value: Any) -> None:
        if not self.stack:
            self.data = value
            return
        above = self.stack[-1]
        if isinstance(above.data, list):
            above.data.append(value)
        else:
            above.data[path[-1]] = value
            above.key = None

    def _refuse(self, event: Any, message: str) -> None:
        """Record a fault and continue reading."""
        self.faults += self._refused(event, message).faults

    def _refused(self, event: Any, message: str) -> ScenarioInvalid:
        path = self.stack[-1].path if self.stack else ()
        return ScenarioInvalid([Fault(self.file, _mark(event.start_mark), field_name(path), message)])


def _plain(text: str) -> Scalar:
    if text in _NULL:
        return None
    if text in _TRUTH:
        return _TRUTH[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text
