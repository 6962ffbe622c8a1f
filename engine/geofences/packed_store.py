"""The geofences of a workspace as of its opening, in a packed form.

Creating a million geofences and their shapes takes half a minute and gigabytes, and most of them are never used. So
each is kept as the bytes of its row, with its box in arrays, and created when it is requested or a device comes near.
Its identifier, tag and ring are kept outside these bytes, so that a created geofence shares them.
"""

from array import array
from collections.abc import Callable, Sequence, Set
from functools import cached_property
from marshal import dumps, loads
from typing import Any, Final

import numpy as np
import orjson
from numpy.typing import NDArray

from engine.domain.environment import Environment
from engine.domain.geofence import DEFAULT_RULES, Geofence
from engine.domain.geometry import Polygon
from engine.domain.metadata import Wanted
from engine.geo.bounds import NO_BOXES, Boxes, around_each, bounds_of_rings, boxes_around
from engine.geo.index import Entry
from engine.geo.shapes import shape_of
from engine.geofences.parts import GeofenceColumns, GeofencePart, ShapeColumns, part_of
from engine.store.geofences import geofence_records
from engine.store.records.contents import metadata_text
from engine.store.records.fields import rules_of
from engine.store.records.geofence_rows import GeofenceRecord, geofence_of
from engine.store.records.rings import positions_of
from engine.store.writer import Connection

_APART: Final = GeofenceRecord._fields.index("live")
"""Number of leading values of a record that are kept outside its bytes."""

_KEPT_MADE: Final = 250_000
"""Maximum number of circles kept as objects, at about a kilobyte each."""

_POSITIONS_OF_A_CIRCLE: Final = 4
"""Number of polygon positions that take as much memory as a circle."""

_LIVE: Final = GeofenceRecord._fields.index("live")


class Recent[K, T]:
    """A cache that drops its least recently used values and holds a weight of about twice `most` at most.

    A value is only dropped when the more recently used ones weigh more than `most`. There are two generations. A
    requested value moves to the young one. When that is full, it becomes the old one, and the previous old one is
    dropped. Any thread may use the cache without a lock: at worst a value is kept for a shorter time.
    """

    def __init__(self, most: int, weigh: Callable[[T], int]) -> None:
        self._most = most
        self._weigh = weigh
        self._weight = 0
        self._young: dict[K, T] = {}
        self._old: dict[K, T] = {}

    def get(self, key: K) -> T | None:
        """Return a value if it is cached, or None."""
        if (found := self._young.get(key)) is None and (found := self._old.get(key)) is not None:
            self.put(key, found)
        return found

    def put(self, key: K, value: T) -> None:
        """Cache a value."""
        self._young[key] = value
        self._weight += self._weigh(value)
        if self._weight > self._most:
            self._old, self._young, self._weight = self._young, {}, 0


class PackedStore:
    """The geofences of one environment, numbered from 0. Filled first, then read by any thread."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        """Number of each geofence by identifier."""
        self.expiring: list[tuple[str, int]] = []
        """Identifiers of the expiring geofences with their expiry, in milliseconds since 1970."""
        self.revision = 0
        """Number of the last edit that changed any of the geofences."""
        self._numbers_of_keys: dict[str, int] = {}
        self._codes_of_tags: dict[str, int] = {}
        self._tag_codes = array("i")
        self._records: list[bytes] = []
        self._rings: list[bytes | None] = []
        self._parts: list[Boxes] = []
        self._made: Recent[int, Entry[Geofence]] = Recent(_KEPT_MADE, _weight)

    def add(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Add geofences, given as rows of a `GeofenceRecord`'s values."""
        if not rows:
            return
        columns: Any = GeofenceRecord._make(zip(*rows, strict=True))
        numbers = list(range(len(self._records), len(self._records) + len(rows)))
        self._records += [dumps(row[_APART:]) for row in rows]
        self._rings += columns.positions
        self.numbers.update(zip(columns.id, numbers, strict=True))
        self._numbers_of_keys.update(zip(map(_key, columns.tag, columns.external_id), numbers, strict=True))
        codes = self._codes_of_tags
        self._tag_codes.extend([codes.setdefault(tag, len(codes)) for tag in columns.tag])
        self.expiring += [pair for pair in zip(columns.id, columns.expires_at, strict=True) if pair[1] is not None]
        self.revision = max(self.revision, *columns.revision)
        self._parts.append(_boxes_of(columns))

    @cached_property
    def boxes(self) -> Boxes:
        """Box of each geofence."""
        boxes = Boxes(*map(np.concatenate, zip(*self._parts, strict=True))) if self._parts else NO_BOXES
        self._parts.clear()
        return boxes

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Identifier of each geofence."""
        return tuple(self.numbers)

    @cached_property
    def _tags(self) -> tuple[str, ...]:
        """Tag of each code."""
        return tuple(self._codes_of_tags)

    def boxes_of(self, wanted: NDArray[np.bool]) -> Boxes:
        """Return the boxes of the geofences selected by a mask."""
        return Boxes(*(side[wanted] for side in self.boxes))

    def number_of_key(self, tag: str, external_id: str) -> int | None:
        """Return the number of the geofence that had this tag and external ID at the opening, or None."""
        return self._numbers_of_keys.get(_key(tag, external_id))

    def tags_of(self, wanted: NDArray[np.bool]) -> frozenset[str]:
        """Return the tags of the geofences selected by a mask."""
        used = np.unique(np.frombuffer(self._tag_codes, np.intc)[wanted])
        return frozenset(self._tags[code] for code in used.tolist())

    def among(self, tags: Set[str], metadata: Wanted) -> NDArray[np.bool]:
        """Return a mask of the geofences that have any of the tags, if given, and may have the metadata."""
        wanted = np.ones(len(self._records), bool)
        if tags:
            codes = [code for tag in tags if (code := self._codes_of_tags.get(tag)) is not None]
            wanted &= np.isin(np.frombuffer(self._tag_codes, np.intc), codes)
        for key in metadata:
            # In the record's encoding, because searching bytes is much faster than decoding them.
            text = metadata_text({key: 0}).removeprefix("{").removesuffix("0}").encode()
            wanted[[number for number in np.flatnonzero(wanted).tolist() if text not in self._records[number]]] = False
        return wanted

    def entry(self, number: int) -> Entry[Geofence]:
        """Return a geofence with its shape, either the cached object or a new one."""
        if (entry := self._made.get(number)) is None:
            geofence = self._read(number)
            entry = Entry.of(geofence.id, geofence, shape_of(geofence.geometry))
            self._made.put(number, entry)
        return entry

    def item(self, number: int) -> Geofence:
        """Return a geofence without its shape, and without adding it to the cache."""
        entry = self._made.get(number)
        return self._read(number) if entry is None else entry.item

    def part(self, numbers: Sequence[int]) -> GeofencePart:
        """Return the geofences with these numbers by columns."""
        if not numbers:
            return part_of(())
        ids = [self.ids[number] for number in numbers]
        tags = [self._tags[self._tag_codes[number]] for number in numbers]
        rings = [self._rings[number] for number in numbers]
        others = zip(*[loads(self._records[number]) for number in numbers], strict=True)
        columns: Any = GeofenceRecord._make((ids, tags, rings, *others))
        words = GeofenceColumns(
            ids,
            tags,
            columns.external_id,
            columns.description,
            [*map(bool, columns.enabled)],
            [DEFAULT_RULES if text is None else rules_of(text) for text in columns.rules],
            array("q", columns.revision),
            lambda row: self.item(numbers[row]),
        )
        shapes = ShapeColumns(columns.longitude, columns.latitude, columns.radius_m, rings, columns.rings)
        return GeofencePart(words, shapes)

    def _read(self, number: int) -> Geofence:
        tag = self._tags[self._tag_codes[number]]
        return geofence_of(GeofenceRecord(self.ids[number], tag, self._rings[number], *loads(self._records[number])))


def load_packed_stores(connection: Connection) -> dict[Environment, PackedStore]:
    """Return the geofences of each environment, reading the table once."""
    stores = {environment: PackedStore() for environment in Environment}
    for rows in geofence_records(connection):
        for environment, packed in stores.items():
            live = int(environment.live)
            packed.add([row for row in rows if row[_LIVE] == live])
    return stores


def _key(tag: str, external_id: str) -> str:
    # Text never contains a null character, and one string takes half the memory of a tuple of two.
    return f"{tag}\0{external_id}"


def _weight(entry: Entry[Geofence]) -> int:
    geometry = entry.item.geometry
    return 1 + geometry.position_count // _POSITIONS_OF_A_CIRCLE if isinstance(geometry, Polygon) else 1


def _boxes_of(columns: Any) -> Boxes:
    """Return the boxes of the rows in `columns`."""
    count = len(columns.positions)
    polygons = np.fromiter((ring is not None for ring in columns.positions), bool, count)
    several = np.fromiter((sizes is not None for sizes in columns.rings), bool, count)
    circles, single = ~polygons, polygons & ~several
    sides = np.empty((len(Boxes._fields), count))
    measures = (columns.longitude, columns.latitude, columns.radius_m)
    sides[:, circles] = boxes_around(*(np.array(each, np.float64)[circles] for each in measures))
    if single.any():
        rings = [columns.positions[row] for row in np.flatnonzero(single).tolist()]
        sides[:, single] = bounds_of_rings(*positions_of(rings))
    if several.any():
        sides[:, several] = _boxes_of_several(columns, np.flatnonzero(several).tolist())
    return Boxes(*sides)


def _boxes_of_several(columns: Any, rows: list[int]) -> Boxes:
    """Return the boxes of the polygons with several rings in some rows."""
    positions, _ = positions_of([columns.positions[row] for row in rows])
    sizes = [orjson.loads(columns.rings[row]) for row in rows]
    parts = [part for polygon in sizes for part in polygon]
    rings = bounds_of_rings(positions, np.array([size for part in parts for size in part]))
    counts = np.array([len(part) for part in parts])
    outer = np.cumsum(counts) - counts
    return around_each(Boxes(*(side[outer] for side in rings)), np.array([len(polygon) for polygon in sizes]))
