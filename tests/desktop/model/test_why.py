"""Reasons in the most useful order, users in words, settings and segments as they are typed."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from msgspec.structs import fields

from app.desktop.model import project
from app.desktop.model.editing.segments import FIELDS, NEW_CONDITION, Row, condition_of, new_segment, row_of
from app.desktop.model.project import GROUPS, Number, Words, split_ids
from app.desktop.model.users import UserBook, user_facts
from app.desktop.model.why import (
    About,
    Subject,
    distance_text,
    facts_text,
    headline,
    main_item,
    ordered,
    reasons_in_order,
    remedy_lines,
    summary,
)
from app.desktop.model.words import event_about, event_kind, event_sentence, event_subject_kind, is_flagged
from engine.domain.addresses.address import Region, Regions, RegionType
from engine.domain.addresses.place import ChainSetting, Place
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceSummary
from engine.domain.geometry import Point
from engine.domain.settings import SEGMENT_FIELDS, Comparison, Condition, ProjectSettings
from engine.domain.tracking.decision import Change, Explanation, Factor, Outcome, Reason, Remedy, Wording
from engine.domain.tracking.fraud import Fraud, FraudCheck
from engine.domain.tracking.updates import Device, DeviceType, Event, EventType, Fix, SegmentSummary, User, UserSummary
from engine.domain.values import replace
from tests.desktop.model.values import START, event, fence

PASSED = Reason(Wording.ENABLED)
MOVING = Reason(Wording.MOVING)


def explanation(fence_id: str, outcome: Outcome, distance_m: float, *reasons: Reason) -> Explanation:
    return Explanation(GeofenceSummary(fence_id, "store", fence_id, ""), outcome, reasons, distance_m, 0.5, 2)


def test_withheld_events_come_before_distant_fences() -> None:
    far = explanation("far", Outcome.STAY_OUTSIDE, 400.0)
    near = explanation("near", Outcome.STAY_OUTSIDE, 20.0)
    inside = explanation("inside", Outcome.STAY_INSIDE, -30.0)
    withheld = explanation("withheld", Outcome.ENTRY_WITHHELD, -3.0, PASSED, MOVING)
    shown = ordered([far, inside, near, withheld])
    assert [each.geofence.id for each in shown] == ["withheld", "inside", "near", "far"]
    subject = Subject(About.USER, "anna", None)
    assert main_item(shown, subject, None, "near") is near
    assert main_item(shown, subject, "gone") is withheld
    assert main_item((), subject) is None


def test_failing_reasons_are_first_and_plainly_worded() -> None:
    withheld = explanation("one", Outcome.ENTRY_WITHHELD, -3.0, PASSED, MOVING)
    assert reasons_in_order(withheld) == (MOVING, PASSED)
    assert headline(withheld) == (
        "Entry withheld: stop detection is on and the device is neither stopped nor in the foreground."
    )
    assert headline(explanation("one", Outcome.ENTER, -3.0, PASSED)) == "Entry."
    subject = Subject(About.USER, "anna", None)
    assert summary(withheld, subject) == "1 rule passed, 1 failed"
    assert summary(None, subject) == "no geofence nearby"
    inside = explanation("one", Outcome.STAY_INSIDE, -3.0, PASSED, Reason(Wording.STILL_INSIDE, {"inside": 3.0}))
    assert summary(inside, subject) == "1 rule passed, 0 failed"
    facts = [each for each in Wording if Reason(each).is_fact]
    assert facts == [
        Wording.NOT_INSIDE,
        Wording.STILL_INSIDE,
        Wording.IN_HOLE,
        Wording.DWELLED_ALREADY,
        Wording.LATE,
        Wording.REPORTED_LATE,
    ]
    assert distance_text(-141.24) == "141.2 m inside the boundary"
    assert distance_text(0.0) == "on the boundary"


def test_the_share_is_that_of_the_side_of_the_outcome() -> None:
    left = replace(explanation("one", Outcome.EXIT, 20.0), share=0.0)
    assert facts_text(left) == "20 m outside the boundary · 100% of the accuracy circle is outside · confidence 2 of 3"
    assert "99% of the accuracy circle is outside" in facts_text(replace(left, share=0.001))
    inside = replace(explanation("one", Outcome.ENTER, -20.0), share=1.0)
    assert "100% of the accuracy circle is inside" in facts_text(inside)
    disabled = replace(explanation("one", Outcome.STAY_OUTSIDE, -20.0), share=1.0)
    assert "100% of the accuracy circle is inside" in facts_text(disabled)


def test_times_of_remedies_are_in_words() -> None:
    changes = (Change(Factor.EARLIER, {"seconds": 360, "duration": "6 min"}),)
    hours = (Change(Factor.OPEN_UNTIL, {"day": "Friday", "opens": "09:00", "closes": "18:10"}),)
    closed = replace(explanation("one", Outcome.ENTRY_WITHHELD, -20.0), remedies=(Remedy(changes), Remedy(hours)))
    assert remedy_lines(closed) == (
        "An entry would have fired",
        "→ 6 min earlier",
        "→ with operating hours until 18:10 on Friday",
    )


def make_user(user_id: str | None, *, fraud: Fraud | None = None) -> User:
    fix = Fix(Point(9.52, 47.14), 12.5, START, stopped=True, altitude_m=455.0, vertical_accuracy_m=6.0)
    device = Device(DeviceType.ANDROID, "15", "Google", "Pixel 9")
    segments = (SegmentSummary("Gold customers", "gold"),)
    return User(
        "u1", Environment.TEST, "phone-1", user_id, None, {"plan": "gold"}, fix, device, "10.0.0.7", START, START,
        (GeofenceSummary("f", "bar", "1", "Night bar"),), fraud, segments,
    )  # fmt: skip


def test_all_facts_about_a_user_are_listed() -> None:
    checks = Fraud(frozenset({FraudCheck.JUMPED}), ((FraudCheck.JUMPED, START),), blocked=True)
    facts = {fact.name: fact for fact in user_facts(make_user("ben@example.com", fraud=checks))}
    assert facts["Personal data"].warning
    assert facts["Altitude"].text == "455.0 m ± 6 m"
    assert facts["Model"].text == "Pixel 9"
    assert facts["Updated"].text == "2026-05-12 08:00:00 CEST"
    assert facts["Motion"].text == "stopped, in the background"
    assert facts["In geofence"].text == "Night bar"
    assert facts["plan"].text == "gold"
    assert facts["Fraud check"].text == "failed: blocked by the settings, jumped"
    assert facts["Last jumped"].text == "2026-05-12 08:00:00 CEST"
    assert facts["Segment"].text == "Gold customers"
    here = Regions(
        Region(RegionType.COUNTRY, "US", "United States"),
        Region(RegionType.STATE, "PA", "Pennsylvania"),
        None,
        Region(RegionType.POSTAL_CODE, "9", "9"),
    )
    cafe = Place(id="p", name="Café Amann", point=Point(9.52, 47.14), categories=("food-beverage", "cafe"))
    facts = {fact.name: fact for fact in user_facts(replace(make_user(None), place=cafe, regions=here))}
    assert (facts["At place"].text, facts["At place"].tip) == ("Café Amann", "food-beverage, cafe")
    assert (facts["Country"].text, facts["Country"].tip, facts["Postal code"].text) == ("United States", "US", "9")
    assert facts["State"].text == "Pennsylvania"
    names = [fact.name for fact in user_facts(replace(make_user(None), place=cafe, regions=here))]
    assert len(names) == len(set(names)), "no two rows are called the same"
    plain = {fact.name for fact in user_facts(make_user(None))}
    assert not plain & {"Personal data", "Fraud check", "Description"}


def test_the_user_book_reports_new_users_and_forgets_those_seen_longest_ago() -> None:
    book, changed, moved = UserBook(kept=1), list[int](), list[tuple[User, ...]]()
    book.changed.connect(lambda: changed.append(len(book)))
    book.moved.connect(moved.append)
    one = make_user("a")
    book.take([one])
    book.take([one])
    assert (changed, len(moved)) == ([1], 2)
    two = User("u2", *(getattr(one, field.name) for field in fields(one)[1:]))
    book.take([two])
    assert book.get("u1") is None
    assert book.all() == (two,)


def test_events_without_a_fence_are_described_too() -> None:
    user = UserSummary("u1", "phone-1", "anna@example.com")
    at = datetime(2026, 5, 12, tzinfo=UTC)
    bought = Event("e", Environment.TEST, "bought_ticket", at, at, user)
    failed = Event("e", Environment.TEST, EventType.FAILED_FRAUD, at, at, user)
    dwelled = event(1, fence(1), EventType.DWELLED_IN_GEOFENCE)
    assert [event_kind(each) for each in (bought, failed, dwelled)] == ["other", "fraud", "dwell"]
    assert event_sentence(bought) == "phone-1: bought_ticket"
    assert event_sentence(failed) == "phone-1 failed the fraud check"
    assert event_sentence(dwelled) == "phone-1 dwelled in Fence 1"
    assert is_flagged(user)
    assert not is_flagged(dwelled.user)
    cafe = Place(id="p", name="Café Amann", point=Point(9.52, 47.14))
    came = Event("e", Environment.TEST, EventType.ENTERED_PLACE, at, at, user, place=cafe)
    left = Event(
        "e", Environment.TEST, EventType.EXITED_STATE, at, at, user, region=Region(RegionType.STATE, "PA", "Penn")
    )
    assert [event_kind(each) for each in (came, left)] == ["entry", "exit"]
    assert [event_sentence(each) for each in (came, left)] == ["phone-1 entered Café Amann", "phone-1 left Penn"]
    code = replace(left, region=Region(RegionType.POSTAL_CODE, "9490", "9490"))
    assert event_sentence(code) == "phone-1 left postal code 9490"
    assert [event_subject_kind(each) for each in (came, left, code, dwelled)] == ["place", "state", "postal code", ""]
    assert event_about(bought) == ""


def test_every_setting_can_be_edited() -> None:
    names = [setting.name for _, settings in GROUPS for setting in settings]
    assert sorted([*names, "segments"]) == sorted(field.name for field in fields(ProjectSettings))


def test_texts_of_settings_survive_and_errors_name_the_setting() -> None:
    settings = {setting.name: setting for _, group in GROUPS for setting in group}
    addresses, blocked = settings["proxy_addresses"], settings["blocked"]
    assert isinstance(addresses, Words)
    assert isinstance(blocked, Words)
    assert addresses.spell(addresses.parse("10.0.*.*,1.2.3.4")) == "10.0.*.*, 1.2.3.4"
    assert addresses.parse(" ") is None
    with pytest.raises(InvalidParameter) as refused:
        addresses.parse("10.0.0")
    assert refused.value.param == "proxy_addresses"
    assert blocked.parse("anna, ben,\nanna,") == ("anna", "ben")
    assert split_ids("") == ()
    own = settings["chains"]
    assert isinstance(own, Words)
    chains = (
        ChainSetting("mcdonalds", "M 12", {"tier": 2, "open": True, "name": "x; y = z", "share": 0.5}),
        ChainSetting("denner", domain="denner.ch"),
        ChainSetting("7-eleven", metadata={"a": "it's", "@b": 1}, domain="7-eleven.com"),
        ChainSetting("aldi", "A", domain="aldi.de"),
    )
    assert own.parse(own.spell(chains)) == chains
    assert own.parse(" mcdonalds=M-12 tier=2;\ndenner ;") == (
        ChainSetting("mcdonalds", "M-12", {"tier": 2}),
        ChainSetting("denner"),
    )
    for wrong in ("mcdonalds tier", 'mcdonalds = "', "mcdonalds = 1 a b c"):
        with pytest.raises(InvalidParameter) as refused:
            own.parse(wrong)
        assert refused.value.param == "chains"
    window = settings["sharing_window_s"]
    assert isinstance(window, Number)
    assert (window.unit, window.factor) == ("min", 60.0)


def test_project_defaults_are_explained_at_a_fence() -> None:
    assert project.stop_detection_text(ProjectSettings(stop_detection=True)) == "project default (on)"
    dwelling = ProjectSettings(dwell_event=True, default_dwell_threshold_s=600.0)
    assert project.dwell_text(dwelling) == "project default (10 min)"
    assert project.dwell_text(ProjectSettings()) == "project default (none), event off"


@pytest.mark.parametrize(
    "condition",
    [
        Condition("metadata.plan", Comparison.EQUALS, "gold"),
        Condition("metadata.visits", Comparison.GREATER, 12),
        Condition("stopped", Comparison.EQUALS, True),
        NEW_CONDITION,
    ],
)
def test_conditions_survive_the_table(condition: Condition) -> None:
    assert condition_of(row_of(condition)) == condition


def test_a_condition_that_is_no_number_is_refused_as_segments() -> None:
    with pytest.raises(
        InvalidParameter, match=r"segments: the value of 'metadata\.visits' must be a number"
    ) as refused:
        condition_of(Row("metadata.visits", Comparison.GREATER, "many", "Number"))
    assert refused.value.param == "segments"


def test_new_segments_have_ids_of_their_own() -> None:
    first = new_segment(())
    assert (first.external_id, new_segment((first,)).external_id) == ("segment-1", "segment-2")
    assert len(FIELDS) == len(SEGMENT_FIELDS)
