"""The packages of the program, built once for all tests of a run."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.packaging.checkout import PACKAGING, ROOT

BUILT = "FENCEWRIGHT_BUILT"
"""Environment variable for a folder that packaging/build.sh has filled, which is used as it is."""

_BUILT_WITHIN_S = 3600


def built_file(kind: str, pattern: str, factory: pytest.TempPathFactory) -> Path:
    """Return the file of this kind (``deb`` or ``tar``), built unless there is one; skip where it cannot be."""
    given = os.environ.get(BUILT)
    folder = Path(given) if given else factory.getbasetemp() / "built"
    if not given and not any(folder.glob(pattern)):
        if (missing := [name for name in ("dpkg-deb", "zstd") if shutil.which(name) is None]) != []:
            pytest.skip(f"{' and '.join(missing)} not installed")
        command = ["sh", str(PACKAGING / "build.sh"), "--output", str(folder), kind]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=_BUILT_WITHIN_S, check=False)
        if done.returncode != 0:
            pytest.fail(f"packaging/build.sh failed: {done.stderr[-3000:]}")
    files = sorted(folder.glob(pattern))
    if not files:
        pytest.fail(f"there is no {pattern} in {folder}")
    return files[-1]
