"""The encodings of text files: recognised by marks and by the bytes, or chosen by the user.

Text without a mark is UTF-8 if all of it is valid, UTF-16 if every second byte is often zero, and otherwise
Windows-1252, which spreadsheets in western languages write. Latin-1 has the same letters, and control characters where
Windows-1252 has quotation marks and the euro sign. Mostly valid UTF-8 is damaged, and not another encoding.
"""

import codecs
import re
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.imports import Encoding
from engine.tabular.formats.source import FILE

_MARKS: Final = (
    (codecs.BOM_UTF8, Encoding.UTF_8),
    (codecs.BOM_UTF16_LE, Encoding.UTF_16_LE),
    (codecs.BOM_UTF16_BE, Encoding.UTF_16_BE),
)
_MARK: Final = "\ufeff"
_NO_CHARACTER: Final = "\ufffd"
_LOOKED_AT: Final = 4_096
_PIECE: Final = 1024**2
_FEWEST_ZEROS: Final = 2
_UNITS_PER_ZERO: Final = 20
"""Maximum number of characters per zero byte in UTF-16, in which separators and line ends have one."""

_TIMES_AS_MANY: Final = 4
"""Minimum ratio of zero bytes in the first or second bytes of characters to those in the other ones."""

_UNASSIGNED: Final = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
"""The bytes without a character in Windows-1252."""

_DECLARED: Final = re.compile(r"""(<\?xml[^>]{0,200}?)\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]{0,40})["']""")
_OF_LETTERS: Final = ("utf-8", "ascii", "iso8859", "cp125", "koi8", "mac-")
"""Beginnings of the names of encodings that XML may declare, as the codecs of Python are named."""


class Text(Struct, frozen=True):
    """The text of a file without a mark, its encoding, and a sentence about an encoding that was assumed."""

    text: str
    encoding: Encoding
    notes: tuple[str, ...] = ()


class Recoded(Struct, frozen=True):
    """The text of a file in UTF-8, its encoding before, and a sentence about an encoding that was assumed."""

    data: bytes
    encoding: Encoding | None
    notes: tuple[str, ...] = ()


def decoded(data: bytes, param: str, encoding: Encoding | None = None, *, in_rows: bool = True) -> Text:
    """Return the text of a file in an encoding, by default the recognised one.

    Raises `InvalidParameter` naming `param` and the row of the first byte that is not text.
    """
    found = encoding or recognised(data)
    try:
        text = data.decode(found.value)
    except UnicodeDecodeError as error:
        raise _undecodable(data, param, found, error, in_rows=in_rows) from None
    if (at := text.find("\0")) >= 0:
        place = _line(text[:at])
        raise InvalidParameter(
            param, f"row {place}: it contains a NUL character; the file is not plain text, or has another encoding."
        )
    return Text(text.removeprefix(_MARK), found, _assumed(found) if encoding is None else ())


def recoded(data: bytes, encoding: Encoding | None = None) -> Recoded:
    """Return a file without a header row in UTF-8; raises `InvalidParameter` for ``file`` as `decoded` does."""
    if encoding in (None, Encoding.UTF_8) and _is_utf8(data):
        return Recoded(data.removeprefix(codecs.BOM_UTF8), Encoding.UTF_8)
    read = decoded(data, FILE, encoding, in_rows=False)
    return Recoded(read.text.encode(), read.encoding, read.notes)


def recoded_xml(data: bytes, encoding: Encoding | None = None) -> Recoded:
    """Return XML in UTF-8, from the encoding that it declares unless another is chosen.

    A document in an unusual encoding is returned unchanged, with `encoding` None.
    """
    declared = None if encoding is not None or _by_marks(data) else _declared(data)
    if declared is None or declared in ("utf-8", "ascii"):
        read = recoded(data, encoding)
        return Recoded(_undeclared(read.data), read.encoding, read.notes)
    if not declared.startswith(_OF_LETTERS):
        return Recoded(data, None)
    try:
        text = data.decode(declared)
    except UnicodeDecodeError as error:
        at, byte = _line(data[: error.start].decode(declared, "replace")), data[error.start]
        raise InvalidParameter(
            FILE, f"line {at}: the byte 0x{byte:02x} is not in the declared encoding {declared}; choose the encoding."
        ) from None
    named = next((each for each in Encoding if codecs.lookup(each.value).name == declared), None)
    return Recoded(_undeclared(text.encode()), named)


def recognised(data: bytes) -> Encoding:
    """Return the probable encoding of a text, which need not be valid in it."""
    marked = _by_marks(data)
    if marked is not None:
        return marked
    if _is_utf8(data) or _is_damaged_utf8(data) or _UNASSIGNED.search(data):
        return Encoding.UTF_8
    return Encoding.WINDOWS_1252


def beginning(data: bytes, encoding: Encoding | None = None) -> str:
    """Return the beginning of a file as text, without spaces; invalid characters are replaced."""
    wide = encoding or _by_marks(data)
    begin = data[:_LOOKED_AT]
    return begin.decode((wide or Encoding.UTF_8).value, "replace").removeprefix(_MARK).lstrip(" \t\r\n")


def head(data: bytes, size: int) -> bytes:
    """Return the complete lines among the first bytes of a file, or these bytes if there is no complete line."""
    if len(data) <= size:
        return data
    found, line_end = data[:size], "\n".encode((_by_marks(data) or Encoding.UTF_8).value)
    end = found.rfind(line_end) + len(line_end)
    return found[: end - end % len(line_end)] if end >= len(line_end) else found


def read_as(encoding: Encoding) -> str:
    """Return the sentence about an encoding that was assumed."""
    return f"The text is not UTF-8; it was read as {encoding.label}."


def _assumed(encoding: Encoding) -> tuple[str, ...]:
    return () if encoding is Encoding.UTF_8 else (read_as(encoding),)


def _by_marks(data: bytes) -> Encoding | None:
    """Return the encoding that marks or zero bytes at the beginning show, or None."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    begin = data[: _LOOKED_AT - _LOOKED_AT % 2]
    first, second = begin[::2].count(0), begin[1::2].count(0)
    most, fewest = max(first, second), min(first, second)
    if most < max(_FEWEST_ZEROS, len(begin) // 2 / _UNITS_PER_ZERO, fewest * _TIMES_AS_MANY):
        return None
    return Encoding.UTF_16_LE if second > first else Encoding.UTF_16_BE


def _is_utf8(data: bytes) -> bool:
    """Return whether all of a text is UTF-8, in pieces, since a copy of it would take much memory."""
    if data.isascii():
        return b"\0" not in data[:_LOOKED_AT]
    if _by_marks(data) not in (None, Encoding.UTF_8):
        return False
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for at in range(0, len(data), _PIECE):
            decoder.decode(data[at : at + _PIECE])
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def _is_damaged_utf8(data: bytes) -> bool:
    """Return whether more characters are valid UTF-8 beyond ASCII than are invalid."""
    text = data.decode("utf-8", "replace")
    invalid = text.count(_NO_CHARACTER)
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return beyond_ascii - invalid > invalid


def _declared(data: bytes) -> str | None:
    """Return the name of the codec for the encoding that XML declares, or None."""
    found = _DECLARED.match(beginning(data))
    if found is None:
        return None
    try:
        return codecs.lookup(found[2]).name
    except LookupError:
        return found[2]


def _undeclared(data: bytes) -> bytes:
    """Return XML in UTF-8 without the declaration of another encoding."""
    begin = data[:_LOOKED_AT].decode("utf-8", "ignore")
    found = _DECLARED.match(begin)
    if found is None:
        return data
    return found[1].encode() + data[len(found[0].encode()) :]


def _undecodable(
    data: bytes, param: str, encoding: Encoding, error: UnicodeDecodeError, *, in_rows: bool
) -> InvalidParameter:
    """Return the error for bytes that are not in an encoding, with their row and the bytes."""
    at, byte, name = _line(data[: error.start].decode(encoding.value, "replace")), data[error.start], encoding.label
    if in_rows:
        return InvalidParameter(
            param, f"row {at}: the byte 0x{byte:02x} is not {name}; save the text as UTF-8, or choose its encoding."
        )
    return InvalidParameter(
        param, f"line {at}: the byte 0x{byte:02x} is not {name}; save the text as UTF-8, or choose its encoding."
    )


def _line(before: str) -> int:
    """Return the row of a place from the text before it, based only on quotes and line ends."""
    rows = before.split('"')[::2]
    return sum(part.count("\n") or part.count("\r") for part in rows) + 1
