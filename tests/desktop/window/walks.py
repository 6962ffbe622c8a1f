"""Tracks as files, like those of a recorder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from engine.domain.geometry import Point

GPX: Final = """<?xml version="1.0"?>
<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
{points}
</trkseg></trk></gpx>"""


def write_walk(file: Path, longitude: float, latitude: float) -> Path:
    """Write a walk of 21 fixes to the east, one per second."""
    points = (
        f'<trkpt lat="{latitude}" lon="{longitude + n / 1000:.4f}"><time>2026-05-12T06:00:{n:02}Z</time></trkpt>'
        for n in range(21)
    )
    file.write_text(GPX.format(points="\n".join(points)))
    return file


def write_drive(file: Path, positions: Sequence[Point]) -> Path:
    """Write a track through positions, one per minute."""
    points = (
        f'<trkpt lat="{point.latitude}" lon="{point.longitude}"><time>2026-05-12T06:{n:02}:00Z</time></trkpt>'
        for n, point in enumerate(positions)
    )
    file.write_text(GPX.format(points="\n".join(points)))
    return file
