"""Choosing files and folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from app.desktop.language import tr

TRACKS = tr(
    "Tracks (*.gpx *.kml *.kmz *.fit *.csv *.geojson *.json *.jsonl *.nmea *.rec *.log *.txt *.zip *.gz);;All files (*)"
)
EXTRACTS = tr("OpenStreetMap extracts (*.osm.pbf *.pbf);;All files (*)")
TABLES = tr(
    "Geofences (*.csv *.tsv *.xlsx *.xlsm *.geojson *.json *.kml *.kmz *.gpx *.wkt *.shp *.zip "
    "*.gpkg *.fgb);;Tables (*.csv *.tsv *.xlsx *.xlsm);;All files (*)"
)
EXPORTS = {
    "csv": tr("CSV (*.csv)"),
    "geojson": tr("GeoJSON (*.geojson)"),
    "kml": tr("KML (*.kml)"),
    "gpkg": tr("GeoPackage (*.gpkg)"),
}
HISTORIES = tr("Location updates (*.parquet *.parq *.pq *.csv *.tsv *.gz *.zst);;All files (*)")
CERTIFICATES = tr("Certificates for devices, DER (*.crt *.cer *.der);;Certificates as PEM (*.pem)")
SCENARIOS = tr("Scenarios (*.fence.yaml)")
DIAGNOSTICS = tr("Diagnostics (*.zip)")
CHANGE_SETS = tr("Change sets (*.json)")
RECORDS = tr("CSV tables (*.csv);;JSON lines (*.jsonl);;Parquet tables (*.parquet)")

type Chosen = Callable[[Path], object]


class FileChooser:
    """Opens the platform's file dialogs. Each answers through a callback, which is not called if the user cancels."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def open_file(self, title: str, kinds: str, chosen: Chosen) -> None:
        """Choose an existing file."""
        dialog = self._dialog(title, chosen)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(kinds.split(";;"))
        dialog.open()

    def open_files(self, title: str, kinds: str, chosen: Callable[[list[Path]], object]) -> None:
        """Choose one or several existing files."""
        dialog = QFileDialog(self._parent, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: chosen([Path(name) for name in names]))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters(kinds.split(";;"))
        dialog.open()

    def open_folder(self, title: str, chosen: Chosen) -> None:
        """Choose an existing folder."""
        dialog = self._dialog(title, chosen)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.open()

    def new_folder(self, title: str, suggestion: str, chosen: Chosen) -> None:
        """Choose the name of a new folder."""
        dialog = self._dialog(title, chosen)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.selectFile(suggestion)
        dialog.open()

    def save_file(self, title: str, suggestion: str, kinds: str, chosen: Chosen, *, suffix: str = "") -> None:
        """Choose the name of a file to write; a name without an extension gets `suffix`."""
        dialog = self._dialog(title, chosen)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setNameFilters(kinds.split(";;"))
        dialog.setDefaultSuffix(suffix)
        dialog.selectFile(suggestion)
        dialog.open()

    def _dialog(self, title: str, chosen: Chosen) -> QFileDialog:
        dialog = QFileDialog(self._parent, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda name: chosen(Path(name)))
        return dialog
