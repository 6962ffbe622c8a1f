"""Positions of fixes and events for maps of their density."""

from datetime import datetime
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.domain.environment import Environment
from engine.store.database import Database
from engine.store.history.heat import event_positions, update_positions
from engine.store.records.cells import to_ms

MOST_POSITIONS: Final = 100_000


class HeatSource(StrEnum):
    """Data of a heat map: kept location updates or events."""

    FIXES = "fixes"
    EVENTS = "events"


class Heat:
    """A reader of positions. Its methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def positions(
        self, environment: Environment, source: HeatSource, since: datetime | None = None, most: int = MOST_POSITIONS
    ) -> NDArray[np.float64]:
        """Return longitudes and latitudes of the newest fixes or events, of shape (n, 2)."""
        read = update_positions if source is HeatSource.FIXES else event_positions
        since_ms = 0 if since is None else to_ms(since)
        return self._database.read(lambda connection: read(connection, environment, since_ms, most))
