"""The Endpoint dialog: access to the endpoint, and the details that a device needs to connect."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QSizePolicy, QVBoxLayout, QWidget

from app.desktop.language import tr, translated
from app.desktop.panels.fields.basic import ChoiceBox, TextLine
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import GRID, Field, button, label
from app.endpoint import EVERYWHERE, LOOPBACK, EndpointOptions, Reach, normal_host, warning_of
from app.qr import Modules, connection_text, qr_modules
from engine.domain.environment import Environment
from engine.domain.values import replace

_CODE_SIDE = 264
_FORM_WIDTH = 400
_SPELLED_IN_HALF = 16
_CONNECTION, _CERTIFICATE = "connection", "certificate"


class CodeView(QWidget):
    """A QR code, black on white in every theme, with each module as many whole pixels wide as fit."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._modules: Modules | None = ()
        self.setFixedSize(_CODE_SIDE, _CODE_SIDE)
        self.setAccessibleName(tr("QR code"))

    def show_text(self, text: str) -> None:
        """Show the code of another text, or no code if it is empty."""
        if text != self._text:
            self._text = text
            self._modules = None if text else ()
            self.update()

    @property
    def modules(self) -> Modules:
        """The rows of the code, computed on first use since most windows never show it."""
        if self._modules is None:
            self._modules = qr_modules(self._text)
        return self._modules

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the code, including its quiet zone, on a white background."""
        modules = self.modules
        if not modules:
            return
        ratio = self.devicePixelRatioF()
        module = int(self.width() * ratio) // len(modules) / ratio
        edge = (self.width() - module * len(modules)) / 2
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor("white"))
            for down, row in enumerate(modules):
                for across, dark in enumerate(row):
                    if dark:
                        place = QRectF(edge + across * module, edge + down * module, module, module)
                        painter.fillRect(place, QColor("black"))


class EndpointDialog(QDialog):
    """Emits the chosen options. The dialog is modeless, so the window stays usable."""

    changed = Signal(object)
    copy_requested = Signal()
    export_requested = Signal()
    renew_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Endpoint"))
        self._options = EndpointOptions()
        self._reach: Reach | None = None
        self._busy = False
        self._key, self._environment = "", Environment.TEST
        self._make_form()
        self._make_code()
        form, code = self._form_column(), self._code_column()
        in_row((form, 1), code, of=self, margins=2 * GRID, spacing=3 * GRID)

    def _make_form(self) -> None:
        self.address = label("", "title")
        self.address.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = button(tr("Copy URL"), self.copy_requested.emit)
        self.others = label("", "hint", wrap=True)
        self.warning = label("", "error", wrap=True)
        self.host = ChoiceBox()
        self.host.activated.connect(lambda _: self._give(replace(self._options, host=self.host.currentData())))
        self.tls = QCheckBox(tr("HTTPS (TLS)"))
        self.tls.toggled.connect(lambda on: self._give(replace(self._options, tls=on)))
        self.hosts = TextLine()
        self.hosts.setPlaceholderText(tr("For example map.example.com, 192.168.1.20"))
        self.hosts.editingFinished.connect(self._give_hosts)
        self.hosts_field = Field(
            tr("Allowed host names"),
            self.hosts,
            hint=tr("The endpoint always answers to this computer's own names and addresses."),
        )
        self.fingerprint = label("", "mono")
        self.fingerprint.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.export = button(tr("Export certificate…"), self.export_requested.emit)
        self.renew = button(tr("Renew…"), self.renew_requested.emit)
        self.renew.setToolTip(tr("Create a new certificate for the present names of the endpoint"))

    def _make_code(self) -> None:
        self.code = CodeView()
        self.holds = ChoiceBox()
        self.holds.addItem(tr("URL and publishable key"), _CONNECTION)
        self.holds.addItem(tr("Certificate download"), _CERTIFICATE)
        self.holds.setAccessibleName(tr("QR code content"))
        self.holds.currentIndexChanged.connect(lambda _: self._show_code())
        self.code_note = label("", "hint", wrap=True)
        self.code_note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    def _form_column(self) -> QVBoxLayout:
        self.address.setMinimumWidth(_FORM_WIDTH)
        trust = tr("The Android SDK needs it. Devices must trust this workspace's certificate first.")
        certificate = in_row(
            (self.fingerprint, 1),
            (self.export, 0, Qt.AlignmentFlag.AlignTop),
            (self.renew, 0, Qt.AlignmentFlag.AlignTop),
        )
        return in_column(
            in_row((self.address, 1), self.copy),
            self.others,
            self.warning,
            Field(tr("Reachable from"), self.host, gap=False),
            self.tls,
            label(trust, "hint", wrap=True),
            label(tr("SHA-256 fingerprint of the certificate"), "label"),
            certificate,
            GRID,
            self.hosts_field,
            STRETCH,
            spacing=GRID,
        )

    def _code_column(self) -> QVBoxLayout:
        self.code_note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.code_note.setMinimumHeight(4 * self.code_note.fontMetrics().height())
        self.code_note.setAlignment(Qt.AlignmentFlag.AlignTop)
        return in_column(self.holds, self.code, self.code_note, STRETCH, spacing=GRID)

    # Display

    def show_endpoint(self, options: EndpointOptions, reach: Reach | None, fingerprint: str) -> None:
        """Show the endpoint's state and keep the input in the fields. `reach` is None while it is stopped."""
        self._options, self._reach = options, reach
        self.address.setText(reach.device_url if reach else tr("The endpoint is stopped"))
        self.copy.setEnabled(reach is not None)
        self.others.setText(_other_urls(reach) if reach else "")
        self.others.setVisible(bool(self.others.text()))
        self.warning.setText(translated((warning_of(reach) if reach else None) or ""))
        self.warning.setVisible(bool(self.warning.text()))
        self._fill_hosts()
        with QSignalBlocker(self.tls):
            self.tls.setChecked(options.tls)
        if not self.hosts.isModified():
            self.hosts.show_text(", ".join(options.allow_hosts))
        self.fingerprint.setText(_in_two_lines(fingerprint) if fingerprint else tr("Created when you first use HTTPS"))
        self.renew.setEnabled(bool(fingerprint))
        self.set_busy(False)
        self._show_code()

    def show_key(self, environment: Environment, publishable_key: str) -> None:
        """Show the code with another key."""
        self._environment, self._key = environment, publishable_key
        self._show_code()

    def show_error(self, param: str, message: str) -> None:
        """Show an error at the allowed host names, or clear it if the message is empty."""
        self.hosts_field.show_error(message if param == "allow_hosts" and message else None)

    def set_busy(self, busy: bool) -> None:
        """Disable further choices while one is carried out."""
        self._busy = busy
        for each in (self.host, self.tls, self.hosts):
            each.setEnabled(not busy)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a size that fits the form and the code."""
        return QSize(_FORM_WIDTH + _CODE_SIDE + 12 * GRID, super().sizeHint().height())

    def _fill_hosts(self) -> None:
        choices = {LOOPBACK: tr("This computer only"), EVERYWHERE: tr("The whole network")}
        if self._options.host not in choices:
            choices[self._options.host] = tr("Address {host}", host=self._options.host)
        self.host.clear()
        for host, text in choices.items():
            self.host.addItem(f"{text} ({host})" if host in (LOOPBACK, EVERYWHERE) else text, host)
        self.host.setCurrentIndex(self.host.findData(self._options.host))

    def _show_code(self) -> None:
        reach = self._reach
        there = reach is not None and reach.device_url.startswith("https:")
        if not there and self.holds.currentData() == _CERTIFICATE:
            self.holds.setCurrentIndex(0)
        item = self.holds.model()
        item.setData(item.index(1, 0), None if there else 0, Qt.ItemDataRole.UserRole - 1)
        if reach is None or not self._key:
            self.code.show_text("")
            self.code_note.setText(tr("Start the endpoint to connect a device.") if reach is None else "")
            return
        if self.holds.currentData() == _CERTIFICATE:
            self.code.show_text(reach.certificate_url)
            self.code_note.setText(
                tr(
                    "{url}\nCompare the fingerprint on the device before you trust it.",
                    url=reach.certificate_url,
                )
            )
            return
        self.code.show_text(connection_text(reach.device_url, self._key))
        here = "" if reach.open_to_network else tr("\nOnly emulators and simulators on this computer can reach it.")
        name = self._environment.value.capitalize()
        self.code_note.setText(
            tr(
                "The URL and the publishable key of {environment}, as JSON: host and publishableKey.{limitation}",
                environment=name,
                limitation=here,
            )
        )

    # Choices

    def _give(self, options: EndpointOptions) -> None:
        # A field that is disabled loses the focus and emits its input once more.
        if options != self._options and not self._busy:
            self.set_busy(True)
            self.changed.emit(options)

    def _give_hosts(self) -> None:
        given = [part.strip() for part in self.hosts.text().split(",") if part.strip()]
        names = [(part, normal_host(part)) for part in given]
        wrong = next((part for part, name in names if name is None), None)
        if wrong is not None:
            self.show_error(
                "allow_hosts",
                tr("“{entered_text}” is not a host name or IP address. Leave out the port.", entered_text=wrong),
            )
            return
        self.show_error("allow_hosts", "")
        self.hosts.setModified(False)
        allowed = tuple(dict.fromkeys(name for _, name in names if name is not None))
        self._give(replace(self._options, allow_hosts=allowed))


def _other_urls(reach: Reach) -> str:
    others = [url for url in (*reach.network_urls, reach.url) if url != reach.device_url]
    return tr("Also at {urls}", urls=", ".join(others)) if others else ""


def _in_two_lines(fingerprint: str) -> str:
    pairs = fingerprint.split(":")
    return f"{':'.join(pairs[:_SPELLED_IN_HALF])}\n{':'.join(pairs[_SPELLED_IN_HALF:])}"
