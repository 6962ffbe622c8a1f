"""The Nightly sync dialog: sources, recipients of the notifications, and the result of the last run."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QWidget,
)

from app.desktop.dialogs.integrations.file_options import FileOptionsEditor
from app.desktop.language import tr
from app.desktop.model.nightly_sync import changed_values, next_text, run_lines, run_title, split_lines
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.layouts import in_column, in_dialog, in_row
from app.desktop.panels.widgets import GRID, Field, FormPage, PageSwitch, button, label, panel
from engine.domain.environment import Environment
from engine.domain.nightly.runs import SyncState
from engine.domain.nightly.settings import SECRETS, SmtpSecurity, SyncChange, SyncProtocol, SyncSettings

_PAGES = (tr("Files"), tr("E-mail"), tr("Last sync"))
_FILES, _MAIL, _LAST = range(3)
_SAVED = tr("saved; type to replace")
_SECURITY = (
    ("STARTTLS", SmtpSecurity.STARTTLS),
    ("TLS", SmtpSecurity.TLS),
    (tr("Not encrypted"), SmtpSecurity.NONE),
)
_LIST_LINES = 3


class NightlySyncDialog(QDialog):
    """Emits settings to save, and whether to sync afterwards. The dialog is modeless, so the window stays usable."""

    save_requested = Signal(object, bool)
    columns_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.resize(640, 640)
        self.environment = Environment.TEST
        self._settings = SyncSettings()
        self._editors: dict[str, QWidget] = {}
        self._fields: dict[str, Field] = {}
        self.note = label("", "muted", wrap=True)
        self.switch = PageSwitch(_PAGES)
        self._stack = QStackedWidget()
        for page in (self._files_page(), self._mail_page(), self._last_page()):
            self._stack.addWidget(page)
        self.switch.chosen.connect(self.show_page)
        self.save = button(tr("Save"), lambda: self._give(sync=False))
        self.save_and_sync = button(tr("Save and Sync"), lambda: self._give(sync=True), "primary")
        self.problem = label("", "error", wrap=True)
        self.problem.hide()
        buttons = in_row((self.problem, 1), spacing=GRID)
        buttons.addStretch(0)
        for each in (self.save, self.save_and_sync):
            buttons.addWidget(each)
        in_dialog(self, self.note, self.switch, (self._stack, 1), buttons)
        self._show_protocol()

    # Construction

    def _files_page(self) -> QWidget:
        self.enabled = QCheckBox(tr("Sync every night"))
        self.delete_missing = QCheckBox(tr("Delete geofences that the files no longer contain"))
        self.protocol = ChoiceBox()
        for protocol in SyncProtocol:
            self.protocol.addItem(protocol.value, protocol)
        self.protocol.currentIndexChanged.connect(lambda _: self._show_protocol())
        self.hour = ChoiceBox()
        for hour in range(24):
            self.hour.addItem(f"{hour:02}:00", hour)
        zone = self._line("time_zone", tr("this computer's time zone"))
        night = QWidget()
        in_row(
            self._field("hour", tr("At"), self.hour),
            (self._field("time_zone", tr("Time zone"), zone), 1),
            of=night,
            margins=0,
            spacing=GRID,
        )
        self._http = self._group(
            self._field("urls", "URLs", self._list("https://example.com/stores.csv"), tr("One file per line."))
        )
        self._s3 = self._group(
            self._field("region", tr("Region"), self._line("region", "eu-central-1")),
            self._field("bucket", tr("Bucket"), self._line("bucket")),
            self._field("object_keys", tr("Object keys"), self._list("nightly/stores.csv"), tr("One file per line.")),
            self._field("access_key_id", tr("Access key ID"), self._line("access_key_id")),
            self._field("secret_access_key", tr("Secret access key"), self._secret("secret_access_key")),
            self._field(
                "endpoint", tr("Endpoint"), self._line("endpoint", "AWS"), tr("URL of another S3-compatible service.")
            ),
        )
        self.options = FileOptionsEditor()
        self.options.columns_requested.connect(self.columns_requested)
        options = self._field("file_options", tr("Columns of a file"), self.options)
        for name in ("urls", "object_keys"):
            self.editor(name).textChanged.connect(self._list_files)
        self._editors |= {"enabled": self.enabled, "protocol": self.protocol, "delete_missing": self.delete_missing}
        body, column = panel(margins=12)
        for widget in (
            self.enabled,
            night,
            self._field("protocol", tr("Protocol"), self.protocol),
            self._http,
            self._s3,
            options,
            self.delete_missing,
            label(tr("Only geofences that a sync created or updated are deleted."), "hint", wrap=True),
        ):
            column.addWidget(widget)
        column.addStretch(1)
        return FormPage(body)

    def _mail_page(self) -> QWidget:
        self.security = ChoiceBox()
        for text, security in _SECURITY:
            self.security.addItem(text, security)
        self._editors["smtp_security"] = self.security
        body, column = panel(margins=12)
        to = self._line("notification_email", tr("nobody"))
        for field in (
            self._field(
                "notification_email",
                tr("Notification e-mail"),
                to,
                tr("Receives a summary of each sync."),
            ),
            self._field("smtp_host", tr("Mail server"), self._line("smtp_host", "smtp.example.com")),
            self._field("smtp_security", tr("Encryption"), self.security),
            self._field(
                "smtp_port", tr("Port"), self._line("smtp_port", tr("587, 465 or 25, depending on the encryption"))
            ),
            self._field("smtp_user", tr("User"), self._line("smtp_user", tr("none"))),
            self._field("smtp_password", tr("Password"), self._secret("smtp_password")),
            self._field(
                "smtp_from", tr("From"), self._line("smtp_from", tr("fencewright@ and the mail server's name"))
            ),
        ):
            column.addWidget(field)
        column.addStretch(1)
        return FormPage(body)

    def _last_page(self) -> QWidget:
        self.next = label("", "muted", wrap=True)
        self.last = label("", "title", wrap=True)
        self.details = label("", wrap=True)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        body, column = panel(margins=12)
        for widget in (self.next, self.last, self.details):
            column.addWidget(widget)
        column.addStretch(1)
        return FormPage(body)

    def _field(self, name: str, title: str, editor: QWidget, hint: str = "") -> Field:
        self._editors[name] = editor
        made = self._fields[name] = Field(title, editor, hint=hint)
        editor.setAccessibleName(title)
        return made

    def _group(self, *fields: Field) -> QWidget:
        made = QWidget()
        in_column(*fields, of=made, margins=0, spacing=GRID)
        return made

    def _line(self, name: str, placeholder: str = "") -> TextLine:
        made = TextLine()
        made.setObjectName(name)
        made.setPlaceholderText(placeholder)
        return made

    def _secret(self, name: str) -> TextLine:
        made = self._line(name)
        made.setEchoMode(QLineEdit.EchoMode.Password)
        return made

    def _list(self, placeholder: str) -> QPlainTextEdit:
        made = QPlainTextEdit()
        made.setPlaceholderText(placeholder)
        made.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        made.setTabChangesFocus(True)
        made.setFixedHeight(made.fontMetrics().lineSpacing() * _LIST_LINES + 3 * GRID)
        return made

    # Display

    def editor(self, name: str) -> Any:
        """Return the editor of a setting."""
        return self._editors[name]

    def show_page(self, number: int) -> None:
        """Show a page."""
        self._stack.setCurrentIndex(number)
        self.switch.show_page(number)

    def show_settings(self, environment: Environment, state: SyncState) -> None:
        """Fill in the form and discard earlier input."""
        self.environment = environment
        name = environment.value.capitalize()
        self.setWindowTitle(tr("Nightly sync – {environment}", environment=name))
        self._settings = settings = state.settings
        for setting, editor in self._editors.items():
            if setting in SECRETS:
                editor.clear()  # type: ignore[attr-defined]
                editor.setPlaceholderText(_SAVED if setting in state.secrets else tr("none"))  # type: ignore[attr-defined]
            else:
                _fill(editor, getattr(settings, setting))
        self.show_error("", "")

    def show_state(self, state: SyncState) -> None:
        """Show the running sync and the result of the last one, without changing the form."""
        name = self.environment.value.capitalize()
        self.note.setText(
            tr(
                "Imports geofences into {environment} from files on a server. {next_sync}",
                environment=name,
                next_sync=next_text(state),
            )
        )
        self.save_and_sync.setEnabled(not state.running)
        self.next.setText(next_text(state))
        run = state.last_run
        self.last.setText(tr("No sync yet") if run is None else run_title(run))
        self.details.setText(tr("“Save and Sync” runs one now.") if run is None else "\n".join(run_lines(run)))

    def show_error(self, param: str, message: str) -> None:
        """Show an error at its field, or below the form if it has none; an empty message clears it."""
        for name, field in self._fields.items():
            field.show_error(message if message and name == param else None)
        elsewhere = bool(message) and param not in self._fields
        self.problem.setText(message if elsewhere else "")
        self.problem.setVisible(elsewhere)
        if message and not elsewhere:
            self.show_page(_MAIL if param.startswith(("smtp_", "notification")) else _FILES)

    def values(self) -> dict[str, Any]:
        """Return the values of the form."""
        values = {name: _value(name, editor) for name, editor in self._editors.items()}
        files = {*values["urls"], *values["object_keys"]}
        return values | {"file_options": tuple(each for each in values["file_options"] if each.file in files)}

    def change(self) -> SyncChange:
        """Return the change from the stored settings to the values of the form."""
        return changed_values(self._settings, self.values())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Let Enter finish a field without closing the dialog."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)

    def _show_protocol(self) -> None:
        is_s3 = self.protocol.currentData() == SyncProtocol.S3
        self._s3.setVisible(is_s3)
        self._http.setVisible(not is_s3)
        self._list_files()

    def _list_files(self) -> None:
        listed = self.editor("object_keys" if self.protocol.currentData() == SyncProtocol.S3 else "urls")
        files = split_lines(listed.toPlainText())
        self.options.show_files(files)
        self._fields["file_options"].setVisible(bool(files))

    def _give(self, *, sync: bool) -> None:
        if self.values()["smtp_port"] == "wrong":
            self.show_error("smtp_port", tr("must be a whole number within [1, 65535]."))
            return
        self.show_error("", "")
        self.save_requested.emit(self.change(), sync)


def _fill(editor: QWidget, value: Any) -> None:
    match editor:
        case FileOptionsEditor():
            editor.fill(value)
        case QCheckBox():
            editor.setChecked(value)
        case ChoiceBox():
            editor.setCurrentIndex(editor.findData(value))
        case QPlainTextEdit():
            editor.setPlainText("\n".join(value))
        case QLineEdit():
            editor.setText("" if value is None else str(value))
        case _:
            raise TypeError(editor)


def _value(name: str, editor: QWidget) -> Any:
    match editor:
        case FileOptionsEditor():
            return editor.options
        case QCheckBox():
            return editor.isChecked()
        case ChoiceBox():
            # Qt returns a plain string for an enumeration member.
            kinds = {"protocol": SyncProtocol, "smtp_security": SmtpSecurity}
            return kinds.get(name, int)(editor.currentData())
        case QPlainTextEdit():
            return split_lines(editor.toPlainText())
        case QLineEdit():
            text = editor.text() if name in SECRETS else editor.text().strip()
            if name == "smtp_port" and text:
                return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else "wrong"
            return text or None
        case _:
            raise TypeError(editor)
