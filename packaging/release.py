"""Makes what is published beside the packages for systems: wheels, source archives, their licences and checksums.

``python packaging/release.py wheels --output DIR`` builds the last commit. The same commit always becomes the same
files, in any folder and at any time, if Python and the locked packages are the same.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import build_hook
import licences
from parts import ROOT, LicenceError, parts

if TYPE_CHECKING:
    from collections.abc import Sequence

SUMS: Final = "SHA256SUMS"
PLUGIN: Final = "packaging/pytest-fencewright"
NPM: Final = "packaging/npm-fencewright"


class ReleaseError(Exception):
    """Raised if a part of the release cannot be made; the message says why."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one of the commands."""
    root = argparse.ArgumentParser(description=__doc__.partition("\n")[0], allow_abbrev=False)
    commands = root.add_subparsers(dest="command", required=True)
    for name, help_text in (
        ("wheels", "wheels, source archives, the npm package, the bill of materials and SHA256SUMS"),
        ("sbom", "only the bill of materials, fencewright-VERSION.cdx.json"),
        ("licences", "the licence texts of all installed parts, in a new folder licences"),
        ("sums", "SHA256SUMS of all files in the folder"),
    ):
        command = commands.add_parser(name, help=help_text)
        command.add_argument("--output", type=Path, required=True, metavar="DIR")
    commands.add_parser("page", help="the tables of docs/licences.md")
    options = root.parse_args(argv)
    try:
        if options.command == "page":
            source = licences.PAGE.read_text(encoding="utf-8")
            licences.PAGE.write_text(licences.page(source, parts()), encoding="utf-8")
        else:
            options.output.mkdir(parents=True, exist_ok=True)
            _COMMANDS[options.command](options.output.resolve())
    except (ReleaseError, LicenceError, build_hook.AssetError, build_hook.packages.PackagesError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0


def wheels(output: Path) -> None:
    """Build the wheels, source archives and the npm package of the last commit."""
    if _git("status", "--porcelain"):
        sys.stderr.write("Changes that are not committed are left out.\n")
    with tempfile.TemporaryDirectory(prefix="fencewright-release-") as folder:
        source = Path(folder)
        with tarfile.open(fileobj=io.BytesIO(_git("archive", "--format=tar", "HEAD"))) as archive:
            archive.extractall(source, filter="data")
        own = build_hook.WebAssets(ROOT)
        if own.current() and own.key() == build_hook.WebAssets(source).key():
            shutil.copytree(licences.ASSETS, source / licences.ASSETS.relative_to(ROOT))
        for project in (source, source / PLUGIN):
            _run([sys.executable, "-m", "hatchling", "build", "-d", str(output)], project)
        npm = build_hook.packages.obtain_npm([ROOT / ".tools" / "node"], ROOT / "resources" / "setup" / "node.lock")
        _run([*npm, "pack", "--silent", "--pack-destination", str(output)], source / NPM)
    sbom(output)
    sums(output)


def sbom(output: Path) -> None:
    """Write the bill of materials."""
    # The other commands also work in the environment of users, without the library for this format.
    from sbom import bill_of_materials

    text = bill_of_materials(version(), parts(), made_at_s())
    (output / f"fencewright-{version()}.cdx.json").write_text(text, encoding="utf-8")


def texts(output: Path) -> None:
    """Gather the licence texts in a new folder."""
    folder = output / "licences"
    if folder.exists():
        raise ReleaseError(f"{folder} exists already.")
    licences.save_texts(folder, parts())


def sums(output: Path) -> None:
    """Write the checksums of all files in a folder, for `sha256sum --check`."""
    files = sorted(path for path in output.iterdir() if path.is_file() and path.name != SUMS)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (output / SUMS).write_text("".join(lines), encoding="utf-8")


def version() -> str:
    """Return the version of the program."""
    sys.path.insert(0, str(ROOT))
    from app import __version__

    return __version__


def made_at_s() -> int:
    """Return the time that all files of the release have: of the last commit, unless SOURCE_DATE_EPOCH is set."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    return int(given) if given.isdecimal() else int(_git("log", "-1", "--format=%ct"))


_COMMANDS: Final = {"wheels": wheels, "sbom": sbom, "licences": texts, "sums": sums}


def _git(*arguments: str) -> bytes:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
    except OSError as error:
        raise ReleaseError("A release is made from a clone, with git.") from error
    if done.returncode != 0:
        raise ReleaseError(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def _run(command: list[str], folder: Path) -> None:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(made_at_s())}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ReleaseError(f"{' '.join(command[:4])} failed in {folder.name}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(main())
