"""Differences between Test and Live in words, and the choice among them."""

from datetime import UTC, datetime

from app.desktop.model.review.promotion import PromotionBook, changes_text, field_rows, outcome, question
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Isochrone, Part, Point, Polygon
from engine.domain.hours import OperatingHours, Span
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geofences.promotion.differences import ChangeSet, Kind, differences
from engine.geofences.promotion.promotions import Plan

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
RING = ((9.5, 47.1), (9.51, 47.1), (9.51, 47.11), (9.5, 47.1))
CIRCLE = Circle(Point(9.5, 47.1), 150)


def fence(external_id: str, **fields: object) -> Geofence:
    summary = GeofenceSummary(external_id, "store", external_id, f"Store {external_id}")
    made = Geofence(external_id, Environment.TEST, summary, CIRCLE, True, NOON, NOON)
    return replace(made, **fields)  # type: ignore[arg-type]


def book(source: list[Geofence], target: list[Geofence]) -> PromotionBook:
    found = differences(source, target)
    changes = ChangeSet(Environment.TEST, Environment.LIVE, NOON, found.items)
    return PromotionBook(Plan(changes, (), found.same))


def test_every_kind_of_field_is_described_in_words() -> None:
    hours = OperatingHours(((Span(540, 1_020),), *((),) * 6))
    rules = GeofenceRules(
        operating_hours=hours, stop_detection=False, user_ids=("ann",), dwell_threshold_s=300, disable_after=NOON
    )
    summary = replace(fence("1").summary, description="Shop", metadata={"size": 3})
    after = fence("1", summary=summary, geometry=Polygon(RING), enabled=False, rules=rules)
    (item,) = book([after], [fence("1")]).items
    assert list(field_rows(item)) == [
        ("Description", "Store 1", "Shop"),
        ("Type", "Circle", "Polygon"),
        ("Vertices", "47.10000, 9.50000", "3 vertices"),
        ("Radius", "150 m", "–"),
        ("Enabled", "on", "off"),
        ("Metadata", "none", "size: 3"),
        ("Operating hours", "always open", "Mon 09:00–17:00"),
        ("Stop detection", "project default", "off"),
        ("Disable after", "never", "2026-03-02 13:00 Europe/Zurich"),
        ("User IDs", "all users", "ann"),
        ("Dwell threshold", "project default", "5 min"),
    ]
    assert changes_text(item).startswith("Description, Type, Vertices, Radius, Enabled, ")


def test_the_numbers_of_parts_and_holes_are_shown() -> None:
    far = Part(tuple((longitude + 1, latitude) for longitude, latitude in RING))
    hole = tuple(
        (longitude * 0.8 + RING[0][0] * 0.2, latitude * 0.8 + RING[0][1] * 0.2) for longitude, latitude in RING
    )
    (item,) = book([fence("1", geometry=Polygon(RING, (hole,), (far,)))], [fence("1", geometry=Polygon(RING))]).items
    assert list(field_rows(item)) == [("Vertices", "3 vertices", "9 vertices, 2 parts, 1 hole")]


def test_an_isochrone_differs_by_its_outline_alone() -> None:
    isochrone = Isochrone(RING, center=Point(9.5, 47.1), minutes=10, mode=TravelMode.FOOT)
    wider = replace(isochrone, ring=(*RING[:2], (9.52, 47.12), (9.51, 47.13), RING[0]))
    (item,) = book([fence("1", geometry=wider)], [fence("1", geometry=isochrone)]).items
    assert list(field_rows(item)) == [("Outline", "3 vertices", "4 vertices")]


def test_holes_and_parts_are_counted_and_not_portable() -> None:
    parts = Polygon(RING, (((9.504, 47.101), (9.509, 47.101), (9.509, 47.105), (9.504, 47.101)),), (Part(RING),))
    changed, new = book(
        [fence("1", geometry=parts), fence("2", geometry=parts)], [fence("1", geometry=Polygon(RING))]
    ).items
    assert list(field_rows(changed)) == [("Vertices", "3 vertices", "9 vertices, 2 parts, 1 hole")]
    assert changes_text(changed) == "Vertices, not portable: 2 parts, 1 hole"
    assert changes_text(new) == "not portable: 2 parts, 1 hole"
    (back,) = book([fence("1", geometry=Polygon(RING))], [fence("1", geometry=parts)]).items
    assert changes_text(back) == "Vertices"


def test_new_or_missing_fences_are_described_on_their_side() -> None:
    new, missing = book([fence("1")], [fence("2")]).items
    assert next(iter(field_rows(new))) == ("Description", "", "Store 1")
    assert list(field_rows(missing))[-1] == ("Enabled", "on", "")


def test_missing_ones_are_not_chosen_and_the_question_counts_the_chosen() -> None:
    made = book([fence("1"), fence("2", enabled=False), fence("3")], [fence("2"), fence("3"), fence("4"), fence("5")])
    assert made.summary() == "1 new, 1 changed, 2 only in Live, 1 the same."
    assert (question(made), made.warning()) == ("Create 1 geofence and change 1 geofence in Live?", "")
    made.choose(made.items, chosen=True)
    assert question(made) == "Create 1 geofence, change 1 geofence and delete 2 geofences in Live?"
    assert made.warning() == "2 geofences will be deleted from Live."
    made.choose(made.matching(Kind.NEW, "") + made.matching(None, "STORE 5"), chosen=False)
    assert (question(made), outcome(made)) == (
        "Change 1 geofence and delete 1 geofence in Live?",
        "Promote 2 geofences from Test to Live",
    )
