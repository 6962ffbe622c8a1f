"""Pictures of importing and exporting: the columns, the preview on the map, the history."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.dialogs.importing.exporting import ExportDialog
from tests.desktop.studio import Studio, wait_for

_HEADER = "No;Name;Group;Kind;Lat;Lng;Metres;Opened\n"
_ROWS = (
    "1;Hauptplatz;store;circle;48,2085;16,3721;220;2019",
    "2;Opernring;store;circle;48,2030;16,3690;180;2020",
    "3;Praterstern;store;circle;48,2186;16,3925;260;2021",
    "4;Naschmarkt;store;circle;48,1986;16,3632;5;2021",
    "5;Karlsplatz;store;circle;48,2000;16,3700;abc;2022",
    "6;Stadtpark;park;circle;48,2046;16,3800;300;2022",
)


def imports_shots(studio: Studio) -> Iterator[tuple[str, QWidget | None]]:
    """Show the preview of a table with columns of its own, its columns, another preview, and the import history."""
    window = studio.window
    with TemporaryDirectory() as folder:
        file = Path(folder) / "shops.csv"
        file.write_text(_HEADER + "\n".join(_ROWS[:2]) + "\n")
        window.imports.import_file(file)
        wait_for(lambda: window.imports.preview is not None, "the first preview")
        first = window.imports.preview
        assert first is not None
        yield "import-preview-first", first
        first.columns.click()
        columns = _modal(ColumnsDialog)
        for field, column in {"tag": "Group", "type": "Kind", "radius": "Metres"}.items():
            columns.rows[field].choice.setCurrentText(column)
        yield "import-columns", columns
        columns.accept()
        wait_for(lambda: window.imports.preview not in (None, first), "the preview")
        assert window.imports.preview is not None
        window.imports.preview.accept()
        wait_for(lambda: "shops.csv" in str(window.model.history.undo), "the import")
        file.write_text(_HEADER + "\n".join(_ROWS).replace(";180;", ";240;") + "\n")
        window.imports.import_file(file)
        wait_for(lambda: window.imports.preview is not None, "the second preview")
        yield "import-preview-map", None
        yield "import-preview", window.imports.preview
        window.imports.preview.reject()
        window.imports.open_history()
        wait_for(lambda: window.imports.history.table.rowCount() > 0, "the history")
        window.imports.history.table.selectRow(0)
        yield "import-history", window.imports.history
        window.imports.history.close()
    window.imports.exports.export()
    export = _modal(ExportDialog)
    yield "export", export
    export.reject()
    window.undoing.undo()
    wait_for(lambda: window.model.history.undo is None, "the undo")


def _modal[D: QDialog](kind: type[D]) -> D:
    wait_for(lambda: isinstance(QApplication.activeModalWidget(), kind), kind.__name__)
    found = QApplication.activeModalWidget()
    assert isinstance(found, kind)
    return found
