"""The faults that are set, kept in memory for as long as the workspace is open here."""

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
    """A rule that is kept: how many requests matched it, and how many it hit. One that is spent hits no more."""

    id: str
    rule: FaultRule
    seen: int
    hits: int
    is_spent: bool


class _Kept(Struct):
    """A rule with what it has counted."""

    id: str
    rule: FaultRule
    pattern: re.Pattern[str]
    random: Random
    seen: int = 0
    hits: int = 0

    @classmethod
    def of(cls, id: str, rule: FaultRule) -> "_Kept":
        # Atomic groups: a path takes no longer for many stars.
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
        """Count a request that matches; return whether it is one that is to be hit."""
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
    """Properties of a request that rules look at: its method and path, the level of its key, and its device."""

    method: str
    path: str
    key: KeyLevel
    device_id: str | None


class Hit(Struct, frozen=True):
    """Faults of a request: all waits together, and of the rest the oldest rule's."""

    ids: tuple[str, ...]
    latency_s: float
    rule: FaultRule | None
    rule_id: str | None = None


class Faults:
    """The faults of Test. May be used from any thread; `active` costs nothing to read."""

    def __init__(self, served: Callable[[], Sequence[Served]]) -> None:
        """`served` returns what there is to be hit, and is called when a rule is added."""
        self._served = served
        self._lock = Lock()
        self._numbers = count(1)
        self._kept: dict[str, _Kept] = {}
        self._listeners: Listeners[[]] = Listeners()
        self._renewing: tuple[Renew, ...] = ()
        self.active = 0
        """How many rules may hit a request yet."""
        self.needs_new_connections = False
        """Whether one of them reaches its client for certain only on a connection that had no request before."""
        self.renewals: Sequence[Future[None]] = ()
        """The endings of connections that such a rule, added last, must not find open."""

    def all(self) -> tuple[Fault, ...]:
        """Return them as they are now, oldest first."""
        with self._lock:
            return tuple(kept.shown() for kept in self._kept.values())

    def get(self, fault_id: str) -> Fault:
        """Return one; raises `NotFound`."""
        with self._lock:
            return self._found(fault_id).shown()

    def has(self, fault_id: str | None) -> bool:
        """Whether a rule is kept, spent or not."""
        with self._lock:
            return fault_id in self._kept

    def add(self, rule: FaultRule) -> Fault:
        """Keep a rule, from the next request on; raises `InvalidParameter`."""
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
        """Remove one and return what it was; raises `NotFound`."""
        with self._lock:
            fault = self._found(fault_id).shown()
            del self._kept[fault_id]
        self._changed()
        return fault

    def clear(self) -> int:
        """Remove all and return how many there were."""
        with self._lock:
            removed = len(self._kept)
            self._kept.clear()
        if removed:
            self._changed()
        return removed

    def strike(self, request: FaultyRequest) -> Hit | None:
        """Count a request with every rule that it matches, and return what is to be done to it."""
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
        """Call `listener` after each change and each hit, from the thread of whoever made it; return what ends that."""
        return self._listeners.add(listener)

    def renew_with(self, renew: Renew) -> Callable[[], None]:
        """Have `renew` end what connections a server has open, when a rule needs new ones; return what stops that."""
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
        self._listeners.tell()

    def _recount(self) -> None:
        with self._lock:
            active = [kept.rule for kept in self._kept.values() if not kept.is_spent]
            self.active = len(active)
            self.needs_new_connections = any(rule.is_sent_again for rule in active)
