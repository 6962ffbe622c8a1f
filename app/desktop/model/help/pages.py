"""Pages of the documentation installed with the program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import Final

from msgspec import Struct

_ROOT: Final = Path(__file__).parents[4]
FOLDERS: Final = (_ROOT / "docs", _ROOT / "resources" / "docs")
"""Documentation folders in a checkout and in an installed package."""

FIRST: Final = "desktop.md"
_INTERNALS: Final = "internals"
_LAST: Final = ("credits.md", "licences.md")
_EXAMPLES: Final = (".json", ".yml", ".yaml", ".mjs", ".py", ".csv", ".service", ".plist")
_MAX_EXAMPLE: Final = 200_000
_HEADING: Final = re.compile(r"(#{1,4}) +(.+?) *#*$")
_MARKS: Final = re.compile(r"!\[[^]]*\]\([^)]*\)|\]\([^)]*\)|[*`\[|]|<!--.*?-->")


class Section(Struct, frozen=True):
    """A section of a page below one heading, as plain text; `anchor` is its name in links."""

    title: str
    anchor: str
    text: str


class Page(Struct, frozen=True):
    """A page: its path in the documentation, its title, its source and its sections."""

    name: str
    title: str
    source: str
    sections: tuple[Section, ...]


def folder() -> Path | None:
    """Return the folder of the documentation."""
    return next((each for each in FOLDERS if (each / FIRST).is_file()), None)


@cache
def pages() -> Mapping[str, Page]:
    """Return all pages by name, starting with the one about the window and ending with those for developers."""
    found = folder()
    if found is None:
        return {}
    files = sorted([*found.glob("*.md"), *(found / _INTERNALS).glob("*.md")])
    made = (read_page(file, file.relative_to(found).as_posix()) for file in files)
    return {page.name: page for page in sorted(made, key=_rank)}


def page_named(name: str) -> Page | None:
    """Return a page by name. Examples in the documentation are returned as pages, too."""
    if name in pages():
        return pages()[name]
    file = file_in_docs(name)
    if file is None or file.suffix not in _EXAMPLES or file.stat().st_size > _MAX_EXAMPLE:
        return None
    return Page(name, file.name, f"# {file.name}\n\n```\n{file.read_text(encoding='utf-8')}\n```\n", ())


def read_page(file: Path, name: str = "") -> Page:
    """Read a page, which is named like its file unless another name is given."""
    source = file.read_text(encoding="utf-8")
    sections = tuple(_sections(source))
    return Page(name or file.name, sections[0].title if sections else file.stem, source, sections)


def linked_from(page: str, path: str) -> str:
    """Return the path in the documentation that a page's link means."""
    return normpath(join(dirname(page), path)) if path else page


def file_in_docs(path: str) -> Path | None:
    """Return a documentation file by its path, or None if it does not exist or is outside the folder."""
    found = folder()
    if found is None:
        return None
    file = (found / path).resolve()
    return file if file.is_relative_to(found.resolve()) and file.is_file() else None


def slug(title: str) -> str:
    """Return the anchor of a heading in the format used by code hosting sites."""
    bare = _MARKS.sub("", title).strip().lower()
    return re.sub(r"[^\w\- ]", "", bare).replace(" ", "-")


def _rank(page: Page) -> tuple[int, str]:
    ranks = {FIRST: 0, **dict.fromkeys(_LAST, 2)}
    return (3 if page.name.startswith(f"{_INTERNALS}/") else ranks.get(page.name, 1)), page.title.casefold()


def _sections(source: str) -> Iterator[Section]:
    title, anchor, lines = "", "", list[str]()
    seen: Counter[str] = Counter()
    fenced = False
    for line in source.splitlines():
        fenced ^= line.lstrip().startswith("```")
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        if title:
            yield Section(title, anchor, _plain(lines))
        title, lines = _MARKS.sub("", heading[2]), []
        name = slug(heading[2])
        anchor = f"{name}-{seen[name]}" if seen[name] else name
        seen[name] += 1
    if title:
        yield Section(title, anchor, _plain(lines))


def _plain(lines: list[str]) -> str:
    return " ".join(_MARKS.sub("", " ".join(lines)).split())
