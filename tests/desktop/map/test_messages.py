"""The page's messages: their format, their meaning, and invalid ones."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Signal

from app.desktop.map import MapCircle, MapPolygon, messages
from app.desktop.map.contents import MapContents
from app.desktop.map.messages import BadMessage, decode, normal_longitude, normal_ring


@pytest.mark.parametrize(
    ("fields", "meaning"),
    [
        ({"kind": "ready"}, ("ready",)),
        ({"kind": "done", "seq": 7}, ("done", 7)),
        (
            {"kind": "drawn", "shape": {"longitude": 181.0, "latitude": 2, "radius_m": 12.345}},
            ("drawn", MapCircle(-179.0, 2.0, 12.35)),
        ),
        (
            {"kind": "fence_edited", "id": "a", "shape": {"ring": [[0, 0], [1, 0], [1, 1], [0, 0]]}},
            ("fence_edited", "a", MapPolygon(((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 0.0)))),
        ),
        ({"kind": "fence_clicked", "id": "a"}, ("fence_clicked", "a")),
        ({"kind": "event_clicked", "id": "e"}, ("event_clicked", "e")),
        ({"kind": "map_clicked", "position": [-190.5, 1]}, ("map_clicked", 169.5, 1.0)),
        (
            {"kind": "camera", "center": [1, 2], "zoom": 3, "bounds": [0, 1, 2, 3]},
            ("camera", messages.CameraMoved((1.0, 2.0), 3.0, (0.0, 1.0, 2.0, 3.0))),
        ),
        ({"kind": "located", "query": 1, "x": 2.5, "y": 3}, ("located", 1, 2.5, 3.0)),
        ({"kind": "settled", "query": 1}, ("settled", 1)),
        ({"kind": "tiles_requested", "on": True}, ("tiles_requested", True)),
        ({"kind": "trouble", "text": "no"}, ("trouble", "no")),
    ],
)
def test_a_message_has_one_meaning(fields: dict[str, object], meaning: messages.PageMessage) -> None:
    assert decode(json.dumps(fields)) == meaning


def test_actions_of_the_user_are_signals_of_the_map() -> None:
    assert all(isinstance(vars(MapContents)[name], Signal) for name in messages.SIGNALS)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "not a JSON object"),
        ("{}", "unknown kind"),
        ('{"kind": "done"}', "seq"),
        ('{"kind": "done", "seq": true}', "seq"),
        ('{"kind": "fence_clicked", "id": 5}', "id"),
        ('{"kind": "drawn", "shape": 5}', "shape"),
        ('{"kind": "drawn", "shape": {"longitude": 1, "latitude": 91, "radius_m": 5}}', "latitude"),
        ('{"kind": "drawn", "shape": {"longitude": 1, "latitude": 9, "radius_m": 0}}', "radius_m"),
        ('{"kind": "drawn", "shape": {"ring": [[0, 0], [1, 1], [0, 0]]}}', "three"),
        ('{"kind": "drawn", "shape": {"ring": [[0, 0], [190, 1], [5, 5]]}}', "half the globe"),
        ('{"kind": "drawn", "shape": {"ring": [[0, 0, 0]]}}', "position"),
        ('{"kind": "drawn", "shape": {"ring": [["a", 0]]}}', "position"),
        ('{"kind": "drawn", "shape": {"ring": 5}}', "ring"),
        ('{"kind": "map_clicked"}', "position"),
        ('{"kind": "camera", "center": [1, 2], "zoom": 3, "bounds": [1]}', "bounds"),
        ('{"kind": "camera", "center": [1, 2], "zoom": 3, "bounds": [1, 2, 3, "4"]}', "bounds"),
        ('{"kind": "tiles_requested", "on": 1}', "on"),
    ],
)
def test_an_invalid_message_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadMessage, match=reason):
        decode(text)


@given(st.floats(-1e6, 1e6))
def test_a_longitude_keeps_its_meridian(longitude: float) -> None:
    normal = normal_longitude(longitude)
    assert -180.0 <= normal <= 180.0
    assert math.remainder(normal - longitude, 360.0) == pytest.approx(0.0, abs=1e-6)


@given(st.lists(st.tuples(st.floats(100.0, 260.0), st.floats(-80.0, 80.0)), max_size=30))
def test_a_ring_is_closed_short_and_within_the_limits(positions: list[tuple[float, float]]) -> None:
    corners = [(180.0, 0.0), (181.0, 0.0), (181.0, 1.0)]
    ring = normal_ring([*positions, *corners])
    assert ring[0] == ring[-1]
    assert all(a != b for a, b in pairwise(ring))
    for longitude, latitude in ring:
        assert -180.0 <= longitude <= 180.0
        assert (longitude, latitude) == (round(longitude, 7), round(latitude, 7))
