"""Shapes of geofences as numbers and as text: typed, pasted, copied, to the engine and back."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.desktop.model.shaping.positions import Order
from app.desktop.model.shaping.texts import Format
from app.desktop.panels.geofence.outline import ShapeSection
from app.desktop.panels.geofence.text import TextPane
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Point, Polygon, Position
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts(
    "availability", "commands", "fences", "list", "pending", "selection", "shaping", "tools", "undoing"
)

CTRL = Qt.KeyboardModifier.ControlModifier
SHAPE = 3
SQUARE: tuple[Position, ...] = ((14.49, 46.04), (14.51, 46.04), (14.51, 46.06), (14.49, 46.06))


def focus() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def polygon(user: User, *corners: Position) -> Geofence:
    corners = corners or SQUARE
    ring = (*corners, corners[0])
    change = GeofenceChange(tag="zone", external_id="1", description="Zone 1", type="polygon", coordinates=tuple(ring))
    fence = user.engine.geofences.create(user.window.model.environment, change)
    user.until(lambda: user.window.model.fences.get(fence.id) is not None)
    return fence


def page(user: User, fence: Geofence) -> ShapeSection:
    user.select(fence)
    user.click(user.window.form.switch.buttons[SHAPE])
    return user.window.form.shape


def ring(user: User) -> tuple[Position, ...]:
    geometry = user.only().geometry
    assert isinstance(geometry, Polygon)
    return tuple(geometry.ring[:-1])


def centre(user: User) -> Point:
    geometry = user.only().geometry
    assert isinstance(geometry, Circle)
    return geometry.center


def edit_cell(user: User, shape: ShapeSection, row: int, column: int, text: str) -> None:
    table = shape.vertices.table
    item = table.item(row, column)
    assert item is not None
    table.setCurrentItem(item)
    table.editItem(item)
    QTest.keyClick(focus(), Qt.Key.Key_A, CTRL)
    QTest.keyClicks(focus(), text)
    QTest.keyClick(focus(), Qt.Key.Key_Return)


def copied() -> str:
    return QApplication.clipboard().text()


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("46.06, 14.52", Point(14.52, 46.06)),
        ("46° 3' 36\" N 14° 31' 12\" E", Point(14.52, 46.06)),
        ("124.5, 46.06", Point(124.5, 46.06)),
    ],
)
def test_a_centre_is_typed(user: User, text: str, point: Point) -> None:
    shape = page(user, user.given())
    user.type(shape.centre, text)
    user.until(lambda: centre(user) == point)
    user.idle()
    user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)
    user.until(lambda: centre(user) == Point(14.5, 46.05))


def test_a_centre_is_typed_longitude_first(user: User) -> None:
    shape = page(user, user.given())
    shape.order.setFocus()
    QTest.keyClick(shape.order, Qt.Key.Key_Down)
    shape.order.activated.emit(1)
    assert shape.centre.text() == "14.5, 46.05"
    user.type(shape.centre, "14.52, 46.06")
    user.until(lambda: centre(user) == Point(14.52, 46.06))
    shape.set_order(Order.LATITUDE_FIRST)


def test_an_invalid_centre_is_reported_at_the_field(user: User) -> None:
    shape = page(user, user.given())
    error = user.window.form.field("coordinates").error
    user.type(shape.centre, "somewhere")
    user.until(error.isVisible)
    assert error.text() == "Coordinates: must be latitude, longitude, such as 46.05, 14.5, not 'somewhere'."
    user.type(shape.centre, "95, 200")
    user.until(lambda: "between -90 and 90" in error.text())
    QTest.keyClick(shape.centre, Qt.Key.Key_Escape)
    assert not error.isVisible()
    assert shape.centre.text() == "46.05, 14.5"


def test_vertices_are_edited_added_and_removed(user: User) -> None:
    shape = page(user, polygon(user))
    table = shape.vertices.table
    edit_cell(user, shape, 0, 0, "46.03")
    user.until(lambda: ring(user)[0] == (14.49, 46.03))
    edit_cell(user, shape, 1, 1, "46.035, 14.52")
    user.until(lambda: ring(user)[1] == (14.52, 46.035))
    table.setCurrentCell(2, 0)
    user.click(shape.vertices.add)
    user.until(lambda: ring(user)[3] == (14.5, 46.06))
    QTest.keyClick(table, Qt.Key.Key_Delete)
    user.until(lambda: len(ring(user)) == 4)
    user.idle()
    for count in (5, 4, 4, 4):
        user.press(Qt.Key.Key_Z, CTRL, on=user.window.list.view)
        user.until(lambda count=count: len(ring(user)) == count)  # type: ignore[misc]
        user.idle()
    assert ring(user) == SQUARE


def test_a_vertex_that_makes_it_cross_itself_is_refused_at_the_table(user: User) -> None:
    shape = page(user, polygon(user))
    edit_cell(user, shape, 0, 0, "46.07")
    error = shape.entries[1].field.error
    user.until(error.isVisible)
    assert "crosses or touches itself" in error.text()
    assert ring(user) == SQUARE
    edit_cell(user, shape, 0, 0, "north")
    user.until(lambda: "row 1: the latitude must be a number" in error.text())
    edit_cell(user, shape, 0, 0, "46.04")
    user.until(lambda: not error.isVisible())


def test_lines_are_pasted_into_the_vertices(user: User) -> None:
    shape = page(user, polygon(user))
    table = shape.vertices.table
    QApplication.clipboard().setText("46.03, 14.495\n46.02 14.50\n\n46° 1' 48\" N, 14.505° E\n")
    table.setCurrentCell(0, 0)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_V, CTRL)
    user.until(lambda: len(ring(user)) == 7)
    assert ring(user)[1:4] == ((14.495, 46.03), (14.5, 46.02), (14.505, 46.03))
    QApplication.clipboard().setText("46.0, 14.0\nnothing")
    QTest.keyClick(table, Qt.Key.Key_V, CTRL)
    error = shape.entries[1].field.error
    user.until(lambda: "line 2: must be latitude, longitude" in error.text())
    QApplication.clipboard().setText("46, 14\n46, 15\n47, 15")
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_A, CTRL)
    QTest.keyClick(table, Qt.Key.Key_V, CTRL)
    user.until(lambda: ring(user) == ((14.0, 46.0), (15.0, 46.0), (15.0, 47.0)))


def test_coordinates_are_copied_in_either_order(user: User) -> None:
    shape = page(user, polygon(user))
    user.window.actions_.copy_longitude_first.trigger()
    assert copied() == "14.49, 46.04\n14.51, 46.04\n14.51, 46.06\n14.49, 46.06"
    user.window.actions_.copy_latitude_first.trigger()
    assert copied().startswith("46.04, 14.49\n")
    shape.vertices.table.setCurrentCell(2, 0)
    shape.vertices.table.setFocus()
    QTest.keyClick(shape.vertices.table, Qt.Key.Key_C, CTRL)
    assert copied() == "46.06, 14.51"


def test_in_live_coordinates_wait(user: User) -> None:
    switch = user.window.toolbar.environments
    user.click(switch.live)
    user.until(lambda: user.window.model.environment.live)
    user.idle()
    fence = user.given()
    shape = page(user, fence)
    user.type(shape.centre, "46.06, 14.52")
    pending = user.window.model.pending
    user.until(lambda: len(pending) == 1)
    assert user.engine.geofences.get(Environment.LIVE, fence.id).geometry == fence.geometry
    assert user.window.form.pending_bar.isVisible()
    user.window.form.apply()
    user.until(lambda: len(pending) == 0)
    geometry = user.engine.geofences.get(Environment.LIVE, fence.id).geometry
    assert isinstance(geometry, Circle)
    assert geometry.center == Point(14.52, 46.06)


# As text


def text_of(user: User, fence: Geofence, format: Format) -> TextPane:
    """Return the pane with the text of a geofence in a format, once it is shown."""
    pane = page(user, fence).text
    user.until(lambda: bool(pane.text))
    pane.formats.setCurrentIndex(list(Format).index(format))
    pane.formats.activated.emit(pane.formats.currentIndex())
    return pane


def write(pane: TextPane, text: str) -> None:
    pane.edit.setFocus()
    QTest.keyClick(pane.edit, Qt.Key.Key_A, CTRL)
    QTest.keyClicks(pane.edit, text)


def test_text_is_shown_on_the_map_and_applied_with_ctrl_enter(user: User) -> None:
    fence = polygon(user)
    pane = text_of(user, fence, Format.WKT)
    assert pane.text == "POLYGON ((14.49 46.04, 14.51 46.04, 14.51 46.06, 14.49 46.06, 14.49 46.04))"
    write(pane, "POLYGON ((14 46, 15 46, 15 47, 14 46))")
    user.until(lambda: pane.status.text().startswith("Valid"))
    QTest.keyClick(pane.edit, Qt.Key.Key_Return, CTRL)
    user.until(lambda: ring(user) == ((14, 46), (15, 46), (15, 47)))
    user.until(lambda: pane.status.text() == "Applied")
    assert pane.text == "POLYGON ((14 46, 15 46, 15 47, 14 46))"
    user.idle()
    QTest.keyClick(pane.edit, Qt.Key.Key_Z, CTRL)
    user.until(lambda: ring(user) == SQUARE)
    user.until(lambda: "14.49 46.04" in pane.text)


def test_text_is_applied_after_a_pause(user: User) -> None:
    pane = text_of(user, user.given(), Format.GEOJSON)
    at = pane.text.index("120")
    cursor = pane.edit.textCursor()
    cursor.setPosition(at)
    cursor.setPosition(at + 3, cursor.MoveMode.KeepAnchor)
    pane.edit.setTextCursor(cursor)
    pane.edit.setFocus()
    QTest.keyClicks(pane.edit, "345")
    user.until(lambda: radius(user) == 345)
    user.until(lambda: len(user.window.model.history.undo or "") > 0)
    QTest.keyClick(pane.edit, Qt.Key.Key_Z, CTRL)
    user.until(lambda: radius(user) == 120)


def radius(user: User) -> float:
    geometry = user.only().geometry
    assert isinstance(geometry, Circle)
    return geometry.radius_m


def test_an_error_in_the_text_is_underlined_at_its_position(user: User) -> None:
    fence = polygon(user)
    pane = text_of(user, fence, Format.WKT)
    write(pane, "POLYGON ((14 46, 15 46, 15, 14 46))")
    user.until(lambda: pane.status.text() == "Line 1, column 27: Expected a latitude, found ','.")
    (mark,) = pane.edit.extraSelections()
    assert mark.cursor.selectedText() == ","
    assert not pane.apply.isEnabled()
    QTest.keyClick(pane.edit, Qt.Key.Key_Return, CTRL)
    user.idle()
    assert ring(user) == SQUARE
    QTest.keyClick(pane.edit, Qt.Key.Key_Escape)
    user.until(lambda: pane.text.startswith("POLYGON ((14.49 46.04"))
    assert pane.edit.extraSelections() == []


def test_the_json_of_the_api_changes_all_of_it(user: User) -> None:
    fence = user.given()
    pane = text_of(user, fence, Format.API)
    body = json.loads(pane.text)
    assert (body["externalId"], body["radius"], body["coordinates"]) == ("1", 120.0, [14.5, 46.05])
    body |= {"description": "Renamed", "metadata": {"floor": 3}, "dwellThreshold": 2}
    pane.edit.setFocus()
    pane.edit.selectAll()
    QApplication.clipboard().setText(json.dumps(body))
    QTest.keyClick(pane.edit, Qt.Key.Key_V, CTRL)
    user.until(lambda: pane.status.text().startswith("Valid"))
    user.click(pane.apply)
    user.until(lambda: user.only().description == "Renamed")
    stored = user.only()
    assert (dict(stored.metadata), stored.rules.dwell_threshold_s) == ({"floor": 3}, 120)
    assert stored.geometry == fence.geometry


def test_changes_by_others_are_shown_unless_something_is_typed(user: User) -> None:
    fence = user.given()
    pane = text_of(user, fence, Format.GEOJSON)
    user.engine.geofences.update(Environment.TEST, fence.id, GeofenceChange(size=250.0))
    user.until(lambda: "250.0" in pane.text)
    write(pane, "{")
    user.until(lambda: "Line 1" in pane.status.text())
    user.engine.geofences.update(Environment.TEST, fence.id, GeofenceChange(size=300.0))
    user.until(lambda: "changed meanwhile" in pane.status.text())
    assert pane.text == "{"
    QTest.keyClick(pane.edit, Qt.Key.Key_Escape)
    user.until(lambda: "300.0" in pane.text)


def test_a_text_that_is_wrong_is_kept_while_another_geofence_is_shown(user: User) -> None:
    one, other = user.given(1), user.given(2, longitude=14.52)
    pane = text_of(user, one, Format.WKT)
    write(pane, "POINT (14.5")
    user.select(other)
    user.until(lambda: pane.text == "POINT (14.52 46.05)")
    user.select(one)
    user.until(lambda: pane.text == "POINT (14.5" and "Expected a latitude" in pane.status.text())
    QTest.keyClick(pane.edit, Qt.Key.Key_Escape)


def test_in_live_text_is_applied_after_a_yes(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: user.window.model.environment.live)
    user.idle()
    fence = user.given()
    pane = text_of(user, fence, Format.WKT)
    write(pane, "POINT (14.6 46.1)")
    user.until(lambda: pane.status.text() == "Valid. Apply it with Ctrl+Enter.")
    QTest.keyClick(pane.edit, Qt.Key.Key_Return, CTRL)
    user.answer("Cancel")
    assert user.engine.geofences.get(Environment.LIVE, fence.id).geometry == fence.geometry
    QTest.keyClick(pane.edit, Qt.Key.Key_Return, CTRL)
    user.answer("Change")
    user.until(
        lambda: user.engine.geofences.get(Environment.LIVE, fence.id).geometry == Circle(Point(14.6, 46.1), 120.0)
    )


# Pasted on the map


def paste(user: User, text: str) -> None:
    QApplication.clipboard().setText(text)
    user.hand.settle()
    user.window.map.setFocus()
    target = user.window.map.render_widget()
    assert target is not None
    user.press(Qt.Key.Key_V, CTRL, on=target)


def test_features_are_pasted_on_the_map_as_one_step(user: User) -> None:
    features = [
        {
            "type": "Feature",
            "properties": {"radius": 50, "description": "Kiosk", "tag": "shop"},
            "geometry": {"type": "Point", "coordinates": [14.5, 46.05]},
        },
        {
            "type": "Feature",
            "properties": None,
            "geometry": {"type": "Polygon", "coordinates": [[list(each) for each in (*SQUARE, SQUARE[0])]]},
        },
    ]
    paste(user, json.dumps({"type": "FeatureCollection", "features": features}))
    user.until(lambda: len(user.stored()) == 2)
    user.idle()
    assert [(each.tag, each.external_id, each.description) for each in user.stored()] == [
        ("geofence", "geofence-1", "Geofence 1"),
        ("shop", "shop-1", "Kiosk"),
    ]
    assert len(user.window.model.selection.fence_ids) == 2
    user.press(Qt.Key.Key_Z, CTRL)
    user.until(lambda: user.stored() == [])


@pytest.mark.parametrize(
    ("text", "geometries"),
    [
        ("POLYGON ((14 46, 15 46, 15 47, 14 46))", [Polygon(((14.0, 46.0), (15.0, 46.0), (15.0, 47.0), (14.0, 46.0)))]),
        ("46.05, 14.5\n46.06 N 14.6 E", [Circle(Point(14.5, 46.05), 100.0), Circle(Point(14.6, 46.06), 100.0)]),
        ("46, 14\n46, 15\n47, 15\n46, 14", [Polygon(((14.0, 46.0), (15.0, 46.0), (15.0, 47.0), (14.0, 46.0)))]),
        ("MULTIPOINT (14 46, 15 47)", [Circle(Point(14.0, 46.0), 100.0), Circle(Point(15.0, 47.0), 100.0)]),
        (
            '{"tag": "a", "externalId": "b", "description": "C", "type": "circle", '
            '"coordinates": [14, 46], "radius": 20}',
            [Circle(Point(14.0, 46.0), 20.0)],
        ),
    ],
    ids=["wkt", "positions", "ring", "several", "body"],
)
def test_all_kinds_of_text_are_pasted(user: User, text: str, geometries: list[Circle | Polygon]) -> None:
    paste(user, text)
    user.until(lambda: len(user.stored()) == len(geometries))
    assert [each.geometry for each in user.stored()] == geometries


def test_an_impossible_paste_is_reported(user: User) -> None:
    message = user.window.message
    for text, error in (
        ("hello", "there is no GeoJSON, WKT, API JSON or coordinates"),
        ("", "there is no GeoJSON"),
        ("POLYGON ((0 0, 1 1, 1 0, 0 1, 0 0))", "crosses or touches itself"),
        ('{"type": "LineString", "coordinates": [[1, 2], [2, 3]]}', "a line cannot be a geofence"),
        (
            "\n".join(f"46.05, 14.{number}" for number in range(1_001)),
            "has 1,001 geofences; at most 1,000",
        ),
    ):
        paste(user, text)
        user.until(lambda error=error: error in message.text.text())  # type: ignore[misc]
    assert user.stored() == []
    message.dismiss()


def test_pasting_in_live_is_confirmed(user: User) -> None:
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: user.window.model.environment.live)
    user.idle()
    paste(user, "46.05, 14.5")
    user.answer("Create")
    user.until(lambda: len(user.stored(Environment.LIVE)) == 1)
