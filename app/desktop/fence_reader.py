"""Loading of a workspace's geofences for the window: a few at once, many in the background."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from itertools import repeat
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QObject, Qt, Signal

from app.desktop.collecting import rest
from app.desktop.language import counted, tr
from app.desktop.map.packing import (
    Kind,
    RingSizes,
    circle_numbers,
    isochrone_numbers,
    look_of,
    pack_columns,
    ring_sizes,
    rings_numbers,
)
from app.desktop.model.fences import BookedFence, FenceBook, ReadFence
from app.desktop.model.map_layers.fences import FenceState, state_by
from app.desktop.model.words import name_of
from app.desktop.operations import Lane, Operations, Task
from engine.domain.environment import Environment
from engine.domain.geofence import DEFAULT_RULES, Geofence, GeofenceRules
from engine.domain.ports import Cancelled, Progress
from engine.geo.parts import joined_parts
from engine.store.records.rings import polygon_of

if TYPE_CHECKING:
    from engine.geofences.geofences import Geofences
    from engine.geofences.parts import GeofenceColumns, GeofencePart, ShapeColumns

AT_ONCE: Final = 3_000
"""Maximum number of geofences to load synchronously; that many load without a noticeable delay."""

_PORTION: Final = 8_000
"""Number of geofences per portion for the map. Smaller portions would cost many round trips to its page."""

CANCELLED: Final = tr("The geofences were not loaded. Open the workspace again to load them.")


type _Look = tuple[str, bool, FenceState, bool, bool, bool]
"""How a geofence is drawn: tag, whether it is enabled, state, whether it is locked, a circle, an isochrone."""


class Portion(Struct, frozen=True):
    """A portion of geofences that was loaded.

    It has the geofences packed for the map's page, the tag and state of each by its ID, and how many have each pair.
    """

    packed: bytes
    kinds: Mapping[str, tuple[str, FenceState]]
    numbers: Mapping[tuple[str, FenceState], int]


class _Read(Struct, frozen=True):
    """All geofences by their IDs, how many have each tag, and those with operating hours."""

    fences: dict[str, BookedFence]
    tags: Counter[str]
    with_hours: tuple[Geofence, ...]


class FenceReader(QObject):
    """Fills the book of geofences, and applies changes even while it is loading.

    If there are many, `begun` carries the box around all, and `portion_read` each `Portion` as it is loaded, so that
    the map can draw them before they are in the book.
    """

    begun = Signal(object)
    portion_read = Signal(object)
    _arrived = Signal(object, object)

    def __init__(
        self,
        operations: Operations,
        book: FenceBook,
        now: Callable[[], datetime],
        report_error: Callable[[str], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._operations, self._book, self._now, self._report_error = operations, book, now, report_error
        self._task: Task | None = None
        self._reading: object = None
        self._end_rest: Callable[[], None] = lambda: None
        self._since: dict[str, Geofence | None] = {}
        self._arrived.connect(self._take_portion, Qt.ConnectionType.QueuedConnection)

    def read(self, geofences: Geofences, environment: Environment) -> None:
        """Load the geofences of an environment."""
        self.stop()
        number = geofences.count(environment)
        if number <= AT_ONCE:
            self._book.replace(geofences.all(environment))
            return
        tags = geofences.tags(environment)
        self._book.wait(tags)
        self.begun.emit(geofences.bounds(environment))
        drawing = _Drawing(self._book, tags, self._now)
        reading = self._reading = object()
        self._end_rest = rest()

        def work(progress: Progress) -> _Read:
            fences: dict[str, ReadFence] = {}
            for part in geofences.parts(environment, _PORTION):
                progress(len(fences), number)
                self._arrived.emit(reading, drawing.portion(part))
                ids = part.columns.ids
                fences.update(zip(ids, map(ReadFence, repeat(part.columns), range(len(ids))), strict=True))
            progress(len(fences), number)
            return _read_of(fences)

        task = self._operations.aside(
            Lane.READING,
            tr("Loading {geofences}", geofences=counted(number, "geofence")),
            work,
            lambda read: self._show(task, read),
            lambda error: self._fail(task, error),
        )
        self._task = task

    def stop(self) -> None:
        """Stop loading."""
        task, self._task = self._task, None
        self._since, self._reading = {}, None
        self._end_rest()
        if task is not None:
            task.cancel()

    def take(self, upserted: Iterable[Geofence], removed: Iterable[str]) -> None:
        """Apply changes to the book; geofences loaded before do not overwrite them."""
        upserted, removed = tuple(upserted), tuple(removed)
        self._book.apply(upserted, removed)
        if self._task is not None:
            self._since |= {fence.id: fence for fence in upserted}
            self._since |= dict.fromkeys(removed)

    def _take_portion(self, reading: object, portion: Portion) -> None:
        if reading is self._reading:
            self.portion_read.emit(portion)

    def _show(self, task: Task, read: _Read) -> None:
        if task is not self._task:
            return
        self._task = self._reading = None
        since, self._since = self._since, {}
        self._book.take_read(read.fences, read.tags, read.with_hours)
        present = [fence for fence in since.values() if fence is not None]
        self._book.apply(present, [fence_id for fence_id, fence in since.items() if fence is None])
        self._end_rest()

    def _fail(self, task: Task, error: Exception) -> None:
        if task is self._task:
            self._task = self._reading = None
            self._end_rest()
            self._book.replace(())
            self._report_error(CANCELLED if isinstance(error, Cancelled) else str(error))


def _read_of(fences: Mapping[str, ReadFence]) -> _Read:
    with_hours = (fence.made() for fence in fences.values() if fence.rules.operating_hours is not None)
    return _Read({**fences}, Counter(fence.tag for fence in fences.values()), tuple(with_hours))


class _Drawing:
    """Styles of geofences during loading. None is treated as closed yet."""

    def __init__(self, book: FenceBook, tags: Collection[str], now: Callable[[], datetime]) -> None:
        self._colors = {tag: book.color(tag) for tag in tags}
        self._locks, self._now = book.locks, now
        self._layers: dict[tuple[str, FenceState], tuple[str, FenceState]] = {}
        """Each pair of tag and state once, shared by all geofences that have both."""

    def portion(self, part: GeofencePart) -> Portion:
        """Return geofences in the map's format."""
        columns, shapes = part
        kinds: dict[_Look, int] = {}
        numbers = [kinds.setdefault(look, len(kinds)) for look in self._looks(columns, shapes)]
        packed = pack_columns(
            columns.ids,
            [*map(name_of, columns.descriptions, columns.external_ids)],
            numbers,
            [self._kind(*look) for look in kinds],
            *_packed_shapes(shapes),
        )
        layers = [self._layers.setdefault(layer, layer) for tag, _, state, *_ in kinds for layer in [(tag, state)]]
        by_id = dict(zip(columns.ids, map(layers.__getitem__, numbers), strict=True))
        counted_layers = Counter[tuple[str, FenceState]]()
        for number, count in Counter(numbers).items():
            counted_layers[layers[number]] += count
        return Portion(packed, by_id, counted_layers)

    def _looks(self, columns: GeofenceColumns, shapes: ShapeColumns) -> Iterable[_Look]:
        """Return the style of each geofence."""
        usual = {enabled: self._state(enabled, DEFAULT_RULES) for enabled in (False, True)}
        states = [
            usual[enabled] if rules is DEFAULT_RULES else self._state(enabled, rules)
            for enabled, rules in zip(columns.enabled, columns.rules, strict=True)
        ]
        circles = [ring is None for ring in shapes.rings]
        isochrones = [not circle and east is not None for circle, east in zip(circles, shapes.longitudes, strict=True)]
        locked = map(self._locks.is_locked, columns.ids)
        return zip(columns.tags, columns.enabled, states, locked, circles, isochrones, strict=True)

    def _state(self, enabled: bool, rules: GeofenceRules) -> FenceState:
        return state_by(rules, self._now, enabled=enabled, closed=False)

    def _kind(self, tag: str, enabled: bool, state: FenceState, locked: bool, circle: bool, isochrone: bool) -> Kind:
        look = look_of(enabled=enabled, closed=False, locked=locked, circle=circle, isochrone=isochrone)
        return self._colors.get(tag, ""), tag, state, look


def _packed_shapes(shapes: ShapeColumns) -> tuple[list[bytes], list[RingSizes]]:
    """Return the numbers of all shapes in the map's format, and the sizes of rings of those with several."""
    numbers = [*map(_numbers, shapes.rings, shapes.longitudes, shapes.latitudes, shapes.radii_m)]
    sizes: list[RingSizes] = []
    for row, stored in enumerate(shapes.ring_sizes):
        if stored is not None:
            joined = joined_parts(polygon_of(numbers[row], stored))
            numbers[row] += rings_numbers(joined)
            sizes.append(ring_sizes(row, stored, joined))
    return numbers, sizes


def _numbers(ring: bytes | None, longitude: float | None, latitude: float | None, radius_m: float | None) -> bytes:
    """Return the numbers of a shape in the map's format."""
    if ring is None:
        assert longitude is not None
        assert latitude is not None
        assert radius_m is not None
        return circle_numbers(longitude, latitude, radius_m)
    return ring if longitude is None or latitude is None else isochrone_numbers(ring, longitude, latitude)
