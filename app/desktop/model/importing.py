"""Importing a file: the mapping of its columns, remembered mappings, and texts about the outcome."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import orjson
from msgspec import Struct

from app.desktop.language import counted, tr, translated, within_sentence
from app.desktop.model.fields.geofence import BY_NAME
from engine.domain.fields.geofence import RULES
from engine.domain.fields.rows import ValueKind, column_of
from engine.domain.geofence import Geofence
from engine.domain.imports import (
    ALL_REPAIRS,
    NO_REPAIRS,
    WHOLE_FILE,
    Column,
    Encoding,
    ImportOptions,
    ImportReport,
    JudgedRow,
    Repair,
    RowAction,
)
from engine.domain.values import replace
from engine.geofences.imports.rows import FORMAT
from engine.tabular import identifying
from engine.tabular.kinds import ALL, ColumnKind

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
_OF_FILE: Final = ("tag", "description", "radius")
"""Fields whose suggested value depends on the file: its name, or a value that rows lack."""

KIND_NAMES: Final[Mapping[str, str]] = {
    ColumnKind.NUMBER: tr("number"),
    ColumnKind.FLAG: tr("true or false"),
    ColumnKind.TEXT: tr("text"),
    ColumnKind.EMPTY: tr("empty"),
}
REPAIR_NAMES: Final[Mapping[Repair, str]] = {
    Repair.RINGS: tr("Mend outlines that cross or touch themselves, or are not closed"),
    Repair.SIMPLIFY: tr("Simplify shapes with too many vertices"),
    Repair.PARTS: tr("Leave out the smallest of too many parts and holes"),
    Repair.LINES: tr("Make lines areas with a width of"),
}
MADE_NAMES: Final[Mapping[str, str]] = {
    identifying.NAMES: tr("Made of the description"),
    identifying.NUMBERS: tr("Numbered 1, 2, …"),
}
_SAMPLE: Final = 24
_FIRST: Final = 100
_FIRST_IDS: Final = 3
_NAMED: Final = 20
ACTIONS: Final[Mapping[RowAction, str]] = {
    RowAction.CREATE: tr("Create"),
    RowAction.UPDATE: tr("Update"),
    RowAction.UNCHANGED: tr("Unchanged"),
    RowAction.ERROR: tr("Error"),
}


class Part(Struct, frozen=True):
    """The part of a file to read, if it has several: a layer, or a sheet of an Excel file. Text has an encoding."""

    layer: str | None = None
    sheet: str | None = None
    encoding: Encoding | None = None


WHOLE: Final = Part()


class Columns(Struct, frozen=True):
    """How the columns of a file are read; see `ImportOptions`."""

    mapping: Mapping[str, str]
    fixed: Mapping[str, str]
    id: str | None = None
    repairs: frozenset[Repair] = NO_REPAIRS
    line_width_m: float | None = None
    metadata: tuple[str, ...] = ()

    @classmethod
    def of(cls, options: ImportOptions) -> Columns:
        """Return the columns of import options."""
        return cls(options.mapping, options.fixed, options.id, options.repairs, options.line_width_m, options.metadata)

    def options(self, part: Part, *, keep_good_rows: bool = False) -> ImportOptions:
        """Return the import options for a part of a file."""
        return ImportOptions(
            layer=part.layer,
            sheet=part.sheet,
            encoding=part.encoding,
            mapping=self.mapping,
            fixed=self.fixed,
            id=self.id,
            metadata=self.metadata,
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


def with_named(columns: Sequence[str], chosen: Columns) -> Columns:
    """Return a choice in which the columns with names of fields are mapped, too, as an import reads them."""
    if chosen == AS_NAMED:
        return suggested(columns)
    fixed_only = {field for field in chosen.fixed if field not in chosen.mapping}
    given = fixed_only | ({"externalId"} if chosen.id else set())
    named = {field: column for field, column in FORMAT.named(columns).items() if field not in given}
    mapping = {field: column for field, column in named.items() if column not in chosen.metadata}
    return replace(chosen, mapping={**mapping, **chosen.mapping})


def samples_text(column: Column) -> str:
    """Return the first values of a column."""
    shown = [text if len(text) <= _SAMPLE else f"{text[: _SAMPLE - 1]}…" for text in column.samples]
    return ", ".join(" ".join(text.split()) for text in shown)


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

    def get(self, columns: Sequence[str], suggested: Columns | None = None) -> Columns | None:
        """Return the mapping chosen earlier for these columns, with values that are suggested for each file."""
        kept = self._kept.get(_key(columns)) or self._kept.get(_former_key(columns)) or {}
        match kept:
            case {"map": dict() as mapping, "set": dict() as fixed}:
                present = {field: column for field, column in mapping.items() if not column or column in columns}
                if suggested is not None:
                    fixed = fixed | {name: suggested.fixed.get(name) for name in kept.get("suggested", ())}
                return Columns(
                    present,
                    {name: value for name, value in fixed.items() if value is not None},
                    kept.get("id"),
                    _repairs(kept.get("repair")),
                    kept.get("lineWidth"),
                    tuple(name for name in kept.get("metadata", ()) if name == ALL or name in columns),
                )
            case _:
                return None

    def keep(self, columns: Sequence[str], decided: Columns, suggested: Columns | None = None) -> str:
        """Store a mapping and return the text to save. The oldest mappings are dropped.

        A tag or a name that was suggested, and was not changed, will be suggested for the next file by its own name.
        """
        for key in (_key(columns), _former_key(columns)):
            self._kept.pop(key, None)
        names = () if suggested is None else _OF_FILE
        self._kept[_key(columns)] = {
            "map": dict(decided.mapping),
            "set": dict(decided.fixed),
            "suggested": [name for name in names if suggested and decided.fixed.get(name) == suggested.fixed.get(name)],
            "id": decided.id,
            "metadata": list(decided.metadata),
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
    return _former_key(sorted(set(columns)))


def _former_key(columns: Sequence[str]) -> str:
    """Return the key of earlier versions, for which the order of the columns mattered."""
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


def choice_text(columns: Columns, report: ImportReport) -> str:
    """Return how rows are read, in one line: the tag, the external ID with its first values, the name, the metadata."""
    if not (columns.mapping or columns.fixed or columns.id or columns.metadata):
        return ""
    texts = {field: _source_text(columns, field) for field in ("tag", "externalId", "description", "radius")}
    if columns.id is not None:
        texts["externalId"] = within_sentence(MADE_NAMES.get(columns.id, columns.id))
    ids = list(dict.fromkeys(row.record.external_id for row in report.judged[:_FIRST] if row.record is not None))
    if ids:
        first = ", ".join(ids[:_FIRST_IDS]) + (", …" if report.rows > _FIRST_IDS else "")
        texts["externalId"] = f"{texts['externalId']}: {first}".removeprefix(": ")
    if columns.metadata:
        texts["metadata"] = tr("all other columns") if ALL in columns.metadata else ", ".join(columns.metadata)
    return " · ".join(f"{field_name(field)} {text}" for field, text in texts.items() if text)


def _source_text(columns: Columns, field: str) -> str:
    """Return the column or the value of a field."""
    column, value = columns.mapping.get(field), columns.fixed.get(field)
    if column and value:
        return tr("from {column}, else {value}", column=column, value=value)
    return tr("from {column}", column=column) if column else value or ""


def overwritten_text(report: ImportReport) -> str:
    """Return the names of the geofences that an import would overwrite although the file did not create them."""
    rows = report.overwritten
    if not rows:
        return ""
    names = [
        f"{row.before.description} ({row.before.tag}/{row.before.external_id})" for row in rows[:_NAMED] if row.before
    ]
    more = tr(" and {count:,} more", count=len(rows) - _NAMED) if len(rows) > _NAMED else ""
    text = tr("Overwrites {geofences} that this file did not create:", geofences=counted(len(rows), "geofence"))
    return f"{text} {', '.join(names)}{more}"


def file_notes(report: ImportReport) -> tuple[str, ...]:
    """Return the warnings about the file as a whole."""
    return tuple(
        f"{warning.column}: {text}" if warning.column and not text.startswith(f"{warning.column}:") else text
        for warning in report.warnings
        if warning.row == WHOLE_FILE and (text := translated(warning.message))
    )


def details_of(row: JudgedRow[Geofence]) -> str:
    """Return the errors of a row, or the fields in which it differs and the warnings."""
    if row.errors:
        return " ".join(translated(error.message) for error in row.errors)
    differing = [", ".join(row.differing)] if row.differing else []
    if row.overwrites:
        differing.insert(0, tr("overwrites a geofence that this file did not create"))
    return " – ".join((*differing, *(translated(warning.message) for warning in row.warnings)))


def matching(
    rows: Sequence[JudgedRow[Geofence]], action: RowAction | None, text: str
) -> tuple[JudgedRow[Geofence], ...]:
    """Return the rows of an action that contain a text."""
    wanted = text.strip().lower()
    return tuple(row for row in rows if action in (None, row.action) and (not wanted or wanted in _words(row)))


def named_of(row: JudgedRow[Geofence]) -> tuple[str, str, str]:
    """Return the tag, the external ID and the description of a row, of a refused one as they are in the file."""
    fence, refused = row.record or row.before, row.refused
    if refused is not None and (refused.tag or refused.external_id or refused.name):
        return refused.tag, refused.external_id, refused.name or (fence.description if fence else "")
    return (fence.tag, fence.external_id, fence.description) if fence else ("", "", "")


def _words(row: JudgedRow[Geofence]) -> str:
    return f"{' '.join(named_of(row))} {details_of(row)}".lower()
