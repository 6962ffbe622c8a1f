"""Examples of geofences and beacons: the store, its entrances, and the depot at the station."""

from typing import Final

from tests.app.api.examples.example import (
    AFTER,
    BEFORE,
    DEPOT_ID,
    DOCK_ID,
    STATION_AT,
    STORE,
    STORE_AT,
    Example,
    point,
)

DEPOT: Final = {"_id": DEPOT_ID}
DOCK: Final = {"_id": DOCK_ID}
ENTRANCE: Final = {"tag": "entrance", "externalId": "kluuvi"}
UUID: Final = "b9407f30-f5f8-466e-aff9-25556b57fe6d"


def square(southwest: tuple[float, float], size: float) -> list[list[float]]:
    """Return a closed ring."""
    west, south = southwest
    east, north = round(west + size, 4), round(south + size, 4)
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


GEOFENCES: Final = (
    Example(
        "createGeofence",
        "A square where bikes are parked",
        body={
            "description": "Bike park",
            "type": "polygon",
            "tag": "park",
            "externalId": "bikes-1",
            "coordinates": [
                [24.9431, 60.1708],
                [24.9446, 60.1708],
                [24.9446, 60.1714],
                [24.9431, 60.1714],
                [24.9431, 60.1708],
            ],
            "metadata": {"racks": 40},
        },
    ),
    Example(
        "upsertGeofence",
        "A store with opening hours",
        path=STORE,
        body={
            "description": "Store in Kluuvi",
            "type": "circle",
            "coordinates": point(STORE_AT),
            "radius": 80,
            "enabled": True,
            "metadata": {"pickup": True, "manager": "Aino"},
            "operatingHours": {
                "monday": [["08:00", "21:00"]],
                "tuesday": [["08:00", "21:00"]],
                "wednesday": [["08:00", "21:00"]],
                "thursday": [["08:00", "21:00"]],
                "friday": [["08:00", "21:00"]],
                "saturday": [["10:00", "19:00"]],
                "sunday": [],
            },
            "stopDetection": False,
            "dwellThreshold": 10,
            "tripApproachingThreshold": 3,
        },
    ),
    Example("updateGeofence", "Another description", path=DEPOT, body={"description": "Depot at the main station"}),
)

GEOFENCES_AFTER: Final = (
    Example(
        "upsertGeofence",
        "All within five minutes by bike of an address",
        path={"tag": "zone", "externalId": "five-minutes"},
        body={
            "description": "Five minutes from the store",
            "type": "isochrone",
            "address": "Aleksanterinkatu 9, Helsinki",
            "mode": "bike",
            "radius": 5,
        },
    ),
    Example(
        "upsertGeofence",
        "The outline of a place",
        path={"tag": "partner", "externalId": "stockmann"},
        body={"description": "Department store", "type": "polygon", "placeId": "7700000000000000074ea7a9"},
    ),
    Example(
        "upsertGeofence",
        "A sale for some users, on the Wi-Fi of the store",
        path={"tag": "event", "externalId": "sale"},
        body={
            "description": "Sale in Kluuvi",
            "type": "circle",
            "coordinates": point(STORE_AT),
            "radius": 60,
            "userIds": ["courier-7", "courier-8"],
            "userId": "courier-9",
            "ip": "10.0.*.*",
            "disableAfter": "2026-06-01T00:00:00Z",
            "deleteAfter": "2026-07-01T00:00:00Z",
        },
    ),
    Example(
        "upsertGeofence",
        "Beyond the platform: a block without its courtyard, and the kiosk beside it",
        path={"tag": "block", "externalId": "courtyard"},
        body={
            "description": "Block with a courtyard",
            "type": "polygon",
            "geometry": {
                "type": "MultiPolygon",
                "coordinates": [
                    [square((24.9490, 60.1680), 0.0016), square((24.9494, 60.1684), 0.0008)],
                    [square((24.9510, 60.1680), 0.0002)],
                ],
            },
        },
    ),
    Example(
        "listGeofences",
        "Stores with a pick-up point",
        query={"limit": 10, "tag": "store", "metadata": {"pickup": "true"}},
    ),
    Example(
        "listGeofences",
        "Changed within two hours",
        query={
            "externalId": "bikes-1",
            "createdAfter": AFTER,
            "createdBefore": BEFORE,
            "updatedAfter": AFTER,
            "updatedBefore": BEFORE,
        },
    ),
    Example("readGeofence", "By the _id", path=DEPOT),
    Example("readGeofenceByKey", "By tag and externalId", path=STORE),
    Example("listUsersInGeofence", "Who is at the depot", path=DEPOT, query={"limit": 1}),
    Example("listUsersInGeofenceByKey", "Who is in the store", path=STORE, query={"limit": 1}),
)

GEOFENCES_END: Final = (
    Example("deleteGeofence", "By the _id", path=DEPOT),
    Example("deleteGeofenceByKey", "By tag and externalId", path=STORE),
)

BEACONS: Final = (
    Example(
        "createBeacon",
        "An iBeacon on the second floor",
        body={
            "description": "Second floor",
            "tag": "floor",
            "externalId": "kluuvi-2",
            "type": "ibeacon",
            "uuid": UUID,
            "major": 10,
            "minor": 2,
            "coordinates": point(STORE_AT),
            "enabled": True,
            "metadata": {"floor": 2},
        },
    ),
    Example(
        "createBeacon",
        "An Eddystone beacon at the station",
        body={
            "description": "Platform 5",
            "tag": "platform",
            "externalId": "station-5",
            "type": "eddystone",
            "uid": "edd1ebeac04e5defa017",
            "instance": "0bdb87539b67",
            "coordinates": point(STATION_AT),
        },
    ),
    Example(
        "updateBeacon",
        "A new iBeacon at the dock",
        path=DOCK,
        body={
            "description": "Loading dock",
            "type": "ibeacon",
            "uuid": UUID,
            "major": 10,
            "minor": 7,
            "coordinates": point(STORE_AT),
            "metadata": {"floor": 0},
            "enabled": True,
        },
    ),
    Example(
        "updateBeacon",
        "An Eddystone beacon instead",
        path=DOCK,
        body={"type": "eddystone", "uid": "edd1ebeac04e5defa017", "instance": "0bdb87539b68"},
    ),
    Example(
        "upsertBeacon",
        "The iBeacon at the entrance",
        path=ENTRANCE,
        body={
            "description": "Entrance on Aleksanterinkatu",
            "type": "ibeacon",
            "uuid": UUID,
            "major": 10,
            "minor": 1,
            "coordinates": point(STORE_AT),
            "metadata": {"floor": 1},
        },
    ),
    Example("listBeacons", "Beacons at entrances", query={"limit": 10, "tag": "entrance", "metadata": {"floor": "1"}}),
    Example(
        "listBeacons",
        "Created within two hours",
        query={"externalId": "station-5", "createdAfter": AFTER, "createdBefore": BEFORE},
    ),
    Example("readBeacon", "By the _id", path=DOCK),
    Example("readBeaconByKey", "By tag and externalId", path=ENTRANCE),
)

BEACONS_END: Final = (
    Example("deleteBeacon", "By the _id", path=DOCK),
    Example("deleteBeaconByKey", "By tag and externalId", path=ENTRANCE),
)
