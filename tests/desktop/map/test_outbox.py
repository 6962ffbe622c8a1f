"""The queue of commands: order, portions and what is left out."""

from __future__ import annotations

import json

import pytest

from app.desktop.map import MapCircle, MapFence, MapPolygon
from app.desktop.map.outbox import IN_FLIGHT, DeviceMove, Outbox, fence_chunks


class Page:
    """Takes commands and says that they are done."""

    def __init__(self) -> None:
        self.outbox = Outbox(self._take)
        self.taken: list[dict[str, object]] = []
        self._done = 0

    def _take(self, text: str) -> None:
        self.taken.append(json.loads(text))

    def work(self) -> list[object]:
        """Carry everything out; the names of all commands in their order."""
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


def test_only_a_few_commands_are_under_way(page: Page) -> None:
    page.outbox.open()
    for number in range(10):
        page.outbox.put(f"c{number}")
    assert len(page.taken) == IN_FLIGHT
    assert page.work() == [f"c{number}" for number in range(10)]


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
    portions = [command["fences"] for command in page.taken if command["name"] == "fences_stage"]
    staged = [fence["id"] for portion in portions if isinstance(portion, list) for fence in portion]
    assert staged == [str(number) for number in range(1_200)]


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
