"""Pictures of the inspector: filtered and pinned events, the list of users, and injected faults."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from PySide6.QtWidgets import QWidget

from app.faults.rules import DropTime, FaultKind, FaultRule
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Circle, Point
from engine.domain.tracking.updates import LocationUpdate
from tests.desktop.studio import Studio, wait_for

TEST = Environment.TEST


def inspector_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show a few devices that move back and forth."""
    window = studio.window
    studio.open()
    studio.fill()
    session = window.model.session
    assert session is not None
    centers = [
        (fence.geometry.center.longitude, fence.geometry.center.latitude)
        for fence in session.engine.geofences.all(TEST)
        if isinstance(fence.geometry, Circle)
    ]
    at = window.model.now() - timedelta(hours=1)
    for turn in range(6):
        for number in range(8):
            near = centers[number % len(centers)] if (turn + number) % 2 else (3.9, 51.2)
            update = LocationUpdate(
                *(f"phone-{number}", Point(*near), 8.0 + number),
                user_id=f"user-{number}" if number % 2 else None,
                at=at + timedelta(minutes=turn * 3 + number),
                foreground=True,
            )
            session.engine.tracking.track(TEST, update)
    wait_for(lambda: len(window.events.shown) > 3 and len(window.user_rows) > 8, "the users")
    window.docks.bring(window.docks.events)
    window.model.selection.select_event(window.model.events[2])
    window.events.toggle_pin()
    window.events.head.words.setText("device:lorry*")
    wait_for(lambda: window.events.is_filtered, "the filter")
    calais = next(each for each in window.model.events.all() if each.geofence and each.geofence.external_id == "calais")
    window.model.selection.select_event(calais)
    yield "inspector-events", None
    window.events.head.words.clear()
    window.model.selection.clear()
    window.docks.bring(window.docks.users)
    window.users.user_chosen.emit(window.user_rows[1])
    wait_for(lambda: window.user.user is not None, "the user")
    yield "inspector-users", None
    session.faults.add(
        FaultRule(
            kind=FaultKind.STATUS,
            status=429,
            headers=(("Retry-After", "3"),),
            path="/v1/track",
            key=KeyLevel.PUBLISHABLE,
            times=2,
        )
    )
    session.faults.add(FaultRule(kind=FaultKind.DROP, when=DropTime.AFTER, method="POST", path="/v1/trips*", every=3))
    session.faults.add(FaultRule(kind=FaultKind.LATENCY, latency_ms=3000, share=0.25, seed=7))
    wait_for(window.status.faults.isVisible, "the status line")
    yield "faults-status", None
    window.faults.open()
    yield "faults", window.faults.dialog
    window.faults.dialog.reject()
