"""What a path at which nothing is served was probably meant to be."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from app.api.server.docs import DOCS, DOCUMENT, not_served_text
from app.api.v1 import RESOURCES
from app.api.v1.request_log.sdk_fields import UNSERVED_PATHS

MAX_PATH: Final = 200
"""Longer ones are no misspelling of any."""

ALIKE: Final = 76.0
"""Of a hundred: ``/openapi`` and ``/openapi.json`` are just so alike."""

_LISTED: Final = re.compile(r"`[A-Z]+ (/[^`?]+)`")


def hint_for(path: str) -> str:
    """Return the end of the sentence that nothing is served at a path: what else there is."""
    path = path.removeprefix("/api")
    for beginning, text in UNSERVED_PATHS.items():
        if path == beginning or path.startswith(f"{beginning}/"):
            return f"{text[:1].lower()}{text[1:]} /docs/not-served lists everything that is not served."
    if len(path) <= MAX_PATH and any(_filled(template, path) == path for template in _not_served()):
        return "it is listed in /docs/not-served."
    if (meant := nearest(path)) is not None:
        return f"did you mean {meant}? {DOCS} lists the endpoints."
    return f"{DOCS} lists the endpoints."


def nearest(path: str) -> str | None:
    """Return the path that is served and most like this one, None where none is like it."""
    if len(path) > MAX_PATH:
        return None
    from rapidfuzz import fuzz, process  # for paths that nothing is served at alone: the window begins without

    candidates = {template: _filled(template, path) for template in _served()}
    found = process.extractOne(path, candidates, scorer=fuzz.ratio, score_cutoff=ALIKE)
    return None if found is None else str(found[2])


def _filled(template: str, path: str) -> str:
    """Return a template with the segments of `path` in its places, where it has as many; else the template."""
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
    """Return the paths of the second column of the page's tables, in which they are."""
    return {path for line in lines if line.startswith("|") for path in _LISTED.findall(line.split("|")[2])}
