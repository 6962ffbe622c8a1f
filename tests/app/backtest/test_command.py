"""``fencewright backtest``: its options, its output, and its end by a signal."""

import signal
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import orjson
import pytest

from app.backtest.record import read_report
from engine.backtest.backtest import Progress, unfinished
from engine.backtest.fields import FIELDS
from engine.domain.ports import Cancelled
from engine.domain.values import replace
from tests.app.backtest.commands import StandIn, refuse, stand_in, write_events
from tests.app.backtest.reports import COMPARED, REPORT
from tests.app.commands import Commands, written
from tests.app.documentation import commands

_FENCES: Final = (
    "tag,externalId,description,type,latitude,longitude,radius\n"
    "store,vienna-1,Vienna,circle,48.208,16.372,150\n"
    "depot,north,Depot,circle,48.26,16.40,600\n"
)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    return stand_in(monkeypatch, REPORT)


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The options that are required, with a file of geofences in the current folder."""
    written(tmp_path / "shops.csv", _FENCES)
    monkeypatch.chdir(tmp_path)
    return "backtest", "--history", "fixes.parquet", "--fences", "shops.csv"


def test_a_back_test_writes_its_report_and_a_summary(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn, tmp_path: Path
) -> None:
    ended = fencewright(*given, "--output", "out")
    assert ended.code == 0, ended.err
    folder = tmp_path / "out"
    assert ended.out.splitlines() == [
        "1,000,000 fixes of 20 devices in 2.5 s",
        "338 events: 150 entries, 148 exits, 40 dwells",
        "1 geofence of 3 never fired: store/graz-9",
        "2 devices without an event: van-19, van-20",
        f"report: {folder / 'report.html'}",
    ]
    assert sorted(each.name for each in folder.iterdir()) == ["events-00000.parquet", "report.html", "report.json"]
    assert read_report((folder / "report.json").read_bytes()) == REPORT
    assert (folder / "report.html").read_bytes().startswith(b"<!DOCTYPE html>")
    assert stat.S_IMODE((folder / "report.html").stat().st_mode) == 0o600
    assert "fencewright: The column speed was ignored." in ended.err
    assert "fencewright: broken.parquet was left out: The file ends too early." in ended.err
    assert "14 rows could not be read; the first: fixes.csv, row 17: latitude" in ended.err


def test_the_options_are_those_of_the_request(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn, tmp_path: Path
) -> None:
    options = ("more.csv", "--columns", "device=vehicle", "time=at", "--accuracy", 25, "--skip-bad", "--workers", 3)
    ended = fencewright(*given[:3], *options, *given[3:], "--set", "bufferEntries=true", "--output", "out")
    assert ended.code == 0, ended.err
    request = engine.request
    assert request.history == ("fixes.parquet", "more.csv")
    assert dict(request.columns) == {"device": "vehicle", "time": "at"}
    assert (request.accuracy_m, request.skip_bad, request.workers, request.scheduler) == (25, True, 3, None)
    assert request.settings.buffer_entries
    assert request.fences.name == "shops.csv"
    assert [each.external_id for each in request.fences.geofences] == ["vienna-1", "north"]
    assert (request.against, request.resume, request.output) == (None, False, tmp_path / "out")


def test_the_defaults(fencewright: Commands, given: tuple[str, ...], engine: StandIn, tmp_path: Path) -> None:
    fencewright(*given)
    request = engine.request
    assert (request.accuracy_m, request.skip_bad, request.workers, dict(request.columns)) == (10, False, None, {})
    assert request.output.parent == tmp_path
    assert request.output.match("backtest-????-??-??-????")


def test_two_back_tests_within_a_minute_have_two_folders(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn
) -> None:
    assert [fencewright(*given).code, fencewright(*given).code] == [0, 0]
    first, second = engine.requests
    assert first.output != second.output


def test_a_comparison_is_in_the_summary(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn, tmp_path: Path
) -> None:
    engine.report = COMPARED
    written(tmp_path / "shops-new.csv", _FENCES.replace(",600", ",900"))
    ended = fencewright(*given, "--against", "shops-new.csv", "--output", "out")
    assert "from shops-new.csv to shops.csv: 12 gained, 31 lost, 7 moved; most in store/vienna-1" in ended.out
    assert engine.request.against is not None
    assert engine.request.against.name == "shops-new.csv"


def test_the_report_as_json(fencewright: Commands, given: tuple[str, ...], engine: StandIn) -> None:
    engine.report = COMPARED
    ended = fencewright(*given, "--output", "out", "--json")
    assert read_report(ended.out.encode()) == COMPARED


def test_events_in_other_formats(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn, tmp_path: Path
) -> None:
    ended = fencewright(*given, "--output", "out", "--format", "csv", "geojson", "parquet")
    assert ended.code == 0, ended.err
    assert '"van-1"' in (tmp_path / "out" / "events.csv").read_text(encoding="utf-8")
    assert len(orjson.loads((tmp_path / "out" / "events.geojson").read_bytes())["features"]) == 1


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--columns", "devise=x"), "--columns: unknown field 'devise'; did you mean device?"),
        (("--columns", "zzz=x"), "must be one of device, user, time"),
        (("--columns", "time=a", "time=b"), "--columns: time is given twice."),
        (("--set", "bufferEntires=true"), "bufferEntires: unknown setting; did you mean bufferEntries?"),
        (("--settings", "none.json"), "--settings: none.json cannot be read"),
        (("--output", "missing/out"), "--output: there is no folder"),
        (("--resume",), "--resume: give the folder of the unfinished back-test with --output."),
        (("--resume", "--output", "out"), "--resume: there is no unfinished back-test for out."),
        (("--against", "absent.csv"), "--against: there is no file and no workspace 'absent.csv'"),
    ],
)
def test_wrong_options(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn, options: tuple[str, ...], expected: str
) -> None:
    ended = fencewright(*given, *options)
    assert ended.code == 1
    assert expected in ended.err
    assert ended.err.count("\n") == 1
    assert engine.requests == []


def test_a_cluster_has_its_own_workers(fencewright: Commands, given: tuple[str, ...]) -> None:
    ended = fencewright(*given, "--workers", 2, "--scheduler", "tcp://example.com:8786")
    assert ended.code == 2
    assert "not allowed with argument" in ended.err


@pytest.mark.parametrize("missing", ["--history", "--fences"])
def test_a_history_and_geofences_are_required(fencewright: Commands, given: tuple[str, ...], missing: str) -> None:
    place = given.index(missing)
    ended = fencewright(*given[:place], *given[place + 2 :])
    assert ended.code == 2
    assert missing in ended.err


def test_a_folder_with_files_is_not_overwritten(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    written(tmp_path / "out" / "notes.txt", "mine")
    ended = fencewright(*given, "--output", "out")
    assert (ended.code, ended.err) == (
        1,
        "fencewright: --output: out exists already; give another folder.\n",
    )
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["notes.txt"]


def test_a_complete_back_test_is_not_resumed(fencewright: Commands, given: tuple[str, ...], tmp_path: Path) -> None:
    write_events(tmp_path / "out")
    ended = fencewright(*given, "--output", "out", "--resume")
    assert "--output: out is complete, so nothing is left to do." in ended.err


def test_an_unfinished_back_test_is_resumed(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn, tmp_path: Path
) -> None:
    unfinished(tmp_path / "out").mkdir()
    ended = fencewright(*given, "--output", "out")
    assert ended.code == 1
    assert "continue it with --resume" in ended.err
    ended = fencewright(*given, "--output", "out", "--resume")
    assert ended.code == 0, ended.err
    assert engine.request.resume


@pytest.mark.parametrize("against", [(), ("--against", "shops-new.csv")])
def test_a_back_test_with_geofences_of_files_is_resumed(
    fencewright: Commands, given: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, against: tuple[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise Cancelled

    written(tmp_path / "shops-new.csv", _FENCES.replace("150", "90"))
    written(tmp_path / "fixes.csv", "deviceId,time,lat,lon\nvan,2026-09-01T06:00:00Z,48.208,16.372\n")
    command = "backtest", "--history", "fixes.csv", "--fences", "shops.csv", *against, "--output", "out"
    with monkeypatch.context() as patch:
        patch.setattr("engine.backtest.backtest._decide", interrupted)
        assert "to continue, run the same command" in fencewright(*command).err
    ended = fencewright(*command, "--resume")
    assert ended.code == 0, ended.err
    assert "1 event: 1 entry" in ended.out


def _interrupt(_progress: Callable[[Progress], None], stop: Callable[[], bool]) -> None:
    signal.raise_signal(signal.SIGINT)
    assert stop()


def test_ctrl_c_before_the_work_leaves_nothing(fencewright: Commands, given: tuple[str, ...], engine: StandIn) -> None:
    engine.act = _interrupt
    ended = fencewright(*given, "--output", "out")
    assert (ended.code, ended.err) == (130, "fencewright: stopped; nothing was done\n")


def test_ctrl_c_stops_and_says_how_to_continue(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn, tmp_path: Path
) -> None:
    def begun(progress: Callable[[Progress], None], stop: Callable[[], bool]) -> None:
        unfinished(tmp_path / "out").mkdir()
        _interrupt(progress, stop)

    engine.act = begun
    ended = fencewright(*given, "--output", "out")
    assert ended.code == 130
    assert (
        f"fencewright: stopped; to continue, run the same command with --output {tmp_path / 'out'} --resume"
        in ended.err
    )
    assert not (tmp_path / "out").exists()


def test_ctrl_c_during_the_last_files_keeps_the_back_test(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_folder: object, _report: object, _formats: object, progress: Callable[[int, int], None]) -> None:
        signal.raise_signal(signal.SIGINT)
        progress(0, 1)

    monkeypatch.setattr("app.cli.backtests.running.write_outputs", interrupted)
    ended = fencewright(*given, "--output", "out", "--format", "csv")
    assert ended.code == 130
    assert f"stopped; to continue, run the same command with --output {tmp_path / 'out'} --resume" in ended.err
    assert not (tmp_path / "out").exists()


def test_an_error_of_the_history_is_one_line(fencewright: Commands, given: tuple[str, ...], engine: StandIn) -> None:
    engine.act = refuse
    ended = fencewright(*given, "--output", "out")
    assert (ended.code, ended.err) == (1, "fencewright: history: there is no file nowhere.parquet.\n")


@pytest.mark.parametrize("library", ["dask", "distributed", "pyarrow"])
def test_a_missing_library_is_named_with_what_installs_it(
    fencewright: Commands, given: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    monkeypatch.setitem(sys.modules, "app.cli.backtests.running", None)
    real = __import__

    def importing(name: str, *rest: object) -> object:
        if name == "app.cli.backtests.running":
            raise ModuleNotFoundError(f"No module named '{library}'", name=library)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("builtins.__import__", importing)
    ended = fencewright(*given)
    assert (ended.code, ended.err) == (
        1,
        f"fencewright: Back-tests need Dask and PyArrow, and {library} is not installed. "
        "Install it with: pip install 'fencewright[backtest]'.\n",
    )


def test_the_help_names_every_field_of_a_history() -> None:
    (command,) = (each for each in commands() if each.name == "backtest")
    (columns,) = (each for each in command.options if "--columns" in each.option_strings)
    listed = str(columns.help).partition("fields are ")[2].replace(" and ", ", ").split(", ")
    assert listed == list(FIELDS)


def test_rows_that_cannot_be_read_without_an_example(
    fencewright: Commands, given: tuple[str, ...], engine: StandIn
) -> None:
    engine.report = replace(REPORT, bad_rows=1, bad_examples=(), bad_files=(), notes=())
    ended = fencewright(*given, "--output", "out")
    assert ended.err == "fencewright: 1 row could not be read\n"
