"""Memory use of this process."""

import os
from pathlib import Path
from typing import Final

_STATM: Final = Path("/proc/self/statm")
_KNOWN: Final = _STATM.exists()
_PAGE: Final = os.sysconf("SC_PAGE_SIZE") if _KNOWN else 0


def resident_bytes() -> int:
    """Return the process's resident memory; 0 on systems that do not tell it in a file."""
    return int(_STATM.read_text().split()[1]) * _PAGE if _KNOWN else 0
