"""Packages of the one-folder program that packaging/build.sh builds, for Linux; and what it needs elsewhere.

``python packaging/application/pack.py deb|tar|appimage|all --program dist/fencewright --output dist``
``python packaging/application/pack.py windows|macos --output dist`` write the icon of the program, and for Windows the
version resource, before the program is built there.

It needs the environment of the build (PySide6 draws the icons, and the man page is made from the program's parser),
`dpkg-deb` for a ``.deb``, and `tar` and `zstd` for a ``.tar.zst``. With SOURCE_DATE_EPOCH, the same program gives the
same packages.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from string import Template
from typing import Final

import staging
from drawing import write_icns, write_ico

HERE: Final = Path(__file__).resolve().parent
NAME: Final = "fencewright"

_LEVEL: Final = 10
"""The level of zstd. Level 15 saves a further hundredth of the size and takes seven times as long."""

_NO_APPIMAGE: Final = """\
no AppImage is built: it begins with a runtime, a small program that mounts the rest of the file, and no package of
PyPI, npm or Debian contains one. Checked: appimage, pyproject-appimage and python-appimage (PyPI); app-builder-bin,
app-builder-lib, cmake-app-image and the makers for Electron Forge (npm); libappimage (Debian). They download it or
expect it to be there. The .tar.zst runs without installation, too."""


class PackError(RuntimeError):
    """A package cannot be built. The message says how to fix it."""


def main(arguments: Sequence[str]) -> int:
    """Build the requested packages and print the path and size of each."""
    options = _parser().parse_args(arguments)
    output: Path = options.output.absolute()
    try:
        output.mkdir(parents=True, exist_ok=True)
        match options.kind:
            case "windows":
                made = [write_ico(output / f"{NAME}.ico"), _write_version(output / "version.txt")]
            case "macos":
                made = [write_icns(output / f"{NAME}.icns")]
            case kind:
                made = list(_packages(kind, options.program.absolute(), output))
    except PackError as error:
        sys.stderr.write(f"pack: {error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"pack: {error.filename or output}: {error.strerror or error}\n")
        return 1
    for file in made:
        sys.stdout.write(f"{file} {file.stat().st_size / 1_000_000:.2f} MB\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pack", description="Build packages of the one-folder program.")
    parser.add_argument("kind", choices=[*_KINDS, "appimage", "all", "windows", "macos"])
    parser.add_argument("--program", type=Path, default=Path("dist") / NAME, metavar="FOLDER")
    parser.add_argument("--output", type=Path, default=Path("dist"), metavar="FOLDER")
    return parser


def _write_version(file: Path) -> Path:
    """Write the version resource, with the version of the project, as four numbers and in full."""
    version = metadata.version(NAME)
    numbers = [*re.findall(r"\d+", version)[:3], "0", "0", "0"][:4]
    template = Template((HERE / "windows" / "version.txt").read_text(encoding="utf-8"))
    staging.write(file, template.substitute(version=version, numbers=", ".join(numbers)))
    return file


def _packages(kind: str, program: Path, output: Path) -> Iterator[Path]:
    if kind == "appimage":
        raise PackError(_NO_APPIMAGE)
    version = version_of(program)
    with _staged(program, version, output) as stage:
        for name, build in _KINDS.items():
            if kind in (name, "all"):
                sys.stderr.write(f"pack: building the {name} of {NAME} {version}\n")
                yield build(stage, version, output)
    if kind == "all":
        sys.stderr.write(f"pack: {_NO_APPIMAGE}\n")


def version_of(program: Path) -> str:
    """Return the version of the program, which is started. Raises `PackError`."""
    executable = program / NAME
    if not executable.is_file():
        raise PackError(f"{executable} is missing: build the program first, with sh packaging/build.sh program")
    done = subprocess.run([executable, "--version"], capture_output=True, text=True, timeout=300, check=False)
    found = re.fullmatch(rf"{NAME} (\d[0-9A-Za-z.+]*)\s*", done.stdout)
    if done.returncode != 0 or found is None:
        raise PackError(f"{executable} --version failed: {done.stderr.strip() or done.stdout.strip() or 'no output'}")
    return found[1]


def moment() -> int:
    """Return the time of all files in the packages, in seconds since 1970: SOURCE_DATE_EPOCH, or else now."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if given and not given.isdigit():
        raise PackError(f"SOURCE_DATE_EPOCH must be a number of seconds, not {given!r}")
    return int(given) if given else int(time.time())


@contextmanager
def _staged(program: Path, version: str, output: Path) -> Iterator[Path]:
    """Yield a folder with all files of the program as they are installed: ``lib``, ``bin`` and ``share``."""
    with tempfile.TemporaryDirectory(prefix=".pack-", dir=output) as work:
        stage = Path(work) / "stage"
        date = datetime.fromtimestamp(moment(), UTC).date()
        staging.lay_out(stage, program, version, date)
        yield stage


def build_deb(stage: Path, version: str, output: Path) -> Path:
    """Build a Debian package of the staged program."""
    _require("dpkg-deb", "dpkg")
    with tempfile.TemporaryDirectory(prefix=".deb-", dir=output) as work:
        root = Path(work)
        # The files have their final times and modes, so that links to them suffice.
        shutil.copytree(stage, root / "usr", symlinks=True, copy_function=os.link)
        architecture = _output_of("dpkg", "--print-architecture")
        control = staging.control(root / "usr", debian_version(version), architecture)
        staging.write(root / "DEBIAN" / "control", control)
        staging.write(root / "DEBIAN" / "postrm", (HERE / "linux" / "postrm").read_text(encoding="utf-8"), 0o755)
        staging.write(root / "DEBIAN" / "md5sums", staging.checksums(root / "usr"))
        staging.settle(root, moment())
        file = output / f"{NAME}_{debian_version(version)}_{architecture}.deb"
        _run("dpkg-deb", "--root-owner-group", "-Zzstd", f"-z{_LEVEL}", "--build", str(root), str(file))
    return file


def debian_version(version: str) -> str:
    """Return the version as Debian orders it: a release after its candidates (``0.2.0rc1`` becomes ``0.2.0~rc1``)."""
    return re.sub(r"\.?(a|b|rc|dev)(\d+)", r"~\1\2", version)


def build_tar(stage: Path, version: str, output: Path) -> Path:
    """Build an archive of the staged program with a script that installs it."""
    _require("tar", "tar")
    _require("zstd", "zstd")
    name = f"{NAME}-{version}-linux-{platform.machine()}"
    file = output / f"{name}.tar.zst"
    with tempfile.TemporaryDirectory(prefix=".tar-", dir=output) as work:
        root = Path(work) / name
        shutil.copytree(stage, root, symlinks=True, copy_function=os.link)
        for source, mode in (("install.sh", 0o755), ("README", 0o644)):
            staging.write(root / source, (HERE / "linux" / source).read_text(encoding="utf-8"), mode)
        staging.settle(root, moment())
        archive = Path(work) / "archive.tar"
        options = ("--sort=name", "--format=gnu", "--owner=0", "--group=0", "--numeric-owner")
        _run("tar", *options, "-C", work, "-cf", str(archive), name)
        # A window of 128 MiB, the largest that `zstd -d` accepts by default, finds what libraries have in common.
        _run("zstd", "-q", "-f", "-T0", f"-{_LEVEL}", "--long=27", str(archive), "-o", str(file))
    return file


_KINDS: Final[dict[str, Callable[[Path, str, Path], Path]]] = {"deb": build_deb, "tar": build_tar}


def _require(command: str, package: str) -> None:
    if shutil.which(command) is None:
        raise PackError(f"{command} is missing: install the Debian package {package}")


def _run(*command: str) -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(moment()), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise PackError(f"{command[0]} failed with exit code {done.returncode}")


def _output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
