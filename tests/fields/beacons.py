"""The places that must know every field of beacons, except the window."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any, Final

import orjson

from app.api.v1.beacons import change_of
from app.api.wire.beacon import BeaconUpsert, encode_beacon, encode_beacon_summary
from app.api.wire.common.decoding import validate
from engine.beacons.csv_import import column_of, parse_rows
from engine.domain.fields.beacon import beacon_part
from engine.domain.tracking.beacon import Beacon, BeaconChange, BeaconSummary, BeaconType, Eddystone, IBeacon
from tests.fields.examples import whole
from tests.fields.places import Place, names_of, read_back, shown
from tests.fields.requests import body, example_of, unapplied_fields
from tests.fields.served import TEST, in_events, opened, reopened, sent, through_a_file

RECORDS: Final = (BeaconSummary, Beacon, IBeacon, Eddystone)
_PARTS: Final[Mapping[BeaconType, type]] = {BeaconType.IBEACON: IBeacon, BeaconType.EDDYSTONE: Eddystone}


def samples() -> list[Beacon]:
    """Return a beacon of each type with all fields set."""
    return [_of_type(signal, f"d-{number}") for number, signal in enumerate((IBeacon, Eddystone), 1)]


def _of_type(signal: type, external_id: str) -> Beacon:
    summary = whole(BeaconSummary, id=external_id[-1] * 24, external_id=external_id, signal=whole(signal))
    return whole(Beacon, summary=summary)  # type: ignore[no-any-return]


def _summaries() -> list[BeaconSummary]:
    return [sample.summary for sample in samples()]


def _stored(given: Sequence[Beacon]) -> list[Beacon]:
    with reopened(beacons=given) as engine:
        return sorted(engine.beacons.all(TEST), key=lambda beacon: beacon.external_id)


def _seeded(given: Sequence[Beacon]) -> list[Beacon]:
    with reopened(beacons=given) as engine:
        return sorted(through_a_file(engine).contents[TEST].beacons, key=lambda beacon: beacon.external_id)


def _names(kind: BeaconType) -> set[str]:
    """Return the fields of a change that a beacon of a type can have."""
    parts = set[str]().union(*map(names_of, _PARTS.values()))
    return names_of(BeaconChange) - (parts - names_of(_PARTS[kind]))


def _without(kind: BeaconType) -> tuple[str, ...]:
    return tuple(names_of(BeaconChange) - _names(kind))


def _misread() -> set[str]:
    given = body(BeaconChange, RECORDS)
    return unapplied_fields(change_of(validate(BeaconUpsert, given, strict=True)), RECORDS)


def _unapplied_fields() -> set[str]:
    """Return the fields that requests over HTTP set without effect."""
    vain = set[str]()
    with opened() as engine:
        for kind in BeaconType:
            given = body(BeaconChange, RECORDS, without=_without(kind), type=kind.value, externalId=kind.value)
            found = sent(engine, "POST", "/v1/beacons", given)
            stored = engine.beacons.get(TEST, found["beacon"]["_id"])
            vain |= {name for name in _names(kind) - {"type", "external_id"} if not _is_set(stored, name)}
    return vain


def _is_set(beacon: Beacon, name: str) -> bool:
    if name == "metadata_items":
        return False
    return bool(beacon_part(beacon, name) == example_of(BeaconChange, name, RECORDS).value)


def _unread_from_csv() -> set[str]:
    """Return the fields that a table sets without effect."""
    vain = set[str]()
    for kind in BeaconType:
        (row,) = parse_rows(_table(kind))
        assert row.change is not None, row.errors
        vain |= unapplied_fields(row.change, RECORDS) & _names(kind) - {"type"}
    return vain


def _table(kind: BeaconType) -> bytes:
    given = body(BeaconChange, RECORDS, without=(*_without(kind), "metadata_items"), type=kind.value)
    point = given.pop("geometry")["coordinates"]
    cells = {column_of(name): value for name, value in given.items()} | {"longitude": point[0], "latitude": point[1]}
    text = StringIO()
    table = csv.writer(text)
    table.writerow(cells)
    table.writerow([_cell(value) for value in cells.values()])
    return text.getvalue().encode()


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _place(name: str, forgotten: Callable[[], set[str]]) -> Place:
    return Place("beacon", name, forgotten)


PLACES: Final = (
    _place("change", lambda: names_of(BeaconSummary) - names_of(BeaconChange)),
    _place("store (reopened)", read_back(samples, _stored)),
    _place("store (in events)", read_back(_summaries, lambda given: in_events(beacon=given))),
    _place("seed and snapshot", read_back(samples, _seeded)),
    _place("API request (as it is read)", _misread),
    _place("API request (over HTTP)", _unapplied_fields),
    _place("API response", shown(samples, encode_beacon)),
    _place("API response (in users and events)", shown(_summaries, encode_beacon_summary)),
    _place("CSV file (imported)", _unread_from_csv),
)
