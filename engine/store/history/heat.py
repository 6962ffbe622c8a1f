"""Positions of kept updates and events, for heat maps."""

from typing import Any, Final

import numpy as np
import sqlalchemy as sa
from numpy.typing import NDArray

from engine.domain.environment import Environment
from engine.store.tables import events, updates

_UPDATES: Final = (
    sa.select(updates.c.longitude, updates.c.latitude)
    .where(updates.c.live == sa.bindparam("live"), updates.c.at >= sa.bindparam("since"))
    .order_by(updates.c.number.desc())
    .limit(sa.bindparam("most"))
)
_EVENTS: Final = (
    sa.select(events.c.longitude, events.c.latitude)
    .where(
        events.c.live == sa.bindparam("live"),
        events.c.created_at >= sa.bindparam("since"),
        events.c.longitude.is_not(None),
    )
    .order_by(events.c.created_at.desc())
    .limit(sa.bindparam("most"))
)


def update_positions(
    connection: sa.Connection, environment: Environment, since_ms: int, most: int
) -> NDArray[np.float64]:
    """Return longitudes and latitudes of the newest updates, of shape (n, 2)."""
    return _positions(connection, _UPDATES, environment, since_ms, most)


def event_positions(
    connection: sa.Connection, environment: Environment, since_ms: int, most: int
) -> NDArray[np.float64]:
    """Return longitudes and latitudes of the newest events that have a position, of shape (n, 2)."""
    return _positions(connection, _EVENTS, environment, since_ms, most)


def _positions(
    connection: sa.Connection,
    statement: sa.Select[Any],
    environment: Environment,
    since_ms: int,
    most: int,
) -> NDArray[np.float64]:
    given = {"live": int(environment.live), "since": since_ms, "most": most}
    rows = connection.execute(statement, given).fetchall()
    return np.array(rows, np.float64).reshape(-1, 2)
