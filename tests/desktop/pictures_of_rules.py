"""Pictures of the rules: hours, reasons, users, settings and the clock, for a town with all kinds of events."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from PySide6.QtWidgets import QDialog, QWidget

from app.desktop.dialogs.clear import ClearDialog
from app.desktop.dialogs.palette import CommandPalette
from engine.domain.clock import ClockChange
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.hours import alike, parse_hours
from engine.domain.ip import parse_ip_ranges
from engine.domain.queries import Counts
from engine.domain.settings import Comparison, Condition, SegmentRule, SettingsChange
from engine.domain.tracking.updates import Conversion, Device, DeviceType, LocationUpdate
from engine.engine import Engine
from tests.desktop.studio import Studio, wait_for

TEST = Environment.TEST
NOW = datetime(2026, 3, 27, 21, 40, tzinfo=UTC)
WEEK = {
    "Mon": [["08:00", "12:00"], ["14:00", "18:30"]],
    "Tue": [["08:00", "12:00"], ["14:00", "18:30"]],
    "Wed": [["08:00", "18:30"]],
    "Thu": [["08:00", "18:30"]],
    "Fri": [["08:00", "18:30"], ["21:00", "02:00"]],
    "Sat": [["21:00", "04:00"]],
}
FENCES: tuple[tuple[str, str, float, float, float], ...] = (
    ("bar", "Night bar", 9.5215, 47.1410, 160.0),
    ("shop", "Town shop", 9.5270, 47.1420, 140.0),
    ("shop", "Station kiosk", 9.5170, 47.1440, 110.0),
    ("depot", "Closed depot", 9.5290, 47.1385, 120.0),
)


def rules_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show every panel of the rules."""
    window = studio.window
    studio.open()
    session = window.model.session
    assert session is not None
    engine = session.engine
    window.toolbar.environments.test.click()
    _fill(engine)
    wait_for(lambda: len(window.model.fences) == 4 and len(window.model.events) >= 6, "the town")
    window.map.show_point(9.5225, 47.1412, zoom=16)
    ids = {fence.description: fence.id for fence in engine.geofences.all(TEST)}
    window.model.selection.select_fence(ids["Night bar"])
    window.docks.bring(window.docks.fence)
    window.time.look()
    for number, name in ((1, "hours"), (2, "rules")):
        window.form.show_section(number)
        yield name, None
    window.form.show_section(1)
    window.form.hours.ensureWidgetVisible(window.form.hours.text)
    yield "hours-json", None
    window.form.hours.ensureVisible(0, 0)
    window.form.hours.ask_copy()
    dialog = window.many.hours.dialog
    assert dialog is not None
    yield "hours-copy", dialog
    dialog.reject()
    window.form.show_errors({"ip": "IP: '10.0.0' is not an IP address, a wildcard such as 10.0.*.*, or a network."})
    yield "rules-error", None
    window.form.show_section(0)
    users = {user.device_id: user.summary for user in window.model.users.all()}
    window.reasons.explain_user(users["phone-1"])
    window.docks.bring(window.docks.why)
    wait_for(lambda: window.reasons.answered, "the reason")
    window.model.selection.select_fence(ids["Town shop"])
    yield "why-withheld", None
    window.reasons.explain_user(users["tablet-9"])
    window.docks.bring(window.docks.user)
    wait_for(lambda: window.reasons.answered, "the reason")
    yield "user", None
    window.model.selection.select_event(
        next(e for e in window.model.events.all() if e.type == "user.dwelled_in_geofence")
    )
    yield "why-dwell", None
    yield from _dialogs(studio)
    engine.set_clock(ClockChange(system=True))


def _dialogs(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    window = studio.window
    settings = window.project.dialog
    window.project.open()
    for number, (title, _) in enumerate(settings.pages):
        settings.show_page(number)
        yield f"settings-{title.lower()}", settings
    settings.close()
    window.clock.open()
    yield "clock", window.clock.dialog
    window.clock.dialog.close()
    made: tuple[tuple[str, QDialog], ...] = (
        ("clear", ClearDialog(window, ("phone-1", "tablet-9"), "tablet-9", Counts(4, 2, 9))),
        ("commands", CommandPalette(window, window.actions_.all(), window.search.start_with)),
    )
    for name, dialog in made:
        dialog.show()
        yield name, dialog
        dialog.close()


def _fill(engine: Engine) -> None:
    engine.set_clock(ClockChange(now=NOW, frozen=True))
    for number, (tag, name, longitude, latitude, radius_m) in enumerate(FENCES):
        change = GeofenceChange(
            tag=tag,
            external_id=f"{tag}-{number}",
            description=name,
            type="circle",
            coordinates=(longitude, latitude),
            size=radius_m,
            enabled=name != "Closed depot",
        )
        made = engine.geofences.create(TEST, change)
        engine.geofences.update(TEST, made.id, RULES.get(name, GeofenceChange()))
    engine.settings.change(
        TEST,
        SettingsChange(
            fraud=True,
            dwell_event=True,
            default_dwell_threshold_s=600.0,
            operating_hours_restriction=True,
            segments=SEGMENTS,
        ),
    )
    _go(engine)


OPEN_AT_NIGHT, OPEN_ON_MONDAYS = parse_hours(WEEK), parse_hours({"Mon": [["09:00", "17:00"]]})
assert OPEN_AT_NIGHT is not None
assert OPEN_ON_MONDAYS is not None
RULES = {
    "Night bar": GeofenceChange(
        operating_hours=alike(OPEN_AT_NIGHT),
        stop_detection=False,
        dwell_threshold_s=900.0,
        user_ids=("anna", "ben@example.com"),
        ip=parse_ip_ranges("10.0.*.*, 192.168.7.0/24"),
        disable_after=datetime(2026, 12, 31, 17, 0, tzinfo=UTC),
    ),
    "Town shop": GeofenceChange(operating_hours=alike(OPEN_ON_MONDAYS), stop_detection=True),
}
SEGMENTS = (
    SegmentRule(
        "Gold customers",
        "gold",
        (Condition("metadata.plan", Comparison.EQUALS, "gold"), Condition("deviceType", Comparison.EQUALS, "iOS")),
    ),
    SegmentRule("Logged in", "logged-in", (Condition("userId", Comparison.EXISTS),)),
)


def _go(engine: Engine) -> None:
    """Move two devices around, one of which is suspicious."""
    way = (
        (9.5200, 47.1395),
        (9.5212, 47.1408),
        (9.5216, 47.1411),
        (9.5217, 47.1411),
        (9.5246, 47.1416),
        (9.5268, 47.1420),
    )
    for step, (longitude, latitude) in enumerate(way):
        engine.tracking.track(
            TEST, _update("phone-1", "anna", longitude, latitude, NOW + timedelta(minutes=9 * step - 60))
        )
        engine.tracking.track(
            TEST,
            _update(
                "tablet-9",
                "ben@example.com",
                longitude - 0.003,
                latitude + 0.001,
                NOW + timedelta(minutes=9 * step - 60),
            ),
        )
    engine.history.log_conversion(TEST, Conversion("bought_ticket", "phone-1", "anna", metadata={"price": 12.5}))


def _update(device: str, user: str, longitude: float, latitude: float, at: datetime) -> LocationUpdate:
    return LocationUpdate(
        device_id=device,
        user_id=user,
        point=Point(longitude, latitude),
        accuracy_m=25.0,
        at=at,
        device=Device(DeviceType.IOS, "18.4", "Apple", "iPhone17,3"),
        altitude_m=455.0,
        vertical_accuracy_m=6.0,
        metadata={"plan": "gold", "visits": 12},
        ip="10.0.0.7",
        mocked=device == "tablet-9" and at.minute % 2 == 0,
    )
