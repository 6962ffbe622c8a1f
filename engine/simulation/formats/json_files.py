"""Track files in JSON: detection of the document's format, and lines of JSON."""

import json
import re
from io import StringIO
from typing import Any, Final

from engine.domain.errors import InvalidParameter
from engine.domain.nesting import not_too_deep
from engine.simulation.formats import geojson, google, google_semantic, owntracks, request_log, traccar
from engine.simulation.formats.found import Found
from engine.simulation.formats.json_values import BrokenOff, parse

_MESSAGE: Final = b'"_type"'

_NEXT_BRACKET: Final = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)
"""The next bracket outside of strings; there is no match within an unterminated string."""
_CLOSING: Final = bytes.maketrans(b"[{", b"]}")


def read(data: bytes, found: Found) -> bool:
    """Read the positions of JSON; return False if the format is unknown. Raises `InvalidParameter`."""
    try:
        document = parse(data)
    except BrokenOff as error:
        if not _read_complete(data, found):
            raise error from None
        found.skip(f"{error.message.removesuffix('.')}; nothing after the last complete record is read.")
        return True
    except InvalidParameter as error:
        # Lines of JSON are not valid JSON as a whole.
        if _MESSAGE not in data or not read_lines(data.decode("utf-8-sig", "replace"), found) or not found.count:
            raise error from None
        return True
    return _read(document, found)


def _read_complete(data: bytes, found: Found) -> bool:
    """Read the positions of truncated JSON as far as it is complete; return whether there are any."""
    part = complete_part(data)
    try:
        return part is not None and _read(parse(part), found) and found.count > 0
    except InvalidParameter:
        return False


def read_lines(text: str, found: Found) -> bool:
    """Read the positions of OwnTracks messages, one per line; an unreadable line is named."""
    known = False
    for number, line in enumerate(StringIO(text, newline=None), 1):
        if not line.strip():
            continue
        try:
            message = json.loads(not_too_deep(owntracks.message_of(line)))
        except ValueError:
            found.skip(f"line {number}: it is not JSON.")
            continue
        if owntracks.is_message(message):
            known = True
            owntracks.take(message, f"line {number}", found)
    found.order_by_time()
    return known


def _read(document: Any, found: Found) -> bool:
    match document:
        case {"type": str()}:
            geojson.read(document, found)
        case {"semanticSegments": _} | {"rawSignals": _}:
            google.read_timeline(document, found)
        case {"locations": [first, *_] as features} if geojson.is_feature(first):
            geojson.read_features(features, "locations", found)
            found.order_by_time()
        case {"locations": list()}:
            google.read_records(document, found)
        case {"timelineObjects": list()}:
            google_semantic.read_semantic(document, found)
        case {"requests": list(requests)}:
            request_log.read(requests, found)
        case {"request": dict(request)}:
            request_log.read([request], found)
        case {"_type": str()}:
            owntracks.take(document, "the message", found)
        case {"data": [first, *_] as messages} if owntracks.is_message(first):
            return _read(messages, found)
        case [first, *_] as items:
            return _read_list(items, first, found)
        case _:
            return False
    return True


def _read_list(items: list[Any], first: object, found: Found) -> bool:
    if google.is_ios_timeline(items):
        google.read_timeline(items, found)
    elif geojson.is_feature(first):
        geojson.read_features(items, "", found)
    elif traccar.is_position(first):
        traccar.read(items, found)
    elif request_log.is_record(first):
        request_log.read(items, found)
    elif owntracks.is_message(first):
        for index, item in enumerate(items):
            if isinstance(item, dict):
                owntracks.take(item, f"[{index}]", found)
        found.order_by_time()
    else:
        return False
    return True


def complete_part(data: bytes) -> bytes | None:
    """Return truncated JSON without its incomplete last record, and closed, or None if no record is complete.

    Records are the items of the outermost list that has any, or else the members of an object.
    """
    opened = bytearray()
    ends: list[int] = []
    """End of the last complete list or object within each open one, or 0."""
    at = 0
    while (found := _NEXT_BRACKET.match(data, at)) is not None:
        at = found.end()
        if found[1] in b"[{":
            opened += found[1]
            ends.append(0)
            continue
        if not opened:
            return None
        opened.pop()
        ends.pop()
        if ends:
            ends[-1] = at
    levels = [level for level, end in enumerate(ends) if end]
    if not levels:
        return None
    level = next((each for each in levels if opened[each] == ord("[")), levels[0])
    return data[: ends[level]] + opened[: level + 1][::-1].translate(_CLOSING)
