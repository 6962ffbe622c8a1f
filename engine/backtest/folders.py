"""The folders of a back-test, without the libraries that its work needs."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from engine.domain.errors import InvalidParameter

PLAN: Final = "plan.json"
"""The file with what must be the same when a back-test is resumed."""
_LOCK: Final = "lock"


def unfinished(output: Path) -> Path:
    """Return the folder beside the output that has the finished parts of a back-test until it is complete."""
    return output.with_name(f"{output.name}.unfinished")


def has_begun(folder: Path) -> bool:
    """Return whether a folder of `unfinished` has a back-test to resume."""
    return (folder / PLAN).exists()


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold a folder of `unfinished`, which is created if necessary. Raises `InvalidParameter` if it is held already."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # The kernel releases the lock when its holder dies for any reason.
    with os.fdopen(os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600), "rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidParameter("output", f"output: another back-test writes it in {folder}.") from None
        except OSError:
            pass  # Some shared storage has no locks.
        yield
