"""The served path that a client may have meant by a path at which nothing is served."""

import re
from collections.abc import Container, Iterable, Sequence
from typing import Final

MAX_PATH: Final = 200
"""Maximum length of a path that may be a misspelling."""

ALIKE: Final = 73.0
"""Minimum similarity (of 100) at which a segment may be a misspelling, which ``openapi`` just reaches."""

_BEHIND: Final = 10.0
"""Deduction for a path without its first segment, so that a misspelling of the whole path comes first."""

_VERSION: Final = re.compile(r"v\d{1,3}", re.IGNORECASE)


def nearest_path(path: str, templates: Iterable[str], preferred: Container[str] = ()) -> str | None:
    """Return the template that is most similar to a path, or None; among equals, a preferred one.

    Every literal segment has to be similar by itself, above all the first, which is the kind of resource: paths of
    another kind are no suggestions, however many letters they share. The version and the first segment may be missing.
    """
    if len(path) > MAX_PATH:
        return None
    sent = _segments(path)
    scores = ((_similarity(_segments(template), sent), template in preferred, template) for template in templates)
    score, _, nearest = max(scores, default=(0.0, False, ""))
    return nearest if score else None


def _segments(path: str) -> list[str]:
    """Return the segments of a path or template, without the version."""
    segments = path.strip("/").split("/")
    return segments[1:] if _VERSION.fullmatch(segments[0]) else segments


def _similarity(wanted: Sequence[str], sent: Sequence[str]) -> float:
    """Return the mean similarity of the literal segments, or 0 if one is not similar at all."""
    if len(wanted) == len(sent) + 1 and not any(part.startswith("{") for part in wanted):
        return max(_similarity(wanted[1:], sent) - _BEHIND, 0.0)
    if len(wanted) != len(sent):
        return 0.0
    from rapidfuzz import fuzz  # imported only for requests that miss, so that the window starts without it

    scores = [
        fuzz.ratio(one.lower(), two.lower()) for one, two in zip(wanted, sent, strict=True) if not one.startswith("{")
    ]
    return sum(scores) / len(scores) if scores and min(scores) >= ALIKE else 0.0
