"""The licences of all parts of a release: the page of the documentation, and a folder with their texts."""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from parts import ROOT, STATED, LicenceError, Part, installed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PAGE: Final = ROOT / "docs" / "licences.md"
TEXTS: Final = ROOT / "packaging" / "licence-texts"
MODULES: Final = ROOT / "resources" / "web" / "node_modules"
ASSETS: Final = ROOT / "resources" / "web" / "assets"

_LICENCE: Final = re.compile(r"(licen[cs]es?|copying|notice|authors)\b|.*\blicen[cs]e", re.IGNORECASE)
_SECTION: Final = re.compile(r"(<!--generated:(\w+)-->\n).*?(<!--end-->)", re.DOTALL)


def page(source: str, parts: Sequence[Part]) -> str:
    """Return the page with the tables of all parts between its marks."""

    def table(found: re.Match[str]) -> str:
        rows = sorted((part for part in parts if part.kind == found[2]), key=lambda part: part.name)
        return f"{found[1]}{_table(rows)}{found[3]}"

    return _SECTION.sub(table, source)


def save_texts(folder: Path, parts: Sequence[Part]) -> int:
    """Copy the licence texts of Fencewright, Python and all installed parts into a new folder, and count the parts.

    Raises `LicenceError` if a part has none, and `FileExistsError` if the folder exists.
    """
    extra: dict[str, list[str]] = tomllib.loads(STATED.read_text(encoding="utf-8"))["texts"]
    folder.mkdir(parents=True)
    shutil.copyfile(ROOT / "LICENSE", folder / "LICENSE")
    _save_python(folder / "python")
    saved = 0
    for part in parts:
        if part.kind == "data" or (part.kind == "python" and installed(part.name) is None):
            continue
        files = [*_own_texts(part), *(TEXTS / name for name in extra.get(f"{part.kind}/{part.name}", ()))]
        if not files:
            raise LicenceError(f"{part.name}: no licence file. Add one to packaging/{TEXTS.name}.")
        target = folder / part.kind / f"{part.name.replace('/', '+')}-{part.version}"
        target.mkdir(parents=True)
        for file in files:
            shutil.copyfile(file, _unused(target, file.name))
        saved += 1
    return saved


def _table(parts: Iterable[Part]) -> str:
    rows = [f"| {part.name} | {part.version} | {part.licence} |" for part in parts]
    return "\n".join(["| name | version | licence |", "|---|---|---|", *rows, ""])


def _save_python(folder: Path) -> None:
    folder.mkdir()
    text = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    if text.is_file():
        shutil.copyfile(text, folder / "LICENSE.txt")
    else:
        (folder / "COPYRIGHT.txt").write_text(sys.copyright + "\n", encoding="utf-8")


def _own_texts(part: Part) -> list[Path]:
    """Return the licence files that a package brings, in a stable order."""
    if part.kind == "npm":
        # The modules are only at hand after a set-up that made the assets.
        files = (file for file in (MODULES / part.name).glob("*") if file.is_file())
        return sorted(file for file in files if _LICENCE.match(file.name))
    package = installed(part.name)
    return sorted(
        Path(str(file.locate()))
        for file in (package.files if package is not None else None) or ()
        if _LICENCE.match(file.name) and file.suffix not in (".py", ".pyc", ".pyi", ".so", ".js", ".html")
    )


def _unused(folder: Path, name: str) -> Path:
    """Return a path in a folder that does not exist yet, since packages have several files of one name."""
    path, number = folder / name, 2
    while path.exists():
        path, number = folder / f"{Path(name).stem}-{number}{Path(name).suffix}", number + 1
    return path
