"""A history of devices that drive in circles, for back-tests in the window."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FIRST: Final = datetime(2026, 3, 2, 6, tzinfo=UTC)
STEP_S: Final = 30


def write_history(
    file: Path, center: tuple[float, float], *, devices: int = 40, fixes: int = 500, device: str = "deviceId"
) -> Path:
    """Write the fixes of devices that drive around a centre, on circles of different sizes, and wait now and then."""
    random = np.random.default_rng(4)
    number = np.repeat(np.arange(devices), fixes)
    step = np.tile(np.arange(fixes), devices)
    radius = 0.004 + 0.012 * (number + 1) / devices
    # Every other device drives the other way round, and all of them wait a third of the time.
    turn = np.where(number % 2, 1, -1) * (step // 15 * 10 + np.minimum(step % 15, 10)) / 60 + number
    noise = random.normal(0, 0.00004, (2, devices * fixes))
    times = int(FIRST.timestamp() * 1_000_000) + step * STEP_S * 1_000_000
    table = pa.table(
        {
            device: pa.array([f"van-{each:03}" for each in number]),
            "time": pa.array(times, pa.timestamp("us", "UTC")),
            "longitude": center[0] + radius * np.cos(turn) * 1.45 + noise[0],
            "latitude": center[1] + radius * np.sin(turn) + noise[1],
            "accuracy": np.full(devices * fixes, 12.0),
        }
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, file)
    return file
