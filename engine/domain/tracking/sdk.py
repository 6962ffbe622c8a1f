"""Settings of a project for the SDKs in apps: their logging, features, and background tracking."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field

from engine.domain.errors import InvalidParameter

type OptionValue = bool | int | str

MAX_INTERVAL_S: Final = 7 * 24 * 3600
MAX_DISTANCE_M: Final = 100_000


class SdkLogLevel(StrEnum):
    """Log level of an SDK."""

    NONE = "none"
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    DEBUG = "debug"


class SdkFeature(StrEnum):
    """Features that an SDK uses only if they are enabled, in the SDKs' own words."""

    START_TRACKING = "startTrackingOnInitialize"
    TRACK_ON_OPEN = "trackOnceOnAppOpen"
    SYNC_REGION = "useSyncRegion"
    SYNC_AFTER_SET_USER = "syncAfterSetUser"
    OFFLINE_EVENTS = "offlineEventGenerationEnabled"
    OFFLINE_OPTIONS = "useOfflineRTOUpdates"
    PERSISTENCE = "usePersistence"
    LOG_PERSISTENCE = "useLogPersistence"
    EXTEND_REPLAYS = "extendFlushReplays"
    MODIFIED_BEACON = "useRadarModifiedBeacon"
    LOCATION_METADATA = "useLocationMetadata"
    OPENED_APP_CONVERSION = "useOpenedAppConversion"
    FOREGROUND_AGE = "useForegroundLocationUpdatedAtMsDiff"
    UPDATES_WHILE_IN_USE = "startUpdatesWhileInUse"


class TrackingPreset(StrEnum):
    """Tracking presets of the SDKs."""

    CONTINUOUS = "continuous"
    RESPONSIVE = "responsive"
    EFFICIENT = "efficient"


class TrackingOptions(Struct, frozen=True):
    """Options of background tracking: a preset with `changes` to some of its options."""

    preset: TrackingPreset = TrackingPreset.RESPONSIVE
    changes: Mapping[str, OptionValue] = field(default_factory=lambda: MappingProxyType({}))

    def values(self, *, ios: bool) -> dict[str, OptionValue]:
        """Return all options; on iOS, some presets have other values."""
        return {**PRESETS[self.preset], **(IOS_PRESETS[self.preset] if ios else {}), **self.changes}


PRESETS: Final[Mapping[TrackingPreset, Mapping[str, OptionValue]]] = {
    TrackingPreset.CONTINUOUS: {
        "stopped_interval_s": 30,
        "fastest_stopped_interval_s": 30,
        "moving_interval_s": 30,
        "fastest_moving_interval_s": 30,
        "sync_interval_s": 20,
        "accuracy": "high",
        "stop_duration_s": 140,
        "stop_distance_m": 70,
        "replay": "none",
        "sync": "all",
        "stopped_geofence": False,
        "stopped_geofence_radius_m": 0,
        "moving_geofence": False,
        "moving_geofence_radius_m": 0,
        "sync_geofences": True,
        "sync_geofences_limit": 0,
        "foreground_service": True,
        "blue_bar": True,
        "visits": False,
        "significant_changes": False,
        "beacons": False,
    },
    TrackingPreset.RESPONSIVE: {
        "stopped_interval_s": 0,
        "fastest_stopped_interval_s": 0,
        "moving_interval_s": 150,
        "fastest_moving_interval_s": 30,
        "sync_interval_s": 20,
        "accuracy": "medium",
        "stop_duration_s": 140,
        "stop_distance_m": 70,
        "replay": "stops",
        "sync": "all",
        "stopped_geofence": True,
        "stopped_geofence_radius_m": 100,
        "moving_geofence": True,
        "moving_geofence_radius_m": 100,
        "sync_geofences": True,
        "sync_geofences_limit": 10,
        "foreground_service": False,
        "blue_bar": False,
        "visits": True,
        "significant_changes": True,
        "beacons": False,
    },
    TrackingPreset.EFFICIENT: {
        "stopped_interval_s": 3600,
        "fastest_stopped_interval_s": 1200,
        "moving_interval_s": 1200,
        "fastest_moving_interval_s": 360,
        "sync_interval_s": 140,
        "accuracy": "medium",
        "stop_duration_s": 140,
        "stop_distance_m": 70,
        "replay": "stops",
        "sync": "all",
        "stopped_geofence": False,
        "stopped_geofence_radius_m": 0,
        "moving_geofence": False,
        "moving_geofence_radius_m": 0,
        "sync_geofences": True,
        "sync_geofences_limit": 10,
        "foreground_service": False,
        "blue_bar": False,
        "visits": True,
        "significant_changes": False,
        "beacons": False,
    },
}
"""The options of each preset: intervals and durations in seconds, distances in metres; 0 seconds disable one."""

IOS_PRESETS: Final[Mapping[TrackingPreset, Mapping[str, OptionValue]]] = {
    TrackingPreset.CONTINUOUS: {},
    TrackingPreset.RESPONSIVE: {},
    TrackingPreset.EFFICIENT: {
        "stopped_interval_s": 0,
        "moving_interval_s": 0,
        "sync_interval_s": 0,
        "stop_duration_s": 0,
        "stop_distance_m": 0,
    },
}
"""Differences of the presets on iOS, which wakes up apps by itself."""


CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "accuracy": ("high", "medium", "low", "none"),
    "replay": ("all", "stops", "none"),
    "sync": ("all", "stopsAndExits", "events", "none"),
}
"""The possible values of options with a fixed set of words."""


def most_of(name: str) -> int:
    """Return the maximum of a numeric option."""
    if name.endswith("_limit"):
        return 100
    return MAX_INTERVAL_S if name.endswith("_s") else MAX_DISTANCE_M


def parse_options(text: str) -> TrackingOptions | None:
    """Return the options of a text such as ``efficient sync=events``, or None if it is empty.

    Raises `InvalidParameter` if an option is invalid.
    """
    preset, *rest = text.replace(",", " ").split() or [""]
    if not preset:
        return None
    if preset not in set(TrackingPreset):
        raise _invalid(f"{preset!r} is not one of {', '.join(TrackingPreset)}")
    changes = {name: _option(name, value) for name, _, value in (part.partition("=") for part in rest)}
    return TrackingOptions(TrackingPreset(preset), MappingProxyType(changes))


def spell_options(options: TrackingOptions | None) -> str:
    """Return options in the format of `parse_options`."""
    if options is None:
        return ""
    return " ".join([options.preset, *(f"{name}={_spelled(value)}" for name, value in options.changes.items())])


def _spelled(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _option(name: str, text: str) -> OptionValue:
    default = PRESETS[TrackingPreset.RESPONSIVE].get(name)
    if default is None:
        raise _invalid(f"{name!r} is not one of {', '.join(PRESETS[TrackingPreset.RESPONSIVE])}")
    if isinstance(default, bool):
        if text in ("true", "false"):
            return text == "true"
        raise _invalid(f"{name} must be true or false")
    if name in CHOICES:
        if text in CHOICES[name]:
            return text
        raise _invalid(f"{name} must be one of {', '.join(CHOICES[name])}")
    if text.isascii() and text.isdecimal() and int(text) <= most_of(name):
        return int(text)
    raise _invalid(f"{name} must be a whole number within [0, {most_of(name)}]")


def _invalid(message: str) -> InvalidParameter:
    return InvalidParameter("tracking_options", f"tracking_options: {message}.")
