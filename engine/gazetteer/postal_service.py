"""Street types and directions of the United States, with their abbreviations.

They are those of USPS Publication 28, as the library scourgify lists them.
"""

from typing import Final

from scourgify.address_constants import DIRECTIONAL_REPLACEMENTS, STREET_TYPE_ABBREVIATIONS

_ALSO_WORDS: Final = frozenset(
    {
        *("ALLEE", "AV", "CAMP", "COR", "CR", "DAM", "DIV", "EST", "EXPRESS", "IS", "KEY", "KEYS", "KY", "LA", "LODG"),
        *("ML", "PARKS", "PASS", "PINE", "PR", "RAD", "REST", "ST", "STA", "STR", "STRA", "STRAV", "STRAVE"),
        *("TR", "UN", "VIA", "VIS", "VL"),
    }
)
"""Abbreviations of the postal service's table that have other meanings elsewhere."""

_FULL_FORMS: Final = {
    "ALY": "ALLEY",
    "VLG": "VILLAGE",
    "SHR": "SHORE",
    "SHRS": "SHORES",
    "CTR": "CENTER",
    "HOLW": "HOLLOW",
}
"""Full forms of abbreviations for which the longest spelling in the postal service's table is wrong."""


def postal_forms() -> dict[str, tuple[str, ...]]:
    """Return the US Postal Service's abbreviations of street types and directions with their full forms."""
    groups: dict[str, list[str]] = {}
    for word, short in STREET_TYPE_ABBREVIATIONS.items():
        if " " not in word:
            groups.setdefault(short, []).append(word)
    forms: dict[str, tuple[str, ...]] = {}
    for short, group in groups.items():
        longest = max(group, key=len)
        singular = longest[:-1] if longest.endswith("S") and longest[:-1] in group else longest
        full = _FULL_FORMS.get(short, singular)
        for word in group:
            if word not in _ALSO_WORDS and word not in (full, full + "S"):
                forms[word.lower()] = (full.lower(),)
    for full, short in DIRECTIONAL_REPLACEMENTS.items():
        forms[short.lower()] = (full.lower(),)
    return forms


POSTAL_TYPES: Final = frozenset(word.lower() for word in STREET_TYPE_ABBREVIATIONS if " " not in word)
"""The postal service's street types, in full and abbreviated."""

DIRECTIONS: Final = frozenset(word.lower() for word in DIRECTIONAL_REPLACEMENTS)
