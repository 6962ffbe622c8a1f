"""Users of updates: their records, kept in memory while they are active.

There is one record for each (device, user ID). The first user ID a device ever logs in with attaches to the record
the device already has; another user ID makes a new record, and so does logging out after that.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import field

from engine.domain.environment import Environment
from engine.domain.tracking.beacon import NO_STAYS, BeaconStays
from engine.domain.tracking.updates import UNKNOWN_DEVICE, Device, User
from engine.domain.values.dataclass import dataclass
from engine.tracking.step import Presences

MAX_DEVICES = 100_000
"""How many devices are remembered; the others are read again when they report."""


@dataclass(slots=True)
class UserState:
    """A stored user, where it is inside by the geofence's identifier, and the beacons it is near.

    `since` are the numbers of the updates that made the presences what they are. `described` is the edit as of which
    the user's geofences are what the presences say; there was none where they were never described. `noted` is the
    number of the last update that is noted, None until it is read.
    """

    user: User
    presences: Presences
    since: dict[str, int] = field(default_factory=dict)
    stays: BeaconStays = NO_STAYS
    described: int = -1
    noted: int | None = None


class UserStates:
    """The users' last states, read from the database on first need. Used from the writer's thread alone."""

    def __init__(self) -> None:
        self._devices: OrderedDict[tuple[Environment, str], list[UserState]] = OrderedDict()

    def of_device(
        self, environment: Environment, device_id: str, read: Callable[[], list[UserState]]
    ) -> list[UserState]:
        """Return every record of a device; `read` gets them from the database."""
        key = environment, device_id
        states = self._devices.get(key)
        if states is None:
            states = self._devices[key] = read()
            if len(self._devices) > MAX_DEVICES:
                self._devices.popitem(last=False)
        else:
            self._devices.move_to_end(key)
        return states

    def forget_devices(self, environment: Environment, devices: Iterable[str]) -> None:
        """Forget some devices."""
        for device_id in devices:
            self._devices.pop((environment, device_id), None)

    def forget(self) -> None:
        """Forget everything: the database knows better."""
        self._devices.clear()


def record_for(states: list[UserState], user_id: str | None) -> UserState | None:
    """Return the device's record that an update with this user ID belongs to; None when it needs a new one."""
    for state in states:
        if state.user.user_id == user_id:
            return state
    if user_id is not None and all(state.user.user_id is None for state in states):
        return states[0] if states else None
    return None


def merged_device(given: Device, stored: Device) -> Device:
    """Return what a device says of itself, and else said before."""
    if given is UNKNOWN_DEVICE or given == stored:
        return stored
    return Device(
        stored.type if given.type is None else given.type,
        stored.os if given.os is None else given.os,
        stored.make if given.make is None else given.make,
        stored.model if given.model is None else given.model,
    )
