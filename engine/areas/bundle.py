"""Builds the area that comes with the program; the set-up runs it: ``python -m engine.areas.bundle EXTRACT SOURCE``."""

import sys
from collections.abc import Sequence
from pathlib import Path

from engine.areas.builder import run_build
from engine.areas.folder import name_of
from engine.areas.library import BUNDLED
from engine.domain.errors import FencewrightError
from engine.domain.ports import no_progress


def main(argv: Sequence[str]) -> int:
    """Build the area, in place of one that is there; `SOURCE` is what to call the extract."""
    file, source = Path(argv[0]), argv[1]
    try:
        run_build(file, BUNDLED, name_of(file).lower(), source=source, progress=no_progress, replace=True)
    except FencewrightError as error:
        sys.stderr.write(f"{error.message}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
