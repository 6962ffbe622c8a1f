"""The list of geofences: grouped, sorted, searched, and updated row by row."""

from __future__ import annotations

import random

from app.desktop.model.tree import FenceTree, sort_key
from engine.domain.geofence import Geofence
from engine.domain.values import replace
from tests.desktop.model.values import fence


def shown(tree: FenceTree) -> list[tuple[str, list[str]]]:
    return [(group.tag, [each.description for each in group.fences]) for group in tree.groups]


def test_fences_are_grouped_by_tag_and_sorted_by_name() -> None:
    tree = FenceTree()
    tree.rebuild([fence(1, "store", "b"), fence(2, "depot", "z"), fence(3, "store", "A")])
    assert shown(tree) == [("depot", ["z"]), ("store", ["A", "b"])]


def test_numbers_in_names_and_tags_count_as_numbers() -> None:
    tree = FenceTree()
    names = ("Load 10", "Load 2", "load 1b", "Load 02 b", "Load", "Bay 3.10", "Bay 3.9", "Load 2", f"Load {'9' * 5000}")
    tree.rebuild([fence(n, f"site {12 - n}", name) for n, name in enumerate(names)])
    assert [group.tag for group in tree.groups] == [f"site {n}" for n in range(4, 13)]
    tree.rebuild([fence(n, "store", name) for n, name in enumerate(names)])
    ((_, listed),) = shown(tree)
    assert listed[:-1] == ["Bay 3.9", "Bay 3.10", "Load", "load 1b", "Load 2", "Load 2", "Load 02 b", "Load 10"]
    ids = [each.external_id for each in tree.groups[0].fences if each.description == "Load 2"]
    assert ids == ["store-1", "store-7"]


def test_every_word_must_be_somewhere() -> None:
    tree = FenceTree()
    fences = [fence(1, "store", "North gate", metadata={"city": "Ghent"}), fence(2, "store", "South gate")]
    assert tree.search("GATE ghent")
    tree.rebuild(fences)
    assert shown(tree) == [("store", ["North gate"])]
    assert not tree.search("gate  GHENT")
    tree.search("store-2")
    tree.rebuild(fences)
    assert shown(tree) == [("store", ["South gate"])]


def test_a_fence_is_found_at_its_position() -> None:
    tree = FenceTree()
    fences = [fence(n, f"tag{n % 3}", f"name {n % 5}") for n in range(60)]
    tree.rebuild(fences)
    for each in fences:
        place = tree.locate(each.id)
        assert place is not None
        assert tree.groups[place[0]].fences[place[1]] is each
    assert tree.locate("missing") is None


def test_single_changes_lead_to_the_same_list_as_a_rebuild() -> None:
    chance = random.Random(1)
    tree, present = FenceTree(), dict[str, Geofence]()
    for step in range(400):
        number = chance.randrange(40)
        changed = fence(number, f"tag{chance.randrange(4)}", f"name {chance.randrange(9)}")
        place = tree.locate(changed.id)
        if place is not None:
            tree.remove(*place)
            present.pop(changed.id)
            if not tree.groups[place[0]].fences:
                tree.remove_group(place[0])
        if step % 3:
            if not tree.has_group(changed.tag):
                tree.add_group(changed.tag)
            tree.insert(changed)
            present[changed.id] = changed
    again = FenceTree()
    again.rebuild(present.values())
    assert shown(tree) == shown(again)
    assert len(tree) == len(present)


def test_a_change_that_moves_nothing_keeps_its_row() -> None:
    tree = FenceTree()
    one = fence(1)
    tree.rebuild([one])
    assert tree.stays(replace(one, enabled=False))
    assert not tree.stays(fence(1, "store", "renamed"))
    assert not tree.stays(fence(1, "depot", one.description))
    assert sort_key(one) < sort_key(fence(2))


def test_numbers_of_groups_outlive_their_neighbours() -> None:
    tree = FenceTree()
    tree.rebuild([fence(1, "b"), fence(2, "c")])
    number = tree.groups[1].number
    tree.add_group("a")
    assert tree.groups[2].number == number
    assert tree.row_of_number(number) == 2
