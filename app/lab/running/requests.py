"""The requests of a scenario's devices past the faults that are set on purpose.

A device does as the SDKs do: an update without an answer is kept, and sent again as of the past with the next one that
is answered. So an update whose answer alone was lost comes twice.
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
    """Return an update as a device keeps it: with its own time, and told to be of the past."""
    return replace(update, at=update.at or now, replayed=True)


class Requests:
    """Sends updates. `track` takes one, `later` has one taken after a while, and `lose` counts one that is lost."""

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
        """Set a fault; raises `InvalidParameter`. What it hits is kept by its device, or lost."""
        added = self._faults.add(rule).id
        if not is_kept:
            self._losing.add(added)

    def clear_faults(self) -> None:
        """Remove all faults."""
        self._faults.clear()
        self._losing.clear()

    @property
    def unanswered(self) -> dict[str, int]:
        """How many updates each device keeps that were not answered."""
        return {device: len(updates) for device, updates in self._kept.items()}

    def send(self, update: LocationUpdate) -> TrackResult | None:
        """Send an update; None where the device gets no answer to it, or not yet."""
        hit = self._faults.strike(FaultyRequest(METHOD, PATH, KeyLevel.PUBLISHABLE, update.device_id))
        if hit is None:
            return self._answered(update)
        rule = hit.rule
        if rule is not None and rule.kind is not FaultKind.SLOW:
            self._fail(update, rule, is_kept=hit.rule_id not in self._losing)
            return None
        if hit.latency_s:
            # It carries its own time: what the device measured is not changed by the way it took.
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
