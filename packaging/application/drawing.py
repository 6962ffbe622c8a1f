"""The program's icon in the formats of the systems, drawn from its SVG file."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

SVG: Final = Path(__file__).resolve().parents[2] / "resources" / "icons" / "fencewright.svg"

_ICO_SIZES: Final = (16, 24, 32, 48, 64, 128, 256)
_ICNS_KINDS: Final = (
    *((b"icp4", 16), (b"icp5", 32), (b"ic11", 32), (b"ic12", 64), (b"ic07", 128), (b"ic13", 256), (b"ic08", 256)),
    *((b"ic14", 512), (b"ic09", 512), (b"ic10", 1024)),
)
"""The kinds of pictures in an ``.icns`` file with their sizes in pixels, some of them for twice the resolution."""


def png(svg: Path, size: int) -> bytes:
    """Return a square picture of an SVG file in PNG format."""
    renderer = QSvgRenderer(str(svg))
    if not renderer.isValid():
        raise OSError(0, "is not an SVG file", str(svg))
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def write_ico(file: Path, svg: Path = SVG) -> Path:
    """Write the icon for Windows: a directory of sizes, followed by the pictures."""
    pictures = [png(svg, size) for size in _ICO_SIZES]
    entries, at = b"", 6 + 16 * len(pictures)
    for size, picture in zip(_ICO_SIZES, pictures, strict=True):
        side = size % 256  # 256 is written as 0
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(picture), at)
        at += len(picture)
    file.write_bytes(struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures))
    return file


def write_icns(file: Path, svg: Path = SVG) -> Path:
    """Write the icon for macOS: pictures, each after its kind and length."""
    parts = [(kind, png(svg, size)) for kind, size in _ICNS_KINDS]
    body = b"".join(kind + struct.pack(">I", 8 + len(picture)) + picture for kind, picture in parts)
    file.write_bytes(b"icns" + struct.pack(">I", 8 + len(body)) + body)
    return file
