"""The differences between the events of two sets of geofences."""

from datetime import datetime
from typing import Final, NamedTuple

import pyarrow as pa
from msgspec import Struct, field

from engine.backtest.results import Comparison, EventDifference, FenceDifferences
from engine.domain.tracking.whatif import DifferenceKind, Paired, paired

EXAMPLES: Final = 1_000
"""Maximum number of differences in a report."""

DIFFERENCES_SCHEMA: Final = pa.schema(
    [
        pa.field("difference", pa.string(), nullable=False),
        pa.field("type", pa.string(), nullable=False),
        pa.field("deviceId", pa.string(), nullable=False),
        pa.field("userId", pa.string()),
        pa.field("tag", pa.string(), nullable=False),
        pa.field("externalId", pa.string(), nullable=False),
        pa.field("before", pa.timestamp("us", "UTC")),
        pa.field("after", pa.timestamp("us", "UTC")),
        pa.field("longitude", pa.float64(), nullable=False),
        pa.field("latitude", pa.float64(), nullable=False),
    ]
)


class Differences(Struct):
    """Sums of the differences of some devices; geofences are named by tag and external ID."""

    events: int = 0
    gained: int = 0
    lost: int = 0
    moved: int = 0
    of_fence: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    examples: list[EventDifference] = field(default_factory=list)

    def add(self, other: "Differences") -> None:
        """Add the differences of other devices."""
        self.events += other.events
        for kind in DifferenceKind:
            setattr(self, kind.value, getattr(self, kind.value) + getattr(other, kind.value))
        for name, counts in other.of_fence.items():
            own = self.of_fence.get(name, [0, 0, 0])
            self.of_fence[name] = [one + more for one, more in zip(own, counts, strict=True)]
        self.examples = _first([*self.examples, *other.examples])

    def comparison(self) -> Comparison:
        """Return the result for a report."""
        fences = [FenceDifferences(*name, *counts) for name, counts in self.of_fence.items()]
        return Comparison(
            events=self.events,
            unchanged=self.events - self.gained - self.moved,
            gained=self.gained,
            lost=self.lost,
            moved=self.moved,
            geofences=tuple(sorted(fences, key=lambda each: (-each.total, each.tag, each.external_id))),
            examples=tuple(self.examples),
        )


class _Logged(NamedTuple):
    """An event of a log."""

    device_id: str
    user_id: str | None
    type: str
    at: datetime
    tag: str
    external_id: str
    longitude: float
    latitude: float

    @property
    def key(self) -> tuple[str, str, datetime, str | None]:
        """The identity of the event in both runs. Geofences of other workspaces have other identifiers."""
        return f"{self.device_id}\0{self.user_id}", self.type, self.at, f"{self.tag}\0{self.external_id}"


def compare(before: pa.Table, after: pa.Table) -> tuple[Differences, pa.Table]:
    """Return the differences of the events of some devices, as sums and as rows in the order of time."""
    found = Differences(events=after.num_rows)
    rows = [_difference(pair) for pair in paired(_events(before), _events(after))]
    rows.sort(key=lambda each: (each.after or each.before, each.device_id, each.tag, each.external_id))
    for row in rows:
        counts = found.of_fence.setdefault((row.tag, row.external_id), [0, 0, 0])
        counts[list(DifferenceKind).index(DifferenceKind(row.kind))] += 1
    found.gained, found.lost, found.moved = (sum(each[place] for each in found.of_fence.values()) for place in range(3))
    found.examples = rows[:EXAMPLES]
    names = ("kind", "type", "device_id", "user_id", "tag", "external_id", "before", "after", "longitude", "latitude")
    columns = [
        pa.array([getattr(row, name) for row in rows], kind.type)
        for name, kind in zip(names, DIFFERENCES_SCHEMA, strict=True)
    ]
    return found, pa.table(columns, schema=DIFFERENCES_SCHEMA)


def _events(table: pa.Table) -> list[_Logged]:
    names = ("deviceId", "userId", "type", "createdAt", "tag", "externalId", "longitude", "latitude")
    return [_Logged(*row) for row in zip(*(table[name].to_pylist() for name in names), strict=True)]


def _difference(pair: Paired[_Logged]) -> EventDifference:
    before, after = pair
    kind = DifferenceKind.MOVED if before and after else DifferenceKind.GAINED if after else DifferenceKind.LOST
    event = after or before
    assert event is not None
    return EventDifference(
        kind=kind.value,
        type=event.type,
        device_id=event.device_id,
        user_id=event.user_id,
        tag=event.tag,
        external_id=event.external_id,
        before=None if before is None else before.at,
        after=None if after is None else after.at,
        longitude=event.longitude,
        latitude=event.latitude,
    )


def _first(rows: list[EventDifference]) -> list[EventDifference]:
    """Return the first differences in the order of time."""
    key = lambda each: (each.after or each.before, each.device_id, each.tag, each.external_id)  # noqa: E731
    return sorted(rows, key=key)[:EXAMPLES]
