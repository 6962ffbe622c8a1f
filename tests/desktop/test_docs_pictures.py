"""The pictures of the documentation: each is on a page, is taken by the command, and shows today's window."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.desktop.docs_pictures import (
    FILES,
    FOLDER,
    ROOT,
    difference,
    hash_of,
    recorded,
    report,
    size_of,
)

_PICTURE = re.compile(r"!\[[^]]*\]\(([^)\s]+)\)")
_SECONDS = 400


def named_by_pages() -> set[Path]:
    """Return the pictures that pages name."""
    pages = (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    names = ((page, name) for page in pages for name in _PICTURE.findall(page.read_text(encoding="utf-8")))
    return {(page.parent / name).resolve() for page, name in names if "://" not in name}


def test_every_picture_is_on_a_page_and_made_by_the_command() -> None:
    made = {FOLDER / file for file in FILES}
    assert {file for file in FOLDER.rglob("*") if file.is_file()} == made
    assert named_by_pages() == made


def test_the_record_describes_the_pictures_as_they_are() -> None:
    record = recorded()
    assert set(record) == set(FILES)
    for file, taken in record.items():
        assert (taken.size, taken.sha256) == (size_of(FOLDER / file), hash_of(FOLDER / file)), file
        assert taken.texts, file


def test_a_changed_text_makes_a_picture_stale() -> None:
    assert difference(("Radius", "4 geofences"), ("Radius", "5 geofences")) == ["- 4 geofences", "+ 5 geofences"]
    assert difference(("Radius", "Radius"), ("Radius",)) == ["- Radius"]
    assert difference((), ("New",)) == ["+ New"]


def test_fonts_ports_and_identifiers_make_no_picture_stale() -> None:
    assert difference(("Why? Entry withheld", "Cut…"), ("Why? Ent…", "Cut off")) == []
    assert difference(("127.0.0.1:8787",), ("127.0.0.1:40673",)) == []
    assert difference(("ID 6a030f38f48e1a9ea700000f",), ("ID 6a030f38f48e1a9ea7000010",)) == []


def test_a_stale_picture_is_reported_with_some_of_its_texts() -> None:
    text = report({"demo.png": [f"+ {number}" for number in range(7)]})
    assert text.startswith("demo.png is stale:\n  + 0\n")
    assert "+ 5" not in text
    assert "and 2 more" in text
    assert "python -m tests.desktop.pictures --docs" in text
    assert report({}) == ""


@pytest.mark.slow
@pytest.mark.timeout(_SECONDS + 20)
def test_the_pictures_show_todays_window() -> None:
    """The pictures of the design are compared by the test that takes them."""
    command = [sys.executable, "-m", "tests.desktop.pictures", "--docs", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=_SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-4_000:]
