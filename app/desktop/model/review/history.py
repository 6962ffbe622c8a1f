"""Geofence history as text: the time, the author and the changes of each edit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.desktop.language import tr
from app.desktop.model.editing.changes import same_content
from app.desktop.model.fences import zone_of
from app.desktop.model.review.fields import FieldRow, differing, rows_of, valued_fields
from app.desktop.model.words import full_time, local_time
from engine.domain.edits import Author, EditSource, GeofenceEdit
from engine.domain.geofence import Geofence

_SOURCES: Final[Mapping[EditSource, str]] = {
    EditSource.WINDOW: tr("This window"),
    EditSource.API: "API",
    EditSource.IMPORT: tr("Import"),
    EditSource.IMPORT_UNDO: tr("Undo of the import"),
    EditSource.SYNC: tr("Nightly sync"),
    EditSource.PROMOTION: tr("Promotion"),
    EditSource.CHECKS: tr("Fix of a check"),
    EditSource.EXPIRY: tr("Expiry"),
    EditSource.RESET: tr("Reset"),
    EditSource.PROGRAM: "Fencewright",
}
_LONGEST: Final = 60


def author_text(author: Author | None) -> str:
    """Return the author of an edit as text."""
    if author is None:
        return tr("not recorded")
    source = _SOURCES[author.source]
    return f"{source}: {author.detail}" if author.detail else source


def when_text(edit: GeofenceEdit) -> str:
    """Return the time of an edit in the time zone of the geofence."""
    return tr("not recorded") if edit.at is None else local_time(edit.at, zone_of(edit.geofence.geometry))


def when_tip(edit: GeofenceEdit) -> str:
    """Return the time of an edit, with the zone."""
    return "" if edit.at is None else full_time(edit.at, zone_of(edit.geofence.geometry))


def edit_text(edit: GeofenceEdit) -> str:
    """Return the changes of an edit in one line."""
    if edit.after is None:
        return tr("Deleted")
    if edit.before is None:
        return tr("The first version that is kept") if edit.first_kept else tr("Created")
    rows = rows_of(differing(edit.before, edit.after), edit.before, edit.after)
    return "; ".join(f"{title}: {_short(before)} → {_short(after)}" for title, before, after in rows)


def compared(present: Geofence | None, version: Geofence) -> tuple[FieldRow, ...]:
    """Return the fields in which a version differs from the geofence, or its values if the geofence was deleted."""
    return rows_of(valued_fields(version) if present is None else differing(present, version), present, version)


def is_present(present: Geofence | None, version: Geofence) -> bool:
    """Return whether a version equals the current geofence."""
    return same_content(present, version)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
