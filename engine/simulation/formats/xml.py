"""XML read as a stream, without building a tree, and without constructs that only occur in attacks."""

import re
from collections.abc import Callable, Mapping
from typing import Final, Protocol
from xml.parsers import expat

from engine.domain.errors import InvalidParameter
from engine.domain.nesting import MAX_DEPTH
from engine.simulation.formats.found import Found

FOREIGN: Final = "?"
"""Prefix for the names of elements in a namespace other than the document's."""

_UNBOUND: Final = expat.errors.codes[expat.errors.XML_ERROR_UNBOUND_PREFIX]

_LATE_DECLARATION: Final = re.compile(rb"(?:\xef\xbb\xbf)?(\s+)(<\?xml\s[^>]{0,200}\?>)")
"""A declaration after spaces, as in Strava's TCX files."""

type Place = tuple[str, ...]
"""The names of an element and its ancestors, the outermost first."""


class Handler(Protocol):
    """Reads the positions of one kind of document."""

    def wants(self, place: Place) -> bool:
        """Return whether the text of an element is needed."""
        ...

    def on_start(self, place: Place, attributes: Mapping[str, str], line: int) -> None:
        """Process the start of an element."""
        ...

    def on_end(self, place: Place, text: str, line: int, /) -> None:
        """Process the end of an element and its text, which is empty unless it is wanted."""
        ...

    def finish(self) -> None:
        """Add the positions found, even if the document is truncated."""
        ...


def read_xml(data: bytes, kinds: Mapping[str, Callable[[Found], Handler]], found: Found) -> None:
    """Read a document with the handler for its root element, up to any damage, which is reported.

    Elements with undeclared prefixes are read too, and spaces may precede the declaration. Raises `InvalidParameter`
    whose message names the line.
    """
    data = _LATE_DECLARATION.sub(rb"\2\1", data, count=1) if _LATE_DECLARATION.match(data) else data
    try:
        _Reader(kinds, found).read(data)
    except _Undeclared:
        _Reader(kinds, found, by_prefix=True).read(data)


class _Undeclared(Exception):
    """A prefix that the document does not declare."""


class _Reader:
    """Reads a document by its namespaces, or by the prefixes alone."""

    def __init__(
        self, kinds: Mapping[str, Callable[[Found], Handler]], found: Found, *, by_prefix: bool = False
    ) -> None:
        self._kinds, self._found, self._by_prefix = kinds, found, by_prefix
        self._handler: Handler | None = None
        self._namespace = ""
        self._place: Place = ()
        self._text: list[str] | None = None
        self._parser = expat.ParserCreate() if by_prefix else expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartDoctypeDeclHandler = self._on_doctype
        self._parser.StartElementHandler = self._on_start
        self._parser.CharacterDataHandler = self._on_text
        self._parser.EndElementHandler = self._on_end

    def read(self, data: bytes) -> None:
        damage = self._damage(data)
        if self._handler is not None:
            self._handler.finish()
        if damage is None:
            return
        if not self._found.count:
            raise InvalidParameter("track", f"{damage}.")
        self._found.skip(f"{damage}; nothing after that is read.")

    def _damage(self, data: bytes) -> str | None:
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            if error.code == _UNBOUND and not self._by_prefix:
                raise _Undeclared from None
            reason = expat.ErrorString(error.code)
            return f"line {error.lineno}, column {error.offset + 1}: it is not XML: {reason}"
        except (LookupError, ValueError) as error:  # an unknown encoding
            raise InvalidParameter("track", f"line 1: it is not XML: {error}.") from None
        return None

    def _on_doctype(self, *_: object) -> None:
        raise self._refusal("a document type is not allowed in a track.")

    def _on_start(self, name: str, attributes: Mapping[str, str]) -> None:
        namespace, _, local = name.rpartition(":" if self._by_prefix else " ")
        if not self._place:
            self._begin(namespace, local)
        if len(self._place) == MAX_DEPTH:
            raise self._refusal(f"it is nested more than {MAX_DEPTH} levels deep.")
        self._place = (*self._place, local if namespace == self._namespace else f"{FOREIGN}{local}")
        assert self._handler is not None
        self._handler.on_start(self._place, attributes, self._parser.CurrentLineNumber)
        self._text = [] if self._handler.wants(self._place) else None

    def _begin(self, namespace: str, local: str) -> None:
        if local not in self._kinds:
            raise self._refusal(f"its XML is neither GPX, KML nor TCX: the document is <{local[:40]}>.")
        self._namespace, self._handler = namespace, self._kinds[local](self._found)

    def _on_text(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def _on_end(self, _name: str) -> None:
        assert self._handler is not None
        self._handler.on_end(self._place, "".join(self._text or ()), self._parser.CurrentLineNumber)
        self._place, self._text = self._place[:-1], None

    def _refusal(self, message: str) -> InvalidParameter:
        return InvalidParameter("track", f"line {self._parser.CurrentLineNumber}: {message}")
