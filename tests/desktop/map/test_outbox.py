"""The queue of commands: order, batches and omitted commands."""

from __future__ import annotations

import json
from struct import iter_unpack, unpack_from
from typing import cast

import pytest

from app.desktop.map import MapCircle, MapFence, MapIsochrone, MapPolygon, Position
from app.desktop.map.outbox import IN_FLIGHT, SMALL_IN_FLIGHT, DeviceMove, Outbox, fence_chunks
from app.desktop.map.packing import pack_fences
from app.desktop.shapes import map_polygon
from engine.domain.geometry import Part
from engine.geo.parts import check_polygon


def columns_of(packed: bytes) -> dict[str, list[object]]:
    """Return the columns of packed geofences."""
    (length,) = unpack_from("<Q", packed)
    found: dict[str, list[object]] = json.loads(packed[8 : 8 + length])
    return found


class Page:
    """Receives commands and confirms them."""

    def __init__(self) -> None:
        self.outbox = Outbox(self._take, self._offer)
        self.taken: list[dict[str, object]] = []
        self._done = 0
        self._offered: dict[str, bytes] = {}

    def _offer(self, content: bytes) -> str:
        address = f"once/{len(self._offered)}"
        self._offered[address] = content
        return address

    def staged(self) -> list[object]:
        """Return the IDs of the geofences of all batches, in order."""
        portions = [command["address"] for command in self.taken if command["name"] == "fences_stage"]
        return [fence_id for address in portions for fence_id in columns_of(self._offered[str(address)])["id"]]

    def _take(self, text: str) -> None:
        self.taken.append(json.loads(text))

    def work(self) -> list[object]:
        """Carry out all commands, and return their names in order."""
        while self._done < len(self.taken):
            seq = self.taken[self._done]["seq"]
            assert isinstance(seq, int)
            self._done += 1
            self.outbox.done(seq)
        return [command["name"] for command in self.taken]


@pytest.fixture
def page() -> Page:
    return Page()


def fences(count: int) -> list[MapFence]:
    return [MapFence(str(n), "", "#000", True, MapCircle(0.0, 0.0, 10.0)) for n in range(count)]


def test_nothing_leaves_before_the_page_is_ready(page: Page) -> None:
    page.outbox.put("first")
    page.outbox.put("second")
    assert page.taken == []
    page.outbox.open()
    assert page.work() == ["first", "second"]


def test_only_some_commands_are_under_way(page: Page) -> None:
    page.outbox.open()
    for number in range(40):
        page.outbox.put(f"c{number}")
    assert len(page.taken) == SMALL_IN_FLIGHT
    assert page.work() == [f"c{number}" for number in range(40)]


def test_of_portions_only_a_few_are_under_way(page: Page) -> None:
    page.outbox.open()
    page.outbox.put("theme")
    page.outbox.replace_fences(fences(5_000))
    page.outbox.put("names_shown")
    assert [each["name"] for each in page.taken] == ["theme", "fences_begin"]
    assert len(page.taken) == IN_FLIGHT
    names = page.work()
    assert names[:3] == ["theme", "fences_begin", "fences_stage"]
    assert names[-3:] == ["fences_stage", "fences_commit", "names_shown"]


def test_moves_wait_behind_pending_messages(page: Page) -> None:
    page.outbox.open()
    for number in range(IN_FLIGHT):
        page.outbox.put(f"c{number}")
    page.outbox.move_device(DeviceMove("phone", 0.0, 0.0, 5.0))
    assert len(page.taken) == IN_FLIGHT
    assert page.work() == [*(f"c{number}" for number in range(IN_FLIGHT)), "devices_move"]


def test_of_many_moves_the_last_one_counts(page: Page) -> None:
    page.outbox.open()
    page.outbox.put("a")
    page.outbox.put("b")
    for step in range(1_000):
        page.outbox.move_device(DeviceMove("phone", step / 1_000, 0.0, 5.0))
    page.outbox.move_device(DeviceMove("watch", 1.0, 1.0, 5.0))
    assert page.work() == ["a", "b", "devices_move"]
    moves = page.taken[-1]["moves"]
    assert isinstance(moves, list)
    assert [(move["device"], move["longitude"]) for move in moves] == [("phone", 0.999), ("watch", 1.0)]


def test_a_removed_device_does_not_come_back(page: Page) -> None:
    page.outbox.move_device(DeviceMove("phone", 0.0, 0.0, 5.0))
    page.outbox.forget_device("phone")
    page.outbox.open()
    assert page.work() == ["device_remove"]


def test_a_question_waits_for_the_moves_before_it(page: Page) -> None:
    page.outbox.move_device(DeviceMove("phone", 0.0, 0.0, 5.0))
    page.outbox.ask("settle")
    page.outbox.open()
    assert page.work() == ["devices_move", "settle"]


def test_a_new_set_makes_the_one_that_waits_needless(page: Page) -> None:
    page.outbox.replace_fences(fences(5_000))
    page.outbox.update_fences(fences(1), ["x"])
    page.outbox.put("theme")
    page.outbox.replace_fences(fences(1))
    page.outbox.open()
    assert page.work() == ["theme", "fences_begin", "fences_stage", "fences_commit"]


def test_a_new_set_keeps_layers_and_marks_that_wait(page: Page) -> None:
    page.outbox.update_fences(fences(1), ())
    page.outbox.put("fences_layers")
    page.outbox.put("fences_mark")
    page.outbox.replace_fences(fences(1))
    page.outbox.open()
    assert page.work() == ["fences_layers", "fences_mark", "fences_begin", "fences_stage", "fences_commit"]


def test_an_update_puts_and_removes(page: Page) -> None:
    page.outbox.open()
    page.outbox.update_fences(fences(1), ["gone"])
    page.outbox.update_fences([], [])
    assert page.work() == ["fences_put", "fences_remove"]
    assert page.taken[0]["fences"] == [
        {
            "id": "0",
            "label": "",
            "color": "#000",
            "enabled": True,
            "shape": {"longitude": 0.0, "latitude": 0.0, "radius_m": 10.0},
            "closed": False,
            "locked": False,
            "tag": None,
            "state": None,
        }
    ]


def test_an_update_of_many_appears_at_once(page: Page) -> None:
    page.outbox.open()
    page.outbox.update_fences(fences(1_200), ["gone"])
    names = page.work()
    assert (names[0], set(names[1:-2]), names[-2:]) == (
        "fences_begin",
        {"fences_stage"},
        ["fences_commit", "fences_remove"],
    )
    assert page.taken[0]["beside"] is True
    assert page.staged() == [str(number) for number in range(1_200)]


def test_a_set_that_is_read_appears_when_it_is_complete(page: Page) -> None:
    page.outbox.replace_fences(fences(3))
    page.outbox.begin_fences()
    page.outbox.stage_fences(pack_fences(fences(2)))
    page.outbox.open()
    empty = ["fences_begin", "fences_commit"]
    assert page.work() == [*empty, "fences_begin", "fences_stage"]
    page.outbox.commit_fences()
    assert page.work() == [*empty, "fences_begin", "fences_stage", "fences_commit"]
    assert page.staged() == ["0", "1"]


def test_portions_are_packed_by_columns_and_numbers() -> None:
    ring = ((0.0, 0.0), (1.0, 0.5), (2.0, 0.0), (0.0, 0.0))
    shapes = MapCircle(14.5, 46.05, 120.0), MapPolygon(ring), MapIsochrone(ring, longitude=1.5, latitude=0.25)
    packed = pack_fences(
        [
            MapFence("a", "Größe", "#000", True, shapes[0], tag="t", state="enabled"),
            MapFence("b", "", "#fff", False, shapes[1], closed=True),
            MapFence("c", "", "#fff", True, shapes[2], locked=True),
            MapFence("d", "", "#000", True, shapes[0], tag="t", state="enabled"),
        ]
    )
    (length,) = unpack_from("<Q", packed)
    assert length % 8 == 0
    assert columns_of(packed) == {
        "id": ["a", "b", "c", "d"],
        "label": ["Größe", "", "", ""],
        "kind": [0, 1, 2, 0],
        "kinds": [["#000", "t", "enabled", 1 + 8], ["#fff", None, None, 2], ["#fff", None, None, 1 + 4 + 16]],
        "numbers": [3, 8, 10, 3],
        "rings": [],
    }
    numbers = tuple(number for (number,) in iter_unpack("<d", packed[8 + length :]))
    flat = tuple(degrees for position in ring for degrees in position)
    assert numbers == (14.5, 46.05, 120.0, *flat, *flat, 1.5, 0.25, 14.5, 46.05, 120.0)


def test_portions_have_the_rings_of_holes_and_parts() -> None:
    def square(west: float, south: float, size: float) -> tuple[Position, ...]:
        east, north = west + size, south + size
        return ((west, south), (east, south), (east, north), (west, north), (west, south))

    apart = map_polygon(check_polygon([[square(0, 0, 9), (*square(1, 1, 1)[:-2], (1, 1))], [square(20, 0, 2)]]))
    meeting = map_polygon(check_polygon([[square(0, 0, 2)], [square(2, 0, 1)]]))
    whole = MapFence("a", "", "#000", True, MapCircle(14.5, 46.05, 120.0))
    packed = pack_fences(
        [whole, *(MapFence(each, "", "#000", True, of) for each, of in (("b", apart), ("c", meeting)))]
    )
    (length,) = unpack_from("<Q", packed)
    columns = columns_of(packed)
    (joined,) = meeting.joined
    assert columns["rings"] == [[1, [[5, 4], [5]], []], [2, [[5], [5]], [[len(joined.ring)]]]]
    assert columns["numbers"] == [3, 28, 20 + 2 * len(joined.ring)]
    numbers = tuple(number for (number,) in iter_unpack("<d", packed[8 + length :]))
    assert len(numbers) == sum(cast(list[int], columns["numbers"]))
    rings = (apart.ring, *apart.holes, apart.others[0].ring, meeting.ring, meeting.others[0].ring, joined.ring)
    assert numbers[3:] == tuple(degrees for ring in rings for position in ring for degrees in position)


def test_a_portion_is_as_heavy_as_all_of_its_rings() -> None:
    hole = ((0.2, 0.2), *((0.2 + n / 10_000, 0.3) for n in range(990)), (0.2, 0.2))
    ring = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0))
    shape = MapPolygon(ring, (hole,), (Part(ring, (hole,)),))
    assert [len(each) for each in fence_chunks([MapFence(str(n), "", "#000", True, shape) for n in range(6)])] == [
        2
    ] * 3


def test_portions_are_small_and_lose_nothing() -> None:
    ring = MapPolygon(tuple((n / 1_000, 0.0) for n in range(1_000)))
    heavy = [MapFence(f"p{n}", "", "#000", True, ring) for n in range(20)]
    chunks = list(fence_chunks([*fences(2_000), *heavy]))
    assert [fence.id for chunk in chunks for fence in chunk] == [
        *(str(n) for n in range(2_000)),
        *(f"p{n}" for n in range(20)),
    ]
    assert max(len(chunk) for chunk in chunks) <= 500
    assert all(sum(fence.id.startswith("p") for fence in chunk) <= 4 for chunk in chunks)


def test_after_the_end_nothing_leaves(page: Page) -> None:
    page.outbox.open()
    page.outbox.close()
    page.outbox.put("late")
    page.outbox.move_device(DeviceMove("phone", 0.0, 0.0, 5.0))
    assert page.taken == []
