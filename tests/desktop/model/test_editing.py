"""Undo and redo: consistent after any failure, and never overwriting changes of others."""

from __future__ import annotations

import pytest

from app.desktop.model.editing.changes import ChangedByOthers, FenceEditor, NotNext, same_content
from engine.domain.environment import Environment
from engine.domain.errors import Conflict
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.settings import SettingsChange
from tests.desktop.model.values import MemoryFences, MemorySettings

TEST = Environment.TEST


@pytest.fixture
def store() -> MemoryFences:
    return MemoryFences()


@pytest.fixture
def settings() -> MemorySettings:
    return MemorySettings()


@pytest.fixture
def editor(store: MemoryFences, settings: MemorySettings) -> FenceEditor:
    return FenceEditor(store, settings, TEST)


def made(editor: FenceEditor) -> Geofence:
    outcome = editor.create(GeofenceChange(tag="store", external_id="1", description="One"))
    assert outcome.fence is not None
    return outcome.fence


def test_everything_can_be_taken_back_and_done_again(store: MemoryFences, editor: FenceEditor) -> None:
    created = made(editor)
    editor.edit(created, GeofenceChange(description="Two"))
    edited = store.fences[created.id]
    editor.delete(created.id)
    assert store.fences == {}
    editor.undo()
    assert same_content(store.fences[created.id], edited)
    editor.undo()
    assert same_content(store.fences[created.id], created)
    editor.undo()
    assert store.fences == {}
    assert editor.undo() is None
    for _ in range(2):
        editor.redo()
    assert same_content(store.fences[created.id], edited)
    editor.redo()
    assert store.fences == {}
    assert editor.redo() is None


def test_a_fence_comes_back_under_its_own_id(store: MemoryFences, editor: FenceEditor) -> None:
    created = made(editor)
    editor.undo()
    outcome = editor.redo()
    assert outcome is not None
    assert outcome.fence_id == created.id
    editor.undo()
    assert store.fences == {}


def test_the_history_names_the_next_step(editor: FenceEditor) -> None:
    fence = made(editor)
    editor.edit(fence, GeofenceChange(description="Two"))
    assert editor.history.state.undo == "Edit One"
    editor.undo()
    assert (editor.history.state.undo, editor.history.state.redo) == ("Create One", "Edit One")


def test_undo_of_one_change_takes_no_other_back(store: MemoryFences, editor: FenceEditor) -> None:
    fence = made(editor)
    deleted = editor.delete(fence.id)
    assert deleted.entry == editor.history.state.entry
    other = editor.create(GeofenceChange(tag="store", external_id="2", description="Other"))
    with pytest.raises(NotNext):
        editor.undo(entry=deleted.entry)
    assert list(store.fences) == [other.fence_id]
    editor.undo(entry=other.entry)
    editor.undo(entry=deleted.entry)
    assert list(store.fences) == [fence.id]


def test_an_edit_after_undo_ends_redo(editor: FenceEditor) -> None:
    fence = made(editor)
    editor.edit(fence, GeofenceChange(description="Two"))
    editor.undo()
    editor.edit(fence, GeofenceChange(description="Three"))
    assert editor.history.state.redo is None


def test_undo_does_not_overwrite_changes_by_others(store: MemoryFences, editor: FenceEditor) -> None:
    fence = made(editor)
    editor.edit(fence, GeofenceChange(size=200.0))
    store.update(TEST, fence.id, GeofenceChange(description="Somebody else's"))
    before = editor.history.state
    with pytest.raises(ChangedByOthers, match="someone else"):
        editor.undo()
    assert editor.history.state == before
    assert store.fences[fence.id].description == "Somebody else's"


def test_undo_anyway_and_skip_lead_on(store: MemoryFences, editor: FenceEditor) -> None:
    fence = made(editor)
    editor.edit(fence, GeofenceChange(description="Two"))
    store.update(TEST, fence.id, GeofenceChange(description="Other"))
    editor.undo(anyway=True)
    assert store.fences[fence.id].description == "One"
    store.update(TEST, fence.id, GeofenceChange(description="Again"))
    with pytest.raises(ChangedByOthers):
        editor.undo()
    editor.history.skip_undo()
    assert editor.history.state.undo is None
    assert store.fences[fence.id].description == "Again"


def test_undo_of_a_deletion_whose_key_is_taken_fails_and_stays(store: MemoryFences, editor: FenceEditor) -> None:
    fence = made(editor)
    editor.delete(fence.id)
    other = store.create(TEST, GeofenceChange(tag="store", external_id="1"))
    for _ in range(2):
        with pytest.raises(Conflict):
            editor.undo()
    store.delete(TEST, other.id)
    editor.undo()
    assert fence.id in store.fences


def test_undo_of_an_edit_of_a_deleted_fence_is_refused(store: MemoryFences, editor: FenceEditor) -> None:
    fence = made(editor)
    editor.edit(fence, GeofenceChange(description="Two"))
    store.delete(TEST, fence.id)
    with pytest.raises(ChangedByOthers, match="was deleted"):
        editor.undo()
    editor.undo(anyway=True)
    assert store.fences[fence.id].description == "One"


def test_an_edit_names_the_field_that_others_changed(store: MemoryFences, editor: FenceEditor) -> None:
    seen = made(editor)
    store.update(TEST, seen.id, GeofenceChange(size=500.0))
    with pytest.raises(ChangedByOthers) as refused:
        editor.edit(seen, GeofenceChange(size=50.0))
    assert refused.value.param == "size"
    editor.edit(seen, GeofenceChange(description="Other fields are free"))


def test_edits_that_are_quicker_than_their_answers_are_not_others(store: MemoryFences, editor: FenceEditor) -> None:
    seen = made(editor)
    for radius in (50.0, 60.0, 70.0):
        editor.edit(seen, GeofenceChange(size=radius))
    for _ in range(3):
        editor.undo()
    assert same_content(store.fences[seen.id], seen)


def test_a_pending_change_is_applied_only_over_the_values_it_is_based_on(
    store: MemoryFences, editor: FenceEditor
) -> None:
    fence = made(editor)
    store.update(TEST, fence.id, GeofenceChange(description="Theirs"))
    with pytest.raises(ChangedByOthers, match="description: was changed"):
        editor.apply(fence.id, GeofenceChange(description="Mine"), {"description": "One"})
    assert store.fences[fence.id].description == "Theirs"
    editor.apply(fence.id, GeofenceChange(description="Mine"), {"description": "Theirs"})
    assert store.fences[fence.id].description == "Mine"
    editor.undo()
    assert store.fences[fence.id].description == "Theirs"


def test_changes_by_the_same_user_are_checked_too(store: MemoryFences, editor: FenceEditor) -> None:
    """A change that was prepared before the user's own last change was based on other values."""
    fence = made(editor)
    editor.edit(fence, GeofenceChange(description="Two"))
    with pytest.raises(ChangedByOthers):
        editor.apply(fence.id, GeofenceChange(description="Mine"), {"description": "One"})


def test_a_geofence_that_others_deleted_is_restored(store: MemoryFences, editor: FenceEditor) -> None:
    fence = made(editor)
    store.delete(TEST, fence.id)
    editor.restore(fence)
    assert same_content(store.fences[fence.id], fence)
    store.update(TEST, fence.id, GeofenceChange(description="Theirs"))
    editor.restore(fence)
    assert store.fences[fence.id].description == "Theirs", "it is there"
    store.update(TEST, fence.id, GeofenceChange(description="One"))
    editor.undo()
    assert store.fences == {}


def test_settings_that_were_applied_are_taken_back_unless_others_changed_them(
    settings: MemorySettings, editor: FenceEditor
) -> None:
    settings.change(TEST, SettingsChange(kept_updates=700))
    with pytest.raises(ChangedByOthers):
        editor.change_settings(SettingsChange(kept_updates=500), {"kept_updates": 100_000})
    editor.change_settings(SettingsChange(kept_updates=500, fraud=True), {"kept_updates": 700, "fraud": False})
    assert editor.history.state.undo == "Change project settings"
    settings.change(TEST, SettingsChange(stop_detection=True))
    editor.undo()
    assert (settings.project.kept_updates, settings.project.fraud, settings.project.stop_detection) == (
        700,
        False,
        True,
    )
    editor.redo()
    assert (settings.project.kept_updates, settings.project.fraud) == (500, True)
    settings.change(TEST, SettingsChange(kept_updates=1))
    with pytest.raises(ChangedByOthers):
        editor.undo()
    assert settings.project.kept_updates == 1


def several(editor: FenceEditor) -> list[Geofence]:
    changes = [GeofenceChange(tag=f"t{n}", external_id="1", description=f"Fence {n}") for n in range(3)]
    outcome = editor.create_all("Create 3 geofences", changes)
    found = [editor._find(fence_id) for fence_id in outcome.fence_ids]
    return [fence for fence in found if fence is not None]


def test_several_are_changed_as_one_step(store: MemoryFences, editor: FenceEditor) -> None:
    fences = several(editor)
    outcome = editor.edit_all("Disable", fences, GeofenceChange(description="Same"))
    assert set(outcome.fence_ids) == set(store.fences)
    assert {fence.description for fence in store.fences.values()} == {"Same"}
    editor.delete_all("Delete 3 geofences", list(store.fences.values()))
    assert store.fences == {}
    editor.undo()
    editor.undo()
    assert all(same_content(store.fences[fence.id], fence) for fence in fences)
    editor.undo()
    assert store.fences == {}
    assert editor.history.state.undo is None
    editor.redo()
    assert all(same_content(store.fences[fence.id], fence) for fence in fences)


def test_no_fence_of_several_changes_if_one_cannot(store: MemoryFences, editor: FenceEditor) -> None:
    fences = several(editor)
    before = dict(store.fences)
    with pytest.raises(Conflict):
        editor.edit_all("Set tag", fences, GeofenceChange(tag="same"))
    assert all(same_content(store.fences[key], fence) for key, fence in before.items())
    store.update(TEST, fences[1].id, GeofenceChange(description="Theirs"))
    with pytest.raises(ChangedByOthers, match=r"Fence 1: description: was changed by someone else"):
        editor.edit_all("Rename", fences, GeofenceChange(description="Ours"))
    store.delete(TEST, fences[1].id)
    with pytest.raises(ChangedByOthers, match="Fence 1 was deleted"):
        editor.edit_all("Rename", fences, GeofenceChange(description="Ours"))
    assert editor.history.state.undo == "Create 3 geofences"
    editor.delete_all("Delete", fences)
    assert store.fences == {}
