"""Libraries of the system that a window needs but lacks, and the command that installs them.

The module does not use Qt, which may not load. It uses the standard library only and imports nothing from this project:
packaging/setup.sh runs this file as a script, which installs missing packages, or explains how to and exits with 1.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

type Part = Literal["window", "x", "wayland"]

_LIST = Path(__file__).parents[2] / "resources" / "system" / "libraries.txt"
_LISTS_OF_APT = Path("/var/lib/apt/lists")
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


def loads(library: str) -> bool:
    """Return whether the system finds and loads a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing_packages(parts: Iterable[Part], found: Callable[[str], bool] = loads) -> list[str]:
    """Return the Debian packages of libraries in these parts of the list that the machine lacks."""
    wanted = set(parts)
    lines = _LIST.read_text(encoding="ascii").splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    return [package for part, library, package in rows if part in wanted and not found(library)]


def missing_fonts(folders: Iterable[str] = _FONTS) -> list[str]:
    """Return the Debian package of a font if the machine has none. Without fonts, Chromium paints boxes or no text."""
    files = (file for folder in folders for file in Path(folder).expanduser().rglob("*.[to]t[fc]"))
    return [] if any(files) else ["fonts-dejavu-core"]


def screen_parts(environment: Mapping[str, str]) -> list[Part]:
    """Return the part of the list for the screen that Qt will choose; offscreen and the like need none."""
    platform = environment.get("QT_QPA_PLATFORM", "")
    wayland, x = environment.get("WAYLAND_DISPLAY"), environment.get("DISPLAY")
    if not platform and wayland and (environment.get("XDG_SESSION_TYPE") == "wayland" or not x):
        platform = "wayland"
    elif not platform and x:
        platform = "xcb"
    return ["wayland"] if platform.startswith("wayland") else ["x"] if platform.startswith("xcb") else []


def install(required: Sequence[str], wanted: Sequence[str] = ()) -> bool:
    """Install Debian packages if this account may do so, or else print instructions.

    Return whether all required packages are present, as far as this can be determined.
    """
    # One call for both, so that a user who has to install them by hand gets one command.
    packages = list(dict.fromkeys([*required, *wanted]))
    if not packages:
        return True
    as_root = _as_root()
    if shutil.which("apt-get") is None or as_root is None:
        _report(advice(packages))
        return shutil.which("apt-get") is None or not required
    names = [_current_name(package) for package in packages]
    _report(f"installing system packages: {' '.join(names)}")
    if _apt_installs(as_root, names):
        return True
    _report(f"apt could not install the system packages; run: {apt_line(packages)}")
    return not required


def _apt_installs(as_root: Sequence[str], names: Sequence[str]) -> bool:
    apt = [*as_root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=600"]

    def runs(*words: str) -> bool:
        return subprocess.run([*apt, *words], stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False).returncode == 0

    words = ("install", "-y", "--no-install-recommends", *names)
    fresh = not any(_LISTS_OF_APT.rglob("*Packages*")) and runs("update")
    return runs(*words) or (not fresh and runs("update") and runs(*words))


def _as_root() -> list[str] | None:
    """Return the command prefix to become root without a prompt, or None if there is no way."""
    if os.geteuid() == 0:
        return []
    sudo = ["sudo", "-n"]
    try:
        return sudo if subprocess.run([*sudo, "true"], capture_output=True, check=False).returncode == 0 else None
    except OSError:
        return None


def _report(message: str) -> None:
    sys.stderr.write(f"fencewright: {message}\n")
    sys.stderr.flush()


def advice(packages: Sequence[str]) -> str:
    """Return instructions to install missing Debian packages; on Debian and its derivatives, a command to run."""
    if shutil.which("apt-get") is None:
        return f"these Debian packages, or their equivalents here, seem to be missing: {' '.join(packages)}"
    return f"system packages are missing; run: {apt_line(packages)}"


def apt_line(packages: Sequence[str]) -> str:
    """Return the command with which this account can install packages."""
    install = f"apt-get install -y --no-install-recommends {' '.join(map(_current_name, packages))}"
    if os.geteuid() == 0:
        return f"apt-get update && {install}"
    if shutil.which("sudo"):
        return f"sudo apt-get update && sudo {install}"
    return f"su -c 'apt-get update && {install}'"


def _current_name(package: str) -> str:
    """Return the name of a package since Debian 13 and Ubuntu 24.04, in which some were renamed."""
    renamed = f"{package}t64"
    try:
        known = subprocess.run(["apt-cache", "show", renamed], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return package
    return renamed if known.returncode == 0 else package


def main(arguments: Sequence[str]) -> int:
    """Install the packages that windows need on the current screen; with ``--tests`` those of the tests, too."""
    if sys.platform != "linux":
        return 0
    tests = "--tests" in arguments
    required = [*missing_packages(["window"]), *missing_fonts()]
    screen = missing_packages(["x"] if tests else screen_parts(os.environ))
    if not tests:
        return 0 if install([*required, *screen]) else 1
    # The tests need a real X screen and a browser, and are skipped if one is missing. The browser is installed
    # separately, since not every system has a package of this name.
    there = install(required, [*screen, *_missing_program("Xvfb", "xvfb")])
    install([], _missing_program("chromium", "chromium"))
    if os.geteuid() == 0:
        # Tests build the program, and install it in bare Debian systems, which only root can make.
        for program, package in (("debootstrap", "debootstrap"), ("objdump", "binutils"), ("zstd", "zstd")):
            install([], _missing_program(program, package))
    return 0 if there else 1


def _missing_program(name: str, package: str) -> list[str]:
    return [package] if shutil.which(name) is None else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
