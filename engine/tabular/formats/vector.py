"""Rows from files that are read in a separate process, so that a file that crashes it does no other harm.

The process has limits of time and memory. It receives the kind of the file, so that the file's content cannot make it
open another file or an address.
"""

import os
import selectors
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from threading import Timer
from typing import IO, Any, Final

import orjson

from engine.domain.errors import InvalidParameter
from engine.domain.ports import Progress
from engine.domain.values import replace
from engine.extras import how_to_install
from engine.processes import module_command, search_path
from engine.tabular.formats.source import FILE, FileFormat, Part, SeveralLayers, Source, SourceRow, within_s

_OUT_OF_TIME: Final = -getattr(signal, "SIGXCPU", 0) or None
"""Return code of a process that exceeded its processor time, on systems that limit it."""

_STEM: Final = "map"
_MAX_OUTPUT: Final = 2 * 1024**3
_PROGRESS_ROWS: Final = 500
_LOOK_EVERY_S: Final = 0.1
_READ_BYTES: Final = 64 * 1024
"""Capacity of a pipe, in bytes."""

_NETWORKED: Final = ",".join(
    (
        *("HTTP", "WFS", "OAPIF", "OGCAPI", "Elasticsearch", "Carto", "AmigoCloud", "PLSCENES", "CSW", "NGW", "EEDA"),
        *("EEDAI", "GDALG", "OGR_VRT", "VRT", "WMS", "WCS", "WMTS", "ADBC"),
    )
)
"""GDAL drivers that could access other files or other machines."""

_WITHOUT_GDAL: Final = frozenset({FileFormat.GEOJSON, FileFormat.EXCEL})
_SMALL: Final = {"MALLOC_ARENA_MAX": "1", "OPENBLAS_NUM_THREADS": "1", "GDAL_CACHEMAX": "32"}
"""Settings of libraries that would otherwise reserve memory per processor, or a share of the machine's memory."""

MISSING: Final = (
    f"needs pyogrio, which is not installed. {how_to_install('gis')} CSV, GeoJSON and WKT can be imported without it."
)


def read_vector(
    format: FileFormat, files: Mapping[str, bytes], layer: str | None, progress: Progress, memory: int, name: str = ""
) -> Source:
    """Return the rows of a file, which is given with its sidecar files by extension.

    `memory` is the memory limit of the process that reads it, in bytes.

    Raises `InvalidParameter` if the file cannot be read, or not within the limits of time and memory. `progress` may
    raise `Cancelled`.
    """
    if format not in _WITHOUT_GDAL and find_spec("pyogrio") is None:
        raise InvalidParameter(FILE, f"{name or 'A file'} is a {format.label}. Reading it {MISSING}")
    with tempfile.TemporaryDirectory(prefix="fencewright-") as folder, tempfile.TemporaryFile() as errors:
        for ending, content in files.items():
            (Path(folder) / f"{_STEM}{ending}").write_bytes(content)
        path = Path(folder) / f"{_STEM}{next(iter(files))}"
        with _worker(format, path, layer, memory, errors) as process:
            timer = Timer(within_s(memory), process.kill)
            timer.start()
            try:
                repeated = _RepeatedProgress(progress)
                messages = _messages(process, format, repeated.again, lambda: not timer.is_alive())
                return _rows(format, messages, repeated)
            finally:
                timer.cancel()
                process.kill()


def _worker(
    format: FileFormat, path: Path, layer: str | None, memory: int, errors: IO[bytes]
) -> subprocess.Popen[bytes]:
    command = module_command("engine.tabular.formats.worker", format.value, str(path), layer or "", str(memory))
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        # A separate session, because Ctrl-C is for this process, which then ends the other one.
        start_new_session=True,
        env={**os.environ, **_SMALL, "PYTHONPATH": search_path(), "GDAL_SKIP": _NETWORKED},
    )


class _RepeatedProgress:
    """Progress that is repeated while the process is silent, so that it can cancel the work."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._last = (0, 1)

    def __call__(self, done: int, total: int) -> None:
        self._last = (done, total)
        self._progress(done, total)

    def again(self) -> None:
        """Report the last progress again."""
        self._progress(*self._last)


def _lines(process: subprocess.Popen[bytes], check: Callable[[], None]) -> Iterator[bytes]:
    """Yield the lines that the process writes, without an unfinished last one.

    `check` is called while the process writes nothing, and may raise.
    """
    assert process.stdout is not None
    parts: list[bytes] = []
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            while not selector.select(_LOOK_EVERY_S):
                check()
            if not (read := os.read(process.stdout.fileno(), _READ_BYTES)):
                return
            first, *others = read.split(b"\n")
            parts.append(first)
            for other in others:
                yield b"".join(parts)
                parts = [other]


def _messages(
    process: subprocess.Popen[bytes],
    format: FileFormat,
    check: Callable[[], None],
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[dict[str, Any]]:
    """Yield the messages of the process up to its last one; raises `InvalidParameter` if it ends before that.

    `is_over` returns whether the time limit has passed.
    """
    size = 0
    for line in _lines(process, check):
        size += len(line)
        if size > _MAX_OUTPUT:
            process.kill()
            break
        message: dict[str, Any] = orjson.loads(line)
        if "layers" in message:
            raise SeveralLayers(message["layers"])
        if "error" in message:
            raise InvalidParameter(message.get("param", FILE), str(message["error"]))
        yield message
        if "end" in message:
            return
    late = is_over() or process.wait() == _OUT_OF_TIME
    reason = "takes too long to read" if late else "is damaged or too large, and could not be read"
    raise InvalidParameter(FILE, f"This {format.label} {reason}.")


def _rows(format: FileFormat, messages: Iterator[dict[str, Any]], progress: Progress) -> Source:
    first, table = next(messages), _Table()
    total = int(first["rows"])
    for message in messages:
        if "end" in message:
            break
        if "columns" in message:
            table.begin(message["layer"], message["columns"])
            continue
        if message["number"] % _PROGRESS_ROWS == 0:
            progress(message["number"], total)
        table.rows.append(_row(message))
    if format is FileFormat.EXCEL:
        names, notes = tuple(first["sheets"]), tuple(first["notes"])
        columns, header = tuple(first["columns"]), first["header"]
        return Source(format, columns, table.rows, True, header, first["sheet"], names, notes)
    return Source(format, table.filled(), table.rows)


class _Table:
    """The rows of all batches; a batch of KML may lack columns that others of its layer have."""

    def __init__(self) -> None:
        self.rows: list[SourceRow] = []
        self._columns: dict[str, dict[str, None]] = {}
        self._batches: list[tuple[int, str, int]] = []

    def begin(self, layer: str, columns: Sequence[str]) -> None:
        """Begin a batch of rows of a layer."""
        known = self._columns.setdefault(layer, {})
        known.update(dict.fromkeys(columns))
        self._batches.append((len(self.rows), layer, len(columns)))

    def filled(self) -> tuple[str, ...]:
        """Add empty cells for the columns of its layer that a row's batch lacks; return all columns."""
        ends = [*(first for first, _, _ in self._batches[1:]), len(self.rows)]
        for (first, layer, count), end in zip(self._batches, ends, strict=False):
            columns = self._columns[layer]
            if count < len(columns):
                for at in range(first, end):
                    row = self.rows[at]
                    self.rows[at] = replace(row, values={**dict.fromkeys(columns, ""), **row.values})
        return tuple(dict.fromkeys(chain.from_iterable(self._columns.values())))


def _row(message: dict[str, Any]) -> SourceRow:
    parts = message.get("parts")
    return SourceRow(
        message["number"],
        message["values"],
        None if parts is None else tuple(_part(*part) for part in parts),
        message.get("fault"),
        message.get("column"),
    )


def _part(kind: str, coordinates: list[Any], holes: list[list[Any]]) -> Part:
    return Part(kind, _tuples(coordinates), tuple(map(_tuples, holes)))


def _tuples(coordinates: list[Any]) -> tuple[object, ...]:
    return tuple(tuple(item) if isinstance(item, list) else item for item in coordinates)
