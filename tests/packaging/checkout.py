"""A fake checkout that counts as set up, and shells that load the scripts of the real one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
SHELL = shutil.which("dash") or "/bin/sh"

PROGRAM = """#!/bin/sh
printf '<%s>' "$@"
exit ${EXIT_CODE:-0}
"""


def shell(
    script: str, root: Path = ROOT, path: Path | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run shell code after loading setup.sh; `path` comes first on PATH."""
    code = f'set -eu; root=$1; . "$root/packaging/setup.sh"; {script}'
    return run([SHELL, "-c", code, "sh", str(root)], path=path, environment=environment)


def run(
    command: list[str],
    path: Path | None = None,
    cwd: Path | None = None,
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command in a clean environment with only the given variables."""
    search = "/usr/local/bin:/usr/bin:/bin" if path is None else f"{path}:/usr/bin:/bin"
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        cwd=cwd,
        env={"PATH": search, "HOME": "/nonexistent", **(environment or {})},
    )


def stand_in(folder: Path, name: str, body: str) -> None:
    """Put a command on a private PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def pretend_checkout(root: Path) -> Path:
    """Create a checkout with the real scripts and a program that prints its arguments, already set up."""
    (root / "resources/web/assets").mkdir(parents=True)
    shutil.copytree(PACKAGING, root / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(ROOT / "resources/web" / name, root / "resources/web")
    shutil.copytree(ROOT / "resources/setup", root / "resources/setup")
    for name in ("resources/system/libraries.txt", "app/desktop/display.py", "app/desktop/libraries.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    (root / "resources/world").mkdir()
    (root / "resources/web/assets/.stamp").write_text("", encoding="ascii")
    (root / "resources/areas").mkdir()
    (root / ".venv/bin").mkdir(parents=True)
    (root / ".venv/bin/python").symlink_to(sys.executable)
    stand_in(root / ".venv/bin", "fencewright", PROGRAM.partition("\n")[2])
    done = shell('setup_key >"$stamp"', root=root)
    assert done.returncode == 0, done.stderr
    return root
