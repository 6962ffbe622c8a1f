"""The requests of a scenario's devices, subject to injected faults.

Devices behave like the SDKs: an unanswered update is kept, and sent again as a past one with the next update that is
answered. An update whose response alone was lost therefore arrives twice.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from app.faults.book import Faults, FaultyRequest
from app.faults.rules import DropTime, FaultKind, FaultRule
from app.faults.served import Served
from engine.domain.environment import KeyLevel
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.domain.values import replace

METHOD: Final = "POST"
PATH: Final = "/v1/track"


def kept(update: LocationUpdate, now: datetime) -> LocationUpdate:
    """Return an update as a device keeps it: with its own time, and marked as a past one."""
    return replace(update, at=update.at or now, replayed=True)


class Requests:
    """Sends updates. `track` processes one, `later` schedules one for later, and `lose` counts a lost one."""

    def __init__(
        self,
        now: Callable[[], datetime],
        track: Callable[[LocationUpdate], TrackResult],
        later: Callable[[timedelta, LocationUpdate], None],
        lose: Callable[[], None],
    ) -> None:
        self._now, self._track, self._later, self._lose = now, track, later, lose
        self._faults = Faults(lambda: [Served(METHOD, PATH, KeyLevel.PUBLISHABLE)])
        self._losing: set[str] = set()
        self._kept: dict[str, list[LocationUpdate]] = {}

    def add_fault(self, rule: FaultRule, *, is_kept: bool) -> None:
        """Add a fault. Updates that it hits are kept by their device, or lost. Raises `InvalidParameter`."""
        added = self._faults.add(rule).id
        if not is_kept:
            self._losing.add(added)

    def clear_faults(self) -> None:
        """Remove all faults."""
        self._faults.clear()
        self._losing.clear()

    @property
    def unanswered(self) -> dict[str, int]:
        """Number of unanswered updates that each device holds."""
        return {device: len(updates) for device, updates in self._kept.items()}

    def send(self, update: LocationUpdate) -> TrackResult | None:
        """Send an update. Returns None if the device gets no response, or not yet."""
        hit = self._faults.strike(FaultyRequest(METHOD, PATH, KeyLevel.PUBLISHABLE, update.device_id))
        if hit is None:
            return self._answered(update)
        rule = hit.rule
        if rule is not None and rule.kind is not FaultKind.SLOW:
            self._fail(update, rule, is_kept=hit.rule_id not in self._losing)
            return None
        if hit.latency_s:
            # It keeps its own time, since the delay does not change the measurement.
            self._later(timedelta(seconds=hit.latency_s), replace(update, at=update.at or self._now()))
            return None
        return self._answered(update)

    def _answered(self, update: LocationUpdate) -> TrackResult:
        for former in self._kept.pop(update.device_id, []):
            self._track(former)
        return self._track(update)

    def _fail(self, update: LocationUpdate, rule: FaultRule, *, is_kept: bool) -> None:
        is_stored = rule.kind is FaultKind.TRUNCATE or rule.when is DropTime.AFTER
        if is_stored:
            self._track(update)
        if is_kept:
            self._kept.setdefault(update.device_id, []).append(kept(update, self._now()))
        elif not is_stored:
            self._lose()
