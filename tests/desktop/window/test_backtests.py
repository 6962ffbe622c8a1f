"""Back-tests in the window: their input, their run, their results on the map and in What if."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction

from app.desktop.dialogs.backtests.request import BacktestDialog
from app.desktop.dialogs.backtests.results import BacktestResultsDialog
from app.desktop.model.backtests.wish import FenceSource
from engine.backtest.folders import unfinished
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Point
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine
from tests.desktop.histories import write_history
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("backtests", "whatif", "list", "form", "selection", "docks", "status", "fences")

TEST = Environment.TEST
CENTER = (14.5, 46.05)


@pytest.fixture
def fences(user: User) -> tuple[Geofence, Geofence]:
    """A geofence on the way of the devices, and one that none of them reaches."""
    return user.given(1, longitude=CENTER[0] + 0.015), user.given(2, longitude=CENTER[0] + 0.2)


def opened(user: User, folder: Path, *histories: Path) -> BacktestDialog:
    """Open the dialog with a history."""
    user.window.actions_.backtest.trigger()
    dialog = user.window.backtests.dialog
    user.until(dialog.isVisible)
    assert dialog.folder.name.startswith("backtest-20")
    dialog.show_folder(folder / "out")
    dialog.history.extend(map(str, histories))
    return dialog


def results(user: User) -> BacktestResultsDialog:
    """Return the results, once they are shown."""
    user.until(lambda: user.window.backtests.results.dialog is not None)
    dialog = user.window.backtests.results.dialog
    assert dialog is not None
    return dialog


@pytest.mark.slow
def test_a_back_test_leads_to_a_geofence_and_to_what_an_edit_changes(
    user: User, tmp_path: Path, fences: tuple[Geofence, Geofence]
) -> None:
    window = user.window
    window.model.open_sandbox()
    user.until(lambda: window.model.sandbox is not None)
    window.fences.change_shape(fences[0].id, GeofenceChange(size=300.0))
    user.until(lambda: window.model.sandbox is not None and bool(window.model.sandbox.edits))
    dialog = opened(user, tmp_path, write_history(tmp_path / "history.parquet", CENTER))
    user.until(lambda: dialog.look.text() == "20,000 fixes in 1 file")
    assert dialog.geofences.source is FenceSource.EDITED
    dialog.against.setCurrentIndex(dialog.against.findData(FenceSource.STORED.value))
    user.click(dialog.start)
    assert dialog.bar.isVisible()
    assert not dialog.history.isEnabled()
    found = results(user)
    assert not dialog.isVisible()
    report = found.report
    assert (report.fixes, report.geofences[0].name) == (20_000, "store/1")
    assert report.comparison is not None
    assert report.comparison.gained > 10

    # The differences are in What if, and on the map.
    findings = window.whatif.findings
    assert window.whatif_panel.list.topLevelItemCount() == len(report.comparison.examples) > 10
    assert window.on_map.shown_instead == [each.mark_id for each in findings.all]
    assert findings.all[0].reason == ""
    assert f"{report.comparison.gained} gained" in window.whatif_panel.summary.text()

    # A row is its geofence in the list and on the map.
    assert found.model.row(0).names == ("store", "1")
    found.table.selectRow(0)
    assert window.model.selection.fence_ids == (fences[0].id,)
    user.click(found.idle)
    assert [row.names for row in found.model._rows.shown] == [("store", "2")]
    found.table.selectRow(0)
    assert window.model.selection.fence_ids == (fences[1].id,)

    urls: list[QUrl] = []
    window.backtests.results.open_url = lambda url: not urls.append(url)  # type: ignore[func-returns-value]
    found.page_requested.emit()
    found.folder_requested.emit()
    assert [url.toLocalFile() for url in urls] == [str(tmp_path / "out" / "report.html"), str(tmp_path / "out")]
    found.close()
    assert not window.on_map.shown_instead
    assert findings.all == ()

    # The folder is not offered again, and its report can be opened.
    window.actions_.backtest.trigger()
    assert dialog.folder != tmp_path / "out"
    window.backtests.open_report(tmp_path / "out")
    assert results(user).report == report


@pytest.mark.slow
@pytest.mark.usefixtures("fences")
def test_a_back_test_is_cancelled_within_two_seconds_and_resumed(user: User, tmp_path: Path) -> None:
    dialog = opened(user, tmp_path, write_history(tmp_path / "history.parquet", CENTER, devices=200, fixes=2_000))
    user.click(dialog.start)
    user.until(lambda: "of 400,000 fixes" in dialog.state.whole)
    user.until(lambda: any(unfinished(tmp_path / "out").glob("sorted/*.arrow")))
    begun = time.monotonic()
    user.click(dialog.cancel)
    user.until(lambda: dialog.state.whole.startswith("Stopped. Finished parts are kept"))
    assert time.monotonic() - begun < 2
    assert dialog.start.text() == "Resume"
    assert unfinished(tmp_path / "out").is_dir()
    user.click(dialog.start)
    assert results(user).report.fixes == 400_000
    assert not unfinished(tmp_path / "out").exists()


@pytest.mark.usefixtures("fences")
def test_columns_are_chosen_when_their_names_are_not_known(user: User, tmp_path: Path) -> None:
    dialog = opened(user, tmp_path, write_history(tmp_path / "history.parquet", CENTER, device="vehicle"))
    user.until(lambda: "history.parquet: no column is known for device. Choose the" in dialog.problem.text())
    box = dialog.columns.boxes["device"]
    user.until(box.isVisible)
    box.setCurrentText("vehicle")
    user.until(lambda: dialog.look.text() == "20,000 fixes in 1 file")
    assert dialog.problem.text() == ""
    assert "Device from vehicle" in dialog.notes.text()
    assert dialog.wish.columns == {"device": "vehicle"}


@pytest.mark.usefixtures("fences")
def test_errors_are_at_their_fields(user: User, tmp_path: Path) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1")
    dialog = opened(user, tmp_path)
    user.click(dialog.start)
    assert dialog.problem.text() == "History: add a file, a folder or an address."
    dialog.history.extend((str(broken),))
    user.until(lambda: "broken.parquet: it is a damaged Parquet file" in dialog.problem.text())
    dialog.show_folder(tmp_path)
    user.click(dialog.start)
    assert dialog.fields["output"].error.text() == "Output: exists already; give another folder."
    dialog.show_folder(tmp_path / "out")
    user.click(dialog.start)
    user.until(lambda: dialog.start.isEnabled() and "broken.parquet" in dialog.problem.text())
    assert not unfinished(tmp_path / "out").exists()
    user.window.backtests.open_report(tmp_path)
    user.until(lambda: "report.json cannot be read" in user.window.message.text.text())


def test_an_environment_without_geofences_is_an_error_at_the_field(user: User, tmp_path: Path) -> None:
    dialog = opened(user, tmp_path, write_history(tmp_path / "history.parquet", CENTER, devices=2, fixes=10))
    user.click(dialog.start)
    user.until(lambda: dialog.fields["geofences"].error.text() == "Geofences: there are none in Test.")
    assert dialog.start.isEnabled()


def test_missing_libraries_are_named_with_the_remedy(
    user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [*sys.modules]:
        if name.startswith(("engine.backtest.", "app.desktop.model.backtests.running")):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "distributed", None)
    dialog = opened(user, tmp_path, tmp_path / "history.parquet")
    user.until(lambda: "distributed is not installed" in dialog.note.text())
    assert "pip install 'fencewright[backtest]'" in dialog.note.text()


@pytest.mark.slow
@pytest.mark.usefixtures("fences")
def test_the_window_closes_while_a_back_test_runs(user: User, tmp_path: Path) -> None:
    dialog = opened(user, tmp_path, write_history(tmp_path / "history.parquet", CENTER, devices=200, fixes=2_000))
    user.click(dialog.start)
    user.until(lambda: "of 400,000 fixes" in dialog.state.whole)
    user.until(lambda: any(unfinished(tmp_path / "out").glob("sorted/*.arrow")))
    begun = time.monotonic()
    user.window.finish()
    assert time.monotonic() - begun < 4
    assert not (tmp_path / "out").exists()


def tracked(user: User, numbers: range) -> None:
    """Send updates of a device that goes to and fro between a geofence's center and the outside."""
    for number in numbers:
        place = Point(CENTER[0] + 0.015 + 0.02 * (number % 2), CENTER[1])
        user.engine.tracking.track(TEST, LocationUpdate(device_id="van", point=place, accuracy_m=5))


def entry(dialog: BacktestDialog, text: str) -> QAction:
    """Return an entry of the menu with the kept updates of workspaces."""
    (found,) = (action for action in dialog.history.menu.actions() if action.text() == text)
    return found


@pytest.mark.slow
def test_kept_updates_with_the_geofences_of_then(user: User, tmp_path: Path, fences: tuple[Geofence, Geofence]) -> None:
    dialog = opened(user, tmp_path)
    entry(dialog, "Temporary workspace").trigger()
    assert dialog.history.list.item(0).text() == "Kept updates of Temporary workspace"
    assert dialog.history.items == (str(user.engine.workspace.folder),)
    # The dialog says that there is nothing to decide before the user starts it, for each environment.
    missing = "History: there are no kept updates in Temporary workspace ({}).".format
    user.until(lambda: dialog.problem.text() == missing("Test"))
    user.window.model.show(Environment.LIVE)
    user.until(lambda: dialog.problem.text() == missing("Live"))
    user.window.model.show(TEST)
    user.until(lambda: dialog.problem.text() == missing("Test"))
    tracked(user, range(20))
    user.engine.geofences.upsert(TEST, "store", "1", GeofenceChange(enabled=False))
    tracked(user, range(20, 30))
    dialog.look_requested.emit()
    user.until(lambda: dialog.look.text() == "30 kept updates in Test")
    assert dialog.problem.text() == ""
    user.click(dialog.then)
    assert [dialog.wish.then] == [True]
    # Not with the geofences of files, which have no past.
    dialog.geofences.take((tmp_path / "shops.csv",))
    assert not dialog.then.isEnabled()
    assert [dialog.wish.then] == [False]
    assert dialog.then.toolTip() == "Requires stored geofences of one workspace, and kept updates of no other."
    dialog.geofences.setCurrentIndex(dialog.geofences.findData(FenceSource.STORED.value))
    dialog.geofences.changed.emit()
    assert [dialog.wish.then] == [True]
    user.click(dialog.start)
    report = results(user).report
    assert (report.fixes, report.events) == (30, user.engine.history.counts(TEST).events)
    assert report.events > 15
    assert report.rules == ("geofences and settings as they were at each update",)


@pytest.mark.slow
def test_the_geofences_of_another_workspace_are_compared(
    user: User, tmp_path: Path, fences: tuple[Geofence, Geofence], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, other, known = tmp_path / "plain", tmp_path / "shops", tmp_path / "depots"
    plain.mkdir()
    for folder in (other, known):
        with Engine.open(folder) as engine:
            change = GeofenceChange(
                tag="store", external_id="1", description="1", type="circle", coordinates=CENTER, size=3_000.0
            )
            engine.geofences.create(TEST, change)
    monkeypatch.setattr(user.window.backtests._memory, "recent", lambda: (known, tmp_path / "lost"))
    chosen = plain
    monkeypatch.setattr(user.window.files, "open_folder", lambda title, take: take(chosen))
    dialog = opened(user, tmp_path, write_history(tmp_path / "history.parquet", CENTER, devices=10, fixes=100))
    against = dialog.against
    user.until(lambda: against.findText("depots (Test)") > 0)
    assert [action.text() for action in dialog.history.menu.actions()][:2] == ["Temporary workspace", "depots"]
    assert against.findText("lost (Test)") < 0

    def choose() -> None:
        at = against.findText("Workspace…")
        against.setCurrentIndex(at)
        against.activated.emit(at)

    choose()
    assert "there is no workspace in" in dialog.fields["against"].error.text()
    assert against.source is FenceSource.NONE
    chosen = other
    choose()
    assert (against.currentText(), against.folder) == ("shops (Test)", other)
    assert dialog.fields["against"].error.text() == ""
    # The choice stays when the offer changes.
    user.window.model.history_changed.emit()
    assert against.folder == other
    user.click(dialog.start)
    report = results(user).report
    assert (report.fences, report.against) == ("Temporary workspace (Test)", "shops (Test)")
    assert report.comparison is not None
    assert report.comparison.lost > 0
