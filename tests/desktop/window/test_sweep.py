"""A sweep in the window: curves as they are computed, the value that catches 99 %, saved as a picture and as CSV."""

from pathlib import Path

import pytest

from app.desktop.dialogs.whatif.sweep import SweepDialog
from engine.domain.environment import Environment
from tests.desktop.window.user import User
from tests.desktop.window.walks import write_walk

pytestmark = pytest.mark.parts("list", "selection", "sweeps", "tracks", "whatif", "whatif_panel")


@pytest.fixture
def dialog(user: User, tmp_path: Path) -> SweepDialog:
    """The dialog for a geofence of 120 m and a walk through it."""
    fence = user.given()
    user.window.tracks.open(write_walk(tmp_path / "walk.gpx", 14.49, 46.05))
    user.until(lambda: user.window.model.simulation.track is not None)
    user.select(fence)
    user.window.actions_.what_if.trigger()
    user.click(user.window.whatif_panel.sweep)
    user.until(lambda: user.window.sweeps.dialog is not None)
    made = user.window.sweeps.dialog
    assert made is not None
    return made


def few(user: User, dialog: SweepDialog, values: int, runs: int) -> None:
    user.type(dialog.steps, str(values))
    user.type(dialog.seeds, str(runs))


def test_the_curves_and_the_value_that_catches_99_percent(user: User, dialog: SweepDialog, tmp_path: Path) -> None:
    few(user, dialog, 3, 5)
    before = user.engine.history.counts(Environment.TEST)
    user.click(dialog.run)
    user.until(lambda: dialog.result_ is not None)
    assert dialog.run.text() == "Run"
    (values, rates), (_, delays), (_, false_events) = dialog.plot.points()
    assert values == [50, 175, 300]
    assert rates == [100, 100, 100]
    assert len(delays) == len(false_events) == 3
    assert dialog.verdict.text() == "Radius 50 m catches 99 %, with no false events."
    assert user.engine.history.counts(Environment.TEST) == before

    user.window.sweeps.save_csv(tmp_path / "sweep.csv")
    assert (tmp_path / "sweep.csv").read_text().splitlines()[1].startswith("50,50 m,5,5,5,1,")
    user.window.sweeps.save_png(tmp_path / "sweep.png")
    assert (tmp_path / "sweep.png").read_bytes().startswith(b"\x89PNG")
    user.window.sweeps.save_csv(tmp_path / "nowhere" / "sweep.csv")
    assert "sweep.csv cannot be written: No such file" in dialog.error.text()


def test_it_can_be_cancelled(user: User, dialog: SweepDialog) -> None:
    few(user, dialog, 200, 5_000)
    user.click(dialog.run)
    user.until(lambda: dialog.run.text() == "Cancel")
    user.click(dialog.run)
    user.until(lambda: dialog.run.text() == "Run")
    assert (dialog.result_, dialog.error.text()) == (None, "")


def test_invalid_values_are_reported(user: User, dialog: SweepDialog) -> None:
    user.type(dialog.low, "5")
    user.click(dialog.run)
    user.until(lambda: "the radius of a circle must be between" in dialog.error.text())
    dialog.close()
    user.window.model.selection.clear()
    user.click(user.window.whatif_panel.sweep)
    user.until(lambda: "Select a geofence" in user.window.message.text.text())
