"""The tracking options that an app receives, by the state of its user."""

from enum import StrEnum

from engine.domain.settings import ProjectSettings
from engine.domain.tracking.sdk import TrackingOptions
from engine.domain.tracking.updates import User


class Situation(StrEnum):
    """States of a user for which a project may have tracking options, in the SDKs' own words."""

    IN_GEOFENCE = "inGeofence"
    ON_TRIP = "onTrip"
    DEFAULT = "default"


def options_by_situation(settings: ProjectSettings) -> dict[Situation, TrackingOptions]:
    """Return the options that a project has. Of those that apply to a user, the first count."""
    options = {
        Situation.IN_GEOFENCE: settings.in_geofence_tracking_options,
        Situation.ON_TRIP: settings.on_trip_tracking_options,
        Situation.DEFAULT: settings.tracking_options,
    }
    return {situation: each for situation, each in options.items() if each is not None}


def options_for(settings: ProjectSettings, user: User | None) -> tuple[Situation, TrackingOptions] | None:
    """Return the options for a user, or None if the app keeps its own; an unknown user receives the default ones."""
    for situation, options in options_by_situation(settings).items():
        if _applies(situation, settings, user):
            return situation, options
    return None


def _applies(situation: Situation, settings: ProjectSettings, user: User | None) -> bool:
    if situation is Situation.DEFAULT or user is None:
        return situation is Situation.DEFAULT
    if situation is Situation.ON_TRIP:
        return user.trip is not None
    return any(geofence.tag in settings.in_geofence_tracking_tags for geofence in user.geofences)
