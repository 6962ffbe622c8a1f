"""A colour for each tag, from a set that people with any colour vision tell apart."""

from collections.abc import Iterable
from zlib import crc32

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#B8A800")
"""Okabe and Ito's set without black; its yellow is darkened so that it shows on a light map."""


class TagColors:
    """Gives every tag a colour and keeps it: the same tag has the same colour in every window and on every day.

    The tag's own hash picks the colour. Where a tag that was seen before took it, the next free colour follows, so
    that up to seven tags of a workspace never share one.
    """

    def __init__(self, tags: Iterable[str] = ()) -> None:
        self._colors: dict[str, str] = {}
        for tag in sorted(set(tags)):
            self.of(tag)

    def of(self, tag: str) -> str:
        """Return the colour of `tag` as ``#rrggbb``."""
        if tag not in self._colors:
            self._colors[tag] = self._choose(tag)
        return self._colors[tag]

    def _choose(self, tag: str) -> str:
        start = crc32(tag.encode()) % len(OKABE_ITO)
        wheel = OKABE_ITO[start:] + OKABE_ITO[:start]
        taken = set(self._colors.values())
        return next((color for color in wheel if color not in taken), wheel[0])
