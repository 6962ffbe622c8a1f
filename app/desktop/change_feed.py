"""Changes of commits, collected for the window."""

from collections.abc import Callable, Iterable
from threading import Lock

from msgspec import Struct, field
from PySide6.QtCore import QObject, Signal

from app.desktop.relay import Relay
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.queries import Change
from engine.domain.settings import ProjectSettings
from engine.domain.tracking.beacon import Beacon
from engine.domain.tracking.updates import Event, User


class Arrived(Struct):
    """Users and events of several changes: the last state of each user, and all events in order."""

    users: dict[str, User] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)

    def take(self, users: Iterable[User], events: Iterable[Event]) -> None:
        """Add users and events."""
        self.users.update((user.id, user) for user in users)
        self.events.extend(events)


class Gathered(Struct):
    """The sum of several changes of one environment: the last state of each record, and all events in order.

    `reread` is set if users or events were changed otherwise than by tracking. `since` then holds the updates that came
    later. A reader that starts from now on finds everything earlier in the database, unless it was deleted. `areas` is
    set if the set of areas changed, `webhooks` if webhooks or their deliveries changed, `sync` if a nightly sync was
    configured or has run.
    """

    fences: dict[str, Geofence] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    beacons: dict[str, Beacon] = field(default_factory=dict)
    removed_beacons: set[str] = field(default_factory=set)
    users: dict[str, User] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    settings: ProjectSettings | None = None
    reread: bool = False
    since: Arrived = field(default_factory=Arrived)
    areas: bool = False
    webhooks: bool = False
    sync: bool = False

    def add(self, change: Change) -> None:
        """Add a change."""
        for fence_id in change.removed_geofence_ids:
            self.fences.pop(fence_id, None)
            self.removed.add(fence_id)
        for fence in change.geofences:
            self.removed.discard(fence.id)
            self.fences[fence.id] = fence
        for beacon_id in change.removed_beacon_ids:
            self.beacons.pop(beacon_id, None)
            self.removed_beacons.add(beacon_id)
        for beacon in change.beacons:
            self.removed_beacons.discard(beacon.id)
            self.beacons[beacon.id] = beacon
        if change.reread:
            self.reread, self.since = True, Arrived()
        for result in change.tracked:
            self.users[result.user.id] = result.user
            self.events.extend(result.events)
            self.since.take((result.user,), result.events)
        self.settings = change.settings or self.settings
        self.areas = self.areas or change.areas
        self.webhooks = self.webhooks or change.webhooks
        self.sync = self.sync or change.sync


class ChangeFeed(QObject):
    """Listens to an engine and reports the changes of one environment to the window, in the window's thread.

    Changes come from the window's own operations, from the API and from other commands alike. If there are many, the
    window receives their sum ten times a second.
    """

    changed = Signal(object)

    def __init__(self, parent: QObject | None = None, wanted: Callable[[Change], object] = lambda _: True) -> None:
        """Report the changes that are `wanted`, a predicate that is called in the writer's thread."""
        super().__init__(parent)
        self._wanted = wanted
        self._lock = Lock()
        self._environment = Environment.TEST
        self._gathered = Gathered()
        self._unsubscribe: Callable[[], None] | None = None
        self._relay = Relay(self)
        self._relay.rung.connect(self._emit_changes)

    def listen(
        self, subscribe: Callable[[Callable[[Change], None]], Callable[[], None]], environment: Environment
    ) -> None:
        """Listen to another engine or environment and drop the changes collected so far."""
        self.close()
        with self._lock:
            self._environment = environment
            self._gathered = Gathered()
        self._unsubscribe = subscribe(self._gather)

    def flush(self) -> None:
        """Report the collected changes now."""
        self._relay.deliver()

    def close(self) -> None:
        """Stop listening."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    def _gather(self, change: Change) -> None:
        """Collect a change; called in the writer's thread."""
        with self._lock:
            if change.environment is not self._environment or not self._wanted(change):
                return
            self._gathered.add(change)
        self._relay.ring()

    def _emit_changes(self) -> None:
        with self._lock:
            gathered, self._gathered = self._gathered, Gathered()
        self.changed.emit(gathered)
