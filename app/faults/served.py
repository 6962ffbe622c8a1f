"""Operations that faults can hit. A rule that no request can match is an error."""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from app.faults.rules import FaultRule
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter

_ALIKE: Final = 76.0
"""Similarity, up to 100, from which a path is suggested as the intended one."""

_PARTS: Final = re.compile(r"\{[^}]*\}|.")


class Served(Struct, frozen=True):
    """An operation that faults may hit.

    A path parameter in braces stands for any segment. `level` is the lowest key level that may call it.
    """

    method: str
    path: str
    level: KeyLevel


def check_served(rule: FaultRule, served: Sequence[Served]) -> None:
    """Raise `InvalidParameter` naming the field that keeps a rule from hitting any of these operations."""
    there = [operation for operation in served if may_meet(rule.path, operation.path)]
    if not there:
        from rapidfuzz import fuzz, process  # only needed for errors, so that the window starts without it

        near = process.extractOne(
            rule.path, {operation.path for operation in served}, scorer=fuzz.ratio, score_cutoff=_ALIKE
        )
        hint = "" if near is None else f"; did you mean {near[0]}?"
        raise InvalidParameter("path", f"path: faults hit nothing at {rule.path!r}{hint or '.'}")
    target = "any of these paths" if "*" in rule.path else rule.path
    by_method = [operation for operation in there if rule.method in (None, operation.method)]
    if not by_method:
        methods = ", ".join(sorted({operation.method for operation in there}))
        raise InvalidParameter("method", f"method: {rule.method} is not served at {target}, only {methods}.")
    if rule.key is KeyLevel.PUBLISHABLE and all(operation.level is KeyLevel.SECRET for operation in by_method):
        raise InvalidParameter("key", f"key: publishable keys do not open {target}, and refused requests are not hit.")


def may_meet(pattern: str, path: str) -> bool:
    """Whether a path can match both a rule's pattern, in which a star is any characters, and an operation's path."""
    parts = _PARTS.findall(path)
    reached = _passed(parts, {0})
    for char in pattern:
        if not reached:
            return False
        if char == "*":
            reached = set(range(min(reached), len(parts) + 1))
            continue
        ahead = {at + 1 for at in reached if at < len(parts) and parts[at] == char}
        within = {at for at in reached if at < len(parts) and len(parts[at]) > 1 and char != "/"}
        reached = _passed(parts, ahead | within)
    return len(parts) in reached


def _passed(parts: Sequence[str], reached: set[int]) -> set[int]:
    """Add the positions after path parameters that may have ended, and return all reached positions."""
    for at in sorted(reached):
        while at < len(parts) and len(parts[at]) > 1:
            at += 1
            reached.add(at)
    return reached
