"""Scripts for the Android emulator have the speeds and, where Android takes them, the accuracies of a track."""

import os
import stat
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.simulation.writing.writing import TrackFormat, left_out, write_track

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
A_STEP = 77.45
"""Metres between two positions that are a thousandth of a degree apart."""

WALK = Track(
    "a\n`rm -rf`$(b)",
    tuple(
        TrackPoint(Point(14.5 + n / 1000, 46.0), NOON + timedelta(seconds=at), accuracy, speed_mps=speed)
        for n, (at, accuracy, speed) in enumerate(((0, 5, None), (10, 12.345, 1.5), (10, None, None), (60, 65, 0.0)))
    ),
)
BARE = Track("a", (TrackPoint(Point(14.501234567890123, -46.00000001)), TrackPoint(Point(0.1 + 0.2, 1e-9))))

needs_shell = pytest.mark.skipif(os.name == "nt", reason="the script is for a shell")


def knots(mps: float) -> str:
    return f"{mps * 3600 / 1852:.2f}"


def called(folder: Path, *arguments: str) -> list[str]:
    """Run the script for the walk with tools that only record their arguments."""
    for name in ("adb", "sleep"):
        tool = folder / name
        tool.write_text(f'#!/bin/sh\necho {name} "$@" "[$ANDROID_SERIAL]" >> "{folder}/calls"\n')
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    script = folder / "track.sh"
    script.write_bytes(write_track(WALK, TrackFormat.ADB))
    environment = {"PATH": f"{folder}:{os.environ['PATH']}"}
    subprocess.run(["/bin/sh", str(script), *arguments], env=environment, check=True)
    return (folder / "calls").read_text().splitlines()


@needs_shell
def test_the_script_moves_the_emulator_with_the_speeds(tmp_path: Path) -> None:
    made = knots(A_STEP / 10)
    assert called(tmp_path, "emulator-5556") == [
        f"adb emu geo fix 14.5 46.0 0 12 {made} [emulator-5556]",
        "sleep 10 [emulator-5556]",
        f"adb emu geo fix 14.501 46.0 0 12 {knots(1.5)} [emulator-5556]",
        "adb emu geo fix 14.502 46.0 0 12 0.00 [emulator-5556]",
        "sleep 50 [emulator-5556]",
        "adb emu geo fix 14.503 46.0 0 12 0.00 [emulator-5556]",
    ]


@needs_shell
def test_the_script_moves_the_emulator_with_the_accuracies_if_requested(tmp_path: Path) -> None:
    mock, setting = "adb shell cmd location providers", "set-test-provider-location gps --location"
    assert called(tmp_path, "--accuracy") == [
        "adb shell appops set com.android.shell android:mock_location allow []",
        f"{mock} add-test-provider gps []",
        f"{mock} set-test-provider-enabled gps true []",
        f"{mock} {setting} 46.0,14.5 --accuracy 5.0 []",
        "sleep 10 []",
        f"{mock} {setting} 46.0,14.501 --accuracy 12.35 []",
        f"{mock} {setting} 46.0,14.502 []",
        "sleep 50 []",
        f"{mock} {setting} 46.0,14.503 --accuracy 65.0 []",
        f"{mock} remove-test-provider gps []",
    ]


def test_commands_of_the_console_have_the_speeds_that_are_known() -> None:
    assert write_track(WALK, TrackFormat.GEO_FIX).decode().splitlines() == [
        f"geo fix 14.5 46.0 0 12 {knots(A_STEP / 10)}",
        f"geo fix 14.501 46.0 0 12 {knots(1.5)}",
        "geo fix 14.502 46.0",
        "geo fix 14.503 46.0 0 12 0.00",
    ]
    assert write_track(BARE, TrackFormat.GEO_FIX) == b"geo fix 14.5012346 -46.0\ngeo fix 0.3 0.0\n"


FIXED = "The emulator gives every position the accuracy of its system image, such as 5 m."


def test_values_that_a_format_cannot_hold_are_counted() -> None:
    flags = Track("a", (TrackPoint(Point(0, 0), NOON, 5, True, True, 1.0), TrackPoint(Point(0, 0), NOON, 5, False)))
    notes = {each: left_out(flags, each) for each in TrackFormat}
    assert notes[TrackFormat.GPX] == notes[TrackFormat.CSV] == notes[TrackFormat.GEOJSON] == ()
    kept_nowhere = ("Foreground flags left out: 2.", "Stopped flags left out: 1.")
    assert notes[TrackFormat.XCODE] == ("Accuracies left out: 2.", "Speeds left out: 1.", *kept_nowhere)
    assert notes[TrackFormat.ADB] == (
        *kept_nowhere,
        FIXED,
        "Run the script with --accuracy for those of the track; its positions are then mocked and have no speeds.",
    )
    assert notes[TrackFormat.GEO_FIX] == (
        "Accuracies left out: 2.",
        *kept_nowhere,
        FIXED,
        "Times are left out, because the console does not wait.",
    )
    assert [left_out(BARE, each) for each in TrackFormat] == [()] * 6
