"""Pictures of checks and of a promotion from Test to Live."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from engine.domain.edits import EditSource, editing_as
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.hours import parse_hours
from engine.domain.settings import SettingsChange
from engine.geofences.checks.findings import Check
from engine.geofences.promotion.promotions import PromotionQuery
from tests.desktop.reproducible import TIME
from tests.desktop.studio import Studio, wait_for

_SPIKE = (
    *((1.10, 51.25), (1.12, 51.25), (1.12, 51.255), (1.110002, 51.255), (1.110001, 51.258), (1.11, 51.255)),
    *((1.10, 51.255), (1.10, 51.25)),
)


def review_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the findings among the demo's geofences and some flawed ones."""
    window = studio.window
    studio.open()
    studio.fill()
    window.docks.bring(window.docks.checks)
    yield "checks-empty", None
    session = window.model.session
    assert session is not None
    engine = session.engine
    for number, (radius_m, east) in enumerate(((12.0, 0.0), (150.0, 0.0006), (150.0, 0.0012))):
        change = GeofenceChange(
            tag="store",
            external_id=str(number),
            description=f"Kiosk {number}",
            type="circle",
            coordinates=(1.08 + east, 51.28),
            size=radius_m,
        )
        engine.geofences.create(Environment.TEST, change)
    spiky = GeofenceChange(
        tag="zone", external_id="delivery", description="Delivery zone", type="polygon", coordinates=_SPIKE
    )
    engine.geofences.create(Environment.TEST, spiky)
    engine.settings.change(Environment.TEST, SettingsChange(buffer_entries=True))
    wait_for(lambda: len(window.model.fences) == 15, "the geofences")
    window.actions_.checks.trigger()
    tree = window.checks_panel.list

    def overlaps() -> list[QTreeWidgetItem]:
        groups = filter(None, (tree.topLevelItem(number) for number in range(tree.topLevelItemCount())))
        rows = filter(None, (group.child(number) for group in groups for number in range(group.childCount())))
        return [row for row in rows if (each := tree.finding_at(row)) and each.check is Check.OVERLAP]

    wait_for(lambda: bool(overlaps()), "the findings")
    wanted = overlaps()[0]
    tree.setCurrentItem(wanted)
    tree.scrollToItem(wanted)
    yield "checks", None
    window.model.selection.clear()
    yield from _promotion(studio)


def _promotion(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the differences between Test and a Live in which some geofences are unchanged."""
    window = studio.window
    session = window.model.session
    assert session is not None
    geofences = session.engine.geofences
    session.engine.promotions.apply(session.engine.promotions.plan(PromotionQuery()).changes)
    live, port = Environment.LIVE, "port"
    dover = geofences.get_by_key(live, port, "dover")
    TIME.let_pass(timedelta(hours=3, minutes=12))
    geofences.update(live, dover.id, GeofenceChange(description="Dover", size=4_000.0, metadata={"country": "GB"}))
    geofences.delete(live, geofences.get_by_key(live, "store", "1").id)
    old = GeofenceChange(
        tag="depot",
        external_id="lille",
        description="Lille depot",
        type="circle",
        coordinates=(3.06, 50.63),
        size=900,
    )
    geofences.create(live, old)
    window.actions_.promote.trigger()
    wait_for(lambda: window.promotion.dialog is not None, "the differences")
    dialog = window.promotion.dialog
    assert dialog is not None
    dialog.model.toggle(0)
    dialog.view.selectRow(1)
    yield "promotion", dialog
    dialog.hide()
    yield "promotion-on-map", None
    dialog.reject()
    yield from _history(studio)


def _history(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the history of a geofence of Live, and deleted geofences."""
    window = studio.window
    session = window.model.session
    assert session is not None
    geofences = session.engine.geofences
    live = Environment.LIVE
    window.toolbar.environments.live.click()
    dover = geofences.get_by_key(live, "port", "dover")
    TIME.let_pass(timedelta(hours=1, minutes=47))
    with editing_as(EditSource.API, "secret key, curl/8.5.0"):
        hours = parse_hours({day: [["06:00", "22:00"]] for day in ("Mon", "Tue", "Wed", "Thu", "Fri")})
        geofences.update(live, dover.id, GeofenceChange(operating_hours=hours))
    TIME.let_pass(timedelta(hours=9, minutes=31))
    with editing_as(EditSource.SYNC, "ports.csv"):
        latest = geofences.update(live, dover.id, GeofenceChange(size=3_200.0, coordinates=(1.33, 51.12)))
    wait_for(lambda: window.model.fences.get(dover.id) == latest, "the latest version")
    window.model.selection.select_fence(dover.id)
    window.docks.bring(window.docks.fence)
    window.form.show_section(0)
    window.actions_.history.trigger()
    wait_for(lambda: window.history.dialog is not None and window.history.dialog.edits.rowCount() > 2, "the history")
    dialog = window.history.dialog
    assert dialog is not None
    dialog.view.selectRow(2)
    yield "history", dialog
    dialog.hide()
    window.map.fit_fences([dover.id, "history-new"])
    yield "history-on-map", None
    dialog.show()
    dialog.show_page(1)
    wait_for(lambda: dialog.deleted.rowCount() == 1, "the deleted geofences")
    yield "history-deleted", dialog
    dialog.reject()
    window.toolbar.environments.test.click()
