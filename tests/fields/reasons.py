"""Fields that are not meant to be in a place, with reasons. A field that is present must not be listed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

type Reasons = Mapping[str, str]
"""Reasons by field; ``fix`` stands for all fields of the fix."""


def because(reason: str, *names: str) -> dict[str, str]:
    """Return one reason for several fields."""
    return dict.fromkeys(names, reason)


_EXTENT: Final = because("only what users and events carry has it", "summary.extent")
_SAME_ID: Final = because("the summary has it", "id")
_REVISION: Final = because("the store numbers edits itself", "revision")
_OTHER_RECORD: Final = because(
    "a new record has its own", "id", "summary.id", "environment", "created_at", "updated_at", "revision"
)
_KEY: Final = because("it tells which geofence is meant", "summary.tag", "summary.external_id")
_LOOKED_UP: Final = because("the position that is found is stored in its place", "address", "place_id")
_WHOLE_METADATA: Final = because("requests replace the metadata as a whole", "metadata_items")
_CONTENT_ONLY: Final = because(
    "the workspace gives it, and it is not edited", "id", "environment", "created_at", "updated_at", "revision"
)

_GEOFENCES: Final[Mapping[str, Reasons]] = {
    "change": _EXTENT | because("the workspace gives it", "summary.id"),
    "store (reopened)": _EXTENT,
    "history": because("the store sets it when the test stores the geofence", "revision", "updated_at") | _EXTENT,
    "seed and snapshot": _REVISION | _EXTENT,
    "API request (as it is read)": _WHOLE_METADATA,
    "API request (over HTTP)": _LOOKED_UP | because("only an isochrone has one, for which a router is needed", "mode"),
    "API response": _SAME_ID | _EXTENT | because("it is the engine's own", "revision"),
    "API response for apps": _SAME_ID
    | _EXTENT
    | because("it is the engine's own", "revision")
    | because("an app must not learn for whom a geofence is", "rules.user_ids", "rules.ip"),
    "request as code": _OTHER_RECORD | _EXTENT,
    "scenario": _OTHER_RECORD
    | _EXTENT
    | because("an isochrone becomes the polygon that it is", "geometry.minutes", "geometry.mode"),
    **dict.fromkeys(
        (f"{format} file (exported, imported)" for format in ("CSV", "GEOJSON", "KML", "GPKG")),
        because("a new record has its own", "id", "summary.id", "created_at", "updated_at", "revision") | _EXTENT,
    ),
    "preview of an import": _OTHER_RECORD | _KEY | _EXTENT,
    "promotion (differences)": _OTHER_RECORD | _KEY | _EXTENT,
    "promotion (applied)": _OTHER_RECORD | _EXTENT,
    "change set": _OTHER_RECORD | _EXTENT,
    "bulk edit": because(
        "it makes sense for one geofence only",
        *("description", "external_id", "type", "coordinates", "address", "place_id", "mode"),
    )
    | because("keys are set and removed one by one, in fields of their own", "metadata", "metadata_items"),
    "form": _CONTENT_ONLY | _EXTENT | because("it is shown, not edited", "summary.id"),
    "table": _EXTENT
    | because("the table is of one environment", "environment")
    | because("the form shows it", "geometry.center", "summary.id", "revision")
    | because(
        "the form shows it",
        *("rules.stop_detection", "rules.user_ids", "rules.ip"),
        *("rules.dwell_threshold_s", "rules.trip_approaching_threshold_s"),
    )
    | because("its column depends on the time: tests/desktop/model/test_fence_table.py", "rules.operating_hours"),
    "pending changes (titles)": because("another type is confirmed at once and does not wait", "type")
    | because("no form sets it", "address", "place_id", "metadata_items"),
    "pending changes (values)": because("another type is confirmed at once and does not wait", "type")
    | because("no form sets it", "address", "place_id"),
    "history and promotion in words": _CONTENT_ONLY | _EXTENT | because("it stays", "summary.id"),
    "undo": _CONTENT_ONLY,
}

_BEACONS: Final[Mapping[str, Reasons]] = {
    "change": because("the workspace gives it", "id")
    | because("a change has its parts, and the point as a geometry", "signal", "point"),
    "API request (as it is read)": _WHOLE_METADATA,
    "API request (over HTTP)": _WHOLE_METADATA,
    "CSV file (imported)": because("a table has either the metadata or columns of its keys", "metadata_items"),
    "form": because("the workspace gives it, and it is not edited", "environment", "created_at", "updated_at")
    | because("the form is found by it", "summary.id"),
    "form (new beacon)": because("the form has the metadata as a whole", "metadata_items"),
    "table": because("the form and the API have it", "summary.id", "created_at", "updated_at")
    | because("the table is of one environment", "environment"),
    "undo": because("the workspace gives it, and it is not edited", "environment", "created_at", "updated_at"),
}

_IN_PROGRESS: Final = because("the engine's own for the time of a trip", "seen_at", "begun_at")
_TRIPS: Final[Mapping[str, Reasons]] = {
    "seed and snapshot": _IN_PROGRESS
    | because("it follows from the ETA and the last change", "arrival")
    | because("a seed holds only trips that have not ended", "ended_at"),
    "API response": _IN_PROGRESS
    | because("the engine's own: the response has the delay and the ETA", "arrival.for_engine", "told_s")
    | because("the response has the user ID and the device ID", "user"),
    "panel and table": _IN_PROGRESS
    | because("the window shows it of the user whose trip it is", "user_id", "device_id", "user", "environment")
    | because(
        "the window shows where a user is going, and when they arrive",
        *("id", "metadata", "told_s", "approaching_threshold_s"),
        *("destination.arrival_radius_m", "legs.destination.arrival_radius_m"),
        *("legs.id", "legs.status", "legs.created_at", "legs.updated_at", "legs.stop_s", "legs.metadata", "legs.eta"),
    )
    | because("the delay is counted by the device's clock", "arrival.for_engine", "arrived_at")
    | because("events show when it was", "created_at", "updated_at", "started_at", "approaching_at", "ended_at")
    | because(
        "the tag and external ID, or the address, tell which it is",
        *("destination.point", "destination.geofence_id"),
        *("legs.destination.point", "legs.destination.external_id"),
    ),
}

_FOUND: Final = because(
    "worked out from the place state and the settings",
    *("place", "regions", "top_chains", "segments", "nearby_chains"),
)
_KEPT: Final = because("the engine's own: it goes on from it", "place_state", "in_order", "newest_at")
_LATE: Final = because("only while a late update is decided", "fix.late_after")
_SHAPE_OF_PLACE: Final = because("only while places are searched", "place.outline")
_USERS: Final[Mapping[str, Reasons]] = {
    "store (reopened)": _FOUND
    | _LATE
    | because("only while places are searched", "place_state.stay.place.outline", "in_order.stay.place.outline")
    | because("read from the trips and the stays near beacons", "trip", "beacons"),
    "seed and snapshot": _FOUND
    | _KEPT
    | _LATE
    | because("the next update finds or says it again", "fraud", "beacons", "fix.source", "actual_updated_at")
    | because("the file has the stays and trips beside the users", "geofences", "trip"),
    "API request (as it is read)": because("the engine's own, of tracks that are played", "awaits_route"),
    "API request (over HTTP)": _FOUND
    | _KEPT
    | _LATE
    | because("the engine gives it", "id", "created_at", "actual_updated_at")
    | because("there is none that this update meets", "geofences", "beacons", "trip")
    | because("found where the settings ask for it", "fraud"),
    "API response": _KEPT
    | _LATE
    | _SHAPE_OF_PLACE
    | because("it is when the user was updated", "fix.at")
    | because("the country is a region of the user", "place.country_code"),
    "CSV file (exported)": _KEPT
    | _LATE
    | because("it is when the user was updated", "fix.at")
    | because(
        "the table has a selection; JSON lines, the other kind of file, have everything",
        *("place.id", "place.point", "place.outline", "place.country_code"),
    ),
    "panel and table": _KEPT
    | _LATE
    | because("it is when the user was updated", "fix.at")
    | because("the window is of one environment", "environment")
    | because(
        "the slug tells which chain it is",
        *("nearby_chains.external_id", "nearby_chains.metadata", "nearby_chains.domain"),
        *("top_chains.external_id", "top_chains.metadata", "top_chains.domain"),
    )
    | because(
        "the window has the name and the categories of the place",
        *("place.id", "place.point", "place.chain", "place.outline", "place.country_code"),
    ),
}

NOT_APPLICABLE: Final[Mapping[str, Mapping[str, Reasons]]] = {
    "geofence": _GEOFENCES,
    "beacon": _BEACONS,
    "settings": {},
    "trip": _TRIPS,
    "user": _USERS,
}
"""Reasons by kind of record and place."""
