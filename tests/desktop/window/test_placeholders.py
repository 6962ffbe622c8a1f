"""No placeholder such as ``{name}`` is shown in the window. ``german.py`` checks this in German, too."""

from __future__ import annotations

import httpx
import pytest
from PySide6.QtWidgets import QDialog, QWidget

from app.desktop.dialogs.about import AboutDialog
from app.desktop.dialogs.help.dialog import HelpDialog
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Point
from engine.domain.tracking.updates import LocationUpdate
from tests.desktop.window.test_accessibility import MADE, fill
from tests.desktop.window.texts_shown import contained, shown
from tests.desktop.window.user import User
from tests.placeholders import unfilled
from tests.translations import BRACES_OF_USERS

ALLOWED = frozenset(f"{{{name}}}" for name in BRACES_OF_USERS if name)
"""Placeholders that users write in the address of a tile."""

LITERAL = (AboutDialog, HelpDialog)
"""Texts and pages that are shown literally, with paths such as ``/v1/faults/{id}``."""


def unfilled_in(root: QWidget) -> list[tuple[str, str]]:
    """Return the texts of a window with a remaining placeholder, each with its widget."""
    if isinstance(root, LITERAL):
        return []
    outer = [found for found in shown(root) if _is_unfilled(found[1])]
    return outer + [found for found in contained(root) if _is_unfilled(found[1])]


def _is_unfilled(text: str) -> bool:
    return bool(set(unfilled(text)) - ALLOWED)


def check_fences_and_events(user: User) -> None:
    """Check the window with geofences, a user, events, reasons and requests, and the dialogs that it has created."""
    fill(user)
    engine, device = user.engine, "phone"
    for longitude in (14.5, 14.55, 14.5):
        engine.tracking.track(Environment.TEST, LocationUpdate(device, Point(longitude, 46.05), 20.0))
    session = user.window.model.session
    assert session is not None
    key = engine.workspace.keys.value(Environment.TEST, KeyLevel.SECRET)
    for path in ("/v1/users", "/v1/geofence?near=1,2", "/v1/search/geofences?near=46.05,14.5"):
        httpx.get(f"{session.url}{path}", headers={"Authorization": key})
    user.until(lambda: len(user.window.model.events) > 1)
    user.window.model.selection.select_event(user.window.model.events[0])
    user.until(lambda: user.window.reasons.answered)
    user.until(lambda: len(user.window.request_book) >= 3)
    user.window.actions_.why.trigger()
    user.idle()
    dialogs = [each for each in user.window.findChildren(QDialog) if type(each) not in MADE]
    for root in (user.window, *dialogs):
        assert len(list(shown(root))) > 3
        assert unfilled_in(root) == []


def test_no_placeholder_is_left_in_the_window(user: User) -> None:
    check_fences_and_events(user)


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_no_placeholder_is_left_in_a_dialog(looker: User, kind: type[QDialog]) -> None:
    dialog = MADE[kind](looker)
    assert unfilled_in(dialog) == []
    dialog.deleteLater()
