"""Examples of settings, the clock, webhooks, imports, and of help for tests."""

from typing import Final

from tests.app.api.examples.example import AFTER, BEFORE, WEBHOOK_ID, Earlier, Example

HOOK: Final = {"id": WEBHOOK_ID}
DELIVERY: Final = HOOK | {"delivery": Earlier("testWebhook", ("delivery", "_id"))}
FAULT: Final = {"id": Earlier("addFault", ("fault", "_id"))}
IMPORT: Final = {"id": Earlier("listImports", ("imports", 0, "_id"))}
TABLE_URL: Final = "http://127.0.0.1:8000/stores.csv"

SETTINGS: Final = (
    Example("readSettings", "All settings"),
    Example("changeSettings", "Dwell events after ten minutes", body={"dwellEvent": True, "defaultDwellThreshold": 10}),
    Example(
        "changeSettings",
        "More frequent locations on trips, and fewer in stores",
        body={
            "trackingOptions": {"preset": "responsive"},
            "onTripTrackingOptions": {"preset": "continuous", "stopDuration": 90},
            "inGeofenceTrackingOptions": {"preset": "efficient"},
            "inGeofenceTrackingTags": ["store"],
            "sdkFeatures": ["useOfflineRTOUpdates"],
        },
    ),
    Example("readClock", "The clock of Test"),
    Example(
        "changeClock",
        "A time of your own, which stands still",
        body={"now": "2026-05-12T09:00:00Z", "frozen": True},
    ),
)

WEBHOOKS: Final = (
    Example(
        "createWebhook",
        "Entries into stores",
        body={
            "url": "http://127.0.0.1:8788/stores",
            "token": "a-secret-of-the-store",
            "delivery": "multiple",
            "eventTypes": ["user.entered_geofence", "user.exited_geofence"],
            "tags": ["store"],
        },
    ),
    Example("listWebhooks", "All webhooks"),
    Example("readWebhook", "By the _id", path=HOOK),
    Example("testWebhook", "A sample is sent", path=HOOK, awaited=("delivery", "_id")),
    Example(
        "readDelivery",
        "The sample has arrived",
        path=DELIVERY,
        awaited=("delivery", "statusCode"),
    ),
    Example(
        "listDeliveries",
        "Delivered within two hours",
        path=HOOK,
        query={"limit": 1, "status": "delivered", "createdAfter": AFTER, "createdBefore": BEFORE},
    ),
    Example("resendDelivery", "The sample once more", path=DELIVERY),
    Example("replayWebhook", "The events of two hours", path=HOOK, body={"after": AFTER, "before": BEFORE}),
    Example(
        "updateWebhook",
        "Dwelling, too",
        path=HOOK,
        body={"eventTypes": ["user.entered_geofence", "user.dwelled_in_geofence"]},
    ),
    Example("deleteWebhook", "By the _id", path=HOOK),
)

IMPORTS: Final = (
    Example("readSync", "Before it is set up"),
    Example(
        "changeSync",
        "A table of stores, every night",
        body={
            "enabled": True,
            "protocol": "HTTP",
            "urls": [TABLE_URL],
            "fileOptions": [{"file": TABLE_URL, "set": {"tag": "store"}}],
            "hour": 3,
            "timeZone": "Europe/Helsinki",
        },
    ),
    Example("runSync", "At once", query={"force": True}),
    Example("cancelSync", "None is running"),
    Example("listImports", "The last import", query={"limit": 1}),
    Example("getImport", "By the _id", path=IMPORT),
    Example("undoImport", "The last import", path=IMPORT),
)

TESTING: Final = (
    Example(
        "addFault", "The next ping gets 503", body={"kind": "status", "status": 503, "path": "/v1/ping", "times": 1}
    ),
    Example("listFaults", "All faults"),
    Example("readFault", "By the _id", path=FAULT),
    Example("removeFault", "By the _id", path=FAULT),
    Example("clearFaults", "All faults"),
    Example(
        "listRequests",
        "The last log that a phone sent",
        query={"limit": 1, "method": "POST", "path": "/v1/logs", "status": "200"},
    ),
    Example("readRequest", "By its number", path={"number": "1"}),
    Example("clearRequests", "All requests"),
    Example("resetTest", "To the seed"),
)
