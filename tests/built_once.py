"""Slow builds that all processes of a test run share."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def built_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that `make` has filled. The first process builds it, and tests must not change it."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"built-{name}"
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            work = folder.with_suffix(".making")
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir()
            make(work)
            work.rename(folder)
    return folder
