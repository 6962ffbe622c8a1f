"""Locked shapes: geofences that cannot be dragged or reshaped in the window. Saved with the workspace."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from app.desktop.language import tr
from app.desktop.model.notify import Notifier
from app.desktop.model.window_file import read_window, write_window
from engine.domain.errors import Conflict
from engine.domain.fields.geofence import SHAPE
from engine.domain.geofence import Geofence

KEPT: Final = 2_000
_FIELD: Final = "lockedShapes"
SHAPE_FIELDS: Final = frozenset((*(row.name for row in SHAPE), "address", "place_id"))
"""Fields whose change would reshape a geofence."""


class ShapeLocks:
    """IDs of the locked geofences in both environments."""

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}
        self.changed: Notifier[[]] = Notifier()

    @property
    def kept(self) -> tuple[str, ...]:
        """IDs to be saved, newest last."""
        return tuple(self._ids)[-KEPT:]

    def is_locked(self, fence_id: str) -> bool:
        """Return whether a geofence is locked."""
        return fence_id in self._ids

    def replace(self, fence_ids: Iterable[str]) -> None:
        """Replace all locks when another workspace is opened."""
        self._ids = dict.fromkeys(fence_ids)

    def set(self, fence_ids: Iterable[str], *, locked: bool) -> None:
        """Lock or unlock geofences."""
        for fence_id in fence_ids:
            if locked:
                self._ids[fence_id] = None
            else:
                self._ids.pop(fence_id, None)
        self.changed.emit()

    def check_change(self, fences: Iterable[Geofence], names: Iterable[str]) -> None:
        """Raise `Conflict` if a change of these fields would reshape a locked geofence."""
        if not SHAPE_FIELDS.isdisjoint(names):
            self.check(fences)

    def check(self, fences: Iterable[Geofence]) -> None:
        """Raise `Conflict` for the first locked geofence."""
        for fence in fences:
            if self.is_locked(fence.id):
                name = fence.description or fence.external_id
                raise Conflict(
                    "lock", tr("The shape of {geofence_name} is locked. Unlock it to change it.", geofence_name=name)
                )


def read_locks(folder: Path) -> tuple[str, ...]:
    """Return the IDs saved in a workspace, or no IDs if they cannot be read."""
    try:
        found = read_window(folder).get(_FIELD)
    except (OSError, ValueError, AttributeError):
        return ()
    return tuple(each for each in found if isinstance(each, str))[:KEPT] if isinstance(found, list) else ()


def write_locks(folder: Path, fence_ids: Iterable[str]) -> None:
    """Save IDs in a workspace; raises `OSError`."""
    write_window(folder, _FIELD, list(fence_ids))
