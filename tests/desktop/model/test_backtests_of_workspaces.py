"""Back-tests of kept updates, and of the geofences of other workspaces, as the window runs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app.backtest.record import read_report
from app.desktop.model.backtests.ground import Ground
from app.desktop.model.backtests.running import look_at, run_wish
from app.desktop.model.backtests.wish import BacktestWish, FenceSource, is_kept, workspace_labels
from app.other_workspaces import OtherWorkspaces
from app.session import WorkspaceSession
from engine.backtest.folders import unfinished
from engine.backtest.results import BacktestReport
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.ports import Cancelled, no_progress
from engine.domain.settings import SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.tracking.whatif import NO_EDITS
from engine.engine import Engine
from engine.store.workspace import MEMORY, is_workspace
from tests.desktop.histories import write_history
from tests.engine.fixtures import HOME, SetClock
from tests.engine.tracking.histories import START
from tests.engine.tracking.measuring import moved

TEST, LIVE = Environment.TEST, Environment.LIVE
KEPT = "history: there are no kept updates in {workspace}."


def circle(radius_m: float, external_id: str = "1") -> GeofenceChange:
    place = (HOME.longitude, HOME.latitude)
    return GeofenceChange(
        tag="store", external_id=external_id, description="Store", type="circle", coordinates=place, size=radius_m
    )


def lived(engine: Engine, clock: SetClock, *, edited: bool) -> list[str]:
    """Track a device that goes to and fro, with an edit amid its updates, and return the types of its events."""
    engine.geofences.create(TEST, circle(100.0))
    engine.settings.change(TEST, SettingsChange(kept_updates=100))
    found = []
    for number in range(40):
        clock.advance(60)
        if edited and number == 20:
            engine.geofences.upsert(TEST, "store", "1", circle(400.0))
        sent = LocationUpdate(device_id="van", point=moved(HOME, 90, 300.0 * (number % 2)), accuracy_m=5)
        found += [event.type for event in engine.tracking.track(TEST, sent).events]
    return found


@pytest.fixture
def clock() -> SetClock:
    return SetClock(START)


@pytest.fixture
def engine(clock: SetClock) -> Iterator[Engine]:
    """An open workspace without geofences and updates."""
    with Engine.open(MEMORY, clock=clock) as found:
        yield found


def ground_of(engine: Engine) -> Ground:
    return Ground(engine, TEST, NO_EDITS, OtherWorkspaces())


def run(engine: Engine, output: Path, *history: Path, **wish: Any) -> BacktestReport:
    request = BacktestWish(history=tuple(map(str, history)), output=output, workers=1, **wish)
    return run_wish(request, ground_of(engine), no_progress, lambda _: None)


def test_kept_updates_with_the_geofences_of_then_give_the_stored_events(
    engine: Engine, clock: SetClock, tmp_path: Path
) -> None:
    stored = lived(engine, clock, edited=True)
    folder = engine.workspace.folder
    now = run(engine, tmp_path / "now", folder)
    then = run(engine, tmp_path / "then", folder, then=True, against=FenceSource.STORED)
    assert (now.fixes, then.fixes) == (40, 40)
    assert len(stored) == then.events > now.events == 1
    assert then.rules == ("geofences and settings as they were at each update",)
    assert then.comparison is not None
    assert (then.comparison.gained, then.comparison.lost, then.comparison.moved) == (0, 0, 0)
    assert not unfinished(tmp_path / "then").exists()


def test_only_stored_geofences_are_those_of_then(engine: Engine, clock: SetClock, tmp_path: Path) -> None:
    stored = lived(engine, clock, edited=True)
    file = tmp_path / "shops.csv"
    file.write_text(
        "tag,externalId,description,type,latitude,longitude,radius\n"
        f"store,1,Store,circle,{HOME.latitude},{HOME.longitude},100\n"
    )
    found = run(
        engine,
        tmp_path / "out",
        engine.workspace.folder,
        then=True,
        fences=FenceSource.FILES,
        fence_files=(file,),
        against=FenceSource.STORED,
    )
    assert found.comparison is not None
    assert found.events == 40
    assert found.events - found.comparison.gained + found.comparison.lost == len(stored)


@pytest.mark.parametrize("is_open", [False, True])
def test_the_updates_geofences_and_settings_of_another_workspace(
    engine: Engine, clock: SetClock, tmp_path: Path, *, is_open: bool
) -> None:
    other = tmp_path / "shops"
    with Engine.open(other, clock=clock) as elsewhere:
        stored = lived(elsewhere, clock, edited=False)
        elsewhere.settings.change(TEST, SettingsChange(dwell_event=True))
    engine.geofences.create(TEST, circle(800.0))
    with WorkspaceSession(other) if is_open else nullcontext():
        plain = {"fences": FenceSource.WORKSPACE, "fence_folder": other}
        found = run(engine, tmp_path / "out", other, **plain, against=FenceSource.STORED)
        then = run(engine, tmp_path / "then", other, **plain, then=True)
        assert is_kept(str(other))
    assert (found.fences, found.against) == ("shops (Test)", "Temporary workspace (Test)")
    assert "dwellEvent=true" in found.rules
    assert found.comparison is not None
    assert found.events == then.events == len(stored) > 30
    assert found.comparison.gained > 30
    saved = read_report((tmp_path / "out" / "report.json").read_bytes())
    assert (saved.fixes, saved.history) == (40, (str(other),))


def test_the_look_counts_kept_updates_and_names_a_workspace_without_any(
    engine: Engine, clock: SetClock, tmp_path: Path
) -> None:
    other, folder = tmp_path / "shops", str(engine.workspace.folder)
    with Engine.open(other, clock=clock):
        pass
    with pytest.raises(InvalidParameter, match=r"^geofences: there are none in shops \(Test\)\.$"):
        run(engine, tmp_path / "out", other, fences=FenceSource.WORKSPACE, fence_folder=other)
    file = str(write_history(tmp_path / "history.parquet", (14.5, 46.05), devices=2, fixes=10))

    def look(*history: str) -> tuple[str, str]:
        found = look_at(BacktestWish(history=history, output=tmp_path), ground_of(engine), no_progress)
        return found.text, "" if found.error is None else found.error.message

    assert look(folder)[1] == KEPT.format(workspace="Temporary workspace (Test)")
    assert look(str(other))[1] == KEPT.format(workspace="shops (Test)")
    engine.geofences.create(TEST, circle(100.0, "2"))
    with pytest.raises(InvalidParameter, match=r"there are no kept updates in shops \(Test\)"):
        run(engine, tmp_path / "out", other)
    assert not unfinished(tmp_path / "out").exists()
    lived(engine, clock, edited=False)
    assert look(folder) == ("40 kept updates in Test", "")
    assert look(file, folder) == ("20 fixes in 1 file · 40 kept updates in Test", "")
    live = look_at(BacktestWish(history=(folder,), output=tmp_path), Ground(engine, LIVE, NO_EDITS), no_progress)
    assert live.error is not None
    assert live.error.message == KEPT.format(workspace="Temporary workspace (Live)")


def test_a_folder_without_a_workspace_is_an_error_and_stays_one(
    engine: Engine, clock: SetClock, tmp_path: Path
) -> None:
    lived(engine, clock, edited=False)
    wish: dict[str, Any] = {"against": FenceSource.WORKSPACE, "against_folder": tmp_path / "shops"}
    with pytest.raises(InvalidParameter, match=r"^against: There is no workspace in ") as caught:
        run(engine, tmp_path / "out", engine.workspace.folder, **wish)
    assert caught.value.param == "against"
    assert not is_workspace(tmp_path / "shops")
    closed = Ground(engine, TEST, NO_EDITS)
    with pytest.raises(InvalidParameter, match="geofences: only the open workspace can be read here"):
        closed.side(FenceSource.WORKSPACE, (), tmp_path, "geofences", no_progress)


def test_a_cancel_while_another_workspace_is_opened(engine: Engine, tmp_path: Path) -> None:
    other = tmp_path / "shops"
    with Engine.open(other):

        def cancelled(_done: int, _total: int) -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            OtherWorkspaces().count_updates(other, TEST, cancelled)


def test_the_past_of_a_workspace_requires_that_no_other_is_involved(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own, other):
        with Engine.open(folder):
            pass

    def then_in(*history: object, **wish: Any) -> Path | None:
        return BacktestWish(history=tuple(map(str, history)), output=tmp_path, **wish).then_in(own)

    of_other: dict[str, Any] = {"fences": FenceSource.WORKSPACE, "fence_folder": other}
    assert then_in(own) == own
    assert then_in("fixes.csv", "https://example.com/fixes.csv") == own
    assert then_in(other, **of_other) == other
    assert then_in(other) is None
    assert then_in(own, against=FenceSource.WORKSPACE, against_folder=other) is None
    assert then_in(own, fences=FenceSource.FILES) is None
    assert then_in(own, fences=FenceSource.EDITED, against=FenceSource.STORED) == own
    assert then_in(own, fences=FenceSource.OTHER) is None


def test_workspaces_of_the_same_name_have_their_folders() -> None:
    first, second, third = Path("a/Shops"), Path("b/Shops"), Path("b/Depots")
    assert workspace_labels((first, second, third, first)) == {
        first: f"Shops ({Path('a')})",
        second: f"Shops ({Path('b')})",
        third: "Depots",
    }


def test_a_note_says_that_old_geofences_are_no_longer_kept(
    engine: Engine, clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lived(engine, clock, edited=True)
    monkeypatch.setattr("app.desktop.model.backtests.running.known_since", lambda _: datetime(2026, 5, 1, tzinfo=UTC))
    found = run(engine, tmp_path / "out", engine.workspace.folder, then=True)
    assert found.notes[0] == "Some geofences from before 2026-05-01T00:00:00.000Z are no longer kept."
    assert read_report((tmp_path / "out" / "report.json").read_bytes()).notes == found.notes
