"""The story of the examples, in the order in which its requests are sent."""

from typing import Final

from tests.app.api.examples.example import Example
from tests.app.api.examples.fences import BEACONS, BEACONS_END, GEOFENCES, GEOFENCES_AFTER, GEOFENCES_END
from tests.app.api.examples.finding import ADDRESSES, ROUTES, SEARCHES
from tests.app.api.examples.maps import MAPS
from tests.app.api.examples.tracking import TRACKING, TRACKING_END
from tests.app.api.examples.trips import TRIPS, TRIPS_AFTER, TRIPS_END
from tests.app.api.examples.workspace import IMPORTS, SETTINGS, TESTING, WEBHOOKS

STORY: Final[tuple[Example, ...]] = (
    *GEOFENCES,
    *BEACONS,
    *TRIPS,
    *TRACKING,
    *TRIPS_AFTER,
    *GEOFENCES_AFTER,
    *SEARCHES,
    *ADDRESSES,
    *ROUTES,
    *WEBHOOKS,
    *IMPORTS,
    *MAPS,
    *TRIPS_END,
    *TRACKING_END,
    *BEACONS_END,
    *GEOFENCES_END,
    *SETTINGS,
    *TESTING,
)
