"""The input for end-to-end tests: a recorded walk, or a synthetic one if it is missing, and geofences along it.

Each way of playing a track (the terminal, a client over HTTP, the window) plays this one and compares the `essence` of
its events with the events of the others.
"""

import csv
import json
from datetime import UTC, datetime, timedelta
from functools import cache
from math import cos, pi, radians, sin, tau
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.domain.tracking.tracks import Track
from engine.simulation.formats.reading import read_track
from tests.app.program import Program
from tests.shared import SharedData

ACCURACY_M = 12.0
CIRCLES = 40
POLYGONS = 15
SEED = 20100805

type Essence = tuple[str, str, int, str]
"""The parts of an event that must not depend on how the track is played: type, geofence, confidence, time."""


@pytest.fixture(scope="session")
def walk_file(shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the walk."""
    recorded = shared_data.find_track("cerknicko-jezero.gpx")
    return recorded or _write_walk(tmp_path_factory.mktemp("walk") / "made-walk.gpx")


def _write_walk(path: Path) -> Path:
    """Write a winding walk of five kilometres, with a fix every 15 seconds."""
    random, moment = Random(SEED), datetime(2010, 8, 5, 14, tzinfo=UTC)
    position, direction = [14.3, 45.75], 0.0
    lines = ['<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>']
    for _ in range(300):
        lines.append(f'<trkpt lat="{position[1]}" lon="{position[0]}"><time>{moment:%Y-%m-%dT%H:%M:%SZ}</time></trkpt>')
        direction += random.uniform(-0.4, 0.4)
        position = _moved(position, random.uniform(12, 24), direction)
        moment += timedelta(seconds=15)
    path.write_text("\n".join([*lines, "</trkseg></trk></gpx>"]), encoding="utf-8")
    return path


@cache
def track(walk: Path) -> Track:
    """Return the walk."""
    return read_track(walk)


def write_fences(path: Path, walk: Path) -> Path:
    """Write the table of the geofences along the walk, which never changes, and return its path."""
    random = Random(SEED)
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["description", "type", "tag", "externalId", "coordinates", "radius", "metadata.kind"])
        for number in range(CIRCLES):
            center = _beside_track(random, walk)
            radius = round(random.uniform(20, 250), 1)
            rows.writerow([f"Circle {number}", "circle", "walk", f"c{number}", json.dumps(center), radius, "circle"])
        for number in range(POLYGONS):
            ring = _star(random, _beside_track(random, walk))
            rows.writerow([f"Polygon {number}", "polygon", "walk", f"p{number}", json.dumps(ring), "", "polygon"])
    return path


def essence(event: dict[str, Any]) -> Essence:
    """Return the essential parts of an event on the wire."""
    fence = f"{event['geofence']['tag']}/{event['geofence']['externalId']}"
    return event["type"], fence, event["confidence"], event["createdAt"]


def simulated(program: Program, workspace: Path, walk: Path, device: str = "walker") -> list[Essence]:
    """Play the walk with ``fencewright simulate`` in a workspace with the geofences."""
    options = ("--workspace", workspace, "--device", device, "--accuracy", ACCURACY_M, "--json")
    ended = program.run("simulate", walk, *options)
    assert ended.code == 0, ended.err
    return [essence(event) for event in ended.events]


def _beside_track(random: Random, walk: Path) -> list[float]:
    point = random.choice(track(walk).points).point
    return _moved([point.longitude, point.latitude], random.uniform(0, 150), random.uniform(0, tau))


def _star(random: Random, center: list[float]) -> list[list[float]]:
    """Return a ring whose vertices are visible from its centre: it may have dents but never crosses itself."""
    corners = random.randint(3, 12)
    step = tau / corners
    ring = [
        _moved(center, random.uniform(40, 300), number * step + random.uniform(0, step * 0.9))
        for number in range(corners)
    ]
    return [*ring, ring[0]]


def _moved(position: list[float], metres: float, direction: float) -> list[float]:
    degree = 6_371_008.8 * pi / 180
    lon, lat = position
    return [
        round(lon + metres * cos(direction) / (degree * cos(radians(lat))), 7),
        round(lat + metres * sin(direction) / degree, 7),
    ]
