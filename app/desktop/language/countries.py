"""Names of countries in the language of the window, from CLDR."""

from __future__ import annotations

from functools import cache

from app.desktop.language.catalogue import ENGLISH, language


def country_name(code: str, name: str) -> str:
    """Return the name of a country with an alphabetic ISO code; `name` is the English one."""
    return name if language() == ENGLISH else _names(language()).get(code, name)


@cache
def _names(language: str) -> dict[str, str]:
    # CLDR takes a moment to load and is not needed in English.
    from babel import Locale

    return dict(Locale(language).territories)
