"""Finding geofences by words, with the same rule for the search box and the list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from heapq import nsmallest
from time import sleep
from typing import Final, NamedTuple

from app.desktop.language import tr
from app.desktop.model.editing.metadata import text_of as spelled
from app.desktop.model.fences import BookedFence, made_of
from app.desktop.model.search.results import NO_GROUP, Group, Kind, Question, SearchResult, measured
from app.desktop.model.search.words import fold, split
from app.desktop.model.words import fence_name, shape_text
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle, Geometry, Isochrone, Point
from engine.geo.bounds import bounds_of_ring
from engine.geo.parts import point_inside

FENCES_SHOWN: Final = 4
_WHOLE: Final = 2
_WORD: Final = re.compile(r"[^\W_]+")


_AT_ONCE: Final = 32
_PAUSE_SECONDS: Final = 0.0005
ID_LETTERS: Final = 4
"""Minimum length of an ID prefix to match. IDs are random, so that shorter ones would match too often."""


def text_of(fence: Geofence) -> str:
    """Return the folded text of a geofence to search: its description, tag, external ID and metadata."""
    values = " ".join(f"{key} {value}" for key, value in fence.metadata.items())
    return fold(f"{fence.description} {fence.tag} {fence.external_id} {values}")


def holds(text: str, fence_id: str, words: Sequence[str]) -> bool:
    """Return whether every word is in a geofence's text, or is its ID or a sufficiently long prefix of it."""
    return all(word in text or _names(word, fence_id) for word in words)


def _names(word: str, fence_id: str) -> bool:
    folded = fold(fence_id)
    return word == folded or (len(word) >= ID_LETTERS and folded.startswith(word))


class _Prepared(NamedTuple):
    """A geofence with its folded text and its centre."""

    text: str
    apart: str
    keys: tuple[str, ...]
    center: Point
    fence: Geofence


class FenceFinder:
    """Finds geofences by words of their description, tag, IDs and metadata. Not thread-safe."""

    def __init__(self) -> None:
        self._of: Sequence[BookedFence] = ()
        self._known: dict[str, _Prepared] = {}

    def find(self, fences: Sequence[BookedFence], question: Question, limit: int = FENCES_SHOWN) -> Group:
        """Return the best geofences that contain every word. Equal matches are sorted by distance."""
        words, typed = split(question.text), fold(question.text.strip())
        if not words:
            return NO_GROUP
        self._prepare(fences)
        hits = [each for each in self._known.values() if holds(each.text, each.fence.id, words)]
        best = nsmallest(limit, hits, key=lambda each: _rank(each, typed, words, question.near))
        found = tuple(_found_fence(each, question) for each in best)
        if not found:
            return NO_GROUP
        # For `4`, geofence 47 is only a prefix match. An address with exactly this number is better.
        sure = _level(best[0], typed, words) <= _WHOLE or not any(map(str.isdecimal, words))
        return Group(tr("Geofences"), found, len(hits) - len(found), sure=sure)

    def _prepare(self, fences: Sequence[BookedFence]) -> None:
        if fences is self._of:
            return
        known = self._known
        self._of, self._known = fences, {}
        made = 0
        for fence in map(made_of, fences):
            old = known.get(fence.id)
            if old is not None and old.fence is fence:
                self._known[fence.id] = old
                continue
            self._known[fence.id] = _prepare(fence)
            made += 1
            if made % _AT_ONCE == 0:
                # Release the interpreter, because otherwise the window's thread would get it only every few
                # milliseconds.
                sleep(_PAUSE_SECONDS)


def _prepare(fence: Geofence) -> _Prepared:
    text = text_of(fence)
    keys = fold(fence.description), fold(fence.external_id), fold(fence.id)
    return _Prepared(text, _apart(text), keys, center_of(fence.geometry), fence)


def _apart(text: str) -> str:
    """Return the words of a text, each surrounded by spaces."""
    return f" {' '.join(_WORD.findall(text))} "


def _level(each: _Prepared, typed: str, words: tuple[str, ...]) -> int:
    """Return the rank of a match: lower is better.

    An exact match is best, then matches of whole words, then a text that begins with the typed text, then matches of
    word prefixes. Among whole words, a text that begins with the typed text is better.
    """
    if typed in each.keys:
        return 0
    begins = each.text.startswith(typed)
    if all(_apart(word) in each.apart for word in words):
        return 1 if begins else _WHOLE
    if begins:
        return 3
    return 4 if all(f" {word}" in each.apart for word in words) else 5


def _rank(each: _Prepared, typed: str, words: tuple[str, ...], near: Point | None) -> tuple[int, float, str, str]:
    """Return the sort key of a match. Equal matches are sorted by distance."""
    there = each.center
    off = (there.longitude - near.longitude) ** 2 + (there.latitude - near.latitude) ** 2 if near else 0.0
    return _level(each, typed, words), off, each.keys[0], each.keys[2]


def center_of(geometry: Geometry) -> Point:
    """Return the centre of a geofence: the destination of an isochrone, or the centre of a polygon's bounding box.

    Of a polygon with holes or several parts, it is inside the largest part.
    """
    if isinstance(geometry, Circle | Isochrone):
        return geometry.center
    if not geometry.is_single_ring:
        inside = point_inside(geometry)
        return Point(inside.x, inside.y)
    west, south, east, north = bounds_of_ring(geometry.ring)
    return Point((west + east) / 2, (south + north) / 2)


def _found_fence(each: _Prepared, question: Question) -> SearchResult:
    fence = each.fence
    title = fence_name(fence)
    detail = f"{fence.tag} / {fence.external_id} · {shape_text(fence)}"
    shown = fold(f"{title} {detail}")
    for key, value in fence.metadata.items():
        # Show metadata that matched if the match is not visible otherwise.
        if any(word in fold(f"{key} {value}") and word not in shown for word in split(question.text)):
            detail = f"{detail} · {key}: {spelled(value)}"
    found = SearchResult(kind=Kind.FENCE, title=title, detail=detail, point=each.center, fence_id=fence.id)
    return measured(found, question.near)
