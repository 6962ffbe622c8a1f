"""Presence of all fields of geofences, beacons, trips, users and settings in all parts of the window that show them."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from tests.fields.places import Place
from tests.fields.window import PLACES


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_place_forgets_no_field(qapp: QApplication, place: Place) -> None:
    place.check()
