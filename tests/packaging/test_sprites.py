"""The signs of the maps equal those drawn from their sources."""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from tests.packaging.checkout import PACKAGING, ROOT

SPRITES = ROOT / "resources/map/sprites"

_ROUNDED = 2
"""Tolerance of a colour component, out of 255, since Qt uses different instructions on other processors."""


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with newly drawn signs."""
    folder = tmp_path_factory.mktemp("sprites")
    subprocess.run([sys.executable, str(PACKAGING / "draw_sprites.py"), str(folder)], check=True, timeout=60)
    return folder


def differences(one: QImage, other: QImage) -> Iterator[int]:
    """Yield the difference of each colour component of each pixel."""
    for x, y in product(range(one.width()), range(one.height())):
        colors = (QColor.fromRgba(image.pixel(x, y)) for image in (one, other))
        a, b = ((color.red(), color.green(), color.blue(), color.alpha()) for color in colors)
        yield from (left - right for left, right in zip(a, b, strict=True))


@pytest.mark.parametrize("name", ["light", "light@2x", "dark", "dark@2x"])
def test_the_signs_are_those_of_their_sources(drawn: Path, name: str) -> None:
    index = json.loads((SPRITES / f"{name}.json").read_text(encoding="utf-8"))
    assert index == json.loads((drawn / f"{name}.json").read_text(encoding="utf-8"))
    assert index.keys() == {source.stem for source in SPRITES.glob("*.svg")}
    kept, new = QImage(str(SPRITES / f"{name}.png")), QImage(str(drawn / f"{name}.png"))
    assert kept.size() == new.size()
    assert max(map(abs, differences(kept, new))) <= _ROUNDED
    for place in index.values():
        sign = kept.copy(place["x"], place["y"], place["width"], place["height"])
        assert any(sign.pixelColor(x, y).alpha() for x in range(sign.width()) for y in range(sign.height()))
