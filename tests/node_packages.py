"""Installer of the npm packages that only tests need: ``python -m tests.node_packages [FOLDER ...]``.

A folder's packages are fetched into its ``node_modules`` when its lock has changed.
"""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from app.setup.packages import PackagesError, fetch_npm, npm_command, obtain_npm

ROOT: Final = Path(__file__).parents[1]
FOLDERS: Final = (Path("tests/web"), Path("tests/clients"), Path("tests/packaging/node"))
"""Folders with a ``package.json``, relative to the checkout."""

_NODE: Final = Path(".tools/node")
_STAMP: Final = Path("node_modules/.fetched-by")


def fetch(folder: Path, root: Path = ROOT) -> list[str]:
    """Fetch a folder's packages unless they are present, and return the npm command. Raises `PackagesError`."""
    npm = obtain_npm([root / _NODE], root / "resources" / "setup" / "node.lock")
    if not is_fetched(folder, root):
        fetch_npm(npm, root / folder)
        shutil.copyfile(root / folder / "package-lock.json", root / folder / _STAMP)
    return npm


def is_fetched(folder: Path, root: Path = ROOT) -> bool:
    """Return whether the packages in a folder's lock are present."""
    stamp = root / folder / _STAMP
    return stamp.is_file() and stamp.read_bytes() == (root / folder / "package-lock.json").read_bytes()


def find_node(root: Path = ROOT) -> str | None:
    """Return the path of Node.js: the machine's own, or the version fetched by the set-up."""
    npm = npm_command([root / _NODE])
    if npm is None:
        return None
    return npm[0] if len(npm) > 1 else shutil.which("node")


def main(arguments: Sequence[str]) -> int:
    """Fetch the packages of these folders, or of all, and return 0 if they are present."""
    try:
        for folder in map(Path, arguments or FOLDERS):
            fetch(folder)
    except PackagesError as problem:
        raise SystemExit(str(problem)) from None
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
