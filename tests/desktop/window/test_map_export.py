"""Export and printing of the map: options chosen with mouse and keyboard, and the resulting file."""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLineEdit

from app.desktop.map.values import MapCircle, MapFence
from app.desktop.map_export.content import Snapshot, content_of
from app.desktop.map_export.dialog import MapExportDialog
from app.desktop.map_export.frame import Frame
from app.desktop.map_export.options import MapExportOptions
from app.desktop.map_export.writing import Format, Output
from app.desktop.model.map_layers.fences import STATE_COLORS, FenceState
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.hours import parse_hours
from engine.domain.ports import Cancelled
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.values import replace
from tests.desktop.window.user import CORNERS, User

pytestmark = [pytest.mark.slow, pytest.mark.parts("layers", "map_export", "tools")]

TEST = Environment.TEST
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
_NEVER = parse_hours({"Mon": [["00:00", "00:01"]]})


def options(kind: Format, scale: int = 1) -> MapExportOptions:
    return MapExportOptions("Stores & <depots>", "light", Output(kind, scale))


def fill(user: User) -> None:
    """Create a circle, a disabled polygon with another tag, and a user with an event."""
    user.given(1)
    ring = (*CORNERS, CORNERS[0])
    polygon = GeofenceChange(
        tag="depot", external_id="2", description="Depot", type="polygon", coordinates=ring, enabled=False,
        operating_hours=_NEVER,
    )  # fmt: skip
    user.engine.geofences.create(TEST, polygon)
    user.until(lambda: len(user.window.model.fences) == 2)
    user.engine.tracking.track(TEST, LocationUpdate("phone", Point(14.5, 46.05), 15.0))
    user.until(lambda: len(user.window.model.users) == 1)


def dialog_of[D: (QFileDialog, QPrintDialog, MapExportDialog)](user: User, kind: type[D]) -> D:
    found: list[D] = []

    def there() -> bool:
        found[:] = [each for each in QApplication.topLevelWidgets() if isinstance(each, kind) and each.isVisible()]
        return bool(found)

    user.until(there)
    return found[0]


def until_message(user: User, words: str) -> None:
    user.until(lambda: words in user.window.message.text.text())


def export(user: User, file: Path, kind: Format, scale: int = 1) -> bytes:
    user.window.map_export.export(file, options(kind, scale))
    until_message(user, f"Exported the map to {file}")
    return file.read_bytes()


def check_document(file: Path) -> None:
    """Check that a document has a single page with text as text, shapes as curves, and the background as an image."""
    content = file.read_bytes()
    assert content.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", content)) == 1
    assert content.count(b"/Subtype /Image") == 1
    assert b"/ToUnicode" in content
    drawn = b""
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", content, re.DOTALL):
        with suppress(zlib.error):
            drawn += zlib.decompressobj().decompress(stream)
    assert len(re.findall(rb"\bT[jJ]\b", drawn)) > 8
    assert len(re.findall(rb" c\n", drawn)) > 4


def test_keys_a_title_and_a_file_make_a_picture(user: User, tmp_path: Path) -> None:
    fill(user)
    user.press(Qt.Key.Key_M, CTRL | SHIFT)
    dialog = dialog_of(user, MapExportDialog)
    QTest.keyClicks(dialog.title, "Ljubljana")
    QTest.keyClick(dialog.title, Qt.Key.Key_Return)
    chooser = dialog_of(user, QFileDialog)
    name = chooser.findChild(QLineEdit)
    box = chooser.findChild(QDialogButtonBox)
    assert name is not None
    assert box is not None
    assert name.text() == "Ljubljana.png"
    name.setText(str(tmp_path / "map"))
    user.click(box.button(QDialogButtonBox.StandardButton.Save))
    until_message(user, "Exported the map to")
    image = QImage(str(tmp_path / "map.png"))
    assert image.text("Title") == "Ljubljana"
    view = user.window.map.size()
    assert image.width() == view.width() + 32
    assert image.height() > view.height() + 60
    assert [file.name for file in tmp_path.iterdir()] == ["map.png"]


@pytest.mark.whole_window
def test_a_finer_picture_is_of_the_same_view(user: User, tmp_path: Path) -> None:
    fill(user)
    export(user, tmp_path / "one.png", Format.PNG)
    export(user, tmp_path / "two.png", Format.PNG, 2)
    one, two = QImage(str(tmp_path / "one.png")), QImage(str(tmp_path / "two.png"))
    assert two.size() == one.size() * 2
    # In both, the geofence is at its position on the screen.
    middle = user.hand.at((14.5, 46.05))
    for image, scale in ((one, 1), (two, 2)):
        edge = user.hand.at((14.5, 46.05 + 120.0 / 111_195.0))
        x, y = (middle.x() + 16) * scale, (edge.y() + 16 + 34) * scale
        near = {image.pixelColor(x, y + d).name() for d in range(-3 * scale, 3 * scale + 1)}
        inside = image.pixelColor(x + 40 * scale, (middle.y() + 50) * scale).name()
        assert user.window.model.fences.color("store").lower() in near
        assert inside not in near


@pytest.mark.whole_window
def test_a_drawing_has_geofences_and_words_as_vectors(user: User, tmp_path: Path) -> None:
    fill(user)
    svg = export(user, tmp_path / "map.svg", Format.SVG)
    root = ElementTree.fromstring(svg)
    tags = [element.tag.rpartition("}")[2] for element in root.iter()]
    texts = ["".join(element.itertext()).strip() for element in root.iter() if element.tag.endswith("text")]
    words = " ".join(texts)
    assert tags.count("image") == 1
    assert tags.count("path") + tags.count("ellipse") + tags.count("circle") > 5
    for expected in ("Stores & <depots>", "Geofences: 1 circle, 1 polygon", "store (1)", "depot (1)", "Disabled (1)"):
        assert expected in words
    for expected in ("N", "Natural Earth", "User with accuracy", "Entry", "Store 1"):
        assert expected in words
    assert re.search(r"\d+ k?m", words)
    assert oct((tmp_path / "map.svg").stat().st_mode & 0o777) == "0o600"


@pytest.mark.whole_window
def test_a_document_has_its_words(user: User, tmp_path: Path) -> None:
    fill(user)
    export(user, tmp_path / "map.pdf", Format.PDF)
    check_document(tmp_path / "map.pdf")


@pytest.mark.whole_window
def test_objects_hidden_on_the_map_are_not_exported(user: User, tmp_path: Path) -> None:
    fill(user)
    user.window.map._page.runJavaScript(
        "[...document.querySelectorAll('.fw-layers label')].find((each) => each.textContent === 'Geofences').click()"
    )
    user.until(lambda: "fences" in user.window.map.hidden_layers)
    svg = export(user, tmp_path / "map.svg", Format.SVG).decode()
    assert "No geofences in view" in svg
    assert "store (1)" not in svg


@pytest.mark.whole_window
def test_objects_on_the_map_look_the_same_on_the_sheet(user: User, tmp_path: Path) -> None:
    fill(user)
    window = user.window
    window.model.fences.locks.set({window.model.fences.all()[0].id}, locked=True)
    window.layers.coloring_chosen.emit(True)
    window.map.set_way(((14.498, 46.049), (14.502, 46.051)))
    points = array("d", [14.4985, 46.0515] * 50)
    window.map.set_heat(points.tobytes())
    user.hand.settle()
    chosen = replace(options(Format.SVG), with_scale=False, with_north=False)
    window.map_export.export(tmp_path / "map.svg", chosen)
    until_message(user, "Exported the map to")
    root = ElementTree.fromstring((tmp_path / "map.svg").read_bytes())
    texts = [" ".join(element.itertext()).strip() for element in root.iter() if element.tag.endswith("text")]
    for expected in ("Enabled (1)", "Disabled (1)", "Locked (1)", "Density, from low to high", "Route of a trip"):
        assert expected in texts
    assert "store (1)" not in texts
    assert not {"N", "200 m", "100 m"} & set(texts)
    assert STATE_COLORS[FenceState.ENABLED].lower() in (tmp_path / "map.svg").read_text()
    # The heat map is part of the background.
    export(user, tmp_path / "map.png", Format.PNG)
    at = user.hand.at((14.4985, 46.0515))
    color = QImage(str(tmp_path / "map.png")).pixelColor(at.x() + 16, at.y() + 16 + 34)
    assert color.red() > color.green() + 40


@pytest.mark.whole_window
def test_a_scale_is_chosen_for_paper_with_the_keyboard(user: User, tmp_path: Path) -> None:
    fill(user)
    user.press(Qt.Key.Key_M, CTRL | SHIFT)
    dialog = dialog_of(user, MapExportDialog)
    assert not dialog.ratio.isVisible()
    dialog.format.setFocus()
    QTest.keyClicks(dialog.format, "PDF")
    assert dialog.ratio.isVisible()
    dialog.ratio.setFocus()
    for _ in range(6):
        QTest.keyClick(dialog.ratio, Qt.Key.Key_Down)
    chosen = dialog.options()
    assert chosen.ratio == 25_000
    dialog.reject()
    file = tmp_path / "map.pdf"
    user.window.map_export.export(file, chosen)
    until_message(user, f"Exported the map to {file}")
    check_document(file)


@pytest.mark.whole_window
def test_the_dialog_previews_its_choices(user: User) -> None:
    fill(user)
    user.press(Qt.Key.Key_M, CTRL | SHIFT)
    dialog = dialog_of(user, MapExportDialog)
    assert dialog.preview.text() == "Drawing the preview…"
    store = user.window.model.fences.color("store").lower()

    def colors() -> set[str]:
        image = dialog.preview.pixmap().toImage()
        return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}

    def shape() -> float:
        size = dialog.preview.pixmap().size()
        return size.width() / size.height() if size.height() else 0.0

    user.until(lambda: store in colors())
    with_legend = shape()
    user.click(dialog.legend)
    user.until(lambda: shape() > with_legend + 0.05)
    # Another theme has another background, and a page has its own aspect ratio.
    dialog.theme.setFocus()
    QTest.keyClicks(dialog.theme, "Dark")
    user.until(lambda: QColor(dialog.preview.pixmap().toImage().pixelColor(3, 3)).lightness() < 80)
    dialog.format.setFocus()
    QTest.keyClicks(dialog.format, "PDF")
    user.until(lambda: abs(shape() - 297 / 210) < 0.01)
    dialog.ratio.setFocus()
    before = dialog.preview.pixmap().toImage()
    QTest.keyClick(dialog.ratio, Qt.Key.Key_Down)
    user.until(lambda: dialog.preview.pixmap().toImage() != before)
    dialog.reject()


def test_an_unwritable_file_is_reported(user: User, tmp_path: Path) -> None:
    user.window.map_export.export(tmp_path / "none" / "map.png", options(Format.PNG))
    until_message(user, "cannot be written: No such file or directory")


def test_an_export_can_be_cancelled(user: User, tmp_path: Path) -> None:
    fill(user)
    user.window.operations.started.connect(lambda task: task.cancel(), Qt.ConnectionType.SingleShotConnection)
    user.window.map_export.export(tmp_path / "map.svg", options(Format.SVG))
    until_message(user, "cancelled. map.svg was not written.")
    assert list(tmp_path.iterdir()) == []


def test_ten_thousand_geofences_are_cancelled_between_a_few() -> None:
    def fences() -> Iterator[tuple[str, MapFence]]:
        for number in range(10_000):
            longitude, latitude = 14.0 + number % 100 / 100, 46.0 + number // 100 / 100
            shape = MapCircle(longitude, latitude, 400.0)
            yield "many", MapFence(str(number), str(number), "#0072b2", number % 2 == 0, shape)

    snapshot = Snapshot(10_000, fences, {"many": "#0072b2"})
    frame = Frame((14.0, 46.6), 10.0, 1200, 800)
    counts: list[int] = []

    def progress(done: int, total: int) -> None:
        counts.append(done)
        if len(counts) == 5:
            raise Cancelled

    with pytest.raises(Cancelled):
        content_of(snapshot, frame, progress)
    assert counts == [0, 100, 200, 300, 400]
    content = content_of(snapshot, frame, lambda *_: None)
    assert content.tags["many"] == content.types["circle"] == len(content.figures)
    assert 5_000 < len(content.figures) <= 10_000
    assert 2 * content.disabled == len(content.figures)


@pytest.mark.whole_window
def test_the_map_is_printed(user: User, tmp_path: Path) -> None:
    fill(user)
    user.press(Qt.Key.Key_P, CTRL)
    dialog = dialog_of(user, MapExportDialog)
    assert dialog.theme.currentText() == "Light"
    user.click(dialog.accept_button)
    printing = dialog_of(user, QPrintDialog)
    name = printing.findChild(QLineEdit, "filename")
    box = printing.findChild(QDialogButtonBox)
    assert name is not None
    assert box is not None
    name.setText(str(tmp_path / "paper.pdf"))
    user.click(next(each for each in box.buttons() if each.text().endswith("Print")))
    until_message(user, "Printed the map to")
    check_document(tmp_path / "paper.pdf")
