"""Fixes of many devices as arrays, in the order in which they arrived."""

from collections.abc import Container, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from msgspec import Struct
from numpy.typing import NDArray

from engine.backtest.fences import FenceSet, Flags, Floats, Marks, Numbers, revisions_at
from engine.backtest.rows import NOW
from engine.domain.values import replace

type Codes = NDArray[np.int32]

NO_TIME: Final = -(2**62)
"""The client's time of a fix without one."""

NONE: Final = -1
"""The number of no user or no address."""

_MILLISECOND_US: Final = 1_000
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)
"""An odd number by which multiplication spreads the bits."""

_ORDERING: Final = ("accuracy_m", "latitude", "longitude", "at_us", "number")
"""Columns that order fixes of the same time of arrival, the most significant last."""


class Fixes(Struct, frozen=True, kw_only=True):
    """Fixes in columns of equal length, ordered by device and then by arrival.

    `device`, `user` and `ip` are positions in `devices`, `users` and `addresses`, or `NONE`. Times are in microseconds
    since 1970, those of the client in whole milliseconds. A `twin` may be the same fix as another one.
    """

    devices: Sequence[str]
    users: Sequence[str]
    addresses: Sequence[str]
    device: Codes
    user: Codes
    ip: Codes
    at_us: Numbers
    arrived_us: Numbers
    number: Numbers
    longitude: Floats
    latitude: Floats
    accuracy_m: Floats
    stopped: Flags
    foreground: Flags
    revision: Numbers
    settings: Codes
    twin: Flags

    def __len__(self) -> int:
        return len(self.device)

    def part(self, chosen: slice | Numbers | Flags) -> "Fixes":
        """Return some of the fixes."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in _COLUMNS})


_COLUMNS: Final = tuple(name for name in Fixes.__struct_fields__ if name not in ("devices", "users", "addresses"))


def fixes_of(rows: pa.Table, settings: Container[int] = (), twins: Marks | None = None) -> Fixes:
    """Return the fixes of a table with the columns of `SCHEMA`, in the order in which they arrived.

    The order is the same for every order of the rows. Rows with a number of settings that are not in `settings` get 0.
    `twins` are the marks that several rows have, by default those of this table.
    """
    marks = marks_of(rows)
    twins = several(marks) if twins is None else twins
    device, devices = _coded(rows["device"])
    user, users = _coded(rows["user"])
    ip, addresses = _coded(rows["ip"])
    at_us = _times(rows)
    received_us = rows["received_us"].fill_null(NO_TIME).to_numpy()
    arrived_us = np.where(received_us == NO_TIME, at_us, received_us)
    numbers = rows["settings"].to_numpy()
    unknown = [number for number in np.unique(numbers).tolist() if number not in settings]
    fixes = Fixes(
        devices=devices,
        users=users,
        addresses=addresses,
        device=device,
        user=user,
        ip=ip,
        at_us=at_us,
        arrived_us=arrived_us,
        number=rows["number"].to_numpy(),
        longitude=rows["longitude"].to_numpy(),
        latitude=rows["latitude"].to_numpy(),
        accuracy_m=rows["accuracy_m"].to_numpy(),
        stopped=rows["stopped"].to_numpy(),
        foreground=rows["foreground"].to_numpy(),
        revision=rows["revision"].to_numpy(),
        settings=np.where(np.isin(numbers, unknown), 0, numbers).astype(np.int32),
        twin=_among(marks, twins),
    )
    return fixes.part(_order(fixes))


def revisions_of(fixes: Fixes, fences: FenceSet) -> Numbers:
    """Return the revisions of geofences for fixes: those that a workspace has kept, or else those of their time."""
    if not fences.changes:
        return np.full(len(fixes), NOW, np.int64)
    return np.where(fixes.revision == NOW, revisions_at(fences, fixes.arrived_us), fixes.revision)


def _coded(column: Any) -> tuple[Codes, list[str]]:
    """Return a column of texts as numbers in the alphabetical order of its values, and the values."""
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    encoded = whole.dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    values = np.array(encoded.dictionary.to_pylist(), object)
    if not len(values):
        return np.full(len(column), NONE, np.int32), []
    order = np.argsort(values, kind="stable")
    places = np.empty(len(order) + 1, np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    places[-1] = NONE
    return places[encoded.indices.fill_null(len(order)).to_numpy()], values[order].tolist()


def _order(fixes: Fixes) -> Numbers:
    """Return the order by device and arrival. Ties are rare, so only they are compared by the other columns."""
    order = np.lexsort((fixes.arrived_us, fixes.device))
    device, arrived = fixes.device[order], fixes.arrived_us[order]
    same = (device[1:] == device[:-1]) & (arrived[1:] == arrived[:-1])
    if not same.any():
        return order
    tied = np.flatnonzero(np.append(same, False) | np.insert(same, 0, False))
    rows = order[tied]
    keys = [getattr(fixes, name)[rows] for name in ("ip", "foreground", "stopped", "user", *_ORDERING)]
    order[tied] = rows[np.lexsort((*keys, fixes.arrived_us[rows], fixes.device[rows]))]
    return order


def marks_of(rows: pa.Table | pa.RecordBatch) -> Marks:
    """Return a number for each row that fixes with the same device, time, position and accuracy have in common.

    It is 0 for rows that cannot be repeated, as they have no time or are kept updates, of which each has happened.
    Numbers of different fixes are rarely the same. They are valid within this process.
    """
    device, devices = _coded(rows["device"])
    found: Marks = np.array([hash(name) for name in devices], np.int64)[device].view(np.uint64)
    at_us = _times(rows)
    positions = (_values(rows[name]).view(np.uint64) for name in ("longitude", "latitude", "accuracy_m"))
    for column in (at_us.view(np.uint64), *positions):
        found = (found ^ column) * _MIX
        found ^= found >> np.uint64(29)
    is_single = (at_us == NO_TIME) | (_values(rows["revision"]) != NOW)
    marks: Marks = np.where(is_single, np.uint64(0), found)
    return marks


def several(marks: Marks) -> Marks:
    """Return the marks that several rows have, in order."""
    ordered = np.sort(marks)
    found = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    return np.asarray(found[found != 0])


def _among(marks: Marks, chosen: Marks) -> Flags:
    if not len(chosen):
        return np.zeros(len(marks), np.bool)
    places = np.minimum(np.searchsorted(chosen, marks), len(chosen) - 1)
    return np.asarray(chosen[places] == marks)


def _times(rows: pa.Table | pa.RecordBatch) -> Numbers:
    """Return the client's times of rows in whole milliseconds, or `NO_TIME`."""
    at_us = _values(rows["at_us"].fill_null(NO_TIME))
    return np.where(at_us == NO_TIME, NO_TIME, at_us // _MILLISECOND_US * _MILLISECOND_US)


def _values(column: Any) -> NDArray[Any]:
    found: NDArray[Any] = column.to_numpy()
    return found
