"""Unsaved values of a geofence's fields, kept while the form shows another geofence."""

from collections.abc import Iterable

from msgspec import Struct, field

from app.desktop.model.editing.changes import same_value
from engine.domain.geofence import UNSET, GeofenceChange


class Draft(Struct):
    """The content of a field: its own state, the reason of a refusal, and the values sent without a response yet."""

    state: object
    refusal: str | None = None
    sent: list[object] = field(default_factory=list)


class Drafts:
    """Drafts by geofence ID and field name. They are dropped when they are shown again or stored."""

    def __init__(self) -> None:
        self._drafts: dict[str, dict[str, Draft]] = {}

    def keep(self, fence_id: str, drafts: Iterable[tuple[str, Draft]]) -> None:
        """Keep the unsaved values of a geofence."""
        kept = dict(drafts)
        if kept:
            self._drafts[fence_id] = kept

    def take(self, fence_id: str) -> dict[str, Draft]:
        """Return the unsaved values of a geofence that is shown again."""
        return self._drafts.pop(fence_id, {})

    def forget(self, fence_ids: Iterable[str]) -> None:
        """Drop the drafts of deleted geofences."""
        for fence_id in fence_ids:
            self._drafts.pop(fence_id, None)

    def clear(self) -> None:
        """Drop all drafts when another workspace is opened."""
        self._drafts.clear()

    def accept(self, fence_id: str, change: GeofenceChange) -> None:
        """Drop the drafts of a change that was stored."""
        kept = self._drafts.get(fence_id, {})
        for name, draft in [*kept.items()]:
            _answer(draft, getattr(change, name))
            if not draft.sent and draft.refusal is None:
                del kept[name]

    def refuse(self, fence_id: str, change: GeofenceChange, message: str) -> None:
        """Record that a change was refused."""
        for name, draft in self._drafts.get(fence_id, {}).items():
            if _answer(draft, getattr(change, name)) and not draft.sent:
                draft.refusal = message


def _answer(draft: Draft, value: object) -> bool:
    """Remove a value that was answered from the sent ones, and return whether it was among them."""
    at = next((n for n, sent in enumerate(draft.sent) if value is not UNSET and same_value(sent, value)), None)
    if at is None:
        return False
    del draft.sent[at]
    return True
