"""Output of the sheet as a PNG, an SVG or a PDF, and on paper. Everything here runs in a worker."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import (
    QImage,
    QImageWriter,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPdfWriter,
)
from PySide6.QtSvg import QSvgGenerator

from app.desktop.language import tr
from app.desktop.map_export.sheet import Sheet
from engine.domain.errors import InvalidParameter
from engine.domain.ports import Progress

_MM_PER_INCH: Final = 25.4
_MARGIN_MM: Final = 10.0
_PDF_DPI: Final = 300


class Format(StrEnum):
    """The formats of an exported map, by their file extensions."""

    PNG = "png"
    SVG = "svg"
    PDF = "pdf"


PAPERS: Final = {
    "A4": QPageSize.PageSizeId.A4,
    "A3": QPageSize.PageSizeId.A3,
    "Letter": QPageSize.PageSizeId.Letter,
    "Tabloid": QPageSize.PageSizeId.Tabloid,
}


class Output(Struct, frozen=True):
    """The format of an exported map. `scale` applies to a picture, `paper` to a PDF."""

    format: Format
    scale: int = 1
    paper: str = "A4"


def written(sheet: Sheet, title: str, output: Output, progress: Progress) -> bytes:
    """Return a sheet as the content of a file. Raises `InvalidParameter` for ``output`` if it cannot be painted."""
    match output.format:
        case Format.PNG:
            return _png(sheet, title, output.scale, progress)
        case Format.SVG:
            return _svg(sheet, title, progress)
        case Format.PDF:
            return pdf(sheet, title, page_of(sheet, output.paper), progress)


def paint_page(sheet: Sheet, device: QPagedPaintDevice, progress: Progress) -> None:
    """Paint a sheet on a page, at its scale or as large as it fits.

    Raises `InvalidParameter` for ``output`` if the device does not respond.
    """
    dots = device.logicalDpiX()
    room = QRectF(device.pageLayout().paintRectPixels(dots))
    factor = sheet.pixel_mm / _MM_PER_INCH * dots
    _paint(device, lambda painter: _fit(painter, sheet, room.size(), factor, progress))


def previewed(sheet: Sheet, page: QPageLayout | None, size: QSize, progress: Progress) -> QImage:
    """Return a sheet as a picture that fits a size, on its page if it has one."""
    full = sheet.size if page is None else page.fullRect(QPageLayout.Unit.Millimeter).size()
    factor = min(size.width() / full.width(), size.height() / full.height())
    image = QImage((full * factor).toSize(), QImage.Format.Format_RGB32)
    image.fill(0xFFFFFF)

    def paint(painter: QPainter) -> None:
        if page is None:
            _fit(painter, sheet, full * factor, factor, progress)
            return
        inner = page.paintRect(QPageLayout.Unit.Millimeter)
        painter.translate(inner.topLeft() * factor)
        _fit(painter, sheet, inner.size() * factor, sheet.pixel_mm * factor, progress)

    _paint(image, paint)
    return image


def page_of(sheet: Sheet, paper: str) -> QPageLayout:
    """Return a page of a paper size, in portrait or landscape as the sheet is."""
    return layout_of(paper, wide=sheet.size.width() > sheet.size.height())


def layout_of(paper: str, *, wide: bool) -> QPageLayout:
    """Return a page of a paper size, in landscape if it is `wide`."""
    across = QPageLayout.Orientation.Landscape if wide else QPageLayout.Orientation.Portrait
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    return QPageLayout(QPageSize(PAPERS[paper]), across, margins, QPageLayout.Unit.Millimeter)


def _fit(painter: QPainter, sheet: Sheet, room: QSizeF, factor: float, progress: Progress) -> None:
    """Paint a sheet in a room, scaled by a factor or, if it is zero, as large as it fits."""
    size = sheet.size
    factor = factor or min(room.width() / size.width(), room.height() / size.height())
    painter.translate((room.width() - size.width() * factor) / 2, 0)
    painter.scale(factor, factor)
    sheet.paint(painter, progress)


def _png(sheet: Sheet, title: str, scale: int, progress: Progress) -> bytes:
    size = sheet.size
    image = QImage(round(size.width() * scale), round(size.height() * scale), QImage.Format.Format_RGB32)
    if image.isNull():
        raise InvalidParameter("output", tr("The picture is too large. Make the window smaller, or choose 1×."))
    image.setText("Title", title)

    def paint(painter: QPainter) -> None:
        painter.scale(scale, scale)
        sheet.paint(painter, progress)

    _paint(image, paint)
    return _content(lambda buffer: QImageWriter(buffer, QByteArray(b"png")).write(image))


def _svg(sheet: Sheet, title: str, progress: Progress) -> bytes:
    size = sheet.size

    def write(buffer: QBuffer) -> None:
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setTitle(title)
        generator.setDescription("Map exported by Fencewright")
        generator.setResolution(96)
        generator.setSize(QSize(round(size.width()), round(size.height())))
        generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
        _paint(generator, lambda painter: sheet.paint(painter, progress))

    return _content(write)


def pdf(sheet: Sheet, title: str, page: QPageLayout, progress: Progress) -> bytes:
    """Return a sheet as a PDF of one page. Raises `InvalidParameter` for ``output`` if it cannot be painted."""

    def write(buffer: QBuffer) -> None:
        writer = QPdfWriter(buffer)
        writer.setTitle(title)
        writer.setCreator("Fencewright")
        writer.setResolution(_PDF_DPI)
        writer.setPageLayout(page)
        paint_page(sheet, writer, progress)

    return _content(write)


def _paint(device: QPaintDevice, paint: Callable[[QPainter], None]) -> None:
    painter = QPainter()
    if not painter.begin(device):
        raise InvalidParameter("output", tr("The printer does not respond."))
    try:
        paint(painter)
    finally:
        painter.end()


def _content(write: Callable[[QBuffer], object]) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    write(buffer)
    buffer.close()
    return bytes(content.data())
