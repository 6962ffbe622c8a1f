"""Reports of back-tests for tests: one made by hand, large ones, and a strategy."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

from hypothesis import strategies as st

from engine.backtest.results import (
    BacktestReport,
    Comparison,
    DeviceResult,
    EventDifference,
    FenceDifferences,
    FenceResult,
    Travel,
    WorkerResult,
)
from engine.backtest.rows import BadFile, BadRow
from engine.domain.values import replace

START: Final = datetime(2026, 1, 1, 6, 30, tzinfo=UTC)
END: Final = datetime(2026, 3, 31, 21, 4, 9, tzinfo=UTC)

STORE: Final = FenceResult(
    tag="store",
    external_id="vienna-1",
    description="Vienna <Mitte>",
    longitude=16.372,
    latitude=48.208,
    radius_m=150.0,
    entries=120,
    exits=118,
    dwells=40,
    visits=125,
    inside_s=125 * 1_800.0,
    devices=17,
    hours=tuple(number % 5 * 4 for number in range(24)),
)
DEPOT: Final = FenceResult(
    tag="depot",
    external_id="north",
    description="",
    longitude=16.40,
    latitude=48.26,
    radius_m=600.0,
    entries=30,
    exits=30,
    visits=31,
    inside_s=90_000.0,
    devices=9,
    hours=(0,) * 5 + (20, 30, 10) + (0,) * 16,
)
IDLE: Final = FenceResult(
    tag="store", external_id="graz-9", description="Graz", longitude=15.44, latitude=47.07, radius_m=80.0
)

COMPARISON: Final = Comparison(
    events=350,
    unchanged=300,
    gained=12,
    lost=31,
    moved=7,
    geofences=(
        FenceDifferences("store", "vienna-1", gained=2, lost=31, moved=7),
        FenceDifferences("depot", "north", gained=10),
    ),
    examples=(
        EventDifference(
            kind="gained",
            type="user.entered_geofence",
            device_id="van-1",
            user_id="anna",
            tag="depot",
            external_id="north",
            after=START,
            longitude=16.4,
            latitude=48.26,
        ),
        EventDifference(
            kind="moved",
            type="user.exited_geofence",
            device_id="van-2",
            tag="store",
            external_id="vienna-1",
            before=START,
            after=START + timedelta(seconds=750),
            longitude=16.372,
            latitude=48.208,
        ),
        EventDifference(
            kind="lost",
            type="user.dwelled_in_geofence",
            device_id="van-2",
            tag="store",
            external_id="vienna-1",
            before=END,
            longitude=16.372,
            latitude=48.208,
        ),
    ),
)

REPORT: Final = BacktestReport(
    history=("history/2026", "https://example.com/fixes.parquet"),
    fences="shops.csv",
    rules=("buffered entries", "dwell after 5 min"),
    fixes=1_000_000,
    decided=41_250,
    late=12,
    repeated=3,
    devices=20,
    events=338,
    first_at=START,
    last_at=END,
    geofences=(STORE, IDLE, DEPOT),
    devices_without_event=2,
    idle_devices=("van-19", "van-20"),
    busiest=(DeviceResult("van-1", 77, 40, 86_400.0), DeviceResult("van-2", 12, 6, 3_600.5)),
    travels=(Travel(0, 2, 25, 25 * 1_234.0), Travel(2, 0, 19, 19 * 900.0), Travel(0, 0, 3, 300.0)),
    bad_rows=14,
    bad_examples=(BadRow("fixes.csv", 17, "latitude: must be within [-90, 90], not 91."),),
    bad_files=(BadFile("broken.parquet", "The file ends too early."),),
    notes=("The column speed was ignored.",),
    workers=(
        WorkerResult("tcp://127.0.0.1:1", 600_000, 200, 2.0),
        WorkerResult("tcp://127.0.0.1:2", 400_000, 138, 2.1),
    ),
    seconds=2.5,
)
"""A back-test without a comparison."""

COMPARED: Final = replace(REPORT, against="shops-new.csv", comparison=COMPARISON)
"""The same back-test, compared with other geofences."""


def large_report(count: int, *, compared: bool = False, longitude: float = 10.0) -> BacktestReport:
    """Return a report about many geofences around a longitude."""
    random = Random(count)
    geofences = tuple(_some_fence(random, number, longitude) for number in range(count))
    travels = tuple(
        Travel(random.randrange(min(count, 300)), random.randrange(min(count, 300)), number + 1, 600.0 * (number + 1))
        for number in reversed(range(600))
    )
    comparison = None
    if compared:
        found = [
            FenceDifferences(
                each.tag, each.external_id, random.randrange(40), random.randrange(60), random.randrange(9)
            )
            for each in geofences[: count // 3]
        ]
        comparison = replace(
            COMPARISON,
            geofences=tuple(sorted(found, key=lambda each: -each.total)),
            gained=sum(each.gained for each in found),
            lost=sum(each.lost for each in found),
            moved=sum(each.moved for each in found),
        )
    return replace(
        REPORT,
        geofences=geofences,
        travels=travels,
        events=sum(each.events for each in geofences),
        comparison=comparison,
        against="wider.geojson" if compared else None,
    )


def _some_fence(random: Random, number: int, longitude: float) -> FenceResult:
    hours: tuple[int, ...]
    if random.random() < 0.15:
        hours = (0,) * 24
    else:
        busy = random.paretovariate(1.1)
        hours = tuple(int(busy * random.random() * (4 if 7 <= hour <= 19 else 1)) for hour in range(24))
    entries = sum(hours) // 2
    return FenceResult(
        tag=random.choice(("store", "depot", "school")),
        external_id=f"{number:05}",
        description=f"Place {number}",
        longitude=(longitude + random.gauss(0, 2.5) + 180) % 360 - 180,
        latitude=50 + random.gauss(0, 1.2),
        radius_m=random.choice((50.0, 100.0, 200.0, 1_000.0, 10_000.0)),
        entries=entries,
        exits=sum(hours) - entries,
        visits=sum(hours),
        inside_s=sum(hours) * 900.0,
        devices=min(sum(hours), 20),
        hours=hours,
    )


_TEXTS: Final = st.text(max_size=12)
_COUNTS: Final = st.integers(0, 2**40)
_SECONDS: Final = st.floats(0, 1e12)
_MOMENTS: Final = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
_LONGITUDES: Final = st.floats(-180, 180)
_LATITUDES: Final = st.floats(-90, 90)


def _fences() -> st.SearchStrategy[FenceResult]:
    return st.builds(
        FenceResult,
        tag=_TEXTS,
        external_id=_TEXTS,
        description=_TEXTS,
        longitude=_LONGITUDES,
        latitude=_LATITUDES,
        radius_m=st.floats(0, 1e6),
        entries=_COUNTS,
        exits=_COUNTS,
        dwells=_COUNTS,
        visits=_COUNTS,
        inside_s=_SECONDS,
        devices=_COUNTS,
        hours=st.tuples(*[_COUNTS] * 24),
    )


def _differences() -> st.SearchStrategy[EventDifference]:
    return st.builds(
        EventDifference,
        kind=st.sampled_from(("gained", "lost", "moved")),
        type=_TEXTS,
        device_id=_TEXTS,
        user_id=st.none() | _TEXTS,
        tag=_TEXTS,
        external_id=_TEXTS,
        before=st.none() | _MOMENTS,
        after=st.none() | _MOMENTS,
        longitude=_LONGITUDES,
        latitude=_LATITUDES,
    )


def _comparisons() -> st.SearchStrategy[Comparison]:
    return st.builds(
        Comparison,
        events=_COUNTS,
        unchanged=_COUNTS,
        gained=_COUNTS,
        lost=_COUNTS,
        moved=_COUNTS,
        geofences=_some(st.builds(FenceDifferences, _TEXTS, _TEXTS, _COUNTS, _COUNTS, _COUNTS)),
        examples=_some(_differences()),
    )


def _some[T](values: st.SearchStrategy[T], most: int = 4) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(values, max_size=most).map(tuple)


@st.composite
def reports(draw: st.DrawFn) -> BacktestReport:
    """Return a strategy for reports whose travel is between geofences that they have."""
    geofences = draw(_some(_fences()))
    places = st.integers(0, max(0, len(geofences) - 1))
    travels = st.builds(Travel, places, places, st.integers(1, 2**40), _SECONDS)
    return draw(
        st.builds(
            BacktestReport,
            history=_some(_TEXTS),
            fences=_TEXTS,
            against=st.none() | _TEXTS,
            rules=_some(_TEXTS),
            fixes=_COUNTS,
            decided=_COUNTS,
            late=_COUNTS,
            repeated=_COUNTS,
            devices=_COUNTS,
            events=_COUNTS,
            first_at=st.none() | _MOMENTS,
            last_at=st.none() | _MOMENTS,
            geofences=st.just(geofences),
            devices_without_event=_COUNTS,
            idle_devices=_some(_TEXTS),
            busiest=_some(st.builds(DeviceResult, _TEXTS, _COUNTS, _COUNTS, _SECONDS)),
            travels=_some(travels) if geofences else st.just(()),
            bad_rows=_COUNTS,
            bad_examples=_some(st.builds(BadRow, _TEXTS, _COUNTS, _TEXTS)),
            bad_files=_some(st.builds(BadFile, _TEXTS, _TEXTS)),
            notes=_some(_TEXTS),
            comparison=st.none() | _comparisons(),
            workers=_some(st.builds(WorkerResult, _TEXTS, _COUNTS, _COUNTS, _SECONDS)),
            seconds=_SECONDS,
        )
    )
