"""The attribute table of a Shapefile: the encoding of its texts.

The encoding is the chosen one, else that of the .cpg file, else the recognised one if the table gives none. GDAL gets
it in a .cpg file, and replaces bytes that are not in it, so they are found here.
"""

import codecs
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.imports import Encoding
from engine.tabular.encodings import read_as, recognised
from engine.tabular.formats.source import FILE

_TABLE: Final = ".dbf"
_PAGE: Final = ".cpg"
_HEADER: Final = 32
_END_OF_FIELDS: Final = 0x0D
_KIND_AT: Final = 11
_LENGTH_AT: Final = 16
_LANGUAGE_AT: Final = 29
_NO_LANGUAGE: Final = frozenset({0x00, 0x57})
"""The codes for no language and for that of the computer, which say nothing about another computer's file."""

_TEXT: Final = ord("C")
_WIDE: Final = frozenset({Encoding.UTF_16_LE, Encoding.UTF_16_BE})
_NAMES: Final[Mapping[Encoding, bytes]] = {
    Encoding.UTF_8: b"UTF-8",
    Encoding.LATIN_1: b"ISO-8859-1",
    Encoding.WINDOWS_1252: b"CP1252",
}


class Attributes(Struct, frozen=True):
    """The files of a Shapefile with the encoding of its texts, and a sentence about one that was assumed."""

    files: Mapping[str, bytes]
    encoding: Encoding | None
    notes: tuple[str, ...] = ()


def recoded_attributes(files: Mapping[str, bytes], encoding: Encoding | None = None) -> Attributes:
    """Return the files of a Shapefile with a .cpg file that gives the encoding to GDAL.

    Raises `InvalidParameter` naming ``encoding``, or ``file`` with the row of a text that is not in the encoding.
    """
    if encoding in _WIDE:
        raise InvalidParameter("encoding", "encoding: a Shapefile cannot be in UTF-16.")
    table = _Table(files[_TABLE])
    named = files.get(_PAGE, b"").decode("ascii", "ignore").strip()
    if encoding is None and named:
        table.check(_codec_of(named), named)
        return Attributes(files, _encoding_of(named))
    found = encoding or recognised(b" ".join(table.texts))
    if encoding is None and found is not Encoding.UTF_8 and table.language not in _NO_LANGUAGE:
        return Attributes(files, None)
    table.check(found.value, found.label)
    notes = (read_as(found),) if encoding is None and found is not Encoding.UTF_8 else ()
    return Attributes({**files, _PAGE: _NAMES[found]}, found, notes)


class _Table:
    """The texts of an attribute table. A damaged table has none, since GDAL refuses it."""

    def __init__(self, data: bytes) -> None:
        self.language = data[_LANGUAGE_AT] if len(data) >= _HEADER else 0
        self._fields: list[tuple[str, int, int]] = []
        self._records = memoryview(b"")
        self._size = 1
        if len(data) >= _HEADER:
            self._read(data)

    @property
    def texts(self) -> list[bytes]:
        """The names of the fields and the texts of all records."""
        names = [name.encode("latin-1") for name, _, _ in self._fields]
        return [*names, *(text for _, _, text in self._cells())]

    def check(self, codec: str | None, name: str) -> None:
        """Raise `InvalidParameter` for the first text that is not in an encoding."""
        if codec is None:
            return
        for row, field, text in self._cells():
            try:
                # Writers cut texts that are too long, also within a character.
                codecs.getincrementaldecoder(codec)().decode(text)
            except UnicodeDecodeError as error:
                byte = text[error.start]
                raise InvalidParameter(
                    FILE, f"row {row}: the byte 0x{byte:02x} in {field} is not {name}; choose the encoding."
                ) from None

    def _read(self, data: bytes) -> None:
        first, self._size = int.from_bytes(data[8:10], "little"), max(1, int.from_bytes(data[10:12], "little"))
        at, place = _HEADER, 1
        while at + _HEADER <= min(first, len(data)) and data[at] != _END_OF_FIELDS:
            length = data[at + _LENGTH_AT]
            if data[at + _KIND_AT] == _TEXT:
                # A text of more than 255 bytes has the rest of its length where numbers have their decimals.
                length += data[at + _LENGTH_AT + 1] << 8
                name = data[at : at + _KIND_AT].split(b"\0")[0].decode("latin-1")
                self._fields.append((name, place, place + length))
            place += length
            at += _HEADER
        count = int.from_bytes(data[4:8], "little")
        self._records = memoryview(data)[first : first + count * self._size]

    def _cells(self) -> list[tuple[int, str, bytes]]:
        """Return the row, the field and the bytes of each text beyond ASCII."""
        found = []
        for row, at in enumerate(range(0, len(self._records), self._size), 1):
            record = bytes(self._records[at : at + self._size])
            if record.isascii():
                continue
            for name, start, end in self._fields:
                text = record[start:end].rstrip(b" \0")
                if not text.isascii():
                    found.append((row, name, text))
        return found


def _codec_of(named: str) -> str | None:
    """Return the codec for the content of a .cpg file, such as ``UTF-8``, ``1252`` or ``ANSI 1252``, or None."""
    for name in (named, f"cp{named.removeprefix('ANSI').strip()}", named.replace("88591", "8859-1")):
        try:
            return codecs.lookup(name).name
        except LookupError:
            continue
    return None


def _encoding_of(named: str) -> Encoding | None:
    codec = _codec_of(named)
    return next((each for each in Encoding if codecs.lookup(each.value).name == codec), None)
