"""The places in the window that must know every field."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.beacons import BeaconModel
from app.desktop.dialogs.bulk_edit.dialog import BulkEditDialog
from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.dialogs.settings import SettingsDialog
from app.desktop.model.beacons import BeaconBook
from app.desktop.model.editing.beacon_sheet import BeaconSheet, sheet_of
from app.desktop.model.editing.beacons import same_beacon
from app.desktop.model.editing.changes import same_content
from app.desktop.model.editing.pending_words import SETTING_TITLES, fence_text, fence_title, setting_text
from app.desktop.model.fence_table.columns import FIXED
from app.desktop.model.importing import NUMBERS, Columns
from app.desktop.model.inspector.user_rows import UserRows
from app.desktop.model.review.fields import differing, rows_of
from app.desktop.model.users import user_facts
from app.desktop.panels.beacon.fields import BeaconFields
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.users.table import UserModel
from engine.domain.fields.geofence import part_of
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings, SettingsChange
from engine.domain.tracking.beacon import Beacon, BeaconChange
from engine.domain.tracking.fraud import Fraud
from engine.domain.tracking.trips import Trip
from engine.domain.tracking.updates import User
from engine.domain.values import replace
from engine.geofences.imports.rows import column_of
from tests.fields import beacons, geofences, settings, trips, users
from tests.fields.examples import at, whole
from tests.fields.places import Place, Samples, compared, names_of, shown, unlike
from tests.fields.requests import example_of

type Forgotten = Callable[[], set[str]]


def _shown_in[Widget](make: Callable[[], Widget], samples: Samples, show: Callable[[Widget, Any], Any]) -> Forgotten:
    """Return a check of a widget that is created for the check."""

    def forgotten() -> set[str]:
        widget = make()
        return shown(samples, lambda record: show(widget, record))()

    return forgotten


def _unmapped() -> set[str]:
    """Return the fields to which the import dialog maps no column."""
    parent = QWidget()
    dialog = ColumnsDialog(parent, "file.csv", (), Columns({}, {}))
    return {name for name in names_of(GeofenceChange) if column_of(name) not in dialog.rows}


def _no_numbers() -> set[str]:
    """Return the numeric fields that the import dialog does not read as numbers."""
    values = {name: example_of(GeofenceChange, name, geofences.RECORDS).value for name in names_of(GeofenceChange)}
    return {name for name, value in values.items() if type(value) in (int, float) and column_of(name) not in NUMBERS}


def _not_edited_together() -> set[str]:
    """Return the fields that cannot be changed for several geofences at once."""
    parent = QWidget()
    dialog = BulkEditDialog(parent, geofences.samples()[:1], (), DEFAULT_SETTINGS, "light")
    return names_of(GeofenceChange) - {*dialog.fields}


def _form_of(form: FenceForm, fence: Geofence) -> list[Any]:
    return [(entry.name, entry.words(fence)) for entry in form.entries]


def _untitled() -> set[str]:
    """Return the fields of geofences that have only a technical name in the window."""
    return {name for name in names_of(GeofenceChange) if fence_title(name, None) == name}


def _untitled_settings() -> set[str]:
    """Return the settings that have no name in the window."""
    return names_of(SettingsChange) - SETTING_TITLES.keys()


def _shows_difference(before: Geofence, after: Geofence, _path: str) -> bool:
    return any(was != now for _, was, now in rows_of(differing(before, after), before, after))


def _wordless() -> set[str]:
    """Return the fields whose pending values have the same text."""
    pairs = [(sample, unlike(sample)) for sample in geofences.samples()]
    return {
        name for name in names_of(GeofenceChange) if all(_text(one, name) == _text(two, name) for one, two in pairs)
    }


def _text(fence: Geofence, name: str) -> str:
    try:
        return fence_text(name, part_of(fence, name), fence)
    except KeyError:
        return ""


def _in_table() -> list[Geofence]:
    """Return geofences, one of which is enabled and will therefore be disabled on expiry."""
    return [*geofences.samples(), replace(geofences.samples()[0], enabled=True)]


def _cells(fence: Geofence) -> list[Any]:
    return [(column.text(fence), column.key(fence)) for column in FIXED]


def _beacon_form(form: BeaconFields, beacon: Beacon) -> list[Any]:
    sheet = sheet_of(beacon)
    return [(entry.name, entry.words(sheet)) for entry in form.entries]


def _beacon_row(beacon: Beacon) -> list[Any]:
    book = BeaconBook()
    book.replace([beacon])
    model = BeaconModel(book)
    model.refresh()
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    return [model.data(model.index(0, column), role) for column in range(model.columnCount()) for role in roles]


class _Settings:
    """The settings dialog and its parent window."""

    def __init__(self) -> None:
        self._parent = QWidget()
        self.dialog = SettingsDialog(self._parent)

    def show(self, settings: ProjectSettings) -> list[Any]:
        """Return the texts of its fields."""
        return [(entry.name, entry.words(settings)) for entry in self.dialog.entries]


def _unsaid_settings() -> set[str]:
    """Return the settings whose pending values have the same text."""
    given, unknown = settings.change(), _untitled_settings()
    names = names_of(SettingsChange) - unknown
    return unknown | {name for name in names if setting_text(name, getattr(given, name)) == setting_text(name, None)}


def _user_row(user: User) -> list[Any]:
    rows = UserRows()
    rows.replace([user])
    model = UserModel(rows, _now)
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
    return [model.data(model.index(0, column), role) for column in range(model.columnCount()) for role in roles]


def _texts_of(user: User) -> list[Any]:
    return [*user_facts(user), *_user_row(user)]


def _two_users() -> list[User]:
    """Return users, one of whom does not bypass the fraud checks."""
    return [users.sample(), replace(users.sample(), fraud=whole(Fraud, bypassed=False))]


def _now() -> datetime:
    return at(59)


def _user_with(trip: Trip) -> User:
    return replace(users.sample(), trip=trip)


GEOFENCES: Final = (
    ("import dialog", _unmapped),
    ("import dialog (numbers)", _no_numbers),
    ("bulk edit", _not_edited_together),
    ("form", _shown_in(FenceForm, geofences.samples, _form_of)),
    ("table", shown(_in_table, _cells)),
    ("pending changes (titles)", _untitled),
    ("pending changes (values)", _wordless),
    ("history and promotion in words", compared(geofences.samples, _shows_difference)),
    ("undo", compared(geofences.samples, lambda one, other, _: not same_content(one, other))),
)
BEACONS: Final = (
    ("form", _shown_in(BeaconFields, beacons.samples, _beacon_form)),
    ("form (new beacon)", lambda: names_of(BeaconChange) - names_of(BeaconSheet)),
    ("table", shown(beacons.samples, _beacon_row)),
    ("undo", compared(beacons.samples, lambda one, other, _: not same_beacon(one, other))),
)
SETTINGS: Final = (
    ("form", _shown_in(_Settings, settings.samples, _Settings.show)),
    ("pending changes (titles)", _untitled_settings),
    ("pending changes (values)", _unsaid_settings),
)
TRIPS: Final = (("panel and table", shown(trips.samples, lambda trip: _texts_of(_user_with(trip)))),)
USERS: Final = (("panel and table", shown(_two_users, _texts_of)),)

PLACES: Final = tuple(
    Place(of, name, forgotten)
    for of, places in (
        ("geofence", GEOFENCES),
        ("beacon", BEACONS),
        ("settings", SETTINGS),
        ("trip", TRIPS),
        ("user", USERS),
    )
    for name, forgotten in places
)
