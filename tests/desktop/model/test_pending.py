"""Pending changes of Live: kept, updated, sent, and distinguished from concurrent changes of others."""

from __future__ import annotations

import pytest

from app.desktop.model.editing.changes import part_of
from app.desktop.model.editing.pending import Pending, PendingChanges, fence_with
from app.desktop.model.editing.pending_words import (
    conflict_text,
    fence_text,
    fence_title,
    line_of,
    setting_text,
    setting_title,
    waiting_of_fence,
)
from engine.domain.fields.settings import settings_with
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Isochrone, Point
from engine.domain.hours import parse_hours
from engine.domain.settings import (
    DEFAULT_SETTINGS,
    NO_SETTINGS_CHANGE,
    Comparison,
    Condition,
    SegmentRule,
    SettingsChange,
)
from engine.domain.tracking.sdk import TrackingOptions, TrackingPreset
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from tests.desktop.model.values import START, fence


@pytest.fixture
def book() -> PendingChanges:
    return PendingChanges()


def only(book: PendingChanges) -> Pending:
    (change,) = book
    return change


def edited(before: Geofence, change: GeofenceChange) -> Geofence:
    """Return the geofence as a client has stored it."""
    return replace(fence_with(before, change), revision=before.revision + 1)


def test_every_value_of_every_record_waits_by_itself(book: PendingChanges) -> None:
    one, other = fence(1), fence(2)
    book.propose_fence(one, {"description": "A"})
    book.propose_fence(other, {"description": "B"})
    book.propose_settings(DEFAULT_SETTINGS, {"stop_detection": True})
    book.propose_fence(one, {"enabled": False})
    assert [change.key for change in book] == [
        ("f1", "description"),
        ("f2", "description"),
        (None, "stop_detection"),
        ("f1", "enabled"),
    ]
    assert book.owners() == ("f1", "f2", None)
    assert book.change_of_fence("f1") == GeofenceChange(description="A", enabled=False)
    assert book.change_of_settings() == SettingsChange(stop_detection=True)
    assert book.change_of_fence("f3") == GeofenceChange()


def test_returning_to_the_stored_value_withdraws(book: PendingChanges) -> None:
    book.propose_fence(fence(1), {"description": "A", "size": 200.0})
    book.propose_fence(fence(1), {"size": 100.0})
    book.withdraw("f1", "description")
    assert len(book) == 0
    book.propose_fence(fence(1, metadata={"floor": 1}), {"metadata": {"floor": True}})
    assert only(book).value == {"floor": True}, "a number is no yes"


def test_changes_by_others_conflict_unless_they_agree(book: PendingChanges) -> None:
    before = fence(1)
    book.propose_fence(before, {"description": "Mine", "tag": "mine"})
    theirs = edited(before, GeofenceChange(description="Theirs", tag="mine", enabled=False))
    book.follow_fences([theirs])
    change = only(book)
    assert (change.name, change.seen, book.stored(change)) == ("description", "Fence 1", "Theirs")
    assert book.conflicts(change)
    assert conflict_text(book, change) == "Theirs, Description: was Fence 1, is Theirs now, and would become Mine."
    book.propose_fence(theirs, {"description": "Mine too"})
    assert book.conflicts(only(book)), "typing on does not mean that the conflict was seen"
    book.follow_fences([edited(theirs, GeofenceChange(description="Fence 1"))])
    assert not book.conflicts(only(book)), "they have taken it back"


def test_older_stored_versions_are_ignored(book: PendingChanges) -> None:
    newer = replace(fence(1, description="New"), revision=7)
    book.propose_fence(newer, {"enabled": False})
    book.follow_fences([replace(fence(1, description="Old"), revision=6)])
    assert book.fence("f1") == newer


def test_changes_of_a_deleted_geofence_are_kept(book: PendingChanges) -> None:
    lost: list[str] = []
    book.lost.connect(lambda geofence: lost.append(geofence.id))
    book.propose_fence(fence(1), {"description": "Mine"})
    book.follow_fences((), ["f1", "f2"])
    book.follow_fences((), ["f1"])
    assert lost == ["f1"]
    assert book.is_deleted("f1")
    assert book.conflicts(only(book))
    assert book.fence("f1") == fence(1)
    book.follow_fences([replace(fence(1), revision=0)])
    assert not book.conflicts(only(book)), "it is back"
    book.propose_fence(fence(2), {"description": "Half typ"}, deleted=True)
    assert book.is_deleted("f2")


def test_sent_changes_are_pending_until_they_are_stored(book: PendingChanges) -> None:
    before = fence(1)
    book.propose_fence(before, {"description": "A", "enabled": False})
    sent = book.of("f1")
    book.send(sent)
    assert all(change.sent for change in book)
    after = edited(before, GeofenceChange(description="A", enabled=False))
    book.follow_fences([after])
    assert not any(book.conflicts(change) for change in book), "one's own hand is nobody else"
    assert len(book) == 2, "until the answer is there the form has the old record"
    book.settle(sent)
    assert len(book) == 0


def test_a_value_given_while_another_is_sent_waits_on(book: PendingChanges) -> None:
    before = fence(1)
    book.propose_fence(before, {"description": "A"})
    sent = book.of("f1")
    book.send(sent)
    book.propose_fence(before, {"description": "B"})
    book.follow_fences([edited(before, GeofenceChange(description="A"))])
    book.settle(sent)
    assert (only(book).value, only(book).seen, only(book).sent) == ("B", "A", False)
    assert not book.conflicts(only(book))


def test_refused_changes_stay_pending_with_the_reason(book: PendingChanges) -> None:
    book.propose_fence(fence(1), {"size": 9.0, "enabled": False})
    sent = book.of("f1")
    book.send(sent)
    book.fail(sent, {"size": "radius: too small."})
    waiting = waiting_of_fence(book, "f1")
    assert waiting.errors == {"size": "radius: too small."}
    assert (waiting.text, waiting.wrong, waiting.ready) == ("2 pending changes, 1 refused: Radius", True, True)
    book.propose_fence(fence(1), {"size": 90.0})
    assert waiting_of_fence(book, "f1").errors == {}


def test_discarded_changes_can_be_restored_but_not_over_newer_ones(book: PendingChanges) -> None:
    book.propose_fence(fence(1), {"description": "A", "enabled": False})
    dropped = book.drop(book)
    assert len(book) == 0
    book.propose_fence(fence(1), {"description": "B"})
    book.put_back(dropped, {"f1": fence(1)})
    assert {change.name: change.value for change in book} == {"description": "B", "enabled": False}


def test_settings_conflict_too(book: PendingChanges) -> None:
    book.propose_settings(DEFAULT_SETTINGS, {"kept_updates": 500, "stop_detection": True})
    book.follow_settings(replace(DEFAULT_SETTINGS, kept_updates=900, stop_detection=True))
    change = only(book)
    assert book.conflicts(change)
    assert conflict_text(book, change) == (
        "Project settings, Kept updates: was 100000 updates, is 900 updates now, and would become 500 updates."
    )


def test_no_listener_is_notified_without_a_change(book: PendingChanges) -> None:
    calls: list[int] = []
    book.changed.connect(lambda: calls.append(1))
    book.follow_fences([fence(1)], ["f2"])
    book.follow_settings(DEFAULT_SETTINGS)
    book.withdraw("f1", "description")
    book.clear()
    assert calls == []


def test_a_record_is_shown_with_its_pending_changes() -> None:
    before = fence(1)
    shown = fence_with(
        before, GeofenceChange(tag="depot", size=200.0, enabled=False, user_ids=("anna",), metadata={"a": 1})
    )
    assert (shown.tag, shown.external_id, shown.enabled) == ("depot", before.external_id, False)
    assert (shown.rules.user_ids, shown.metadata) == (("anna",), {"a": 1})
    assert shown.geometry == Circle(Point(14.5, 46.0), 200.0)
    assert fence_with(before, GeofenceChange()) == before
    ring = ((14.4, 46.0), (14.6, 46.0), (14.5, 46.1), (14.4, 46.0))
    isochrone = replace(before, geometry=Isochrone(ring, center=Point(14.5, 46.0), minutes=10.0, mode=TravelMode.CAR))
    slower = fence_with(isochrone, GeofenceChange(size=20.0, mode="foot")).geometry
    assert isinstance(slower, Isochrone)
    assert (slower.minutes, slower.mode, slower.ring) == (20.0, TravelMode.FOOT, ring)
    assert settings_with(DEFAULT_SETTINGS, SettingsChange(kept_updates=None, fraud=True)) == replace(
        DEFAULT_SETTINGS, fraud=True
    )


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("description", "Store", "Store"),
        ("description", "", "empty"),
        ("size", 12_500.0, "12500 m"),
        ("size", 120.25, "120.25 m"),
        ("enabled", False, "off"),
        ("metadata", {}, "none"),
        ("metadata", {"floor": 3, "open": True, "name": "x"}, "floor: 3, open: yes, name: x"),
        ("operating_hours", None, "always open"),
        ("operating_hours", parse_hours({"Sat": [["10:00", "12:00"]]}), "Sat 10:00–12:00"),
        ("stop_detection", None, "project default"),
        ("stop_detection", False, "off"),
        ("dwell_threshold_s", 420.0, "7 min"),
        ("dwell_threshold_s", 0.0, "0 min"),
        ("user_ids", (), "all users"),
        ("user_ids", ("anna", "ben"), "anna, ben"),
        ("disable_after", None, "never"),
        ("disable_after", START, "2026-05-12 08:00 Europe/Ljubljana"),
    ],
)
def test_values_of_geofences_are_described_in_words(name: str, value: object, text: str) -> None:
    assert fence_text(name, value, fence(1)) == text


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("stop_detection", True, "on"),
        ("default_dwell_threshold_s", 750.0, "12.5 min"),
        ("default_dwell_threshold_s", None, "none"),
        ("kept_updates", None, "100000 updates"),
        ("minimum_confidence", 2, "2 · Medium"),
        ("blocked", (), "nobody"),
        ("blocked", ("anna",), "anna"),
        ("kept_updates", 1_234_567, "1234567 updates"),
        (
            "segments",
            (
                SegmentRule(
                    "Gold",
                    "gold",
                    (Condition("userId", Comparison.EXISTS), Condition("metadata.visits", Comparison.GREATER, 3)),
                ),
                SegmentRule("", "silver", ()),
            ),
            "Gold: userId exists and metadata.visits is greater than 3; silver",
        ),
        ("segments", (), "none"),
        (
            "on_trip_tracking_options",
            TrackingOptions(TrackingPreset.EFFICIENT, {"sync": "events", "beacons": True, "stop_distance_m": 50}),
            "efficient sync=events beacons=true stopDistance=50",
        ),
        ("on_trip_tracking_options", None, "not set"),
        ("tracking_options", None, "the app's own"),
        ("in_geofence_tracking_tags", ("store", "depot"), "store, depot"),
    ],
)
def test_values_of_settings_are_described_in_words(name: str, value: object, text: str) -> None:
    assert setting_text(name, value) == text


def test_every_field_has_a_name_and_a_description(book: PendingChanges) -> None:
    for name in NO_SETTINGS_CHANGE.__struct_fields__:
        assert setting_title(name)[0].isupper()
        assert setting_text(name, getattr(DEFAULT_SETTINGS, name))
    for name in ("description", "tag", "external_id", "size", "enabled", "metadata", *DEFAULT_RULES_FIELDS):
        assert fence_title(name, fence(1))[0].isupper()
        assert fence_text(name, part_of(fence(1), name), fence(1))
    book.propose_fence(fence(1), {"size": 250.0})
    assert line_of(book, only(book)) == "Radius: 100 m → 250 m"


DEFAULT_RULES_FIELDS = (
    *("operating_hours", "stop_detection", "disable_after", "delete_after"),
    *("user_ids", "ip", "dwell_threshold_s"),
)
