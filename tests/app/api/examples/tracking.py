"""Examples of tracking: a courier and her phone arrive at the store."""

from typing import Final

from tests.app.api.examples.example import (
    AFTER,
    BEFORE,
    COURIER,
    STATION_AT,
    STORE,
    STORE_AT,
    Earlier,
    Example,
    at,
    near,
)

EVENT: Final = {"id": Earlier("listEvents", ("events", 0, "_id"))}
"""The path of the newest event."""

TRACKING: Final = (
    Example(
        "readConfig",
        "An SDK starts",
        query={**COURIER, "installId": "a6f5b3c0-3f0e-4c38-8a35-6f3c5b0d2f11", "sessionId": "1778576400"},
    ),
    Example("ping", "The server answers"),
    Example(
        "track",
        "The courier enters the store",
        body={
            **COURIER,
            **at(STORE_AT),
            "accuracy": 8,
            "foreground": True,
            "stopped": True,
            "description": "Aino's phone",
            "metadata": {"vehicle": "bike", "shift": 2},
            "deviceType": "Android",
            "deviceOS": "16",
            "deviceMake": "Google",
            "deviceModel": "Pixel 10",
        },
    ),
    Example("changeClock", "Two minutes pass", body={"advanceSeconds": 120}),
    Example(
        "track",
        "The courier leaves the store",
        body={**COURIER, **at((60.16903, 24.94617)), "accuracy": 10, "foreground": True, "stopped": False},
    ),
    Example(
        "track",
        "A location from before, sent late",
        body={
            "deviceId": "phone-8",
            "userId": "courier-8",
            **at(STATION_AT),
            "accuracy": 20,
            "foreground": False,
            "stopped": False,
            "updatedAt": "2026-05-12T08:55:00Z",
            "replayed": True,
        },
    ),
    Example(
        "replayTracks",
        "Two locations from a time without a connection",
        body={
            "replays": [
                {
                    "deviceId": "phone-9",
                    **at(STATION_AT),
                    "accuracy": 15,
                    "updatedAt": "2026-05-12T08:40:00Z",
                    "replayed": True,
                },
                {
                    "deviceId": "phone-9",
                    **at(STORE_AT),
                    "accuracy": 12,
                    "updatedAt": "2026-05-12T08:52:00Z",
                    "replayed": True,
                },
            ]
        },
    ),
    Example("syncRegion", "What to monitor around the store", body={**at(STORE_AT), "userId": "courier-7"}),
    Example(
        "sendLogs",
        "Two lines of an SDK's log",
        body={
            "logs": [
                {"level": "info", "type": "APP_LIFE_CYCLE", "message": "App launched", "createdAt": AFTER},
                {
                    "level": "debug",
                    "type": "SDK_CALL",
                    "message": "trackOnce()",
                    "createdAt": "2026-05-12T08:00:01Z",
                },
            ]
        },
    ),
    Example(
        "readContext",
        "Around the store",
        query={"coordinates": near(STORE_AT), "userId": "courier-7", "accuracy": 10},
    ),
    Example(
        "reportConversion",
        "The parcel was handed over",
        body={
            "name": "parcel_handed_over",
            **COURIER,
            "metadata": {"parcel": "P-1042", "signed": True},
            "revenue": 7.9,
            "duration": 12,
            "createdAt": "2026-05-12T08:58:00Z",
        },
    ),
    Example(
        "reportConversion",
        "By the installation of an app",
        body={"name": "opened_app", "installId": "a6f5b3c0-3f0e-4c38-8a35-6f3c5b0d2f11"},
    ),
    Example(
        "listEvents",
        "Entries into the store",
        query={"limit": 1, "userId": "courier-7", "type": "user.entered_geofence", **STORE},
    ),
    Example(
        "listEvents",
        "Events of a phone in two hours",
        query={"limit": 1, "deviceId": "phone-9", "createdAfter": AFTER, "createdBefore": BEFORE},
    ),
    Example(
        "streamEvents",
        "All entries from the beginning",
        query={"type": "user.entered_geofence", "tag": "store", "lastEventId": "0"},
    ),
    Example("readEvent", "The entry into the store", path=EVENT),
    Example("verifyEvent", "The app confirms the entry", path=EVENT, body={"verification": 1}),
    Example("listUsers", "A courier", query={"limit": 10, "userId": "courier-7"}),
    Example(
        "listUsers",
        "Seen within two hours",
        query={"limit": 1, "updatedAfter": AFTER, "updatedBefore": BEFORE},
    ),
    Example("readUser", "By the userId", path={"id": "courier-7"}),
    Example("readUser", "By the deviceId", path={"id": "phone-9"}),
)

TRACKING_END: Final = (
    Example("deleteEvent", "The entry into the store", path=EVENT),
    Example("deleteUser", "A courier who has left", path={"id": "courier-7"}),
)
