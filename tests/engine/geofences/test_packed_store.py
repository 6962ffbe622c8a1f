"""A cache of recently used items, and the geofences that are read from the workspace again."""

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from engine import Engine
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.geofences.packed_store import Recent
from tests.engine.fixtures import SetClock

MOST = 10
TEST = Environment.TEST


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 8)), max_size=60))
def test_the_last_used_entries_are_kept_within_twice_the_maximum(steps: list[tuple[bool, int]]) -> None:
    recent: Recent[int, str] = Recent(MOST, weigh=len)
    for put, key in steps:
        if put:
            recent.put(key, "x" * key)
            assert recent.get(key) == "x" * key
        elif (found := recent.get(key)) is not None:
            assert found == "x" * key
        kept = [found for key in range(9) if (found := recent._young.get(key) or recent._old.get(key))]
        assert sum(map(len, kept)) <= 2 * (MOST + 8)


def test_unused_entries_are_dropped() -> None:
    recent: Recent[int, str] = Recent(MOST, weigh=len)
    recent.put(-1, "first")
    for number in range(10):
        recent.put(number, "xxxx")
    assert recent.get(-1) is None
    assert recent.get(9) == "xxxx"


def test_entries_in_constant_use_stay() -> None:
    recent: Recent[int, str] = Recent(MOST, weigh=len)
    recent.put(-1, "first")
    for number in range(10):
        recent.put(number, "xxxx")
        assert recent.get(-1) == "first"


def square(west: float, south: float, size: float) -> list[tuple[float, float]]:
    east, north = west + size, south + size
    return [(west, south), (east, south), (east, north), (west, north), (west, south)]


def test_holes_and_parts_count_after_the_workspace_is_opened_again(tmp_path: Path) -> None:
    shapes: dict[str, Sequence[object]] = {
        "holed": [square(14.0, 46.0, 0.03), square(14.01, 46.01, 0.01)],
        "parts": [[square(20.0, 10.0, 0.01)], [square(-60.0, -30.0, 0.005)]],
        "fiji": [[square(179.99, -17.0, 0.01)], [square(-180.0, -17.0, 0.01)], [square(-179.9, -17.0, 0.005)]],
        "single": square(15.0, 46.0, 0.01),
    }
    with Engine.open(tmp_path / "w", clock=SetClock()) as engine:
        for name, shape in shapes.items():
            change = GeofenceChange(tag="a", external_id=name, description=name, type="polygon", coordinates=shape)
            engine.geofences.create(TEST, change)
        before = {each: engine.geofences.get_by_key(TEST, "a", each).geometry for each in shapes}
    with Engine.open(tmp_path / "w", clock=SetClock()) as engine:
        assert {each: engine.geofences.get_by_key(TEST, "a", each).geometry for each in shapes} == before
        for longitude, latitude, expected in (
            (14.005, 46.005, ["holed"]),
            (14.015, 46.015, []),
            (20.005, 10.005, ["parts"]),
            (-59.998, -29.998, ["parts"]),
            (-20.0, -10.0, []),
            (180.0, -16.995, ["fiji"]),
            (-180.0, -16.995, ["fiji"]),
            (179.995, -16.995, ["fiji"]),
            (-179.898, -16.998, ["fiji"]),
            (-179.95, -16.998, []),
            (15.005, 46.005, ["single"]),
        ):
            found = engine.tracking.context(TEST, Point(longitude, latitude)).geofences
            assert [each.external_id for each in found] == expected, (longitude, latitude)
