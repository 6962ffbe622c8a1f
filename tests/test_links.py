"""Links of the documentation: every file and heading that a page names exists, and every page is linked."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

from app.desktop.model.help.pages import read_page

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").glob("*.md")])
_LINK = re.compile(r"\[(?:[^][]|\[[^]]*\])*\]\(([^)\s]+)\)")
_CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def links(page: Path) -> list[str]:
    """Return the links of a page to files of this repository."""
    text = _CODE.sub("``", page.read_text(encoding="utf-8"))
    return [link for link in _LINK.findall(text) if not re.match("https?:|mailto:", link)]


@cache
def anchors(page: Path) -> set[str]:
    """Return the names of a page's headings in links."""
    return {section.anchor for section in read_page(page).sections}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_and_headings_of_links_exist(page: Path) -> None:
    dead = []
    for link in links(page):
        name, _, anchor = unquote(link).partition("#")
        file = (page.parent / name).resolve() if name else page
        inside = file.is_relative_to(ROOT) and file.exists()
        if not inside or (anchor and (file.suffix != ".md" or anchor not in anchors(file))):
            dead.append(link)
    assert dead == []


def test_every_page_is_linked_from_the_readme() -> None:
    readme = ROOT / "README.md"
    linked = {(readme.parent / link.partition("#")[0]).resolve() for link in links(readme)}
    assert {page for page in PAGES if page.is_relative_to(ROOT / "docs")} <= linked
