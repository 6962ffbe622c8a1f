"""Checks of geofences with holes or several parts."""

import re
from typing import cast

from engine.domain.geometry import Part, Polygon
from engine.geo.parts import check_polygon
from engine.geo.shapes import shape_of
from engine.geofences.changes import Finders, changed
from engine.geofences.checks.findings import Check, Severity
from tests.engine.fixtures import NOON
from tests.engine.geofences.checks.test_checks import at, box, fence, found, report, ring

PARK = box(0, 0, 400, 400)
LAKE = Polygon(PARK.ring, (box(100, 100, 200, 200).ring,))


def test_what_is_in_a_hole_does_not_overlap_it() -> None:
    island, shore = fence("a/2", box(150, 150, 50, 50)), fence("a/3", box(250, 150, 100, 50))
    (overlap,) = found(fence("a/1", LAKE), island, shore, only=Check.OVERLAP)
    assert (overlap.geofence_ids, "50% of" in overlap.text) == (("a/3", "a/1"), True)
    assert overlap.place is not None
    assert shape_of(LAKE).contains(overlap.place.longitude, overlap.place.latitude)
    filling = fence("a/4", Polygon(LAKE.holes[0]))
    assert found(fence("a/1", LAKE), filling, only=Check.OVERLAP) == []


def test_an_overlap_with_any_part_is_found() -> None:
    parts = Polygon(PARK.ring, others=(Part(box(1_000, 0, 100, 100).ring),))
    (overlap,) = found(fence("a/1", parts), fence("a/2", box(1_050, 50, 40, 40)), only=Check.OVERLAP)
    assert overlap.text == "The 2 lies inside The 1."
    same = Polygon(PARK.ring, LAKE.holes, (Part(box(1_000, 0, 100, 100).ring),))
    doubled = [each.check for each in report(fence("a/1", same), fence("a/2", same)).findings]
    assert doubled == [Check.SAME_PLACE, Check.PORTABLE, Check.PORTABLE]


def test_a_ring_road_is_too_small_where_its_disc_is_not() -> None:
    rim = Polygon(PARK.ring, (box(15, 15, 370, 370).ring,))
    (small,) = found(fence("a/1", rim), only=Check.TOO_SMALL)
    assert "The 1 is too small" in small.text
    assert found(fence("a/1", PARK), only=Check.TOO_SMALL) == []
    thin = Polygon(box(0, 0, 1_000, 1_000).ring, (box(4, 4, 992, 992).ring,))
    (sliver,) = found(fence("a/1", thin), only=Check.SLIVER)
    assert "4.0 m wide on average" in sliver.text


def test_small_and_narrow_parts_are_reported_as_such() -> None:
    islets = (Part(box(1_000, 0, 20, 20).ring), Part(box(2_000, 0, 25, 25).ring), Part(box(3_000, 0, 900, 5).ring))
    whole = fence("a/1", Polygon(PARK.ring, others=islets))
    (small,) = found(whole, only=Check.TOO_SMALL)
    assert re.fullmatch(
        r"3 of the 4 parts of The 1 are too small for an accuracy of 20 m: even at the best place of the smallest \d+% "
        r"of the accuracy circle is inside, so the confidence there is at most 1\.",
        small.text,
    )
    assert small.severity is Severity.INFO
    assert small.place is not None
    assert small.place.longitude > at(3_000, 0)[0]
    (sliver,) = found(whole, only=Check.SLIVER)
    assert re.search(r"One of the 4 parts of The 1 is too narrow: the narrowest is 90\d m long and 5\.0 m", sliver.text)
    (all_small,) = found(fence("a/1", Polygon(islets[1].ring, others=islets[:1])), only=Check.TOO_SMALL)
    assert "The 1 is too small" in all_small.text


def test_parts_that_meet_are_measured_together() -> None:
    halves = Polygon(box(0, 0, 30, 60).ring, others=(Part(box(30, 0, 30, 60).ring),))
    assert found(fence("a/1", halves), only=Check.TOO_SMALL) == []


def test_spikes_of_all_rings_are_removed_at_once() -> None:
    spike = [(200.2, 200), (200.1, 150), (200, 200)]
    hole = ring((100, 100), (300, 100), (300, 200), *spike, (100, 200))
    other = ring((1_000, 0), (1_100, 0), (1_100, 80), (1_050.2, 80), (1_050.1, 130), (1_050, 80), (1_000, 80))
    spiky = check_polygon([[PARK.ring, hole], [other]])
    (finding,) = found(fence("a/1", spiky), only=Check.SELF_TOUCHING)
    assert finding.text.startswith(("The boundary of a hole of The 1 comes", "The boundary of a part of The 1 comes"))
    assert finding.fix is not None
    assert finding.fix.text.startswith("Remove 2 vertices of spikes;")
    fixed = changed(fence("a/1", spiky), finding.fix.fences["a/1"], NOON, cast(Finders, None))
    assert isinstance(fixed.geometry, Polygon)
    assert [len(part.holes) for part in fixed.geometry.parts] == [1, 0]
    assert found(fixed, only=Check.SELF_TOUCHING) == []


def test_findings_are_placed_inside_the_largest_part() -> None:
    around_lake = Polygon(PARK.ring, (box(50, 50, 340, 340).ring,), (Part(box(9_000, 0, 30, 30).ring),))
    same = found(fence("a/1", around_lake), fence("a/2", around_lake), only=Check.SAME_PLACE)
    place = same[0].place
    assert place is not None
    assert shape_of(Polygon(PARK.ring, around_lake.holes)).contains(place.longitude, place.latitude)
