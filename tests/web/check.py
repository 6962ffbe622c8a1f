"""Checks of the map page's JavaScript with eslint and the type checker: ``python -m tests.web.check``.

Both are fetched by npm when their lock has changed, into a folder that exists only on test machines.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from app.setup.packages import PackagesError
from tests.node_packages import ROOT, fetch

CODE = Path("app/desktop/map/web")
TOOLS = Path("tests/web")


def run_checks(npm: Sequence[str], root: Path = ROOT) -> list[str]:
    """Run both checks, which print their findings, and return the names of the failed ones."""
    eslint = ["eslint", "--config", str(TOOLS / "eslint.config.js"), "--max-warnings", "0", str(CODE)]
    start = [*npm, "exec", "--offline", "--prefix", str(TOOLS), "--"]
    checks = (eslint, ["tsc", "--project", str(TOOLS)])
    return [check[0] for check in checks if subprocess.run([*start, *check], cwd=root, check=False).returncode != 0]


def main() -> int:
    """Run both checks, and return 0 if neither found anything."""
    try:
        npm = fetch(TOOLS)
    except PackagesError as problem:
        raise SystemExit(str(problem)) from None
    return 1 if run_checks(npm) else 0


if __name__ == "__main__":
    sys.exit(main())
