"""The columns of a table of positions, by the names in use for them."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.simulation.formats import fields
from engine.tabular.rows import Row

NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "latitude": ("latitude", "lat", "gpslatitude", "breite", "breitengrad"),
    "longitude": ("longitude", "lon", "lng", "long", "gpslongitude", "lange", "langengrad"),
    "time": (
        *("time", "timestamp", "updatedat", "createdat", "fixtime", "datetime", "timeutc", "utctime", "utcdatetime"),
        *("utc", "gpstime", "recordedat", "isotime", "isotst", "tst", "timestampms", "timems", "unixtime", "epoch"),
        *("starttime", "startdatetime", "begintime", "devicetime", "datumzeit", "zeitpunkt"),
        *("zeitstempel", "startzeit", "zeit", "uhrzeit"),
    ),
    "date": ("date", "utcdate", "dateutc", "gpsdate", "startdate", "datum"),
    "accuracy": (
        *("accuracy", "horizontalaccuracy", "accuracyhorizontal", "hacc", "acc", "gpsaccuracy", "locationaccuracy"),
        *("accuracymeters", "accuracym", "genauigkeit"),
    ),
    "speed": ("speed", "velocity", "vel", "speedms", "speedmps", "speedkmh", "speedmph", "geschwindigkeit"),
    "foreground": ("foreground",),
    "stopped": ("stopped",),
    "device": ("deviceid", "device"),
}
"""Names of each column without case, punctuation, accents and units; of several, the first takes precedence."""

_PLACES: Final = {name: (field, rank) for field, names in NAMES.items() for rank, name in enumerate(names)}
_ONE_ONLY: Final = ("latitude", "longitude")

KNOWN: Final = frozenset(
    (
        *("id", "name", "number", "index", "type", "segment", "track", "source", "provider", "src", "annotation"),
        *("elevation", "altitude", "ele", "alt", "bearing", "course", "heading", "cog", "satellites", "sat", "hohe"),
        *("hdop", "vdop", "pdop", "geoidheight", "ageofdgpsdata", "dgpsid", "activity", "battery", "distance"),
        *("starttimestampms", "timeoffset", "profilename", "batterycharging", "batterylevel"),
        *("protocol", "servertime", "outdated", "valid", "address", "network", "attributes", "geofenceids"),
        *("verticalaccuracy", "speedaccuracy", "bearingaccuracy", "courseaccuracy", "verticalspeed"),
    )
)
"""Known columns that a track has no place for; docs/tracks.md documents this, so reports do not mention them."""

_UNIT: Final = re.compile(r"[(\[]([^)\]]*)[)\]]")
_UNITS: Final = frozenset(
    (
        *("", "m", "meter", "meters", "metre", "metres", "deg", "degrees", "°", "wgs84", "utc", "gmt", "iso"),
        *("s", "ms", "m/s", "mps", "km/h", "kmh", "kph", "mph", "kn", "kt", "kts", "knots", "knoten"),
    )
)
"""Units that may follow a name; with any other unit, such as feet, the column is unknown."""
_NOT_NAME: Final = re.compile("[^a-z0-9]")
_TRACCAR: Final = "fixtime"
_OWNTRACKS: Final = "tst"


class Columns(Struct, frozen=True):
    """The meaning of a table's columns: for each field its index and the name in the file."""

    fields: Mapping[str, tuple[int, str]]
    unknown: tuple[str, ...]
    speed_unit_mps: float
    of_traccar: bool


def is_table(names: Iterable[str]) -> bool:
    """Return whether these cells are the header of a track."""
    found = {_PLACES.get(plain_name(name), ("", 0))[0] for name in names}
    return {"latitude", "longitude"} <= found


def columns_of(header: Row) -> Columns:
    """Return the columns of a header; raises `InvalidParameter` if those for the position are missing or ambiguous."""
    names = [plain_name(cell) for cell in header.cells]
    best: dict[str, tuple[int, int]] = {}
    for index, name in enumerate(names):
        field, rank = _PLACES.get(name, ("", 0))
        if field in _ONE_ONLY and field in best:
            both = f"{header.cells[best[field][1]].strip()!r} and {header.cells[index].strip()!r}"
            raise InvalidParameter("track", f"row {header.number}: the columns {both} both give the {field}.")
        if field and (rank, index) < best.get(field, (len(_PLACES), 0)):
            best[field] = rank, index
    for field in _ONE_ONLY:
        if field not in best:
            raise InvalidParameter("track", f"row {header.number}: the header row has no column {field}.")
    used = {index for _, index in best.values()}
    return Columns(
        {field: (index, header.cells[index].strip()) for field, (_, index) in best.items()},
        tuple(
            cell.strip()
            for index, cell in enumerate(header.cells)
            if index not in used and cell.strip() and names[index] not in KNOWN and names[index] not in _PLACES
        ),
        _speed_unit(header.cells[best["speed"][1]], names) if "speed" in best else 1.0,
        _TRACCAR in names,
    )


def plain_name(name: str) -> str:
    """Return a name as letters and digits, without its unit and accents."""
    unit = _UNIT.search(name)
    without_unit = _UNIT.sub("", name) if unit and unit[1].strip().lower() in _UNITS else name
    return _NOT_NAME.sub("", unicodedata.normalize("NFKD", without_unit).lower())


def _speed_unit(name: str, names: list[str]) -> float:
    """Return the speed unit named by a column, or else that of the program, which is metres per second for most."""
    unit = _UNIT.search(name)
    unit_name = (unit[1] if unit else name.lower().removeprefix("speed")).strip(" _-.").lower()
    if unit_name in fields.SPEED_UNITS:
        return fields.SPEED_UNITS[unit_name]
    if _TRACCAR in names:
        return fields.KNOT
    return fields.KMH if _OWNTRACKS in names else 1.0
