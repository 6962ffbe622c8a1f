"""The meaning of the columns of a file, as the owner of a table and the options of an import determine it."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from shlex import quote
from typing import Final

from msgspec import Struct

from engine.domain.errors import InvalidParameter
from engine.domain.imports import WHOLE_FILE, ImportOptions, RowError
from engine.domain.metadata import MAX_GEOFENCE_KEYS
from engine.domain.values import replace
from engine.domain.words import closest
from engine.tabular.formats.excel import listed
from engine.tabular.formats.source import FILE, Source
from engine.tabular.identifying import ID, MADE, NAMES, is_whole, parts_of_rule
from engine.tabular.kinds import ALL, ColumnKind, cells_of, kinds_of

_COLUMNS_SHOWN: Final = 30
_ADVISED: Final = 5
"""Enough for the key, the description and both coordinates."""

_VALUE: Final = re.compile(r"[+-]?[.,]?\d|[\[{]")
"""The beginning of a cell with a value rather than the name of a column."""

_MISSPELLED: Final = 0.8
"""Minimum similarity of an ignored column, since files of other programs have columns that are a little similar."""

_RENAMED: Final = 0.75
"""Minimum similarity of a column to a mapped one, since short names of columns are a little similar."""

METADATA: Final = "metadata"
METADATA_KEY: Final = "metadata."
"""The prefix of columns that hold a single key of the metadata."""


class HeaderError(InvalidParameter):
    """An error in a header row; `plain` is the message without advice about options of the command line."""

    def __init__(self, column: str, message: str, plain: str) -> None:
        super().__init__(column, message)
        self.plain = plain


class UnknownColumn(HeaderError):
    """An unknown column, in a file in which each column must be known; `suggested` is the one it probably means."""

    def __init__(self, column: str, message: str, plain: str, suggested: str | None = None) -> None:
        super().__init__(column, message, plain)
        self.suggested = suggested


class Layout(Struct, frozen=True):
    """Meaning of the columns of a file: the column of each field, values for fields without one, and other columns.

    `id` is the rule for the external ID, as texts and the columns between them; `made` is ``names`` or ``numbers`` if
    it is made of these. If `whole_ids` is set, all external IDs are numbers with zero decimals, which are left out.
    The columns of `metadata` become its keys; `kinds` are the kinds of their fields. `warnings` are about other columns
    that are probably misspelled, or left out.
    """

    fields: Mapping[str, str]
    fixed: Mapping[str, str]
    ignored: tuple[str, ...] = ()
    id: tuple[str, ...] = ()
    warnings: tuple[RowError, ...] = ()
    made: str = ""
    whole_ids: bool = False
    metadata: tuple[str, ...] = ()
    kinds: Mapping[str, ColumnKind] = {}


class TableFormat:
    """The allowed and required columns of a table; case and surrounding spaces in column names are ignored."""

    def __init__(
        self,
        names: Iterable[str],
        required: Sequence[str],
        *,
        prefixed: Callable[[str], str | None] = lambda _: None,
        exclusive: Sequence[tuple[str, str]] = (("metadata", METADATA_KEY),),
        elsewhere: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        """Define the columns; `prefixed` normalizes a column of a group or with another name, or returns None.

        A column and its group exclude each other. `elsewhere` has names of fields in other systems, in lower case; None
        means that columns cannot be mapped.
        """
        self._names = {name.lower(): name for name in names}
        self._required = required
        self._prefixed = prefixed
        self._exclusive = exclusive
        self._elsewhere = elsewhere

    def suggested(self, columns: Sequence[str]) -> dict[str, str]:
        """Return the probable columns of fields, by their names here and in other systems."""
        by_name = {column.strip().lower(): column for column in reversed(columns)}
        found: dict[str, str] = {}
        for field in self._names.values():
            for name in (field.lower(), *(self._elsewhere or {}).get(field, ())):
                if name in by_name and by_name[name] not in found.values() and not self._is_excluded(field, found):
                    found[field] = by_name[name]
                    break
        return found

    def named(self, columns: Sequence[str]) -> dict[str, str]:
        """Return the columns that have the name of a field, by field."""
        found = ((self._canonical(column), column) for column in reversed(columns))
        return {field: column for field, column in found if self._is_known(field)}

    def check_fields(self, options: ImportOptions) -> None:
        """Raise `InvalidParameter` naming ``map``, ``set`` or ``id`` for options that no file can be read with."""
        parts_of_rule(options)
        given = [self._mapped(field, "map") for field, name in options.mapping.items() if name.strip()]
        self._check_exclusive([*given, *(self._mapped(field, "set") for field in options.fixed)], "")

    def layout(self, source: Source, options: ImportOptions) -> Layout:
        """Return the meaning of a file's columns; raises `InvalidParameter` naming a field, ``map`` or ``file``."""
        chosen = tuple(_column("metadata", name, source, "metadata") for name in options.metadata if name != ALL)
        if source.strict and not (options.mapping or options.fixed or options.id or ALL in options.metadata):
            return self._as_named(source, chosen)
        fields, fixed, rule = self._given(source, options)
        made = options.id if options.id in MADE else ""
        ids = (ID,) if rule or made else ()
        hidden = {self._mapped(field, "map") for field, name in options.mapping.items() if not name.strip()}
        used = {*fields.values(), *rule[1::2], *chosen}
        self._add_known(source, fields, fixed, used, {*hidden, *ids})
        given = tuple(dict.fromkeys((*fields, *fixed, *ids)))
        self._check_exclusive(given, "")
        self._check_required(given, source, made)
        others = [column for column in source.columns if column and column not in (*fields.values(), *rule[1::2])]
        metadata, left_out = self._metadata(source, options, fields, chosen, others)
        ignored = tuple(column for column in others if column not in metadata and any(cells_of(source, column)))
        return Layout(
            {**fields, **_keys(metadata)},
            fixed,
            ignored,
            rule,
            (*left_out, *self._misspelled(others, given, metadata)),
            made,
            self._has_whole_ids(source, fields),
            metadata,
            _kinds(source, metadata),
        )

    def _as_named(self, source: Source, chosen: tuple[str, ...]) -> Layout:
        """Return the layout of a file in which all columns but those chosen as metadata have names of fields."""
        columns = tuple(column for column in source.columns if column not in chosen)
        names = self._columns(replace(source, columns=columns))
        fields = dict(zip(names, columns, strict=True))
        kinds = _kinds(source, self._checked(chosen, fields))
        return Layout({**fields, **_keys(chosen)}, {}, metadata=chosen, kinds=kinds)

    def _given(self, source: Source, options: ImportOptions) -> tuple[dict[str, str], dict[str, str], tuple[str, ...]]:
        """Return the columns of the mapped fields, the values of the others, and the rule for the external ID."""
        mapping = {field: name for field, name in options.mapping.items() if name.strip()}
        fields = {self._mapped(field, "map"): _column(field, name, source) for field, name in mapping.items()}
        fixed = {self._mapped(field, "set"): value for field, value in options.fixed.items()}
        return fields, fixed, _rule(options, source)

    def _add_known(
        self,
        source: Source,
        fields: dict[str, str],
        fixed: Mapping[str, str],
        used: Collection[str],
        hidden: Collection[str],
    ) -> None:
        """Add the columns with names of fields that are not yet used, and not `hidden`."""
        chosen = (*fields, *fixed)
        # Other names of a column come last, since the file may also have the column itself, or its parts.
        for column in sorted(filter(None, source.columns), key=self._is_renamed):
            name = self._canonical(column)
            replaced = self._is_renamed(column) and self._has_part(name, (*fields, *fixed))
            replaced = replaced or self._is_excluded(name, chosen)
            if not self._is_known(name) or name in fields or column in used or replaced or name in hidden:
                continue
            fields[name] = column

    def _metadata(
        self,
        source: Source,
        options: ImportOptions,
        fields: Mapping[str, str],
        chosen: tuple[str, ...],
        others: Sequence[str],
    ) -> tuple[tuple[str, ...], tuple[RowError, ...]]:
        """Return the columns that become metadata, and a warning about those beyond the limit."""
        self._checked(chosen, fields)
        if ALL not in options.metadata:
            return chosen, ()
        rest = [column for column in others if column not in chosen and any(cells_of(source, column))]
        room = MAX_GEOFENCE_KEYS - len(chosen) - _keys_in(fields)
        left_out = rest[max(room, 0) :]
        if not left_out:
            return (*chosen, *rest), ()
        most, names = MAX_GEOFENCE_KEYS, listed(left_out)
        text = f"At most {most} keys are allowed; these columns were left out: {names}."
        return (*chosen, *rest[: max(room, 0)]), (RowError(WHOLE_FILE, METADATA, text),)

    def _checked(self, chosen: tuple[str, ...], fields: Mapping[str, str]) -> tuple[str, ...]:
        """Return columns chosen for metadata; raises `InvalidParameter` naming ``metadata`` if they are too many."""
        if chosen and (count := len(chosen) + _keys_in(fields)) > MAX_GEOFENCE_KEYS:
            text = f"metadata: at most {MAX_GEOFENCE_KEYS} columns can become keys, not {count}."
            raise InvalidParameter("metadata", text)
        return chosen

    def _has_whole_ids(self, source: Source, fields: Mapping[str, str]) -> bool:
        """Return whether all external IDs are numbers with zero decimals, in a column with a name of its own.

        In a column named like the field, as in an export, they are unchanged.
        """
        column = fields.get(ID)
        if column is None or self._canonical(column) == ID:
            return False
        cells = [cell for cell in cells_of(source, column) if cell]
        return bool(cells) and all(map(is_whole, cells))

    def _misspelled(self, others: Iterable[str], given: Sequence[str], metadata: Collection[str]) -> Iterator[RowError]:
        """Yield a warning for each column without a field that was probably meant as one of ours."""
        for column in others:
            suggested = self._similar(column, given, _MISSPELLED)
            if suggested is not None and suggested != self._canonical(column):
                text = f"This column was ignored; did you mean {suggested}?"
                if column in metadata:
                    text = f"This column became metadata; did you mean {suggested}?"
                yield RowError(WHOLE_FILE, column, text)

    def _columns(self, source: Source) -> tuple[str, ...]:
        """Return the columns in their normal spelling; raises `InvalidParameter` naming one, or ``file``."""
        names, row = tuple(map(self._canonical, source.columns)), source.place
        if not any(map(self._is_known, names)):
            raise self._no_header(source)
        unknown = [name for name in names if name and not self._is_known(name)]
        if unknown:
            raise self._unknown(unknown, source)
        for index, name in enumerate(names):
            if name and name in names[:index]:
                raise InvalidParameter(name, f"{row}duplicate column {name}.")
            self._check_exclusive(names[: index + 1], row)
        for name in self._required:
            if name not in names:
                raise self._missing(name, source)
        return names

    def _missing(self, name: str, source: Source) -> InvalidParameter:
        plain = f"{source.place}the column {name} is missing."
        if self._elsewhere is None:
            return InvalidParameter(name, plain)
        options = self._options((name,), source) + self._made_ids(name)
        return HeaderError(name, f"{plain} Map a column to it, or give a value for all rows: {options}.", plain)

    def _made_ids(self, name: str) -> str:
        """Return the other options for a missing external ID, or nothing for another field."""
        return ", --id names or --id numbers" if name == ID and self._elsewhere is not None else ""

    def _no_header(self, source: Source) -> InvalidParameter:
        """Return the error for a file whose first row names no field."""
        shown = ", ".join(repr(cell) for cell in source.columns[:3])
        if self._elsewhere is None or any(map(_VALUE.match, source.columns)):
            return InvalidParameter(FILE, f"{source.place}this is not a header row; it begins with {shown}.")
        names = listed([column for column in source.columns if column])
        options = self._options(tuple(dict.fromkeys((*self._required, *self.suggested(source.columns)))), source)
        plain = f"{source.place}no column has the name of a field: {names}."
        return HeaderError(
            FILE, f"{plain} Map columns to fields, or give values for all rows, such as: {options}.", plain
        )

    def _unknown(self, unknown: Sequence[str], source: Source) -> InvalidParameter:
        """Return the error for columns that are not fields, in a file that has others that are."""
        known = {self._canonical(column) for column in source.columns}
        if len(unknown) == 1 and (suggested := self._similar(unknown[0], tuple(known))) is not None:
            misspelled = f"{source.place}unknown column {unknown[0]!r}; did you mean {suggested}?"
            return UnknownColumn(unknown[0], misspelled, misspelled, suggested)
        quoted = " and ".join(filter(None, (", ".join(map(repr, unknown[:-1])), repr(unknown[-1]))))
        one, more = f"{source.place}unknown column {quoted}.", f"{source.place}unknown columns {quoted}."
        plain = one if len(unknown) == 1 else more
        if self._elsewhere is None:
            return UnknownColumn(unknown[0], plain, plain)
        found = self.suggested(source.columns).items()
        field, column = next((pair for pair in found if pair[0] not in known), ("FIELD", unknown[0]))
        return UnknownColumn(
            unknown[0],
            f"{plain} Correct the name, or map columns to fields, such as --map {_assigned(field, column)}; columns "
            "that are not mapped are then ignored. Add --metadata COLUMN, or --metadata all, to make them metadata.",
            plain,
        )

    def _options(self, fields: Sequence[str], source: Source) -> str:
        """Return options of the command line for fields, with the probable columns of a file."""
        found = self.suggested(source.columns)
        return " ".join(
            f"--map {_assigned(field, found[field])}"
            if field in found
            else f"--set {field}=VALUE"
            if field == "tag"
            else f"--map {field}=COLUMN"
            for field in fields[:_ADVISED]
        )

    def _check_exclusive(self, names: Sequence[str], place: str) -> None:
        for whole, part in self._exclusive:
            if whole in names and self._has_part(whole, names):
                raise InvalidParameter(whole, f"{place}the column {whole} cannot be combined with {part}… columns.")

    def _has_part(self, name: str, names: Collection[str]) -> bool:
        """Return whether other columns exclude a column."""
        parts = tuple(part for whole, part in self._exclusive if whole == name)
        return any(other.startswith(parts) for other in names if other != name)

    def _is_excluded(self, name: str, given: Collection[str]) -> bool:
        """Return whether a field cannot be combined with a given one."""
        return self._has_part(name, given) or any(
            name.startswith(part) and name != whole and whole in given for whole, part in self._exclusive
        )

    def _is_renamed(self, column: str) -> bool:
        """Return whether a column is known by another name, apart from case."""
        return self._canonical(column).lower() != column.strip().lower()

    def _check_required(self, given: Sequence[str], source: Source, made: str) -> None:
        if made == NAMES and "description" not in given:
            options = self._options(("description",), source)
            raise InvalidParameter("id", f"id: names need a column for the description: {options}.")
        for name in self._required:
            if name not in given:
                shown = ", ".join(source.columns[:_COLUMNS_SHOWN]) or "none"
                options = self._options((name,), source) + self._made_ids(name)
                raise HeaderError(
                    name,
                    f"{name}: no column has it. Map a column to it, or give a value for all rows: {options}. "
                    f"Columns: {shown}.",
                    f"{name}: no column has it. Columns: {shown}.",
                )

    def _mapped(self, field: str, option: str) -> str:
        name = self._canonical(field)
        if not self._is_known(name):
            if (suggested := self._similar(name, ())) is not None:
                raise InvalidParameter(option, f"{option}: there is no field {field!r}; did you mean {suggested}?")
            known = ", ".join(self._names.values())
            raise InvalidParameter(
                option, f"{option}: there is no field {field!r}. Fields are {known} and metadata.KEY."
            )
        return name

    def _similar(self, name: str, given: Sequence[str], similarity: float = 0.66) -> str | None:
        """Return the column, other than the given ones, that a misspelled one probably means, or None."""
        group, dot, key = name.partition(".")
        if dot and key and closest(group, (METADATA_KEY[:-1],), similarity) is not None:
            return METADATA_KEY + key
        return closest(name, (known for known in self._names.values() if known not in given), similarity)

    def _canonical(self, cell: str) -> str:
        name = cell.strip()
        if name.lower().startswith(METADATA_KEY):
            return METADATA_KEY + name[len(METADATA_KEY) :].strip()
        return self._prefixed(name) or self._names.get(name.lower(), name)

    def _is_known(self, name: str) -> bool:
        if name.startswith(METADATA_KEY):
            return not name.endswith(".")
        return name.lower() in self._names or self._prefixed(name) == name


def _rule(options: ImportOptions, source: Source) -> tuple[str, ...]:
    """Return the rule for the external ID, as texts and the columns of a file between them."""
    parts = parts_of_rule(options)
    return tuple(_column(ID, part, source, "id") if at % 2 else part for at, part in enumerate(parts))


def _column(field: str, name: str, source: Source, option: str = "map") -> str:
    """Return the column of a file that is mapped to a field."""
    for column in source.columns:
        if column == name:
            return column
    for column in source.columns:
        if column.strip().lower() == name.strip().lower():
            return column
    shown = ", ".join(source.columns[:_COLUMNS_SHOWN]) or "none"
    similar = closest(name, filter(None, source.columns), _RENAMED)
    if similar is not None:
        raise InvalidParameter(
            option,
            f"{option}: there is no column {name!r}, which is mapped to {field}; did you mean {similar!r}? "
            f"Columns: {shown}.",
        )
    raise InvalidParameter(
        option, f"{option}: there is no column {name!r}, which is mapped to {field}. Columns: {shown}."
    )


def _assigned(field: str, column: str) -> str:
    return quote(f"{field}={column}")


def _keys(columns: Iterable[str]) -> dict[str, str]:
    """Return columns by the fields of their keys of the metadata."""
    return {METADATA_KEY + column: column for column in columns}


def _keys_in(fields: Iterable[str]) -> int:
    return sum(field.startswith(METADATA_KEY) for field in fields)


def _kinds(source: Source, metadata: Sequence[str]) -> dict[str, ColumnKind]:
    """Return the kinds of the columns that become metadata, by field."""
    return {METADATA_KEY + column: kind for column, kind in kinds_of(source, metadata).items()}
