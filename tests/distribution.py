"""The distribution of tests to several processes: files, or their parts if they are apart in the order of all tests."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby

import pytest
from xdist.scheduler import LoadFileScheduling

LATER = pytest.StashKey[bool]()
"""Whether a test runs after the others of its folder, instead of with those of its file."""


class PartScheduling(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
    """Give a process the consecutive tests of a file, as xdist does with whole files."""

    _parts: dict[str, str] | None = None

    def _split_scope(self, nodeid: str) -> str:
        if self._parts is None:
            self._parts = parts_of_files(self.collection or ())
        return self._parts[nodeid]


def parts_of_files(nodeids: Iterable[str]) -> dict[str, str]:
    """Return the part of a file to which each test belongs: its path, with a number from the second part on."""
    found: dict[str, str] = {}
    seen = Counter[str]()
    for file, tests in groupby(nodeids, key=lambda nodeid: nodeid.split("::", 1)[0]):
        seen[file] += 1
        part = file if seen[file] == 1 else f"{file} {seen[file]}"
        found |= dict.fromkeys(tests, part)
    return found
