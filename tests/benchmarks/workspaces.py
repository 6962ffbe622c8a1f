"""Workspaces with many geofences, stored without the engine, so that a million take only a minute."""

import random
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import batched
from math import cos, pi, sin
from pathlib import Path

from engine.domain.environment import Environment
from engine.domain.geofence import DEFAULT_RULES, Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.domain.hours import DAYS, parse_hours
from engine.domain.ip import parse_ip_ranges
from engine.domain.ports import SystemClock
from engine.store.database import Database
from engine.store.geofences import save
from engine.store.workspace import open_workspace
from engine.wiring import IdMaker

SHARE_POLYGONS = 0.1
VERTICES = 200
AREA = (5.0, 45.0, 15.0, 55.0)

_ROWS = 10_000
_HOURS = parse_hours({day: [["00:00", "12:30"], ["12:30", "24:00"]] for day in DAYS})
_RULES = (
    GeofenceRules(operating_hours=_HOURS, ip=parse_ip_ranges("127.0.0.*, 10.0.0.0/8, ::1")),
    GeofenceRules(operating_hours=_HOURS, disable_after=datetime.now(UTC) + timedelta(days=1_000)),
    *[GeofenceRules(operating_hours=_HOURS)] * 8,
)
"""Rules that are checked but let every event pass, so that they do not change the events."""


def place(number: int) -> tuple[float, float]:
    """Return the longitude and latitude of a geofence's centre."""
    chance = random.Random(number)
    return chance.uniform(AREA[0], AREA[2]), chance.uniform(AREA[1], AREA[3])


def geofences(count: int, *, rules: bool) -> Iterator[Geofence]:
    """Yield geofences: circles of 20 to 250 m, with every tenth one a polygon."""
    clock = SystemClock()
    make_id = IdMaker(clock)
    for number in range(count):
        geofence_id, now = make_id(), clock.now()
        yield Geofence(
            id=geofence_id,
            environment=Environment.TEST,
            summary=GeofenceSummary(geofence_id, f"t{number % 100}", str(number), f"Fence {number}"),
            geometry=_geometry(number),
            enabled=True,
            created_at=now,
            updated_at=now,
            rules=_RULES[number % len(_RULES)] if rules else DEFAULT_RULES,
            revision=1,
        )


def _geometry(number: int) -> Geometry:
    longitude, latitude = place(number)
    if number % round(1 / SHARE_POLYGONS):
        return Circle(Point(longitude, latitude), 20.0 + number % 231)
    turns = [2 * pi * i / VERTICES for i in range(VERTICES)]
    ring = [(longitude + 0.002 * cos(turn), latitude + 0.0013 * sin(turn)) for turn in turns]
    return Polygon((*ring, ring[0]))


def build(folder: Path, count: int, *, rules: bool = False) -> None:
    """Create a workspace in a new folder. An unfinished one is built again."""
    draft = folder.with_name(f"{folder.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    workspace = open_workspace(draft)
    database = Database(workspace.database_file)
    with database.connect() as connection:
        for rows in batched(geofences(count, rules=rules), _ROWS):
            with connection.begin():
                save(connection, rows)
    database.close()
    workspace.close()
    draft.rename(folder)


def copied(kept: Path, folder: Path, count: int, *, rules: bool = False) -> Path:
    """Return a copy in `folder` of a workspace in `kept`, which is built if it does not exist yet."""
    original = kept / f"fences-{count}{'-rules' if rules else ''}"
    if not original.exists():
        kept.mkdir(parents=True, exist_ok=True)
        build(original, count, rules=rules)
    copy = folder / "workspace"
    shutil.rmtree(copy, ignore_errors=True)
    return Path(shutil.copytree(original, copy))
