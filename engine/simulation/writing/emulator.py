"""Commands that move the Android emulator: ``geo fix`` of https://developer.android.com/studio/run/emulator-console."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from engine.domain.tracking.tracks import Track, TrackPoint
from engine.simulation.writing.texts import degrees, one_line

_DIGITS: Final = 7
"""Digits of a degree, about a centimetre: more than the receiver of a phone knows."""

_HEAD: Final = """#!/bin/sh
# {name}: {count:,} positions for the Android emulator.
# Usage: sh {file} [SERIAL]   (SERIAL as `adb devices` lists it; required if several emulators run)
set -e
if [ $# -gt 0 ]; then ANDROID_SERIAL=$1; export ANDROID_SERIAL; fi
fix() {{ adb emu geo fix "$1" "$2" < /dev/null > /dev/null; }}
"""


def write_commands(track: Track) -> bytes:
    """Return a command of the emulator's console for each position, without waits, which the console has not."""
    return "".join(f"geo fix {_position(point)}\n" for point in track.points).encode()


def write_script(track: Track) -> bytes:
    """Return a script for a shell that sets one position after the other through ``adb`` and waits in between."""
    return "".join(
        (_HEAD.format(name=one_line(track.name), count=len(track.points), file="track.sh"), *_steps(track))
    ).encode(errors="replace")


def _steps(track: Track) -> Iterator[str]:
    yield f"fix {_position(track.points[0])}\n"
    for one, following in pairwise(track.points):
        if wait := _wait(one, following):
            yield f"sleep {wait}\n"
        yield f"fix {_position(following)}\n"


def _wait(one: TrackPoint, following: TrackPoint) -> str:
    """Return the seconds between two positions; one where the track has no times, nothing where there is no time."""
    if one.at is None or following.at is None:
        return "1"
    passed = round((following.at - one.at).total_seconds(), 3)
    return "" if passed <= 0 else f"{passed:.3f}".rstrip("0").rstrip(".")


def _position(point: TrackPoint) -> str:
    return f"{degrees(round(point.point.longitude, _DIGITS))} {degrees(round(point.point.latitude, _DIGITS))}"
