"""Stops of a command in the middle of its own work, and of the server that a command uses."""

import signal
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from app.cli.workspaces import reach_workspace
from app.session import WorkspaceSession
from engine.areas.regions import INDEX_VARIABLE
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import GeometryType, Point
from engine.domain.tracking.updates import LocationUpdate
from tests.app.program import TIMEOUT_S, Program
from tests.app.stops.middle import (
    OnTerminal,
    Reached,
    count_beacons,
    counts,
    descendants,
    have_ended,
    hold,
    let_go_on,
    stop_server,
)
from tests.app.stops.test_server import (
    AS_BEFORE,
    BOTH,
    NONE,
    judged,
    judging,
    reading,
    set_sync,
    stalling,
    storing,
)
from tests.engine.areas.geofabrik import playing

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.usefixtures("temporary")]

EVENTS: Final = 20_000


def judging_beacons(done: int, total: int) -> bool:
    """Return whether rows of beacons are being judged, which is the first half of their import."""
    return total > 0 and 0.05 < done / total < 0.45


def amid(done: int, total: int) -> bool:
    """Return whether the work has begun and is not finished."""
    return 0 < done < total


def begun(done: int, total: int) -> bool:
    """Return whether the total is known and the work is not finished."""
    return done < total


@BOTH
@pytest.mark.parametrize("reached", [judging, storing])
def test_an_import(program: Program, table: Path, tmp_path: Path, reached: Reached, number: signal.Signals) -> None:
    workspace = tmp_path / "w"
    with OnTerminal(program, "import", table, "--workspace", workspace) as command:
        command.wait_until(reached)
        code, message = command.stop(number)
    assert (code, message) == (128 + number, "fencewright: stopped; nothing was imported")
    assert counts(workspace) == NONE


@BOTH
@pytest.mark.parametrize("reached", [judging_beacons, storing])
def test_an_import_of_beacons(
    program: Program, beacon_table: Path, tmp_path: Path, reached: Reached, number: signal.Signals
) -> None:
    workspace = tmp_path / "w"
    with OnTerminal(program, "import", beacon_table, "--workspace", workspace) as command:
        command.wait_until(reached)
        code, message = command.stop(number)
    assert (code, message) == (128 + number, "fencewright: stopped; nothing was imported")
    assert counts(workspace) == NONE
    assert count_beacons(workspace) == 0


@BOTH
@pytest.mark.parametrize("reached", [judging, storing, judged])
def test_an_import_that_a_server_does(
    program: Program, table: Path, tmp_path: Path, reached: Reached, number: signal.Signals
) -> None:
    """The message of the command is true, however far the server has come."""
    workspace = tmp_path / "w"
    with program.serve(workspace) as server:
        with OnTerminal(program, "import", table, "--workspace", workspace) as command:
            command.wait_until(reached, held=server.process.pid)
            code, message = command.stop(number)
        stop_server(server, signal.SIGTERM)
    if code == 0:
        assert reached is not judging
        assert counts(workspace) == AS_BEFORE
    else:
        assert (code, message) == (128 + number, "fencewright: stopped; nothing was imported")
        assert counts(workspace) == NONE


@BOTH
def test_an_import_by_a_process_of_its_own(
    program: Program, drawing: Path, temporary: Path, tmp_path: Path, number: signal.Signals
) -> None:
    workspace = tmp_path / "w"
    with OnTerminal(program, "import", drawing, "--workspace", workspace) as command:
        command.wait_until(reading)
        assert descendants(command.process.pid)
        assert list(temporary.iterdir())
        assert command.stop(number)[0] == 128 + number
    assert counts(workspace) == NONE


@BOTH
def test_a_promotion(program: Program, filled: Path, number: signal.Signals) -> None:
    with OnTerminal(program, "promote", "--yes", "--workspace", filled) as command:
        command.wait_until(amid)
        assert command.stop(number)[0] == 128 + number
    assert counts(filled) == AS_BEFORE


@BOTH
def test_an_export_of_geofences(program: Program, filled: Path, tmp_path: Path, number: signal.Signals) -> None:
    file = tmp_path / "files" / "shops.kml"
    file.parent.mkdir()
    with OnTerminal(program, "export", "geofences", "--output", file, "--workspace", filled) as command:
        command.wait_until(amid)
        code, message = command.stop(number)
    assert (code, message) == (128 + number, "fencewright: stopped; nothing was written")
    assert list(file.parent.iterdir()) == []
    assert counts(filled) == AS_BEFORE


@pytest.fixture(scope="module")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with many events: devices enter and leave a geofence."""
    folder = tmp_path_factory.mktemp("stops") / "w"
    at = datetime.now(UTC) - timedelta(days=1)
    with WorkspaceSession(folder) as session:
        shop = GeofenceChange(
            tag="t",
            external_id="e",
            description="Shop",
            type=GeometryType.CIRCLE,
            coordinates=[9.5, 47.1],
            size=100.0,
        )
        session.engine.geofences.create(Environment.TEST, shop)
        for step in range(EVENTS // 500):
            position = Point(9.5, 47.1 if step % 2 == 0 else 47.2)
            moment = at + timedelta(minutes=step)
            updates = [LocationUpdate(f"d{each}", position, 5.0, at=moment) for each in range(500)]
            session.engine.tracking.track_all(Environment.TEST, updates)
    return folder


@BOTH
def test_an_export_of_events(program: Program, eventful: Path, tmp_path: Path, number: signal.Signals) -> None:
    file = tmp_path / "files" / "events.csv"
    file.parent.mkdir()
    with OnTerminal(program, "export", "events", "--output", file, "--workspace", eventful) as command:
        command.wait_until(amid)
        assert list(file.parent.iterdir()), "nothing has been written yet"
        code, message = command.stop(number)
    assert (code, message) == (128 + number, f"fencewright: stopped; {file} was not written")
    assert list(file.parent.iterdir()) == []


@BOTH
def test_a_sync(program: Program, table: Path, tmp_path: Path, number: signal.Signals) -> None:
    workspace = tmp_path / "w"
    few = b"".join(table.read_bytes().splitlines(keepends=True)[:11])
    with stalling(few) as (url, begun):
        with program.serve(workspace) as server:
            set_sync(server.url, server.key(), f"{url}/first.csv", f"{url}/second.csv")
            stop_server(server, signal.SIGTERM)
        with OnTerminal(program, "sync", "run", "--workspace", workspace) as command:
            assert begun.wait(TIMEOUT_S)
            assert command.stop(number)[0] == 128 + number
    assert counts(workspace) == {Environment.TEST: 10, Environment.LIVE: 0}


@BOTH
def test_a_build_of_an_area(program: Program, town_file: Path, tmp_path: Path, number: signal.Signals) -> None:
    areas = tmp_path / "w" / "areas"
    with OnTerminal(program, "area", "build", town_file, "--workspace", tmp_path / "w") as command:
        command.wait_until(amid)
        assert list(areas.glob(".building-*"))
        assert len(descendants(command.process.pid)) >= 1
        code, message = command.stop(number)
    assert (code, message) == (128 + number, "fencewright: stopped; the area was not built")
    assert [path.name for path in areas.iterdir() if path.name != ".lock"] == []


@BOTH
@pytest.mark.parametrize("at", ["/index.json", "/town-latest.osm.pbf"])
def test_a_download_from_a_server_that_sends_nothing(
    program: Program, town_file: Path, tmp_path: Path, at: str, number: signal.Signals
) -> None:
    with playing(town_file.read_bytes()) as server:
        server.silent_at = at
        program.environment = {**program.environment, INDEX_VARIABLE: f"{server.url}/index.json"}
        with OnTerminal(program, "area", "add", "town", "--workspace", tmp_path / "w") as command:
            assert server.silent.wait(TIMEOUT_S)
            code, message = command.stop(number)
    kept = "stopped; the partial download is kept, and the next attempt resumes it"
    assert (code, message) == (128 + number, f"fencewright: {kept}")


@BOTH
def test_a_command_that_checks_nothing(program: Program, filled: Path, tmp_path: Path, number: signal.Signals) -> None:
    """The snapshot of many geofences ends immediately, with the exit code of the signal."""
    with program.start("snapshot", "--output", tmp_path / "seed.json", "--workspace", filled) as process:
        wait_until(lambda: (filled / "endpoint.json").exists())
        hold(process.pid)
        children = descendants(process.pid)
        let_go_on(process.pid)
        process.send_signal(number)
        _, errors = process.communicate(timeout=TIMEOUT_S)
    assert (process.returncode, errors) == (128 + number, "fencewright: stopped\n")
    assert have_ended(children)
    assert not (tmp_path / "seed.json").exists()
    assert counts(filled) == AS_BEFORE


@BOTH
def test_the_server_of_an_import_stops(program: Program, table: Path, tmp_path: Path, number: signal.Signals) -> None:
    """The command reports the outcome of its work and does not start again by itself."""
    workspace = tmp_path / "w"
    with program.serve(workspace) as server, OnTerminal(program, "import", table, "--workspace", workspace) as command:
        command.wait_until(judging, held=server.process.pid)
        stop_server(server, number)
        assert command.process.wait(TIMEOUT_S) == 1
        output = command.rest()
    assert "was stopped; nothing was imported. Run the command again." in output
    assert counts(workspace) == NONE


@BOTH
def test_the_server_of_a_promotion_stops(program: Program, filled: Path, number: signal.Signals) -> None:
    with program.serve(filled) as server, OnTerminal(program, "promote", "--yes", "--workspace", filled) as command:
        # The server reports a few times per second, and may be done by the second report.
        command.wait_until(begun, held=server.process.pid)
        stop_server(server, number)
        assert command.process.wait(TIMEOUT_S) == 1
        output = command.rest()
    assert "was stopped; nothing was changed. Run the command again." in output
    assert counts(filled) == AS_BEFORE


def test_the_command_that_has_the_workspace_open_ends(program: Program, table: Path, tmp_path: Path) -> None:
    """Other commands are not affected by its end: their cancelled work is done again."""
    workspace = tmp_path / "w"
    with ExitStack() as stack:
        with reach_workspace(workspace):
            command = stack.enter_context(OnTerminal(program, "import", table, "--workspace", workspace))
            command.wait_until(judging)
        let_go_on(command.process.pid)
        output = command.rest()
        assert command.process.wait(TIMEOUT_S) == 0, output
    assert counts(workspace) == AS_BEFORE


def wait_until(reached: Callable[[], bool]) -> None:
    """Wait for a condition that is met soon."""
    until = time.monotonic() + TIMEOUT_S
    while not reached():
        assert time.monotonic() < until
        time.sleep(0.01)
