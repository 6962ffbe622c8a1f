"""Importing a file: the mapping of its columns, remembered mappings, and texts about the outcome."""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import orjson
from msgspec import Struct

from app.desktop.language import counted, tr, translated
from app.desktop.model.fields.geofence import BY_NAME
from engine.domain.fields.geofence import RULES
from engine.domain.fields.rows import ValueKind, column_of
from engine.domain.geofence import Geofence
from engine.domain.imports import (
    ALL_REPAIRS,
    NO_REPAIRS,
    ImportOptions,
    ImportReport,
    JudgedRow,
    Repair,
    RowAction,
)
from engine.geofences.imports.rows import FORMAT

_RULES: Final = {column_of(row.name): row for row in RULES}
FIELDS: Final = (
    "tag",
    "externalId",
    "description",
    "type",
    "radius",
    "coordinates",
    "latitude",
    "longitude",
    "address",
    "placeId",
    "mode",
    "enabled",
    "metadata",
    *_RULES,
)
NEEDED: Final = frozenset({"tag", "externalId"})
NUMBERS: Final = frozenset(
    {
        *("radius", "latitude", "longitude"),
        *(column for column, row in _RULES.items() if row.kind in (ValueKind.NUMBER, ValueKind.SECONDS)),
    }
)
MOST_KEPT: Final = 50
ACTIONS: Final[Mapping[RowAction, str]] = {
    RowAction.CREATE: tr("Create"),
    RowAction.UPDATE: tr("Update"),
    RowAction.UNCHANGED: tr("Unchanged"),
    RowAction.ERROR: tr("Error"),
}


class Part(Struct, frozen=True):
    """The part of a file to read, if it has several: a layer, or a sheet of an Excel file."""

    layer: str | None = None
    sheet: str | None = None


WHOLE: Final = Part()


class Columns(Struct, frozen=True):
    """Mapping of the columns of a file to fields, values for fields without a column, the ID rule, and the repairs."""

    mapping: Mapping[str, str]
    fixed: Mapping[str, str]
    id: str | None = None
    repairs: frozenset[Repair] = NO_REPAIRS
    line_width_m: float | None = None

    def options(self, part: Part, *, keep_good_rows: bool = False) -> ImportOptions:
        """Return the import options for a part of a file."""
        return ImportOptions(
            layer=part.layer,
            sheet=part.sheet,
            mapping=self.mapping,
            fixed=self.fixed,
            id=self.id,
            repairs=self.repairs,
            line_width_m=self.line_width_m,
            keep_good_rows=keep_good_rows,
        )


_TITLES: Final = {
    "externalId": tr("External ID"),
    "address": tr("Address to look up"),
    "placeId": tr("Place ID"),
    "mode": tr("Travel mode"),
    **{column: BY_NAME[row.name].title for column, row in _RULES.items()},
}
AS_NAMED: Final = Columns({}, {})


def field_name(field: str) -> str:
    """Return the title of a field's column: ``External ID``."""
    if field in _TITLES:
        return _TITLES[field]
    return translated(re.sub("([A-Z])", lambda capital: f" {capital[0].lower()}", field).capitalize())


def suggested(columns: Sequence[str]) -> Columns:
    """Return the probable mapping of columns."""
    return Columns(FORMAT.suggested(columns), {})


class KeptColumns:
    """The mappings chosen for files with certain columns, and their serialised form."""

    def __init__(self, text: str = "") -> None:
        self._kept: dict[str, Any] = {}
        try:
            read = orjson.loads(text) if text else {}
        except orjson.JSONDecodeError:
            read = {}
        if isinstance(read, dict):
            self._kept = read

    def get(self, columns: Sequence[str]) -> Columns | None:
        """Return the mapping chosen earlier for these columns."""
        match self._kept.get(_key(columns)):
            case {"map": dict() as mapping, "set": dict() as fixed}:
                present = {field: column for field, column in mapping.items() if column in columns}
                kept = self._kept[_key(columns)]
                return Columns(present, fixed, kept.get("id"), _repairs(kept.get("repair")), kept.get("lineWidth"))
            case _:
                return None

    def keep(self, columns: Sequence[str], decided: Columns) -> str:
        """Store a mapping and return the text to save. The oldest mappings are dropped."""
        self._kept.pop(_key(columns), None)
        self._kept[_key(columns)] = {
            "map": dict(decided.mapping),
            "set": dict(decided.fixed),
            "id": decided.id,
            "repair": sorted(decided.repairs),
            "lineWidth": decided.line_width_m,
        }
        self._kept = dict(list(self._kept.items())[-MOST_KEPT:])
        return orjson.dumps(self._kept).decode()


def _repairs(kept: object) -> frozenset[Repair]:
    """Return the repairs of a mapping, which was true or false before there were several."""
    if isinstance(kept, list):
        return frozenset(map(Repair, ALL_REPAIRS.intersection(kept)))
    return ALL_REPAIRS if kept is True else NO_REPAIRS


def _key(columns: Sequence[str]) -> str:
    return sha256("\x1f".join(columns).encode()).hexdigest()[:16]


def preview_summary(report: ImportReport) -> str:
    """Return the effect that an import would have, as a sentence."""
    parts = [tr("{created:,} to create", created=report.created), tr("{updated:,} to update", updated=report.updated)]
    if report.unchanged:
        parts.append(tr("{unchanged:,} unchanged", unchanged=report.unchanged))
    if report.failed:
        parts.append(counted(report.failed, "row") + tr(" with errors"))
    if report.warnings:
        parts.append(counted(len(report.warnings), "warning"))
    return f"{counted(report.rows, 'row')}: {', '.join(parts)}."


def details_of(row: JudgedRow[Geofence]) -> str:
    """Return the errors of a row, or the fields in which it differs and the warnings."""
    if row.errors:
        return " ".join(translated(error.message) for error in row.errors)
    differing = [", ".join(row.differing)] if row.differing else []
    return " – ".join((*differing, *(translated(warning.message) for warning in row.warnings)))


def matching(
    rows: Sequence[JudgedRow[Geofence]], action: RowAction | None, text: str
) -> tuple[JudgedRow[Geofence], ...]:
    """Return the rows of an action that contain a text."""
    wanted = text.strip().lower()
    return tuple(row for row in rows if action in (None, row.action) and (not wanted or wanted in _words(row)))


def _words(row: JudgedRow[Geofence]) -> str:
    fence = row.record or row.before
    named = f"{fence.tag} {fence.external_id} {fence.description}" if fence else ""
    return f"{named} {details_of(row)}".lower()
