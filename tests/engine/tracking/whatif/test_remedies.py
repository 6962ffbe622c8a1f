"""Remedies make an event fire when applied, and slightly smaller changes do not."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.geofence import GeofenceRules
from engine.domain.geometry import Circle, Geometry
from engine.domain.hours import HoursRule, parse_hours
from engine.domain.ip import IpRanges
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings
from engine.domain.tracking.decision import WANTED, Change, Factor, Outcome, Remedy, would_have
from engine.domain.tracking.updates import Fix, Presence, Subject
from engine.domain.values import replace
from engine.tracking.step import Presences, step
from engine.tracking.whatif.cases import Case, changed
from engine.tracking.whatif.remedies import remedies
from tests.engine.fixtures import HOME, NOON
from tests.engine.tracking.histories import HOURS, START, WORKSHOP, Spot, first_settings, spots
from tests.engine.tracking.test_decide import ANONYMOUS, STORE, fence, fix

LESS = {"metres": -0.1, "seconds": -1, "radius": -0.1, "accuracy": -0.1}
MORE = {name: -step for name, step in LESS.items()}
STEPS = {
    Factor.NEARER: LESS,
    Factor.FARTHER: LESS,
    Factor.EARLIER: LESS,
    Factor.LATER: LESS,
    Factor.LARGER: LESS,
    Factor.INACCURATE: LESS,
    Factor.ACCURATE: MORE,
    Factor.SMALLER: MORE,
    Factor.DWELL_THRESHOLD: MORE,
}
"""Changes to a threshold remedy that make it slightly smaller."""


def tried(case: Case, changes: tuple[Change, ...]) -> Outcome:
    for change in changes:
        case = changed(case, change)
    return case.decided().outcome


def slightly_less(change: Change) -> Change | None:
    for name, by in STEPS.get(change.factor, {}).items():
        if name in change.values:
            if name == "seconds" and change.factor is not Factor.DWELL_THRESHOLD and not change.values[name] % 60:
                by *= 60  # shifts to when a geofence is open are whole minutes
            return replace(change, values={**change.values, name: round(float(change.values[name]) + by, 1)})
    return None


@st.composite
def cases(draw: st.DrawFn) -> list[Case]:
    """Return the cases of a history: consecutive fixes around a geofence, under random rules."""
    shapes: list[Geometry] = [Circle(HOME, 100.0), Circle(HOME, 18.5), WORKSHOP]
    geometry = draw(st.sampled_from(shapes))
    hours = draw(st.sampled_from(HOURS))
    offsets = st.sampled_from([None, None, None, timedelta(seconds=-60), timedelta(minutes=5)])
    times = draw(offsets), draw(offsets)
    rules = GeofenceRules(
        operating_hours=None if hours is None else parse_hours(hours),
        stop_detection=draw(st.sampled_from([None, None, True, False])),
        user_ids=draw(st.sampled_from([(), (), ("anna",)])),
        ip=draw(st.sampled_from([None, None, IpRanges(("10.0.0.0/16",))])),
        dwell_threshold_s=draw(st.sampled_from([None, 60.0, 300.0])),
        disable_after=None if times[0] is None else START + times[0],
        delete_after=None if times[1] is None else START + times[1],
    )
    enabled = draw(st.sampled_from([True, True, True, False]))
    fenced = fence(replace(STORE, geometry=geometry, rules=rules, enabled=enabled))
    settings = replace(DEFAULT_SETTINGS, **draw(first_settings))
    presences: Presences = draw(st.sampled_from([{}, {"a": Presence("a", START - timedelta(seconds=50))}]))
    now, found = START, []
    for _ in range(draw(st.integers(1, 5))):
        spot: Spot = draw(spots)
        now += timedelta(seconds=draw(st.sampled_from([0.001, 1, 30, 61, 299.5, 3_600])))
        accuracy_m = draw(st.sampled_from([1.0, 8.0, 30.0, 90.0, 500.0]) | st.floats(1, 500))
        one = Fix(spot.beside(geometry), accuracy_m, now, draw(st.booleans()), draw(st.booleans()))
        subject = Subject(
            draw(st.sampled_from([None, "anna", "bert"])), draw(st.sampled_from([None, "10.0.0.1", "::1"]))
        )
        found.append(Case(presences.get("a"), subject, one, fenced, settings, now))
        presences = step(presences, subject, one, [fenced], settings, now).presences
    return found


@pytest.mark.slow
@given(cases())
def test_each_remedy_makes_the_event_fire_and_a_little_less_does_not(history: list[Case]) -> None:
    for case in history:
        outcome = case.decided().outcome
        found = remedies(case)
        if outcome not in WANTED:
            assert found == ()
        for remedy in found:
            wanted = WANTED[outcome]
            assert tried(case, remedy.changes) is wanted, remedy.text
            for number, change in enumerate(remedy.changes):
                others = (*remedy.changes[:number], *remedy.changes[number + 1 :])
                assert tried(case, others) is not wanted, f"{remedy.text}: {change.text} is not needed"
                if (less := slightly_less(change)) is not None and all(
                    float(value) > 0 for name, value in less.values.items() if name in LESS
                ):
                    with_less = (*remedy.changes[:number], less, *remedy.changes[number + 1 :])
                    assert tried(case, with_less) is not wanted, f"{less.text} would do, not only {change.text}"


@given(cases())
def test_a_withheld_event_has_a_remedy_unless_far_too_much_speaks_against_it(history: list[Case]) -> None:
    for case in history:
        decision = case.decided()
        if decision.outcome in (Outcome.ENTRY_WITHHELD, Outcome.EXIT_WITHHELD, Outcome.DWELL_WITHHELD):
            failed = [reason for reason in decision.reasons if not reason.passed]
            assert len(failed) > 2 or remedies(case), [reason.text for reason in failed]


def texts(found: tuple[Remedy, ...]) -> list[str]:
    return [remedy.text for remedy in found]


RESTRICTED = ProjectSettings(
    operating_hours_restriction=True, operating_hours_rule=HoursRule.CALENDAR, stop_detection=True
)
FOR_ANN = GeofenceRules(operating_hours=parse_hours({"Mon": [["14:30", "15:00"]]}), user_ids=("ann",))


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (
            Case(None, ANONYMOUS, fix(120), fence(), DEFAULT_SETTINGS, NOON),
            ["20 m nearer to the geofence", "with a radius of 120 m or more"],
        ),
        (
            Case(None, ANONYMOUS, fix(50), fence(), ProjectSettings(stop_detection=True), NOON),
            ["with the device stopped", "with the app in the foreground", "with stop detection off"],
        ),
        (
            Case(Presence("a", NOON), ANONYMOUS, fix(103), fence(), ProjectSettings(buffer_exits=True), NOON),
            [
                "7.1 m farther from the geofence",
                "with an accuracy of 2.9 m or better",
                "with buffer exits off",
                "with a radius of 92.9 m or less",
            ],
        ),
        (
            Case(
                Presence("a", NOON - timedelta(minutes=3)),
                ANONYMOUS,
                fix(20),
                fence(),
                ProjectSettings(dwell_event=True, default_dwell_threshold_s=300),
                NOON,
            ),
            ["2 min 1 s later", "with a dwell threshold of 2 min 59 s or shorter"],
        ),
        (
            Case(None, Subject("ben"), fix(20), fence(replace(STORE, rules=FOR_ANN)), RESTRICTED, NOON),
            [
                f"{state}, {also}"
                for state in ("with the device stopped", "with the app in the foreground")
                for also in (
                    "1 h 30 min later and with user ben in userIds",
                    "with the operating hours restriction off and with user ben in userIds",
                    "with operating hours from 13:00 on Monday and with user ben in userIds",
                )
            ]
            + [
                "1 h 30 min later, with stop detection off and with user ben in userIds",
                "with stop detection off, with the operating hours restriction off and with user ben in userIds",
                "with stop detection off, with operating hours from 13:00 on Monday and with user ben in userIds",
            ],
        ),
        (
            Case(
                None,
                ANONYMOUS,
                fix(120),
                fence(replace(STORE, enabled=False)),
                ProjectSettings(stop_detection=True, minimum_confidence=3),
                NOON,
            ),
            [
                "30 m nearer to the geofence, with the device stopped and with the geofence enabled",
                "30 m nearer to the geofence, with the app in the foreground and with the geofence enabled",
                "30 m nearer to the geofence, with stop detection off and with the geofence enabled",
                "with the device stopped, with a radius of 130 m or more and with the geofence enabled",
                "with the app in the foreground, with a radius of 130 m or more and with the geofence enabled",
                "with stop detection off, with a radius of 130 m or more and with the geofence enabled",
            ],
        ),
        (Case(None, ANONYMOUS, fix(0), fence(), DEFAULT_SETTINGS, NOON), []),
        (Case(Presence("a", NOON), ANONYMOUS, fix(0), fence(), DEFAULT_SETTINGS, NOON), []),
    ],
    ids=["outside", "moving", "buffer", "short", "three rules", "disabled", "fired", "inside"],
)
def test_the_words(case: Case, expected: list[str]) -> None:
    assert texts(remedies(case)) == expected


def closed(
    hours: dict[str, list[list[str]]],
    local: str,
    presence: Presence | None = None,
    metres: float = 20,
    rule: HoursRule = HoursRule.CALENDAR,
) -> Case:
    """Return a fix at a local time of Monday, 2 March 2026, or of the Tuesday after it if it is before 6:00."""
    day = 3 if local < "06:00" else 2
    at = datetime.fromisoformat(f"2026-03-{day:02}T{local}").replace(tzinfo=ZoneInfo("Europe/Vaduz")).astimezone(UTC)
    rules = GeofenceRules(operating_hours=parse_hours(hours))
    settings = ProjectSettings(operating_hours_restriction=True, operating_hours_rule=rule)
    one = replace(fix(metres), at=at)
    return Case(presence, ANONYMOUS, one, fence(replace(STORE, rules=rules)), settings, at)


OFF = "with the operating hours restriction off"
DAY: dict[str, list[list[str]]] = {"Mon": [["09:00", "18:00"]]}


@pytest.mark.parametrize(
    ("hours", "local", "expected"),
    [
        (DAY, "18:05:00", ["6 min earlier", OFF, "with operating hours until 18:10 on Monday"]),
        (DAY, "18:05:31", ["6 min earlier", OFF, "with operating hours until 18:10 on Monday"]),
        (DAY, "18:00:00", ["1 min earlier", OFF, "with operating hours until 18:05 on Monday"]),
        (DAY, "08:52:30", ["8 min later", OFF, "with operating hours from 08:50 on Monday"]),
        (DAY, "20:59:00", ["3 h earlier", OFF, "with operating hours until 21:00 on Monday"]),
        (DAY, "23:58:00", [OFF, "with operating hours until 24:00 on Monday"]),
        (DAY, "02:10:00", [OFF, "with operating hours until 02:15 on Monday"]),
        ({"Mon": [["20:00", "01:30"]]}, "01:40", ["11 min earlier", OFF, "with operating hours until 01:45 on Monday"]),
        (
            {"Mon": [["08:00", "12:00"], ["12:30", "18:00"]]},
            "12:20",
            ["10 min later", "21 min earlier", OFF, "with operating hours from 12:20 on Monday"],
        ),
        ({"Thu": [["08:00", "12:00"]]}, "12:20", [OFF]),
        ({"Sun": []}, "12:20", [OFF]),
    ],
)
def test_the_times_of_remedies_are_near(hours: dict[str, list[list[str]]], local: str, expected: list[str]) -> None:
    case = closed(hours, local)
    assert case.decided().outcome is Outcome.ENTRY_WITHHELD
    found = remedies(case)
    assert texts(found) == expected
    assert {tried(case, remedy.changes) for remedy in found} == {Outcome.ENTER}


@pytest.mark.parametrize(
    ("hours", "local", "expected"),
    [
        (DAY, "18:05:00", ["6 min earlier", OFF, "with operating hours until 18:10 on Monday"]),
        (DAY, "18:00:00", ["1 min earlier", OFF, "with operating hours until 18:05 on Monday"]),
        (DAY, "09:00:00", ["1 min later", OFF, "with operating hours from 08:55 on Monday"]),
        (DAY, "08:52:30", ["9 min later", OFF, "with operating hours from 08:50 on Monday"]),
        (DAY, "08:50:30", ["11 min later", OFF, "with operating hours from 08:45 on Monday"]),
        (DAY, "23:58:00", ["2 min later", OFF, "with operating hours until 24:00 on Monday"]),
        ({"Mon": [["20:00", "01:30"]]}, "20:10:00", [OFF]),
        ({"Mon": [["00:00", "24:00"]]}, "00:00:00", ["1 min earlier", "1 min later", OFF]),
    ],
)
def test_remedies_by_the_platform_rule(hours: dict[str, list[list[str]]], local: str, expected: list[str]) -> None:
    """A minute is open strictly between, and hours past midnight cannot be made to hold."""
    case = closed(hours | {"Tue": hours["Mon"]} if local < "06:00" else hours, local, rule=HoursRule.PLATFORM)
    assert case.decided().outcome is Outcome.ENTRY_WITHHELD
    found = remedies(case)
    assert texts(found) == expected
    assert {tried(case, remedy.changes) for remedy in found} == {Outcome.ENTER}


def test_an_exit_cannot_be_before_its_entry() -> None:
    entered = closed(DAY, "17:59:30").now
    case = closed(DAY, "18:05:00", Presence("a", entered), metres=150)
    assert case.decided().outcome is Outcome.LEAVE_SILENTLY
    assert texts(remedies(case)) == [OFF, "with operating hours until 18:10 on Monday"]
    earlier = replace(case, presence=Presence("a", entered - timedelta(hours=1)))
    assert texts(remedies(earlier)) == ["6 min earlier", OFF, "with operating hours until 18:10 on Monday"]


def test_a_geofence_that_has_just_expired_was_in_force_earlier() -> None:
    ends = GeofenceRules(disable_after=NOON - timedelta(minutes=2, seconds=1))
    case = Case(None, ANONYMOUS, fix(20), fence(replace(STORE, rules=ends)), DEFAULT_SETTINGS, NOON)
    assert texts(remedies(case)) == ["3 min earlier", "without disableAfter"]


def test_an_earlier_time_makes_a_change_of_the_expiry_needless() -> None:
    case = closed({"Mon": [["09:00", "18:00"]]}, "18:05:01")
    rules = replace(case.fence.item.rules, delete_after=case.now - timedelta(seconds=1))
    expired = replace(case, fence=fence(replace(STORE, rules=rules, enabled=False)))
    found = [remedy.changes for remedy in remedies(expired)]
    assert [change.factor for change in found[0]] == [Factor.EARLIER, Factor.ENABLED]
    for changes in found:
        assert tried(expired, changes) is Outcome.ENTER
        for change in changes:
            assert tried(expired, tuple(each for each in changes if each is not change)) is not Outcome.ENTER


def test_the_heading_names_the_event() -> None:
    assert {outcome: would_have(outcome) for outcome in (Outcome.STAY_OUTSIDE, Outcome.EXIT_WITHHELD)} == {
        Outcome.STAY_OUTSIDE: "an entry would have fired",
        Outcome.EXIT_WITHHELD: "an exit would have fired",
    }
