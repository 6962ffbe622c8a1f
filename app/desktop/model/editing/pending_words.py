"""Texts about pending changes: the field, its current value in Live, and its new value."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from app.desktop.language import counted, tr
from app.desktop.model.editing.metadata import text_of
from app.desktop.model.editing.numbers import spell_number
from app.desktop.model.editing.pending import Owner, Pending, PendingChanges
from app.desktop.model.editing.segments import COMPARISONS, row_of
from app.desktop.model.fences import zone_of
from app.desktop.model.fields.geofence import BY_NAME
from app.desktop.model.moments import spell_moment
from app.desktop.model.project import GROUPS, Choice, Number, Switch, Tracking, Words, join_ids
from app.desktop.model.shaping.positions import words_of
from app.desktop.model.words import fence_name, minutes_text, size_text
from engine.domain.fields.rows import ValueKind
from engine.domain.fields.settings import settings_with
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Isochrone
from engine.domain.settings import DEFAULT_SETTINGS, NO_SETTINGS_CHANGE, SegmentRule, SettingsChange
from engine.domain.tracking.sdk import spell_options

PROJECT = tr("Project settings")

_COMPARISONS = {comparison: words for words, comparison in COMPARISONS}
_SETTINGS = {setting.name: setting for _, settings in GROUPS for setting in settings}
SETTING_TITLES = {name: setting.title for name, setting in _SETTINGS.items()} | {"segments": tr("Segments")}
"""Titles of the settings in their editor; segments have an editor of their own."""


class Waiting[Change](Struct, frozen=True):
    """The pending changes of one record, as shown in its form.

    `notes` has the value in Live for each field, `conflicts` the fields that others have changed since, and `errors`
    the refusals of the engine. `text` is a summary, `details` has a line for each field. `wrong` is whether there are
    conflicts or refusals, `ready` whether there are changes to send.
    """

    change: Change
    text: str = ""
    details: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    conflicts: frozenset[str] = frozenset()
    errors: Mapping[str, str] = field(default_factory=dict)
    wrong: bool = False
    ready: bool = False


NO_FENCE_WAITS: Waiting[GeofenceChange] = Waiting(GeofenceChange())
NO_SETTINGS_WAIT: Waiting[SettingsChange] = Waiting(NO_SETTINGS_CHANGE)


def waiting_of_fence(book: PendingChanges, fence_id: str) -> Waiting[GeofenceChange]:
    """Return the pending changes of a geofence."""
    return _waiting(book, fence_id, book.change_of_fence(fence_id)) if book.of(fence_id) else NO_FENCE_WAITS


def waiting_of_settings(book: PendingChanges) -> Waiting[SettingsChange]:
    """Return the pending changes of the settings."""
    return _waiting(book, None, book.change_of_settings()) if book.of(None) else NO_SETTINGS_WAIT


def _waiting[Change](book: PendingChanges, owner: Owner, change: Change) -> Waiting[Change]:
    changes = book.of(owner)
    fence = None if owner is None else book.fence(owner)
    conflicts = [each for each in changes if book.conflicts(each)]
    refused = [each for each in changes if each.error]
    text = counted(len(changes), "pending change")
    if conflicts:
        text += f", {counted(len(conflicts), 'conflict')}"
    if refused:
        text += tr(", {count} refused", count=len(refused))
    titles = ", ".join(title_of(each, fence) for each in conflicts + refused or changes)
    return Waiting(
        change,
        f"{text}: {titles}",
        tuple(line_of(book, each) for each in changes),
        {each.name: note_of(book, each) for each in changes},
        frozenset(each.name for each in conflicts),
        {each.name: each.error for each in refused},
        bool(conflicts or refused),
        any(not each.sent for each in changes),
    )


def note_of(book: PendingChanges, change: Pending) -> str:
    """Return a note about the value in Live of a pending field."""
    fence = None if change.owner is None else book.fence(change.owner)
    if book.is_deleted(change.owner):
        return tr("Pending. The geofence was deleted in Live in the meantime.")
    now = value_text(change, book.stored(change), fence)
    if book.conflicts(change):
        return tr(
            "Pending. Changed in Live since: {live_value} (was {old_value}).",
            live_value=now,
            old_value=value_text(change, change.seen, fence),
        )
    return tr("Pending. In Live: {live_value}.", live_value=now)


def line_of(book: PendingChanges, change: Pending) -> str:
    """Return a pending field on one line: ``Radius: 120 m → 250 m``."""
    fence = None if change.owner is None else book.fence(change.owner)
    now, wanted = (value_text(change, value, fence) for value in (book.stored(change), change.value))
    return f"{title_of(change, fence)}: {now} → {wanted}"


def owner_name(book: PendingChanges, owner: Owner) -> str:
    """Return the name of the geofence, or of the settings."""
    return PROJECT if owner is None else fence_name(book.fence(owner))


def title_of(change: Pending, fence: Geofence | None) -> str:
    """Return the title of a field in its editor."""
    if change.owner is None:
        return setting_title(change.name)
    return fence_title(change.name, fence)


def fence_title(name: str, fence: Geofence | None) -> str:
    """Return the title of a geofence's field."""
    if name == "size" and fence is not None and isinstance(fence.geometry, Isochrone):
        return tr("Travel time")
    return BY_NAME[name].title if name in BY_NAME else name


def setting_title(name: str) -> str:
    """Return the title of a setting."""
    return SETTING_TITLES[name]


def value_text(change: Pending, value: object, fence: Geofence | None) -> str:
    """Return a value of a pending field as text."""
    if change.owner is None:
        return setting_text(change.name, value)
    assert fence is not None
    return fence_text(change.name, value, fence)


def fence_text(name: str, value: object, fence: Geofence) -> str:
    """Return a value of a geofence's field as text."""
    if name in BY_NAME and BY_NAME[name].unset and not value and not isinstance(value, bool | int | float):
        return BY_NAME[name].unset
    if name == "coordinates":
        return words_of(value)
    match value:
        case bool():
            return tr("on") if value else tr("off")
        case datetime():
            zone = zone_of(fence.geometry)
            return f"{spell_moment(value, zone)} {zone.key}"
        case Mapping():
            return ", ".join(f"{key}: {text_of(each)}" for key, each in value.items())
        case tuple():
            return join_ids(value)
        case int() | float():
            return _number(name, value, fence)
        case None:
            return tr("none")
    return str(value) or tr("empty")


def setting_text(name: str, value: object) -> str:
    """Return a value of a setting as text."""
    shown: Any = getattr(settings_with(DEFAULT_SETTINGS, SettingsChange(**{name: value})), name)  # type: ignore[arg-type]
    match _SETTINGS.get(name):
        case Switch():
            return tr("on") if shown else tr("off")
        case Number(unit=unit, factor=factor, unset=unset):
            return unset if shown is None else f"{spell_number(shown / factor)} {unit}"
        case Choice(options=options):
            return next((text for text, option in options if option == shown), str(shown))
        case Words(spell=spell, placeholder=placeholder):
            return spell(shown) or placeholder
        case Tracking(unset=unset):
            return spell_options(shown) or unset
        case _:
            return _segments(shown)


def conflict_text(book: PendingChanges, change: Pending) -> str:
    """Return the conflict of a field in words, and the effect of applying its change anyway."""
    name = owner_name(book, change.owner)
    fence = None if change.owner is None else book.fence(change.owner)
    title, wanted = title_of(change, fence), value_text(change, change.value, fence)
    if book.is_deleted(change.owner):
        return tr(
            "{owner_name} was deleted. {field_title}: {new_value}", owner_name=name, field_title=title, new_value=wanted
        )
    now, seen = value_text(change, book.stored(change), fence), value_text(change, change.seen, fence)
    return tr(
        "{owner_name}, {field_title}: was {old_value}, is {live_value} now, and would become {new_value}.",
        owner_name=name,
        field_title=title,
        old_value=seen,
        live_value=now,
        new_value=wanted,
    )


def _number(name: str, value: float, fence: Geofence) -> str:
    if name in BY_NAME and BY_NAME[name].kind is ValueKind.SECONDS:
        return minutes_text(value)
    return f"{spell_number(value)} min" if isinstance(fence.geometry, Isochrone) else size_text(value)


def _segments(segments: tuple[SegmentRule, ...]) -> str:
    return "; ".join(map(_segment, segments)) or tr("none")


def _segment(segment: SegmentRule) -> str:
    rows = map(row_of, segment.conditions)
    conditions = tr(" and ").join(f"{row.field} {_COMPARISONS[row.comparison]} {row.text}".rstrip() for row in rows)
    name = segment.description or segment.external_id
    return f"{name}: {conditions}" if conditions else name
