"""Settings of a project for the SDKs in apps: their logging, features, and background tracking."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field

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
        return {**preset_values(self.preset, ios=ios), **self.changes}

    def with_preset(self, preset: TrackingPreset) -> "TrackingOptions":
        """Return another preset with the same changes."""
        return TrackingOptions(preset, self.changes)

    def with_option(self, name: str, value: OptionValue | None) -> "TrackingOptions":
        """Return these options with another value of one; None, and the value of the preset, are no change."""
        changes = dict(self.changes)
        if value is None or all(preset_values(self.preset, ios=ios)[name] == value for ios in (False, True)):
            changes.pop(name, None)
        else:
            changes[name] = value
        return TrackingOptions(self.preset, MappingProxyType(changes))


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

SDK_NAMES: Final[Mapping[str, str]] = {
    "stopped_interval_s": "desiredStoppedUpdateInterval",
    "fastest_stopped_interval_s": "fastestStoppedUpdateInterval",
    "moving_interval_s": "desiredMovingUpdateInterval",
    "fastest_moving_interval_s": "fastestMovingUpdateInterval",
    "sync_interval_s": "desiredSyncInterval",
    "accuracy": "desiredAccuracy",
    "stop_duration_s": "stopDuration",
    "stop_distance_m": "stopDistance",
    "replay": "replay",
    "sync": "sync",
    "stopped_geofence": "useStoppedGeofence",
    "stopped_geofence_radius_m": "stoppedGeofenceRadius",
    "moving_geofence": "useMovingGeofence",
    "moving_geofence_radius_m": "movingGeofenceRadius",
    "sync_geofences": "syncGeofences",
    "sync_geofences_limit": "syncGeofencesLimit",
    "foreground_service": "foregroundServiceEnabled",
    "blue_bar": "showBlueBar",
    "visits": "useVisits",
    "significant_changes": "useSignificantLocationChanges",
    "beacons": "beacons",
}
"""The names of the options in the SDKs."""

ANDROID_ONLY: Final = frozenset(
    {"fastest_stopped_interval_s", "fastest_moving_interval_s", "sync_geofences_limit", "foreground_service"}
)
IOS_ONLY: Final = frozenset({"blue_bar", "visits", "significant_changes"})

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "accuracy": ("high", "medium", "low", "none"),
    "replay": ("all", "stops", "none"),
    "sync": ("all", "stopsAndExits", "events", "none"),
}
"""The possible values of options with a fixed set of words."""


def preset_values(preset: TrackingPreset, *, ios: bool) -> dict[str, OptionValue]:
    """Return all options of a preset."""
    return {**PRESETS[preset], **(IOS_PRESETS[preset] if ios else {})}


def most_of(name: str) -> int:
    """Return the maximum of a numeric option."""
    if name.endswith("_limit"):
        return 100
    return MAX_INTERVAL_S if name.endswith("_s") else MAX_DISTANCE_M


def spell_options(options: TrackingOptions | None) -> str:
    """Return options as text: the preset, then its changes, such as ``efficient sync=events``."""
    if options is None:
        return ""
    changes = (f"{SDK_NAMES[name]}={spell_value(value)}" for name, value in options.changes.items())
    return " ".join([options.preset, *changes])


def spell_value(value: OptionValue) -> str:
    """Return the value of an option as in JSON, but without quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)
