"""The user's own imagery, by mouse and keyboard, from servers on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

from app.desktop.dialogs.map_layers.imagery import ImageryDialog
from app.desktop.dialogs.map_layers.wms_layers import WmsLayersDialog
from app.desktop.map_export.options import MapExportOptions
from app.desktop.map_export.writing import Format, Output
from app.desktop.memory import Memory
from app.desktop.model.imagery import server as imagery_server
from app.desktop.window.controllers.map_layers.imagery import ImageryController
from tests.desktop.window.user import User
from tests.servers import FakeServer, send, serving

pytestmark = pytest.mark.slow

GREEN, RED = "#2f7d32", "#b3261e"
_CAPABILITIES = b"""<WMS_Capabilities><Capability><Layer><CRS>EPSG:3857</CRS>
<Layer><Name>aerial</Name><Title>Aerial images</Title><Attribution><Title>State survey</Title></Attribution></Layer>
<Layer><Name>roads</Name><Title>Roads</Title></Layer></Layer></Capability></WMS_Capabilities>"""

_SWITCH = """(() => {
  const label = [...document.querySelectorAll('.fw-layers label')].find((each) => each.textContent === 'Fields');
  const box = label.querySelector('input').getBoundingClientRect();
  return `${box.x + box.width / 2},${box.y + box.height / 2}`;
})()"""

_NOTE = "document.querySelector('.fw-note').textContent"


def tile(color: str) -> bytes:
    image = QImage(256, 256, QImage.Format.Format_RGB32)
    image.fill(QColor(color))
    buffer = QBuffer()
    buffer.open(QBuffer.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


@dataclass
class Switch:
    """The status that the server returns."""

    status: int = 200


@contextmanager
def tiles(switch: Switch | None = None) -> Iterator[FakeServer]:
    """A server of green tiles, whose WMS has red ones."""
    green, red, now = tile(GREEN), tile(RED), switch or Switch()

    def reply(handler: object, request: object) -> None:
        operation = request.params.get("REQUEST", [""])[0]  # type: ignore[attr-defined]
        body = {"GetCapabilities": _CAPABILITIES, "GetMap": red}.get(operation, green)
        send(handler, now.status, body, content_type="image/png")  # type: ignore[arg-type]

    with serving(reply) as server:
        yield server


def opened(user: User) -> ImageryDialog:
    user.window.actions_.imagery.trigger()
    dialog = user.window.imagery.dialog
    assert dialog is not None
    assert dialog.isVisible()
    return dialog


def add(user: User, url: str, name: str = "Fields", attribution: str = "© Me & <b>you</b>") -> ImageryDialog:
    """Enter a source of tiles and save it with Enter."""
    dialog = opened(user)
    user.click(dialog.add_xyz)
    user.type(dialog.form.name, name, enter=False)
    user.type(dialog.form.url, url, enter=False)
    user.type(dialog.form.attribution, attribution)
    return dialog


def sees(user: User, color: str, at: tuple[float, float] = (14.499, 46.051)) -> None:
    """Wait until the map shows a colour at a place."""
    user.until(lambda: user.hand.color_at(at).name() == color)


def shown(user: User) -> list[bool]:
    return [source.shown for source in user.window.imagery.book.sources]


def names_of(user: User) -> list[str]:
    return [source.name for source in user.window.imagery.book.sources]


def page(user: User, script: str) -> str:
    answers: list[str] = []
    user.window.map._page.runJavaScript(script, 0, answers.append)
    user.until(lambda: bool(answers))
    return answers[0]


def test_tiles_are_shown_after_a_yes_and_exported_with_their_attribution(user: User, tmp_path: Path) -> None:
    with tiles() as server:
        dialog = add(user, server.url + "/{z}/{x}/{y}.png?key=s3cret")
        box = user.box()
        assert server.url.removeprefix("http://") in box.text()
        assert "IP address" in box.informativeText()
        assert "not encrypted" in box.informativeText()
        assert "s3cret" not in box.text() + box.informativeText()
        assert server.requests == [], "a server was queried before the user agreed"
        user.answer("Show")
        sees(user, GREEN)
        assert all(request.params == {"key": ["s3cret"]} for request in server.requests)
        attribution = page(user, "document.querySelector('.leaflet-control-attribution').textContent")
        assert "© Me & <b>you</b>" in attribution
        # The page has an address of the window's own, and no other address.
        assert "s3cret" not in page(user, "document.documentElement.outerHTML")
        dialog.form.opacity.setFocus()
        QTest.keyClick(dialog.form.opacity, Qt.Key.Key_PageDown)
        user.until(lambda: user.hand.color_at((14.499, 46.051)).name() != GREEN)
        QTest.keyClick(dialog.form.opacity, Qt.Key.Key_PageUp)
        sees(user, GREEN)
        dialog.close()
        for kind in (Format.PNG, Format.SVG):
            file = tmp_path / f"map.{kind}"
            user.window.map_export.export(file, MapExportOptions("Map", "light", Output(kind)))
            user.until(lambda file=file: str(file) in user.window.message.text.text())  # type: ignore[misc]
        assert QImage(str(tmp_path / "map.png")).pixelColor(60, 200).name() == GREEN
        drawing = (tmp_path / "map.svg").read_text()
        # A line may break between two words.
        assert "© Me &amp;" in drawing
        assert "&lt;b&gt;you&lt;/b&gt;" in drawing
        # The list of layers on the map also has its switch.
        page(user, "document.querySelector('.fw-layers').open = true; ''")
        spot = page(user, _SWITCH)
        x, y = (round(float(part)) for part in spot.split(","))
        user.hand.click(QPoint(x, y))
        user.until(lambda: shown(user) == [False])
        user.until(lambda: user.hand.color_at((14.499, 46.051)).name() != GREEN)
        user.hand.click(QPoint(x, y))
        sees(user, GREEN)


def test_layers_of_a_wms_are_chosen_from_the_server(user: User) -> None:
    with tiles() as server:
        dialog = opened(user)
        user.click(dialog.add_wms)
        user.type(dialog.form.name, "Survey", enter=False)
        user.type(dialog.form.url, server.url + "/wms?map=a", enter=False)
        user.click(dialog.form.choose)
        assert server.requests == []
        user.answer("Ask")
        user.until(lambda: user.window.imagery.layers is not None)
        chooser = next(each for each in QApplication.topLevelWidgets() if isinstance(each, WmsLayersDialog))
        assert not chooser.accept_button.isEnabled()
        QTest.keyClicks(chooser.words, "aerial")
        assert [chooser.list.isRowHidden(row) for row in range(2)] == [False, True]
        chooser.list.setFocus()
        chooser.list.setCurrentRow(0)
        QTest.keyClick(chooser.list, Qt.Key.Key_Space)
        user.click(chooser.accept_button)
        assert (dialog.form.layers.text(), dialog.form.attribution.text()) == ("aerial", "State survey")
        user.click(dialog.save)
        user.answer("Show")
        sees(user, RED)
        maps = [request.params for request in server.requests if request.params["REQUEST"] == ["GetMap"]]
        assert all(params["LAYERS"] == ["aerial"] and params["CRS"] == ["EPSG:3857"] for params in maps)
        dialog.close()


def test_a_failing_server_is_reported_quietly_and_not_requested_again_and_again(user: User) -> None:
    switch = Switch(500)
    with tiles(switch) as server:
        dialog = add(user, server.url + "/{z}/{x}/{y}.png")
        user.answer("Show")
        dialog.close()
        user.until(lambda: "(500)" in page(user, _NOTE))
        count = len(server.requests)
        assert count <= 12
        for step in range(1, 5):
            user.window.map.show_point(14.5 + step, 46.05, zoom=15)
            user.hand.settle()
        assert len(server.requests) <= count + 6
        # The map remains fully usable.
        user.window.map.show_point(14.5, 46.05, zoom=15)
        user.draw_circle()
        # Imagery that is switched off and on starts again.
        switch.status = 200
        source = user.window.imagery.book.sources[0]
        user.window.imagery.show_source(source.id, False)
        user.until(lambda: page(user, _NOTE) == "")
        user.window.imagery.show_source(source.id, True)
        sees(user, GREEN, (14.494, 46.052))


def test_missing_tiles_are_loaded_after_the_pause_of_a_server(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imagery_server, "RESTS_S", 0.5)
    switch = Switch(503)
    with tiles(switch) as server:
        dialog = add(user, server.url + "/{z}/{x}/{y}.png")
        user.answer("Show")
        dialog.close()
        user.until(lambda: "(503)" in page(user, _NOTE))
        assert user.hand.color_at((14.499, 46.051)).name() != GREEN
        switch.status = 200
        # No movement and no switch is needed.
        sees(user, GREEN)
        user.until(lambda: page(user, _NOTE) == "")


def test_tiles_of_512_pixels_and_for_fine_screens(user: User) -> None:
    with tiles() as server:
        dialog = opened(user)
        user.click(dialog.add_xyz)
        user.type(dialog.form.name, "Fine", enter=False)
        user.type(dialog.form.url, server.url + "/{z}/{x}/{y}{r}.png", enter=False)
        user.type(dialog.form.attribution, "Me", enter=False)
        dialog.form.tile_size.setFocus()
        QTest.keyClick(dialog.form.tile_size, Qt.Key.Key_Down)
        user.click(dialog.save)
        user.answer("Show")
        sees(user, GREEN)
        assert user.window.imagery.book.sources[0].tile_size == 512
        zoom = round(user.window.map.zoom())
        assert {request.path.split("/")[1] for request in server.requests} == {str(zoom - 1)}
        assert not [request for request in server.requests if "@2x" in request.path]
        size = "[...document.querySelectorAll('.leaflet-imagery-pane img')].map((each) => each.style.width).join()"
        assert set(page(user, size).split(",")) == {"512px"}
        before = len(server.requests)
        user.window.map.scale_page(2.0)
        user.window.map.show_point(14.6, 46.05, zoom=zoom)
        user.until(lambda: len(server.requests) > before)
        assert all(request.path.endswith("@2x.png") for request in server.requests[before:])
        user.window.map.scale_page(1.0)
        user.window.map.show_point(14.5, 46.05, zoom=zoom)
        # The tiles of a WMS have a fixed size.
        user.click(dialog.add_wms)
        assert not dialog.form.tile_size.isVisible()
        dialog.close()


def test_a_bad_template_is_reported_at_its_field_and_a_no_sends_no_request(user: User) -> None:
    with tiles() as server:
        dialog = add(user, "javascript:alert('{z}{x}{y}')")
        assert "https://" in dialog.form._fields["url"].error.text()
        assert names_of(user) == []
        user.type(dialog.form.url, server.url + "/{z}/{x}/{y}.png")
        assert names_of(user) == ["Fields"]
        user.answer("Cancel")
        user.hand.settle()
        assert (shown(user), server.requests) == ([False], [])
        # A second source above the first, then below it, and then removed.
        user.click(dialog.add_xyz)
        user.type(dialog.form.name, "Second", enter=False)
        user.type(dialog.form.url, "https://tiles.example.com/{z}/{x}/{y}", enter=False)
        user.type(dialog.form.attribution, "Me")
        user.answer("Cancel")
        assert names_of(user) == ["Second", "Fields"]
        user.click(dialog.down)
        assert names_of(user) == ["Fields", "Second"]
        user.click(dialog.remove)
        user.answer("Remove")
        assert names_of(user) == ["Fields"]
        # Unsaved input leads to a question.
        user.type(dialog.form.name, "Meadows", enter=False)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        user.answer("Discard")
        assert not dialog.isVisible()
        assert user.window.imagery.book.sources[0].name == "Fields"


def test_imagery_is_there_again_and_its_keys_are_in_no_diagnostics(user: User, tmp_path: Path) -> None:
    with tiles() as server:
        user.window.imagery._file = tmp_path / "imagery.json"
        dialog = add(user, server.url + "/{z}/{x}/{y}.png?key=s3cret")
        user.answer("Show")
        dialog.close()
        sees(user, GREEN)
        user.idle()
        window = user.window
        again = ImageryController(window, window.model, window.map, Memory(tmp_path), window.message)
        again.connect_actions(window.actions_)
        assert again.book == window.imagery.book
        again.stop()
        window.diagnostics.open()
        user.until(lambda: window.diagnostics.dialog is not None)
        assert window.diagnostics.dialog is not None
        text = "".join(part.content for part in window.diagnostics.dialog.parts)
        assert "s3cret" not in text
        assert server.url not in text
        assert '"imagerySources": 1' in text
        window.diagnostics.dialog.reject()


@pytest.fixture(autouse=True)
def _no_question_is_left(user: User) -> Iterator[None]:
    yield
    for box in QApplication.topLevelWidgets():
        if isinstance(box, QMessageBox):
            box.close()
