"""Operating hours as text in the window's language."""

from __future__ import annotations

import re
from typing import Final

from app.desktop.language import translated
from engine.domain.hours import DAYS, OperatingHours

_ENGINE_WORDS: Final = re.compile(rf"\b(?:{'|'.join(DAYS)})\b| and |never open")


def spoken(hours: OperatingHours | None) -> str:
    """Return the open days with their spans, or "" if there are no hours."""
    return "" if hours is None else in_words(str(hours))


def in_words(text: str) -> str:
    """Return a text of the engine with the names of days translated into the window's language."""
    return _ENGINE_WORDS.sub(lambda found: translated(found[0]), text)
