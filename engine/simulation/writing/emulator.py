"""Commands that move the Android emulator: https://developer.android.com/studio/run/emulator-console.

``geo fix LONGITUDE LATITUDE [ALTITUDE [SATELLITES [VELOCITY]]]`` has the speed, in knots, but no accuracy. The
emulator's images report the same accuracy for all fixes, regardless of the dilution of precision in a ``geo nmea``
sentence. Android's ``cmd location providers`` has the accuracy, but no speed, and marks the positions as mocked.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from engine.domain.tracking.tracks import Track, TrackPoint
from engine.geo.earth import metres_between
from engine.simulation.writing.texts import degrees, one_line

_DIGITS: Final = 7
"""Decimals of a degree, about a centimetre, which is finer than a phone's receiver."""

_KNOT_MPS: Final = 1852 / 3600
_BEFORE_SPEED: Final = "0 12"
"""The altitude and the satellites, which must precede the speed; a track has neither."""

_STEP_S: Final = 1.0
"""Wait of the script between positions without times, in seconds."""

_HEAD: Final = """#!/bin/sh
# {name}: {count:,} positions for the Android emulator.
# Usage: sh {file} [--accuracy] [SERIAL]   (SERIAL as `adb devices` lists it; required if several emulators run)
# Without --accuracy, positions have speeds, and the accuracy of the system image (such as 5 m).
# With it, positions have the accuracies of the track, but no speeds, and apps see that they are mocked;
# it needs Android 13 or later.
set -e
accuracy=
if [ "$1" = --accuracy ]; then accuracy=yes; shift; fi
if [ $# -gt 0 ]; then ANDROID_SERIAL=$1; export ANDROID_SERIAL; fi
mock() {{ adb shell cmd location providers "$@" < /dev/null > /dev/null; }}
fix() {{
  if [ -z "$accuracy" ]; then adb emu geo fix "$1" "$2" {between} "$3" < /dev/null > /dev/null
  elif [ -z "$4" ]; then mock set-test-provider-location gps --location "$2,$1"
  else mock set-test-provider-location gps --location "$2,$1" --accuracy "$4"
  fi
}}
if [ -n "$accuracy" ]; then
  adb shell appops set com.android.shell android:mock_location allow < /dev/null
  mock add-test-provider gps
  trap 'mock remove-test-provider gps' EXIT
  trap 'exit 1' HUP INT TERM
  mock set-test-provider-enabled gps true
fi
"""


def write_commands(track: Track) -> bytes:
    """Return an emulator console command for each position, without waits, which the console does not support."""
    speeds = _speeds(track, None)
    commands = (
        f"geo fix {_position(point)}{'' if speed is None else f' {_BEFORE_SPEED} {_knots(speed)}'}\n"
        for point, speed in zip(track.points, speeds, strict=True)
    )
    return "".join(commands).encode()


def write_script(track: Track) -> bytes:
    """Return a shell script that sets one position after the other through ``adb``, with waits in between."""
    head = _HEAD.format(name=one_line(track.name), count=len(track.points), file="track.sh", between=_BEFORE_SPEED)
    return "".join((head, *_steps(track))).encode(errors="replace")


def _steps(track: Track) -> Iterator[str]:
    speeds = _speeds(track, _STEP_S)
    waits = ("", *(_wait(one, following) for one, following in pairwise(track.points)))
    for point, speed, wait in zip(track.points, speeds, waits, strict=True):
        if wait:
            yield f"sleep {wait}\n"
        accuracy = "" if point.accuracy_m is None else f" {degrees(round(point.accuracy_m, 2))}"
        yield f"fix {_position(point)} {_knots(speed or 0.0)}{accuracy}\n"


def _wait(one: TrackPoint, following: TrackPoint) -> str:
    """Return the seconds between two positions, 1 for a track without times, or empty text for no wait."""
    passed = round(_passed_s(one, following, _STEP_S) or 0.0, 3)
    return "" if passed <= 0 else f"{passed:.3f}".rstrip("0").rstrip(".")


def _passed_s(one: TrackPoint, following: TrackPoint, untimed_s: float | None) -> float | None:
    if one.at is None or following.at is None:
        return untimed_s
    return (following.at - one.at).total_seconds()


def _speeds(track: Track, untimed_s: float | None) -> list[float | None]:
    """Return the speed of each fix: the recorded one, otherwise the speed at which the fix was reached.

    A first fix without a recorded speed has the speed at which the second one was reached. Positions without times are
    `untimed_s` apart; if that is None, their speed is unknown.
    """
    reached = [_speed(one, following, untimed_s) for one, following in pairwise(track.points)]
    made = [*(reached[:1] or [None]), *reached]
    return [
        made_mps if point.speed_mps is None else point.speed_mps
        for point, made_mps in zip(track.points, made, strict=True)
    ]


def _speed(one: TrackPoint, following: TrackPoint, untimed_s: float | None) -> float | None:
    passed = _passed_s(one, following, untimed_s)
    return None if passed is None or passed <= 0 else metres_between(one.point, following.point) / passed


def _knots(mps: float) -> str:
    return f"{mps / _KNOT_MPS:.2f}"


def _position(point: TrackPoint) -> str:
    return f"{degrees(round(point.point.longitude, _DIGITS))} {degrees(round(point.point.latitude, _DIGITS))}"
