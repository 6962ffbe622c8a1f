"""Bundles of npm packages for a page, made with esbuild like those of web apps."""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.clients.chromium import MODULES
from tests.node_packages import find_node


def bundle(entry: str, target: Path, *, aliases: Mapping[str, str] = {}, absent: Sequence[str] = ()) -> Path:
    """Bundle the source of a module with its packages into the file `target`, which is returned.

    `aliases` replace packages, also by a folder below ``node_modules``. `absent` are optional packages that are not
    installed.
    """
    node = find_node()
    assert node is not None
    command = [
        *(node, str(MODULES / "esbuild" / "bin" / "esbuild"), "--bundle", "--format=esm", "--log-level=error"),
        *('--define:process.env.NODE_ENV="production"', "--define:global=globalThis", "--loader:.png=dataurl"),
        *(f"--alias:{package}={other}" for package, other in aliases.items()),
        *(f"--external:{package}" for package in absent),
        f"--outfile={target}",
    ]
    done = subprocess.run(command, input=entry.encode(), cwd=MODULES.parent, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return target
