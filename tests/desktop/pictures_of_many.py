"""Pictures of many geofences: their table, several selected ones, and their bulk edit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from PySide6.QtWidgets import QWidget

from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.hours import parse_hours
from tests.desktop.studio import Studio, wait_for

TEST = Environment.TEST
_WEEK = parse_hours({day: [["08:00", "18:00"]] for day in ("Mon", "Tue", "Wed", "Thu", "Fri")})
_CITIES = (("Ghent", 3.72, 51.05), ("Bruges", 3.22, 51.21), ("Lille", 3.06, 50.63), ("Calais", 1.86, 50.95))


def _stores(studio: Studio) -> list[Geofence]:
    """Create stores and depots of a chain, some of which have hours, end soon or are disabled."""
    session = studio.window.model.session
    assert session is not None
    made = []
    for number in range(36):
        city, longitude, latitude = _CITIES[number % 4]
        tag = "depot" if number % 6 == 5 else "store"
        change = GeofenceChange(
            tag=tag,
            external_id=f"{tag}-{number + 1}",
            description=f"{city} {tag} {number // 4 + 1}",
            type="circle",
            coordinates=(longitude + (number % 7) * 0.05, latitude + (number % 5) * 0.04),
            size=100.0 + 50 * (number % 9),
            enabled=number % 8 != 3,
            metadata={"city": city, "floor": number % 3, "manager": ("Anna", "Bram", "Chloé")[number % 3]},
            operating_hours=_WEEK if number % 3 == 0 else None,
            delete_after=studio.window.model.now() + timedelta(days=5) if number % 10 == 4 else None,
        )
        made.append(session.engine.geofences.create(TEST, change))
    return made


def many_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the stores of a chain."""
    window = studio.window
    studio.open()
    made = _stores(studio)
    wait_for(lambda: len(window.model.fences) == len(made), "the geofences")
    window.map.fit_fences()
    window.actions_.geofence_table.trigger()
    wait_for(lambda: len(window.table.rows) == len(made), "the table")
    yield "geofence-table-all", None
    window.table.show_filter("tag:store city:Ghent")
    chosen = [fence.id for fence in window.table.rows.fences(0, 3)]
    window.model.selection.select_fences(chosen)
    yield "geofence-table", None
    window.many.several.edit("tag")
    dialog = window.many.several.dialog
    assert dialog is not None
    yield "bulk-edit", dialog
    dialog.fields["size"].touch()
    dialog.fields["operating_hours"].check.setChecked(True)
    dialog.show_error(
        "size", "Ghent store 1: Radius: the radius of a circle must be between 10 and 10000 metres, not 5."
    )
    yield "bulk-edit-refused", dialog
    dialog.reject()
    window.model.selection.clear()
    window.table.show_filter("")
