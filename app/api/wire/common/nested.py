"""Parameters of a form that are objects or lists: ``destination[coordinates]=1,2``, ``legs[0][stopDuration]=5``."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from app.api.http.errors import METADATA, shown
from app.api.wire.common.fields import split_ring
from engine.domain.errors import InvalidParameter

MAX_KEYS: Final = 8
"""Maximum depth of nested keys; no object of a request is this deep."""

_NESTED: Final = re.compile(r"([^\[\]]+)((?:\[[^\[\]]*\])+)", re.DOTALL)
_KEY: Final = re.compile(r"\[([^\[\]]*)\]", re.DOTALL)
_INDEX: Final = re.compile(r"\d{1,6}", re.ASCII)
_POSITION: Final = "coordinates"

type Pairs = list[tuple[str, str]]
type Node = dict[str, Any]


def split_name(name: str) -> tuple[str, list[str]]:
    """Return the name of a parameter and the list of the keys in brackets after it, which may be empty."""
    found = _NESTED.fullmatch(name)
    return (name, []) if found is None else (found[1], _KEY.findall(found[2]))


def gather_nested(
    pairs: Pairs, kinds: Mapping[str, bool], read: Callable[[str], object]
) -> tuple[Pairs, dict[str, object]]:
    """Return the pairs without nested keys, and the objects and lists made from nested keys, by name.

    `kinds` maps the names of the parameters to whether each may hold several values. Dictionaries of the client's own
    and unknown names stay among the pairs. `read` converts a metadata text to its value. Raises `InvalidParameter` for
    keys that lead nowhere.
    """
    others: Pairs = []
    nodes: Node = {}
    for name, value in pairs:
        whole = name.partition("[")[0]
        if whole == name or whole in METADATA or whole not in kinds:
            others.append((name, value))
            continue
        _, keys = split_name(name)
        if not keys or not kinds[whole]:
            why = "is not an object or list" if keys else "its brackets do not match"
            raise InvalidParameter(whole, f"{whole}: {shown(name)} cannot be read: {why}.")
        if len(keys) > MAX_KEYS:
            raise InvalidParameter(whole, f"{whole}: keys may be nested at most {MAX_KEYS} levels deep.")
        if not _put(nodes.setdefault(whole, {}), keys, value, read):
            raise InvalidParameter(whole, f"{whole}: {shown(name)} is given more than once.")
    return others, {whole: _read(whole, node) for whole, node in nodes.items()}


def _put(node: Node, keys: list[str], value: str, read: Callable[[str], object]) -> bool:
    """Store a value under its keys, or at the end of a list for an empty key; return whether its place was free."""
    *path, last = keys
    for key in path:
        inner: object = node.setdefault(key or str(len(node)), {})
        if not isinstance(inner, dict):
            return False
        node = inner
    last = last or str(len(node))
    if last in node:
        return False
    node[last] = read(value) if path and path[-1] in METADATA else value
    return True


def _read(name: str, value: object) -> object:
    """Return a composed value: a list if all keys are numbers, and a position as numbers."""
    if isinstance(value, dict) and name not in METADATA:
        inner = {key: _read(key, each) for key, each in value.items()}
        is_list = all(_INDEX.fullmatch(key) for key in inner)
        value = [inner[key] for key in sorted(inner, key=int)] if is_list else inner
    return _position_of(value) if name == _POSITION else value


def _position_of(value: object) -> object:
    """Return the numbers of a position, a ring or nested rings; other values are returned for later validation."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list) or not parts:
        return value
    try:
        return _numbers(parts) if isinstance(parts[0], list) else split_ring([_number(part) for part in parts])
    except ValueError:
        return value


def _numbers(parts: list[Any]) -> list[Any]:
    return [_numbers(part) if isinstance(part, list) else _number(part) for part in parts]


def _number(part: object) -> float:
    """Return the number of a text. Raises `ValueError`."""
    if not isinstance(part, str) or "_" in part:
        raise ValueError(part)
    return float(part)
