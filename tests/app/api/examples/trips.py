"""Examples of trips: deliveries to the store."""

from typing import Final

from tests.app.api.examples.example import AFTER, BEFORE, LEG_IDS, STORE, Earlier, Example

TO_STORE: Final = {"destinationGeofenceTag": STORE["tag"], "destinationGeofenceExternalId": STORE["externalId"]}
ORDER: Final = {"id": "order-1042"}
ORDER_ID: Final = "6a02ec105b1e9d4f7a000006"
ROUND: Final = {"id": "order-1043"}

TRIPS: Final = (
    Example(
        "createTrip",
        "A delivery to the store",
        body={
            "externalId": "order-1050",
            **TO_STORE,
            "userId": "courier-9",
            "mode": "bike",
            "approachingThreshold": 3,
            "scheduledArrivalAt": "2026-05-12T09:30:00Z",
            "metadata": {"parcels": 2, "fragile": True},
        },
    ),
    Example(
        "createTrip",
        "A round with two stops",
        body={
            "externalId": "order-1051",
            "userId": "courier-10",
            "mode": "car",
            "legs": [
                {"destination": {"coordinates": [24.9409, 60.1676], "arrivalRadius": 60}, "stopDuration": 5},
                {"destination": TO_STORE},
            ],
        },
    ),
    Example("updateTrip", "The courier sets off", path=ORDER, body={"status": "started"}),
    Example(
        "updateTrip",
        "All that can change on the way",
        path={"id": Earlier("createTrip", ("trip", "_id"))},
        body={
            "status": "started",
            **TO_STORE,
            "mode": "foot",
            "approachingThreshold": 4,
            "scheduledArrivalAt": "2026-05-12T09:40:00Z",
            "metadata": {"parcels": 1},
        },
    ),
    Example("reorderTripLegs", "The second stop first", path=ROUND, body={"legs": list(reversed(LEG_IDS))}),
    Example("updateTripLeg", "A stop is left out", path=ROUND | {"legId": LEG_IDS[0]}, body={"status": "canceled"}),
)

TRIPS_AFTER: Final = (
    Example(
        "listTrips",
        "Trips of a courier to the store",
        query={
            "status": "started,approaching,arrived",
            **TO_STORE,
            "userId": "courier-7",
            "includeLocations": True,
            "limit": 10,
        },
    ),
    Example(
        "listTrips",
        "Trips without delay, the newest first",
        query={
            "externalId": "order-1050,order-1051",
            "delayed": False,
            "createdAfter": AFTER,
            "createdBefore": BEFORE,
            "sortBy": "createdAt",
            "limit": 1,
        },
    ),
    Example("readTrip", "By the externalId", path=ORDER),
    Example("readTrip", "By the _id", path={"id": Earlier("createTrip", ("trip", "_id"))}),
    Example("updateTrip", "The courier is done", path=ORDER, body={"status": "completed"}),
    Example("readTripRoute", "By the externalId", path=ORDER),
    Example("readTripRoute", "By the _id", path={"id": ORDER_ID}),
)

TRIPS_END: Final = (Example("deleteTrip", "A delivery", path=ORDER),)
