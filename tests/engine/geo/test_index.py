"""The index, compared with a plain list that is searched from end to end."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.geo.bounds import NO_BOXES, Boxes
from engine.geo.index import Entry, SpatialIndex
from engine.geo.shapes import Shape, shape_of

KEYS = "abcdefghijkl"


class Listed:
    """Initial entries; each request for an entry returns a new object."""

    def __init__(self, entries: list[Entry[str]]) -> None:
        self._entries = entries
        self.boxes = Boxes(*np.array([entry.shape.bounds for entry in entries]).T) if entries else NO_BOXES
        self.numbers = {entry.key: number for number, entry in enumerate(entries)}

    def item(self, number: int) -> str:
        return self._entries[number].item

    def entry(self, number: int) -> Entry[str]:
        entry = self._entries[number]
        return Entry(entry.key, entry.item, entry.shape, entry.boxes)


def _entry(key: str, longitude: float, latitude: float, radius_m: float = 10_000.0, item: str = "") -> Entry[str]:
    return Entry.of(key, item, shape_of(Circle(Point(longitude, latitude), radius_m)))


def _at(index: SpatialIndex[str], longitude: float, latitude: float) -> list[tuple[str, str]]:
    return [(entry.key, entry.item) for entry in index.at(longitude, latitude)]


places = st.tuples(
    st.one_of(st.sampled_from([-180.0, -179.9999, 9.0, 179.9999, 180.0]), st.floats(-180, 180)),
    st.one_of(st.sampled_from([-90.0, -89.95, 0.0, 47.0, 89.95, 90.0]), st.floats(-90, 90)),
)
radii = st.sampled_from([10.0, 500.0, 10_000.0])


@st.composite
def triangles(draw: st.DrawFn) -> Polygon:
    """Return small triangles, some of them across the antimeridian."""
    longitude, latitude = draw(st.sampled_from([-179.99, 0.0, 179.99])), draw(st.floats(-80, 80))
    size = draw(st.sampled_from([0.001, 0.05, 3.0]))
    corners = ((-size, -size), (size, -size), (0, size))
    ring = [((longitude + east + 540) % 360 - 180, latitude + north) for east, north in corners]
    return Polygon((*ring, ring[0]))


geometries: st.SearchStrategy[Geometry] = st.one_of(
    st.builds(lambda place, radius_m: Circle(Point(*place), radius_m), places, radii), triangles()
)


class EditedIndex(RuleBasedStateMachine):
    """Random edits and lookups, compared with a plain dictionary."""

    def __init__(self) -> None:
        super().__init__()
        self.index: SpatialIndex[str] = SpatialIndex()
        self.model: dict[str, tuple[str, Shape]] = {}
        self.versions = 0

    @initialize(loaded=st.dictionaries(st.sampled_from(KEYS), geometries))
    def begin(self, loaded: dict[str, Geometry]) -> None:
        self.model = {key: (f"{key}0", shape_of(geometry)) for key, geometry in loaded.items()}
        self.index = SpatialIndex(loaded=Listed([Entry.of(key, *value) for key, value in self.model.items()]))

    @rule(key=st.sampled_from(KEYS), geometry=geometries)
    def put(self, key: str, geometry: Geometry) -> None:
        self.versions += 1
        self.model[key] = f"{key}{self.versions}", shape_of(geometry)
        self.index.change([Entry.of(key, *self.model[key])])

    @rule(key=st.sampled_from(KEYS))
    def remove(self, key: str) -> None:
        self.model.pop(key, None)
        self.index.change([], [key])

    @rule(keys=st.sets(st.sampled_from(KEYS)), geometry=geometries, removed=st.sets(st.sampled_from(KEYS)))
    def change_many(self, keys: set[str], geometry: Geometry, removed: set[str]) -> None:
        self.versions += 1
        for key in removed:
            self.model.pop(key, None)
        self.model |= {key: (f"{key}{self.versions}", shape_of(geometry)) for key in keys}
        self.index.change([Entry.of(key, *self.model[key]) for key in keys], removed)

    @rule(
        keys=st.sets(st.sampled_from(KEYS)),
        geometry=geometries,
        removed=st.sets(st.sampled_from(KEYS)),
        is_cancelled=st.booleans(),
    )
    def change_in_one_go(self, keys: set[str], geometry: Geometry, removed: set[str], is_cancelled: bool) -> None:
        """Apply a prepared change, which is invisible before it is applied and has no effect if it is cancelled."""
        self.versions += 1
        after = {key: value for key, value in self.model.items() if key not in removed}
        after |= {key: (f"{key}{self.versions}", shape_of(geometry)) for key in keys}
        prepared = self.index.prepared([Entry.of(key, *after[key]) for key in keys], removed)
        self.same_items()
        self.look_at_each_item()
        if not is_cancelled:
            self.index.become(prepared)
            self.model = after

    @rule()
    def look_at_each_item(self) -> None:
        for key, (item, shape) in self.model.items():
            assert (key, item) in _at(self.index, shape.center.longitude, shape.center.latitude)

    @rule(place=places)
    def look_at_a_position(self, place: tuple[float, float]) -> None:
        expected = {(key, item) for key, (item, shape) in self.model.items() if shape.contains(*place)}
        self._check(expected, self.index.at(*place))

    @rule(place=places, within_m=st.sampled_from([0.0, 1_000.0, 500_000.0, 20_000_000.0]))
    def look(self, place: tuple[float, float], within_m: float) -> None:
        expected = {(key, item) for key, (item, shape) in self.model.items() if shape.distance_m(*place) <= within_m}
        self._check(expected, self.index.near(*place, within_m))
        nearest = list(self.index.nearest(*place, within_m))
        self._check(expected, [entry for _, entry in nearest])
        assert [at_least_m for at_least_m, _ in nearest] == sorted(at_least_m for at_least_m, _ in nearest)
        assert all(at_least_m <= max(0, entry.shape.distance_m(*place)) + 1e-6 for at_least_m, entry in nearest)

    def _check(self, expected: set[tuple[str, str]], entries: list[Entry[str]]) -> None:
        found = [(entry.key, entry.item) for entry in entries]
        assert expected <= set(found) <= {(key, item) for key, (item, _) in self.model.items()}
        assert len(found) == len(set(found))

    @invariant()
    def same_items(self) -> None:
        assert sorted(self.index.items()) == sorted(item for item, _ in self.model.values())
        assert len(self.index) == len(self.model)
        for key in KEYS:
            entry = self.index.get(key)
            assert (entry and (entry.item, entry.shape)) == self.model.get(key)


TestEditedIndex = EditedIndex.TestCase
TestEditedIndex.settings = settings(stateful_step_count=25)


@pytest.mark.parametrize("loaded", [True, False])
@given(places)
def test_an_item_across_the_antimeridian_is_found_from_both_sides(loaded: bool, place: tuple[float, float]) -> None:
    entries = [_entry("a", 179.99, 0), _entry("b", -179.99, 0)]
    index = SpatialIndex(loaded=Listed(entries)) if loaded else SpatialIndex(entries)
    for longitude in (180.0, -180.0, 179.95, -179.95):
        assert {entry.key for entry in index.at(longitude, 0)} == {"a", "b"}


def test_an_item_that_was_loaded_is_found_as_it_was_edited() -> None:
    index = SpatialIndex(loaded=Listed([_entry("a", 9, 47, item="before")]))
    index.change([_entry("a", 9, 47.01, item="after")])
    assert _at(index, 9, 47) == [("a", "after")]
    index.change([], ["a"])
    assert _at(index, 9, 47) == []


def test_unwanted_entries_are_not_among_the_nearest() -> None:
    index = SpatialIndex(loaded=Listed([_entry("a", 9, 47), _entry("b", 9.1, 47), _entry("c", 9.2, 47)]))
    index.change([_entry("d", 9.3, 47)])
    found = index.nearest(9, 47, 50_000, np.array([True, False, True]))
    assert [entry.key for _, entry in found] == ["a", "c", "d"]


@contextmanager
def _switching_often() -> Iterator[None]:
    """Make threads switch a thousand times as often as usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


@contextmanager
def _editing(index: SpatialIndex[str], versions: list[Entry[str]]) -> Iterator[None]:
    """Put the versions into the index in a loop, in a separate thread."""
    stop = Event()

    def edit() -> None:
        while not stop.is_set():
            for version in versions:
                index.change([version], ["other"])

    editor = Thread(target=edit)
    editor.start()
    try:
        with _switching_often():
            yield
    finally:
        stop.set()
        editor.join()


def test_readers_see_an_item_before_or_after_each_edit_and_never_without_it() -> None:
    # Each version is in another grid, so that an interrupted lookup could miss both.
    versions = [_entry("a", 9, 47, radius_m, f"{radius_m:g}") for radius_m in (10, 10_000, 200, 3_000, 40, 700)]
    index = SpatialIndex(loaded=Listed([versions[0], _entry("still", 9, 47)]))
    with _editing(index, versions):
        for _ in range(15_000):
            found = index.at(9, 47)
            assert [entry.key for entry in found].count("a") == 1
            assert {entry.key for entry in found} == {"a", "still"}
            assert [entry.key for entry in index.near(9, 47, 20)].count("a") == 1
            assert index.get("a") is not None
            assert len(index.items()) == 2
