"""The fraud checks, one by one, and the event."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from engine.domain.environment import Environment
from engine.domain.ip import parse_ip_ranges
from engine.domain.settings import SettingsChange
from engine.domain.tracking.explaining import ReplayQuery
from engine.domain.tracking.fraud import Fraud, FraudCheck
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.domain.values import replace
from engine.engine import Engine
from tests.engine.fixtures import NOON, SetClock, update

TEST = Environment.TEST


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def engine(clock: SetClock) -> Iterator[Engine]:
    with Engine.open(":memory:", clock=clock) as opened:
        opened.settings.change(TEST, SettingsChange(fraud=True))
        yield opened


def track(engine: Engine, given: LocationUpdate, seconds: float = 0) -> TrackResult:
    return engine.tracking.track(TEST, replace(given, at=NOON + timedelta(seconds=seconds)))


def fraud_of(result: TrackResult) -> Fraud:
    assert result.user.fraud is not None
    return result.user.fraud


def test_nothing_is_reported_while_the_setting_is_off(engine: Engine) -> None:
    engine.settings.change(TEST, SettingsChange(fraud=False))
    result = track(engine, replace(update(), mocked=True))
    assert (result.user.fraud, result.events) == (None, ())


def test_an_honest_update_passes(engine: Engine) -> None:
    result = track(engine, update())
    assert fraud_of(result) == Fraud()
    assert fraud_of(result).passed
    assert result.events == ()


@pytest.mark.parametrize(
    ("given", "check"),
    [
        (replace(update(), mocked=True), FraudCheck.MOCKED),
        (replace(update(), compromised=True), FraudCheck.COMPROMISED),
        (update(accuracy_m=1_000.1), FraudCheck.INACCURATE),
    ],
)
def test_checks_of_one_update(engine: Engine, given: LocationUpdate, check: FraudCheck) -> None:
    result = track(engine, given)
    assert fraud_of(result).failed == {check}
    assert dict(fraud_of(result).last) == {check: NOON}
    (event,) = result.events
    assert (event.type, event.fraud, event.geofence) == ("user.failed_fraud", fraud_of(result), None)


def test_the_event_fires_when_a_check_begins_to_fail_and_the_date_stays(engine: Engine) -> None:
    mocked = replace(update(), mocked=True)
    assert len(track(engine, mocked).events) == 1
    again = track(engine, mocked, 10)
    assert (again.events, dict(fraud_of(again).last)[FraudCheck.MOCKED]) == ((), NOON + timedelta(seconds=10))
    honest = track(engine, update(), 20)
    assert (fraud_of(honest).passed, dict(fraud_of(honest).last)[FraudCheck.MOCKED]) == (
        True,
        NOON + timedelta(seconds=10),
    )
    assert len(track(engine, mocked, 30).events) == 1


@pytest.mark.parametrize(
    ("metres", "seconds", "jumped"),
    [(3_019, 10, False), (3_050, 10, True), (15, 0, False), (100, 0, True), (100, 0.1, True), (3_050, 11, False)],
)
def test_an_impossible_speed_is_a_jump(engine: Engine, metres: float, seconds: float, jumped: bool) -> None:
    """A jump is faster than 300 m/s, after both accuracies of 10 m are subtracted from the distance."""
    track(engine, update())
    found = fraud_of(track(engine, update(metres), seconds)).failed
    assert (FraudCheck.JUMPED in found) is jumped


def test_a_device_at_two_places_at_the_same_time_has_jumped(engine: Engine) -> None:
    track(engine, update())
    assert fraud_of(track(engine, update(111_000))).failed == {FraudCheck.JUMPED}


@pytest.mark.parametrize(("metres", "jumped"), [(111_000, True), (18_100, True), (18_000, False), (100, False)])
def test_an_earlier_fix_must_have_been_within_reach_too(
    engine: Engine, clock: SetClock, metres: float, jumped: bool
) -> None:
    """A fix from a minute before gets the server's time, which gives no information on the time between the two."""
    clock.advance(7 * 86_400)
    track(engine, update(), 60)
    assert (FraudCheck.JUMPED in fraud_of(track(engine, update(metres), 0)).failed) is jumped


def test_a_clock_that_stands_still_or_is_set_back_implies_no_speed(engine: Engine, clock: SetClock) -> None:
    for seconds in (0, 0, -3_600):
        clock.advance(seconds)
        for east_m in (0, 111_000, 0):
            assert fraud_of(engine.tracking.track(TEST, update(east_m))).passed
            assert fraud_of(engine.tracking.track(TEST, replace(update(-east_m), age_s=0.05))).passed


def test_ages_are_as_exact_as_a_second(engine: Engine, clock: SetClock) -> None:
    def after(seconds: float, metres: float, age_s: float | None) -> bool:
        clock.advance(seconds)
        return FraudCheck.JUMPED in fraud_of(engine.tracking.track(TEST, replace(update(metres), age_s=age_s))).failed

    assert not after(0, 0, 5.0)
    assert not after(0.01, 310, 5.01)
    assert after(0.01, 111_000, 5.02)
    assert not after(600, 0, 0.0)
    assert after(1, 111_000, None)


def test_a_replay_finds_the_same_jumps(engine: Engine, clock: SetClock) -> None:
    """Two fixes at the same clock time are a jump if they have times of their own, but not otherwise."""
    sent = [
        replace(update(metres, device_id=name), at=at)
        for name, at in (("timed", NOON), ("untimed", None))
        for metres in (0, 111_000)
    ]
    events = [event for each in sent for event in engine.tracking.track(TEST, each).events]
    assert [event.user.device_id for event in events] == ["timed"]
    clock.advance(60)
    report = engine.tracking.replay(TEST, ReplayQuery())
    assert (report.added, report.removed, len(report.before)) == ((), (), 1)


@pytest.mark.parametrize("seconds", [-3_600, -1, 0])
def test_the_order_in_which_two_users_share_a_device_does_not_matter(engine: Engine, seconds: float) -> None:
    track(engine, update(user_id="ann"))
    assert FraudCheck.SHARING in fraud_of(track(engine, update(user_id="ben"), seconds)).failed


@pytest.mark.parametrize(("seconds", "sharing"), [(3_600, True), (3_601, False)])
def test_two_users_on_a_device_within_the_window_share_it(engine: Engine, seconds: float, sharing: bool) -> None:
    track(engine, update(user_id="ann"))
    result = track(engine, update(user_id="ben"), seconds)
    assert (FraudCheck.SHARING in fraud_of(result).failed) is sharing


def test_logging_in_is_not_sharing(engine: Engine) -> None:
    track(engine, update())
    assert fraud_of(track(engine, update(user_id="ann"), 10)).passed
    assert fraud_of(track(engine, update(), 20)).passed


def test_known_proxies(engine: Engine) -> None:
    engine.settings.change(TEST, SettingsChange(proxy_addresses=parse_ip_ranges("203.0.113.0/24, 2001:db8::/32")))
    assert fraud_of(track(engine, replace(update(), ip="203.0.113.9"))).failed == {FraudCheck.PROXY}
    assert fraud_of(track(engine, replace(update(), ip="2001:db8::1"), 1)).failed == {FraudCheck.PROXY}
    assert fraud_of(track(engine, replace(update(), ip="203.0.114.9"), 2)).passed


def test_blocked_and_bypassed_users(engine: Engine) -> None:
    engine.settings.change(TEST, SettingsChange(blocked=("ann",), bypassed=("tablet",)))
    blocked = track(engine, update(user_id="ann"))
    assert (fraud_of(blocked).blocked, fraud_of(blocked).passed, len(blocked.events)) == (True, False, 1)
    assert track(engine, update(user_id="ann"), 1).events == ()
    both = track(engine, update(device_id="tablet", user_id="ann"))
    assert (fraud_of(both).blocked, fraud_of(both).bypassed, fraud_of(both).passed) == (True, True, False)
    bypassed = track(engine, replace(update(device_id="tablet", user_id="eve"), mocked=True))
    assert fraud_of(bypassed).failed == {FraudCheck.MOCKED, FraudCheck.SHARING}
    assert fraud_of(bypassed).passed
    assert bypassed.events == ()


def test_findings_are_read_back(engine: Engine) -> None:
    result = track(engine, replace(update(), mocked=True, compromised=True))
    assert engine.users.get(TEST, "phone").fraud == result.user.fraud
