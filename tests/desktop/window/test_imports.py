"""Importing a file: its columns, the preview on the map, one step of undo, the history, and the export."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import numpy as np
import pyogrio
import pytest
import shapely
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from app.desktop.dialogs.import_report import ImportReportDialog, ProblemsDialog
from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.dialogs.importing.exporting import ExportDialog
from app.desktop.dialogs.importing.layers import LayerDialog
from app.desktop.dialogs.importing.preview import PreviewDialog
from engine.domain.environment import Environment
from engine.domain.imports import ImportFile, ImportOptions, ImportOutcome, ImportQuery, Repair, RowError
from engine.domain.ports import Progress, no_progress
from engine.domain.values import replace
from tests.desktop.window.user import User, unmarked
from tests.engine.tabular.workbooks import Sheet, workbook

pytestmark = pytest.mark.parts("imports", "undoing")

TABLE = "No;Name;Lat;Lng;Metres\n1;Café;46,05;14,5;120\n2;Bar;46,051;14,501;5\n3;Inn;46,052;14,502;150\n"


def preview(user: User) -> PreviewDialog:
    user.until(lambda: user.window.imports.preview is not None)
    shown = user.window.imports.preview
    assert shown is not None
    return shown


def dialog[T](user: User, kind: type[T]) -> T:
    user.until(lambda: isinstance(QApplication.activeModalWidget(), kind))
    found = QApplication.activeModalWidget()
    assert isinstance(found, kind)
    return found


def test_a_table_with_other_columns_from_choice_to_undo(
    user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "shops.csv"
    file.write_text(TABLE)
    user.window.imports.import_file(file)
    first = preview(user)
    assert first.choice.text() == (
        "Tag shops · External ID from No: 1, 2, 3 · Description from Name · Radius 100 · Metadata Metres"
    )
    user.click(first.columns)
    columns = dialog(user, ColumnsDialog)
    assert columns.rows["externalId"].column == "No"
    assert columns.rows["longitude"].column == "Lng"
    assert columns.rows["longitude"].sample.whole == "14,5, 14,501, 14,502"
    user.type(columns.rows["tag"].value, "shop")
    columns.rows["radius"].choice.setCurrentText("Metres")
    columns.rows["radius"].value.clear()
    assert columns.metadata.chosen == ()
    user.click(columns.accept_button)
    user.until(lambda: user.window.imports.preview not in (None, first))

    shown = preview(user)
    assert shown.model.rowCount() == 3
    shown.actions_.setCurrentText("Error")
    assert [shown.model.index(0, column).data() for column in (0, 1)] == ["3", "Error"]
    assert "between 10 and 10000" in shown.model.index(0, 5).data()
    assert [shown.model.index(0, column).data() for column in (2, 3, 4)] == ["shop", "2", "Bar"]
    shown.view.selectRow(0)
    assert shown.details.text() == shown.model.index(0, 5).data()
    refused = tmp_path / "shops-refused.csv"
    monkeypatch.setattr(
        user.window.imports._files, "save_file", lambda title, name, kinds, chosen, suffix: chosen(tmp_path / name)
    )
    user.click(shown.save)
    user.until(refused.exists)
    assert refused.read_text() == "No;Name;Lat;Lng;Metres\n2;Bar;46,051;14,501;5\n"
    assert not user.stored()
    user.click(shown.keep)
    user.click(shown.accept_button)
    user.until(lambda: {fence.description for fence in user.stored()} == {"Café", "Inn"})
    user.until(lambda: user.window.model.history.undo == "Import shops.csv")
    user.until(user.window.actions_.undo.isEnabled)

    user.window.actions_.undo.trigger()
    user.until(lambda: not user.stored())
    user.until(lambda: user.window.model.history.redo == "Import shops.csv")
    user.until(user.window.actions_.redo.isEnabled)
    user.window.actions_.redo.trigger()
    user.until(lambda: len(user.stored()) == 2)

    # The choice of columns is remembered, and only one row differs now.
    file.write_text(TABLE.replace(";120", ";130").replace("2;Bar;46,051;14,501;5\n", ""))
    user.window.imports.import_file(file)
    again = preview(user)
    assert [again.model.index(row, 1).data() for row in range(2)] == ["Update", "Unchanged"]
    assert again.model.index(0, 5).data() == "radius"
    user.click(again.cancel)
    user.until(lambda: user.window.imports.preview is None)


def test_another_encoding_is_chosen_with_the_columns(user: User, tmp_path: Path) -> None:
    file = tmp_path / "shops.csv"
    file.write_bytes("Größe;Name;Lat;Lng\n50;Café Süd;46,05;14,5\n".encode("windows-1252"))
    user.window.imports.import_file(file)
    first = preview(user)
    user.click(first.columns)
    columns = dialog(user, ColumnsDialog)
    assert columns.encoding.choice.currentText() == "Recognised: Windows-1252"
    assert columns.rows["radius"].column == "Größe"

    def choose(shown: ColumnsDialog, encoding: str) -> ColumnsDialog:
        shown.encoding.choice.setCurrentText(encoding)
        shown.encoding.choice.activated.emit(shown.encoding.choice.currentIndex())
        user.until(lambda: QApplication.activeModalWidget() not in (None, shown))
        return dialog(user, ColumnsDialog)

    other = choose(columns, "UTF-8")
    assert any("the byte 0xf6 is not UTF-8" in each.text() for each in other.findChildren(QLabel))
    assert other.encoding.choice.currentText() == "Recognised: Windows-1252"
    file.write_text("unread")
    other = choose(other, "Latin-1")
    assert (other.rows["radius"].column, other.encoding.choice.currentText()) == ("Größe", "Latin-1")
    other.rows["externalId"].choice.setCurrentText("Name")
    for field, value in (("tag", "shop"), ("type", "circle")):
        other.rows[field].choice.setCurrentIndex(1)
        user.type(other.rows[field].value, value)
    user.click(other.accept_button)
    user.until(lambda: user.window.imports.preview not in (None, first))
    shown = preview(user)
    assert [shown.model.index(0, column).data() for column in (3, 4)] == ["Café Süd", "Café Süd"]
    shown.reject()


@pytest.mark.slow
def test_what_opening_hours_leave_out_is_in_the_preview_and_the_history(user: User, tmp_path: Path) -> None:
    file = tmp_path / "shops.csv"
    file.write_text(
        "tag,externalId,description,type,latitude,longitude,radius,opening_hours\n"
        "shop,1,Café,circle,46.05,14.5,50,Mo-Fr 08:00-18:00; PH off\n"
    )
    user.window.imports.import_file(file)
    shown = preview(user)
    note = "Public holidays are left out: 'PH closed'."
    assert (shown.model.index(0, 1).data(), shown.model.index(0, 5).data()) == ("Create", note)
    assert any("1 to create, 0 to update, 1 warning." in each.text() for each in shown.findChildren(QLabel))
    user.click(shown.accept_button)
    report = dialog(user, ImportReportDialog)
    assert [report.table.model().index(0, column).data() for column in (0, 4, 5)] == ["2", "operatingHours", note]
    report.reject()
    user.window.imports.open_history()
    history = user.window.imports.history
    user.until(lambda: history.table.rowCount() == 1)
    tip = history.table.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert f"1 warning:\nRow 2: {note}" in unmarked(tip)
    history.reject()


def shops(folder: Path, name: str) -> Path:
    """Write a table with one geofence, whose ID is the name of the file."""
    file = folder / f"{name}.csv"
    columns = "tag,externalId,description,type,latitude,longitude,radius"
    file.write_text(f"{columns}\nshop,{name},Shop {name},circle,46.05,14.5,50\n")
    return file


def ids(user: User) -> set[str]:
    return {fence.external_id for fence in user.stored()}


@pytest.fixture
def gate(user: User, monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Hold imports of files named "held" before they store anything, until the event is set."""
    imports, opened = user.engine.imports, Event()
    run = imports.run

    def held(
        environment: Environment, file: ImportFile, options: ImportOptions, progress: Progress = no_progress
    ) -> ImportOutcome:
        while file.name.startswith("held") and not opened.wait(0.01):
            progress(1, 3)
        return run(environment, file, options, progress)

    monkeypatch.setattr(imports, "run", held)
    yield opened
    opened.set()


def import_now(user: User, file: Path, *, wait: bool = True) -> None:
    user.window.imports.import_file(file)
    user.click(preview(user).accept_button)
    if wait:
        user.until(lambda: user.window.model.history.undo == f"Import {file.name}")
        user.until(user.window.actions_.undo.isEnabled)


def test_undo_during_an_import_waits_for_it_and_undoes_it(user: User, tmp_path: Path, gate: Event) -> None:
    passed = Event()
    import_now(user, shops(tmp_path, "a"))
    import_now(user, shops(tmp_path, "held"), wait=False)
    user.until(lambda: user.window.actions_.undo.toolTip().endswith("held.csv"))
    user.window.actions_.undo.trigger()
    assert user.window.message.text.text() == "Undo waits until “Import held.csv” has ended."
    user.window.model.operations.change(lambda: None, lambda _: passed.set(), lambda _: None)
    user.until(passed.is_set)
    assert ids(user) == {"a"}
    gate.set()
    user.until(lambda: user.window.model.history.redo == "Import held.csv")
    assert (ids(user), user.window.model.history.undo) == ({"a"}, "Import a.csv")
    user.until(user.window.actions_.redo.isEnabled)
    user.window.actions_.redo.trigger()
    user.until(lambda: ids(user) == {"a", "held"})


def test_a_second_undo_also_undoes_the_change_before_the_import(user: User, tmp_path: Path, gate: Event) -> None:
    import_now(user, shops(tmp_path, "a"))
    import_now(user, shops(tmp_path, "held"), wait=False)
    user.until(lambda: user.window.actions_.undo.toolTip().endswith("held.csv"))
    for action in ("undo", "undo", "redo", "undo"):
        getattr(user.window.actions_, action).trigger()
    gate.set()
    user.until(lambda: user.window.model.history.redo == "Import a.csv")
    assert (ids(user), user.window.model.history.undo) == (set(), None)


def test_a_cancelled_import_leaves_undo_and_redo_as_they_were(user: User, tmp_path: Path, gate: Event) -> None:
    import_now(user, shops(tmp_path, "a"))
    import_now(user, shops(tmp_path, "b"))
    user.window.actions_.undo.trigger()
    user.until(lambda: user.window.model.history.redo == "Import b.csv")
    import_now(user, shops(tmp_path, "held"), wait=False)
    user.until(lambda: user.window.actions_.undo.toolTip().endswith("held.csv"))
    user.window.actions_.undo.trigger()
    user.click(user.window.message.button)
    user.until(lambda: "was cancelled; nothing was imported" in user.window.message.text.text())
    user.until(lambda: user.window.actions_.undo.toolTip().endswith("a.csv"))
    history = user.window.model.history
    assert (ids(user), history.undo, history.redo) == ({"a"}, "Import a.csv", "Import b.csv")
    assert user.window.actions_.redo.isEnabled()


def test_redo_and_edits_during_an_import_are_steps_before_it(user: User, tmp_path: Path, gate: Event) -> None:
    import_now(user, shops(tmp_path, "a"))
    user.window.actions_.undo.trigger()
    user.until(lambda: user.window.model.history.redo == "Import a.csv")
    import_now(user, shops(tmp_path, "held"), wait=False)
    user.until(lambda: user.window.actions_.undo.toolTip().endswith("held.csv"))
    user.until(user.window.actions_.redo.isEnabled)
    user.window.actions_.redo.trigger()
    user.until(lambda: ids(user) == {"a"})
    gate.set()
    user.until(lambda: user.window.model.history.undo == "Import held.csv")
    for left in ({"a"}, set[str]()):
        user.until(user.window.actions_.undo.isEnabled)
        user.window.actions_.undo.trigger()
        user.until(lambda left=left: ids(user) == left)  # type: ignore[misc]
    user.until(lambda: user.window.model.history.redo == "Import a.csv")


def test_undo_in_the_other_environment_does_not_wait(user: User, tmp_path: Path, gate: Event) -> None:
    import_now(user, shops(tmp_path, "held"), wait=False)
    user.until(lambda: user.window.actions_.undo.toolTip().endswith("held.csv"))
    user.window.actions_.undo.trigger()
    user.window.model.show(Environment.LIVE)
    assert not user.window.actions_.undo.isEnabled()
    gate.set()
    user.until(lambda: {each.external_id for each in user.engine.geofences.all(Environment.TEST)} == {"held"})


def test_all_errors_are_in_the_history(user: User, tmp_path: Path) -> None:
    rows = [f"shop,{at},Shop {at},circle,46.05,14.5,{5 if at % 2 else 50}" for at in range(240)]
    file = tmp_path / "shops.csv"
    file.write_text("\n".join(["tag,externalId,description,type,latitude,longitude,radius", *rows]))
    user.window.imports.import_file(file)
    shown = preview(user)
    assert len({fence for fence in user.window.imports._on_map._shown if fence.count("-") == 2}) == 120
    user.click(shown.keep)
    user.click(shown.accept_button)
    user.until(lambda: len(user.stored()) == 120)
    user.window.imports.open_history()
    history = user.window.imports.history
    user.until(lambda: history.table.rowCount() == 1)
    history.table.selectRow(0)
    user.click(history.problems)
    problems = dialog(user, ProblemsDialog)
    assert problems.model.rowCount() == 120
    last = [problems.model.index(119, column).data() for column in range(5)]
    assert last == ["241", "shop", "239", "Shop 239", "radius"]
    problems.table.selectRow(119)
    assert "between 10 and 10000" in problems.message.text()
    problems.reject()
    history.reject()


def test_the_history_undoes_an_import(user: User, tmp_path: Path) -> None:
    file = tmp_path / "zones.geojson"
    ring = "[[14.5,46.0],[14.6,46.0],[14.6,46.1],[14.5,46.0]]"
    properties = '{"tag":"zone","externalId":"z","description":"Zone"}'
    other = ring.replace("14.", "15.")
    shape = f'{{"type":"MultiPolygon","coordinates":[[{ring}],[{other}]]}}'
    file.write_text(f'{{"type":"Feature","properties":{properties},"geometry":{shape}}}')
    user.window.imports.import_file(file)
    user.click(preview(user).accept_button)
    user.until(lambda: {fence.external_id for fence in user.stored()} == {"z"})
    history = user.window.imports.history
    user.window.actions_.imports.trigger()
    user.until(lambda: history.table.rowCount() == 1)
    history.table.selectRow(0)
    user.click(history.undo)
    user.until(lambda: not user.stored())
    user.until(lambda: "Undone" in _cells(history.table.item, 0))
    assert not history.undo.isEnabled()
    (record,) = user.engine.imports.page(Environment.TEST, ImportQuery(limit=5)).items
    history.show_records([replace(record, errors=tuple(RowError(row, None, "x") for row in range(2, 13)))])
    shown = history.table.item(0, 0)
    assert shown is not None
    assert shown.toolTip().endswith("… and 1 more error")
    history.close()


@pytest.mark.slow
def test_a_layer_is_chosen_if_there_are_several(user: User, tmp_path: Path) -> None:
    file = tmp_path / "town.gpkg"
    for layer in ("parks", "schools"):
        fields = [np.array([text], dtype=object) for text in ("zone", "1", layer)]
        shape = np.array([shapely.box(14.5, 46, 14.6, 46.1).wkb], dtype=object)
        columns = ["tag", "externalId", "description"]
        kind = {"geometry_type": "Polygon", "crs": "EPSG:4326", "layer": layer, "append": file.exists()}
        pyogrio.raw.write(file, shape, fields, columns, driver="GPKG", **kind)
    user.window.imports.import_file(file)
    layer_dialog = dialog(user, LayerDialog)
    assert [layer_dialog.choice.itemText(at) for at in range(layer_dialog.choice.count())] == ["parks", "schools"]
    layer_dialog.choice.setCurrentText("schools")
    user.click(layer_dialog.accept_button)
    user.click(preview(user).accept_button)
    user.until(lambda: [fence.description for fence in user.stored()] == ["schools"])


def test_a_sheet_is_chosen_if_there_are_several(user: User, tmp_path: Path) -> None:
    file = tmp_path / "stores.xlsx"
    header: list[object] = ["tag", "externalId", "description", "type", "coordinates", "radius"]
    sheets = [Sheet(name, [header, ["store", 12.0, name, "circle", "[14.5,46]", 100]]) for name in ("North", "South")]
    file.write_bytes(workbook(*sheets))
    user.window.imports.take([file])
    sheet_dialog = dialog(user, LayerDialog)
    assert sheet_dialog.windowTitle() == "Sheets of stores.xlsx"
    assert [sheet_dialog.choice.itemText(at) for at in range(sheet_dialog.choice.count())] == ["North", "South"]
    assert sheet_dialog.choice.currentText() == "North"
    sheet_dialog.choice.setCurrentText("South")
    user.click(sheet_dialog.accept_button)
    user.click(preview(user).accept_button)
    user.until(lambda: [(fence.external_id, fence.description) for fence in user.stored()] == [("12", "South")])


def test_polygons_are_repaired_and_ids_made_by_a_rule(user: User, tmp_path: Path) -> None:
    file = tmp_path / "zones.csv"
    file.write_text('ZONE;NR;Geom\n3;7;"POLYGON ((14.5 46, 14.6 46.1, 14.6 46, 14.5 46.1, 14.5 46))"\n')
    user.window.imports.import_file(file)
    shown = preview(user)
    assert "crossing or touching rings mended" in shown.model.index(0, 5).data()
    user.click(shown.columns)
    columns = dialog(user, ColumnsDialog)
    for repair in (Repair.RINGS, Repair.SIMPLIFY):
        user.click(columns.repairs.boxes[repair])
    user.click(columns.accept_button)
    user.until(lambda: user.window.imports.preview not in (None, shown))
    shown = preview(user)
    assert shown.model.index(0, 1).data() == "Error"
    user.click(shown.columns)
    columns = dialog(user, ColumnsDialog)
    assert not columns.repairs.boxes[Repair.RINGS].isChecked()
    user.type(columns.rule, "{ZONE}-{NR}", enter=False)
    user.click(columns.repairs.boxes[Repair.RINGS])
    user.click(columns.accept_button)
    user.until(lambda: user.window.imports.preview not in (None, shown))
    again = preview(user)
    assert "Create" in again.model.index(0, 1).data()
    assert again.model.index(0, 3).data().startswith("3-7")
    assert "1 warning" in again.summary.text()
    user.click(again.accept_button)
    shown_warning = dialog(user, ImportReportDialog).model.index(0, 5)
    assert "crossing or touching rings mended" in shown_warning.data()
    user.until(lambda: {fence.external_id[:3] for fence in user.stored()} == {"3-7"})


def test_the_choice_is_remembered_for_the_same_columns_and_the_tag_follows_the_file(user: User, tmp_path: Path) -> None:
    first, second = tmp_path / "Wien Bezirke.csv", tmp_path / "Graz.csv"
    ring = "POLYGON ((14.5 46, 14.6 46, 14.6 46.1, 14.5 46))"
    first.write_text(f'code;name;form;floor\n1;Ä;"{ring}";2\n2;B;"{ring}";3\n')
    user.window.imports.import_file(first)
    shown = preview(user)
    assert "Tag wien-bezirke · External ID from code: 1, 2" in shown.choice.text()
    user.click(shown.columns)
    columns = dialog(user, ColumnsDialog)
    columns.rows["externalId"].choice.setCurrentText("Made of the description")
    item = columns.metadata.table.item(3, 0)
    assert item is not None
    assert item.text() == "floor"
    item.setCheckState(Qt.CheckState.Unchecked)
    assert "not imported: code, floor" in columns.metadata.count.text()
    user.click(columns.accept_button)
    user.until(lambda: user.window.imports.preview not in (None, shown))
    shown = preview(user)
    assert shown.choice.text().startswith("Tag wien-bezirke · External ID made of the description: a, b · ")
    user.click(shown.accept_button)
    user.until(
        lambda: (
            {(each.tag, each.external_id) for each in user.stored()} == {("wien-bezirke", "a"), ("wien-bezirke", "b")}
        )
    )
    second.write_text(f'floor;name;form;code\n5;C;"{ring}";9\n')
    user.idle()
    user.window.imports.import_file(second)
    again = preview(user)
    assert again.choice.text().startswith("Tag graz · External ID made of the description: c · ")
    user.click(again.cancel)


def test_a_choice_for_a_file_without_columns_is_not_kept_for_an_empty_one(user: User, tmp_path: Path) -> None:
    first, empty = tmp_path / "zones.geojson", tmp_path / "empty.geojson"
    ring = [[14.5, 46], [14.6, 46], [14.6, 46.1], [14.5, 46]]
    feature = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}}
    first.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    empty.write_text('{"type": "FeatureCollection", "features": []}')
    import_now(user, first)
    user.idle()
    user.window.imports.import_file(empty)
    shown = preview(user)
    assert (shown.choice.text(), shown.notes.text()) == ("", "The file contains no features.")
    user.click(shown.cancel)


def test_geofences_of_others_that_would_be_overwritten_are_named(user: User, tmp_path: Path) -> None:
    user.given(1, tag="graz")
    (before,) = user.stored()
    file = tmp_path / "graz.csv"
    file.write_text(f"id,name,lat,lon\n{before.external_id},New,46,14.5\n")
    user.window.imports.import_file(file)
    shown = preview(user)
    assert shown.overwritten.text() == (
        f"Overwrites 1 geofence that this file did not create: {before.description} (graz/{before.external_id})"
    )
    assert "overwrites" in shown.model.index(0, 5).data()
    user.click(shown.cancel)


def test_cancelled_columns_return_to_the_preview(user: User, tmp_path: Path) -> None:
    user.window.imports.import_file(shops(tmp_path, "a"))
    shown = preview(user)
    user.click(shown.columns)
    user.click(dialog(user, ColumnsDialog).cancel)
    user.until(lambda: user.window.imports.preview not in (None, shown))
    user.click(preview(user).accept_button)
    user.until(lambda: ids(user) == {"a"})


def test_lines_need_a_width(user: User, tmp_path: Path) -> None:
    file = tmp_path / "lines.csv"
    file.write_text('code;name;form\n1;A;"POLYGON ((14.5 46, 14.6 46, 14.6 46.1, 14.5 46))"\n')
    user.window.imports.import_file(file)
    shown = preview(user)
    user.click(shown.columns)
    columns = dialog(user, ColumnsDialog)
    user.click(columns.repairs.boxes[Repair.LINES])
    user.click(columns.accept_button)
    assert columns.isVisible()
    assert columns.repairs.line_width.accessibleDescription() == "Enter the width of the lines."
    user.type(columns.repairs.line_width, "12", enter=False)
    user.click(columns.accept_button)
    user.until(lambda: user.window.imports.preview not in (None, shown))
    user.click(preview(user).cancel)


def test_the_export_is_written(user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user.given(1)
    user.given(2, tag="depot")
    file = tmp_path / "out.geojson"

    def save(_title: str, _suggestion: str, _kinds: str, chosen: Callable[[Path], object]) -> None:
        chosen(file)

    monkeypatch.setattr(user.window.files, "save_file", save)
    user.window.actions_.export_file.trigger()
    export_dialog = dialog(user, ExportDialog)
    export_dialog.format.setCurrentText("GeoJSON")
    export_dialog.tag.setCurrentText("depot")
    user.click(export_dialog.accept_button)
    user.until(file.exists)
    assert file.read_text().count('"Feature"') == 1


def _cells(item: Callable[[int, int], object], row: int) -> list[str]:
    return [cell.text() for column in range(9) if (cell := item(row, column)) is not None]  # type: ignore[attr-defined]
