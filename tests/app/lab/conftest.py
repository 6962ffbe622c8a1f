"""Fixtures for the tests of the lab."""

from collections.abc import Callable
from pathlib import Path

import pytest

type Write = Callable[..., Path]

STORE = '{tag: store, externalId: "1", description: A store, type: circle, coordinates: [1.0828, 51.2798], radius: 100}'

VISIT = f"""\
version: 1
name: A visit
clock: 2026-03-02T09:00:00Z
geofences:
  - {STORE}
devices:
  - deviceId: phone-1
    track:
      points:
        - {{at: 0s, coordinates: [1.0900, 51.2798]}}
        - {{at: 1m, coordinates: [1.0828, 51.2798]}}
        - {{at: 7m, coordinates: [1.0828, 51.2798]}}
        - {{at: 8m, coordinates: [1.0900, 51.2798]}}
"""
"""A device that arrives at the store after a minute and leaves after eight."""

CAME = """\
expect:
  events:
    - {type: user.entered_geofence, geofence: store/1, at: 1m}
    - {type: user.exited_geofence, geofence: store/1, at: 8m}
"""


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """A function that writes a scenario and returns its path."""

    def write(text: str = VISIT + CAME, name: str = "visit") -> Path:
        file = tmp_path / f"{name}.fence.yaml"
        file.write_text(text, encoding="utf-8")
        return file

    return write
