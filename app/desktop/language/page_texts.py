"""Texts of the map's page in the language of the window, collected from the page's scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson

from app.desktop.language.catalogue import language, tr

_TEXT: Final = re.compile(r"\btr\(\s*(\"(?:[^\"\\]|\\.)*\")")


def texts_of(script: str) -> list[str]:
    """Return the texts used by a script."""
    return [orjson.loads(text) for text in _TEXT.findall(script)]


def page_texts(folder: Path) -> bytes:
    """Return the language and, unless it is English, the texts of the page, as JSON."""
    texts = {text: tr(text) for text in _all_texts(folder)} if language() != "en" else {}
    return orjson.dumps({"language": language(), "texts": texts})


def _all_texts(folder: Path) -> Iterator[str]:
    for file in folder.rglob("*.js"):
        yield from texts_of(file.read_text(encoding="utf-8"))
