"""The history of geofences: the author of each edit, in pages, including deleted geofences."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.store.geofences as keeping
from engine.domain.clock import ClockChange
from engine.domain.edits import MAX_DETAIL, EditSource, GeofenceEdit, editing_as
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.imports import Channel, ImportFile
from engine.domain.queries import UserQuery
from engine.engine import Engine
from engine.geofences.promotion.promotions import PromotionQuery
from engine.store.workspace import MEMORY

TEST, LIVE = Environment.TEST, Environment.LIVE


@pytest.fixture
def opened() -> Iterator[Engine]:
    with Engine.open(MEMORY) as engine:
        yield engine


def made(engine: Engine, number: int = 1, environment: Environment = TEST) -> Geofence:
    change = GeofenceChange(
        tag="store",
        external_id=str(number),
        description=f"Store {number}",
        type="circle",
        coordinates=(9.5, 47.1),
        size=100.0,
    )
    return engine.geofences.create(environment, change)


def whole(engine: Engine, fence_id: str, limit: int = 100, environment: Environment = TEST) -> list[GeofenceEdit]:
    """Return all edits of a geofence, page by page."""
    page = engine.geofence_history.page(environment, fence_id, limit=limit)
    found = list(page.edits)
    while page.older is not None:
        page = engine.geofence_history.page(environment, fence_id, page.older, limit)
        found += page.edits
    return found


def sources(engine: Engine, fence_id: str, environment: Environment = TEST) -> list[tuple[str, str]]:
    return [
        (edit.author.source.value, edit.author.detail)
        for edit in whole(engine, fence_id, environment=environment)
        if edit.author is not None
    ]


def test_an_edit_records_its_change_time_and_author(opened: Engine) -> None:
    with editing_as(EditSource.API, "secret key, curl/8.5"):
        fence = made(opened)
    with editing_as(EditSource.WINDOW, "x" * 300):
        opened.geofences.update(TEST, fence.id, GeofenceChange(size=120.0))
    opened.geofences.delete(TEST, fence.id)
    deleted, changed, created = whole(opened, fence.id)
    assert (created.before, created.after, created.first_kept) == (None, fence, False)
    assert created.author is not None
    assert (created.author.source, created.author.detail) == (EditSource.API, "secret key, curl/8.5")
    assert changed.before == fence
    assert changed.after is not None
    assert changed.author is not None
    assert len(changed.author.detail) == MAX_DETAIL
    assert (deleted.before, deleted.after) == (changed.after, None)
    assert created.at is not None
    assert changed.at is not None
    assert created.at <= changed.at
    opened.geofences.restore(TEST, fence)
    restored = whole(opened, fence.id)[0]
    assert (restored.before, restored.first_kept) == (None, False)
    assert len(whole(opened, fence.id)) == 4


def test_every_way_to_change_geofences_is_distinguished(opened: Engine) -> None:
    csv = b"tag,externalId,description,type,longitude,latitude,radius\nstore,1,Store 1,circle,9.5,47.1,%d\n"
    outcome = opened.imports.run(TEST, ImportFile(csv % 100, "stores.csv"))
    fence = opened.geofences.get_by_key(TEST, "store", "1")
    opened.imports.run(TEST, ImportFile(csv % 120, "night.csv", Channel.SYNC))
    changed = opened.imports.run(TEST, ImportFile(csv % 130, "again.csv"))
    opened.imports.undo(TEST, changed.record.id)
    assert outcome.report.stored
    assert sources(opened, fence.id) == [
        ("import-undo", "again.csv"), ("import", "again.csv"), ("sync", "night.csv"), ("import", "stores.csv"),
    ]  # fmt: skip
    opened.promotions.apply(opened.promotions.plan(PromotionQuery()).changes)
    live = opened.geofences.get_by_key(LIVE, "store", "1")
    assert sources(opened, live.id, LIVE) == [("promotion", "from Test")]
    assert whole(opened, live.id, environment=TEST) == []


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(("change", "delete", "restore", "rename")), max_size=12), st.integers(1, 5))
def test_pages_contain_every_state_once_and_in_order(steps: list[str], limit: int) -> None:
    with Engine.open(MEMORY) as engine:
        fence, there, states = made(engine), True, 1
        last: Geofence = fence
        for number, step in enumerate(steps):
            if step == "delete" and there:
                engine.geofences.delete(TEST, fence.id)
            elif step == "restore" and not there:
                last = engine.geofences.restore(TEST, last)
            elif step in ("change", "rename") and there:
                change = GeofenceChange(size=200.0 + number) if step == "change" else GeofenceChange(tag=f"t{number}")
                last = engine.geofences.update(TEST, fence.id, change)
            else:
                continue
            there, states = step != "delete", states + 1
        found = whole(engine, fence.id, limit)
        assert len(found) == states
        assert [edit.revision for edit in found] == sorted((edit.revision for edit in found), reverse=True)
        for later, earlier in pairwise(found):
            assert later.before == earlier.after
        assert (found[0].after is not None) is there
        assert [edit.geofence_id for edit in engine.geofence_history.deleted(TEST)] == ([] if there else [fence.id])


def test_deleted_geofences_are_found_by_their_words(opened: Engine) -> None:
    fences = [made(opened, number) for number in range(1, 4)]
    for fence in fences[:2]:
        opened.geofences.delete(TEST, fence.id)
    assert [edit.geofence.description for edit in opened.geofence_history.deleted(TEST)] == ["Store 2", "Store 1"]
    assert [edit.geofence_id for edit in opened.geofence_history.deleted(TEST, "STORE 1")] == [fences[0].id]
    assert opened.geofence_history.deleted(TEST, "depot") == ()
    assert opened.geofence_history.deleted(LIVE) == ()
    opened.geofences.restore(TEST, fences[0])
    assert [edit.geofence_id for edit in opened.geofence_history.deleted(TEST)] == [fences[1].id]


def test_the_oldest_are_forgotten_and_nothing_is_made_up(opened: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "MOST_VERSIONS", 20)
    monkeypatch.setattr(keeping, "_LOOKED_AFTER", 10)
    monkeypatch.setattr(keeping, "MOST_EDITS", 40)
    fence = made(opened)
    opened.set_clock(ClockChange(advance_s=60))
    for number in range(60):
        opened.geofences.update(TEST, fence.id, GeofenceChange(size=200.0 + number))
    found = whole(opened, fence.id)
    assert 20 <= len(found) <= 31
    assert found[-1].first_kept
    assert found[-1].author is not None
    assert [edit.before is None for edit in found].count(True) == 1


def test_history_goes_on_after_the_workspace_was_closed(tmp_path: Path) -> None:
    with Engine.open(tmp_path) as engine:
        fence = made(engine)
        engine.geofences.delete(TEST, fence.id)
        file = engine.workspace.database_file
    with Engine.open(tmp_path) as engine:
        other = made(engine, 2)
        assert len(whole(engine, other.id)) == 1
        assert engine.users.page(TEST, UserQuery()).items == ()
        engine.geofences.restore(TEST, fence)
        assert len(whole(engine, fence.id)) == 3
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT count(DISTINCT revision) FROM edits").fetchone() == (4,)
