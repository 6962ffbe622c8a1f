"""``fencewright events`` and ``fencewright export``, on a workspace that is closed or open elsewhere."""

import signal
from pathlib import Path

import orjson
import pytest

from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.tracking.updates import Conversion
from engine.engine import Engine
from tests.app.commands import Commands
from tests.app.program import TIMEOUT_S, Program, Serving

TEST = Environment.TEST


def buy(engine: Engine, device: str, kind: str = "bought") -> str:
    return engine.history.log_conversion(TEST, Conversion(kind, device, None, None, {})).id


@pytest.fixture
def ids(tmp_path: Path) -> list[str]:
    """Events of a workspace, which is created before the fixture `workspace` opens it elsewhere."""
    with Engine.open(tmp_path / "workspace") as engine:
        return [buy(engine, f"d{number % 3}", "bought" if number % 2 else "sold") for number in range(30)]


def test_the_newest_events(fencewright: Commands, ids: list[str], workspace: Path) -> None:
    def listed(*options: object) -> list[str]:
        return [event["_id"] for event in fencewright("events", "--workspace", workspace, "--json", *options).events]

    assert listed() == ids[-20:]
    assert listed("--limit", 3) == ids[-3:]
    assert listed("--device", "d1", "--limit", 100) == ids[1::3]
    assert listed("--type", "sold", "--limit", 100) == ids[::2]
    assert listed("--type", "sold", "--type", "bought", "--limit", 100) == ids
    assert "bought" in fencewright("events", "--workspace", workspace).out


def test_exports(fencewright: Commands, ids: list[str], workspace: Path, tmp_path: Path) -> None:
    out = tmp_path / "e.jsonl"
    ended = fencewright("export", "events", "--workspace", workspace, "--output", out, "--type", "sold")
    assert (ended.code, ended.out) == (0, "")
    assert f"15 events written to {out}" in ended.err
    assert [orjson.loads(line)["_id"] for line in out.read_bytes().splitlines()] == ids[::2]
    out = tmp_path / "e.parquet"
    ended = fencewright("export", "events", "--workspace", workspace, "--output", out, "--device", "d1", "--json")
    assert ended.json == {"records": 10, "file": str(out)}
    assert out.read_bytes().startswith(b"PAR1")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("export", "events"), "--output"),
        (("export", "events", "--output", "x", "--format", "xml"), "xml"),
        (("export", "users", "--output", "x", "--type", "t"), "--type"),
        (("events", "--limit", "1001"), "1,000"),
    ],
)
def test_wrong_usage(fencewright: Commands, arguments: tuple[str, ...], words: str) -> None:
    ended = fencewright(*arguments)
    assert ended.code == 2
    assert words in ended.err


@pytest.mark.parametrize(
    ("records", "endings"),
    [("events", ".csv, .jsonl, .ndjson or .parquet"), ("geofences", ".csv, .geojson, .kml or .gpkg")],
)
def test_an_unknown_file_extension(
    fencewright: Commands, ids: list[str], workspace: Path, tmp_path: Path, records: str, endings: str
) -> None:
    output = tmp_path / "x.json"
    arguments = ("export", records, "--output", str(output), "--workspace", str(workspace))
    ended = fencewright(*arguments)
    assert ended.code == 1
    assert endings in ended.err
    assert not output.exists()
    assert fencewright(*arguments, "--format", "csv").code == 0
    assert output.read_text("utf-8").count(",") > 1, f"a table, of {len(ids)} events"


def test_nothing_to_follow_in_memory(fencewright: Commands) -> None:
    ended = fencewright("events", "--follow", "--workspace", ":memory:")
    assert (ended.code, "no other process can reach" in ended.err) == (1, True)


@pytest.mark.slow
def test_following_goes_on_over_restarts_and_while_the_workspace_is_closed(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    with Engine.open(folder) as engine:
        event_ids = [buy(engine, "d") for _ in range(3)]
    program.home.mkdir()
    with program.start("events", "--follow", "--json", "--limit", 2, "--workspace", folder) as follower:
        assert follower.stdout is not None
        assert follower.stderr is not None

        def shown(count: int) -> list[str]:
            assert follower.stdout is not None
            return [orjson.loads(follower.stdout.readline())["_id"] for _ in range(count)]

        assert shown(2) == event_ids[1:]
        assert "is not open in any process; waiting" in follower.stderr.readline()
        with Engine.open(folder) as engine:  # this process does not respond to others
            between = buy(engine, "d")
        with program.serve(folder) as server:
            assert shown(1) == [between]
            first = report(server)
            assert shown(1) == [first]
            server.process.send_signal(signal.SIGKILL)
        with WorkspaceSession(folder) as session:
            second = buy(session.engine, "d")
            assert shown(1) == [second]
            session.engine.history.delete(TEST, second)
            third = buy(session.engine, "d")
            assert shown(1) == [third]
        follower.send_signal(signal.SIGINT)
        rest, _ = follower.communicate(timeout=TIMEOUT_S)
    assert (follower.returncode, rest) == (130, "")


def report(server: Serving) -> str:
    import httpx

    body = {"name": "bought", "deviceId": "d"}
    answer = httpx.post(f"{server.url}/v1/events", json=body, headers={"Authorization": server.key()}, trust_env=False)
    event_id: str = answer.json()["event"]["_id"]
    return event_id
