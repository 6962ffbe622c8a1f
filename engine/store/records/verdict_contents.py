"""Verdicts as the JSON that rows of kept updates hold: short, because there is one for every update.

Reasons are stored by the names of their wordings, with the values that were true then.
"""

from collections.abc import Iterable
from typing import Any, Final

from engine.domain.tracking.event_wording import EventWording
from engine.domain.tracking.verdicts import About, EventReason, Verdict

_PREFIX: Final = "user."


def verdict_contents(verdicts: Iterable[Verdict]) -> list[Any]:
    """Return verdicts as JSON's types."""
    return [_content(each) for each in verdicts]


def verdicts_of(contents: Iterable[list[Any]]) -> tuple[Verdict, ...]:
    """Return the verdicts that JSON's types hold."""
    return tuple(map(_verdict, contents))


def _content(verdict: Verdict) -> list[Any]:
    about = verdict.about
    reasons = [
        [each.wording.name, dict(each.values)] if each.values else [each.wording.name] for each in verdict.reasons
    ]
    names = [] if about is None else [about.name] if about.id is None else [about.name, about.id]
    return [verdict.type.removeprefix(_PREFIX), int(verdict.fired), names, *reasons]


def _verdict(content: list[Any]) -> Verdict:
    kind, fired, names, *reasons = content
    about = About(*names) if names else None
    return Verdict(_PREFIX + kind, bool(fired), tuple(map(_reason, reasons)), about)


def _reason(content: list[Any]) -> EventReason:
    name, *values = content
    return EventReason(EventWording[name], *values)
