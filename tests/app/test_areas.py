"""``fencewright area`` and other uses of areas: commands, a workspace that is open elsewhere, and serving."""

import signal
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

from app.cli.terminal.output import progress_bar
from app.session import WorkspaceSession
from engine.areas.library import BUNDLED
from engine.areas.regions import INDEX_VARIABLE
from engine.domain.environment import Environment
from engine.domain.queries import Change
from engine.routing.areas import AreaRouter
from tests.app.commands import Commands, written
from tests.app.program import TIMEOUT_S, Program
from tests.engine.areas.extracts import town
from tests.engine.areas.geofabrik import playing
from tests.small_town import town_folder

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def town_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extract of a small town."""
    return town().write(tmp_path_factory.mktemp("extract") / "town.osm.pbf")


@pytest.fixture(scope="session")
def town_area(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the town's area, which tests copy."""
    return town_folder(tmp_path_factory)


def own(shown: list[dict[str, object]]) -> dict[object, object]:
    """Return which of the workspace's own areas are in use."""
    return {area["name"]: area["inUse"] for area in shown if not area["bundled"]}


def test_from_an_extract_to_an_area_and_back(fencewright: Commands, town_file: Path, workspace: Path) -> None:
    workspace_option = ("--workspace", workspace)
    built = fencewright("area", "build", town_file, *workspace_option, "--json")
    assert built.code == 0
    assert built.json["name"] == "town"
    assert built.json["bounds"] == pytest.approx([14.35, 45.77, 14.355, 45.7755])
    assert {key: built.json[key] for key in ("inUse", "source", "current", "bundled")} == {
        "inUse": True,
        "source": "town.osm.pbf",
        "current": True,
        "bundled": False,
    }
    assert Path(built.json["folder"]) == workspace / "areas" / "town"
    copytree(workspace / "areas" / "town", workspace / "areas" / "other")
    assert own(fencewright("area", "list", *workspace_option, "--json").json) == {"other": True, "town": True}
    assert own(fencewright("area", "use", "town", *workspace_option, "--json").json) == {"other": False, "town": True}
    assert "* town " in fencewright("area", "list", *workspace_option).out
    assert "  other " in fencewright("area", "list", *workspace_option).out
    assert fencewright("area", "remove", "town", *workspace_option).out == "removed town\n"
    assert own(fencewright("area", "list", *workspace_option, "--json").json) == {"other": True}


@pytest.mark.skipif(not (BUNDLED / "helsinki").is_dir(), reason="the bundled area has not been built")
def test_the_first_area_replaces_the_bundled_one_with_a_hint_to_use_both(
    fencewright: Commands, town_file: Path, workspace: Path
) -> None:
    workspace_option = ("--workspace", workspace)
    first = fencewright("area", "build", town_file, *workspace_option, "--json")
    assert first.err == (
        "fencewright: the bundled area helsinki is no longer in use; 'fencewright area use town helsinki' uses both\n"
    )
    assert first.json["inUse"] is True
    second = fencewright("area", "build", town_file, "--name", "other", *workspace_option, "--json")
    assert second.err == ""
    used = fencewright("area", "use", "town", "helsinki", *workspace_option, "--json")
    assert {area["name"] for area in used.json if area["inUse"]} == {"town", "helsinki"}
    third = fencewright("area", "build", town_file, "--name", "third", *workspace_option)
    assert third.err == ""


def test_an_invalid_value_is_named(fencewright: Commands, town_file: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    (workspace / "areas" / "town").mkdir(parents=True)
    text = written(tmp_path / "text.osm.pbf", "no extract")
    for arguments, words in (
        (("build", tmp_path / "none.osm.pbf"), "none.osm.pbf: no such file"),
        (("build", text), "text.osm.pbf is not an OpenStreetMap extract"),
        (("build", town_file), "an area 'town' already exists"),
        (("build", town_file, "--name", "a/b"), "name: must be 1 to 64"),
        (("use", "moon"), "unknown area 'moon'"),
        (("remove", "moon"), "unknown area 'moon'"),
    ):
        ended = fencewright("area", *arguments, "--workspace", workspace)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1)
        assert words in ended.err
    temporary = fencewright("area", "list", "--workspace", ":memory:")
    assert (temporary.code, temporary.out) == (1, "")
    assert fencewright("area").code == 2
    assert fencewright("area", "build").code == 2


def test_a_process_that_has_the_workspace_open_uses_new_areas_at_once(
    fencewright: Commands, town_file: Path, tmp_path: Path
) -> None:
    changes: list[Change] = []
    with WorkspaceSession(tmp_path / "w") as session:
        before = session.engine.routing
        session.engine.changes.subscribe(changes.append)
        assert fencewright("area", "build", town_file, "--workspace", tmp_path / "w").code == 0
        assert [area.name for area in session.engine.areas.in_use()] == ["town"]
        assert [change.environment for change in changes if change.areas] == list(Environment)
        after = session.engine.routing
        assert isinstance(before, AreaRouter)
        assert isinstance(after, AreaRouter)
        assert [area.name for area in after.areas] == ["town"]
        assert before is not after
        assert after.searches.pid is None, "nobody asked for a way yet"


def test_a_region_is_added(
    fencewright: Commands, town_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with playing(town_file.read_bytes()) as server:
        monkeypatch.setenv(INDEX_VARIABLE, f"{server.url}/index.json")
        added = fencewright("area", "add", "europe/town", "--name", "t", "--workspace", tmp_path, "--json")
        assert (added.code, added.json["name"], added.json["source"]) == (0, "t", "town")
        unknown = fencewright("area", "add", "tow", "--workspace", tmp_path)
        assert (unknown.code, unknown.out) == (1, "")
        assert "did you mean town?" in unknown.err
    unreachable = fencewright("area", "add", "town", "--workspace", tmp_path)
    assert (unreachable.code, unreachable.out, unreachable.err.count("\n")) == (1, "", 1)
    assert "cannot be reached" in unreachable.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_build_can_be_stopped(program: Program, town_file: Path, tmp_path: Path, number: signal.Signals) -> None:
    areas = tmp_path / "w" / "areas"
    with program.start("area", "build", town_file, "--workspace", tmp_path / "w") as process:
        _wait_until(lambda: any(areas.glob(".building-*/source.osm.pbf")))
        process.send_signal(number)
        out, errors = process.communicate(timeout=TIMEOUT_S)
    assert (process.returncode, out) == (128 + number, "")
    assert errors == "fencewright: stopped; the area was not built\n"
    assert [path.name for path in areas.iterdir() if path.name != ".lock"] == []


def test_serving_with_areas_and_with_a_router(
    program: Program, fencewright: Commands, town_area: Path, tmp_path: Path
) -> None:
    workspace = tmp_path / "w"
    unknown = fencewright("serve", "--workspace", workspace, "--port", 0, "--area", "moon")
    assert (unknown.code, unknown.out, unknown.err.count("\n")) == (1, "", 1)
    assert "unknown area 'moon'" in unknown.err
    wrong = fencewright("serve", "--workspace", workspace, "--router", "localhost:8002")
    assert (wrong.code, "must be a URL such as" in wrong.err) == (2, True)
    copytree(town_area, workspace / "areas" / "town")
    with program.serve(workspace, "--area", "town") as server:
        assert fencewright("area", "use", "town", "--workspace", workspace).code == 0
        assert server.stop().code == 0
    with program.serve(workspace, "--router", "http://127.0.0.1:9") as server:
        assert server.stop().code == 0


def test_areas_to_serve_are_for_this_run_only(town_area: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        copytree(town_area, tmp_path / "w" / "areas" / name)
    with WorkspaceSession(tmp_path / "w", areas=["b"]) as session:
        assert [area.name for area in session.engine.areas.in_use()] == ["b"]
    with WorkspaceSession(tmp_path / "w") as session:
        assert [area.name for area in session.engine.areas.in_use()] == ["a", "b"]


def test_a_bar_is_drawn_on_a_terminal_and_nowhere_else(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bar = progress_bar("building", lambda: None)
    bar(5, 10)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    bar(5, 10)
    bar(5, 10)
    bar(10, 10)
    half, whole = "#" * 15 + "." * 15, "#" * 30
    assert capsys.readouterr().err == f"\rbuilding [{half}]  50 %\rbuilding [{whole}] 100 %\n"


def _wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
