"""The columns of a history by the names in use for them, and as the user maps them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from engine.backtest.fields import FIELDS
from engine.domain.errors import InvalidParameter
from engine.domain.words import did_you_mean
from engine.simulation.formats.columns import NAMES, plain_name

COLUMNS: Final = "columns"
HISTORY: Final = "history"
DATE: Final = "date"
"""Key of the column with the date of a time, for files that have date and clock time in two columns."""

_OF_TRACKS: Final = ("longitude", "latitude", "time", DATE, "accuracy", "foreground", "stopped", "device")
_POINTS: Final = ("coordinates", "geometry", "geom", "wkt", "wkb", "geojson", "point", "location")
"""Names of columns with a position: a list of longitude and latitude, or a point in WKT, WKB or GeoJSON."""

_ADDED: Final[Mapping[str, tuple[str, ...]]] = {
    "longitude": (*(f"{name}0" for name in _POINTS), "x"),
    "latitude": (*(f"{name}1" for name in _POINTS), "y"),
    "time": (
        *("takenat", "clienttime", "eventtime", "eventtimestamp", "devicetimestamp", "originaltimestamp"),
        *("capturedat", "occurredat", "ts", "t"),
    ),
    "device": (
        *("deviceuuid", "deviceidentifier", "trackerid", "vehicleid", "assetid", "unitid", "terminalid", "imei"),
        *("advertiserid", "advertisingid", "adid", "maid", "idfa", "gaid", "topic"),
    ),
    "user": ("userid", "user", "useridentifier", "customerid"),
    "received": (
        *("received", "receivedat", "actualupdatedat", "actualcreatedat", "servertime", "servertimestamp"),
        *("arrivedat", "arrivaltime", "receivedtime", "receivetime", "timereceived", "ingestedat", "ingestiontime"),
    ),
    "accuracy": ("horizontalaccuracymeters", "horizontalaccuracym"),
    "stopped": ("isstopped", "stationary", "isstationary"),
    "foreground": ("isforeground", "inforeground"),
    "ip": ("ip", "ipaddress", "clientip", "remoteip"),
}
"""Names in addition to those of tracks, without case, punctuation and accents."""

_PLACES: Final[Mapping[str, tuple[str, int]]] = {
    name: (field, rank)
    for field in (*FIELDS, DATE)
    for rank, name in enumerate((NAMES[field] if field in _OF_TRACKS else ()) + _ADDED.get(field, ()))
}
_TOGETHER: Final = {
    **dict.fromkeys("xyt", frozenset("xyt")),
    "topic": frozenset(("topic", "tst")),
}
"""Names that are only known in a group, or if the file has all of these columns."""

_PREFIXES: Final[Mapping[str, tuple[str, ...]]] = {
    "radar": (*FIELDS, DATE),
    **dict.fromkeys(
        ("location", "position", "point", "geometry", "geom", "coords", "gps", "fix"),
        ("longitude", "latitude", "time", "accuracy"),
    ),
    "user": ("device", "user", "stopped", "foreground", "ip"),
    "context": ("device", "longitude", "latitude", "accuracy", "ip"),
}
"""Names of groups before that of a column, such as ``location.latitude``, and the fields that they may have."""

_LATER: Final = 1_000
"""Rank of a column in a group, after those outside of groups."""

_REQUIRED: Final = ("device", "longitude", "latitude")
_TIMES: Final = ("time", "received")
_TRACCAR: Final = "fixtime"
_SHOWN: Final = 30


class Layout(Struct, frozen=True):
    """The columns of a file by field, the values of fields from folders, and the names of columns that are left out.

    With `zero_is_unknown`, an accuracy of 0 is an unknown one.
    """

    columns: Mapping[str, str]
    constants: Mapping[str, str]
    unused: tuple[str, ...]
    zero_is_unknown: bool = False

    def described(self) -> str:
        """Return the columns in use and those left out, such as ``device from deviceId. Not used: speed``."""
        used = [f"{field} from {name}" for field, name in self.columns.items()]
        used += [f"{field} from the folders" for field in self.constants]
        left_out = f". Not used: {listed(self.unused)}" if self.unused else ""
        return f"{', '.join(used)}{left_out}"


def check_mapping(columns: Mapping[str, str]) -> None:
    """Raise `InvalidParameter` naming ``columns`` if a mapped field is unknown, or has no name of a column."""
    for field, name in columns.items():
        if field not in FIELDS:
            hint = did_you_mean(field, FIELDS, f"; must be one of {', '.join(FIELDS)}.")
            raise InvalidParameter(COLUMNS, f"{COLUMNS}: there is no field {field!r}{hint}")
        if not name.strip():
            raise InvalidParameter(COLUMNS, f"{COLUMNS}: the name of the column for {field} is empty.")


def layout_of(names: Sequence[str], folders: Mapping[str, str], mapping: Mapping[str, str]) -> Layout:
    """Return the columns of a file with some `names`, in some `folders` with values, and a user's `mapping`.

    Raises `InvalidParameter` naming ``columns`` for a
    mapped column that the file does not have, and ``history`` if required columns are missing or ambiguous.
    """
    columns: dict[str, str] = {}
    constants: dict[str, str] = {}
    for field, name in mapping.items():
        if (found := _match(name, names)) is not None:
            columns[field] = found
        elif (folder := _match(name, folders)) is not None:
            constants[field] = folders[folder]
        else:
            raise InvalidParameter(COLUMNS, _unknown(field, name, [*names, *folders]))
    _add_known(names, folders, columns, constants)
    if DATE in columns and "time" not in columns:
        columns["time"] = columns.pop(DATE)
    _check_required(names, {*columns, *constants})
    of_traccar = any(plain_name(name) == _TRACCAR for name in names)
    used = {part for name in columns.values() for part in (name, base_of(name))}
    unused = [name for name in names if name.strip() and not {name, base_of(name)} & used]
    # Only folders that would give a field if the file had no column for it.
    others = [f"the folders {name}=…" for name in _known(list(folders)) if name in FIELDS and name in columns]
    return Layout(columns, constants, tuple(dict.fromkeys(unused + others)), of_traccar)


def listed(names: Sequence[str]) -> str:
    """Return the first of some names, and the number of the others."""
    shown, more = ", ".join(names[:_SHOWN]), len(names) - _SHOWN
    return shown if more <= 0 else f"{shown} and {more:,} more"


def base_of(name: str) -> str:
    """Return a name without the index of a coordinate."""
    return name[:-2] if name.endswith((".0", ".1")) else name


def is_point(name: str) -> bool:
    """Return whether a column may hold positions, by its name."""
    return any(place in _PLACES for place in _without_groups(f"{plain_name(name)}0"))


def _add_known(
    names: Sequence[str], folders: Mapping[str, str], columns: dict[str, str], constants: dict[str, str]
) -> None:
    """Add the columns with known names for fields that are not mapped."""
    given = {*columns, *constants}
    for field, found in _known(names).items():
        if field in given:
            continue
        best = min(rank for rank, _ in found)
        if field in ("longitude", "latitude") and best < _LATER:
            _check_single(field, [name for rank, name in found if rank < _LATER])
        columns[field] = next(name for rank, name in found if rank == best)
    for field, found in _known(list(folders)).items():
        if field in FIELDS and field not in given and field not in columns and field not in _TIMES:
            constants[field] = folders[min(found)[1]]


def _known(names: Sequence[str]) -> dict[str, list[tuple[int, str]]]:
    """Return the columns with known names by field, each with its rank."""
    plain = {plain_name(name) for name in names}
    found: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        for later, short in enumerate(_without_groups(plain_name(name))):
            if short in _PLACES and (later or _TOGETHER.get(short, frozenset()) <= plain):
                field, rank = _PLACES[short]
                found.setdefault(field, []).append((rank + later * _LATER, name))
                break
    return found


def _without_groups(name: str) -> Iterable[str]:
    """Yield a plain name, and its ends after names of groups that may have the field."""
    yield name
    for prefix, fields in _PREFIXES.items():
        short = name.removeprefix(prefix)
        if short != name:
            for end in _without_groups(short):
                if end in _PLACES and _PLACES[end][0] in fields:
                    yield end


def _check_single(field: str, names: Sequence[str]) -> None:
    if len(names) > 1:
        both = " and ".join(map(repr, names[:2]))
        raise InvalidParameter(
            HISTORY, f"the columns {both} both give the {field}; choose one with --columns {field}=COLUMN."
        )


def _check_required(names: Sequence[str], fields: Collection[str]) -> None:
    missing = [field for field in _REQUIRED if field not in fields]
    if not any(field in fields for field in _TIMES):
        missing.append("time")
    if missing:
        have = f"its columns are {listed(names)}" if names else "it has no columns"
        advice = " ".join(f"--columns {field}=COLUMN" for field in missing)
        raise InvalidParameter(
            HISTORY, f"there is no column for {' and '.join(missing)}; {have}. Name the columns with {advice}."
        )


def _match(name: str, names: Iterable[str]) -> str | None:
    """Return the name that is equal, or is equal except for case and punctuation if there is only one.

    A column of positions, with any name, has the parts ``.0`` and ``.1``.
    """
    known = list(names)
    if name in known:
        return name
    similar = [each for each in known if plain_name(each) == plain_name(name)]
    if len(similar) == 1:
        return similar[0]
    return name if base_of(name) != name and base_of(name) in known else None


def _unknown(field: str, name: str, names: Sequence[str]) -> str:
    hint = did_you_mean(name, names)
    return f"there is no column {name!r}, which is mapped to {field}{hint} The columns are {listed(names)}."
