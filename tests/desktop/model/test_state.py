"""Selection, the book of geofences, the event log, and colours."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from app.desktop.model.colors import KEPT, OKABE_ITO, TagColors, read_colors, write_colors
from app.desktop.model.event_log import EventLog
from app.desktop.model.fences import FenceBook, FenceDelta
from app.desktop.model.selection import Selection
from engine.domain.tracking.updates import Event
from tests.desktop.model.values import event, fence


def chosen(selection: Selection) -> tuple[str | None, Event | None]:
    return selection.fence_id, selection.event


def test_a_selected_event_selects_its_fence_and_leaves_with_it() -> None:
    selection, selected = Selection(), list[str | None]()
    selection.changed.connect(lambda: selected.append(selection.fence_id))
    first = event(1, fence(1))
    selection.select_event(first)
    assert chosen(selection) == ("f1", first)
    selection.select_fence("f1")
    assert chosen(selection) == ("f1", first)
    selection.select_fence("f2")
    assert chosen(selection) == ("f2", None)
    selection.forget_fences(("f2",))
    assert selection.fence_id is None
    assert selected == ["f1", "f2", None]


def test_several_fences_are_selected_and_one_is_shown() -> None:
    selection, changes = Selection(), list[tuple[str | None, tuple[str, ...]]]()
    selection.changed.connect(lambda: changes.append((selection.fence_id, selection.fence_ids)))
    selection.select_fence("f1")
    selection.toggle_fence("f2")
    selection.select_event(None)
    selection.select_fences(("f3", "f1", "f2", "f3"))
    selection.toggle_fence("f1")
    selection.toggle_fence("f2")
    selection.forget_fences(("f9",))
    selection.forget_fences(("f3", "f4"))
    selection.select_fences(())
    assert changes == [
        ("f1", ("f1",)),
        ("f2", ("f1", "f2")),
        ("f2", ("f3", "f1", "f2")),
        ("f2", ("f3", "f2")),
        ("f3", ("f3",)),
        (None, ()),
    ]


def test_others_stay_selected_when_the_shown_fence_is_deleted() -> None:
    selection = Selection()
    first = event(1, fence(1))
    selection.select_event(first)
    selection.toggle_fence("f2")
    assert chosen(selection) == ("f2", None)
    selection.forget_fences(("f2",))
    assert selection.fence_ids == ("f1",)
    selection.select_event(first)
    assert selection.fence_ids == ("f1",)


def test_the_book_reports_only_changes() -> None:
    book, deltas = FenceBook(), list[FenceDelta]()
    book.changed.connect(deltas.append)
    one, two = fence(1), fence(2)
    book.replace([one])
    book.apply([one, two], ["missing"])
    book.apply([two])
    book.apply([], ["f1", "f1"])
    assert deltas == [FenceDelta((one,), reset=True), FenceDelta((two,)), FenceDelta((), ("f1",))]
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
    assert (added, replaced) == ([2, 3], [])


@pytest.mark.parametrize("tags", list(permutations(("depot", "port", "zone", "depot 2"))))
def test_a_tag_keeps_its_colour_on_another_day(tmp_path: Path, tags: tuple[str, ...]) -> None:
    colors = TagColors()
    before = {tag: colors.of(tag) for tag in tags}
    assert len(set(before.values())) == 4
    write_colors(tmp_path, colors.kept)
    again = TagColors(read_colors(tmp_path))
    again.of("a new one")
    assert {tag: again.of(tag) for tag in reversed(tags)} == before


def test_seven_tags_have_seven_colours_and_more_share() -> None:
    colors = TagColors()
    assert {colors.of(f"tag {n}") for n in range(7)} == set(OKABE_ITO)
    assert {colors.of(f"tag {n}") for n in range(7, 14)} == set(OKABE_ITO)


def test_a_new_tag_has_the_colour_of_a_removed_one_before_that_of_one_in_use() -> None:
    book = FenceBook()
    book.replace([fence(n, f"tag {n}") for n in range(7)])
    before = {f"tag {n}": book.color(f"tag {n}") for n in range(7)}
    book.apply([fence(2, "renamed")], ["f5"])
    assert book.color("renamed") == before["tag 2"] or book.color("renamed") == before["tag 5"]
    assert {tag: book.color(tag) for tag in before} == before
    assert book.tags() == ("renamed", "tag 0", "tag 1", "tag 3", "tag 4", "tag 6")


def test_of_very_many_tags_the_colour_follows_from_the_tag() -> None:
    colors, assignments = TagColors(), list[None]()
    colors.assigned.connect(lambda: assignments.append(None))
    first = {f"tag {n}": colors.of(f"tag {n}") for n in range(3 * KEPT)}
    assert len(colors.kept) == len(assignments) == KEPT
    again = TagColors(colors.kept)
    assert {tag: again.of(tag) for tag in reversed(first)} == first


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"tagColors": [1]}',
        '{"tagColors": {"a": "red", "b": "#0072B2", "c": []}}',
        '{"tagColors": {"a": "#0072B2"}, "more": ' + "[" * 200 + "]" * 200 + "}",
    ],
)
def test_a_damaged_file_of_colours_is_recreated(tmp_path: Path, text: str) -> None:
    (tmp_path / "window.json").write_text(text)
    assert read_colors(tmp_path) in ({}, {"b": "#0072B2"})
