"""Texts of the engine in the language of the window: words are looked up as they are, messages by their templates.

The engine speaks English, on the wire and on the command line, too. A message is recognised by the text between its
values. An unrecognised message is shown unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

import orjson

from app.desktop.language.catalogue import NOUNS, counted, number_text

type Find = Callable[[str], str]

WORDS: Final = (
    *("Car", "Truck", "Foot", "Bike", "Motorbike"),
    *("car", "truck", "foot", "bike", "motorbike"),
    *("Queued", "Delivered", "Failed", "Valid", "Invalid", "Missing", "Accepted", "Unverified", "Rejected"),
    *("None", "Error", "Warning", "Info", "Debug"),
    *("House", "Street", "Locality", "Postal code", "County", "State", "Country", "Place", "Position"),
    *("Coordinates", "Latitude", "Longitude", "Stop detection", "Disable after", "Delete after", "Dwell threshold"),
    *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    *("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", "never open"),
    *("Urban", "Suburban", "Open sky", "City canyon", "Walk", "Indoors"),
    *("gained", "lost", "moved", "valid", "invalid", "missing", "stopped", "in the foreground", "inside", "outside"),
    *("beacon", "place", "country", "state", "county", "locality", "Circle", "Polygon", "Isochrone"),
    *("created", "updated", "unchanged", "failed", "deleted"),
    *("pending", "started", "approaching", "arrived", "completed", "canceled", "expired"),
    *("off", "entries", "exits", "both"),
    *("trip", "geofence", "settings", "none", "market area", "postal code"),
    *("the world pack", "the bundled area", "the city data of IP addresses"),
)
"""Names of values in the engine that the window shows as words."""

_MOST_LETTERS: Final = 2_000
_PLACE: Final = re.compile(r"\{(\w+)(?::[^{}]*)?\}")
_NAMED: Final = re.compile(r"[A-Za-z][\w.]*: ")
_NUMBER: Final = re.compile(r"-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?: ?(?:%|m|km|s|min|h|m/s|km/h|°))?", re.ASCII)
"""A number as the engine writes it, with an optional unit."""

_COUNTED: Final = re.compile(r"(\d+|\d{1,3}(?:,\d{3})+) ([A-Za-z ]+)", re.ASCII)
_SENTENCE: Final = re.compile(r"[a-z]{2,} [A-Za-z0-9]")


def translated_message(text: str, find: Find) -> str:
    """Return a word or a message of the engine, translated by `find`, which returns an empty text if it has none.

    A field name at the start of a message is kept. Numbers are written in the notation of the window's language.
    """
    if _NUMBER.fullmatch(text):
        return number_text(text)
    if found := _known(text, find):
        return found
    named = _NAMED.match(text)
    rest = _known(text[named.end() :], find) if named is not None else ""
    return f"{named[0]}{rest}" if named is not None and rest else text


@lru_cache(maxsize=4_096)
def _known(text: str, find: Find, depth: int = 2) -> str:
    if (found := find(text)) or len(text) > _MOST_LETTERS:
        return found
    for literals, pattern, template in _templates():
        if not all(literal in text for literal in literals):
            continue
        if (match := pattern.fullmatch(text)) is not None and (shown := find(template)):
            values = [_part(value, find, depth - 1) for value in match.groups()]
            return _filled(shown, dict(zip(_PLACE.findall(template), values, strict=True)))
    return ""


def _part(value: str, find: Find, depth: int) -> str:
    """Return a value for a template: numbers are localized, the engine's sentences translated, other words kept.

    Sentences in a list are separated by semicolons.
    """
    if _NUMBER.fullmatch(value):
        return number_text(value)
    if (match := _COUNTED.fullmatch(value)) and (noun := _nouns().get(match[2])):
        return counted(int(match[1].replace(",", "")), *noun)
    if "; " in value and depth:
        return "; ".join(_part(each, find, depth) for each in value.split("; "))
    return (_known(value, find, depth) if depth and _SENTENCE.search(value) else "") or value


@cache
def _nouns() -> dict[str, tuple[str, str]]:
    """The counted nouns, keyed by both singular and plural."""
    return {form: nouns for nouns in NOUNS for form in nouns}


def _filled(template: str, values: dict[str, str]) -> str:
    filled = _PLACE.sub(lambda place: values.get(place[1], place[0]), template)
    return filled if "{{" not in template else filled.replace("{{", "{").replace("}}", "}")


@cache
def _templates() -> tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...]:
    """The templates, longest fixed text first, each with the texts that a message must contain to match."""
    listed: list[str] = orjson.loads((files(__package__) / "engine_texts.json").read_bytes())
    found = []
    for template in listed:
        if _PLACE.search(template) is not None:
            literals = tuple(_unescaped(part) for part in _PLACE.split(template)[::2])
            pattern = re.compile("(.+?)".join(map(re.escape, literals)), re.DOTALL)
            found.append((tuple(filter(None, literals)), pattern, template))
    return tuple(sorted(found, key=lambda each: -sum(map(len, each[0]))))


def _unescaped(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")
