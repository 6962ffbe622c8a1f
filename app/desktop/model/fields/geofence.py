"""Fields of geofences in the window: their titles, and the text shown when no value is set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.project import approaching_text, dwell_text, stop_detection_text
from engine.domain.fields.geofence import GEOFENCE, RULES, Row
from engine.domain.fields.rows import ValueKind
from engine.domain.settings import ProjectSettings


class FenceField(Struct, frozen=True, kw_only=True):
    """Presentation of a field.

    `unset` is the text shown for no value. If there is a project default instead, `default` returns its text.
    """

    row: Row
    title: str
    hint: str = ""
    unset: str = ""
    default: Callable[[ProjectSettings], str] | None = None
    in_bulk: bool = True

    @property
    def name(self) -> str:
        """Name of the field."""
        return self.row.name

    @property
    def kind(self) -> ValueKind:
        """Kind of its values."""
        return self.row.kind


_ROWS: Final = {row.name: row for row in GEOFENCE}
_NEVER, _PROJECT = tr("never"), tr("project default")


def _field(
    name: str,
    title: str,
    *,
    hint: str = "",
    unset: str = "",
    default: Callable[[ProjectSettings], str] | None = None,
    in_bulk: bool = True,
) -> FenceField:
    return FenceField(row=_ROWS[name], title=title, hint=hint, unset=unset, default=default, in_bulk=in_bulk)


FIELDS: Final = (
    _field("description", tr("Description"), in_bulk=False),
    _field("tag", tr("Tag")),
    _field("external_id", tr("External ID"), in_bulk=False),
    _field("coordinates", tr("Coordinates"), in_bulk=False),
    _field("mode", tr("Mode"), in_bulk=False),
    _field("enabled", tr("Enabled")),
    _field("size", tr("Radius")),
    _field("metadata", tr("Metadata"), unset=tr("none"), in_bulk=False),
    _field("operating_hours", tr("Operating hours"), unset=tr("always open")),
    _field("stop_detection", tr("Stop detection"), unset=_PROJECT, default=stop_detection_text),
    _field("dwell_threshold_s", tr("Dwell threshold"), unset=_PROJECT, default=dwell_text),
    _field("trip_approaching_threshold_s", tr("Trip approaching threshold"), unset=_PROJECT, default=approaching_text),
    _field("user_ids", tr("User IDs"), hint=tr("Events only for these users, comma-separated"), unset=tr("all users")),
    _field(
        "ip",
        tr("IP ranges"),
        hint=tr("Events only for requests from these addresses: 10.0.0.7, 10.0.*.* or 10.0.0.0/16, comma-separated"),
        unset=tr("all addresses"),
    ),
    _field("disable_after", tr("Disable after"), unset=_NEVER),
    _field("delete_after", tr("Delete after"), unset=_NEVER),
)
"""All fields except the type, which is confirmed immediately, in form order."""

BY_NAME: Final = {field.name: field for field in FIELDS}
IN_BULK: Final = tuple(field for field in FIELDS if field.in_bulk)
"""Fields that can be set for several geofences at once. Metadata has its own editor."""

_RULES: Final = frozenset(row.name for row in RULES)
OF_RULES: Final = tuple(field for field in FIELDS if field.name in _RULES)
