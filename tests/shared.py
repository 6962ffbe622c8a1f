"""Real extracts and recorded tracks in the shared folder beside the project, which only some machines have.

This is the only module that knows the folder. A test requests the files with the fixture `shared_data`, directly or
through other fixtures, and has the marker of that name. With `FENCEWRIGHT_WITHOUT_SHARED=1` in the environment the
folder counts as missing, as on an outsider's machine: so do all runs without the slow tests.
"""

import os
from pathlib import Path
from typing import Final

import pytest

WITHOUT: Final = "FENCEWRIGHT_WITHOUT_SHARED"
_SHARED: Final = Path(__file__).parents[2] / "shared"
_FOLDER: Final = _SHARED / "data"


class SharedData:
    """The shared files; only tests and fixtures that have `shared_data`, and benchmarks, may create an instance."""

    def __init__(self) -> None:
        self._folder = None if os.environ.get(WITHOUT) else _FOLDER
        self._cases = None if os.environ.get(WITHOUT) else _SHARED / "cases"

    def find_extract(self, name: str) -> Path | None:
        """Return an OpenStreetMap extract, or None if it is missing."""
        return self._find("osm", f"{name}.osm.pbf")

    def extract(self, name: str) -> Path:
        """Return an OpenStreetMap extract; skip the test if it is missing."""
        return _or_skip(self.find_extract(name), f"the shared extract of {name} is missing")

    def find_track(self, name: str) -> Path | None:
        """Return a recorded track, or None if it is missing."""
        return self._find("gpx", name)

    def track(self, name: str) -> Path:
        """Return a recorded track; skip the test if it is missing."""
        return _or_skip(self.find_track(name), f"the shared track {name} is missing")

    def reference(self) -> Path:
        """Return the table of the platform's operations and parameters; skip the test if it is missing."""
        file = None if self._cases is None else self._cases / "reference.tsv"
        found = file if file is not None and file.is_file() else None
        return _or_skip(found, "the shared table of the reference is missing")

    def _find(self, *parts: str) -> Path | None:
        file = None if self._folder is None else self._folder.joinpath(*parts)
        return file if file is not None and file.is_file() else None


def _or_skip(file: Path | None, reason: str) -> Path:
    if file is None:
        pytest.skip(reason)
    return file
