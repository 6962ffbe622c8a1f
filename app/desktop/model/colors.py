"""A colour for each tag, from a set that is distinguishable with any colour vision."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Final
from zlib import crc32

from app.desktop.model.notify import Notifier
from app.desktop.model.window_file import read_window, write_window

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#B8A800")
"""Okabe and Ito's set without black; its yellow is darkened so that it shows on a light map."""

KEPT: Final = 1_000
"""Maximum number of tags whose colours are stored. The colour of any more is derived from the tag alone."""

_FIELD = "tagColors"


class TagColors:
    """Assigns every tag a colour and keeps it, even if other tags come and go.

    The hash of the tag selects the colour. If other tags have it already, the next least used one follows, so that up
    to seven tags never share one. `assigned` reports that there are colours to store.
    """

    def __init__(self, kept: Mapping[str, str] | None = None) -> None:
        """Start with the stored colours."""
        self._colors = dict(kept or {})
        self.assigned: Notifier[[]] = Notifier()

    @property
    def kept(self) -> Mapping[str, str]:
        """The colours to store, by tag."""
        return dict(self._colors)

    def of(self, tag: str, in_use: Container[str] = ()) -> str:
        """Return the colour of `tag` as ``#rrggbb``; a new one avoids those of the tags in use."""
        known = self._colors.get(tag)
        if known is not None:
            return known
        start = crc32(tag.encode(errors="surrogatepass")) % len(OKABE_ITO)
        wheel = OKABE_ITO[start:] + OKABE_ITO[:start]
        if len(self._colors) >= KEPT:
            return wheel[0]
        chosen = self._colors[tag] = self._least_used(wheel, in_use)
        self.assigned.emit()
        return chosen

    def _least_used(self, wheel: Iterable[str], in_use: Container[str]) -> str:
        now = Counter(color for tag, color in self._colors.items() if tag in in_use)
        ever = Counter(self._colors.values())
        return min(wheel, key=lambda color: (now[color], ever[color]))


def read_colors(folder: Path) -> dict[str, str]:
    """Return the colours stored in a workspace; unreadable ones are left out and will be reassigned."""
    try:
        found = read_window(folder)[_FIELD].items()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return {tag: color for tag, color in found if color in OKABE_ITO}


def write_colors(folder: Path, colors: Mapping[str, str]) -> None:
    """Store colours in a workspace. Raises `OSError` on failure."""
    write_window(folder, _FIELD, dict(colors))
