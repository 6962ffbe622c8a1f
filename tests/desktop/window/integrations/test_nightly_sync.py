"""The nightly sync in the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPlainTextEdit

from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.dialogs.importing.layers import LayerDialog
from app.desktop.dialogs.integrations.nightly_sync import NightlySyncDialog
from engine.domain.environment import Environment
from engine.domain.imports import ALL_REPAIRS
from engine.domain.nightly.settings import FileOptions, SyncChange, SyncProtocol
from engine.domain.settings import SettingsChange
from tests.desktop.window.user import User
from tests.engine.nightly.servers import SECRET, Files, files, table
from tests.engine.tabular.workbooks import Sheet, workbook

pytestmark = pytest.mark.parts("availability", "nightly_sync")

TEST, LIVE = Environment.TEST, Environment.LIVE


@pytest.fixture
def served() -> Iterator[Files]:
    with files() as served:
        yield served


def opened(user: User) -> NightlySyncDialog:
    user.window.actions_.nightly_sync.trigger()
    dialog = user.window.nightly_sync.dialog
    user.until(dialog.isVisible)
    user.idle()
    return dialog


def write(editor: QPlainTextEdit, text: str) -> None:
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, text)


@pytest.mark.slow
def test_save_and_sync_imports_at_once_and_shows_the_result(user: User, served: Files) -> None:
    served.content["a.csv"] = table(("1", 100), ("2", -1))
    user.engine.settings.change(TEST, SettingsChange(allow_private_urls=True))
    dialog = opened(user)
    write(dialog.editor("urls"), served.url("a.csv"))
    user.click(dialog.enabled)
    user.click(dialog.save_and_sync)
    user.until(lambda: bool(user.engine.nightly.runs(TEST)))
    user.until(lambda: "1 created" in dialog.details.text())
    assert "Row 3, column radius" in dialog.details.text()
    assert dialog.last.text().startswith("Partially succeeded · Manual sync")
    user.until(lambda: "Next sync: " in dialog.note.text())
    assert user.engine.nightly.state(TEST).settings.enabled
    user.until(lambda: len(user.window.model.fences.all()) == 1)
    # A run that the user did not start is shown as well.
    served.content["a.csv"] = table(("1", 111))
    user.engine.nightly.run(TEST)
    user.until(lambda: "1 updated" in dialog.details.text())


def test_an_error_is_shown_at_its_field_and_the_typed_text_stays(user: User) -> None:
    dialog = opened(user)
    user.click(dialog.enabled)
    user.click(dialog.save)
    user.until(lambda: bool(dialog._fields["urls"].error.text()))
    assert "required" in dialog._fields["urls"].error.text()
    assert dialog.enabled.isChecked()
    dialog.show_page(1)
    user.type(dialog.editor("notification_email"), "nobody")
    dialog.enabled.setChecked(False)
    user.click(dialog.save)
    user.until(lambda: "e-mail address" in dialog._fields["notification_email"].error.text())
    assert not user.engine.nightly.state(TEST).settings.notification_email


def test_secrets_are_kept_and_never_shown(user: User) -> None:
    dialog = opened(user)
    dialog.protocol.setCurrentIndex(1)
    assert dialog.editor("bucket").isVisible()
    assert not dialog.editor("urls").isVisible()
    for name, text in (("region", "eu-central-1"), ("bucket", "fences"), ("access_key_id", "AKIA")):
        dialog.editor(name).setText(text)
    write(dialog.editor("object_keys"), "a.csv")
    dialog.editor("secret_access_key").setText(SECRET)
    user.click(dialog.save)
    user.until(lambda: user.engine.nightly.state(TEST).secrets == {"secret_access_key"})
    user.until(lambda: dialog.editor("secret_access_key").text() == "")
    assert dialog.editor("secret_access_key").placeholderText().startswith("saved")
    assert user.engine.nightly.state(TEST).settings.protocol is SyncProtocol.S3
    # Saving again without typing the secret keeps it.
    dialog.editor("bucket").setText("other")
    user.click(dialog.save)
    user.until(lambda: user.engine.nightly.state(TEST).settings.bucket == "other")
    assert user.engine.nightly.state(TEST).secrets == {"secret_access_key"}


def test_saving_keeps_the_options_of_files_of_the_other_protocol(user: User) -> None:
    options = tuple(FileOptions(file=file, mapping={"tag": "KIND"}) for file in ("https://example.com/a.csv", "k.csv"))
    user.engine.nightly.change(
        TEST, SyncChange(urls=(options[0].file,), object_keys=(options[1].file,), file_options=options)
    )
    dialog = opened(user)
    dialog.hour.setCurrentIndex(7)
    user.click(dialog.save)
    user.until(lambda: user.engine.nightly.state(TEST).settings.hour == 7)
    assert user.engine.nightly.state(TEST).settings.file_options == options


def test_saving_in_live_is_confirmed_and_live_has_its_own_sync(user: User) -> None:
    user.engine.nightly.change(TEST, SyncChange(hour=5))
    dialog = opened(user)
    assert dialog.hour.currentData() == 5
    user.window.model.show(LIVE)
    user.until(lambda: dialog.windowTitle() == "Nightly sync – Live")
    user.idle()
    assert dialog.hour.currentData() == 2
    dialog.hour.setCurrentIndex(7)
    user.click(dialog.save)
    user.box()
    assert user.engine.nightly.state(LIVE).settings.hour == 2
    user.answer("Save")
    user.until(lambda: user.engine.nightly.state(LIVE).settings.hour == 7)
    assert user.engine.nightly.state(TEST).settings.hour == 5


PORTAL = b"OBJECTID,NAME,Lat,Lon\n7,Zone 7,47.1,9.5\n"


def open_dialog[T: QDialog](user: User, kind: type[T]) -> T:
    user.until(lambda: isinstance(QApplication.activeModalWidget(), kind))
    found = QApplication.activeModalWidget()
    assert isinstance(found, kind)
    return found


def give(dialog: ColumnsDialog, **values: str) -> None:
    for field, value in values.items():
        dialog.rows[field].choice.setCurrentIndex(1)
        dialog.rows[field].value.setText(value)


def test_the_columns_of_a_file_are_chosen_from_the_file_itself(user: User, served: Files) -> None:
    served.content["portal.csv"] = PORTAL
    user.engine.settings.change(TEST, SettingsChange(allow_private_urls=True))
    dialog = opened(user)
    assert not dialog.options.isVisible()
    write(dialog.editor("urls"), served.url("portal.csv"))
    assert dialog.options.text.text() == "All columns are read by their names."
    user.click(dialog.options.columns)
    columns = open_dialog(user, ColumnsDialog)
    assert columns.rows["externalId"].column == "OBJECTID"
    give(columns, tag="zone", type="circle", radius="80")
    user.click(columns.accept_button)
    user.until(lambda: "External ID from OBJECTID" in dialog.options.text.text())
    assert "Tag = zone" in dialog.options.text.text()
    assert not user.engine.nightly.state(TEST).settings.urls
    user.click(dialog.save)
    user.until(lambda: bool(user.engine.nightly.state(TEST).settings.file_options))
    (options,) = user.engine.nightly.state(TEST).settings.file_options
    assert options.mapping["description"] == "NAME"
    assert options.fixed == {"tag": "zone", "type": "circle", "radius": "80"}
    assert user.engine.nightly.run(TEST).total("created") == 1
    user.idle()
    # Another file, of an Excel workbook, keeps the options of the first.
    header: list[object] = ["NR", "Name"]
    served.content["zones.xlsx"] = workbook(Sheet("A", [header, [1, "x"]]), Sheet("B", [header, [2, "y"]]))
    dialog.editor("urls").setPlainText(f"{served.url('portal.csv')}\n{served.url('zones.xlsx')}")
    dialog.options.choice.setCurrentIndex(1)
    user.click(dialog.options.columns)
    sheets = open_dialog(user, LayerDialog)
    sheets.choice.setCurrentText("B")
    user.click(sheets.accept_button)
    columns = open_dialog(user, ColumnsDialog)
    give(columns, tag="zone", type="circle", radius="80", latitude="47", longitude="9")
    user.type(columns.rule, "b-{NR}", enter=False)
    assert not columns.rows["externalId"].choice.isEnabled()
    for box in columns.repairs.boxes.values():
        box.setChecked(True)
    user.type(columns.repairs.line_width, "5", enter=False)
    user.click(columns.accept_button)
    user.until(lambda: "sheet B" in dialog.options.text.text())
    assert "External ID = b-{NR}; polygons are repaired" in dialog.options.text.text()
    user.click(dialog.save)
    user.until(lambda: len(user.engine.nightly.state(TEST).settings.file_options) == 2)
    second = user.engine.nightly.state(TEST).settings.file_options[1]
    assert (second.sheet, second.id, second.repairs) == ("B", "b-{NR}", ALL_REPAIRS)
    assert user.engine.nightly.run(TEST).total("created") == 1
    assert user.engine.geofences.get_by_key(TEST, "zone", "b-2")
    user.idle()
    user.click(dialog.options.reset)
    user.click(dialog.save)
    user.until(lambda: user.engine.nightly.state(TEST).settings.file_options == (options,))


def test_a_file_that_cannot_be_fetched_has_an_error_at_its_columns(user: User, served: Files) -> None:
    user.engine.settings.change(TEST, SettingsChange(allow_private_urls=True))
    dialog = opened(user)
    write(dialog.editor("urls"), served.url("none.csv"))
    user.click(dialog.options.columns)
    user.until(lambda: "404" in dialog._fields["file_options"].error.text())
    write(dialog.editor("urls"), "ftp://a/b.csv")
    user.click(dialog.options.columns)
    user.until(lambda: "http" in dialog._fields["urls"].error.text())
