"""World data in the window: offered once, downloaded or copied in the background, and used without a restart."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree
from threading import Event

import pytest
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.world_data import WorldDataDialog
from app.desktop.memory import Memory
from app.desktop.model.help.world_data import Stages, weights_of
from app.desktop.window.controllers import world_data as controller
from app.desktop.window.controllers.world_data import WorldDataController
from app.setup import checks, data
from app.setup.checks import Plan
from app.setup.data import Report
from engine import bundled
from engine.domain.ports import Cancelled
from tests.app.program import ROOT
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts("world_data", "status", "areas", "toolbar", "workspaces")

OFFER = (
    "Addresses, places and countries need data that is not on this computer yet: 173 MB to download, 790 MB of "
    "disk space for a few minutes, then 165 MB."
)


@pytest.fixture
def resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Private resources without data, and a machine that has everything that a set-up needs."""
    copytree(ROOT / "resources/setup", tmp_path / "resources/setup")
    monkeypatch.setattr(bundled, "INPUTS", tmp_path / "resources/setup")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("check_python", "check_npm"):
        monkeypatch.setattr(checks, name, lambda *_: None)
    monkeypatch.setattr(checks, "npm_command", lambda folders: ["npm"])
    monkeypatch.setattr(checks, "installer_command", lambda: ["uv"])
    return tmp_path / "resources"


@pytest.fixture
def newcomer(resources: Path, user: User, tmp_path: Path) -> User:
    """A user at a screen who starts the program for the first time."""
    part = user.window.world_data
    part.automated = False
    part._memory = Memory(tmp_path / "config")
    return user


def stub(monkeypatch: pytest.MonkeyPatch, gate: Event | None = None) -> None:
    """Replace downloads and builds, which wait for `gate`."""

    def fill(part: data.Part) -> data.Fill:
        def work(folder: Path, work: Path, report: Report) -> None:
            progress = report.building("downloading")
            progress(1, 2)
            while gate is not None and not gate.wait(0.02):
                report.check()
            report.building("building")(1, 1)
            file = folder / data.DATA[part].file
            file.parent.mkdir(exist_ok=True)
            file.touch()

        return work

    monkeypatch.setattr(data, "_MAKERS", {part: fill(part) for part in data.ALL_PARTS})


def part_of(user: User) -> WorldDataController:
    return user.window.world_data


def test_it_is_offered_at_the_first_start_and_not_after_it_was_declined(newcomer: User) -> None:
    message = newcomer.window.message
    part_of(newcomer).offer()
    assert message.text.text() == OFFER
    assert (message.button.text(), message.second.text()) == ("Download", "Not now")
    newcomer.click(message.second)
    assert message.text.text() == "“World data…” in the menu Project downloads it later."
    message.dismiss()
    part_of(newcomer).offer()
    assert not message.isVisible()
    newcomer.window.actions_.world_data.trigger()
    assert part_of(newcomer).dialog.isVisible()


def test_a_closed_offer_comes_again_at_the_next_start(newcomer: User) -> None:
    message = newcomer.window.message
    part_of(newcomer).offer()
    newcomer.click(message.close_button)
    part_of(newcomer).offer()
    assert message.text.text() == OFFER


@pytest.mark.parametrize("there", ["world", "area"])
def test_only_what_is_missing_is_offered(newcomer: User, resources: Path, there: data.Part) -> None:
    known = data.DATA[there]
    (known.folder() / known.file).parent.mkdir(parents=True)
    (known.folder() / known.file).touch()
    part_of(newcomer).offer()
    size = "6 MB to download" if there == "world" else "167 MB to download"
    assert size in newcomer.window.message.text.text()


def test_nothing_is_offered_without_a_screen_or_with_data(
    newcomer: User, resources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part_of(newcomer).automated = True
    part_of(newcomer).offer()
    part_of(newcomer).automated = False
    for known in data.DATA.values():
        (known.folder() / known.file).parent.mkdir(parents=True)
        (known.folder() / known.file).touch()
    part_of(newcomer).offer()
    assert not newcomer.window.message.isVisible()


def test_a_download_shows_its_progress_and_the_data_is_used_at_once(
    newcomer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Event()
    stub(monkeypatch, gate)
    window, geocoding = newcomer.window, newcomer.engine.geocoding
    geocoding.find_world()
    assert not geocoding.has_world
    part_of(newcomer).offer()
    newcomer.click(window.message.button)
    newcomer.until(lambda: window.status.task.bar.value() > 0)
    assert window.status.task.text.text() == "Setting up world data"
    part_of(newcomer).open()
    dialog = part_of(newcomer).dialog
    assert not dialog.download.isEnabled()
    assert dialog.note.text() == "Progress is shown in the status bar."
    gate.set()
    newcomer.until(lambda: window.message.text.text() == "The world data is ready.")
    newcomer.until(lambda: geocoding.has_world)
    assert [state.text() for state in dialog.states.values()] == ["complete", "complete", "not downloaded"]
    assert not dialog.download.isEnabled()


def test_the_cities_are_downloaded_on_request_after_their_size_and_used_at_once(
    newcomer: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Event()
    stub(monkeypatch, gate)
    for part in data.PARTS:
        known = data.DATA[part]
        (known.folder() / known.file).parent.mkdir(parents=True)
        (known.folder() / known.file).touch()
    for part in data.PARTS:
        (data.DATA[part].folder() / bundled.STAMP).write_text(data.DATA[part].key(), encoding="ascii")
    newcomer.window.actions_.world_data.trigger()
    dialog = part_of(newcomer).dialog
    assert dialog.cities.text() == "Download the cities of IP addresses (64 MB)"
    assert '<a href="https://db-ip.com">IP Geolocation by DB-IP</a>' in dialog.credit.text()
    assert dialog.credit.openExternalLinks()
    assert not dialog.cities.isChecked()
    assert not dialog.download.isEnabled()
    newcomer.click(dialog.cities)
    assert dialog.sizes.text() == "64 MB to download, 135 MB of disk space for a few minutes, then 135 MB."
    newcomer.click(dialog.download)
    newcomer.until(lambda: newcomer.window.status.task.bar.value() > 0)
    assert not dialog.cities.isEnabled()
    locator = newcomer.engine.geocoding._find_ip_locator()
    gate.set()
    newcomer.until(lambda: newcomer.window.message.text.text() == "The world data is ready.")
    newcomer.until(lambda: newcomer.engine.geocoding._find_ip_locator() is not locator)
    assert dialog.states["cities"].text() == "complete"
    assert dialog.cities.isHidden()
    assert not dialog.choose.isEnabled()


def test_a_cancelled_download_of_the_cities_leaves_nothing(
    newcomer: User, monkeypatch: pytest.MonkeyPatch, resources: Path
) -> None:
    stub(monkeypatch, Event())
    window = newcomer.window
    part_of(newcomer).download(["cities"])
    newcomer.until(lambda: window.status.task.bar.value() > 0)
    newcomer.click(window.status.task.cancel)
    newcomer.until(lambda: window.message.text.text().startswith("Cancelled; "))
    assert [path.name for path in (resources / "cities").iterdir()] == [".setup.lock"]
    assert checks.needed(["cities"]) == ("cities",)


def test_it_can_be_cancelled(newcomer: User, monkeypatch: pytest.MonkeyPatch, resources: Path) -> None:
    stub(monkeypatch, Event())
    window = newcomer.window
    part_of(newcomer).download()
    newcomer.until(lambda: window.status.task.bar.value() > 0)
    newcomer.click(window.status.task.cancel)
    newcomer.until(lambda: window.message.text.text().startswith("Cancelled; "))
    assert checks.missing() == ("world", "area")
    assert not list((resources / "world").glob(".setup-*"))


def test_all_problems_are_shown_in_the_dialog(newcomer: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "free_of", lambda folder: (Path("/disk"), 0))
    part_of(newcomer).download()
    newcomer.until(part_of(newcomer).dialog.isVisible)
    dialog = part_of(newcomer).dialog
    assert dialog.note.text().splitlines() == [
        "• /disk has 0 MB free, and 957 MB are required for the build",
        "• /disk has 0 MB free, and 195 MB are required for the build",
    ]
    assert dialog.isVisible()
    assert dialog.download.isEnabled()


def test_a_folder_is_copied_and_a_wrong_one_is_refused(
    newcomer: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part_of(newcomer).copy(tmp_path)
    newcomer.until(part_of(newcomer).dialog.isVisible)
    assert "fencewright-data.json is missing." in part_of(newcomer).dialog.note.text()
    monkeypatch.setattr(controller, "_restore", lambda folder, progress: [data.Made("world", folder, made=True)])
    part_of(newcomer).copy(tmp_path)
    newcomer.until(lambda: newcomer.window.message.text.text() == "The world data is ready.")
    assert part_of(newcomer).dialog.note.text() == ""


def test_a_self_contained_program_only_copies_except_for_the_cities(
    resources: Path, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.frozen", True, raising=False)
    parent = QWidget()
    dialog = WorldDataDialog(parent)
    assert (dialog.download.isEnabled(), dialog.choose.isHidden(), dialog.sizes.text()) == (False, False, "")
    dialog.cities.setChecked(True)
    assert dialog.parts == ("cities",)
    assert dialog.download.isEnabled()
    part_of(user).automated = False
    part_of(user).offer()
    assert not user.window.message.isVisible()


def test_the_steps_add_up_to_one_progress() -> None:
    shown: list[float] = []
    plans = [Plan("world", Path(), download=1, tools=("uv", "Node.js")), Plan("area", Path(), download=0)]
    weights = weights_of(plans)
    assert len(weights) == 4, "Node.js, the packages, and two builds"
    assert len(weights_of([Plan("cities", Path(), download=1, tools=("npm",))])) == 1, "nothing is built"
    stages = Stages(lambda done, total: shown.append(done / total), weights)
    for label in ("node", "packages", "world", "area"):
        progress = stages.building(label)
        progress(0, 10)
        progress(10, 10)
    assert shown == sorted(shown)
    assert 0.99 < shown[-1] < 1


def test_a_cancelled_task_ends_at_the_next_check() -> None:
    def cancelled(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        Stages(cancelled, ()).check()
