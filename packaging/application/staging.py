"""Files of the program as they are installed on Linux, and the control file of its Debian package."""

from __future__ import annotations

import gzip
import hashlib
import mmap
import os
import re
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from string import Template
from typing import Final

from drawing import png
from manual import manual_page

_LINUX: Final = Path(__file__).resolve().parent / "linux"
_ROOT: Final = Path(__file__).resolve().parents[2]
_SVG: Final = _ROOT / "resources" / "icons" / "fencewright.svg"
_LIBRARIES: Final = _ROOT / "resources" / "system" / "libraries.txt"
_ICON_SIZES: Final = (16, 24, 32, 48, 64, 128, 256, 512)
_RENAMED: Final = frozenset({"libasound2", "libglib2.0-0"})
"""Packages of the list of libraries whose names end with ``t64`` since Debian 13 and Ubuntu 24.04."""

_GLIBC: Final = re.compile(rb"GLIBC_2\.(\d+)\x00")
_KIB: Final = 1024


def lay_out(stage: Path, program: Path, version: str, today: date) -> None:
    """Copy a one-folder program into ``lib/fencewright``, with everything around it in ``bin`` and ``share``."""
    shutil.copytree(program, stage / "lib" / "fencewright", symlinks=True)
    (stage / "bin").mkdir()
    (stage / "bin" / "fencewright").symlink_to("../lib/fencewright/fencewright")
    share = stage / "share"
    values = {"version": version, "date": today.isoformat()}
    write(share / "applications" / "fencewright.desktop", _template("fencewright.desktop", values))
    write(share / "mime" / "packages" / "fencewright.xml", _template("fencewright.mime.xml", values))
    write(share / "metainfo" / "fencewright.metainfo.xml", _template("fencewright.metainfo.xml", values))
    icons = share / "icons" / "hicolor"
    for size in _ICON_SIZES:
        _write_bytes(icons / f"{size}x{size}" / "apps" / "fencewright.png", png(_SVG, size))
    _write_bytes(icons / "scalable" / "apps" / "fencewright.svg", _SVG.read_bytes())
    _write_bytes(share / "man" / "man1" / "fencewright.1.gz", _packed(manual_page(version, today).encode()))
    doc = share / "doc" / "fencewright"
    license_text = (_ROOT / "LICENSE").read_text(encoding="utf-8")
    # In this format, a paragraph continues on lines that begin with a space, and a full stop stands for an empty one.
    indented = "\n".join(f" {line.strip() or '.'}" for line in license_text.strip().splitlines()[1:])
    write(doc / "copyright", _template("copyright", {**values, "license": indented.strip()}))
    _write_bytes(doc / "changelog.gz", _packed(_changelog(version, today).encode()))


def _changelog(version: str, today: date) -> str:
    """Return the log in Debian's format, which names the version; the window shows the changes."""
    lines = (f"fencewright ({version}) stable; urgency=medium", "", f"  * Version {version}.", "")
    return "\n".join([*lines, f" -- {_MAINTAINER}  {today:%a, %d %b %Y} 00:00:00 +0000", ""])


_MAINTAINER: Final = "Fencewright maintainers <maintainers@fencewright.invalid>"


def _template(name: str, values: dict[str, str]) -> str:
    return Template((_LINUX / name).read_text(encoding="utf-8")).substitute(values)


def _packed(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


def write(file: Path, text: str, mode: int = 0o644) -> None:
    """Write a file, in folders that are created."""
    _write_bytes(file, text.encode(), mode)


def _write_bytes(file: Path, data: bytes, mode: int = 0o644) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    file.chmod(mode)


def settle(root: Path, moment: int) -> None:
    """Give all files and folders the same time, and the modes of installed files."""
    for path in [root, *root.rglob("*")]:
        if not path.is_symlink():
            executable = path.is_dir() or (path.stat().st_mode & 0o100 and ".so" not in path.suffixes)
            path.chmod(0o755 if executable else 0o644)
        os.utime(path, (moment, moment), follow_symlinks=False)


def control(root: Path, version: str, architecture: str) -> str:
    """Return the control file of the Debian package of the files in a folder."""
    values = {
        "version": version,
        "architecture": architecture,
        "maintainer": _MAINTAINER,
        "size": str(_installed_kib(root)),
        "depends": ", ".join([f"libc6 (>= 2.{least_glibc(root)})", *_needed_packages()]),
    }
    return _template("control", values)


def _needed_packages() -> Iterator[str]:
    """Yield the packages with the libraries that a window needs, under all of their names, and one with a font."""
    for line in _LIBRARIES.read_text(encoding="ascii").splitlines():
        if not line.startswith("#"):
            package = line.split()[2]
            yield f"{package}t64 | {package}" if package in _RENAMED else package
    yield "fonts-dejavu-core | fonts-noto-core | fonts-liberation | fonts-liberation2"


def _installed_kib(root: Path) -> int:
    """Return the size as Debian counts it: each file in whole KiB, and one for each folder and link."""
    paths = root.rglob("*")
    return sum(1 if path.is_symlink() or path.is_dir() else -(-path.stat().st_size // _KIB) for path in paths)


def least_glibc(root: Path) -> int:
    """Return the second number of the oldest glibc with all functions that the programs and libraries use."""
    return max((number for file in root.rglob("*") for number in _glibcs(file)), default=17)


def _glibcs(file: Path) -> Iterator[int]:
    if file.is_symlink() or not file.is_file() or file.stat().st_size == 0:
        return
    with file.open("rb") as opened:
        if opened.read(4) != b"\x7fELF":
            return
        with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield from (int(found[1]) for found in _GLIBC.finditer(data))


def checksums(root: Path) -> str:
    """Return the list of checksums with which `dpkg --verify` finds changed files."""
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return "".join(f"{_md5(file)}  {file.relative_to(root.parent)}\n" for file in files)


def _md5(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
