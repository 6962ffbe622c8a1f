"""Checks of XML for content that only attacks contain, before a library reads it."""

from collections.abc import Callable
from mmap import mmap
from typing import Final
from xml.parsers import expat

from engine.domain.errors import InvalidParameter
from engine.domain.nesting import MAX_DEPTH
from engine.tabular.formats.source import FILE

_PIECE: Final = 1024**2


def look_through(data: bytes | mmap, parser: expat.XMLParserType, *, until: Callable[[], bool] = bool) -> None:
    """Parse a document to its end, or until `until` returns true; raises `InvalidParameter` for malformed XML."""
    parser.StartDoctypeDeclHandler = lambda *_: _refuse_doctype(parser)
    try:
        for at in range(0, len(data), _PIECE):
            parser.Parse(data[at : at + _PIECE])
            if until():
                return
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise InvalidParameter(
            FILE, f"line {error.lineno}, column {error.offset + 1}: this is not XML: {reason}."
        ) from None
    except (LookupError, ValueError) as error:  # an unknown encoding
        raise InvalidParameter(FILE, f"line 1: this is not XML: {error}.") from None


def root_of(data: bytes) -> str:
    """Return the name of the root element, without examining the rest of the document."""
    names: list[str] = []
    parser = new_parser()

    def open_element(name: str, _attributes: object) -> None:
        names.append(name)
        parser.StartElementHandler = None

    parser.StartElementHandler = open_element
    look_through(data, parser, until=lambda: bool(names))
    return names[0].rpartition(" ")[2]


def new_parser() -> expat.XMLParserType:
    """Return a parser that separates namespaces from names with a space."""
    return expat.ParserCreate(namespace_separator=" ")


def refuse_depth() -> None:
    """Raise `InvalidParameter` for elements that are nested too deeply."""
    raise InvalidParameter(FILE, f"This XML is nested more than {MAX_DEPTH} levels deep.")


def _refuse_doctype(parser: expat.XMLParserType) -> None:
    raise InvalidParameter(FILE, f"line {parser.CurrentLineNumber}: a document type is not allowed here.")
