"""Configuration of SDKs: in the settings, in the configuration response, and with location updates."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal, NotRequired, cast

from pydantic import Field, PlainValidator

from app.api.wire.common.answers import Meta, Record, one_of
from app.api.wire.common.encoding import OK, set_minutes
from app.api.wire.common.fields import read_json_text, refusal
from engine.domain.settings import ProjectSettings, Situation, options_by_situation, options_for
from engine.domain.tracking.sdk import (
    CHOICES,
    MAX_DISTANCE_M,
    MAX_INTERVAL_S,
    PRESETS,
    SDK_NAMES,
    OptionValue,
    SdkFeature,
    SdkLogLevel,
    TrackingOptions,
    TrackingPreset,
    most_of,
)
from engine.domain.tracking.updates import User
from engine.domain.words import did_you_mean

type Seconds = Annotated[int, Field(ge=0, le=MAX_INTERVAL_S)]
type Metres = Annotated[int, Field(ge=0, le=MAX_DISTANCE_M)]


class TrackingOptionsRecord(Record):
    """Options of background tracking; intervals and durations in seconds, distances in metres."""

    desiredStoppedUpdateInterval: Seconds
    fastestStoppedUpdateInterval: Annotated[Seconds, Field(description="On Android.")]
    desiredMovingUpdateInterval: Seconds
    fastestMovingUpdateInterval: Annotated[Seconds, Field(description="On Android.")]
    desiredSyncInterval: Seconds
    desiredAccuracy: Literal["high", "medium", "low", "none"]
    stopDuration: Seconds
    stopDistance: Metres
    replay: Literal["all", "stops", "none"]
    sync: Annotated[
        Literal["all", "stopsAndExits", "events", "none"],
        Field(description="events: only updates that may generate events; needs useSyncRegion."),
    ]
    useStoppedGeofence: bool
    stoppedGeofenceRadius: Metres
    useMovingGeofence: bool
    movingGeofenceRadius: Metres
    syncGeofences: Annotated[bool, Field(description="Whether the device monitors nearby geofences itself.")]
    syncGeofencesLimit: Annotated[int, Field(ge=0, le=100, description="On Android.")]
    foregroundServiceEnabled: Annotated[bool, Field(description="On Android.")]
    showBlueBar: Annotated[bool, Field(description="On iOS.")]
    useVisits: Annotated[bool, Field(description="On iOS.")]
    useSignificantLocationChanges: Annotated[bool, Field(description="On iOS.")]
    beacons: bool
    type: Annotated[
        Literal["default", "on-trip", "in-geofence"],
        Field(description="The state of the user that these options are for."),
    ]


_NAMES: Final = {wire: name for name, wire in SDK_NAMES.items()}
"""The engine names of the options by their wire names."""

_TYPES: Final[Mapping[Situation, Literal["default", "on-trip", "in-geofence"]]] = {
    Situation.DEFAULT: "default",
    Situation.ON_TRIP: "on-trip",
    Situation.IN_GEOFENCE: "in-geofence",
}
"""The words for the situations inside of options; a list of options has other ones."""


def read_tracking_options(value: object) -> TrackingOptions | None:
    """Return options from the name of a preset, or from an object: `preset` (responsive) and changes to it."""
    if value is None or value == "":
        return None
    if isinstance(value, str) and not value.lstrip().startswith("{"):
        return TrackingOptions(_preset(value))
    value = read_json_text(value)
    if not isinstance(value, dict):
        raise refusal("must be a preset (continuous, responsive, efficient) or an object of options")
    given = {key: item for key, item in value.items() if key != "preset" and item is not None}
    changes = {_name(key): _checked(key, item) for key, item in given.items()}
    return TrackingOptions(_preset(value.get("preset") or TrackingPreset.RESPONSIVE), MappingProxyType(changes))


def _preset(value: object) -> TrackingPreset:
    try:
        return TrackingPreset(str(value))
    except ValueError:
        raise refusal("a preset must be continuous, responsive or efficient") from None


def _name(key: str) -> str:
    if key not in _NAMES:
        listed = f"; must be one of {', '.join(_NAMES)}"
        raise refusal(f"{key[:60]!r} is not an option{did_you_mean(key, _NAMES, listed)}")
    return _NAMES[key]


def _checked(key: str, value: object) -> OptionValue:
    name = _NAMES[key]
    if name in CHOICES:
        if not isinstance(value, str) or value not in CHOICES[name]:
            raise refusal(f"{key} must be one of {', '.join(CHOICES[name])}")
        return value
    if isinstance(PRESETS[TrackingPreset.RESPONSIVE][name], bool):
        if not isinstance(value, bool):
            raise refusal(f"{key} must be true or false")
        return value
    most = most_of(name)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise refusal(f"{key} must be an integer within [0, {most}]")
    return value


class GivenOptionsRecord(Record):
    """A preset and changes to it."""

    preset: NotRequired[TrackingPreset]
    desiredStoppedUpdateInterval: NotRequired[Seconds]
    fastestStoppedUpdateInterval: NotRequired[Seconds]
    desiredMovingUpdateInterval: NotRequired[Seconds]
    fastestMovingUpdateInterval: NotRequired[Seconds]
    desiredSyncInterval: NotRequired[Seconds]
    desiredAccuracy: NotRequired[str]
    stopDuration: NotRequired[Seconds]
    stopDistance: NotRequired[Metres]
    replay: NotRequired[str]
    sync: NotRequired[str]
    useStoppedGeofence: NotRequired[bool]
    stoppedGeofenceRadius: NotRequired[Metres]
    useMovingGeofence: NotRequired[bool]
    movingGeofenceRadius: NotRequired[Metres]
    syncGeofences: NotRequired[bool]
    syncGeofencesLimit: NotRequired[int]
    foregroundServiceEnabled: NotRequired[bool]
    showBlueBar: NotRequired[bool]
    useVisits: NotRequired[bool]
    useSignificantLocationChanges: NotRequired[bool]
    beacons: NotRequired[bool]


type GivenOptions = Annotated[
    TrackingOptions | None,
    PlainValidator(read_tracking_options, json_schema_input_type=GivenOptionsRecord | str | None),
]


class RemoteTrackingOptionsRecord(Record):
    """Options for one state of the user, from which an app chooses by itself while updates fail."""

    type: Literal["default", "onTrip", "inGeofence"]
    trackingOptions: TrackingOptionsRecord
    geofenceTags: NotRequired[
        Annotated[list[str], Field(description="With inGeofence; without tags it never applies.")]
    ]


class SdkConfigurationRecord(Record):
    """Log level and features of an SDK; absent ones keep the SDK's defaults."""

    logLevel: NotRequired[Annotated[str, one_of(*SdkLogLevel)]]
    startTrackingOnInitialize: NotRequired[Literal[True]]
    trackOnceOnAppOpen: NotRequired[Literal[True]]
    useSyncRegion: NotRequired[Literal[True]]
    syncAfterSetUser: NotRequired[Literal[True]]
    offlineEventGenerationEnabled: NotRequired[Literal[True]]
    useOfflineRTOUpdates: NotRequired[Literal[True]]
    usePersistence: NotRequired[Literal[True]]
    useLogPersistence: NotRequired[Literal[True]]
    extendFlushReplays: NotRequired[Literal[True]]
    useRadarModifiedBeacon: NotRequired[Literal[True]]
    useLocationMetadata: NotRequired[Literal[True]]
    useOpenedAppConversion: NotRequired[Literal[True]]
    useForegroundLocationUpdatedAtMsDiff: NotRequired[Literal[True]]
    startUpdatesWhileInUse: NotRequired[Literal[True]]
    bufferGeofenceEntries: NotRequired[Annotated[bool, Field(description="With useSyncRegion, like the next three.")]]
    bufferGeofenceExits: NotRequired[bool]
    stopDetection: NotRequired[bool]
    defaultGeofenceDwellThreshold: NotRequired[Annotated[int, Field(ge=0, description="Minutes; 0 for none.")]]
    remoteTrackingOptions: NotRequired[
        Annotated[
            list[RemoteTrackingOptionsRecord],
            Field(min_length=1, max_length=3, description="With useOfflineRTOUpdates, if there are tracking options."),
        ]
    ]


class FeatureSettingsRecord(Record):
    """Settings for older SDK versions."""

    usePersistence: NotRequired[Literal[True]]
    useLogPersistence: NotRequired[Literal[True]]
    extendFlushReplays: NotRequired[Literal[True]]
    useRadarModifiedBeacon: NotRequired[Literal[True]]
    useLocationMetadata: NotRequired[Literal[True]]


class TrackMeta(Meta):
    """Metadata of the response, with the app's tracking options."""

    trackingOptions: NotRequired[
        Annotated[
            TrackingOptionsRecord,
            Field(description="Those for the state of the user; absent without a setting for it."),
        ]
    ]


class ConfigMeta(TrackMeta):
    """Metadata of the response with the SDK configuration; each part only if its setting is set."""

    sdkConfiguration: NotRequired[SdkConfigurationRecord]
    featureSettings: NotRequired[FeatureSettingsRecord]


class ConfigAnswer(Record):
    """The configuration of an SDK."""

    meta: ConfigMeta


def track_meta(settings: ProjectSettings, device_type: str | None, user: User | None) -> TrackMeta:
    """Return the `meta` of a response about a user; a device that receives no options returns to its own."""
    chosen = options_for(settings, user)
    if chosen is None:
        return cast(TrackMeta, OK)
    return {"code": 200, "trackingOptions": encode_options(*chosen, device_type)}


def config_meta(settings: ProjectSettings, device_type: str | None, user: User | None) -> ConfigMeta:
    """Return the configuration of an SDK, with the tracking options for its user if it is known."""
    encoded: ConfigMeta = {**track_meta(settings, device_type, user)}
    configuration: dict[str, Any] = {feature.value: True for feature in settings.sdk_features}
    if settings.sdk_log_level is not None:
        configuration["logLevel"] = settings.sdk_log_level
    if SdkFeature.SYNC_REGION in settings.sdk_features:
        configuration |= _rules(settings)
    if SdkFeature.OFFLINE_OPTIONS in settings.sdk_features and (options := _all_options(settings, device_type)):
        configuration["remoteTrackingOptions"] = options
    if configuration:
        encoded["sdkConfiguration"] = cast(SdkConfigurationRecord, configuration)
    known = FeatureSettingsRecord.__annotations__
    if features := {feature.value: True for feature in settings.sdk_features if feature.value in known}:
        encoded["featureSettings"] = cast(FeatureSettingsRecord, features)
    return encoded


def _rules(settings: ProjectSettings) -> dict[str, bool | int]:
    """Return the rules that a device needs to decide by itself which events may occur."""
    threshold_s = settings.default_dwell_threshold_s if settings.dwell_event else None
    return {
        "bufferGeofenceEntries": settings.buffer_entries,
        "bufferGeofenceExits": settings.buffer_exits,
        "stopDetection": settings.stop_detection,
        # Whole minutes, rounded down: the device asks early enough, and the engine decides.
        "defaultGeofenceDwellThreshold": 0 if threshold_s is None else max(1, int(set_minutes(threshold_s))),
    }


def _all_options(settings: ProjectSettings, device_type: str | None) -> list[RemoteTrackingOptionsRecord]:
    """Return the options of all situations, from which a device chooses by itself while updates fail."""
    encoded: list[RemoteTrackingOptionsRecord] = []
    for situation, options in options_by_situation(settings).items():
        record: RemoteTrackingOptionsRecord = {
            "type": situation.value,
            "trackingOptions": encode_options(situation, options, device_type),
        }
        if situation is Situation.IN_GEOFENCE:
            record["geofenceTags"] = list(settings.in_geofence_tracking_tags)
        encoded.append(record)
    return encoded


def encode_options(situation: Situation, options: TrackingOptions, device_type: str | None) -> TrackingOptionsRecord:
    """Return options in the form for a device type."""
    values = options.values(ios=device_type == "iOS")
    encoded = {SDK_NAMES[name]: value for name, value in values.items()}
    return cast(TrackingOptionsRecord, encoded | {"type": _TYPES[situation]})


def encode_given(options: TrackingOptions) -> GivenOptionsRecord:
    """Return options in the form of a setting."""
    changes = {SDK_NAMES[name]: value for name, value in options.changes.items()}
    return cast(GivenOptionsRecord, {"preset": options.preset, **changes})
