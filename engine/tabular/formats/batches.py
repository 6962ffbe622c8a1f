"""KML and GPX in batches: documents with a portion of the features each, since GDAL reads a document whole.

The pieces are cut out of the file as they are, so their encoding and prefixes remain valid. What is only about drawing
is left out, and so are tracks and routes, which are not imported.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from heapq import merge
from mmap import mmap
from typing import Final
from xml.parsers import expat

from engine.domain.errors import InvalidParameter
from engine.tabular.formats.source import FILE, MAX_ROWS, FileFormat

BATCH_BYTES: Final = 512 * 1024
"""GDAL takes up to sixty times as much memory for a document of KML."""

_SCANNED_BYTES: Final = 1024**2
FEATURES: Final = {FileFormat.KML: "Placemark", FileFormat.GPX: "wpt"}
"""The elements that are features, by the format of the document."""

_LEFT_OUT: Final = frozenset({"Style", "StyleMap", "LookAt", "Camera", "GroundOverlay", "ScreenOverlay", "trk", "rte"})
_TAG: Final = re.compile(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""")
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
"""The beginnings of documents whose characters take several bytes each; they are read whole."""


class Batches:
    """The features of a document, found in one pass that keeps only where they are."""

    def __init__(self, format: FileFormat, data: bytes | mmap) -> None:
        self._data = data
        self._feature = FEATURES[format]
        self._starts, self._ends = array("Q"), array("Q")
        self._left_out: list[tuple[int, int]] = []
        self._opened: tuple[str, int, int] | None = None
        self._depth = 0
        if not data[:2].startswith(_WIDE):
            self._scan()
        self._rest, self._at = self._without_features()

    def __len__(self) -> int:
        return len(self._starts)

    def documents(self) -> Iterator[tuple[bytes, int]]:
        """Yield documents with all features, in their order, and how many each has at most.

        A file without features is one document.
        """
        if not self._starts:
            yield self._rest, MAX_ROWS
        first = 0
        while first < len(self):
            last = max(first + 1, bisect_right(self._ends, self._starts[first] + BATCH_BYTES))
            features = self._data[self._starts[first] : self._ends[last - 1]]
            content = b"".join((self._rest[: self._at[first]], features, self._rest[self._at[last - 1] :]))
            yield content, last - first
            first = last

    def _scan(self) -> None:
        parser = expat.ParserCreate(namespace_separator=" ")

        def open_element(name: str, _attributes: object) -> None:
            self._depth += 1
            local = name.rpartition(" ")[2]
            if self._opened is None and (local == self._feature or local in _LEFT_OUT):
                self._opened = (local, self._depth, parser.CurrentByteIndex)

        def close_element(_name: str) -> None:
            if self._opened is not None and self._opened[1] == self._depth:
                self._note(*self._opened, parser.CurrentByteIndex)
                self._opened = None
            self._depth -= 1

        parser.StartElementHandler, parser.EndElementHandler = open_element, close_element
        for at in range(0, len(self._data), _SCANNED_BYTES):
            parser.Parse(self._data[at : at + _SCANNED_BYTES])
        parser.Parse(b"", True)

    def _note(self, local: str, _depth: int, start: int, last_tag: int) -> None:
        """Note a feature, or what is left out, up to the end of its last tag."""
        tag = _TAG.match(self._data, start)
        if tag is not None and not tag[0].endswith(b"/>"):
            tag = _TAG.match(self._data, last_tag)
        assert tag is not None, "the parser found a tag there"
        if local != self._feature:
            self._left_out.append((start, tag.end()))
            return
        if len(self._starts) == MAX_ROWS:
            raise InvalidParameter(FILE, f"There are more than {MAX_ROWS:,} features; no more are allowed.")
        self._starts.append(start)
        self._ends.append(tag.end())

    def _without_features(self) -> tuple[bytes, array[int]]:
        """Return the document without features and what is left out, and where in it each feature was."""
        features = ((start, end, True) for start, end in zip(self._starts, self._ends, strict=True))
        others = ((start, end, False) for start, end in self._left_out)
        rest, at, done = bytearray(), array("Q"), 0
        for start, end, is_feature in merge(features, others):
            rest += self._data[done:start]
            done = end
            if is_feature:
                at.append(len(rest))
        rest += self._data[done:]
        return bytes(rest), at
