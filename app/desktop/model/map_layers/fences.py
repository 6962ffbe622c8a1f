"""Layers of geofences by tag and state: their visibility on the map, and their counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.fence_table.sieve import has_expired
from app.desktop.model.notify import Notifier
from app.desktop.model.window_file import read_window, write_window
from engine.domain.geofence import Geofence, GeofenceRules
from engine.domain.values import replace
from engine.store.workspace import WINDOW

MAX_TAGS: Final = 1_000
"""Maximum number of hidden tags that are saved."""

_FIELD: Final = "mapLayers"


class FenceState(StrEnum):
    """The state that determines whether a geofence is shown. A geofence has exactly one."""

    ENABLED = "enabled"
    CLOSED = "closed"
    DISABLED = "disabled"
    EXPIRED = "expired"

    # The hash of an enumeration is computed in Python, which is slow for counting geofences by state.
    __hash__ = str.__hash__


STATE_COLORS: Final[Mapping[FenceState, str]] = {
    FenceState.ENABLED: "#008F68",
    FenceState.CLOSED: "#0075B8",
    FenceState.DISABLED: "#707D86",
    FenceState.EXPIRED: "#D05B00",
}
"""Colours similar to those of tags, and a grey. Each is visible on land and sea in both themes."""

STATE_NAMES: Final[Mapping[FenceState, str]] = {
    FenceState.ENABLED: tr("Enabled"),
    FenceState.CLOSED: tr("Closed now"),
    FenceState.DISABLED: tr("Disabled"),
    FenceState.EXPIRED: tr("Expired"),
}


def state_of(fence: Geofence, now: Callable[[], datetime], *, closed: bool) -> FenceState:
    """Return the state of a geofence. A disabled geofence is never closed."""
    return state_by(fence.rules, now, enabled=fence.enabled, closed=closed)


def state_by(rules: GeofenceRules, now: Callable[[], datetime], *, enabled: bool, closed: bool) -> FenceState:
    """Return the state of a geofence with these rules."""
    if enabled:
        return FenceState.CLOSED if closed else FenceState.ENABLED
    expired = has_expired(now(), enabled=enabled, rules=rules)
    return FenceState.EXPIRED if expired else FenceState.DISABLED


class FenceLayers(Struct, frozen=True):
    """The hidden tags and states, and whether geofences have the colours of their states. By default all are shown."""

    hidden_tags: frozenset[str] = frozenset()
    hidden_states: frozenset[FenceState] = frozenset()
    by_state: bool = False

    def hides(self, tag: str, state: FenceState) -> bool:
        """Return whether geofences of a tag and a state are hidden."""
        return tag in self.hidden_tags or state in self.hidden_states

    def with_tags(self, tags: Iterable[str], *, shown: bool) -> FenceLayers:
        """Return a copy with these tags shown or hidden."""
        hidden = self.hidden_tags.difference(tags) if shown else self.hidden_tags.union(tags)
        return replace(self, hidden_tags=hidden)

    def with_state(self, state: FenceState, *, shown: bool) -> FenceLayers:
        """Return a copy with this state shown or hidden."""
        hidden = self.hidden_states - {state} if shown else self.hidden_states | {state}
        return replace(self, hidden_states=hidden)


class Census:
    """Number of geofences on the map by tag and state, and the current `layers`."""

    def __init__(self) -> None:
        self._kinds: dict[str, tuple[str, FenceState]] = {}
        self.layers = FenceLayers()
        self._numbers: Counter[tuple[str, FenceState]] = Counter()
        self.changed: Notifier[[]] = Notifier()

    def clear(self) -> None:
        """Remove all geofences."""
        self._kinds.clear()
        self._numbers.clear()
        self.changed.emit()

    def put_all(
        self, kinds: Mapping[str, tuple[str, FenceState]], numbers: Mapping[tuple[str, FenceState], int]
    ) -> None:
        """Add geofences in bulk; `numbers` is the number of geofences of each kind."""
        if self._kinds.keys().isdisjoint(kinds):
            self._kinds.update(kinds)
            self._numbers.update(numbers)
        else:
            for fence_id, (tag, state) in kinds.items():
                self.put(fence_id, tag, state)

    def put(self, fence_id: str, tag: str, state: FenceState) -> None:
        """Store the tag and state of a geofence. Listeners are not notified, so that many can be stored first."""
        kind = tag, state
        before = self._kinds.get(fence_id)
        if before != kind:
            self._take_out(fence_id)
            self._kinds[fence_id] = kind
            self._numbers[kind] += 1

    def remove(self, fence_ids: Iterable[str]) -> None:
        """Remove geofences."""
        for fence_id in fence_ids:
            self._take_out(fence_id)

    def notify(self) -> None:
        """Notify listeners that the numbers may have changed."""
        self.changed.emit()

    @property
    def total(self) -> int:
        """Number of all geofences."""
        return len(self._kinds)

    def by_tag(self) -> Counter[str]:
        """Return the number of geofences by tag."""
        numbers = Counter[str]()
        for (tag, _), number in self._numbers.items():
            numbers[tag] += number
        return numbers

    def by_state(self) -> Counter[FenceState]:
        """Return the number of geofences by state."""
        numbers = Counter[FenceState]()
        for (_, state), number in self._numbers.items():
            numbers[state] += number
        return numbers

    def hidden(self) -> int:
        """Return the number of hidden geofences."""
        return sum(number for kind, number in self._numbers.items() if self.layers.hides(*kind))

    def hides(self, fence_id: str) -> bool:
        """Return whether a geofence is hidden."""
        kind = self._kinds.get(fence_id)
        return kind is not None and self.layers.hides(*kind)

    def _take_out(self, fence_id: str) -> None:
        kind = self._kinds.pop(fence_id, None)
        if kind is not None:
            self._numbers[kind] -= 1
            if not self._numbers[kind]:
                del self._numbers[kind]


def read_layers(folder: Path) -> tuple[FenceLayers, str]:
    """Return the layers saved in a workspace and a description of any problem with the file, or ""."""
    try:
        return _layers_of(read_window(folder).get(_FIELD, {})), ""
    except (OSError, ValueError) as error:
        return FenceLayers(), tr(
            "The layers of the map in {file_name} cannot be read: {error}. All geofences are shown.",
            file_name=WINDOW,
            error=error,
        )


def write_layers(folder: Path, layers: FenceLayers) -> None:
    """Save layers in a workspace; raises `OSError`."""
    kept = {
        "hiddenTags": sorted(layers.hidden_tags)[:MAX_TAGS],
        "hiddenStates": sorted(layers.hidden_states),
        "colorByState": layers.by_state,
    }
    write_window(folder, _FIELD, kept)


def _layers_of(found: object) -> FenceLayers:
    if not isinstance(found, dict):
        raise ValueError(f"{_FIELD} is not an object")
    tags, states = found.get("hiddenTags", []), found.get("hiddenStates", [])
    if not (isinstance(tags, list) and isinstance(states, list)):
        raise ValueError("hiddenTags and hiddenStates must be lists")
    return FenceLayers(
        hidden_tags=frozenset(tag for tag in tags[:MAX_TAGS] if isinstance(tag, str)),
        hidden_states=frozenset(state for state in FenceState if state in states),
        by_state=found.get("colorByState") is True,
    )
