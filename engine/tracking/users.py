"""Users of updates, whose records are cached while they are active.

There is one record for each (device, user ID). The first user ID that logs in on a device is added to the existing
record of the device. Another user ID creates a new record, and so does a logout after that.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, TypedDict

from msgspec import Struct, field

from engine.beacons.catalog import BeaconCatalog
from engine.domain.environment import Environment
from engine.domain.metadata import NO_METADATA, Metadata
from engine.domain.tracking.beacon import NO_STAYS, BeaconStays
from engine.domain.tracking.updates import UNKNOWN_DEVICE, Device, InOrder, LocationUpdate, User
from engine.store.beacons import stays_of
from engine.store.presences import presences_of
from engine.store.queries import users_of_device
from engine.store.records.rows import former_presence_row, presence_row
from engine.store.tables import former_presences as former_table
from engine.store.tables import presences as presences_table
from engine.store.writer import Batch, Connection
from engine.tracking.step import Presences

MAX_DEVICES = 100_000
"""Maximum number of cached devices. Others are read again when they report."""


class UserState(Struct):
    """A stored user with the presences by geofence identifier and the stays near beacons.

    `since` are the numbers of the updates that created the current presences. `described` is the edit whose geofences
    the user's descriptions match, or -1 if they were never described. `noted` is the number of the last noted update,
    or None until it is read. `last_kept` is the number of the last kept update, or 0 if there was none.
    """

    user: User
    presences: Presences
    since: dict[str, int] = field(default_factory=dict)
    stays: BeaconStays = NO_STAYS
    described: int = -1
    noted: int | None = None
    last_kept: int = 0

    @property
    def left_behind(self) -> InOrder:
        """The state of the updates in order that a late update must keep."""
        user = self.user
        seen_at = user.actual_updated_at or user.updated_at
        return InOrder(self.presences, user.fix, seen_at, user.place_state.stay, self.stays)


class UserStates:
    """The last states of users, read from the database on demand. Only for use in the writer's thread."""

    def __init__(self) -> None:
        self._devices: OrderedDict[tuple[Environment, str], list[UserState]] = OrderedDict()

    def of_device(
        self, environment: Environment, device_id: str, read: Callable[[], list[UserState]]
    ) -> list[UserState]:
        """Return all records of a device. `read` gets them from the database."""
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
        """Discard the cached records of some devices."""
        for device_id in devices:
            self._devices.pop((environment, device_id), None)

    def forget(self) -> None:
        """Discard all cached records, as the database has newer ones."""
        self._devices.clear()


def read_device(batch: Batch, environment: Environment, device_id: str, beacons: BeaconCatalog) -> list[UserState]:
    """Return all stored records of a device."""
    connection = batch.connection
    return [
        UserState(user, *presences_of(connection, user.id), _stays(connection, user, beacons), last_kept=last_kept)
        for user, last_kept in users_of_device(connection, environment, device_id)
    ]


def _stays(connection: Connection, user: User, beacons: BeaconCatalog) -> BeaconStays:
    """Return the beacons that a stored user is near, or none if the workspace has no beacons."""
    return stays_of(connection, user.id) if beacons else NO_STAYS


def record_for(states: list[UserState], user_id: str | None) -> UserState | None:
    """Return the device's record for an update with this user ID, or None if it needs a new one."""
    for state in states:
        if state.user.user_id == user_id:
            return state
    if user_id is not None and all(state.user.user_id is None for state in states):
        return states[0] if states else None
    return None


def merged_device(given: Device, stored: Device) -> Device:
    """Return the details of a device, taking those it does not send from the stored ones."""
    if given is UNKNOWN_DEVICE or given == stored:
        return stored
    return Device(
        stored.type if given.type is None else given.type,
        stored.os if given.os is None else given.os,
        stored.make if given.make is None else given.make,
        stored.model if given.model is None else given.model,
    )


class Details(TypedDict):
    """The details of a user that updates may leave out."""

    description: str | None
    metadata: Metadata
    device: Device
    ip: str | None
    user_tags: tuple[str, ...]
    install_id: str | None


def details_after(update: LocationUpdate, before: User | None) -> Details:
    """Return the details of a user after an update. Those that the device did not send are kept."""
    if before is None:
        return Details(
            description=update.description,
            metadata=NO_METADATA if update.metadata is None else update.metadata,
            device=merged_device(update.device, UNKNOWN_DEVICE),
            ip=update.ip,
            user_tags=update.user_tags or (),
            install_id=update.install_id,
        )
    return Details(
        description=_kept(update.description, before.description),
        metadata=_kept(update.metadata, before.metadata),
        device=merged_device(update.device, before.device),
        ip=_kept(update.ip, before.ip),
        user_tags=_kept(update.user_tags, before.user_tags),
        install_id=_kept(update.install_id, before.install_id),
    )


def _kept[T](given: T | None, stored: T) -> T:
    return stored if given is None else given


def put_presences(batch: Batch, user: User, state: UserState, inside: Presences, number: int, *, kept: bool) -> None:
    """Store the presences of a user since the update with a number.

    If `kept` is set, former presences are stored for the kept updates.
    """
    before, since = state.presences, state.since
    former: list[dict[str, Any]] = []
    for key in before.keys() - inside.keys():
        batch.drop(presences_table, (user.id, key), {"user": user.id, "geofence": key})
        former.append(former_presence_row(user, before[key], since.pop(key), number))
    for key, presence in inside.items():
        was = before.get(key)
        if was is presence or was == presence:
            continue
        if was is not None:
            former.append(former_presence_row(user, was, since[key], number))
        since[key] = number
        batch.put(presences_table, (user.id, key), presence_row(user.id, presence, number))
    if kept and former:
        batch.append(former_table, former)
