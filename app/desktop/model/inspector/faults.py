"""Descriptions of injected faults in the window's language."""

from __future__ import annotations

from app.desktop.language import number_text, tr
from app.desktop.language.catalogue import ENGLISH, language
from app.faults.rules import ANY_PATH, DropTime, FaultKind, FaultRule
from app.faults.words import ordinal
from engine.domain.environment import KeyLevel


def effect_text(rule: FaultRule) -> str:
    """Return the effect of a rule on a request."""
    match rule.kind:
        case FaultKind.LATENCY:
            return tr("{latency_ms} ms latency", latency_ms=rule.latency_ms)
        case FaultKind.STATUS:
            return tr("status {status}", status=str(rule.status))
        case FaultKind.DROP if rule.when is DropTime.AFTER:
            return tr("drop after it is processed")
        case FaultKind.DROP:
            return tr("drop before it is processed")
        case FaultKind.TRUNCATE if rule.bytes is None:
            return tr("half of the body")
        case FaultKind.TRUNCATE:
            return tr("{count} bytes of the body", count=rule.bytes)
        case FaultKind.SLOW:
            return tr("{count} bytes per second", count=rule.bytes_per_second)


def scope_text(rule: FaultRule) -> str:
    """Return which requests a rule applies to."""
    path = tr("any path") if rule.path == ANY_PATH else rule.path
    parts = [" ".join(filter(None, (rule.method, path)))]
    if rule.key is not None:
        parts.append(tr("secret key") if rule.key is KeyLevel.SECRET else tr("publishable key"))
    if rule.device_id is not None:
        parts.append(tr("device {device_id}", device_id=rule.device_id))
    return ", ".join(parts)


def choice_text(rule: FaultRule) -> str:
    """Return which of the matching requests a rule affects."""
    if rule.nth is not None:
        return tr("the {ordinal} request", ordinal=_ordinal(rule.nth))
    if rule.every is None and rule.share is None and rule.times is not None:
        return tr("the next request") if rule.times == 1 else tr("the next {count} requests", count=rule.times)
    if rule.every is not None and rule.every > 1:
        chosen = tr("every {ordinal} request", ordinal=_ordinal(rule.every))
    elif rule.every is None and rule.share is not None:
        share = number_text(f"{rule.share * 100:g}")
        chosen = tr("{percentage} % of requests, seed {seed}", percentage=share, seed=str(rule.seed or 0))
    else:
        chosen = tr("every request")
    return (
        chosen
        if rule.times is None
        else tr("{affected_requests}, {count} in all", affected_requests=chosen, count=rule.times)
    )


def _ordinal(number: int) -> str:
    """Return an ordinal number: ``22nd``, or with a full stop in other languages."""
    return ordinal(number) if language() == ENGLISH else number_text(f"{number:,}") + "."
