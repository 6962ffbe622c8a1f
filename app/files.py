"""Reading files to import, and writing exported ones."""

from pathlib import Path

from engine.domain.errors import InvalidParameter
from engine.domain.imports import ImportFile
from engine.tabular.formats.archives import SHAPE, SIDECARS, pack

MAX_BYTES = 256 * 1024 * 1024


def read_import(path: Path) -> ImportFile:
    """Return a file to import; a Shapefile with the files beside it. Raises `InvalidParameter` ``file``."""
    try:
        if path.suffix.lower() == SHAPE:
            beside = {each.suffix.lower(): each for each in path.parent.iterdir() if each.stem == path.stem}
            files = [(f"{path.stem}{ending}", _bytes(beside[ending])) for ending in SIDECARS if ending in beside]
            return ImportFile(pack(files), path.name)
        return ImportFile(_bytes(path), path.name)
    except OSError as error:
        raise InvalidParameter("file", f"{path} cannot be read: {error.strerror}.") from error


def write_export(path: Path, content: bytes) -> None:
    """Write an exported file, whole or not at all; raises `InvalidParameter` ``output``."""
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise InvalidParameter("output", f"{path} cannot be written: {error.strerror}.") from error


def _bytes(path: Path) -> bytes:
    if path.stat().st_size > MAX_BYTES:
        raise InvalidParameter("file", f"{path} is larger than {MAX_BYTES // 1024**2} MiB.")
    return path.read_bytes()
