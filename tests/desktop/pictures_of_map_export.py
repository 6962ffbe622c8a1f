"""Pictures of the export of the map: its dialog, and the exported demo."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.desktop.map.values import Theme
from app.desktop.map_export.dialog import MapExportDialog
from app.desktop.map_export.options import MapExportOptions
from app.desktop.map_export.writing import Format, Output
from app.desktop.window.main_window import MainWindow
from tests.desktop.studio import Studio


def map_export_shots(studio: Studio, theme: Theme) -> Iterator[tuple[str, QWidget | None]]:
    """Show the dialog for a file and for a printer, and save the exported map next to the pictures."""
    window = studio.window
    for name, to_print in (("map-export-dialog", False), ("map-print-dialog", True)):
        window.map_export.open(to_print=to_print)
        dialog = window.map_export.dialog
        assert dialog is not None
        studio.wait(partial(_is_previewed, dialog), "the preview")
        yield name, dialog
        dialog.reject()
    for kind in Format:
        file = studio.folder / f"map-export-{theme}.{kind}"
        window.map_export.export(file, MapExportOptions("Low-emission zones of Belgium", theme, Output(kind, 2)))
        studio.wait(partial(_is_reported, window, file), "the exported map")
    window.message.dismiss()


def _is_previewed(dialog: MapExportDialog) -> bool:
    return not dialog.preview.pixmap().isNull()


def _is_reported(window: MainWindow, file: Path) -> bool:
    return str(file) in window.message.text.text()
