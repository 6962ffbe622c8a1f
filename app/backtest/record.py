"""The report of a back-test as JSON, from which it can be read again.

Names are those of the values in `engine.backtest.results` in camel case. Durations are in seconds, and their names say
so (``insideSeconds``); lengths are in metres, and times in UTC. An absent value has no field.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, Final

import msgspec
import orjson

from engine.backtest.results import BacktestReport
from engine.domain.errors import InvalidParameter
from engine.domain.nesting import not_too_deep

VERSION: Final = 1
"""Version of the format. It increases when a field changes its meaning or is removed, not when one is added."""

_IN_SECONDS: Final = "_s"
_IN_METRES: Final = "_m"
_SECONDS: Final = "_seconds"
_LENGTHS: Final = frozenset({"radius"})

type _Rename = Callable[[str], str]


def report_json(report: BacktestReport) -> bytes:
    """Return the report as JSON, with one line for each record of a list."""
    fields = {"version": VERSION, **_renamed(msgspec.to_builtins(report), _wire_name)}
    lines = (b"  %b: %b" % (orjson.dumps(name), _lines(value)) for name, value in fields.items())
    return b"{\n" + b",\n".join(lines) + b"\n}\n"


def _lines(value: object) -> bytes:
    if isinstance(value, list) and value:
        return b"[\n    " + b",\n    ".join(map(orjson.dumps, value)) + b"\n  ]"
    return orjson.dumps(value)


def read_report(content: bytes) -> BacktestReport:
    """Return the report in JSON. Raises `InvalidParameter` for other JSON, and for a later version."""
    try:
        whole = orjson.loads(not_too_deep(content))
        version = whole["version"]
        if version == VERSION:
            return msgspec.convert(_renamed(whole, _own_name), BacktestReport, strict=False)
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidParameter("report", "report: is not the report of a back-test.") from error
    raise InvalidParameter("report", f"report: has the version {version!r}, and only {VERSION} can be read.")


def _renamed(value: Any, rename: _Rename) -> Any:
    """Return a value with other names of fields, and without absent ones."""
    if isinstance(value, Mapping):
        return {rename(name): _renamed(each, rename) for name, each in value.items() if each is not None}
    if isinstance(value, list | tuple):
        return [_renamed(each, rename) if isinstance(each, dict) else each for each in value]
    return value


@cache
def _wire_name(name: str) -> str:
    if name.endswith(_IN_SECONDS):
        name = f"{name.removesuffix(_IN_SECONDS)}{_SECONDS}"
    first, *others = name.removesuffix(_IN_METRES).split("_")
    return first + "".join(map(str.capitalize, others))


@lru_cache(maxsize=1_000)
def _own_name(name: str) -> str:
    own = "".join(f"_{each.lower()}" if each.isupper() else each for each in name)
    if own in _LENGTHS:
        return f"{own}{_IN_METRES}"
    return f"{own.removesuffix(_SECONDS)}{_IN_SECONDS}" if own.endswith(_SECONDS) else own
