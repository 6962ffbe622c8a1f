"""Layers of geofences by tag and by state: which are shown on the map, and how many there are of each."""

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
"""Of so many hidden tags it is kept that they are."""

_FIELD: Final = "mapLayers"


class FenceState(StrEnum):
    """The one state by which a geofence is shown or hidden."""

    ENABLED = "enabled"
    CLOSED = "closed"
    DISABLED = "disabled"
    EXPIRED = "expired"

    # That of an enumeration is worked out in Python, and geofences are counted by their states.
    __hash__ = str.__hash__


STATE_COLORS: Final[Mapping[FenceState, str]] = {
    FenceState.ENABLED: "#008F68",
    FenceState.CLOSED: "#0075B8",
    FenceState.DISABLED: "#707D86",
    FenceState.EXPIRED: "#D05B00",
}
"""Colours near those of tags, and a grey: each is seen on land and sea in both themes."""

STATE_NAMES: Final[Mapping[FenceState, str]] = {
    FenceState.ENABLED: tr("Enabled"),
    FenceState.CLOSED: tr("Closed now"),
    FenceState.DISABLED: tr("Disabled"),
    FenceState.EXPIRED: tr("Expired"),
}


def state_of(fence: Geofence, now: Callable[[], datetime], *, closed: bool) -> FenceState:
    """Return the state of a geofence; what is disabled is not also closed."""
    return state_by(fence.rules, now, enabled=fence.enabled, closed=closed)


def state_by(rules: GeofenceRules, now: Callable[[], datetime], *, enabled: bool, closed: bool) -> FenceState:
    """Return the state of a geofence with these rules."""
    if enabled:
        return FenceState.CLOSED if closed else FenceState.ENABLED
    expired = has_expired(now(), enabled=enabled, rules=rules)
    return FenceState.EXPIRED if expired else FenceState.DISABLED


class FenceLayers(Struct, frozen=True):
    """The tags and states that are hidden, and whether colours are those of states; at first everything is shown."""

    hidden_tags: frozenset[str] = frozenset()
    hidden_states: frozenset[FenceState] = frozenset()
    by_state: bool = False

    def hides(self, tag: str, state: FenceState) -> bool:
        """Whether geofences of a tag and a state are hidden."""
        return tag in self.hidden_tags or state in self.hidden_states

    def with_tags(self, tags: Iterable[str], *, shown: bool) -> FenceLayers:
        """Return the same layers with these tags shown, or hidden."""
        hidden = self.hidden_tags.difference(tags) if shown else self.hidden_tags.union(tags)
        return replace(self, hidden_tags=hidden)

    def with_state(self, state: FenceState, *, shown: bool) -> FenceLayers:
        """Return the same layers with this state shown, or hidden."""
        hidden = self.hidden_states - {state} if shown else self.hidden_states | {state}
        return replace(self, hidden_states=hidden)


class Census:
    """Number of geofences of each tag and state, as they are on the map, and which `layers` it shows."""

    def __init__(self) -> None:
        self._kinds: dict[str, tuple[str, FenceState]] = {}
        self.layers = FenceLayers()
        self._numbers: Counter[tuple[str, FenceState]] = Counter()
        self.changed: Notifier[[]] = Notifier()

    def clear(self) -> None:
        """Forget all geofences."""
        self._kinds.clear()
        self._numbers.clear()
        self.changed.emit()

    def put_all(
        self, kinds: Mapping[str, tuple[str, FenceState]], numbers: Mapping[tuple[str, FenceState], int]
    ) -> None:
        """Take in how many geofences are now; `numbers` tells how many there are of each kind."""
        if self._kinds.keys().isdisjoint(kinds):
            self._kinds.update(kinds)
            self._numbers.update(numbers)
        else:
            for fence_id, (tag, state) in kinds.items():
                self.put(fence_id, tag, state)

    def put(self, fence_id: str, tag: str, state: FenceState) -> None:
        """Take in how a geofence is now; many are taken in before it is told."""
        kind = tag, state
        before = self._kinds.get(fence_id)
        if before != kind:
            self._take_out(fence_id)
            self._kinds[fence_id] = kind
            self._numbers[kind] += 1

    def remove(self, fence_ids: Iterable[str]) -> None:
        """Take geofences out."""
        for fence_id in fence_ids:
            self._take_out(fence_id)

    def tell(self) -> None:
        """Tell that the numbers may be others."""
        self.changed.emit()

    @property
    def total(self) -> int:
        """Number of all geofences."""
        return len(self._kinds)

    def by_tag(self) -> Counter[str]:
        """Return how many geofences each tag has."""
        numbers = Counter[str]()
        for (tag, _), number in self._numbers.items():
            numbers[tag] += number
        return numbers

    def by_state(self) -> Counter[FenceState]:
        """Return how many geofences are in each state."""
        numbers = Counter[FenceState]()
        for (_, state), number in self._numbers.items():
            numbers[state] += number
        return numbers

    def hidden(self) -> int:
        """Return how many geofences are hidden."""
        return sum(number for kind, number in self._numbers.items() if self.layers.hides(*kind))

    def hides(self, fence_id: str) -> bool:
        """Whether a geofence is hidden."""
        kind = self._kinds.get(fence_id)
        return kind is not None and self.layers.hides(*kind)

    def _take_out(self, fence_id: str) -> None:
        kind = self._kinds.pop(fence_id, None)
        if kind is not None:
            self._numbers[kind] -= 1
            if not self._numbers[kind]:
                del self._numbers[kind]


def read_layers(folder: Path) -> tuple[FenceLayers, str]:
    """Return the layers that are kept in a workspace, and what is wrong with the file; "" where nothing is."""
    try:
        return _layers_of(read_window(folder).get(_FIELD, {})), ""
    except (OSError, ValueError) as error:
        return FenceLayers(), tr(
            "The layers of the map in {window} cannot be read: {error}. All geofences are shown.",
            window=WINDOW,
            error=error,
        )


def write_layers(folder: Path, layers: FenceLayers) -> None:
    """Keep layers in a workspace; raises `OSError`."""
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
