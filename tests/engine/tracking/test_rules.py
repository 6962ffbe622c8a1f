"""Each rule of tracking: when an event fires, when it is withheld, edge cases, and the explanation."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from engine import Engine
from engine.domain.clock import ClockChange
from engine.domain.geofence import Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle
from engine.domain.hours import HoursRule, parse_hours
from engine.domain.settings import DEFAULT_SETTINGS, SettingsChange
from engine.domain.tracking.decision import Explanation, Outcome, Rule
from engine.domain.tracking.explaining import UpdateQuery
from engine.domain.tracking.updates import Fix, Presence, Subject, TrackResult
from engine.domain.values import replace
from engine.geo.index import Entry
from engine.geo.shapes import shape_of
from engine.tracking.decide import decide
from tests.engine.fixtures import HOME, NOON, SetClock, circle
from tests.engine.tracking.measuring import moved
from tests.engine.tracking.table import EVENTS, TEST, Row, edited, fix
from tests.engine.tracking.table_of_people import DWELL, HOURS, SUBJECTS
from tests.engine.tracking.table_of_places import BOUNDARY, CERTAINTY, LIFE

TABLE = [*LIFE, *BOUNDARY, *CERTAINTY, *SUBJECTS, *HOURS, *DWELL]


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:", clock=SetClock()) as opened:
        opened.set_clock(ClockChange(now=NOON, frozen=True))
        yield opened


def run(engine: Engine, row: Row) -> TrackResult:
    engine.geofences.create(TEST, circle())
    edited(**row.fence)(engine)
    engine.settings.change(TEST, SettingsChange(**row.settings))
    for step in row.before:
        step(engine)
    return engine.tracking.track(TEST, row.fix)


@pytest.mark.parametrize("row", TABLE, ids=str)
def test_the_table(engine: Engine, row: Row) -> None:
    result = run(engine, row)
    assert [event.type for event in result.events] == (EVENTS.get(row.outcome, []) if row.outcome else [])
    assert result.explanations is not None
    assert [explanation.outcome for explanation in result.explanations] == ([row.outcome] if row.outcome else [])
    for explanation in result.explanations:
        check(row, explanation)


def check(row: Row, explanation: Explanation) -> None:
    """Check that a fired event blames no rule, and that every other outcome blames only the expected rule."""
    rule = row.names or row.rule
    failed = [reason.rule for reason in explanation.failed]
    assert failed == ([] if explanation.outcome in EVENTS else [rule])
    named = [reason.text for reason in explanation.reasons if reason.rule is rule]
    assert named
    assert row.wording in explanation.text or row.wording in named[0]


# The effect of late updates depends on the updates before them: see test_late.
@pytest.mark.parametrize("rule", [rule for rule in Rule if rule is not Rule.UPDATED_AT])
def test_the_table_has_every_rule(rule: Rule) -> None:
    assert {row.column for row in TABLE if row.rule is rule} == {"fires", "withheld", "edge"}


def test_a_geofence_past_its_time_is_dead_even_before_it_was_deleted() -> None:
    """The decision goes by the clock, even between two runs of the timer."""
    rules = GeofenceRules(delete_after=NOON)
    summary = GeofenceSummary("a", "store", "1", "Store")
    geofence = Geofence("a", TEST, summary, Circle(HOME, 100.0), True, NOON, NOON, rules)
    fence = Entry.of("a", geofence, shape_of(geofence.geometry))
    here = Fix(HOME, 10, NOON)
    later = NOON + timedelta(milliseconds=1)

    def outcome(presence: Presence | None, now: datetime) -> tuple[Outcome, list[Rule]]:
        explanation = decide(presence, Subject(), here, fence, DEFAULT_SETTINGS, now).explanation()
        return explanation.outcome, [reason.rule for reason in explanation.failed]

    stay = Presence("a", NOON)
    assert outcome(None, NOON) == (Outcome.ENTER, [])
    assert outcome(None, later) == (Outcome.STAY_OUTSIDE, [Rule.DELETE_AFTER])
    assert outcome(stay, later) == (Outcome.END_SILENTLY, [Rule.DELETE_AFTER])


@pytest.mark.parametrize(
    ("hours", "operating"),
    [(None, None), ({"Mon": [["09:00", "17:00"]]}, True), ({"Mon": [], "Tue": [["09:00", "17:00"]]}, False)],
)
def test_every_event_states_whether_the_geofence_is_open(
    engine: Engine, hours: dict[str, list[list[str]]] | None, operating: bool | None
) -> None:
    engine.geofences.create(TEST, circle())
    edited(operating_hours=hours and parse_hours(hours), dwell_threshold_s=60)(engine)
    engine.settings.change(TEST, SettingsChange(dwell_event=True))
    events = [
        event for step in (fix(0), fix(0, 61), fix(500, 62)) for event in engine.tracking.track(TEST, step).events
    ]
    assert [event.type.partition("_")[0] for event in events] == ["user.entered", "user.dwelled", "user.exited"]
    assert [event.currently_operating for event in events] == [operating] * 3
    assert [event.duration_s for event in events] == [None, None, 62]


def test_a_past_update_is_explained_by_the_rule_that_decided_it(engine: Engine) -> None:
    """The updates are at 13:00 on a Monday at the geofence."""
    engine.geofences.create(TEST, circle())
    edited(operating_hours=parse_hours({"Tue": [["09:00", "17:00"]]}))(engine)
    engine.settings.change(TEST, SettingsChange(operating_hours_restriction=True))
    assert len(engine.tracking.track(TEST, fix(0)).events) == 1
    engine.settings.change(TEST, SettingsChange(operating_hours_rule=HoursRule.CALENDAR))
    assert engine.tracking.track(TEST, replace(fix(0, 1), device_id="another")).events == ()
    texts = [
        engine.tracking.explain(TEST, UpdateQuery(device_id=device)).explanations[0].text
        for device in ("phone", "another")
    ]
    assert "open by the platform rule, since the day is not listed: Tue 09:00–17:00, local time Mon 13:00" in texts[0]
    assert "closed by the calendar rule: Tue 09:00–17:00, local time Mon 13:00" in texts[1]


def test_events_of_one_update_are_exits_then_entries_then_dwells(engine: Engine) -> None:
    """Each kind is sorted by tag and external ID; a failed fraud check comes last."""
    engine.settings.change(
        TEST, SettingsChange(dwell_event=True, fraud=True, default_dwell_threshold_s=60.0, jumped_speed_mps=1.0)
    )
    far = moved(HOME, 90, 1_000)
    for tag, external_id, center, radius_m in (
        ("b", "2", HOME, 2_000.0),
        ("a", "9", HOME, 2_000.0),
        ("z", "1", HOME, 100.0),
        ("c", "3", HOME, 100.0),
        ("a", "1", far, 100.0),
        ("b", "1", far, 100.0),
    ):
        engine.geofences.create(TEST, circle(external_id, center=center, radius_m=radius_m, tag=tag))
    engine.tracking.track(TEST, fix(0))
    events = engine.tracking.track(TEST, fix(1_000, 61)).events
    assert [(event.type, event.geofence and (event.geofence.tag, event.geofence.external_id)) for event in events] == [
        ("user.exited_geofence", ("c", "3")),
        ("user.exited_geofence", ("z", "1")),
        ("user.entered_geofence", ("a", "1")),
        ("user.entered_geofence", ("b", "1")),
        ("user.dwelled_in_geofence", ("a", "9")),
        ("user.dwelled_in_geofence", ("b", "2")),
        ("user.failed_fraud", None),
    ]
