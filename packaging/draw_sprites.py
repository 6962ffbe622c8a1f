"""Draws the sprites of the endpoint's maps: ``python packaging/draw_sprites.py``, optionally with a folder.

The default folder is ``resources/map/sprites``. The sources are the SVG files in it, in which ``currentColor`` stands
for a colour of the look. The drawn files are in version control, so that neither an endpoint nor its installation needs
Qt for them.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

FOLDER = Path(__file__).parents[1] / "resources" / "map"
SIZE = 16


def draw(theme: str, ratio: int, folder: Path) -> None:
    """Write the image and the index of one theme for screens with this device pixel ratio."""
    color = json.loads((FOLDER / "look.json").read_text(encoding="utf-8"))["themes"][theme]["streets"]["text"]
    sources = sorted((FOLDER / "sprites").glob("*.svg"))
    edge = SIZE * ratio
    picture = QImage(edge * len(sources), edge, QImage.Format.Format_ARGB32)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    index = {}
    for at, source in enumerate(sources):
        svg = source.read_text(encoding="utf-8").replace("currentColor", color)
        QSvgRenderer(svg.encode()).render(painter, QRectF(at * edge, 0, edge, edge))
        index[source.stem] = {"x": at * edge, "y": 0, "width": edge, "height": edge, "pixelRatio": ratio}
    painter.end()
    name = theme if ratio == 1 else f"{theme}@{ratio}x"
    picture.save(str(folder / f"{name}.png"))
    (folder / f"{name}.json").write_text(json.dumps(index, indent=2) + "\n", encoding="utf-8")


def main(folder: Path = FOLDER / "sprites") -> None:
    """Draw all sprites into a folder."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication.instance() or QGuiApplication([])
    for theme in ("light", "dark"):
        for ratio in (1, 2):
            draw(theme, ratio, folder)
    del application


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
