"""The index against a plain list that is searched from end to end."""

from threading import Event, Thread

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from engine.domain.geometry import Circle, Point
from engine.geo.index import Entry, SpatialIndex
from engine.geo.shapes import shape_of


def _entry(key: str, longitude: float, latitude: float, radius_m: float = 10_000.0) -> Entry[str]:
    return Entry.of(key, f"item {key}", shape_of(Circle(Point(longitude, latitude), radius_m)))


places = st.tuples(st.floats(-180, 180), st.floats(-90, 90))


class EditedIndex(RuleBasedStateMachine):
    """Random edits and looks; the plain dictionary is right by being obvious."""

    keys = Bundle("keys")

    def __init__(self) -> None:
        super().__init__()
        self.index: SpatialIndex[str] = SpatialIndex()
        self.model: dict[str, Entry[str]] = {}

    @rule(target=keys, key=st.sampled_from("abcdefgh"), place=places, radius_m=st.sampled_from([10.0, 500.0, 10_000.0]))
    def put(self, key: str, place: tuple[float, float], radius_m: float) -> str:
        self.model[key] = _entry(key, *place, radius_m)
        self.index.change([self.model[key]])
        return key

    @rule(key=consumes(keys))
    def remove(self, key: str) -> None:
        self.model.pop(key, None)
        self.index.change([], [key])

    @rule(key=keys)
    def look_at_an_item(self, key: str) -> None:
        if (entry := self.model.get(key)) is not None:
            center = entry.shape.center
            assert entry in self.index.at(center.longitude, center.latitude)

    @rule(place=places)
    def look_at_a_position(self, place: tuple[float, float]) -> None:
        expected = {key for key, entry in self.model.items() if entry.shape.contains(*place)}
        found = [entry.key for entry in self.index.at(*place)]
        assert expected <= set(found)
        assert len(found) == len(set(found))

    @rule(place=places, within_m=st.sampled_from([0.0, 1_000.0, 500_000.0, 20_000_000.0]))
    def look(self, place: tuple[float, float], within_m: float) -> None:
        expected = {key for key, entry in self.model.items() if entry.shape.distance_m(*place) <= within_m}
        found = [entry.key for entry in self.index.near(*place, within_m)]
        assert expected <= set(found)
        assert len(found) == len(set(found))

    @invariant()
    def same_items(self) -> None:
        assert {entry.key: entry for entry in self.index.entries()} == self.model


TestEditedIndex = EditedIndex.TestCase
TestEditedIndex.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


@given(places)
def test_an_item_across_the_antimeridian_is_found_from_both_sides(place: tuple[float, float]) -> None:
    index = SpatialIndex([_entry("a", 179.99, 0), _entry("b", -179.99, 0)])
    for longitude in (180.0, -180.0, 179.95, -179.95):
        assert {entry.key for entry in index.at(longitude, 0)} == {"a", "b"}


def test_readers_see_every_item_while_another_thread_edits() -> None:
    index: SpatialIndex[str] = SpatialIndex([_entry("still", 0, 0)])
    stop = Event()

    def edit() -> None:
        count = 0
        while not stop.is_set():
            count += 1
            index.change([_entry(f"n{count % 50}", 5, 5)], [f"n{(count + 25) % 50}"])

    editor = Thread(target=edit)
    editor.start()
    try:
        for _ in range(500):
            assert [entry.key for entry in index.at(0, 0)] == ["still"]
    finally:
        stop.set()
        editor.join()
