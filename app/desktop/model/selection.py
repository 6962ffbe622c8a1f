"""The selection of the window, shared by the list, map, form, table and explanations."""

from collections.abc import Iterable, Sequence

from app.desktop.model.notify import Notifier
from engine.domain.tracking.updates import Event, UserSummary


class Selection:
    """The selected geofences or beacon, the selected event with its geofence, and the selected user.

    `fence_ids` are in the order of selection; `fence_id` is the one shown in the form.
    """

    def __init__(self) -> None:
        self.fence_id: str | None = None
        self.fence_ids: tuple[str, ...] = ()
        self.beacon_id: str | None = None
        self.event: Event | None = None
        self.user: UserSummary | None = None
        self.changed: Notifier[[]] = Notifier()

    def select_fence(self, fence_id: str | None) -> None:
        """Select a geofence or none. A selected event of another geofence is deselected."""
        event = self.event if self.event and fence_id and _fence_of(self.event) == fence_id else None
        self._set(fence_id, event, self.user)

    def select_fences(self, fence_ids: Iterable[str], shown: str | None = None) -> None:
        """Select several geofences and show one: `shown`, else the one shown before, else the last."""
        ids = tuple(dict.fromkeys(fence_ids))
        wanted = next((each for each in (shown, self.fence_id) if each in ids), ids[-1] if ids else None)
        event = self.event if self.event and wanted and _fence_of(self.event) == wanted else None
        self._set(wanted, event, self.user, fence_ids=ids)

    def toggle_fence(self, fence_id: str) -> None:
        """Add a geofence to the selection and show it, or remove it from the selection."""
        if fence_id in self.fence_ids:
            self.select_fences(each for each in self.fence_ids if each != fence_id)
        else:
            self.select_fences((*self.fence_ids, fence_id), fence_id)

    def select_beacon(self, beacon_id: str | None) -> None:
        """Select a beacon and deselect geofences and events, so that only one object can be deleted."""
        self._set(None, None, self.user, beacon_id)

    def select_event(self, event: Event | None) -> None:
        """Select an event with its geofence and user. None deselects only the event."""
        if event is None:
            self._set(self.fence_id, None, self.user, self.beacon_id, self.fence_ids)
        else:
            self._set(_fence_of(event), event, event.user if event.user.id else self.user)

    def select_user(self, user: UserSummary | None) -> None:
        """Select a user. A selected event of another user is deselected."""
        event = self.event if self.event and user and self.event.user.id == user.id else None
        self._set(self.fence_id, event, user, self.beacon_id, self.fence_ids)

    def clear(self) -> None:
        """Deselect geofences, beacon and event.

        The user stays selected, because a click beside a geofence does not concern users.
        """
        self._set(None, None, self.user)

    def reset(self) -> None:
        """Deselect everything."""
        self._set(None, None, None)

    def forget_fences(self, fence_ids: tuple[str, ...]) -> None:
        """Deselect geofences that were deleted."""
        removed = frozenset(fence_ids)
        if self.fence_id in removed and len(self.fence_ids) == 1:
            self.clear()
        elif not removed.isdisjoint(self.fence_ids):
            self.select_fences(each for each in self.fence_ids if each not in removed)

    def forget_beacons(self, beacon_ids: tuple[str, ...]) -> None:
        """Deselect a beacon that was deleted."""
        if self.beacon_id in beacon_ids:
            self._set(self.fence_id, self.event, self.user)

    def _set(
        self,
        fence_id: str | None,
        event: Event | None,
        user: UserSummary | None,
        beacon_id: str | None = None,
        fence_ids: tuple[str, ...] | None = None,
    ) -> None:
        if fence_ids is None:
            fence_ids = () if fence_id is None else (fence_id,)
        wanted = fence_id, fence_ids, event, user, beacon_id
        if wanted != (self.fence_id, self.fence_ids, self.event, self.user, self.beacon_id):
            self.fence_id, self.fence_ids, self.event, self.user, self.beacon_id = wanted
            self.changed.emit()


def runs_of(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Return sorted rows as runs of first and last row, because views select ranges."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and runs[-1][1] + 1 == row:
            runs[-1] = runs[-1][0], row
        else:
            runs.append((row, row))
    return runs


def _fence_of(event: Event) -> str | None:
    return event.geofence.id if event.geofence else None
