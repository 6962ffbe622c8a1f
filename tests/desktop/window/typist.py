"""A user who searches, and a geocoder with the same results on every machine."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.desktop.panels.search.popup import SearchPopup
from app.desktop.panels.search.rows import Command, Head, Hit
from engine.domain.addresses.address import Address, AutocompleteQuery, ForwardQuery, Layer, ReverseQuery
from engine.domain.addresses.place import Place
from engine.domain.errors import GeocodingUnavailable
from engine.domain.geometry import Point
from tests.desktop.window.user import User, unmarked

CTRL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton
RIGHT = Qt.MouseButton.RightButton
STATION = (24.9414, 60.1719)


class Typist(User):
    """A user who searches."""

    @property
    def popup(self) -> SearchPopup:
        """The list below the box."""
        return self.window.search.popup

    def search(self, text: str) -> None:
        """Press Ctrl+F, replace the text, and wait for all results."""
        self.press(Qt.Key.Key_F, CTRL)
        QTest.keyClicks(self.window.toolbar.search, text)
        self.until(lambda: self.window.search.answered)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the focused widget."""
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, key, modifiers)

    def rows(self) -> list[str]:
        """Return the visible rows, as text."""
        assert self.popup.isVisible()
        return [
            row.text if isinstance(row, Head) else row.text if isinstance(row, Command) else row.found.title
            for row in self.popup.rows.rows
        ]

    def current(self) -> str:
        """Return the selected row."""
        row = self.popup.current
        assert row is not None
        return row.found.title if isinstance(row, Hit) else row.text

    def arrived(self, longitude: float, latitude: float, within: float = 1e-3) -> None:
        """Wait until the map shows a position."""
        self.until(lambda: self.window.map.center() == pytest.approx((longitude, latitude), abs=within))


class Book:
    """A geocoder with one place, or one that does not respond."""

    def __init__(self) -> None:
        self.answers = True
        self.queries: list[str] = []

    def autocomplete(self, query: AutocompleteQuery) -> tuple[Address, ...]:
        self.queries.append(query.text)
        if not self.answers:
            raise GeocodingUnavailable("no answer")
        layer = Layer.PLACE if Layer.PLACE in query.layers else Layer.ADDRESS
        place_id = "park" if layer is Layer.PLACE else None
        name = "Tivoli" if layer is Layer.PLACE else "Tivolska cesta 1"
        found = Address(
            point=Point(14.498, 46.056),
            layer=layer,
            formatted=f"{name}, 1000 Ljubljana SI",
            label=name,
            place_label=name if place_id else None,
            number=None if place_id else "1",
            country="Slovenia",
            country_code="SI",
            place_id=place_id,
        )
        return (found,) if name.casefold().startswith(query.text.casefold()) else ()

    def forward(self, query: ForwardQuery) -> tuple[Address, ...]:
        return ()

    def reverse(self, query: ReverseQuery) -> tuple[Address, ...]:
        return self.autocomplete(AutocompleteQuery(text="tivol")) if self.answers else ()

    def get(self, place_id: str) -> Place | None:
        import shapely

        outline = shapely.to_wkb(shapely.box(14.49, 46.05, 14.5, 46.06))
        point, path = Point(14.498, 46.056), ("outdoors-recreation", "park")
        return Place(id=place_id, name="Tivoli", point=point, outline=outline, categories=path)


def menu(typist: Typist, at: tuple[float, float]) -> QMenu:
    """Right-click and wait for the menu."""
    point = typist.hand.at(at)
    target = typist.window.map.render_widget()
    assert target is not None
    QTest.mouseMove(target, point)
    QTest.mouseClick(target, RIGHT, Qt.KeyboardModifier.NoModifier, point)
    made = typist.window.search_result.menu
    typist.until(made.isVisible)
    return made


def choose(made: QMenu, text: str) -> None:
    action = next(each for each in made.actions() if unmarked(each.text()).startswith(text))
    QTest.mouseClick(made, LEFT, pos=made.actionGeometry(action).center())
