"""The open trips in memory, for use in the writer's thread, except for `next_expiry`."""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from engine.domain.environment import Environment
from engine.domain.tracking.trips import Trip

type _Key = tuple[Environment, str]
type _Turn = tuple[datetime, str]
"""Start or creation time and identifier of a trip. Lists of them stay sorted when a trip is changed later."""


class TripBook:
    """Finds open trips by the names in location updates. They are read from the database on first use."""

    def __init__(self, read: Callable[[], Iterable[Trip]]) -> None:
        """Create a book over `read`, which returns the open trips, oldest first."""
        self._read = read
        self._trips: dict[str, Trip] | None = None
        self._of_user: dict[str, list[_Turn]] = {}
        self._waiting: dict[_Key, list[_Turn]] = {}
        self._by_external_id: dict[_Key, str] = {}

    def forget(self) -> None:
        """Discard everything, so that the trips are read from the database again."""
        self._trips = None

    @property
    def is_empty(self) -> bool:
        """Return whether no trip is open."""
        return not self._loaded()

    def with_external_id(self, environment: Environment, external_id: str) -> Trip | None:
        """Return the open trip with an external ID."""
        trips = self._loaded()
        found = self._by_external_id.get((environment, external_id))
        return None if found is None else trips[found]

    def of_user(self, user: str) -> Trip | None:
        """Return the current trip of a user, which is the one started last."""
        trips = self._loaded()
        found = self._of_user.get(user)
        return trips[found[-1][1]] if found else None

    def waiting_for(self, environment: Environment, user_id: str | None, device_id: str) -> Trip | None:
        """Return the trip created last that is waiting for the first location update of this user or device."""
        trips = self._loaded()
        names = [_user_name(user_id)] if user_id is not None else []
        names.append(_device_name(device_id))
        # Only the last of each list is considered, since a client may have left thousands of trips waiting.
        lists = (self._waiting.get((environment, name)) for name in names)
        last = max((found[-1] for found in lists if found), default=None)
        return None if last is None else trips[last[1]]

    def put(self, trip: Trip) -> None:
        """Store the current state of a trip, or drop it if it has ended."""
        trips = self._loaded()
        if (before := trips.get(trip.id)) is not None:
            self._take_out(before)
        if trip.status.is_open:
            self._take_in(trip)

    def drop(self, trip: Trip) -> None:
        """Drop a trip."""
        if (before := self._loaded().get(trip.id)) is not None:
            self._take_out(before)

    def all(self) -> tuple[Trip, ...]:
        """Return the open trips."""
        return tuple(self._loaded().values())

    def next_expiry(self, environment: Environment, expiry_s: float) -> datetime | None:
        """Return when the first of the trips read so far expires. Thread-safe."""
        trips = self._trips
        if not trips:
            return None
        seen = [trip.seen_at for trip in tuple(trips.values()) if trip.environment is environment]
        return min(seen) + timedelta(seconds=expiry_s) if seen else None

    def load(self) -> None:
        """Read the trips from the database."""
        self._loaded()

    def _loaded(self) -> dict[str, Trip]:
        if self._trips is None:
            self._trips, self._of_user, self._waiting, self._by_external_id = {}, {}, {}, {}
            for trip in self._read():
                self._take_in(trip)
        return self._trips

    def _take_in(self, trip: Trip) -> None:
        assert self._trips is not None
        self._trips[trip.id] = trip
        self._by_external_id[trip.environment, trip.external_id] = trip.id
        if trip.user is not None and trip.status.is_active:
            insort(self._of_user.setdefault(trip.user, []), trip.turn)
        for key in _waiting_keys(trip):
            insort(self._waiting.setdefault(key, []), (trip.created_at, trip.id))

    def _take_out(self, trip: Trip) -> None:
        assert self._trips is not None
        del self._trips[trip.id]
        self._by_external_id.pop((trip.environment, trip.external_id), None)
        if trip.user is not None and trip.status.is_active:
            _remove(self._of_user, trip.user, trip.turn)
        for key in _waiting_keys(trip):
            _remove(self._waiting, key, (trip.created_at, trip.id))


def _waiting_keys(trip: Trip) -> list[_Key]:
    """Return the keys by which a location update finds a waiting trip."""
    # A trip started by a client is waiting, too: the device of the first update is the one on the trip.
    if trip.user is not None or not trip.status.is_open:
        return []
    names = []
    if trip.user_id is not None:
        names.append(_user_name(trip.user_id))
    elif trip.device_id is not None:
        names.append(_device_name(trip.device_id))
    return [(trip.environment, name) for name in names]


def _user_name(user_id: str) -> str:
    return f"user {user_id}"


def _device_name(device_id: str) -> str:
    return f"device {device_id}"


def _remove[K](lists: dict[K, list[_Turn]], key: K, item: _Turn) -> None:
    found = lists[key]
    del found[bisect_left(found, item)]
    if not found:
        del lists[key]
