"""Every field of a geofence, beacon, trip, user or of the settings is in every place of the window that has them."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from tests.fields.places import Place
from tests.fields.window import PLACES


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_place_forgets_no_field(qapp: QApplication, place: Place) -> None:
    place.check()
