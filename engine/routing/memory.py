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
    """Return the resident memory of a process, or 0 if it has ended or the system does not report it."""
    with suppress(OSError):
        return int(_statm(str(pid))[1]) * _PAGE
    return 0


def private_bytes() -> int:
    """Return this process's resident memory without file pages, or 0 if the system does not report it."""
    if not _KNOWN:
        return 0
    _, resident, shared, *_ = _statm("self")
    return (int(resident) - int(shared)) * _PAGE


def return_freed() -> None:
    """Release freed memory to the system; the C library keeps it by default."""
    if _KNOWN:
        with suppress(AttributeError):  # not every C library has it; others return memory by themselves
            ctypes.CDLL(None).malloc_trim(0)


def _statm(process: str) -> list[str]:
    return (_PROC / process / "statm").read_text().split()
