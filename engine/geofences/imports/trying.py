"""Edits of geofences in a sandbox: validated like an import, and never stored."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Final

from engine.domain.errors import InvalidParameter, NotFound
from engine.domain.geofence import Geofence
from engine.domain.imports import ImportFile, ImportReport
from engine.domain.tracking.whatif import Assignment, FenceEdits, RequestedEdits
from engine.domain.words import did_you_mean
from engine.tabular.layouts import HeaderError, UnknownColumn

_TABLE: Final = "geofence.csv"
_HEADER: Final = "row 1: "
_MOST_COMPARED: Final = 20_000
"""Maximum number of names with which an unknown one is compared, which takes about a second."""

type Preview = Callable[[ImportFile], ImportReport]
type Find = Callable[[str, str], Geofence | None]
type Names = Callable[[], Iterable[str]]
type Named = Callable[[str], Geofence]


def tried(
    requested: RequestedEdits, preview: Preview, find: Find, get: Callable[[str], Geofence], names: Names
) -> FenceEdits:
    """Return the geofences of a sandbox; `get` raises `NotFound` for an unknown ``_id``, for which `names` has others.

    Raises `NotFound` naming ``geofence``, and `InvalidParameter` naming the field.
    """
    saved: dict[str, Geofence] = {}
    for file in requested.files:
        saved |= {geofence.id: geofence for geofence in _of_file(file, preview)}

    def named(name: str) -> Geofence:
        return _named(name, find, get, names)

    for geofence in _assigned(requested.assignments, preview, named):
        if geofence.id in saved:
            key = f"{geofence.tag}/{geofence.external_id}"
            raise InvalidParameter("geofence", f"geofence: {key} is both in a file and changed by an assignment.")
        saved[geofence.id] = geofence
    removed = frozenset(named(name).id for name in requested.removed)
    return FenceEdits(tuple(each for each in saved.values() if each.id not in removed), removed)


def _assigned(assignments: tuple[Assignment, ...], preview: Preview, named: Named) -> list[Geofence]:
    """Return the geofences with their assignments applied."""
    geofences: dict[str, Geofence] = {}
    rows: dict[str, dict[str, str]] = {}
    for each in assignments:
        geofence = named(each.geofence)
        geofences[geofence.id] = geofence
        rows.setdefault(geofence.id, {})[each.field] = each.value
    return [edited for key, row in rows.items() for edited in _edited(geofences[key], row, preview)]


def _edited(geofence: Geofence, row: Mapping[str, str], preview: Preview) -> list[Geofence]:
    """Return a geofence with fields set, validated like a row of a CSV with these columns."""
    key = {"tag": geofence.tag, "externalId": geofence.external_id}
    if own := row.keys() & key.keys():
        name = min(own)
        raise InvalidParameter(name, f"{name}: identifies the geofence and cannot be changed in a sandbox.")
    whole = {**key, "description": geofence.description, **row}
    name = f"{geofence.tag}/{geofence.external_id}"
    try:
        report = preview(ImportFile(_table(whole), _TABLE))
    except UnknownColumn as error:
        text = (
            f"is no field of a geofence; did you mean {error.suggested}?"
            if error.suggested
            else "is no field of a geofence; fields are the columns of the CSV, such as radius, enabled or "
            "dwellThreshold."
        )
        raise InvalidParameter(error.param, f"{name}:{error.param}: {text}") from None
    except InvalidParameter as error:
        raise InvalidParameter(error.param, f"{name}: {error.message.removeprefix(_HEADER)}") from None
    for wrong in report.errors:
        raise InvalidParameter(wrong.column or "geofences", f"{name}:{wrong.message}")
    return _found(report)


def _of_file(file: ImportFile, preview: Preview) -> list[Geofence]:
    """Return the geofences of a file; raises `InvalidParameter` for its first error."""
    try:
        report = preview(file)
    except HeaderError as error:
        raise InvalidParameter(error.param, f"{file.name}: {error.plain}") from None
    except InvalidParameter as error:
        raise InvalidParameter(error.param, f"{file.name}: {error.message}") from None
    for wrong in report.errors:
        raise InvalidParameter(wrong.column or "geofences", f"{file.name}: row {wrong.row}: {wrong.message}")
    return _found(report)


def _found(report: ImportReport) -> list[Geofence]:
    found = {row.record.id: row.record for row in report.judged if isinstance(row.record, Geofence)}
    return list(found.values())


def _table(row: Mapping[str, str]) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(row))
    writer.writeheader()
    writer.writerow(row)
    return text.getvalue().encode()


def _named(name: str, find: Find, get: Callable[[str], Geofence], names: Names) -> Geofence:
    """Return the geofence with this ``_id`` or ``tag/externalId``; both parts of the latter may contain slashes."""
    parts = name.split("/")
    for place in range(1, len(parts)):
        found = find("/".join(parts[:place]), "/".join(parts[place:]))
        if found is not None:
            return found
    try:
        return get(name)
    except NotFound:
        similar = did_you_mean(name, islice(names(), _MOST_COMPARED))
        text = f"There is no geofence with the _id or the tag/externalId {name[:120]!r}{similar}"
        raise NotFound("geofence", text) from None
