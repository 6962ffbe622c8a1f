"""Differences between Test and Live as shown in the window, where each can be chosen."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from app.desktop.language import counted, tr, translated
from app.desktop.model.review.fields import FieldRow, rows_of, title_of, valued_fields
from app.desktop.model.words import capital, fence_name, parts_text
from engine.domain.geometry import Polygon
from engine.domain.values import replace
from engine.geofences.promotion.differences import ChangeSet, Difference, Kind
from engine.geofences.promotion.promotions import Plan

KINDS: Final[Mapping[Kind, str]] = {Kind.NEW: tr("New"), Kind.CHANGED: tr("Changed"), Kind.MISSING: tr("Missing")}


class PromotionBook:
    """The differences of a plan and the user's choice of them. Initially, all but deletions are chosen."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.items = plan.changes.items
        self._chosen = {item.key for item in self.items if item.kind is not Kind.MISSING}

    def is_chosen(self, item: Difference) -> bool:
        """Return whether a difference is chosen."""
        return item.key in self._chosen

    def choose(self, items: Iterable[Difference], chosen: bool) -> None:
        """Choose differences, or drop them from the choice."""
        keys = {item.key for item in items}
        self._chosen = self._chosen | keys if chosen else self._chosen - keys

    def chosen(self) -> ChangeSet:
        """Return a change set with only the chosen differences."""
        return replace(self.plan.changes, items=tuple(item for item in self.items if self.is_chosen(item)))

    def counts(self) -> dict[Kind, int]:
        """Return the number of chosen differences of each kind."""
        chosen = self.chosen().items
        return {kind: sum(item.kind is kind for item in chosen) for kind in Kind}

    def matching(self, kind: Kind | None, text: str) -> tuple[Difference, ...]:
        """Return the differences of a kind that contain all words of a text."""
        words = text.casefold().split()
        return tuple(
            item for item in self.items if kind in (None, item.kind) and (not words or _has_words(item, words))
        )

    def summary(self) -> str:
        """Return a summary of the differences."""
        changes = self.plan.changes
        source, target = changes.source.value.capitalize(), changes.target.value.capitalize()
        numbers = {kind: sum(item.kind is kind for item in self.items) for kind in Kind}
        if not self.items:
            return tr(
                "{target_environment} has the same geofences as {source_environment} ({count:,}).",
                target_environment=target,
                source_environment=source,
                count=self.plan.same,
            )
        text = tr(
            "{new:,} new, {changed:,} changed, {only_in_target:,} only in {target_environment}, {same:,} the same.",
            new=numbers[Kind.NEW],
            changed=numbers[Kind.CHANGED],
            only_in_target=numbers[Kind.MISSING],
            target_environment=target,
            same=self.plan.same,
        )
        return " ".join((text, *map(translated, self.plan.notes)))

    def warning(self) -> str:
        """Return a warning about data that would be lost."""
        deleted = self.counts()[Kind.MISSING]
        if not deleted:
            return ""
        return tr(
            "{geofences} will be deleted from {target_environment}.",
            geofences=counted(deleted, "geofence"),
            target_environment=self.plan.changes.target.value.capitalize(),
        )


def question(book: PromotionBook) -> str:
    """Return the question to confirm before geofences of Live are changed."""
    counts, target = book.counts(), book.plan.changes.target.value.capitalize()
    number = {kind: counted(counts[kind], "geofence") for kind in Kind}
    verbs = {
        Kind.NEW: tr("create {geofences}", geofences=number[Kind.NEW]),
        Kind.CHANGED: tr("change {geofences}", geofences=number[Kind.CHANGED]),
        Kind.MISSING: tr("delete {geofences}", geofences=number[Kind.MISSING]),
    }
    *first, last = (text for kind, text in verbs.items() if counts[kind])
    text = capital(tr("{first_items} and {last_item}", first_items=", ".join(first), last_item=last) if first else last)
    return tr("{actions} in {target_environment}?", actions=text, target_environment=target)


def outcome(book: PromotionBook) -> str:
    """Return the name of the undo step."""
    changes = book.chosen()
    subject = counted(len(changes.items), "geofence")
    return tr(
        "Promote {geofences} from {source_environment} to {target_environment}",
        geofences=subject,
        source_environment=changes.source.value.capitalize(),
        target_environment=changes.target.value.capitalize(),
    )


def changes_text(item: Difference) -> str:
    """Return the fields in which a geofence differs, and whether the platform would not take it, in one line."""
    titles = [title_of(field.name, item.geofence) for field in item.fields]
    return ", ".join((*titles, *_not_portable(item)))


def _not_portable(item: Difference) -> Iterator[str]:
    geometry = None if item.wanted is None else item.wanted.geometry
    if isinstance(geometry, Polygon) and (text := parts_text(geometry)):
        yield tr("not portable: {parts_and_holes}", parts_and_holes=text)


def field_rows(item: Difference) -> Sequence[FieldRow]:
    """Return the differing fields side by side, or all fields with a value if the geofence is new or missing."""
    return rows_of(item.fields if item.kind is Kind.CHANGED else valued_fields(item.geofence), item.seen, item.wanted)


def _has_words(item: Difference, words: Sequence[str]) -> bool:
    text = f"{item.geofence.tag} {item.geofence.external_id} {fence_name(item.geofence)}".casefold()
    return all(word in text for word in words)
