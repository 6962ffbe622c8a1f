"""ZIP archives that hold a map or a table: KMZ, Excel, a Shapefile with its sidecars. Their sizes are bounded."""

import zipfile
import zlib
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import PurePosixPath
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.tabular.formats.source import FILE

MIB: Final = 1024 * 1024
MAX_UNPACKED: Final = 512 * MIB
MAX_RATIO: Final = 200
"""Maximum ratio of a file's size to its packed size; text of coordinates is typically packed ten times."""

MAX_ENTRIES: Final = 1_000
SMALL: Final = MIB
"""Size up to which a file may have any ratio, in bytes."""

SHAPE: Final = ".shp"
SIDECARS: Final = (SHAPE, ".shx", ".dbf", ".prj", ".cpg")
_STEP: Final = MIB


class Archive:
    """A ZIP archive in memory."""

    def __init__(self, data: bytes, most: int = MAX_UNPACKED) -> None:
        """Open an archive, from which at most `most` bytes are unpacked.

        Raises `InvalidParameter` if it is not an archive, or has more entries than any map.
        """
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):
            raise InvalidParameter(FILE, "This ZIP archive is damaged.") from None
        if len(self._zip.infolist()) > MAX_ENTRIES:
            raise InvalidParameter(FILE, f"This ZIP archive contains more than {MAX_ENTRIES:,} files.")
        self._left = most

    def names(self, *endings: str) -> list[str]:
        """Return the files with one of these extensions, the topmost first, without the files that macOS adds."""
        found = [info.filename for info in self._zip.infolist() if not info.is_dir()]
        wanted = (name for name in found if _ending(name) in endings and not name.startswith("__MACOSX/"))
        return sorted(wanted, key=lambda name: (name.count("/"), name))

    def read(self, name: str) -> bytes:
        """Unpack a file; raises `InvalidParameter` if it is damaged, or much larger than expected."""
        return b"".join(self._pieces(name))

    def check(self) -> None:
        """Unpack all files without keeping them; raises `InvalidParameter` as `read` does."""
        for info in self._zip.infolist():
            for _ in self._pieces(info.filename):
                pass

    def has(self, *names: str) -> bool:
        """Return whether the archive has all of these files."""
        return not set(names).difference(self._zip.namelist())

    def _pieces(self, name: str) -> Iterator[bytes]:
        packed = max(self._zip.getinfo(name).compress_size, 1)
        size = 0
        try:
            with self._zip.open(name) as stream:
                while piece := stream.read(_STEP):
                    size += len(piece)
                    self._left -= len(piece)
                    if self._left < 0 or size > max(SMALL, packed * MAX_RATIO):
                        raise InvalidParameter(FILE, f"{_shown(name)} in the ZIP archive is too large when unpacked.")
                    yield piece
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError):
            raise InvalidParameter(FILE, f"{_shown(name)} in the ZIP archive is damaged or encrypted.") from None


def shapefile_of(archive: Archive, shape: str) -> dict[str, bytes]:
    """Return the files of a Shapefile by extension; raises `InvalidParameter` if its attributes are missing."""
    stem = shape[: -len(SHAPE)].lower()
    files = {}
    for name in archive.names(*SIDECARS):
        if name[: -len(_ending(name))].lower() == stem:
            files[_ending(name)] = archive.read(name)
    if ".dbf" not in files:
        raise InvalidParameter(FILE, f"{_shown(shape)} has no .dbf file with its attributes beside it.")
    return files


def pack(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive of these files."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return out.getvalue()


def _ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def _shown(name: str) -> str:
    return repr(name if len(name) <= 60 else f"…{name[-59:]}")
