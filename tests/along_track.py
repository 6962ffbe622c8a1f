"""The real input of the whole path: a recorded walk with circles and polygons laid along it.

Whoever can play a track (the terminal, a client over HTTP, the window) plays this one and compares `essence` of its
events with those of the others.
"""

import csv
import json
from functools import cache
from math import cos, pi, radians, sin, tau
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.domain.tracking.tracks import Track
from engine.simulation.formats.reading import read_track
from tests.app.program import Program

TRACK_FILE = Path(__file__).parents[1].parent / "shared" / "data" / "gpx" / "cerknicko-jezero.gpx"
ACCURACY_M = 12.0
CIRCLES = 40
POLYGONS = 15
SEED = 20100805

needs_track = pytest.mark.skipif(not TRACK_FILE.exists(), reason="the recorded track is not beside the project")

type Essence = tuple[str, str, int, str]
"""The parts that must be the same however the track is played: type, geofence, confidence, time."""


@cache
def track() -> Track:
    """Return the recorded walk."""
    return read_track(TRACK_FILE)


def write_fences(path: Path) -> Path:
    """Write the table of the geofences along the walk, always the same ones, and return its path."""
    random = Random(SEED)
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["description", "type", "tag", "externalId", "coordinates", "radius", "metadata.kind"])
        for number in range(CIRCLES):
            center = _beside_track(random)
            radius = round(random.uniform(20, 250), 1)
            rows.writerow([f"Circle {number}", "circle", "walk", f"c{number}", json.dumps(center), radius, "circle"])
        for number in range(POLYGONS):
            ring = _star(random, _beside_track(random))
            rows.writerow([f"Polygon {number}", "polygon", "walk", f"p{number}", json.dumps(ring), "", "polygon"])
    return path


def essence(event: dict[str, Any]) -> Essence:
    """Return what counts of an event as the wire spells it."""
    fence = f"{event['geofence']['tag']}/{event['geofence']['externalId']}"
    return event["type"], fence, event["confidence"], event["createdAt"]


def simulated(program: Program, workspace: Path, device: str = "walker") -> list[Essence]:
    """Play the walk with ``fencewright simulate`` in a workspace that has the geofences."""
    options = ("--workspace", workspace, "--device", device, "--accuracy", ACCURACY_M, "--json")
    ended = program.run("simulate", TRACK_FILE, *options)
    assert ended.code == 0, ended.err
    return [essence(event) for event in ended.events]


def _beside_track(random: Random) -> list[float]:
    point = random.choice(track().points).point
    return _moved([point.longitude, point.latitude], random.uniform(0, 150), random.uniform(0, tau))


def _star(random: Random, center: list[float]) -> list[list[float]]:
    """Return a ring whose corners see the centre: it may have dents and never crosses itself."""
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
