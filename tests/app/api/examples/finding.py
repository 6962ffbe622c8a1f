"""Examples of searches, addresses and routes in the centre of Helsinki, which the bundled area covers."""

from typing import Final

from tests.app.api.examples.example import STATION_AT, STORE_AT, Example, near

THREE: Final = "|".join(map(near, (STATION_AT, (60.16829, 24.94216), STORE_AT)))
"""The station, a department store and the store of the story."""

SEARCHES: Final = (
    Example(
        "searchUsers",
        "Couriers on bikes around the store",
        query={"near": near(STORE_AT), "radius": 500, "limit": 10, "metadata": {"vehicle": "bike"}},
    ),
    Example(
        "searchUsers",
        "Within five minutes by bike",
        query={"near": near(STORE_AT), "mode": "bike", "radius": 5, "limit": 1},
    ),
    Example(
        "searchGeofences",
        "Stores with a pick-up point",
        query={
            "near": near(STATION_AT),
            "radius": 2000,
            "limit": 5,
            "tags": "store",
            "metadata": {"pickup": "true"},
            "includeGeometry": False,
        },
    ),
    Example(
        "searchBeacons",
        "Beacons at the entrances",
        query={
            "near": near(STORE_AT),
            "radius": 200,
            "limit": 5,
            "tags": "entrance",
            "metadata": {"floor": "1"},
        },
    ),
    Example(
        "autocomplete",
        "The beginning of a street",
        query={
            "query": "Aleksanterinkatu 1",
            "near": near(STORE_AT),
            "layers": "address,street",
            "limit": 2,
            "countryCode": "FI",
            "lang": "en",
        },
    ),
    Example(
        "reportAutocompleteClick",
        "The first result was chosen",
        body={"sessionToken": "5f0c1a52", "requestId": "0d6e41f87a2b", "idx": 0},
    ),
    Example(
        "searchPlaces",
        "A supermarket with a parcel locker",
        query={
            "near": near(STATION_AT),
            "radius": 500,
            "limit": 3,
            "chains": "lidl",
            "chainMetadata": {"parcels": "true"},
        },
    ),
    Example(
        "searchPlaces",
        "Cafés around the store",
        query={"near": near(STORE_AT), "radius": 100, "limit": 2, "categories": "cafe"},
    ),
    Example("searchPlaces", "Cafés in an airport", query={"iataCode": "HEL", "categories": "cafe", "limit": 2}),
)

ADDRESSES: Final = (
    Example(
        "forwardGeocode",
        "An address",
        query={"query": "Aleksanterinkatu 19, Helsinki", "layers": "address", "country": "FI", "lang": "en"},
    ),
    Example("reverseGeocode", "The address of the store", query={"coordinates": near(STORE_AT), "layers": "address"}),
    Example("ipGeocode", "The country of an address", query={"ip": "193.166.3.1"}),
    Example(
        "validateAddress",
        "An address in one line",
        query={
            "addressLabel": "841 Broadway",
            "unit": "7",
            "city": "New York",
            "stateCode": "NY",
            "postalCode": "10003",
            "countryCode": "US",
        },
    ),
    Example(
        "validateAddress",
        "An address in parts",
        query={
            "number": "841",
            "street": "Broadway",
            "city": "New York",
            "stateCode": "NY",
            "postalCode": "10003",
            "countryCode": "US",
        },
    ),
)

ROUTES: Final = (
    Example(
        "routeDistance",
        "From the station to the store",
        query={
            "origin": near(STATION_AT),
            "destination": near(STORE_AT),
            "modes": "foot,bike,car",
            "units": "metric",
            "avoid": "ferries",
            "geometry": "polyline6",
        },
    ),
    Example(
        "routeMatrix",
        "From two places to two others",
        query={
            "origins": f"{near(STATION_AT)}|60.1676,24.9409",
            "destinations": f"{near(STORE_AT)}|60.16829,24.94216",
            "mode": "bike",
            "units": "metric",
            "avoid": "ferries",
        },
    ),
    Example(
        "routeDirections",
        "On foot to the store",
        query={
            "locations": f"{near((60.1689, 24.9461))}|{near(STORE_AT)}",
            "mode": "foot",
            "units": "metric",
            "avoid": "ferries",
            "geometry": "polyline6",
        },
    ),
    Example(
        "routeOptimize",
        "The best order of three stops",
        query={"locations": THREE, "mode": "bike", "units": "metric", "geometry": "polyline6"},
    ),
    Example(
        "routeMatch",
        "A recorded ride",
        body={
            "path": [
                {"coordinates": "60.16906,24.94620", "accuracy": 10, "createdAt": "2026-05-12T08:56:00Z"},
                {"coordinates": "60.16907,24.94740", "accuracy": 10, "createdAt": "2026-05-12T08:56:20Z"},
                {"coordinates": "60.16908,24.94860", "accuracy": 10, "createdAt": "2026-05-12T08:56:40Z"},
            ],
            "mode": "bike",
            "units": "metric",
            "geometry": "polyline6",
            "roadAttributes": "names,roadClass,speedLimit",
        },
    ),
)
