"""The view and the track that a workspace keeps: written, read again, and never trusted."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.desktop.model.restoring.tracks import MAX_POINTS, TRACK, KeptTrack, read_track, write_track
from app.desktop.model.restoring.view import (
    VIEW,
    Camera,
    Found,
    KeptView,
    TrackPlace,
    encode_view,
    read_kept,
    write_view,
)
from app.desktop.model.simulation.sender import Sender, Timing
from engine.domain.environment import Environment
from engine.domain.geometry import Point
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.simulation.motion import USUAL
from engine.simulation.noise.model import MAX_SEED, PRESETS
from engine.simulation.phone import EXACT, Phone

AT = datetime(2026, 5, 12, 6, 0, 0, 250_000, UTC)
NOISY = Phone(PRESETS["city-canyon"], MAX_SEED, USUAL)

cameras = st.builds(Camera, st.floats(-500, 500), st.floats(-85, 85), st.floats(0, 22))
senders = st.builds(
    Sender, st.text(max_size=40), st.none() | st.floats(0.1, 1e4), foreground=st.booleans(), stopped=st.booleans()
)
places = st.builds(
    TrackPlace,
    st.text("0123456789abcdef", min_size=4, max_size=16),
    st.integers(0, MAX_POINTS),
    st.none() | st.floats(0.1, 600),
    senders,
    st.sampled_from((EXACT, NOISY)),
)
views = st.builds(
    KeptView,
    environment=st.sampled_from(Environment),
    camera=cameras,
    online_map=st.booleans(),
    fence_ids=st.lists(st.text("0123456789abcdef", min_size=1, max_size=24), max_size=9).map(tuple),
    fence_id=st.none() | st.text("0123456789abcdef", min_size=1, max_size=24),
    beacon_id=st.none() | st.text("0123456789abcdef", min_size=1, max_size=24),
    form_page=st.integers(0, 4),
    table_filter=st.text(max_size=100),
    timeline=st.booleans(),
    panels=st.binary(max_size=300),
    track=st.none() | places,
)
points = st.builds(
    TrackPoint,
    st.builds(Point, st.floats(-180, 180), st.floats(-90, 90)),
    st.none() | st.integers(0, 4_000_000_000_000).map(lambda ms: datetime.fromtimestamp(ms / 1_000, UTC)),
    st.none() | st.floats(0, 1e4),
    st.none() | st.booleans(),
    st.none() | st.booleans(),
)
tracks = st.builds(
    KeptTrack,
    st.text("0123456789abcdef", min_size=4, max_size=16),
    st.builds(Track, st.text(max_size=30), st.lists(points, min_size=1, max_size=9).map(tuple)),
    st.builds(Timing, st.none() | st.floats(0.1, 300), st.none() | st.just(AT)),
)

VIEWED = KeptView(
    environment=Environment.LIVE,
    camera=Camera(14.5, 46.05, 15.0),
    fence_ids=("a", "b"),
    fence_id="b",
    panels=b"\x00\xff\x00panels",
    track=TrackPlace("0a1b", 3, 10.0, Sender("van-7"), NOISY),
)
TRACKED = KeptTrack("0a1b", Track("walk", (TrackPoint(Point(14.5, 46.05), AT, 5.0, None, True, 1.5),)), Timing())


@given(views, tracks)
def test_stored_state_is_restored_unchanged(view: KeptView, track: KeptTrack) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_view(folder, view)
        write_track(folder, track)
        assert read_kept(folder) == Found(view, track)


def test_a_workspace_that_keeps_nothing_is_in_order(tmp_path: Path) -> None:
    assert read_kept(tmp_path) == Found()
    write_track(tmp_path, TRACKED)
    write_track(tmp_path, None)
    assert list(tmp_path.iterdir()) == []


def test_the_files_are_small_and_their_owners_own(tmp_path: Path) -> None:
    write_view(tmp_path, VIEWED)
    write_track(tmp_path, TRACKED)
    for name in (VIEW, TRACK):
        file = tmp_path / name
        assert file.stat().st_mode & 0o777 == 0o600
        assert file.stat().st_size < 4_000


@given(st.data())
def test_a_damaged_file_is_left_out_with_a_sentence(data: st.DataObject) -> None:
    whole = encode_view(VIEWED)
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = data.draw(
        st.sampled_from((whole[:at], whole[:at] + whole[at + 1 :], whole[:at] + b"\xff" + whole[at + 1 :]))
    )
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / VIEW).write_bytes(damaged)
        (folder / TRACK).write_bytes(damaged)
        found = read_kept(folder)
        assert found.track is None
        # If a number lost a digit, or a name a letter, it is still a view with the same panels.
        assert found.view is None or found.view.panels == VIEWED.panels
        assert found.view is not None or VIEW in found.problem or b'"version": 1' not in damaged


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("camera", [200, 95, 3], "latitude"),
        ("camera", [1e400, 0, 3], "longitude"),
        ("camera", "here", "camera"),
        ("form_page", True, "form_page"),
        ("form_page", -1, "form_page"),
        ("fence_ids", ["x" * 101], "fence_ids"),
        ("fence_ids", ["x"] * 1_001, "fence_ids"),
        ("environment", "both", "both"),
        ("panels", {"state": "AAAA", "crc32": 1}, "panels"),
        ("panels", {"state": "A*AA", "crc32": 1}, "base64"),
        ("track", {"key": "a", "position": 10**9}, "position"),
        ("track", [], "track"),
    ],
)
def test_a_value_that_cannot_be_is_named(tmp_path: Path, field: str, value: object, message: str) -> None:
    content = orjson.loads(encode_view(VIEWED)) | {field: value}
    text = orjson.dumps(content).replace(b'"camera":[null', b'"camera":[1e400')
    (tmp_path / VIEW).write_bytes(text)
    found = read_kept(tmp_path)
    assert found.view is None
    assert found.problem.startswith("The last view of this workspace cannot be restored. view.json: ")
    assert message in found.problem or "view.json" in found.problem


def test_files_that_are_too_large_or_of_another_version_are_left_out(tmp_path: Path) -> None:
    (tmp_path / VIEW).write_bytes(b" " * 200_001)
    (tmp_path / TRACK).write_bytes(b'{"version": 2}')
    found = read_kept(tmp_path)
    assert (found.view, found.track) == (None, None)
    assert "larger than 200,000 bytes" in found.problem
    assert TRACK not in found.problem
    (tmp_path / VIEW).write_bytes(b'{"version": 2}')
    assert read_kept(tmp_path) == Found()


def test_a_track_that_was_kept_without_speeds_is_read(tmp_path: Path) -> None:
    write_track(tmp_path, TRACKED)
    file = tmp_path / TRACK
    before = {name: value for name, value in orjson.loads(file.read_bytes()).items() if name != "speed"}
    file.write_bytes(orjson.dumps(before))
    kept = read_track(tmp_path)
    assert kept is not None
    assert kept.track.points == (TrackPoint(Point(14.5, 46.05), AT, 5.0, None, True),)


def test_a_track_that_is_too_long_is_not_kept(tmp_path: Path) -> None:
    point = TrackPoint(Point(14.5, 46.05), AT)
    write_track(tmp_path, KeptTrack("a", Track("long", (point,) * (MAX_POINTS + 1)), Timing()))
    assert read_track(tmp_path) is None
