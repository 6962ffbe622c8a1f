"""Changes in the text of a YAML file that leave the rest of it unchanged, byte for byte."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from app.expectations import longest_row
from app.lab.files.faults import Mark, Way
from app.lab.files.yaml_tree import Document

_INDENT: Final = "  "


class _Edit(Struct, frozen=True, order=True):
    start: int
    end: int
    text: str


class Draft:
    """The text of a document with pending changes. New text must be on one line: a value, or a whole item."""

    def __init__(self, document: Document) -> None:
        self._document, self._text = document, document.text
        self._lines = [0]
        for line in self._text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._line_end = "\r\n" if "\r\n" in self._text else "\n"
        self._edits: list[_Edit] = []

    def text(self) -> str:
        """Return the text with all changes."""
        return self._document.prefix + self._changed(0, len(self._text))

    def set(self, way: Way, value: str) -> None:
        """Replace a value."""
        self._edits.append(_Edit(*self._span(way), value))

    def rewrite_list(self, way: Way, items: Sequence[int | str]) -> None:
        """Replace the items of a list by existing ones, given by their indices, and new ones."""
        if not any(each[:-1] == way for each in self._document.values):
            self._fill(way, [item for item in items if isinstance(item, str)])
        elif self._document.values[way].is_flow:
            self._rewrite_flow(way, items)
        else:
            self._rewrite_block(way, items)

    def add_list(self, way: Way, items: Sequence[str]) -> None:
        """Add a list of new items to a mapping without such a key, or to the end of a file without the mapping."""
        *above, key = way
        around = tuple(above)
        if way in self._document.values:
            self._fill(way, items)
        elif any(way[:-1] == around for way in self._document.keys):
            self._add_key(around, str(key), items)
        elif (mark := self._document.keys.get(around)) is not None:
            start, end = self._span(around)
            if start < end:
                self._edits.append(_Edit(self._text.index(":", self._offset(mark)) + 1, end, ""))
            self._insert_below(mark.line, self._block(" " * (mark.column - 1) + _INDENT, str(key), items))
        elif self._document.values[()].is_flow:
            raise self._document.invalid((), "must be written in lines, without braces, to be updated.")
        else:
            text = f"{above[0]}:{self._line_end}{self._block(_INDENT, str(key), items)}"
            self._insert_below(len(self._lines) - 1, text)

    # Lists

    def _add_key(self, way: Way, key: str, items: Sequence[str]) -> None:
        """Add a list as the first key of a mapping."""
        span = self._document.values[way]
        if span.is_flow:
            at, text = self._offset(span.start) + 1, f"{key}: [{', '.join(items)}], "
        else:
            at, text = self._lines[span.start.line - 1], self._block(" " * (span.start.column - 1), key, items)
        self._edits.append(_Edit(at, at, text))

    def _block(self, indent: str, key: str, items: Sequence[str]) -> str:
        lines = [f"{indent}{key}:{'' if items else ' []'}", *(f"{indent}{_INDENT}- {item}" for item in items)]
        return "".join(f"{line}{self._line_end}" for line in lines)

    def _fill(self, way: Way, items: Sequence[str]) -> None:
        """Fill an empty list, or a key without a value."""
        start, end = self._span(way)
        if self._document.values[way[:-1]].is_flow:
            self._edits.append(_Edit(start, end, f"{'' if start < end else ' '}[{', '.join(items)}]"))
            return
        key = self._document.keys[way]
        after = self._text.index(":", self._offset(key)) + 1
        if not items:
            self._edits.append(_Edit(after, max(end, after), " []"))
            return
        if start < end:
            self._edits.append(_Edit(after, end, ""))
        indent = " " * (key.column - 1) + _INDENT
        line = self._document.values[way].end.line if start < end else key.line
        self._insert_below(line, "".join(f"{indent}- {item}{self._line_end}" for item in items))

    def _rewrite_flow(self, way: Way, items: Sequence[int | str]) -> None:
        spans = [self._span((*way, index)) for index in range(self._count(way))]
        between = [self._text[one[1] : other[0]] for one, other in pairwise(spans)]
        usual = next((each for each in between if each.strip() == ","), ", ")
        text = ""
        for before, item in zip((None, *items), items, strict=False):
            if before is not None:
                follows = isinstance(before, int) and isinstance(item, int) and item == before + 1
                text += between[item - 1] if follows and isinstance(item, int) else usual
            text += self._changed(*spans[item]) if isinstance(item, int) else item
        self._edits = [edit for edit in self._edits if not spans[0][0] <= edit.start < spans[-1][1]]
        self._edits.append(_Edit(spans[0][0], spans[-1][1], text))

    def _rewrite_block(self, way: Way, items: Sequence[int | str]) -> None:
        """Write a block list. Items keep their lines and the comments directly above, and the text between stays."""
        spans = [self._item_lines(way, index) for index in range(self._count(way))]
        gaps = ["", *(self._text[one[1] : other[0]] for one, other in pairwise(spans))]
        staying = {
            item for _, item in longest_row((n, [item]) for n, item in enumerate(items) if isinstance(item, int))
        }
        indent, parts, written = " " * (self._document.values[way].start.column - 1), list[str](), 0
        for item in items:
            if isinstance(item, str):
                parts.append(f"{indent}- {item}{self._line_end}")
                continue
            if item in staying:
                parts += gaps[written : item + 1]
                written = item + 1
            parts.append(self._changed(*spans[item]))
        parts = [part for part in (*parts, *gaps[written:]) if part]
        ended = [part if part.endswith(("\n", "\r")) else part + self._line_end for part in parts[:-1]]
        self._edits = [edit for edit in self._edits if not spans[0][0] <= edit.start < spans[-1][1]]
        self._edits.append(_Edit(spans[0][0], spans[-1][1], "".join([*ended, *parts[-1:]])))
        if not items:
            after = self._text.index(":", self._offset(self._document.keys[way])) + 1
            self._edits.append(_Edit(after, after, " []"))

    def _count(self, way: Way) -> int:
        count = 0
        while (*way, count) in self._document.values:
            count += 1
        return count

    def _item_lines(self, way: Way, index: int) -> tuple[int, int]:
        """Return the start and end of the lines of an item, including the comments directly above it."""
        span = self._document.values[(*way, index)]
        first = span.start.line
        limit = self._document.keys[way].line if index == 0 else self._document.values[(*way, index - 1)].end.line
        while first - 1 > limit and not self._line(first).startswith("-"):  # a dash may be on a line of its own
            first -= 1
        while first - 1 > limit and self._line(first - 1).startswith("#"):
            first -= 1
        return self._lines[first - 1], self._lines[span.end.line]

    # Positions

    def _line(self, number: int) -> str:
        return self._text[self._lines[number - 1] : self._lines[number]].lstrip()

    def _offset(self, mark: Mark) -> int:
        return self._lines[mark.line - 1] + mark.column - 1

    def _span(self, way: Way) -> tuple[int, int]:
        span = self._document.values[way]
        return self._offset(span.start), self._offset(span.end)

    def _insert_below(self, line: int, text: str) -> None:
        at = self._lines[min(line, len(self._lines) - 1)]
        begun = self._line_end if at and self._text[at - 1] not in "\r\n" else ""
        self._edits.append(_Edit(at, at, begun + text))

    def _changed(self, start: int, end: int) -> str:
        """Return a part of the text with its changes applied."""
        parts, at = [], start
        for edit in sorted(self._edits):
            if start <= edit.start and edit.end <= end:
                parts += [self._text[at : edit.start], edit.text]
                at = edit.end
        return "".join((*parts, self._text[at:end]))
