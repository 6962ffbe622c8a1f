"""The visible part of the timeline as the content of a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
from PySide6.QtGui import QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator

from app.desktop.timeline.graph import TimelineGraph

_SCALE: Final = 2


def png_of(graph: TimelineGraph, title: str) -> bytes:
    """Return a PNG with twice the resolution of the screen."""
    size = graph.viewport().size()
    image = QImage(size * _SCALE, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(_SCALE)
    image.setText("Title", title)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        graph.paint_to(painter, QRectF(0, 0, size.width(), size.height()))
    return _written(lambda buffer: QImageWriter(buffer, QByteArray(b"png")).write(image))


def svg_of(graph: TimelineGraph, title: str) -> bytes:
    """Return an SVG."""
    size = graph.viewport().size()

    def write(buffer: QBuffer) -> None:
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setTitle(title)
        generator.setSize(size)
        generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
        with QPainter(generator) as painter:
            graph.paint_to(painter, QRectF(0, 0, size.width(), size.height()))

    return _written(write)


def _written(write: Callable[[QBuffer], object]) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    write(buffer)
    buffer.close()
    return bytes(content.data())
