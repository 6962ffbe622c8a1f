"""A large GeoJSON in batches: the features are cut from the document, which is never parsed as a whole."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from mmap import mmap
from typing import Any, Final

import orjson

from engine.domain.errors import InvalidParameter
from engine.domain.nesting import NestedTooDeeply, not_too_deep
from engine.tabular.formats.crs import reprojection
from engine.tabular.formats.geojson import crs_of, document_of, fault_of_json, features_of, row_of
from engine.tabular.formats.source import FILE, MAX_ROWS, SourceRow, too_large, too_many_features

BATCH_BYTES: Final = 512 * 1024
_TOKEN: Final = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}]|[^"{}]+', re.DOTALL)
"""A string, a brace, or all text in between."""

_KEY: Final = b'"features"'
_BEGIN: Final = re.compile(rb"\s*:\s*\[\s*")
_BETWEEN: Final = re.compile(rb"\s*,\s*")
_END: Final = re.compile(rb"\s*\]")
_IN_DOCUMENT: Final = 1
_IN_FEATURES: Final = 2
"""Number of open brackets and braces within the list of features."""

type Rows = list[SourceRow]


class Cut:
    """The positions of the features of a collection, and the document without the features."""

    def __init__(self, data: bytes | mmap) -> None:
        """Scan a document; `found` is false if it is not a collection in the usual form."""
        self._data = data
        self.starts, self.ends = array("Q"), array("Q")
        self._inside = self._ended = False
        self.found = self._scan() and self._ended
        first, last = (self.starts[0], self.ends[-1]) if self.starts else (0, 0)
        self.rest = data[:first] + data[last:]

    def _scan(self) -> bool:
        """Record the features; return whether nothing unusual was between them."""
        depth, key = 0, False
        for token in _TOKEN.finditer(self._data):
            text, at = token[0], token.start()
            if text == b"{":
                if depth == _IN_FEATURES and self._inside:
                    self._begin(at)
                depth += 1
            elif text == b"}":
                depth -= 1
                if depth == _IN_FEATURES and self._inside:
                    self.ends.append(at + 1)
            elif text[0] != ord('"'):
                if depth == _IN_DOCUMENT and key and not self._ended:
                    self._inside = _BEGIN.fullmatch(text) is not None
                elif depth == _IN_FEATURES and self._inside and not self._passed(text):
                    return False
                depth += text.count(b"[") - text.count(b"]")
            key = text == _KEY
        return depth == 0

    def _begin(self, at: int) -> None:
        if len(self.starts) == MAX_ROWS:
            raise too_many_features()
        self.starts.append(at)

    def _passed(self, text: bytes) -> bool:
        """Return whether a text may come between features or after the last one."""
        if _END.match(text):
            self._inside, self._ended = False, True
            return True
        return _BETWEEN.fullmatch(text) is not None or (not self.starts and not text.strip())


def batches_of(data: bytes | mmap, cut: Cut, most: int) -> Iterator[Rows]:
    """Yield the rows of a document in batches; a feature of more than `most` bytes is a row with a fault.

    Raises `InvalidParameter` if the document is not GeoJSON.
    """
    if not cut.found or not cut.starts:
        yield _whole(bytes(data))
        return
    document = document_of(cut.rest)
    features_of(document)  # raises if it is not a collection
    reproject = reprojection(crs_of(document))
    first = 0
    while first < len(cut.starts):
        last = max(first + 1, bisect_right(cut.ends, cut.starts[first] + BATCH_BYTES))
        size = cut.ends[last - 1] - cut.starts[first]
        if size > most:
            yield [SourceRow(last, {}, fault=too_large(size, most))]
        else:
            found = _parsed(data, cut.starts[first], cut.ends[last - 1])
            yield [row_of(number, feature, reproject) for number, feature in enumerate(found, first + 1)]
        first = last


def _whole(data: bytes) -> Rows:
    document = document_of(data)
    reproject = reprojection(crs_of(document))
    features = features_of(document)
    if len(features) > MAX_ROWS:
        raise too_many_features()
    return [row_of(number, feature, reproject) for number, feature in enumerate(features, 1)]


def _parsed(data: bytes | mmap, start: int, end: int) -> list[Any]:
    try:
        found: list[Any] = orjson.loads(not_too_deep(b"[%b]" % data[start:end]))
    except NestedTooDeeply as error:
        raise InvalidParameter(FILE, f"This is not GeoJSON: {error}.") from None
    except UnicodeDecodeError:
        raise InvalidParameter(FILE, "This is not GeoJSON: the text is not UTF-8.") from None
    except orjson.JSONDecodeError as error:
        before = data[:start]
        line = before.count(b"\n") + error.lineno
        on_first = start - before.rfind(b"\n") - 2 if error.lineno == 1 else 0
        raise fault_of_json(line, on_first + error.colno, error.msg) from None
    return found
