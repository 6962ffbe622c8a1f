"""The geofences of the benchmarks in PostGIS."""

from collections.abc import Iterator
from itertools import batched
from pathlib import Path
from typing import Any, Final

import asyncpg
import shapely

from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle
from engine.geo.shapes import shape_of
from tests.benchmarks.postgis.cluster import PACKAGES, Cluster, Missing
from tests.benchmarks.workspaces import geofences

_ROWS: Final = 5_000
_LOG_FILES: Final = 32
"""Number of log files that the cluster keeps."""

_SCHEMA: Final = Path(__file__).with_name("schema.sql")
_INSERT: Final = """
INSERT INTO fences
SELECT id, tag, external_id, description, ST_GeomFromWKB(area, 4326),
    ST_GeomFromWKB(center, 4326)::geography, radius_m
FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::bytea[], $7::float8[])
    AS given (id, tag, external_id, description, area, center, radius_m)
"""


async def connected(cluster: Cluster) -> Any:
    """Return a new connection to the cluster."""
    return await asyncpg.connect(host=str(cluster.socket), user=cluster.user, database="postgres")


async def load(cluster: Cluster, count: int) -> None:
    """Create the tables and functions, and store the geofences. Raises `Missing` without PostGIS."""
    connection = await connected(cluster)
    try:
        await connection.execute(_SCHEMA.read_text(encoding="utf-8"))
        for rows in batched(enumerate(geofences(count, rules=False)), _ROWS):
            columns = zip(*(_row(number, fence) for number, fence in rows), strict=True)
            await connection.execute(_INSERT, *map(list, columns))
        await connection.execute("CREATE INDEX fences_area ON fences USING gist (area)")
        await connection.execute("VACUUM ANALYZE")
        await _make_log(connection)
    except (asyncpg.FeatureNotSupportedError, asyncpg.UndefinedFileError) as error:
        raise Missing(f"PostGIS is not installed for this PostgreSQL; in Debian 12: {PACKAGES}.") from error
    finally:
        await connection.close()


async def _make_log(connection: Any) -> None:
    """Create the log files in advance, so that the first updates do not have to, unlike all later ones."""
    for _ in range(_LOG_FILES):
        await connection.execute("SELECT pg_logical_emit_message(true, '', '')")
        await connection.execute("SELECT pg_switch_wal()")
    await connection.execute("CHECKPOINT")


async def empty(cluster: Cluster) -> None:
    """Delete all users, events and updates."""
    connection = await connected(cluster)
    await connection.execute("TRUNCATE users, presences, events, updates RESTART IDENTITY")
    await connection.execute("VACUUM ANALYZE")
    await connection.close()
    await write_out(cluster)


async def write_out(cluster: Cluster) -> None:
    """Write all committed data into the tables."""
    connection = await connected(cluster)
    await connection.execute("CHECKPOINT")
    await connection.close()


def _row(number: int, fence: Geofence) -> tuple[Any, ...]:
    summary, geometry = fence.summary, fence.geometry
    names = number, summary.tag, summary.external_id, summary.description
    if isinstance(geometry, Circle):
        center = shapely.Point(geometry.center.longitude, geometry.center.latitude)
        area = shapely.box(*shape_of(geometry).bounds)
        return (*names, shapely.to_wkb(area), shapely.to_wkb(center), geometry.radius_m)
    return (*names, shapely.to_wkb(shapely.Polygon(_ring(geometry))), None, None)


def _ring(geometry: Any) -> Iterator[tuple[float, float]]:
    return iter(geometry.ring)
