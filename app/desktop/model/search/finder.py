"""Search results for a question: coordinates, geofences, addresses and places, in groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.search.results import LATITUDE_FIRST, NO_GROUP, Group, Kind, Question, SearchResult, measured
from app.desktop.model.search.words import Match, match
from app.desktop.model.words import position
from engine.geo.written.positions import typed_position

WITHOUT_DATA: Final = tr(
    "There is no address or place data yet: download it under World data…, or build an area under Areas…."
)


def find_position(question: Question) -> tuple[Group, str]:
    """Return the typed position, and a hint if it is invalid or ambiguous."""
    typed = typed_position(question.text)
    if typed is None:
        return NO_GROUP, ""
    point = typed.point or typed.swapped
    if point is None:
        return NO_GROUP, typed.hint
    detail = LATITUDE_FIRST if typed.point else tr("If longitude comes first")
    found = SearchResult(kind=Kind.POSITION, title=position(point), detail=detail, point=point)
    return Group(tr("Coordinates"), (measured(found, question.near),)), typed.hint


class Search(Struct):
    """A question and its answers so far; `areas` holds the names of the searched areas."""

    question: Question
    position: Group = NO_GROUP
    hint: str = ""
    fences: Group | None = None
    addresses: tuple[Group, ...] | None = None
    areas: tuple[str, ...] = ()
    unavailable: bool = False
    without_data: bool = False
    """Whether there is neither a world pack nor an area to search in. Then `unavailable` is set, too."""

    @classmethod
    def of(cls, question: Question) -> Search:
        """Return a search with the results that are available immediately."""
        group, hint = find_position(question)
        return cls(question, group, hint)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The results in display order."""
        fences, addresses = self.fences or NO_GROUP, self.addresses or ()
        behind = not fences.sure and addresses and self._matches_all(addresses[0].found[0])
        rest = (*addresses[:1], fences, *addresses[1:]) if behind else (fences, *addresses)
        all_groups = (self.position, *rest)
        return tuple(group for group in all_groups if group.found)

    def _matches_all(self, found: SearchResult) -> bool:
        return match(self.question.text, found.title, found.detail) <= Match.WHOLE

    @property
    def early(self) -> bool:
        """Whether a better result than the current best may still arrive."""
        if self.position.found:
            return False
        return self.fences is None or (not self.fences.sure and self.addresses is None)

    @property
    def first(self) -> SearchResult | None:
        """The result that is selected with Enter."""
        return self.groups[0].found[0] if self.groups else None

    @property
    def complete(self) -> bool:
        """Whether all sources have answered."""
        return self.fences is not None and self.addresses is not None

    @property
    def note(self) -> str:
        """The note below the results."""
        notes = [self.hint] if self.hint else []
        if self.complete and not self.groups and not self.hint:
            notes.append(tr("Nothing found for “{query}”.", query=self.question.text))
            notes += [] if self.unavailable else [_searched(self.areas)]
        if self.without_data:
            notes.append(WITHOUT_DATA)
        elif self.unavailable:
            notes.append(tr("Addresses and places cannot be searched right now."))
        elif not self.complete and not self.groups:
            notes.append(tr("Searching…"))
        return "\n".join(notes)


def _searched(areas: Sequence[str]) -> str:
    if not areas:
        return tr("No area is in use, so only countries, states and larger localities can be found.")
    return tr("Streets and places can be found in the areas in use: {area_names}.", area_names=", ".join(areas))
