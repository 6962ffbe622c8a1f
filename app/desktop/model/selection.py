"""What is selected. One selection for the whole window: list, map, form and table follow it."""

from app.desktop.model.notify import Notifier
from engine.domain.tracking import Event


class Selection:
    """The selected fence, and the selected event with its fence."""

    def __init__(self) -> None:
        self.fence_id: str | None = None
        self.event: Event | None = None
        self.changed: Notifier[[]] = Notifier()

    def select_fence(self, fence_id: str | None) -> None:
        """Select a fence, or nothing; an event that is not of this fence is no longer selected."""
        event = self.event if self.event and self.event.geofence.id == fence_id else None
        self._set(fence_id, event)

    def select_event(self, event: Event | None) -> None:
        """Select an event and with it its fence; None leaves the fence selected."""
        self._set(event.geofence.id if event else self.fence_id, event)

    def clear(self) -> None:
        """Select nothing."""
        self._set(None, None)

    def forget_fences(self, fence_ids: tuple[str, ...]) -> None:
        """Fences are gone: what was selected of them no longer is."""
        if self.fence_id in fence_ids:
            self.clear()

    def _set(self, fence_id: str | None, event: Event | None) -> None:
        if (fence_id, event) == (self.fence_id, self.event):
            return
        self.fence_id, self.event = fence_id, event
        self.changed.emit()
