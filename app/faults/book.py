"""The current faults, kept in memory while this process has the workspace open."""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from fnmatch import translate
from itertools import count
from random import Random
from threading import Lock
from typing import Final

from msgspec import Struct

from app.faults.rules import MAX_LATENCY_MS, FaultRule, checked
from app.faults.served import Served, check_served
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter, NotFound
from engine.domain.ports import Listeners

MAX_FAULTS: Final = 100

type Renew = Callable[[], Future[None]]


class Fault(Struct, frozen=True):
    """A stored rule, with the number of requests that matched it and that it hit. A spent rule hits no more."""

    id: str
    rule: FaultRule
    seen: int
    hits: int
    is_spent: bool


class _Kept(Struct):
    """A stored rule with its counters."""

    id: str
    rule: FaultRule
    pattern: re.Pattern[str]
    random: Random
    seen: int = 0
    hits: int = 0

    @classmethod
    def of(cls, id: str, rule: FaultRule) -> "_Kept":
        # `translate` uses atomic groups, so that many stars do not slow down the match.
        pattern = re.compile(translate(rule.path.replace("[", "[[]").replace("?", "[?]")))
        return cls(id, rule, pattern, Random(rule.seed or 0))

    @property
    def is_spent(self) -> bool:
        rule = self.rule
        return self.seen >= rule.nth if rule.nth is not None else rule.times is not None and self.hits >= rule.times

    def matches(self, request: "FaultyRequest") -> bool:
        rule = self.rule
        return (
            rule.method in (None, request.method)
            and rule.key in (None, request.key)
            and rule.device_id in (None, request.device_id)
            and self.pattern.match(request.path) is not None
        )

    def is_due(self) -> bool:
        """Count a matching request and return whether the rule hits it."""
        rule = self.rule
        self.seen += 1
        if rule.nth is not None:
            return self.seen == rule.nth
        if rule.every is not None:
            return self.seen % rule.every == 0
        return rule.share is None or self.random.random() < rule.share

    def shown(self) -> Fault:
        return Fault(self.id, self.rule, self.seen, self.hits, self.is_spent)


class FaultyRequest(Struct, frozen=True):
    """Properties of a request that rules look at: method, path, level of the key, and device."""

    method: str
    path: str
    key: KeyLevel
    device_id: str | None


class Hit(Struct, frozen=True):
    """Faults of a request: the sum of all latencies, and the oldest of the other rules."""

    ids: tuple[str, ...]
    latency_s: float
    rule: FaultRule | None
    rule_id: str | None = None


class Faults:
    """The faults of the Test environment. May be used from any thread. Reading `active` is free."""

    def __init__(self, served: Callable[[], Sequence[Served]]) -> None:
        """`served` returns the operations that faults can hit, and is called when a rule is added."""
        self._served = served
        self._lock = Lock()
        self._numbers = count(1)
        self._kept: dict[str, _Kept] = {}
        self._listeners: Listeners[[]] = Listeners()
        self._renewing: tuple[Renew, ...] = ()
        self.active = 0
        """Number of rules that may still hit a request."""
        self.needs_new_connections = False
        """Whether one of the rules is certain to reach its client only on a connection that had no request before."""
        self.renewals: Sequence[Future[None]] = ()
        """Futures for closing the connections that must not be open when the last added rule of that kind applies."""

    def all(self) -> tuple[Fault, ...]:
        """Return the faults in their current state, oldest first."""
        with self._lock:
            return tuple(kept.shown() for kept in self._kept.values())

    def get(self, fault_id: str) -> Fault:
        """Return a fault, or raise `NotFound`."""
        with self._lock:
            return self._found(fault_id).shown()

    def has(self, fault_id: str | None) -> bool:
        """Whether a rule is stored, spent or not."""
        with self._lock:
            return fault_id in self._kept

    def add(self, rule: FaultRule) -> Fault:
        """Store a rule that applies from the next request. Raises `InvalidParameter`."""
        rule = checked(rule)
        check_served(rule, self._served())
        with self._lock:
            if len(self._kept) >= MAX_FAULTS:
                raise InvalidParameter("kind", f"kind: there are already {MAX_FAULTS} faults; remove some.")
            kept = _Kept.of(f"fault{next(self._numbers)}", rule)
            self._kept[kept.id] = kept
            fault = kept.shown()
        self._changed()
        if rule.is_sent_again:
            self.renewals = tuple(renew() for renew in self._renewing)
        return fault

    def remove(self, fault_id: str) -> Fault:
        """Remove a fault and return its last state, or raise `NotFound`."""
        with self._lock:
            fault = self._found(fault_id).shown()
            del self._kept[fault_id]
        self._changed()
        return fault

    def clear(self) -> int:
        """Remove all faults and return how many there were."""
        with self._lock:
            removed = len(self._kept)
            self._kept.clear()
        if removed:
            self._changed()
        return removed

    def strike(self, request: FaultyRequest) -> Hit | None:
        """Count a request for each rule that it matches, and return the faults to apply, or None."""
        ids: list[str] = []
        latency_ms = 0
        chosen: _Kept | None = None
        with self._lock:
            for kept in self._kept.values():
                if kept.is_spent or not kept.matches(request) or not kept.is_due():
                    continue
                if kept.rule.latency_ms is not None:
                    latency_ms += kept.rule.latency_ms
                elif chosen is None:
                    chosen = kept
                else:
                    continue
                kept.hits += 1
                ids.append(kept.id)
        if not ids:
            self._recount()
            return None
        self._changed()
        latency_s = min(latency_ms, MAX_LATENCY_MS) / 1000
        if chosen is None:
            return Hit(tuple(ids), latency_s, None)
        return Hit(tuple(ids), latency_s, chosen.rule, chosen.id)

    def subscribe(self, listener: Callable[[], object]) -> Callable[[], None]:
        """Call `listener` after each change and each hit, from the thread that caused it. Returns a function to
        unsubscribe."""
        return self._listeners.add(listener)

    def renew_with(self, renew: Renew) -> Callable[[], None]:
        """Call `renew` to close the connections of a server when a rule needs new ones. Returns a function to
        unsubscribe."""
        with self._lock:
            self._renewing = (*self._renewing, renew)

        def stop() -> None:
            with self._lock:
                self._renewing = tuple(other for other in self._renewing if other is not renew)

        return stop

    def _found(self, fault_id: str) -> _Kept:
        kept = self._kept.get(fault_id)
        if kept is None:
            raise NotFound("id", f"id: there is no fault {fault_id!r}.")
        return kept

    def _changed(self) -> None:
        self._recount()
        self._listeners.notify()

    def _recount(self) -> None:
        with self._lock:
            active = [kept.rule for kept in self._kept.values() if not kept.is_spent]
            self.active = len(active)
            self.needs_new_connections = any(rule.is_sent_again for rule in active)
