"""Checks of all files of a history before the work begins, and their division into portions."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import IO, Final

from msgspec import Struct
from msgspec.structs import replace

from engine.backtest.reading import delimited, parquet
from engine.backtest.reading.names import HISTORY, Layout, check_mapping, is_point, layout_of
from engine.backtest.reading.ranges import HistoryChanged
from engine.backtest.reading.sources import Source, find, is_remote, open_source
from engine.backtest.rows import KEPT, SCHEMA, BadFile, Portion, Scan
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.ports import Progress, Stopped, no_progress
from engine.domain.words import count

PORTION_ROWS: Final = 1_000_000
_AT_ONCE: Final = 16
"""Number of remote files that are checked at the same time."""

_COMPRESSION: Final = 4.0
"""Usual ratio of the sizes of CSV before and after compression, to estimate rows."""

_LAYOUTS_SHOWN: Final = 3
_PARQUET: Final = "parquet"
_REMARKS_SHOWN: Final = 5

_LARGE_GROUP: Final = 8
"""Multiple of a portion from which a row group is reported as large."""


class _Checked(Struct, frozen=True):
    """A file that can be read: its portions without their numbers, its columns, and remarks."""

    portions: tuple[Portion, ...]
    layout: Layout
    notes: tuple[str, ...] = ()


def scan(
    history: Sequence[str],
    *,
    columns: Mapping[str, str],
    skip_bad: bool,
    portion_rows: int = PORTION_ROWS,
    downloads: Path | None = None,
    progress: Progress = no_progress,
) -> Scan:
    """Return the portions of a history after a check of every file, in the natural order of the files' names.

    `history` has paths of files and folders, patterns, and addresses (``https://``, ``s3://``). `columns` are names of
    columns in the files by field; other columns are found by known names. `downloads` is a folder for files from web
    servers that only send whole files. `progress` receives numbers of files and may raise `Cancelled`. Raises
    `InvalidParameter` naming ``columns``, or ``history`` with the file at fault; with `skip_bad`, such files are left
    out instead, unless there are no others.
    """
    check_mapping(columns)
    found = find(history, downloads)
    checked: list[_Checked] = []
    bad = list(found.bad)
    for source, result in zip(found.sources, _checked(found.sources, columns, portion_rows, progress), strict=True):
        if isinstance(result, _Checked):
            checked.append(result)
        elif skip_bad:
            bad.append(BadFile(source.file, _reason(result)))
        else:
            raise _refused(source.file, result)
    if bad and not (skip_bad and checked):
        raise InvalidParameter(HISTORY, _none_readable(bad))
    portions = [portion for each in checked for portion in each.portions]
    numbered = tuple(replace(portion, number=number) for number, portion in enumerate(portions))
    return Scan(numbered, tuple(bad), tuple(_notes(checked, found.left_out)))


def column_names(history: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the columns of the first file of a history. Raises `InvalidParameter` naming ``history``."""
    found = find(history)
    if not found.sources:
        raise InvalidParameter(HISTORY, _none_readable(found.bad))
    source = found.sources[0]
    try:
        with open_source(source.file, source.path, source.state) as file:
            form = _form_of(file)
            if form == _PARQUET:
                return tuple(parquet.footer_of(file).columns)
            names = delimited.head_of(file, form, source.state.size).dialect.names
    except FencewrightError as error:
        raise _refused(source.file, error) from error
    return tuple(part for name in names for part in _parts(name))


def _form_of(file: IO[bytes]) -> str:
    """Return the format of a file by its first bytes."""
    begin = file.read(len(parquet.MAGIC))
    file.seek(0)
    if begin == parquet.MAGIC:
        return _PARQUET
    return next((name for magic, name in delimited.FORMATS.items() if begin.startswith(magic)), "csv")


def _checked(
    sources: Sequence[Source], columns: Mapping[str, str], portion_rows: int, progress: Progress
) -> Iterator[_Checked | FencewrightError]:
    """Yield the result of the check of each file."""

    def check(source: Source, report: Callable[[], None] = lambda: None) -> _Checked | FencewrightError:
        try:
            return _check(source, columns, portion_rows, report)
        except Stopped:
            raise
        except FencewrightError as error:
            return error

    total = len(sources)
    if not any(is_remote(source.file) for source in sources):
        for number, source in enumerate(sources):
            progress(number, total)
            yield check(source, partial(progress, number, total))
    else:
        pool = ThreadPoolExecutor(_AT_ONCE)
        try:
            for number, result in enumerate(pool.map(check, sources)):
                progress(number, total)
                yield result
        finally:
            # A cancellation does not wait for slow servers.
            pool.shutdown(wait=False, cancel_futures=True)
    progress(total, total)


def _check(source: Source, columns: Mapping[str, str], portion_rows: int, report: Callable[[], None]) -> _Checked:
    if not source.state.size:
        raise InvalidParameter(HISTORY, "it is empty.")
    with open_source(source.file, source.path, source.state) as file:
        form = _form_of(file)
        if form == _PARQUET:
            return _parquet(source, file, columns, portion_rows)
        return _csv(source, file, form, columns, portion_rows, report)


def _parquet(source: Source, file: IO[bytes], columns: Mapping[str, str], portion_rows: int) -> _Checked:
    footer = parquet.footer_of(file)
    if footer.schema.equals(SCHEMA):
        template = _template(source, KEPT, layout := Layout({}, {}, ()))
    else:
        layout = layout_of(list(footer.columns), source.folders, columns)
        parquet.check_types(layout.columns, footer.columns)
        template = _template(source, _PARQUET, layout)
    portions = tuple(
        replace(template, rows=rows, row_groups=groups, first_row=before)
        for groups, rows, before in parquet.grouped(footer.groups, portion_rows)
    )
    large = max(footer.groups, default=0)
    if large <= _LARGE_GROUP * portion_rows:
        return _Checked(portions, layout)
    note = f"{source.file} has a row group of {count(large, 'row')}, which is read as one portion."
    return _Checked(portions, layout, (note,))


def _csv(
    source: Source,
    file: IO[bytes],
    form: str,
    columns: Mapping[str, str],
    portion_rows: int,
    report: Callable[[], None],
) -> _Checked:
    size = source.state.size
    head = delimited.head_of(file, form, size)
    names = [part for name in head.dialect.names for part in _parts(name)]
    layout = layout_of(names, source.folders, columns)
    _check_single(head.dialect.names, layout)
    template = replace(_template(source, form, layout), dialect=head.dialect, start=head.start)
    notes: tuple[str, ...] = () if head.is_utf8 else (f"{source.file} is not in UTF-8, and is read as Windows-1252.",)
    portion_bytes = int(portion_rows * head.row_bytes)
    is_plain = form == "csv" and head.dialect.encoding == "utf-8"
    if not is_plain or (is_remote(source.path or source.file) and size <= portion_bytes):
        ratio = 1.0 if form == "csv" else _COMPRESSION
        rows = max(1, round((size * ratio - head.start) / head.row_bytes))
        return _Checked((replace(template, rows=rows, end=size if is_plain else 0),), layout, notes)
    cuts = delimited.cuts_of(file, head, size, portion_bytes, report)
    if cuts is None:
        whole = replace(template, rows=max(1, round((size - head.start) / head.row_bytes)), end=size)
        if size > portion_bytes:
            notes += (f"{source.file} has quotes inside cells, so it is read as one portion.",)
        return _Checked((whole,), layout, notes)
    portions = [replace(template, start=cut.start, end=cut.end, rows=cut.rows, first_row=cut.first_row) for cut in cuts]
    return _Checked(tuple(portions), layout, notes)


def _parts(name: str) -> tuple[str, ...]:
    """Return a name of a column in a CSV file, with the names of coordinates if it may hold positions."""
    return (name, f"{name}.0", f"{name}.1") if is_point(name) else (name,)


def _check_single(names: Sequence[str], layout: Layout) -> None:
    repeated = [name for name in layout.columns.values() if names.count(name) > 1]
    if repeated:
        raise InvalidParameter(HISTORY, f"it has several columns named {repeated[0]!r}.")


def _template(source: Source, form: str, layout: Layout) -> Portion:
    """Return a portion with everything that the portions of a file have in common."""
    return Portion(
        number=0,
        file=source.file,
        format=form,
        rows=0,
        size=source.state.size,
        version=source.state.version,
        path=source.path,
        zero_is_unknown=layout.zero_is_unknown,
        columns=layout.columns,
        constants=layout.constants,
    )


def _reason(error: FencewrightError) -> str:
    prefix = f"{error.param}: " if isinstance(error, InvalidParameter) else ""
    return error.message.removeprefix(prefix)


def _refused(file: str, error: FencewrightError) -> InvalidParameter:
    param = error.param if isinstance(error, InvalidParameter) else HISTORY
    reason = error.message if isinstance(error, HistoryChanged) else f"{file}: {_reason(error)}"
    return InvalidParameter(param, f"{param}: {reason}")


def _none_readable(bad: Sequence[BadFile]) -> str:
    first = f"{HISTORY}: {bad[0].file}: {bad[0].message}"
    return first if len(bad) == 1 else f"{first} {count(len(bad) - 1, 'other file')} cannot be read either."


def _notes(checked: Sequence[_Checked], left_out: int) -> Iterator[str]:
    layouts = Counter(each.layout.described() for each in checked if each.layout.columns)
    for described, files in layouts.most_common(_LAYOUTS_SHOWN):
        yield f"Columns of {count(files, 'file')}: {described}."
    if len(layouts) > _LAYOUTS_SHOWN:
        yield f"{count(len(layouts) - _LAYOUTS_SHOWN, 'other set')} of columns."
    if left_out:
        yield f"{count(left_out, 'other file')} in the folders {'was' if left_out == 1 else 'were'} left out."
    remarks = [note for each in checked for note in each.notes]
    yield from remarks[:_REMARKS_SHOWN]
    if len(remarks) > _REMARKS_SHOWN:
        yield f"{count(len(remarks) - _REMARKS_SHOWN, 'other file')} with such remarks."
