"""Small PNG files of pictures."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QColor, QImage

from tests.desktop.palette import save_small


def drawn(width: int, height: int, colors: int) -> QImage:
    """Return a picture with this number of colours, each in one or several pixels."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    for at in range(width * height):
        number = at % colors
        image.setPixelColor(at % width, at // width, QColor(number % 251, number // 251 * 40, 90))
    return image


def test_few_colours_stay_exactly_the_same(tmp_path: Path) -> None:
    image, file = drawn(37, 20, 256), tmp_path / "few.png"
    save_small(image, file)
    saved = QImage(str(file))
    assert saved.format() is QImage.Format.Format_Indexed8
    assert saved.convertToFormat(QImage.Format.Format_RGB32) == image


def test_many_colours_become_similar_ones(tmp_path: Path) -> None:
    image, file = drawn(60, 40, 1_000), tmp_path / "many.png"
    save_small(image, file)
    saved = QImage(str(file))
    assert saved.colorCount() == 256
    for x, y in ((x, y) for x in range(60) for y in range(40)):
        before, after = image.pixelColor(x, y), saved.pixelColor(x, y)
        assert abs(before.red() - after.red()) + abs(before.green() - after.green()) < 12
        assert before.blue() == after.blue()
