"""Differences between Test and Live as the window shows them: chosen one by one, in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.desktop.language import translated
from app.desktop.model.review.fields import FieldRow, rows_of, said, title_of
from app.desktop.model.words import capital, count, fence_name
from engine.geofences.promotion.differences import ChangeSet, Difference, Kind
from engine.geofences.promotion.promotions import Plan

KINDS: Final[Mapping[Kind, str]] = {Kind.NEW: "New", Kind.CHANGED: "Changed", Kind.MISSING: "Missing"}


class PromotionBook:
    """The differences of a plan, and which of them are chosen: at first all but those that would delete."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.items = plan.changes.items
        self._chosen = {item.key for item in self.items if item.kind is not Kind.MISSING}

    def is_chosen(self, item: Difference) -> bool:
        """Whether it is to be taken over."""
        return item.key in self._chosen

    def choose(self, items: Iterable[Difference], chosen: bool) -> None:
        """Take some over, or leave them."""
        keys = {item.key for item in items}
        self._chosen = self._chosen | keys if chosen else self._chosen - keys

    def chosen(self) -> ChangeSet:
        """Return what is to be taken over."""
        return replace(self.plan.changes, items=tuple(item for item in self.items if self.is_chosen(item)))

    def counts(self) -> dict[Kind, int]:
        """Return how many of each kind are chosen."""
        chosen = self.chosen().items
        return {kind: sum(item.kind is kind for item in chosen) for kind in Kind}

    def matching(self, kind: Kind | None, text: str) -> tuple[Difference, ...]:
        """Return the differences of a kind that have all words of a text."""
        words = text.casefold().split()
        return tuple(
            item for item in self.items if kind in (None, item.kind) and (not words or _has_words(item, words))
        )

    def summary(self) -> str:
        """Return what differs."""
        changes = self.plan.changes
        source, target = changes.source.value.capitalize(), changes.target.value.capitalize()
        numbers = {kind: sum(item.kind is kind for item in self.items) for kind in Kind}
        if not self.items:
            return f"{target} has the same geofences as {source} ({self.plan.same:,})."
        text = (
            f"{numbers[Kind.NEW]:,} new, {numbers[Kind.CHANGED]:,} changed, "
            f"{numbers[Kind.MISSING]:,} only in {target}, {self.plan.same:,} the same."
        )
        return " ".join((text, *map(translated, self.plan.notes)))

    def warning(self) -> str:
        """Return what would be lost."""
        deleted = self.counts()[Kind.MISSING]
        if not deleted:
            return ""
        return f"{count(deleted, 'geofence')} will be deleted from {self.plan.changes.target.value.capitalize()}."


def question(book: PromotionBook) -> str:
    """Return what is asked before geofences of Live are changed."""
    counts, target = book.counts(), book.plan.changes.target.value.capitalize()
    number = {kind: count(counts[kind], "geofence") for kind in Kind}
    verbs = {
        Kind.NEW: f"create {number[Kind.NEW]}",
        Kind.CHANGED: f"change {number[Kind.CHANGED]}",
        Kind.MISSING: f"delete {number[Kind.MISSING]}",
    }
    *first, last = (text for kind, text in verbs.items() if counts[kind])
    text = capital(f"{', '.join(first)} and {last}" if first else last)
    return f"{text} in {target}?"


def outcome(book: PromotionBook) -> str:
    """Return what was done, as a name of the step."""
    changes = book.chosen()
    what = count(len(changes.items), "geofence")
    return f"Promote {what} from {changes.source.value.capitalize()} to {changes.target.value.capitalize()}"


def changes_text(item: Difference) -> str:
    """Return in which fields a geofence differs, in a line."""
    return ", ".join(title_of(field.name, item.geofence) for field in item.fields)


def field_rows(item: Difference) -> Sequence[FieldRow]:
    """Return the fields that differ, side by side; of a geofence that is new or missing those that say something."""
    return rows_of(item.fields if item.kind is Kind.CHANGED else said(item.geofence), item.seen, item.wanted)


def _has_words(item: Difference, words: Sequence[str]) -> bool:
    text = f"{item.geofence.tag} {item.geofence.external_id} {fence_name(item.geofence)}".casefold()
    return all(word in text for word in words)
