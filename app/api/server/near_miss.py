"""Suggestions for a path at which nothing is served."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from app.api.server.docs import DOCS, DOCUMENT, not_served_text
from app.api.v1 import RESOURCES
from app.api.v1.request_log.nearest_path import MAX_PATH, nearest_path
from app.api.v1.request_log.sdk_fields import UNSERVED_PATHS

_LISTED: Final = re.compile(r"`[A-Z]+ (/[^`?]+)`")


def hint_for(path: str) -> str:
    """Return the end of the message for an unknown path: a suggestion or a reference."""
    path = path.removeprefix("/api")
    for beginning, text in UNSERVED_PATHS.items():
        if path == beginning or path.startswith(f"{beginning}/"):
            return f"{text[:1].lower()}{text[1:]} /docs/not-served lists everything that is not served."
    if len(path) <= MAX_PATH and any(_filled(template, path) == path for template in _not_served()):
        return "it is listed in /docs/not-served."
    if (suggestion := nearest_path(path, _served())) is not None:
        return f"did you mean {suggestion}? {DOCS} lists the endpoints."
    return f"{DOCS} lists the endpoints."


def _filled(template: str, path: str) -> str:
    """Return a template filled with the segments of `path`, or unchanged if their numbers differ."""
    wanted, given = template.split("/"), path.split("/")
    if len(wanted) != len(given):
        return template
    return "/".join(part if name.startswith("{") else name for name, part in zip(wanted, given, strict=True))


@cache
def _served() -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(resource.path for resource in RESOURCES), DOCS, DOCUMENT)))


@cache
def _not_served() -> frozenset[str]:
    return frozenset(_paths_in(not_served_text().splitlines())) - set(_served())


def _paths_in(lines: Iterable[str]) -> set[str]:
    """Return the paths in the second column of the page's tables."""
    return {path for line in lines if line.startswith("|") for path in _LISTED.findall(line.split("|")[2])}
