"""The places that must know every field of geofences, except the window."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, cast

import orjson

from app.api.change_sets import apply_change_set
from app.api.v1.geofences import change_of
from app.api.wire.common.decoding import validate
from app.api.wire.geofence import GeofenceUpsert, encode_body, encode_carried, encode_found, encode_geofence
from app.api.wire.review.change_sets import encode_change_set
from app.api.wire.snapshot import encode_geofence_elsewhere
from engine.domain.environment import Environment
from engine.domain.fields.geofence import part_of
from engine.domain.geofence import Geofence, GeofenceChange, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Isochrone, Point, Polygon
from engine.domain.imports import DEFAULT_OPTIONS, ImportFile
from engine.domain.ports import no_progress
from engine.domain.values import replace
from engine.engine import Engine
from engine.geofences.imports.exporting import ExportFormat
from engine.geofences.imports.importing import differing as differing_columns
from engine.geofences.imports.rows import read_file
from engine.geofences.promotion.differences import fields_between
from engine.geofences.promotion.promotions import PromotionQuery
from tests.fields.examples import whole
from tests.fields.places import Place, compared, names_of, read_back, shown, unlike
from tests.fields.requests import body, example_of, unapplied_fields
from tests.fields.served import TEST, in_events, opened, reopened, sent, through_a_file

LIVE: Final = Environment.LIVE
RECORDS: Final = (GeofenceSummary, Geofence, GeofenceRules, Circle)
_PROMOTED: Final = PromotionQuery(source=TEST, target=LIVE)


def samples() -> list[Geofence]:
    """Return a geofence of each shape with all fields set."""
    return [_of_shape(shape, f"s-{number}") for number, shape in enumerate((Circle, Polygon, Isochrone), 1)]


def _of_shape(shape: type, external_id: str) -> Geofence:
    made_id = external_id[-1] * 24
    summary = whole(GeofenceSummary, id=made_id, external_id=external_id)
    return whole(Geofence, id=made_id, summary=summary, geometry=whole(shape))  # type: ignore[no-any-return]


def _in_order(found: Iterable[Geofence]) -> list[Geofence]:
    return sorted(found, key=lambda geofence: geofence.external_id)


@contextmanager
def _holding(given: Sequence[Geofence]) -> Iterator[Engine]:
    with opened() as engine:
        engine.geofences.put_all(TEST, given, ())
        yield engine


def _stored(given: Sequence[Geofence]) -> list[Geofence]:
    with reopened(geofences=given) as engine:
        return _in_order(engine.geofences.all(TEST))


def _kept_as_they_were(given: Sequence[Geofence]) -> list[Geofence]:
    with _holding(given) as engine:
        engine.geofences.delete_all(TEST)
        pages = [engine.geofence_history.page(TEST, geofence.id) for geofence in given]
        return [page.edits[0].geofence for page in pages]


def _seeded(given: Sequence[Geofence]) -> list[Geofence]:
    with reopened(geofences=given) as engine:
        return _in_order(through_a_file(engine).contents[TEST].geofences)


def _promoted(given: Sequence[Geofence]) -> list[Geofence]:
    with _holding(given) as engine:
        engine.promotions.apply(engine.promotions.plan(_PROMOTED).changes)
        return _in_order(engine.geofences.all(LIVE))


def _applied(given: Sequence[Geofence]) -> list[Geofence]:
    with _holding(given) as engine:
        file = orjson.dumps(encode_change_set(engine.promotions.plan(_PROMOTED).changes))
        apply_change_set(engine, file)
        return _in_order(engine.geofences.all(LIVE))


def _imported(given: Sequence[Geofence], format: ExportFormat) -> list[Geofence]:
    with _holding(given) as engine:
        file = ImportFile(engine.imports.export(TEST, format), f"geofences.{format}")
        engine.geofences.delete_all(TEST)
        rows = read_file(file, DEFAULT_OPTIONS, no_progress).rows
        return [_made(engine, sample, row.change) for sample, row in zip(given, rows, strict=True)]


def _made(engine: Engine, sample: Geofence, change: GeofenceChange | None) -> Geofence:
    """Return the geofence that an import makes from a row; an isochrone is not routed again."""
    assert change is not None
    if not isinstance(sample.geometry, Isochrone):
        return engine.geofences.create(TEST, change)
    center, different = cast(tuple[float, float], change.coordinates), unlike(sample)
    size = {"center": Point(*center), "minutes": change.size, "mode": change.mode}
    made: Geofence = replace(different, geometry=replace(different.geometry, **size))
    return made


def _misread() -> set[str]:
    """Return the fields that a parsed request sets without effect."""
    given = body(GeofenceChange, RECORDS)
    return unapplied_fields(change_of(validate(GeofenceUpsert, given, strict=True)), RECORDS)


def _unapplied_fields() -> set[str]:
    """Return the fields that a request over HTTP sets without effect."""
    with opened() as engine:
        given = body(GeofenceChange, RECORDS, without=("address", "place_id"))
        found = sent(engine, "POST", "/v1/geofences", given)
        stored = engine.geofences.get(TEST, found["geofence"]["_id"])
    return {name for name in names_of(GeofenceChange) if not _is_set(stored, name)}


def _is_set(geofence: Geofence, name: str) -> bool:
    try:
        found = part_of(geofence, name)
    except KeyError:
        return False
    wanted = whole(Circle).center if name == "coordinates" else example_of(GeofenceChange, name, RECORDS).value
    return bool(found == wanted)


def _unchangeable() -> set[str]:
    """Return the fields of rules and summaries that no change can set."""
    parts = {"summary": GeofenceSummary, "rules": GeofenceRules}
    return {f"{part}.{name}" for part, record in parts.items() for name in names_of(record) - names_of(GeofenceChange)}


def _column_differs(sample: Geofence, differing: Geofence, _path: str) -> bool:
    return bool(differing_columns(sample, differing))


def _field_differs(sample: Geofence, differing: Geofence, _path: str) -> bool:
    return any(True for _ in fields_between(sample, differing))


def _summaries() -> list[Any]:
    return [whole(GeofenceSummary)]


def _place(name: str, forgotten: Callable[[], set[str]]) -> Place:
    return Place("geofence", name, forgotten)


PLACES: Final = (
    _place("change", _unchangeable),
    _place("store (reopened)", read_back(samples, _stored)),
    _place("store (in events)", read_back(_summaries, lambda given: in_events(geofence=given))),
    _place("history", read_back(samples, _kept_as_they_were)),
    _place("seed and snapshot", read_back(samples, _seeded)),
    _place("API request (as it is read)", _misread),
    _place("API request (over HTTP)", _unapplied_fields),
    _place("API response", shown(samples, encode_geofence)),
    _place("API response for apps", shown(samples, encode_found)),
    _place("API response (in users and events)", shown(_summaries, encode_carried)),
    _place("request as code", shown(samples, encode_body)),
    _place("scenario", shown(samples, encode_geofence_elsewhere)),
    *(
        _place(f"{format.upper()} file (exported, imported)", read_back(samples, partial(_imported, format=format)))
        for format in ExportFormat
    ),
    _place("preview of an import", compared(samples, _column_differs)),
    _place("promotion (differences)", compared(samples, _field_differs)),
    _place("promotion (applied)", read_back(samples, _promoted)),
    _place("change set", read_back(samples, _applied)),
)
