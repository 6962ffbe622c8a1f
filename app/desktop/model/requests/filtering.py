"""The request filter: a list of words, each of which narrows the result."""

from __future__ import annotations

import re

from msgspec import Struct

from app.exchanges import RequestSummary

_STATUS = re.compile(r"[1-5](?:\d\d|xx)", re.IGNORECASE)
_METHODS = frozenset({"get", "post", "put", "patch", "delete", "options", "head"})
NEAR_MISS = "!"


class RequestFilter(Struct, frozen=True):
    """Lower-case words: a method, a status such as ``4xx``, ``!`` for near misses, or part of any other text."""

    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str) -> RequestFilter:
        """Return the filter for a text."""
        return cls(tuple(text.lower().split()))

    def matches(self, summary: RequestSummary) -> bool:
        """Return whether a request passes the filter."""
        return all(_matches(word, summary) for word in self.words)


def _matches(word: str, summary: RequestSummary) -> bool:
    if word == NEAR_MISS:
        return bool(summary.near_misses)
    if word in _METHODS:
        return summary.method.lower() == word
    status = str(summary.status)
    if _STATUS.fullmatch(word) and word in (status, f"{status[0]}xx"):
        return True
    texts = (summary.path, summary.device_id, summary.user_id, summary.method, *summary.faults)
    events = (event.type for event in summary.events)
    messages = (near_miss.message for near_miss in summary.near_misses)
    return any(word in text.lower() for text in (*texts, *events, *messages) if text)
