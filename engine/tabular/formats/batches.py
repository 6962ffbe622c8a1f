"""KML and GPX in batches: documents with a portion of the features each, since GDAL loads whole documents.

The pieces are cut from the file unchanged, so that their encoding and prefixes remain valid. Elements that only affect
drawing are left out, and so are tracks and routes, which are not imported.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from heapq import merge
from mmap import mmap
from typing import Final

from engine.domain.nesting import MAX_DEPTH
from engine.tabular.formats.source import MAX_ROWS, FileFormat, too_many_features
from engine.tabular.formats.xml import look_through, new_parser, refuse_depth

BATCH_BYTES: Final = 512 * 1024
"""Size of a batch in bytes; GDAL takes up to sixty times as much memory for a KML document."""

MAX_FEATURE_BYTES: Final = 8 * 1024**2
"""Largest feature that GDAL can read within the memory of the nightly sync, in bytes."""

FEATURES: Final = {FileFormat.KML: "Placemark", FileFormat.GPX: "wpt"}
"""The elements that are features, by the format of the document."""

_LEFT_OUT: Final = frozenset({"Style", "StyleMap", "LookAt", "Camera", "GroundOverlay", "ScreenOverlay", "trk", "rte"})
_TAG: Final = re.compile(rb"""<(?:[^"'>]|"[^"]*"|'[^']*')*>""")
_WIDE: Final = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
"""Prefixes of documents in which every character takes several bytes, as in UTF-16; these are read as a whole."""


class Batches:
    """The features of a document, found in a single pass that only stores their positions."""

    def __init__(self, format: FileFormat, data: bytes | mmap) -> None:
        """Scan a document; raises `InvalidParameter` for malformed XML and for too many features."""
        self._data = data
        self._feature = FEATURES[format]
        self._starts, self._ends = array("Q"), array("Q")
        self._left_out: list[tuple[int, int]] = []
        self._scan()
        if data[:2].startswith(_WIDE):
            self._starts, self._ends, self._left_out = array("Q"), array("Q"), []
        self._rest, self._at = self._without_features()

    def __len__(self) -> int:
        return len(self._starts)

    def documents(self) -> Iterator[tuple[bytes, int]]:
        """Yield documents with all features, in order, each with its maximum number of features.

        A file without features is one document. For a feature that would take too much memory, the document is empty
        and its size follows.
        """
        if not self._starts:
            yield self._rest, MAX_ROWS
        first = 0
        while first < len(self):
            last = max(first + 1, bisect_right(self._ends, self._starts[first] + BATCH_BYTES))
            size = self._ends[last - 1] - self._starts[first]
            yield (b"", size) if size > MAX_FEATURE_BYTES else (self._document(first, last), last - first)
            first = last

    def only(self, chosen: Iterable[int]) -> bytes:
        """Return the document with the chosen features only, which are numbered from 0."""
        pieces, done = [], 0
        for each in chosen:
            pieces += [self._rest[done : self._at[each]], self._data[self._starts[each] : self._ends[each]]]
            done = self._at[each]
        return b"".join((*pieces, self._rest[done:]))

    def _document(self, first: int, last: int) -> bytes:
        features = self._data[self._starts[first] : self._ends[last - 1]]
        return b"".join((self._rest[: self._at[first]], features, self._rest[self._at[last - 1] :]))

    def _scan(self) -> None:
        parser, depth, inside = new_parser(), 0, 0
        start = 0
        wanted = {self._feature: True} | dict.fromkeys(_LEFT_OUT, False)
        kinds: dict[str, bool | None] = {}

        def open_element(name: str, _attributes: object) -> None:
            nonlocal depth, inside, start
            depth += 1
            if inside:
                if depth > MAX_DEPTH:
                    refuse_depth()
                return
            if name not in kinds:
                kinds[name] = wanted.get(name.rpartition(" ")[2])
            if kinds[name] is not None:
                inside, start = depth, parser.CurrentByteIndex
            elif depth > MAX_DEPTH:
                refuse_depth()

        def close_element(name: str) -> None:
            nonlocal depth, inside
            if depth == inside:
                self._note(bool(kinds[name]), start, parser.CurrentByteIndex)
                inside = 0
            depth -= 1

        parser.StartElementHandler, parser.EndElementHandler = open_element, close_element
        look_through(self._data, parser)

    def _note(self, is_feature: bool, start: int, last_tag: int) -> None:
        """Record a feature, or an omitted element, up to the end of its last tag."""
        if is_feature and len(self._starts) == MAX_ROWS:
            raise too_many_features()
        end = self._end_of(start, last_tag)
        if is_feature:
            self._starts.append(start)
            self._ends.append(end)
        else:
            self._left_out.append((start, end))

    def _end_of(self, start: int, last_tag: int) -> int:
        """Return the end of an element's last tag, which is its first tag if the element is empty."""
        tag = _TAG.match(self._data, start)
        if tag is not None and not tag[0].endswith(b"/>"):
            tag = _TAG.match(self._data, last_tag)
        return start if tag is None else tag.end()  # a multi-byte encoding, in which no tag is found

    def _without_features(self) -> tuple[bytes, array[int]]:
        """Return the document without features and omitted elements, and the position of each feature in it."""
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
