"""Rules of faults: requests of Test that are answered late, wrongly, in part or not at all."""

import re
from collections.abc import Sequence
from enum import StrEnum
from http import HTTPStatus
from typing import Final

from msgspec import Struct

from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.values import replace

MAX_HEADERS: Final = 16
MAX_TEXT: Final = 256
MAX_LATENCY_MS: Final = 120_000
MAX_COUNT: Final = 1_000_000
MAX_STARS: Final = 8
MAX_BYTES: Final = 16 * 1024 * 1024
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
ANY_PATH: Final = "*"

_PATH: Final = re.compile(r"(?:/v1/|/maps/|\*)[!-~]*")
_HEADER: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE: Final = re.compile(r"[ -~]*")
_OURS: Final = frozenset({"connection", "content-encoding", "content-length", "content-type", "transfer-encoding"})
"""Headers that a rule cannot set, since they depend on the content and encoding of a response."""


class FaultKind(StrEnum):
    """The kinds of fault."""

    LATENCY = "latency"
    STATUS = "status"
    DROP = "drop"
    TRUNCATE = "truncate"
    SLOW = "slow"


class DropTime(StrEnum):
    """The times at which a connection is closed: before the request is processed, or instead of the response."""

    BEFORE = "before"
    AFTER = "after"


class FaultRule(Struct, frozen=True, kw_only=True):
    """A rule: the requests that it hits, and their fault.

    `path` may contain stars for any characters. Of the matching requests, `nth` hits only that one, `every` each n-th,
    and `share` a random part of them, seeded by `seed`. `times` ends the rule after that number of hits.
    """

    kind: FaultKind
    path: str = ANY_PATH
    method: str | None = None
    key: KeyLevel | None = None
    device_id: str | None = None
    nth: int | None = None
    every: int | None = None
    share: float | None = None
    seed: int | None = None
    times: int | None = None
    latency_ms: int | None = None
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    type: str | None = None
    message: str | None = None
    when: DropTime | None = None
    bytes: int | None = None
    bytes_per_second: int | None = None

    @property
    def is_sent_again(self) -> bool:
        """Whether clients send a request again if this rule hits it on a connection that had others before.

        HTTP clients do so on their own, since such a connection may have timed out in the meantime, and their app does
        not notice.
        """
        return self.kind is FaultKind.DROP or self.status == HTTPStatus.REQUEST_TIMEOUT


_NEEDED: Final = {
    FaultKind.LATENCY: "latency_ms",
    FaultKind.STATUS: "status",
    FaultKind.SLOW: "bytes_per_second",
}
_OF_KIND: Final = {
    "latency_ms": FaultKind.LATENCY,
    "status": FaultKind.STATUS,
    "headers": FaultKind.STATUS,
    "type": FaultKind.STATUS,
    "message": FaultKind.STATUS,
    "when": FaultKind.DROP,
    "bytes": FaultKind.TRUNCATE,
    "bytes_per_second": FaultKind.SLOW,
}
"""Fields that apply to a single kind."""

_RANGES: Final = {
    "nth": (1, MAX_COUNT),
    "every": (1, MAX_COUNT),
    "times": (1, MAX_COUNT),
    "seed": (0, 2**63 - 1),
    "latency_ms": (1, MAX_LATENCY_MS),
    "status": (400, 599),
    "bytes": (0, MAX_BYTES),
    "bytes_per_second": (1, MAX_BYTES),
}


def checked(rule: FaultRule) -> FaultRule:
    """Return a rule that can be stored, without the alias in its path. Raises `InvalidParameter` naming the field."""
    for name, (least, most) in _RANGES.items():
        value = getattr(rule, name)
        if value is not None and not least <= value <= most:
            raise InvalidParameter(name, f"{name}: must be from {least:,} to {most:,}, not {value:,}.")
    if rule.share is not None and not 0 < rule.share <= 1:
        raise InvalidParameter("share", f"share: must be greater than 0 and at most 1, not {rule.share:g}.")
    for name, kind in _OF_KIND.items():
        if rule.kind is not kind and getattr(rule, name) not in (None, ()):
            raise InvalidParameter(name, f"{name}: is only for faults of the kind {kind.value}.")
    needed = _NEEDED.get(rule.kind)
    if needed is not None and getattr(rule, needed) is None:
        raise InvalidParameter(needed, f"{needed}: is required for a fault of the kind {rule.kind.value}.")
    _check_choice(rule)
    _check_headers(rule.headers)
    return _with_path(rule)


def _check_choice(rule: FaultRule) -> None:
    """Raise `InvalidParameter` if requests are chosen in two ways at once."""
    given = [name for name in ("nth", "every", "share") if getattr(rule, name) is not None]
    if len(given) > 1:
        raise InvalidParameter(given[1], f"{given[1]}: cannot be combined with {given[0]}.")
    if rule.nth is not None and rule.times is not None:
        raise InvalidParameter("times", "times: cannot be combined with nth, which hits one request.")
    if rule.seed is not None and rule.share is None:
        raise InvalidParameter("seed", "seed: is only for faults with a share.")


def _check_headers(headers: Sequence[tuple[str, str]]) -> None:
    if len(headers) > MAX_HEADERS:
        raise InvalidParameter("headers", f"headers: at most {MAX_HEADERS} are allowed, not {len(headers)}.")
    names: set[str] = set()
    for name, value in headers:
        if name.lower() in names:
            raise InvalidParameter("headers", f"headers: {name} is there twice.")
        names.add(name.lower())
        if not _HEADER.fullmatch(name) or len(name) > MAX_TEXT:
            raise InvalidParameter("headers", f"headers: {name[:MAX_TEXT]!r} is not the name of a header.")
        if name.lower() in _OURS:
            raise InvalidParameter("headers", f"headers: {name} cannot be set.")
        if not _VALUE.fullmatch(value) or len(value) > MAX_TEXT:
            expected = f"at most {MAX_TEXT} printable ASCII characters"
            raise InvalidParameter("headers", f"headers: the value of {name} must have {expected}.")


def _with_path(rule: FaultRule) -> FaultRule:
    path = rule.path.removeprefix("/api") if rule.path.startswith("/api/v1/") else rule.path
    if not _PATH.fullmatch(path) or len(path) > MAX_TEXT or path.count("*") > MAX_STARS:
        expected = f"a path that begins with /v1/ or /maps/, with at most {MAX_STARS} stars for any characters"
        raise InvalidParameter("path", f"path: must be {expected}, not {path[:MAX_TEXT]!r}.")
    return replace(rule, path=path.rstrip("/"))
