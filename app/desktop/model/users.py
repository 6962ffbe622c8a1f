"""The most recently seen users, and the details of a user as text."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

from app.desktop.language import tr
from app.desktop.model.beacons import beacon_name, beacon_tip
from app.desktop.model.editing.metadata import text_of
from app.desktop.model.natural import natural_key
from app.desktop.model.notify import Notifier
from app.desktop.model.words import (
    PERSONAL,
    capital,
    duration,
    fence_name,
    full_time,
    local_time,
    metres,
    position,
    region_name,
    region_word,
)
from engine.domain.geometry import Point
from engine.domain.tracking.fraud import Fraud
from engine.domain.tracking.updates import Fix, User
from engine.geo.zones import zone_at

KEPT = 1_000


class UserBook:
    """The most recently seen users by ID."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._users: OrderedDict[str, User] = OrderedDict()
        self.changed: Notifier[[]] = Notifier()
        """Emitted when a user is added or removed."""
        self.moved: Notifier[[tuple[User, ...]]] = Notifier()
        """Emitted with the users that were updated."""

    def __len__(self) -> int:
        return len(self._users)

    def get(self, user_id: str | None) -> User | None:
        """Return a user by the engine's ID."""
        return self._users.get(user_id) if user_id is not None else None

    def all(self) -> tuple[User, ...]:
        """Return the users sorted by name."""
        return tuple(sorted(self._users.values(), key=lambda user: (natural_key(user_name(user)), user.id)))

    def replace(self, users: Iterable[User]) -> None:
        """Replace all users with the given ones."""
        self._users = OrderedDict((user.id, user) for user in users)
        self.changed.emit()

    def take(self, users: Iterable[User]) -> None:
        """Add or update users that were seen. If there are too many, those seen longest ago are dropped."""
        seen = tuple(users)
        came = any(user.id not in self._users for user in seen)
        for user in seen:
            self._users[user.id] = user
            self._users.move_to_end(user.id)
        while len(self._users) > self._kept:
            self._users.popitem(last=False)
        if came:
            self.changed.emit()
        self.moved.emit(seen)


def user_name(user: User) -> str:
    """Return the name of a user in lists: the device, with the user ID that is logged in on it."""
    return (
        tr("{user_id} on {device_id}", user_id=user.user_id, device_id=user.device_id)
        if user.user_id
        else user.device_id
    )


class Fact(NamedTuple):
    """A detail of a user: its name, text and tooltip, and whether it is a warning."""

    name: str
    text: str
    tip: str = ""
    warning: bool = False


def user_facts(user: User) -> tuple[Fact, ...]:
    """Return all details of a user that are known."""
    facts = [
        *_who(user),
        *_trip(user),
        *_location(user.fix),
        *_device(user),
        *_when(user),
        *_fences(user),
        *_around(user),
    ]
    facts += [Fact(key, text_of(value), "metadata") for key, value in user.metadata.items()]
    if user.fraud is not None:
        facts += _fraud(user.fraud, user.fix.point)
    facts += [Fact(tr("Segment"), segment.description, segment.external_id) for segment in user.segments]
    facts += [Fact(tr("Top chain"), chain.name, chain.slug) for chain in user.top_chains]
    return tuple(fact for fact in facts if fact.text)


def _who(user: User) -> Iterator[Fact]:
    yield Fact(tr("User ID"), user.user_id or tr("not logged in"), PERSONAL if user.personal_data else "")
    if user.personal_data:
        yield Fact(tr("Personal data"), PERSONAL, warning=True)
    yield Fact(tr("Device ID"), user.device_id)
    yield Fact("ID", user.id)
    yield Fact(tr("Description"), user.description or "")
    yield Fact(tr("User tags"), ", ".join(user.user_tags))


def _trip(user: User) -> Iterator[Fact]:
    if (trip := user.trip) is None:
        return
    yield Fact(tr("Trip"), f"{trip.external_id}, {trip.status}", tr("by {travel_mode}", travel_mode=trip.mode))
    destination = trip.heading_for
    if destination is not None:
        name = destination.address or position(destination.point)
        yield Fact(
            tr("Destination"), name if destination.tag is None else f"{destination.tag} / {destination.external_id}"
        )
    if trip.eta is not None:
        source = tr("along the roads") if trip.eta.is_routed else tr("estimated by its speed")
        yield Fact("ETA", f"{duration(trip.eta.duration_s)}, {metres(trip.eta.distance_m)}", source)
    if (scheduled := trip.scheduled_arrival_at) is not None:
        yield _moment(tr("Scheduled"), scheduled, user.fix.point)
    if (late_s := trip.delay_s) is not None:
        yield Fact(tr("Delay"), duration(late_s) if late_s >= 60 else tr("on time"), warning=late_s >= 60)


def _location(fix: Fix) -> Iterator[Fact]:
    yield Fact(tr("Location"), position(fix.point), tr("latitude, longitude"))
    yield Fact(tr("Accuracy"), metres(fix.accuracy_m))
    if fix.altitude_m is not None:
        vertical = f" ± {metres(fix.vertical_accuracy_m)}" if fix.vertical_accuracy_m is not None else ""
        yield Fact(
            tr("Altitude"),
            tr("{altitude:,.1f} m{vertical_accuracy}", altitude=fix.altitude_m, vertical_accuracy=vertical),
        )
    yield Fact(tr("Motion"), state_text(fix))
    yield Fact(tr("Source"), fix.source or "", tr("why the device took the location"))


def state_text(fix: Fix) -> str:
    """Return a text on whether the device was stopped and whether the app was in the foreground."""
    return tr(
        "{stopped_or_moving}, in the {foreground_or_background}",
        stopped_or_moving=tr("stopped") if fix.stopped else tr("moving"),
        foreground_or_background=tr("foreground") if fix.foreground else tr("background"),
    )


def _around(user: User) -> Iterator[Fact]:
    if (place := user.place) is not None:
        yield Fact(tr("At place"), place.name, ", ".join(place.categories))
    for chain in user.nearby_chains:
        yield Fact(tr("Near chain"), chain.name, chain.slug)
    for region in user.regions.all:
        yield Fact(capital(region_word(region.type)), region_name(region), region.code)


def _device(user: User) -> Iterator[Fact]:
    device = user.device
    yield Fact(tr("Device type"), device.type.value if device.type else "")
    yield Fact("OS", device.os or "")
    yield Fact(tr("Make"), device.make or "")
    yield Fact(tr("Model"), device.model or "")
    yield Fact(tr("IP address"), user.ip or "")
    yield Fact(tr("App installation"), user.install_id or "")


def _when(user: User) -> Iterator[Fact]:
    for name, at in ((tr("Created"), user.created_at), (tr("Updated"), user.updated_at)):
        yield _moment(name, at, user.fix.point)
    if user.actual_updated_at is not None:
        yield _moment(tr("Received"), user.actual_updated_at, user.fix.point)


def _moment(name: str, at: datetime, point: Point) -> Fact:
    zone = zone_at(point.longitude, point.latitude)
    return Fact(name, local_time(at, zone), full_time(at, zone))


def _fences(user: User) -> Iterator[Fact]:
    for fence in user.geofences:
        yield Fact(tr("In geofence"), fence_name(fence), f"{fence.tag} / {fence.external_id}")
    for beacon in user.beacons:
        yield Fact(tr("Near beacon"), beacon_name(beacon), beacon_tip(beacon))


def _fraud(fraud: Fraud, point: Point) -> Iterator[Fact]:
    if fraud.bypassed:
        yield Fact(tr("Fraud check"), tr("bypassed by the settings"))
    elif fraud.passed:
        yield Fact(tr("Fraud check"), tr("passed"))
    else:
        reasons = [tr("blocked by the settings")] * fraud.blocked + sorted(check.value for check in fraud.failed)
        yield Fact(tr("Fraud check"), tr("failed: {reasons}", reasons=", ".join(reasons)), warning=True)
    for check, at in fraud.last:
        yield _moment(tr("Last {check_name}", check_name=check.value), at, point)
