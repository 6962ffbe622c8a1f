"""Legend of the exported map: its entries and their layout."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from app.desktop.language import counted, tr
from app.desktop.map.values import EventKind
from app.desktop.map_export.content import Content
from app.desktop.model.map_layers.fences import STATE_COLORS, STATE_NAMES

MOST_TAGS: Final = 40
_LONGEST: Final = 32
_EVENTS: Final[dict[EventKind, str]] = {
    "entry": tr("Entry"),
    "exit": tr("Exit"),
    "dwell": tr("Dwell"),
    "fraud": tr("Failed fraud check"),
    "other": tr("Other event"),
    "gained": tr("Event gained"),
    "lost": tr("Event lost"),
    "moved": tr("Event at another time"),
}


class Symbol(Enum):
    """The kinds of symbols in a legend."""

    TAG = auto()
    DISABLED = auto()
    CLOSED = auto()
    LOCK = auto()
    HEAT = auto()
    WAY = auto()
    TRACK = auto()
    DEVICE = auto()
    BEACON = auto()
    EVENT = auto()
    NONE = auto()


class Entry(Struct, frozen=True):
    """An entry with its symbol and its text; a tag also has a colour, an event a kind."""

    symbol: Symbol
    text: str
    color: str = ""
    kind: EventKind = "other"


def entries_of(content: Content, tag_colors: dict[str, str]) -> list[Entry]:
    """Return the legend entries of the frame: the meaning of colours first, then other symbols."""
    made = _state_entries(content) if content.by_state else _tag_entries(content, tag_colors)
    if content.locked:
        made.append(Entry(Symbol.LOCK, tr("Locked ({count:,})", count=content.locked)))
    if content.has_heat:
        made.append(Entry(Symbol.HEAT, tr("Density, from low to high")))
    if content.track:
        made.append(Entry(Symbol.TRACK, tr("Track")))
    if content.way:
        made.append(Entry(Symbol.WAY, tr("Route of a trip")))
    if content.devices:
        made.append(Entry(Symbol.DEVICE, tr("User with accuracy")))
    if content.beacons:
        made.append(Entry(Symbol.BEACON, tr("Beacon")))
    kinds = {kind for _, kind in content.events}
    return made + [Entry(Symbol.EVENT, text, kind=kind) for kind, text in _EVENTS.items() if kind in kinds]


def _state_entries(content: Content) -> list[Entry]:
    """Return entries for the states in the frame; their hatching and dashes need no entries of their own."""
    return [
        Entry(Symbol.TAG, tr("{state} ({count:,})", state=name, count=content.states[state]), STATE_COLORS[state])
        for state, name in STATE_NAMES.items()
        if content.states[state]
    ]


def _tag_entries(content: Content, tag_colors: dict[str, str]) -> list[Entry]:
    tags = content.sorted_tags()
    made = [
        Entry(
            Symbol.TAG,
            tr("{tag} ({count:,})", tag=_short(tag) or tr("No tag"), count=number),
            tag_colors.get(tag, ""),
        )
        for tag, number in tags[:MOST_TAGS]
    ]
    if len(tags) > MOST_TAGS:
        made.append(Entry(Symbol.NONE, tr("and {more_tags}", more_tags=counted(len(tags) - MOST_TAGS, "more tag"))))
    if content.disabled:
        made.append(Entry(Symbol.DISABLED, tr("Disabled ({count:,})", count=content.disabled)))
    if content.closed:
        made.append(Entry(Symbol.CLOSED, tr("Outside operating hours ({count:,})", count=content.closed)))
    return made


def heading_of(content: Content) -> str:
    """Return the number of geofences of each type in the frame: ``Geofences: 12 circles, 1 polygon``."""
    types = [counted(content.types[kind], kind) for kind in ("circle", "polygon", "isochrone") if content.types[kind]]
    return tr("Geofences: {geofence_counts}", geofence_counts=", ".join(types)) if types else tr("No geofences in view")


def rows_of(widths: Sequence[float], room: float) -> list[list[int]]:
    """Return the indexes of the entries, in rows that are no wider than the room."""
    rows: list[list[int]] = []
    used = room
    for at, width in enumerate(widths):
        if not rows or used + width > room:
            rows.append([])
            used = 0.0
        rows[-1].append(at)
        used += width
    return rows


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
