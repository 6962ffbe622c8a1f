"""``fencewright track``, which shows, edits, converts and records tracks, and reads its own output."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest

from engine.domain.geometry import Point
from engine.domain.tracking.tracks import TrackPoint
from engine.simulation.formats.reading import read_track
from tests.app.commands import Commands, written

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
TABLE = """lon,lat,time,accuracy
14.5,46.0,2026-01-01T12:00:00Z,5
14.501,46.0,2026-01-01T12:00:10Z,20
east,46.0,2026-01-01T12:00:15Z,20
14.502,46.0,2026-01-01T12:00:20Z,65
"""


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    return written(tmp_path / "walk.csv", TABLE)


def seconds_of(file: Path) -> list[float]:
    return [(point.at - NOON).total_seconds() for point in read_track(file).points if point.at is not None]


def test_info_summarizes_a_file(fencewright: Commands, walk: Path) -> None:
    shown = fencewright("track", "info", walk)
    assert shown.code == 0
    assert shown.out.splitlines() == [
        "positions  3",
        "length     155 m",
        "time       2026-01-01T12:00:00.000Z to 2026-01-01T12:00:20.000Z (20 s)",
        "gaps       typically 10 s, 10 s at most",
        "accuracy   5 to 65 m, typically 20 m",
    ]
    assert shown.err == "fencewright: walk.csv: row 4, column lon: 'east' is not a number.\n"
    encoded = fencewright("track", "info", walk, "--json").json
    assert encoded["skipped"] == ["row 4, column lon: 'east' is not a number."]
    assert encoded["accuracyMeters"] == {"min": 5.0, "median": 20.0, "max": 65.0}


def test_a_track_is_edited_in_the_order_of_the_options(fencewright: Commands, walk: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.gpx"
    command = ("track", "convert", walk, "-o", out)
    assert fencewright(*command).err.endswith(f"3 positions written to {out}\n")
    assert read_track(out).points == read_track(walk).points
    fencewright(*command, "--join", walk, "--gap", "60", "--from", "2026-01-01T12:00:10Z", "--last", "4", "--reverse")
    assert seconds_of(out) == [10, 20, 80, 90]
    assert read_track(out).points[0].point == Point(14.501, 46.0)
    fencewright(*command, "--resample", "4", "--start", "2026-01-01T12:01:00Z")
    assert seconds_of(out) == [60, 64, 68, 72, 76, 80]
    fencewright(*command, "--assume-speed", "36")
    assert seconds_of(out)[1] == pytest.approx(7.745, abs=0.01)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("-o", "out.kml"),
            "--format: cannot tell it from the name out.kml; give one of gpx, xcode, csv, geojson, adb",
        ),
        (("-o", "out.gpx", "--join", "walk.csv"), "--join: walk.csv begins at 2026-01-01T12:00:00Z, before"),
        (("-o", "out.gpx", "--first", "9"), "--from: no position of walk.csv would be left."),
        (("-o", "out.gpx", "--device", "a"), "device: the file has no positions of 'a'; the file names no devices."),
        (("-o", "no/where.gpx"), "where.gpx cannot be written: No such file or directory."),
    ],
)
def test_an_invalid_option_is_named(
    fencewright: Commands,
    walk: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    ended = fencewright("track", "convert", walk.name, *options)
    assert ended.code == 1
    assert message in ended.err
    assert not Path("out.gpx").exists()


def test_the_formats_are_offered(fencewright: Commands, walk: Path, tmp_path: Path) -> None:
    for name, option, begins in (
        ("a.sh", (), "#!/bin/sh"),
        ("a.txt", ("--format", "geo-fix"), "geo fix 14.5 46.0"),
        ("a.gpx", ("--format", "xcode"), "<?xml"),
        ("a.geojson", (), '{"type": "FeatureCollection"'),
    ):
        assert fencewright("track", "convert", walk, "-o", tmp_path / name, *option).code == 0
        assert (tmp_path / name).read_text().startswith(begins)


def test_omissions_are_reported_when_reading_and_writing(fencewright: Commands, walk: Path, tmp_path: Path) -> None:
    lines = [{"type": "LineString", "coordinates": [[14.5, 46.0]]}] * 6
    times = [{"coordTimes": ["2026-01-01T12:00:00Z"]}, *[{}] * 5]
    features = [
        {"type": "Feature", "geometry": line, "properties": properties}
        for line, properties in zip(lines, times, strict=True)
    ]
    file = written(tmp_path / "a.geojson", json.dumps({"type": "FeatureCollection", "features": features}))
    left_out = "5 of 6 lines have no times and are left out."
    assert fencewright("track", "info", file).err == f"fencewright: a.geojson: {left_out}\n"
    assert fencewright("track", "info", file, "--json").json["skipped"] == [left_out]
    out = tmp_path / "walk.txt"
    messages = fencewright("track", "convert", walk, "-o", out, "--format", "geo-fix").err.splitlines()
    assert messages[1:] == [
        "fencewright: walk.txt: Accuracies left out: 3.",
        "fencewright: walk.txt: The emulator gives every position the accuracy of its system image, such as 5 m.",
        "fencewright: walk.txt: Times are left out, because the console does not wait.",
        f"fencewright: 3 positions written to {out}",
    ]
    assert fencewright("track", "convert", walk, "-o", tmp_path / "walk.csv.gpx").err.count("left out") == 0


def test_a_track_with_accuracies_of_its_own_is_simulated_with_them(
    fencewright: Commands, workspace: Path, walk: Path, tmp_path: Path
) -> None:
    ended = fencewright("simulate", walk, "--workspace", workspace, "--device", "a")
    assert "row 4, column lon" in ended.err
    assert ended.code == 0
    out = tmp_path / "recorded.csv"
    again = fencewright("track", "record", "--workspace", workspace, "--device", "a", "-o", out)
    assert again.code == 0, again.err
    assert read_track(out).points == tuple(
        TrackPoint(point.point, point.at, point.accuracy_m, False, False) for point in read_track(walk).points
    )
    late = fencewright(
        "track", "record", "--workspace", workspace, "--device", "a", "-o", out, "--after", "2026-01-01T12:00:10Z"
    )
    assert late.code == 0
    assert seconds_of(out) == [20]
    missing = fencewright("track", "record", "--workspace", workspace, "--device", "b", "-o", out)
    assert "No location updates are kept for the device 'b'." in missing.err


def test_a_track_is_recorded_from_the_request_log(fencewright: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    with fencewright.serve(folder) as served:
        updates = [
            {
                "deviceId": "phone-1",
                "latitude": 46.0,
                "longitude": 14.5 + number / 1000,
                "accuracy": 12.5,
                "foreground": True,
                "updatedAt": (NOON + timedelta(seconds=10 * number)).isoformat(),
            }
            for number in range(3)
        ]
        key = {"Authorization": served.key(level="publishable")}
        for path, body in (("track", updates[0]), ("track/replay", {"replays": updates[1:]})):
            assert httpx.post(f"{served.url}/v1/{path}", json=body, headers=key).status_code == 200
        out = tmp_path / "sent.geojson"
        command = ("track", "record", "--workspace", folder, "--device", "phone-1", "-o", out)
        ended = fencewright(*command, "--requests")
        assert ended.code == 0, ended.err
        expected = tuple(
            TrackPoint(Point(14.5 + n / 1000, 46.0), NOON + timedelta(seconds=10 * n), 12.5, True, None)
            for n in range(3)
        )
        assert read_track(out).points == expected
        log = httpx.get(f"{served.url}/v1/requests", headers={"Authorization": served.key()})
        saved = written(tmp_path / "requests.json", log.text)
        assert read_track(saved).points == expected
        assert fencewright(*command).code == 0
        assert [point.stopped for point in read_track(out).points] == [False] * 3
        assert "has no location update" in fencewright(*command[:5], "b", *command[6:], "--requests").err
    assert json.loads(out.read_text())["features"]
