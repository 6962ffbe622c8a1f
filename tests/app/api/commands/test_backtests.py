"""Settings and geofences for a back-test: every value is received exactly as it is stored."""

from datetime import UTC, datetime
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.commands.backtests import exact_set_up, read_set_up
from app.api.commands.command import Call
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Isochrone, Part, Point, Polygon
from engine.domain.hours import OperatingHours, Span
from engine.domain.ip import IpRanges
from engine.domain.settings import (
    DEFAULT_SETTINGS,
    Comparison,
    Condition,
    ProjectSettings,
    RehearsedError,
    SegmentRule,
)
from engine.domain.tracking.sdk import SdkFeature, SdkLogLevel, TrackingOptions
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.engine import Engine

_AT: Final = datetime(2026, 5, 1, 8, 0, 0, 123_000, tzinfo=UTC)
_RING: Final = ((16.0, 48.0), (16.1, 48.0), (16.1, 48.1), (16.0, 48.0))
_HOLE: Final = ((16.05, 48.01), (16.06, 48.01), (16.06, 48.02), (16.05, 48.01))
_SHAPES: Final = (
    Circle(Point(16.372, 48.208), 150.1),
    Polygon(_RING),
    Polygon(_RING, (_HOLE,), others=(Part(_HOLE),)),
    Isochrone(_RING, center=Point(16.05, 48.05), minutes=10.0, mode=TravelMode.BIKE),
)
_RULES: Final = GeofenceRules(
    operating_hours=OperatingHours(((Span(540, 1_020),), (), (), (), (), (), (Span(1_320, 120),)), (0, 6)),
    stop_detection=True,
    disable_after=_AT,
    user_ids=("anna",),
    ip=IpRanges(("10.0.*.*",)),
    dwell_threshold_s=100.0,
)
_SETTINGS: Final = ProjectSettings(
    default_dwell_threshold_s=100.0,
    proxy_addresses=IpRanges(("10.0.0.0/16",)),
    segments=(SegmentRule("Gold", "gold", (Condition("metadata.plan", Comparison.EQUALS, "gold"),)),),
    sdk_log_level=SdkLogLevel.INFO,
    sdk_features=tuple(SdkFeature),
    tracking_options=TrackingOptions(changes=MappingProxyType({"sync_interval_s": 25})),
    rehearsed_error=RehearsedError.UNAVAILABLE,
)


def _fence(geometry: Geometry, rules: GeofenceRules = _RULES) -> Geofence:
    summary = GeofenceSummary("f1", "store", "1", "Ä", MappingProxyType({"floor": 2, "open": True, "share": 0.5}))
    return Geofence("f1", Environment.LIVE, summary, geometry, False, _AT, _AT, rules, 7)


def _sent(settings: ProjectSettings, *geofences: Geofence) -> tuple[ProjectSettings, tuple[Geofence, ...]]:
    """Return settings and geofences as received from an engine that has them."""
    engine = SimpleNamespace(
        settings=SimpleNamespace(get=lambda _: settings),
        geofences=SimpleNamespace(all=lambda *_: geofences),
        stop=SimpleNamespace(check=None),
    )
    return read_set_up(exact_set_up.run(Call(cast(Engine, engine), Environment.LIVE, None)))


@pytest.mark.parametrize("geometry", _SHAPES, ids=["circle", "polygon", "parts", "isochrone"])
def test_a_geofence_of_each_shape(geometry: Geometry) -> None:
    geofence = _fence(geometry)
    settings, received = _sent(_SETTINGS, geofence)
    assert received == (geofence,)
    assert type(received[0].geometry) is type(geometry)
    assert settings == _SETTINGS


def test_defaults() -> None:
    geofence = _fence(_SHAPES[0], GeofenceRules())
    assert _sent(DEFAULT_SETTINGS, geofence) == (DEFAULT_SETTINGS, (geofence,))


_NUMBERS: Final[Any] = st.floats(allow_nan=False, allow_infinity=False)


@given(_NUMBERS, _NUMBERS, _NUMBERS)
def test_numbers_are_not_rounded(seconds: float, longitude: float, radius_m: float) -> None:
    geofence = _fence(Circle(Point(longitude, 48.0), radius_m), replace(_RULES, dwell_threshold_s=seconds))
    settings = replace(_SETTINGS, default_dwell_threshold_s=seconds)
    assert _sent(settings, geofence) == (settings, (geofence,))
