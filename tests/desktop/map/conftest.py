"""A map that is ready, and a mouse that aims at positions on the earth."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from app.desktop.map import MapProfile, MapView
from tests.desktop.map.hand import Hand


@pytest.fixture
def map_view(qtbot: QtBot, map_profile: MapProfile) -> Iterator[MapView]:
    """A visible map of 800 by 600 pixels, whose page is ready and shows Ljubljana at a high zoom level."""
    view = MapView(profile=map_profile)
    complaints: list[str] = []
    view.failed.connect(complaints.append)
    view.resize(800, 600)
    with qtbot.waitSignal(view.ready, timeout=30_000):
        view.show()
    view.show_point(14.5, 46.05, zoom=15)
    yield view
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert complaints == []


@pytest.fixture
def hand(qtbot: QtBot, map_view: MapView) -> Hand:
    """The user's mouse and keyboard on the map."""
    return Hand(qtbot, map_view)
