"""The documentation as the window reads it: pages, headings, and search."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from PySide6.QtGui import QTextDocument

from app.desktop.model.help.pages import FIRST, file_in_docs, linked_from, page_named, pages, slug
from app.desktop.model.help.search import search, words_of

ROOT = Path(__file__).parents[3]


def test_every_page_is_there_and_begins_with_its_title() -> None:
    files = {file.relative_to(ROOT / "docs").as_posix() for file in (ROOT / "docs").rglob("*.md")}
    assert pages().keys() == files
    assert next(iter(pages())) == FIRST
    assert all(page.sections and page.title for page in pages().values())


def test_an_installed_package_has_them_all() -> None:
    """The wheel includes the whole folder with pictures and examples."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"] == {"docs": "resources/docs"}


@pytest.mark.parametrize(
    ("title", "anchor"),
    [
        ("The table of geofences", "the-table-of-geofences"),
        ("Why?", "why"),
        ("Workspaces, keys, Test and Live", "workspaces-keys-test-and-live"),
        ("`fencewright check`", "fencewright-check"),
        ("What if… a *radius*", "what-if-a-radius"),
    ],
)
def test_headings_have_the_anchors_of_code_hosts(title: str, anchor: str) -> None:
    assert slug(title) == anchor


def test_links_are_relative_to_their_page() -> None:
    assert linked_from("api.md", "files.md") == "files.md"
    assert linked_from("api.md", "") == "api.md"
    assert linked_from("internals/walks.md", "architecture.md") == "internals/architecture.md"
    assert linked_from("internals/walks.md", "../api.md") == "api.md"
    assert file_in_docs(linked_from("internals/walks.md", "../../pyproject.toml")) is None


def test_the_search_finds_the_section_that_is_about_it() -> None:
    best = search(pages().values(), "Dwell")[0]
    assert (best.page.name, best.section.anchor) == ("tracking.md", "dwell")
    found = search(pages().values(), "dwell")
    assert all("dwell" in f"{each.section.title} {each.section.text}".casefold() for each in found)
    both = search(pages().values(), "boundary  ACCURACY")
    assert both
    assert all("boundary" in f"{each.section.title} {each.section.text}".casefold() for each in both)
    assert search(pages().values(), "xyzzy") == []
    assert search(pages().values(), "  ") == ()
    assert words_of("a A b") == ("a", "b")


def test_an_excerpt_has_the_words_and_is_short() -> None:
    for place in search(pages().values(), "tolerance"):
        assert len(place.excerpt) <= 125
        assert "tolerance" in place.excerpt.casefold() or "tolerance" in place.section.title.casefold()


def test_nothing_beyond_the_documentation_is_read() -> None:
    assert file_in_docs("pictures/demo.png") is not None
    assert file_in_docs("../pyproject.toml") is None
    assert file_in_docs("/etc/passwd") is None
    assert page_named("examples/seed.json") is not None
    assert page_named("pictures/demo.png") is None
    assert page_named("../README.md") is None


@pytest.mark.usefixtures("qapp")
def test_comments_about_blocks_are_not_shown() -> None:
    """Comments tell how tests run a block, and where a generated part of a page begins and ends."""
    source = (
        "# Title\n\n<!-- with fencewright serve -->\n\n1. Do\n\n   <!-- not run: it opens a window -->\n   ```sh\n"
        "   first\n   ```\n\n<!-- runs beside the following -->\n```sh\nsecond\n```\n\n"
        "<!--generated:keys-->\n\nthird\n\n<!--end-->\n"
    )
    document = QTextDocument()
    document.setMarkdown(source, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
    assert document.toPlainText().split() == ["Title", "Do", "first", "second", "third"]
