"""Operations on the workspace itself: its settings, its contents as a seed, its keys and its areas."""

from typing import Any

from app.api.commands.command import Call, always, command, never
from app.api.wire.common.encoding import Encoded
from app.api.wire.settings.record import encode_settings
from app.api.wire.settings.request import decode_settings_change
from app.api.wire.snapshot import changed_settings, encode_geofence_elsewhere, encode_snapshot
from engine.domain.environment import KeyLevel


@command(repeats=always)
def settings(call: Call[None]) -> Encoded:
    """Return the settings."""
    return encode_settings(call.engine.settings.get(call.environment))


@command(repeats=always)
def change_settings(call: Call[dict[str, Any]]) -> Encoded:
    """Change settings, all or none, and return all of them."""
    return encode_settings(call.engine.settings.change(call.environment, decode_settings_change(call.request)))


@command(repeats=always)
def snapshot(call: Call[None]) -> Encoded:
    """Return the settings, geofences, users and the Test clock, all as of one commit."""
    return encode_snapshot(call.engine.seeding.snapshot(), call.engine.stop.check)


@command(repeats=always)
def set_up(call: Call[None]) -> Encoded:
    """Return the settings and the geofences of the environment, as a scenario contains them."""
    geofences = call.engine.geofences.all(call.environment, call.engine.stop.check)
    return {
        "settings": changed_settings(call.engine.settings.get(call.environment)),
        "geofences": [encode_geofence_elsewhere(geofence) for geofence in geofences],
    }


@command(repeats=never)
def rotate_key(call: Call[KeyLevel]) -> None:
    """Replace a key, which invalidates the old one immediately."""
    call.engine.workspace.keys.rotate(call.environment, call.request)


@command(repeats=always)
def refresh_areas(call: Call[None]) -> None:
    """Reload the areas on disk after another process changed them."""
    call.engine.areas.refresh()
