"""Selection, the book of fences, the event log, colours."""

from __future__ import annotations

from app.desktop.model.colors import OKABE_ITO, TagColors
from app.desktop.model.event_log import EventLog
from app.desktop.model.fences import FenceBook, FenceDelta
from app.desktop.model.selection import Selection
from engine.domain.tracking import Event
from tests.desktop.model.values import event, fence


def chosen(selection: Selection) -> tuple[str | None, Event | None]:
    return selection.fence_id, selection.event


def test_a_selected_event_selects_its_fence_and_leaves_with_it() -> None:
    selection, told = Selection(), list[str | None]()
    selection.changed.connect(lambda: told.append(selection.fence_id))
    first = event(1, fence(1))
    selection.select_event(first)
    assert chosen(selection) == ("f1", first)
    selection.select_fence("f1")
    assert chosen(selection) == ("f1", first)
    selection.select_fence("f2")
    assert chosen(selection) == ("f2", None)
    selection.forget_fences(("f2",))
    assert selection.fence_id is None
    assert told == ["f1", "f2", None]


def test_the_book_tells_only_what_changed() -> None:
    book, told = FenceBook(), list[FenceDelta]()
    book.changed.connect(told.append)
    one, two = fence(1), fence(2)
    book.replace([one])
    book.apply([one, two], ["missing"])
    book.apply([two])
    book.apply([], ["f1", "f1"])
    assert told == [FenceDelta((one,), reset=True), FenceDelta((two,)), FenceDelta((), ("f1",))]
    assert book.tags() == ("store",)
    assert book.get("f1") is None
    assert book.get(None) is None


def test_events_are_newest_first_and_known_ones_come_once() -> None:
    log = EventLog()
    events = [event(n, fence(1)) for n in range(4)]
    log.replace([events[1], events[0]])
    log.add([events[1], events[2], events[3]])
    assert log.all() == (events[3], events[2], events[1], events[0])
    assert log.row("e2") == 1
    assert log.row("missing") is None


def test_a_flood_of_events_keeps_the_newest() -> None:
    log, added, replaced = EventLog(kept=3), list[int](), list[int]()
    log.adding.connect(added.append)
    log.replaced.connect(lambda: replaced.append(len(log)))
    events = [event(n, fence(1)) for n in range(10)]
    log.add(events[:2])
    log.add(events[2:])
    assert [each.id for each in log.all()] == ["e9", "e8", "e7"]
    assert log.get("e1") is None
    assert (added, replaced) == ([2], [3])


def test_a_tag_keeps_its_colour_whatever_comes_first() -> None:
    one, other = TagColors(["depot", "port", "zone"]), TagColors(["zone"])
    other.of("port")
    assert one.of("zone") == TagColors(["zone", "depot", "port"]).of("zone")
    assert len({one.of(tag) for tag in ("depot", "port", "zone")}) == 3
    assert one.of("zone") in OKABE_ITO


def test_seven_tags_have_seven_colours_and_more_share() -> None:
    colors = TagColors(f"tag {n}" for n in range(7))
    assert len({colors.of(f"tag {n}") for n in range(7)}) == 7
    assert colors.of("an eighth") in OKABE_ITO
