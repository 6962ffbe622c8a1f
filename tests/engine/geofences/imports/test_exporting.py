"""Round trips of exports and imports, in every format that can hold all fields."""

from collections.abc import Iterator

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.hours import parse_hours
from engine.domain.imports import ImportFile
from engine.domain.ip import parse_ip_ranges
from engine.domain.ports import no_progress
from engine.domain.values import replace
from engine.engine import Engine
from engine.geofences.geofences import Decided
from engine.geofences.imports.exporting import ExportFormat, ExportQuery, export
from engine.geofences.imports.texts import geojson_of, geometry_of, read_geojson_shape, read_wkt_shape, wkt_of
from tests.engine.fixtures import SetClock, circle
from tests.fields.examples import HOLES, ISLAND, POND, RING
from tests.fields.geofences import samples

TEST, LIVE = Environment.TEST, Environment.LIVE

texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20).filter(str.strip)
formulas = st.sampled_from(
    ["=1+1", "-2", "@SUM(A1)", "+49 170", "'=x", "''", "' x", "x '", " x ", "\t=1", "a,b;c", '"']
)
names = st.one_of(texts, formulas)
plain_texts = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=20)
degrees = st.floats(-80, 80)
values = st.one_of(st.booleans(), st.integers(-(2**53), 2**53), st.floats(-1e9, 1e9), st.text(max_size=8))
hours = st.sampled_from([{"Mon": [["09:00", "17:00"]]}, {"Fri": [["22:00", "02:00"], ["03:00", "24:00"]]}, {"Sun": []}])


def turned(longitude: float) -> float:
    return longitude - 360 if longitude > 180 else longitude


def box(west: float, south: float, size: float) -> tuple[tuple[float, float], ...]:
    """Return a ring, which may cross ±180°."""
    east, north = west + size, south + size
    ring = ((west, south), (east, south), (east, north), (west, north), (west, south))
    return tuple((turned(longitude), latitude) for longitude, latitude in ring)


@st.composite
def parts(draw: st.DrawFn, west: float) -> tuple[object, ...]:
    """Return a ring up to 4° wide, which may have holes beside each other."""
    south, size = draw(degrees), draw(st.floats(0.001, 4))
    holes = draw(st.integers(0, 3))
    inner = (box(west + size * at / 4, south + size / 5, size / 6) for at in range(1, holes + 1))
    return (box(west, south, size), *inner)


@st.composite
def shapes(draw: st.DrawFn) -> tuple[object, ...]:
    """Return a ring, or the coordinates of a Polygon or MultiPolygon."""
    west = draw(st.floats(-180, 180))
    found = [draw(parts(turned(west + 5 * at))) for at in range(draw(st.integers(1, 4)))]
    if draw(st.booleans()):  # cut at ±180°, as RFC 7946 wants it
        south = draw(degrees)
        cut = (((174.0, south), (180.0, south), (180.0, south + 2), (174.0, south)),)
        return (cut, (((-180.0, south), (-175.0, south), (-180.0, south + 2), (-180.0, south)),))
    first, *others = found
    return tuple(found) if others else first if len(first) > 1 else first[0]  # type: ignore[return-value]


@st.composite
def changes(draw: st.DrawFn, text: st.SearchStrategy[str]) -> GeofenceChange:
    polygon = draw(st.booleans())
    return GeofenceChange(
        tag=draw(text),
        external_id=draw(text),
        description=draw(text),
        type="polygon" if polygon else "circle",
        coordinates=draw(shapes()) if polygon else (draw(degrees), draw(degrees)),
        size=draw(st.floats(10, 10_000)),
        enabled=draw(st.booleans()),
        metadata=draw(st.dictionaries(text.filter(lambda key: "\0" not in key), values, max_size=3)),
        operating_hours=parse_hours(draw(hours)) if draw(st.booleans()) else None,
        stop_detection=draw(st.sampled_from([None, True, False])),
        disable_after=draw(st.none() | st.sampled_from([SetClock().now().replace(year=2031, microsecond=123_000)])),
        user_ids=tuple(dict.fromkeys(draw(st.lists(text, max_size=3)))),
        ip=parse_ip_ranges(draw(st.sampled_from(["", "10.0.*.*,192.168.0.0/16", "::1"])), "ip"),
        dwell_threshold_s=draw(st.none() | st.floats(1, 999).map(lambda minutes: minutes * 60)),
        trip_approaching_threshold_s=draw(st.none() | st.sampled_from([0.0, 122.99999999999999, 600.0])),
    )


@pytest.fixture(scope="module")
def shared() -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        yield engine


def kept(engine: Engine, environment: Environment) -> list[Geofence]:
    """Return the geofences without fields that files do not hold: their identifiers and times."""
    now = SetClock().now()
    found = (
        replace(
            each,
            id="",
            environment=TEST,
            summary=replace(each.summary, id=""),
            revision=0,
            created_at=now,
            updated_at=now,
        )
        for each in engine.geofences.all(environment)
    )
    return sorted(found, key=lambda each: (each.tag, each.external_id))


def go_round(engine: Engine, format: ExportFormat, wanted: list[GeofenceChange]) -> None:
    """Store geofences, and import their export over them and into the other environment."""
    for environment in Environment:
        engine.geofences.delete_all(environment)
    records = {(each.tag, each.external_id): each for each in map(engine.geofences._judges[TEST].created, wanted)}
    engine.geofences.edit(TEST, lambda: Decided(lambda _: None, tuple(records.values())))
    file = ImportFile(engine.imports.export(TEST, format), f"fences.{format}")
    again = engine.imports.run(TEST, file).report
    assert (again.errors, again.unchanged) == ((), len(engine.geofences.all(TEST)))
    engine.imports.run(LIVE, file)
    assert kept(engine, LIVE) == kept(engine, TEST)


@pytest.mark.parametrize("format", [ExportFormat.CSV, ExportFormat.GEOJSON])
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_export_and_import_is_the_identity(shared: Engine, format: ExportFormat, data: st.DataObject) -> None:
    go_round(shared, format, data.draw(st.lists(changes(names), min_size=1, max_size=4)))


@pytest.mark.parametrize("format", [ExportFormat.GPKG, ExportFormat.KML])
@settings(max_examples=1, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_maps_hold_it_too(shared: Engine, format: ExportFormat, data: st.DataObject) -> None:
    """Many geofences at once, as each import starts a process. KML does not keep all spaces and control characters."""
    text = names if format is ExportFormat.GPKG else plain_texts
    go_round(shared, format, data.draw(st.lists(changes(text), min_size=8, max_size=12)))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(coordinates=shapes(), before=shapes())
def test_a_shape_as_text_is_read_back(
    shared: Engine, coordinates: tuple[object, ...], before: tuple[object, ...]
) -> None:
    create = shared.geofences._judges[TEST].created
    one, other = (
        create(replace(circle(), type="polygon", coordinates=each)).geometry for each in (coordinates, before)
    )
    for read, text in (
        (read_geojson_shape, orjson.dumps(geojson_of(one)).decode()),
        (read_geojson_shape, orjson.dumps(geometry_of(one)).decode()),
        (read_wkt_shape, wkt_of(one)),
    ):
        change = read(text, other)
        assert create(replace(circle(), type=change.type, coordinates=change.coordinates)).geometry == one


def test_a_spreadsheet_runs_nothing(engine: Engine) -> None:
    engine.geofences.create(TEST, replace(circle(), description='=HYPERLINK("http://example.com")'))
    table = engine.imports.export(TEST, ExportFormat.CSV).decode()
    assert """"'=HYPERLINK(""" in table


def test_filters(engine: Engine) -> None:
    for number, tag in enumerate(("a", "a", "b")):
        engine.geofences.create(TEST, replace(circle(str(number), tag=tag), enabled=number > 0))
    table = engine.imports.export(TEST, ExportFormat.CSV, ExportQuery(tags=frozenset({"a"}), enabled=True)).decode()
    assert [line.split(",")[2:4] for line in table.splitlines()[1:]] == [["a", "1"]]


def test_every_rule_is_written_as_ever() -> None:
    rules = (
        '"{""Tue"":[[""08:30"",""17:15""]]}",true,2096-05-06T07:05:08.901Z,2096-05-06T07:06:08.901Z,"ada,bob",'
        "10.1.0.0/16,7.0,9.0"
    )
    ring, hole, island, pond = (orjson.dumps(each).decode() for each in (RING, *HOLES, ISLAND, *POND))
    assert export(samples(), ExportFormat.CSV, no_progress).decode().splitlines() == [
        "description,type,tag,externalId,coordinates,radius,mode,enabled,metadata,operatingHours,stopDetection,"
        "disableAfter,deleteAfter,userIds,ip,dwellThreshold,tripApproachingThreshold",
        f'A shop,circle,shop,s-1,"[9.521,47.121]",123.0,,false,"{{""floor"":2}}",{rules}',
        f'A shop,polygon,shop,s-2,"[[{ring},{hole}],[{island},{pond}]]",,,false,"{{""floor"":2}}",{rules}',
        f'A shop,isochrone,shop,s-3,"[9.521,47.121]",11.0,bike,false,"{{""floor"":2}}",{rules}',
    ]


@pytest.mark.parametrize("format", ExportFormat)
def test_columns_that_became_metadata_survive_an_export_with_their_types(engine: Engine, format: ExportFormat) -> None:
    text = 'code;name;form;floor;open;zip\n1;A;"POINT (9 47)";2;true;00123\n2;B;"POINT (9 47)";2,5;false;00456\n'
    file = ImportFile(text.encode(), "shops.csv")
    guess = engine.imports.heading(file).guess
    assert guess is not None
    engine.imports.run(Environment.TEST, file, guess)
    before = {each.external_id: dict(each.metadata) for each in engine.geofences.all(Environment.TEST)}
    assert before == {
        "1": {"floor": 2, "open": True, "zip": "00123"},
        "2": {"floor": 2.5, "open": False, "zip": "00456"},
    }
    exported = ImportFile(engine.imports.export(Environment.TEST, format), f"shops.{format}")
    assert engine.imports.run(Environment.TEST, exported).report.unchanged == 2
    suggested = engine.imports.heading(exported).guess
    assert suggested is not None
    assert engine.imports.preview(Environment.TEST, exported, suggested).unchanged == 2
