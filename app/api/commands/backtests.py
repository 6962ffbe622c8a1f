"""The kept updates, settings and geofences of a workspace for a back-test, exactly as they are stored.

The wire rounds durations, which may delay a dwell by one location update. These values are not rounded.
"""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Self

import msgspec
from msgspec import Struct

from app.api.commands.command import Call, always, command
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from engine.domain.geofence import Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Isochrone, PackedRing, Polygon
from engine.domain.settings import ProjectSettings
from engine.extras import how_to_install
from engine.store.history.kept import number_of_updates


class _Sent(Struct, frozen=True, omit_defaults=True):
    """A geofence whose geometry is in the field of its type."""

    id: str
    environment: Environment
    summary: GeofenceSummary
    enabled: bool
    created_at: datetime
    updated_at: datetime
    rules: GeofenceRules
    revision: int
    circle: Circle | None = None
    polygon: Polygon | None = None
    isochrone: Isochrone | None = None

    @classmethod
    def of(cls, geofence: Geofence) -> Self:
        """Return a geofence as it is sent."""
        shape = geofence.geometry
        return cls(
            geofence.id,
            geofence.environment,
            geofence.summary,
            geofence.enabled,
            geofence.created_at,
            geofence.updated_at,
            geofence.rules,
            geofence.revision,
            shape if isinstance(shape, Circle) else None,
            shape if isinstance(shape, Polygon) and not isinstance(shape, Isochrone) else None,
            shape if isinstance(shape, Isochrone) else None,
        )

    @property
    def received(self) -> Geofence:
        """The geofence."""
        geometry = self.circle or self.polygon or self.isochrone
        assert geometry is not None
        return Geofence(
            self.id,
            self.environment,
            self.summary,
            geometry,
            self.enabled,
            self.created_at,
            self.updated_at,
            self.rules,
            self.revision,
        )


class _SetUp(Struct, frozen=True):
    settings: ProjectSettings
    geofences: tuple[_Sent, ...]


class KeptQuery(Struct, frozen=True):
    """The folder for the circumstances of kept updates, and whether to write the updates, too."""

    folder: str
    updates: bool


@command(repeats=always)
def write_kept_updates(call: Call[KeptQuery]) -> None:
    """Write kept updates into a folder of this machine, for `read_circumstances`."""
    try:
        # Imported here because the library may be missing.
        from engine.backtest.reading.kept import write_kept
    except ModuleNotFoundError:
        raise FencewrightError(f"Back-tests need PyArrow. {how_to_install('backtest')}") from None
    query = call.request
    call.engine.read_at_once(
        lambda connection: write_kept(
            connection, call.environment, Path(query.folder), call.progress, updates=query.updates
        )
    )


@command(repeats=always)
def count_kept_updates(call: Call[None]) -> int:
    """Return how many updates are kept."""
    return call.engine.read_at_once(lambda connection: number_of_updates(connection, call.environment))


@command(repeats=always)
def exact_set_up(call: Call[None]) -> bytes:
    """Return the settings and geofences of an environment as JSON, for `read_set_up`."""
    geofences = call.engine.geofences.all(call.environment, call.engine.stop.check)
    found = _SetUp(call.engine.settings.get(call.environment), tuple(map(_Sent.of, geofences)))
    return msgspec.json.encode(found, enc_hook=_plain)


def read_set_up(content: bytes) -> tuple[ProjectSettings, tuple[Geofence, ...]]:
    """Return the settings and geofences in the answer of `exact_set_up`."""
    found = msgspec.json.decode(content, type=_SetUp)
    return found.settings, tuple(each.received for each in found.geofences)


def _plain(value: object) -> object:
    """Return a ring as its positions, and a read-only mapping as a plain dict."""
    if isinstance(value, PackedRing):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be sent")
