"""A session of the window saved as a scenario, which passes by itself."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit

from app.desktop.model.simulation.status import SimulationState
from app.lab.files.reading import read_scenario
from app.lab.results import Status
from app.lab.testing import run_file
from engine.domain.environment import Environment
from engine.domain.settings import SettingsChange
from tests.desktop.window.user import User
from tests.desktop.window.walks import write_walk

TEST = Environment.TEST


def save_as(user: User, file: Path) -> None:
    """Choose the action, and name the file as a user does."""
    user.window.actions_.save_scenario.trigger()
    found: list[QFileDialog] = []

    def there() -> bool:
        found[:] = [w for w in QApplication.topLevelWidgets() if isinstance(w, QFileDialog) and w.isVisible()]
        return bool(found)

    user.until(there)
    name = found[0].findChild(QLineEdit)
    assert name is not None
    assert name.text().endswith(".fence.yaml")
    name.setText(str(file))
    box = found[0].findChild(QDialogButtonBox)
    assert box is not None
    user.click(box.button(QDialogButtonBox.StandardButton.Save))


def test_what_was_played_is_saved_as_a_scenario_that_passes(user: User, tmp_path: Path) -> None:
    user.given(radius_m=300.0)
    user.engine.settings.change(TEST, SettingsChange(minimum_confidence=2, dwell_event=True))
    window = user.window
    window.tracks.open(write_walk(tmp_path / "walk.gpx", 14.49, 46.05))
    user.until(lambda: window.model.simulation.status.state is SimulationState.STOPPED)
    window.simulator.speed.setCurrentIndex(window.simulator.speed.count() - 1)
    user.click(window.simulator.play)
    user.until(lambda: window.model.simulation.status.state is SimulationState.FINISHED, timeout=60_000)
    save_as(user, tmp_path / "walk")
    user.until(lambda: "Saved walk.fence.yaml, which expects" in window.message.text.text())
    file = tmp_path / "walk.fence.yaml"
    assert {event.type for event in read_scenario(file).body.expect.events or ()} >= {"user.entered_geofence"}
    result = run_file(file)
    assert result.status is Status.PASSED, (result.failures, result.faults)
    assert result.fixes == len(window.model.simulation.fixes)
    assert window.message.text.text().endswith("events.")


def test_in_the_middle_of_a_play_it_says_so(user: User, tmp_path: Path) -> None:
    user.given(radius_m=300.0)
    window = user.window
    window.tracks.open(write_walk(tmp_path / "walk.gpx", 14.49, 46.05))
    user.until(lambda: window.model.simulation.status.state is SimulationState.STOPPED)
    save_as(user, tmp_path / "before")
    user.until(lambda: "The track has not been played since it was loaded." in window.message.text.text())
    for number in range(1, 4):
        window.actions_.step.trigger()
        user.until(lambda last=number - 1: window.model.simulation.accepted_at(last) is not None)  # type: ignore[misc]
    save_as(user, tmp_path / "walk")
    user.until(lambda: "not played to its end: only 3 of 21 fixes are in it" in window.message.text.text())
    result = run_file(tmp_path / "walk.fence.yaml")
    assert (result.status, result.fixes) == (Status.PASSED, 3), (result.failures, result.faults)


def test_without_a_track_it_offers_to_open_one(user: User) -> None:
    user.window.model.simulation.unload()
    user.window.actions_.save_scenario.trigger()
    user.until(lambda: "A scenario needs a track." in user.window.message.text.text())
