"""Synthetic geofences and histories of devices for the benchmark of back-tests, around 60° north."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct
from numpy.typing import NDArray

from engine.backtest.rows import NOW, SCHEMA
from engine.domain.environment import Environment
from engine.domain.geofence import DEFAULT_RULES, Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Point, Polygon
from engine.domain.hours import parse_hours
from engine.domain.settings import ProjectSettings

type Floats = NDArray[np.float64]

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
BEGIN_US = 1_767_225_600_000_000
WEST, SOUTH = 24.0, 60.0
EAST_M, NORTH_M = 55_600.0, 111_200.0
"""Metres per degree of longitude and latitude."""

CORNERS = 8
BETWEEN_S = 15
STEP_M = 15.0
HISTORY_STEP_M = 40.0
"""Distance between two fixes of a whole back-test, so that one in fifty causes an event."""
REPORTED_M = 100.0
"""Distance from a boundary within which devices near one stay."""

ALL_RULES = ProjectSettings(
    buffer_entries=True,
    buffer_exits=True,
    dwell_event=True,
    default_dwell_threshold_s=60,
    minimum_confidence=2,
    operating_hours_restriction=True,
)


class Fences(Struct, frozen=True):
    """Geofences with their centres and radii."""

    geofences: tuple[Geofence, ...]
    longitudes: Floats
    latitudes: Floats
    radii_m: Floats


def fences_of(count: int, *, side: float = 1.0, ruled: bool = False) -> Fences:
    """Return geofences in an area, half of them circles and half polygons, with rules of their own if `ruled`."""
    rng = np.random.default_rng(1)
    x, y = rng.uniform(WEST, WEST + side * 2, count), rng.uniform(SOUTH, SOUTH + side, count)
    radii_m = rng.uniform(50, 300, count)
    geometries = (
        Circle(Point(*at), radius_m) if number % 2 else _polygon(at, radius_m, rng)
        for number, (at, radius_m) in enumerate(zip(np.column_stack([x, y]).tolist(), radii_m.tolist(), strict=True))
    )
    found = tuple(_geofence(number, geometry, ruled=ruled) for number, geometry in enumerate(geometries))
    return Fences(found, x, y, radii_m)


def _polygon(at: Sequence[float], radius_m: float, rng: np.random.Generator) -> Polygon:
    turns = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    away_m = radius_m * rng.uniform(0.6, 1.2, CORNERS)
    ring = np.column_stack([at[0] + away_m * np.cos(turns) / EAST_M, at[1] + away_m * np.sin(turns) / NORTH_M])
    positions = [(float(longitude), float(latitude)) for longitude, latitude in ring]
    return Polygon((*positions, positions[0]))


def _geofence(number: int, geometry: Geometry, *, ruled: bool) -> Geofence:
    summary = GeofenceSummary(f"{number:024x}", "shop", str(number), f"Shop {number}")
    rules = _rules(number) if ruled else DEFAULT_RULES
    return Geofence(summary.id, Environment.TEST, summary, geometry, True, BEGIN, BEGIN, rules=rules)


def _rules(number: int) -> GeofenceRules:
    """Return rules of which each is set for some geofences."""
    hours = parse_hours({"Thu": [["00:30", "02:30"]], "Fri": [["22:00", "02:00"]], "Sat": [["08:00", "20:00"]]})
    return GeofenceRules(
        operating_hours=hours if number % 3 == 0 else None,
        stop_detection=(None, None, True, False)[number % 4],
        disable_after=BEGIN + timedelta(hours=2) if number % 5 == 0 else None,
        delete_after=BEGIN + timedelta(hours=3) if number % 7 == 0 else None,
        dwell_threshold_s=(None, 45.0, 300.0)[number % 3],
    )


class Tracks(Struct, frozen=True):
    """Positions of devices, of shape (devices, fixes)."""

    longitudes: Floats
    latitudes: Floats


def far_tracks(devices: int, fixes: int, step_m: float, seed: int, side: float = 1.0) -> Tracks:
    """Return devices that travel through the whole area."""
    rng = np.random.default_rng(seed)
    heading = np.cumsum(rng.normal(0, 0.2, (devices, fixes)), axis=1) + rng.uniform(0, 2 * np.pi, (devices, 1))
    east = rng.uniform(0, side * 2, (devices, 1)) + np.cumsum(np.cos(heading) * step_m, axis=1) / EAST_M
    north = rng.uniform(0, side, (devices, 1)) + np.cumsum(np.sin(heading) * step_m, axis=1) / NORTH_M
    return Tracks(WEST + _bounced(east, side * 2), SOUTH + _bounced(north, side))


def _bounced(values: Floats, limit: float) -> Floats:
    return np.abs(values % (2 * limit) - limit)


def near_tracks(fences: Fences, devices: int, fixes: int, seed: int) -> Tracks:
    """Return devices each of which goes around a geofence, within `REPORTED_M` of its boundary."""
    rng = np.random.default_rng(seed)
    chosen = rng.integers(0, len(fences.radii_m), devices)
    wander = np.cumsum(rng.normal(0, STEP_M * 0.7, (devices, fixes)), axis=1)
    radii_m = fences.radii_m[chosen][:, None]
    away_m = np.maximum(1, radii_m + _bounced(wander, 2 * REPORTED_M) - REPORTED_M)
    turn = rng.uniform(0, 2 * np.pi, (devices, 1)) + np.cumsum(STEP_M * 0.7 / away_m, axis=1)
    return Tracks(
        fences.longitudes[chosen][:, None] + away_m * np.cos(turn) / EAST_M,
        fences.latitudes[chosen][:, None] + away_m * np.sin(turn) / NORTH_M,
    )


def rows_of(tracks: Tracks, seed: int, first: int = 0, *, late: bool = False) -> pa.Table:
    """Return the rows of devices, which are numbered from `first`; with `late`, some arrive late or twice."""
    rng = np.random.default_rng(seed)
    devices, fixes = tracks.longitudes.shape
    count = devices * fixes
    at_us = np.tile(np.arange(fixes) * BETWEEN_S * 1_000_000, devices) + BEGIN_US
    names = pa.array([f"d{number:07}" for number in range(first, first + devices)])
    device = pa.DictionaryArray.from_arrays(np.repeat(np.arange(devices, dtype=np.int32), fixes), names)
    delays_us = rng.choice([0, 0, 0, 0, 0, 0, 40, 600], count) * 1_000_000 if late else np.zeros(count, np.int64)
    columns = {
        "device": device.cast(pa.string()),
        "user": pa.nulls(count, pa.string()),
        "at_us": at_us,
        "received_us": at_us + delays_us if late else pa.nulls(count, pa.int64()),
        "number": np.zeros(count, np.int64),
        "longitude": tracks.longitudes.ravel(),
        "latitude": tracks.latitudes.ravel(),
        "accuracy_m": rng.uniform(5, 30, count),
        "stopped": rng.random(count) < 0.5 if late else np.zeros(count, np.bool),
        "foreground": np.zeros(count, np.bool),
        "ip": pa.nulls(count, pa.string()),
        "revision": np.full(count, NOW, np.int64),
        "settings": np.zeros(count, np.int32),
    }
    table = pa.table([pa.array(columns[each.name], each.type) for each in SCHEMA], schema=SCHEMA)
    if not late:
        return table
    again = table.take(rng.integers(0, count, count // 100))
    again = again.set_column(3, SCHEMA.field(3), pa.array(again["received_us"].to_numpy() + 1_000_000))
    return pa.concat_tables([table, again])


def write_history(folder: Path, fences: Fences, fixes: int, per_file: int = 1_000_000) -> None:
    """Write a history whose devices are far from boundaries except for one of fifty, to Parquet files."""
    folder.mkdir()
    for number, (devices, seed) in enumerate(_shares(fixes, per_file)):
        near = max(1, devices // 50)
        parts = [
            rows_of(far_tracks(devices - near, PER_DEVICE, HISTORY_STEP_M, seed), seed, seed * per_file),
            rows_of(near_tracks(fences, near, PER_DEVICE, seed), seed, seed * per_file + devices),
        ]
        table = pa.concat_tables(parts)
        moments = table["at_us"].cast(pa.timestamp("us", "UTC"))
        shown = table.select(["device", "longitude", "latitude", "accuracy_m"]).append_column("time", moments)
        names = ["deviceId", "longitude", "latitude", "accuracy", "time"]
        pq.write_table(shown.rename_columns(names), folder / f"{number:05}.parquet")


PER_DEVICE = 1_000


def _shares(fixes: int, per_file: int) -> Iterator[tuple[int, int]]:
    """Yield the number of devices of each file, and a seed."""
    for seed, start in enumerate(range(0, fixes, per_file), start=1):
        yield max(2, min(per_file, fixes - start) // PER_DEVICE), seed
