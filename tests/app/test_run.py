"""Arguments reach their command, and every error becomes one line and an exit code."""

import errno
import logging
import sys
from argparse import _SubParsersAction
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from pkgutil import resolve_name

import pytest

from app.cli import Interfaces, run
from app.cli.options.parsing import parse_arguments, parser
from app.cli.run import COMMANDS, SHOW_TRACEBACK
from app.endpoint import EndpointOptions
from engine.domain.environment import Environment
from engine.domain.errors import WorkspaceBusy
from engine.domain.geometry import Point
from tests.app.commands import Commands


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], (None, EndpointOptions("127.0.0.1", 8787), None, None, None, None, [])),
        (["--workspace", "W", "--port", "0"], ("W", EndpointOptions(port=0), None, None, None, None, [])),
        (["desktop", "--host", "0.0.0.0"], (None, EndpointOptions(host="0.0.0.0"), None, None, None, None, [])),
        (
            ["--tls", "--allow-host", "Shop.example.", "--allow-host", "[::FFFF:192.168.1.5]"],
            (None, EndpointOptions(tls=True, allow_hosts=("shop.example", "192.168.1.5")), None, None, None, None, []),
        ),
        (
            ["--router", "http://localhost:8002"],
            (None, EndpointOptions(), "http://localhost:8002", None, None, None, []),
        ),
        (
            ["--geocoder", "photon+http://localhost"],
            (None, EndpointOptions(), None, "photon+http://localhost", None, None, []),
        ),
        (["--seed", "ci.json"], (None, EndpointOptions(), None, None, Path("ci.json"), None, [])),
        (["--language", "de"], (None, EndpointOptions(), None, None, None, "de", [])),
        (["desktop", "a.gpx"], (None, EndpointOptions(), None, None, None, None, [Path("a.gpx")])),
    ],
)
def test_without_a_command_the_desktop_opens(arguments: list[str], expected: tuple[object, ...]) -> None:
    opened: list[tuple[object, ...]] = []

    def desktop(
        workspace: Path | str | None,
        endpoint: EndpointOptions,
        router_url: str | None,
        geocoder_url: str | None,
        seed_file: Path | None,
        language: str | None,
        files: Sequence[Path],
    ) -> int:
        opened.append((workspace, endpoint, router_url, geocoder_url, seed_file, language, files))
        return 7

    assert run(arguments, Interfaces(desktop=desktop, demo=lambda _: 8)) == 7
    assert opened == [expected]


def test_the_demo_gets_its_screenshot() -> None:
    screenshots: list[Path | None] = []

    def demo(screenshot: Path | None) -> int:
        screenshots.append(screenshot)
        return 0

    interfaces = Interfaces(desktop=lambda *_: 1, demo=demo)
    assert run(["demo", "--screenshot", "x.png"], interfaces) == 0
    assert run(["demo"], interfaces) == 0
    assert screenshots == [Path("x.png"), None]


def test_defaults_of_the_commands() -> None:
    serving = parse_arguments(["serve"])
    assert (serving.workspace, serving.host, serving.port, serving.ready_file) == (None, "127.0.0.1", 8787, None)
    simulating = parse_arguments(["simulate", "a.gpx", "--device", "d", "--accuracy", "5"])
    assert (simulating.speed, simulating.assume_speed, simulating.start, simulating.user) == (None,) * 4
    assert simulating.environment is Environment.TEST
    route = ["--route", "-33.8,151.2", "--wait", "60", "--route", "-33.9,151.1"]
    routed = parse_arguments(["simulate", "--device", "d", *route])
    assert routed.route == [(Point(151.2, -33.8), 60.0), (Point(151.1, -33.9), 0.0)]
    assert (routed.track, routed.mode, routed.interval, routed.noise) == (None, None, None, None)
    assert parse_arguments(["serve", "--clock", "2026-03-29"]).clock == datetime(2026, 3, 29, tzinfo=UTC)
    replaying = parse_arguments(["replay", "--device", "d", "--set", "a=1", "b=x=y", "--set", "c="])
    assert replaying.set == [("a", "1"), ("b", "x=y"), ("c", "")]
    assert (replaying.fences, replaying.after, replaying.before, replaying.user) == (None, None, None, None)
    assert parse_arguments(["keys", "--rotate", "all", "--rotate", "test-secret", "live-secret"]).rotate == [
        "all",
        "test-secret",
        "live-secret",
    ]


SIMULATE = ("simulate", "a.gpx", "--device", "d", "--accuracy")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("unknown",), "unknown command 'unknown'."),
        (("simulat", "a.gpx"), "unknown command 'simulat'; did you mean simulate?"),
        (("area", "buidl"), "unknown action 'buidl'; did you mean build?"),
        (("simulate", "a.gpx", "--divice", "x"), "unrecognized arguments: --divice; did you mean --device?"),
        ((*SIMULATE, "5", "--assume_speed=4"), "--assume_speed=4; did you mean --assume-speed?"),
        (("--workspce", "x"), "unrecognized arguments: --workspce; did you mean --workspace?"),
        (("--wrkspc-folder-of-mine", "x"), "unrecognized arguments: --wrkspc-folder-of-mine\n"),
        (("keys", "--rotate", "test-secrt"), "'all'); did you mean test-secret?"),
        (("check", "--only", "overlp"), "--only: unknown check 'overlp'; did you mean overlap?"),
        (("check", "--only", "zzz"), "unknown check 'zzz'; must be one of "),
        (("--port", "70000"), "--port: must be a number from 0 to 65535, not '70000'"),
        (("serve", "--port", "-1"), "--port"),
        (("serve", "--port", "http"), "--port"),
        (("serve", "extra"), "extra"),
        (("serve", "--allow-host", "http://shop.example"), "--allow-host: must be a host name or an address without"),
        (("--allow-host", "shop.example:8787"), "such as map.example.com, not 'shop.example:8787'"),
        (("certificate", "--for", "windows"), "--for"),
        (("serve", "--geocoder", "http://localhost"), "--geocoder: must be nominatim+, photon+ or pelias+ and a URL"),
        (("--geocoder", "photon+localhost"), "not 'photon+localhost'"),
        (("import",), "FILE"),
        (("import", "a.csv", "--environment", "prod"), "must be test or live, not 'prod'"),
        (("simulate", "--device", "d", "--route", "47.1"), "--route: must be LATITUDE,LONGITUDE such as 47.141,9.5215"),
        (("simulate", "--device", "d", "--route", "91,9"), "--route: must be LATITUDE,LONGITUDE"),
        (("simulate", "--device", "d", "--wait", "5"), "--wait: must follow the --route where the device"),
        (("simulate", "--device", "d", "--mode", "boat"), "--mode: must be one of car, truck, foot, bike, motorbike"),
        (("simulate", "a.gpx", "--device", "d", "--noise", "fog"), "--noise: must be one of open-sky, city-canyon"),
        (("simulate", "a.gpx", "--device", "d", "--seed", "-1"), "--seed: must be a whole number from 0"),
        (("simulate", "a.gpx", "--accuracy", "5"), "--device"),
        ((*SIMULATE, "0"), "--accuracy: must be greater than 0"),
        ((*SIMULATE, "nan"), "--accuracy: must be greater than 0"),
        ((*SIMULATE, "5", "--speed", "0"), "--speed: must be greater than 0"),
        ((*SIMULATE, "5", "--speed", "fast"), "'fast' is not a number"),
        ((*SIMULATE, "5", "--assume-speed", "-4"), "--assume-speed"),
        ((*SIMULATE, "5", "--start", "yesterday"), "must be now or an ISO 8601 time, not 'yesterday'"),
        (("keys", "--rotate", "secret"), "--rotate"),
        (("serve", "--clock", "soon"), "--clock: must be an ISO 8601 time such as 2026-03-29T01:30:00Z, not 'soon'"),
        (("serve", "--clock", "0001-01-01T00:00+10:00"), "--clock: must be an ISO 8601 time"),
        (("serve", "--clock", "1900-01-01"), "--clock: must be between the years 1971 and 2200, not '1900-01-01'"),
        (("settings", "--set", "fraud"), "--set: must be NAME=VALUE, not 'fraud'"),
        (("explain",), "--device"),
        (("explain", "--device", "d", "--at", "noon"), "--at: must be an ISO 8601 time"),
        (("replay", "--device", "d", "--geofences", "later"), "--geofences"),
        (("replay", "--device", "d", "--after", "x"), "--after"),
        (("clear", "--environment", "live"), "--environment"),
    ],
)
def test_wrong_usage_is_reported_in_two_lines(fencewright: Commands, arguments: tuple[str, ...], message: str) -> None:
    ended = fencewright(*arguments)
    assert ended.code == 2
    assert ended.err.startswith("fencewright: ")
    assert message in ended.err
    assert ended.err.count("\n") == 2


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (WorkspaceBusy("It is open."), 1, "fencewright: It is open.\n"),
        (FileNotFoundError(errno.ENOENT, "No such file", "a.png"), 1, "fencewright: a.png: No such file.\n"),
        (KeyboardInterrupt(), 130, ""),
        (ZeroDivisionError("by zero"), 1, "fencewright: unexpected error: ZeroDivisionError: by zero"),
    ],
)
def test_errors_are_one_line_and_a_code(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int, message: str
) -> None:
    assert run([], Interfaces(desktop=_raising(error), demo=lambda _: 0)) == code
    assert capsys.readouterr().err.startswith(message)


def test_developers_may_ask_for_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SHOW_TRACEBACK, "1")
    with pytest.raises(ZeroDivisionError):
        run([], Interfaces(desktop=_raising(ZeroDivisionError()), demo=lambda _: 0))


def _raising(error: BaseException) -> Callable[..., int]:
    def raise_it(*_: object) -> int:
        raise error

    return raise_it


def test_a_terminal_without_the_characters_shows_their_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    from app.cli.terminal.output import forgive_encoding

    changed: list[str] = []

    class Stream(StringIO):
        def reconfigure(self, *, errors: str) -> None:
            changed.append(errors)

    monkeypatch.setattr(sys, "stdout", Stream())
    monkeypatch.setattr(sys, "stderr", StringIO())
    forgive_encoding()
    assert changed == ["backslashreplace"]


def test_every_command_is_found_at_its_place_in_the_table() -> None:
    (commands,) = [action for action in parser()._actions if isinstance(action, _SubParsersAction)]
    opened_elsewhere = {"desktop", "demo", "serve"}
    assert set(COMMANDS) == set(commands.choices) - opened_elsewhere
    assert all(callable(resolve_name(place)) for place in COMMANDS.values())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("settings", "--set", "bufferEntrys=true"), "bufferEntrys: unknown setting; did you mean bufferEntries?"),
        (("settings", "--set", "zzz=1"), "zzz: unknown setting; fencewright settings lists all of them."),
        (("sync", "set", "url=x"), "url: unknown setting; did you mean urls?"),
        (("sync", "set", "zzz=x"), "zzz: unknown setting; fencewright sync show lists all of them."),
        (
            ("webhooks", "create", "https://example.com", "--event-types", "user.entered_geofense"),
            "eventTypes: there is no event type 'user.entered_geofense'; did you mean user.entered_geofence?",
        ),
        (
            ("settings", "--set", 'segments=[{"description":"s","externalId":"s","conditions":[{"field":"metdata.a",'
             '"comparison":"exists"}]}]'),
            "segments: unknown field 'metdata.a'; did you mean metadata.a?",
        ),
    ],
)  # fmt: skip
def test_a_misspelled_name_gets_a_suggestion(
    fencewright: Commands, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    ended = fencewright(*arguments, "--workspace", tmp_path / "w")
    assert (ended.code, ended.err) == (1, f"fencewright: {message}\n")


def test_warnings_of_the_log_carry_the_name_of_the_program(fencewright: Commands) -> None:
    fencewright("track", "info", "none.gpx")
    assert logging.lastResort is not None
    logging.lastResort.handle(logging.makeLogRecord({"levelno": logging.WARNING, "msg": "There is no world pack."}))
    assert fencewright.capsys.readouterr().err == "fencewright: There is no world pack.\n"
