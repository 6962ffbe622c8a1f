"""Descriptions of faults, as the window and the command line show them."""

from app.faults.rules import DropTime, FaultKind, FaultRule
from engine.domain.environment import KeyLevel


def effect_of(rule: FaultRule) -> str:
    """Return the effect of a rule on a request, such as ``status 429`` or ``drop after it is processed``."""
    match rule.kind:
        case FaultKind.LATENCY:
            return f"{rule.latency_ms} ms latency"
        case FaultKind.STATUS:
            return f"status {rule.status}"
        case FaultKind.DROP:
            return f"drop {'after' if rule.when is DropTime.AFTER else 'before'} it is processed"
        case FaultKind.TRUNCATE:
            return "half of the body" if rule.bytes is None else f"{rule.bytes} bytes of the body"
        case FaultKind.SLOW:
            return f"{rule.bytes_per_second} bytes per second"


def scope_of(rule: FaultRule) -> str:
    """Return the scope of a rule, such as ``POST /v1/track, publishable key``."""
    parts = [" ".join(filter(None, (rule.method, "any path" if rule.path == "*" else rule.path)))]
    if rule.key is not None:
        parts.append("secret key" if rule.key is KeyLevel.SECRET else "publishable key")
    if rule.device_id is not None:
        parts.append(f"device {rule.device_id}")
    return ", ".join(parts)


def choice_of(rule: FaultRule) -> str:
    """Return the choice among the requests in scope, such as ``every 3rd, 5 times``."""
    if rule.nth is not None:
        return f"the {ordinal(rule.nth)} request"
    if rule.every is not None:
        chosen = f"every {ordinal(rule.every)} request" if rule.every > 1 else "every request"
    elif rule.share is not None:
        chosen = f"{rule.share * 100:g} % of requests, seed {rule.seed or 0}"
    elif rule.times is not None:
        return "the next request" if rule.times == 1 else f"the next {rule.times} requests"
    else:
        chosen = "every request"
    return chosen if rule.times is None else f"{chosen}, {rule.times} in all"


def ordinal(number: int) -> str:
    """Return an ordinal number, such as ``22nd``."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"
