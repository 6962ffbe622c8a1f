"""Memory use of processes."""

import ctypes
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_KNOWN: Final = (_PROC / "self/statm").exists()
_PAGE: Final = os.sysconf("SC_PAGE_SIZE") if _KNOWN else 0


def resident_bytes(pid: int) -> int:
    """Return a process's resident memory; 0 once it has ended, and on systems without such a file."""
    with suppress(OSError):
        return int(_statm(str(pid))[1]) * _PAGE
    return 0


def private_bytes() -> int:
    """Return this process's resident memory without pages of files; 0 on systems without such a file."""
    if not _KNOWN:
        return 0
    _, resident, shared, *_ = _statm("self")
    return (int(resident) - int(shared)) * _PAGE


def return_freed() -> None:
    """Return what was freed to the system, where the C library keeps it by default."""
    if _KNOWN:
        with suppress(AttributeError):  # a C library that returns it by itself
            ctypes.CDLL(None).malloc_trim(0)


def _statm(process: str) -> list[str]:
    return (_PROC / process / "statm").read_text().split()
