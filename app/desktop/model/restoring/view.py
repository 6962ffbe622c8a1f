"""The view of a workspace: its visible parts, the selection, and the position in the track."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import orjson
from msgspec import Struct, to_builtins

from app.desktop.language import tr
from app.desktop.model.fence_table.sieve import MAX_LETTERS
from app.desktop.model.restoring.checked import (
    as_flag,
    as_list,
    as_number,
    as_object,
    as_text,
    as_whole,
    read_object,
)
from app.desktop.model.restoring.tracks import MAX_POINTS, TRACK, KeptTrack, read_track
from app.desktop.model.simulation.sender import Sender
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError
from engine.simulation.motion import Motion
from engine.simulation.noise.model import MAX_SEED, Noise
from engine.simulation.phone import EXACT, Phone
from engine.store.keys import write_private

VIEW: Final = "view.json"
MAX_BYTES: Final = 200_000
MAX_SELECTED: Final = 1_000
"""Maximum size of a saved selection of geofences. A larger selection is not saved."""
PAGES: Final = 20
_VERSION: Final = 1
_MAX_ID: Final = 100
_MAX_PANELS: Final = 100_000


class Camera(Struct, frozen=True):
    """Centre and zoom of the map."""

    longitude: float
    latitude: float
    zoom: float


class TrackPlace(Struct, frozen=True):
    """The simulator's position in the saved track with this `key`, and its playback options."""

    key: str
    position: int
    speed: float | None
    sender: Sender
    phone: Phone = EXACT


class KeptView(Struct, frozen=True, kw_only=True):
    """All restored state. `panels` is Qt's saved state of the panels."""

    environment: Environment
    camera: Camera
    online_map: bool = False
    fence_ids: tuple[str, ...] = ()
    fence_id: str | None = None
    beacon_id: str | None = None
    form_page: int = 0
    table_filter: str = ""
    timeline: bool = False
    panels: bytes = b""
    track: TrackPlace | None = None


class Found(Struct, frozen=True):
    """The saved state of a workspace; `problem` describes damaged parts, or is ""."""

    view: KeptView | None = None
    track: KeptTrack | None = None
    problem: str = ""


NOTHING: Final = Found()


def write_view(folder: Path, view: KeptView) -> None:
    """Save a view in a workspace; raises `OSError`."""
    write_private(folder / VIEW, encode_view(view))


def encode_view(view: KeptView) -> bytes:
    """Return the content of the file."""
    camera, panels = view.camera, view.panels
    content = {
        "version": _VERSION,
        **{name: getattr(view, name) for name in ("environment", "online_map", "fence_ids", "fence_id", "beacon_id")},
        **{name: getattr(view, name) for name in ("form_page", "table_filter", "timeline")},
        "camera": [camera.longitude, camera.latitude, camera.zoom],
        # Qt does not validate its saved state, so a modified one must not reach it.
        "panels": {"state": b64encode(panels).decode(), "crc32": crc32(panels)},
        "track": None if view.track is None else to_builtins(view.track),
    }
    return orjson.dumps(content, option=orjson.OPT_INDENT_2)


def read_kept(folder: Path) -> Found:
    """Return the saved state of a workspace. Damaged parts are left out and described in `problem`."""
    problems: list[str] = []
    view: KeptView | None = None
    track: KeptTrack | None = None
    try:
        view = read_view(folder)
    except (OSError, ValueError, FencewrightError) as error:
        problems.append(
            tr(
                "The last view of this workspace cannot be restored. {file_name}: {reason}.",
                file_name=VIEW,
                reason=_reason(error),
            )
        )
    try:
        track = read_track(folder)
    except (OSError, ValueError, FencewrightError) as error:
        problems.append(
            tr(
                "The track of the simulator cannot be restored. {file_name}: {reason}.",
                file_name=TRACK,
                reason=_reason(error),
            )
        )
    return Found(view, track, " ".join(problems))


def read_view(folder: Path) -> KeptView | None:
    """Return the view saved in a workspace; raises `OSError`, `ValueError` or `InvalidParameter`."""
    file = folder / VIEW
    if not file.exists():
        return None
    found = read_object(file, MAX_BYTES)
    if found.get("version") != _VERSION:
        return None  # written by another version of the program
    track, shown, beacon = found.get("track"), found.get("fence_id"), found.get("beacon_id")
    return KeptView(
        environment=Environment(as_text(found.get("environment"), "environment", 10)),
        camera=_camera(found.get("camera")),
        online_map=as_flag(found.get("online_map"), "online_map"),
        fence_ids=tuple(_id(each, "fence_ids") for each in as_list(found.get("fence_ids"), "fence_ids", MAX_SELECTED)),
        fence_id=None if shown is None else _id(shown, "fence_id"),
        beacon_id=None if beacon is None else _id(beacon, "beacon_id"),
        form_page=as_whole(found.get("form_page"), "form_page", 0, PAGES),
        table_filter=as_text(found.get("table_filter"), "table_filter", MAX_LETTERS),
        timeline=as_flag(found.get("timeline"), "timeline"),
        panels=_panels(as_object(found.get("panels"), "panels")),
        track=None if track is None else _place(as_object(track, "track")),
    )


def _camera(value: Any) -> Camera:
    longitude, latitude, zoom = (as_list(value, "camera", 3) + [None] * 3)[:3]
    return Camera(
        # The map repeats, so longitudes may exceed 180 degrees.
        as_number(longitude, "longitude", -1e6, 1e6),
        as_number(latitude, "latitude", -90, 90),
        as_number(zoom, "zoom", 0, 30),
    )


def _panels(found: Mapping[str, Any]) -> bytes:
    state = b64decode(as_text(found.get("state"), "state", _MAX_PANELS), validate=True)
    if crc32(state) != found.get("crc32"):
        raise ValueError("the record of the panels is damaged")
    return state


def _place(found: Mapping[str, Any]) -> TrackPlace:
    speed = found.get("speed")
    return TrackPlace(
        key=as_text(found.get("key"), "key", 40),
        position=as_whole(found.get("position"), "position", 0, MAX_POINTS),
        speed=None if speed is None else as_number(speed, "speed", 1e-6, 1e6),
        sender=_sender(as_object(found.get("sender"), "sender")),
        phone=_phone(as_object(found.get("phone"), "phone")),
    )


def _sender(found: Mapping[str, Any]) -> Sender:
    accuracy = found.get("accuracy_m")
    return Sender(
        as_text(found.get("device"), "device", 1_000),
        None if accuracy is None else as_number(accuracy, "accuracy_m", 0, 1e9),
        foreground=as_flag(found.get("foreground"), "foreground"),
        stopped=as_flag(found.get("stopped"), "stopped"),
    )


def _phone(found: Mapping[str, Any]) -> Phone:
    noise, motion = found.get("noise"), found.get("motion")
    return Phone(
        None if noise is None else Noise(**_numbers(noise, "noise", Noise)),
        as_whole(found.get("seed"), "seed", 0, MAX_SEED),
        None if motion is None else Motion(**_numbers(motion, "motion", Motion)),
    )


def _numbers(value: Any, name: str, kind: type[Noise] | type[Motion]) -> dict[str, float]:
    known = kind.__struct_fields__
    found = as_object(value, name)
    return {each: as_number(number, each, -1e9, 1e9) for each, number in found.items() if each in known}


def _id(value: Any, name: str) -> str:
    return as_text(value, name, _MAX_ID)


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return text.removesuffix(".")[:200]
