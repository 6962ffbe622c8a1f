"""Updates replayed in a sandbox: added, removed and moved events, without effects outside."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Engine
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Circle
from engine.domain.queries import EventQuery
from engine.domain.settings import SettingsChange
from engine.domain.tracking.explaining import ReplayFences, ReplayQuery
from engine.domain.tracking.replayed_event import ReplayedEvent
from engine.domain.tracking.updates import EventType, UserSummary
from engine.domain.tracking.whatif import Assignment, DifferenceKind, FenceEdits, RequestedEdits, paired
from engine.domain.values import replace
from tests.engine.fixtures import HOME, NOON, SetClock, circle
from tests.engine.tracking.table import edited, fix, switched

TEST = Environment.TEST
PHONE = ReplayQuery(device_ids=("phone",))
OUT_AND_IN = (120, 70, 0, 70, 120)
"""Metres from the centre of a circle of 100 m, a minute apart."""


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock(NOON + timedelta(hours=1))) as opened:
        opened.geofences.create(TEST, circle())
        for minute, metres in enumerate(OUT_AND_IN):
            opened.tracking.track(TEST, fix(metres, 60 * minute))
        yield opened


def difference_lines(engine: Engine, query: ReplayQuery) -> list[str]:
    """Return the differences: the kind, the event, its actual minute and its hypothetical one."""

    def minute(event: ReplayedEvent | None) -> str:
        return "-" if event is None else f"{(event.created_at - NOON).total_seconds() / 60:g}"

    return [
        f"{each.kind} {each.event.type.split('.')[1].split('_')[0]} {minute(each.before)}>{minute(each.after)}"
        for each in engine.tracking.replay(TEST, query).differences
    ]


def edits(engine: Engine, **fields: str) -> FenceEdits:
    assignments = tuple(Assignment("store/1", name, value) for name, value in fields.items())
    return engine.imports.tried(TEST, RequestedEdits(assignments=assignments))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"radius": "50"}, ["moved entered 1>2", "moved exited 4>3"]),
        ({"radius": "150"}, ["moved entered 1>0", "lost exited 4>-"]),
        ({"enabled": "false"}, ["lost entered 1>-", "lost exited 4>-"]),
        ({"radius": "100"}, []),
        ({"stopDetection": "true"}, ["lost entered 1>-", "lost exited 4>-"]),
    ],
)
def test_an_edited_geofence(engine: Engine, fields: dict[str, str], expected: list[str]) -> None:
    assert difference_lines(engine, replace(PHONE, edits=edits(engine, **fields))) == expected


def test_geofences_that_are_new_or_deleted(engine: Engine) -> None:
    stored = engine.geofences.get_by_key(TEST, "store", "1")
    summary = GeofenceSummary("new", "store", "2", "Store 2")
    new = replace(stored, id="new", summary=summary, geometry=Circle(HOME, 50.0))
    both = FenceEdits((new,), frozenset({stored.id}))
    report = engine.tracking.replay(TEST, replace(PHONE, edits=both))
    assert [(each.kind, each.event.geofence and each.event.geofence.id) for each in report.differences] == [
        (DifferenceKind.LOST, stored.id),
        (DifferenceKind.GAINED, "new"),
        (DifferenceKind.GAINED, "new"),
        (DifferenceKind.LOST, stored.id),
    ]
    explanations = [each.explanation and each.explanation.outcome.value for each in report.differences]
    assert explanations == [None, "entry", "exit", None]


def test_a_lost_event_has_its_reason(engine: Engine) -> None:
    report = engine.tracking.replay(TEST, replace(PHONE, change=SettingsChange(stop_detection=True)))
    (entry, exited) = report.differences
    assert entry.explanation is not None
    assert entry.explanation.text.startswith("entry withheld: stop detection is on")
    assert exited.explanation is not None
    assert exited.explanation.text.startswith("outside: ")


def test_the_edits_are_in_force_all_the_time(engine: Engine) -> None:
    edited(enabled=False)(engine)
    edited(enabled=True, size=300)(engine)
    query = replace(PHONE, edits=edits(engine, radius="50"))
    assert difference_lines(engine, query) == ["moved entered 1>2", "moved exited 4>3"]
    assert difference_lines(engine, replace(PHONE, fences=ReplayFences.NOW, edits=query.edits)) == difference_lines(
        engine, query
    )


def test_a_track_runs_by_the_settings_of_now_and_stores_nothing(engine: Engine) -> None:
    switched(stop_detection=True)(engine)
    track = tuple(replace(fix(metres, 60 * minute), device_id="new") for minute, metres in enumerate(OUT_AND_IN))
    query = ReplayQuery(updates=track, change=SettingsChange(stop_detection=False))
    before = engine.history.counts(TEST), engine.history.page(TEST, EventQuery())
    assert difference_lines(engine, query) == ["gained entered ->1", "gained exited ->4"]
    assert (engine.history.counts(TEST), engine.history.page(TEST, EventQuery())) == before
    assert engine.tracking.replay(TEST, replace(query, updates=())).updates == 0


def event(second: int, kind: EventType, user: str) -> ReplayedEvent:
    geofence = GeofenceSummary("a", "store", "1", "Store")
    return ReplayedEvent(kind, NOON + timedelta(seconds=second), UserSummary(user, "phone"), geofence)


events = st.lists(
    st.builds(
        event,
        st.integers(0, 30),
        st.sampled_from([EventType.ENTERED_GEOFENCE, EventType.EXITED_GEOFENCE]),
        st.sampled_from(["anna", "bert"]),
    ),
    unique_by=lambda each: each.key,
    max_size=12,
).map(lambda found: sorted(found, key=lambda each: each.created_at))


@given(events, events)
def test_every_event_of_one_side_is_listed_once(
    before: Sequence[ReplayedEvent], after: Sequence[ReplayedEvent]
) -> None:
    pairs = paired(before, after)
    known = {each.key for each in before} & {each.key for each in after}
    for side, own in ((0, before), (1, after)):
        found = [pair[side] for pair in pairs]
        keys = sorted(each.key[:3] for each in found if each is not None)
        assert keys == sorted(each.key[:3] for each in own if each.key not in known)
    for one, other in pairs:
        if one is not None and other is not None:
            assert (one.type, one.user, one.geofence) == (other.type, other.user, other.geofence)
            low, high = sorted((one.created_at, other.created_at))
            kinds = [each for each in before if each.key in known and (each.type, each.user) == (one.type, one.user)]
            assert not [each for each in kinds if low < each.created_at < high], "an event of both sides lies between"
