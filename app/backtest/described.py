"""The settings of a back-test in words."""

from engine.domain.fields.rows import column_of
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings

_RULES = (
    *("stop_detection", "buffer_entries", "buffer_exits", "operating_hours_restriction", "operating_hours_rule"),
    *("dwell_event", "default_dwell_threshold_s", "minimum_confidence"),
)
"""Settings that decide about events of geofences."""


def described(settings: ProjectSettings) -> tuple[str, ...]:
    """Return the settings for events of geofences that are not the defaults, such as ``bufferEntries=true``."""
    found = []
    for name in _RULES:
        value = getattr(settings, name)
        if value == getattr(DEFAULT_SETTINGS, name):
            continue
        if isinstance(value, bool):
            value = str(value).lower()
        elif name == "default_dwell_threshold_s":
            value = f"{value / 60:g}"
        found.append(f"{column_of(name)}={value}")
    return tuple(found)
