"""A cache, in the user's cache folder, for content that is slow to make and constant for a version."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from platformdirs import user_cache_path

_CHECK = sha256().digest_size
_VERSIONS = 3
"""Number of entries kept under each name, for several versions of the program that are used in turn."""


def cache_folder() -> Path:
    """Return the cache folder of this user."""
    return user_cache_path("fencewright", appauthor=False) / "map"


class Kept:
    """Cached content in a folder, keyed by its name and its input. The folder may be read-only, or be deleted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str, made_from: bytes, make: Callable[[], bytes]) -> bytes:
        """Return the cached content, or make and store it if it is missing, damaged or from other input."""
        file = self._folder / f"{name}-{sha256(made_from).hexdigest()[:20]}"
        with suppress(OSError), file.open("rb") as stream:
            # In two reads, as the world has 12 MB, which slicing would copy twice.
            check, kept = stream.read(_CHECK), stream.read()
            if sha256(kept).digest() == check:
                return kept
        content = make()
        with suppress(OSError):
            self._store(name, file, content)
        return content

    def _store(self, name: str, file: Path, content: bytes) -> None:
        """Store content atomically, by rename, and delete the surplus oldest entries of this name."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=self._folder, delete=False) as draft:
            draft.write(sha256(content).digest() + content)
        try:
            Path(draft.name).replace(file)
        except OSError:
            Path(draft.name).unlink()
            raise
        for other in sorted(self._folder.glob(f"{name}-*"), key=_age)[:-_VERSIONS]:
            with suppress(OSError):
                other.unlink()


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:  # another process has just deleted it
        return 0.0
