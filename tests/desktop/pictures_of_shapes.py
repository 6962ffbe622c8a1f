"""Pictures of shapes: as numbers and text, and of the operations on them."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QWidget

from app.desktop.language import tr
from app.desktop.model.shaping.operations import Kind
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.engine import Engine
from tests.desktop.studio import Studio, wait_for

TEST = Environment.TEST
SHAPE = 3
_YARD = (
    (9.5170, 47.1380),
    (9.5240, 47.1370),
    (9.5262, 47.1398),
    (9.5250, 47.1430),
    (9.5205, 47.1441),
    (9.5168, 47.1420),
)
_YARD_IN_PARTS = (
    (
        (*_YARD, _YARD[0]),
        ((9.5195, 47.1390), (9.5215, 47.1388), (9.5222, 47.1410), (9.5200, 47.1415), (9.5195, 47.1390)),
    ),
    (((9.5270, 47.1380), (9.5300, 47.1380), (9.5300, 47.1405), (9.5272, 47.1400), (9.5270, 47.1380)),),
)


def shapes_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the numbers of a polygon and of a circle."""
    window = studio.window
    studio.open()
    session = window.model.session
    assert session is not None
    window.toolbar.environments.test.click()
    fill(session.engine)
    wait_for(lambda: len(window.model.fences) == 3, "the geofences")
    window.map.show_point(9.5225, 47.1405, zoom=15.5)
    ids = {fence.description: fence.id for fence in session.engine.geofences.all(TEST)}
    window.docks.bring(window.docks.fence)
    window.model.selection.select_fence(ids["Freight yard"])
    window.form.show_section(SHAPE)
    yield "shape-vertices", None
    window.model.selection.select_fence(ids["Loading zone"])
    yield "shape-centre", None
    yield from _texts(studio)
    window.form.show_section(0)
    yield from _by_keyboard(studio, ids)
    yield from _operations(studio, ids)
    yield from _rings(studio, ids["Freight yard"])


def _texts(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the text of a circle, and the error in a text."""
    pane = studio.window.form.shape.text
    yield "shape-text", None
    pane.formats.setCurrentIndex(1)
    pane.formats.activated.emit(1)
    pane.edit.setPlainText("POINT (9.5262, 47.1420)")
    line = tr("Line {line}, column {column}", line=1, column="")
    wait_for(lambda: line in pane.status.text(), "the error")
    yield "shape-text-error", None
    pane.revert()


def _by_keyboard(studio: Studio, ids: dict[str, str]) -> Iterator[tuple[str, QWidget | None]]:
    """Show a vertex selected by keyboard, and the crosshair for drawing."""
    window = studio.window
    window.model.selection.select_fence(ids["Freight yard"])
    window.map.take_keyboard()
    target = window.map.render_widget()
    assert target is not None
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Tab):
        QTest.keyClick(target, key)
    vertex = tr("Vertex {number} of {count} at {coordinates}", number=3, count=4, coordinates="")
    wait_for(lambda: window.status.counts.whole.startswith(vertex.partition("4")[0]), "the vertex")
    yield "vertex-by-keyboard", None
    QTest.keyClick(target, Qt.Key.Key_Escape)
    window.actions_.polygon.trigger()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(target, Qt.Key.Key_Space)
        QTest.keyClick(target, key, Qt.KeyboardModifier.ShiftModifier)
    wait_for(lambda: window.status.counts.whole.startswith("47."), "the crosshair")
    yield "drawn-by-keyboard", None
    window.map.cancel()


def _operations(studio: Studio, ids: dict[str, str]) -> Iterator[tuple[str, QWidget | None]]:
    """Show previews of operations, an impossible one, and the menu."""
    window = studio.window
    operations = window.shaping.operations
    window.map.show_point(9.5222, 47.1405, zoom=14.5)
    for kind, picked, name in (
        (Kind.UNION, ("Freight yard", "Loading zone", "Gate"), "shape-union"),
        (Kind.UNION, ("Loading zone", "Gate"), "shape-parts"),
        (Kind.INTERSECT, ("Loading zone", "Gate"), "shape-impossible"),
        (Kind.GRID, ("Freight yard",), "shape-grid"),
    ):
        window.model.selection.select_fences([ids[each] for each in picked], ids[picked[0]])
        operations.start(kind)
        wait_for(lambda: operations.answered and window.operations.under_way == 0, "the operation")
        yield name, None
        operations.cancel()
    window.model.selection.select_fence(ids["Freight yard"])
    window.actions_.confidence.setChecked(True)
    confidence = window.shaping.confidence
    # The name, and its three lines of text.
    wait_for(lambda: confidence.readout.text.text().count("\n") > 2 and confidence.answered, "the confidence")
    yield "confidence", None
    window.actions_.confidence.setChecked(False)
    window.shaping.locks.toggle()
    window.form.show_section(SHAPE)
    yield "shape-locked", None
    window.shaping.locks.toggle()
    window.form.show_section(0)
    menu = window.form.basics.operations.menu()
    menu.adjustSize()
    yield "shape-menu", menu


def _rings(studio: Studio, fence_id: str) -> Iterator[tuple[str, QWidget | None]]:
    """Show the hole of a part in the table and on the map, its menu, and a hole that is drawn outside."""
    window = studio.window
    session = window.model.session
    assert session is not None
    yard = session.engine.geofences.update(TEST, fence_id, GeofenceChange(coordinates=_YARD_IN_PARTS))
    wait_for(lambda: window.model.fences.get(fence_id) == yard, "the parts")
    window.map.show_point(9.5222, 47.1405, zoom=15)
    window.model.selection.select_fence(fence_id)
    window.form.show_section(SHAPE)
    window.form.shape.vertices.choose_ring(1)
    yield "shape-rings", None
    window.actions_.draw_hole.trigger()
    target = window.map.render_widget()
    assert target is not None
    for keys in ((), (Qt.Key.Key_Right,) * 3, (Qt.Key.Key_Down,)):
        for key in keys:
            QTest.keyClick(target, key, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClick(target, Qt.Key.Key_Space)
    yield "shape-hole-outside", None
    window.map.cancel()
    menu = next(each for each in window.form.basics.operations.menu().findChildren(QMenu) if each.toolTipsVisible())
    menu.adjustSize()
    yield "shape-menu-of-parts", menu


def fill(engine: Engine) -> None:
    """Create a yard, and two circles at its edge."""
    engine.geofences.create(
        TEST,
        GeofenceChange(
            tag="yard",
            external_id="1",
            description="Freight yard",
            type="polygon",
            coordinates=(*_YARD, _YARD[0]),
        ),
    )
    for number, name, longitude, latitude, radius_m in (
        (1, "Loading zone", 9.5262, 47.1420, 180.0),
        (2, "Gate", 9.5180, 47.1376, 110.0),
    ):
        engine.geofences.create(
            TEST,
            GeofenceChange(
                tag="zone",
                external_id=str(number),
                description=name,
                type="circle",
                coordinates=(longitude, latitude),
                size=radius_m,
            ),
        )
