"""Connecting an SDK: the lines of code that point each SDK here, and whether it has sent a request."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QPlainTextEdit,
    QStackedWidget,
    QWidget,
)

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.panels.layouts import in_column, in_dialog, in_row
from app.desktop.panels.widgets import GRID, PageSwitch, Scroll, button, label, restyle, tip_text, tool_button
from app.desktop.style import colors
from app.sdks.sightings import Sighting, Sightings
from app.sdks.snippets import Part, Sdk, Target, instructions, parts
from engine.domain.environment import Environment

_WIDTH = 780
_HEIGHT = 560
_ICON = 18
_MARGIN = 10
_COPY = tr("Copy these lines")


class Code(QFrame):
    """Selectable lines of code, with a button that copies all of them."""

    def __init__(self, text: str, language: str, theme: Theme) -> None:
        super().__init__()
        self.text = text
        self._theme: Theme = theme
        self.view = QPlainTextEdit(text)
        self.view.setReadOnly(True)
        self.view.setAccessibleName(tr("Code: {programming_language}", programming_language=language))
        self.view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._lines = text.split("\n")
        self.copy = tool_button(_COPY, self._on_copy, "CopyCode")
        self.copy.setIcon(icon("copy", theme))
        QGuiApplication.clipboard().dataChanged.connect(self._on_clipboard)
        in_row((self.view, 1), (self.copy, 0, Qt.AlignmentFlag.AlignTop), of=self, margins=0, spacing=4)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit the height to the lines, plus a scroll bar if one is too long."""
        super().resizeEvent(event)
        metrics = self.view.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, self._lines)) + 2 * _MARGIN
        bar = self.view.horizontalScrollBar().sizeHint().height() if widest > self.view.width() else 0
        self.view.setFixedHeight(len(self._lines) * metrics.lineSpacing() + 2 * _MARGIN + bar)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)
        self.copy.setIcon(icon("check", self._theme, color=colors(self._theme).good))
        self.copy.setToolTip(tr("Copied"))

    def _on_clipboard(self) -> None:
        """Remove "Copied" once the clipboard holds another text."""
        if self.copy.toolTip() != _COPY and QGuiApplication.clipboard().text() != self.text:
            self.copy.setIcon(icon("copy", self._theme))
            self.copy.setToolTip(tip_text(_COPY))


class Arrival(QFrame):
    """Shows whether the first request has arrived."""

    def __init__(self) -> None:
        super().__init__()
        self.mark = label()
        self.text = label("", "strong", wrap=True)
        in_row((self.mark, 0, Qt.AlignmentFlag.AlignVCenter), (self.text, 1), of=self, margins=0, spacing=GRID)

    def show_sighting(self, sdk: Sdk, sighting: Sighting | None, environment: Environment, theme: Theme) -> None:
        """Show the first request with a key of an environment, or that none has arrived yet."""
        c = colors(theme)
        if sighting is None:
            name, color, role = "hourglass", c.muted, "muted"
        elif sighting.environment is environment:
            name, color, role = "check-circle", c.good, "good"
        else:
            name, color, role = "warning-circle", c.danger, "error"
        self.mark.setPixmap(icon(name, theme, color=color).pixmap(_ICON, _ICON))
        self.text.setText(arrival_text(sdk, sighting, environment))
        restyle(self.text, "role", role)


def arrival_text(sdk: Sdk, sighting: Sighting | None, environment: Environment) -> str:
    """Return a text about an SDK's first request, which should use a key of `environment`."""
    if sighting is None:
        return tr("Waiting for the first request…")
    client = (
        tr("{sdk_name} SDK", sdk_name=sdk.label)
        if sighting.version is None
        else tr("{sdk_name} SDK {version}", sdk_name=sdk.label, version=sighting.version)
    )
    at = f"{_local(sighting.at):%H:%M:%S}"
    if sighting.environment is environment:
        return tr("Connected: the {sdk_name} sent its first request at {time}.", sdk_name=client, time=at)
    if sighting.environment is not None:
        other, wanted = sighting.environment.name.title(), environment.name.title()
        return tr(
            "The {sdk_name} sent a request at {time} with a {used_environment} key. "
            "Use the {wanted_environment} key below.",
            sdk_name=client,
            time=at,
            used_environment=other,
            wanted_environment=wanted,
        )
    return tr(
        "The {sdk_name} sent a request at {time}, but its key is not one of this workspace's keys. Check the key.",
        sdk_name=client,
        time=at,
    )


def _local(moment: datetime) -> datetime:
    return moment.astimezone()


class SdkDialog(QDialog):
    """A page for each SDK. The dialog is modeless, so the window stays usable."""

    start_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Connect an SDK"))
        self.resize(_WIDTH, _HEIGHT)
        self._theme: Theme = "light"
        self._target: Target | None = None
        self._sightings: Sightings | None = None
        self._environment = Environment.TEST
        self.switch = PageSwitch(tuple(sdk.label for sdk in Sdk))
        self.switch.spread()
        self.switch.chosen.connect(self.show_page)
        self.environment = label("", "hint", wrap=True)
        self.stopped = QFrame()
        in_row(
            (label(tr("The endpoint is stopped and cannot receive requests."), "error", wrap=True), 1),
            button(tr("Start"), self.start_requested.emit),
            of=self.stopped,
            margins=0,
        )
        self.arrivals = {sdk: Arrival() for sdk in Sdk}
        self._status = QStackedWidget()
        self._pages = QStackedWidget()
        for arrival in self.arrivals.values():
            self._status.addWidget(arrival)
        self._status.setFixedHeight(2 * self.fontMetrics().lineSpacing() + 4)
        in_dialog(self, self.switch, self._status, self.stopped, (self._pages, 1), self.environment)

    @property
    def sdk(self) -> Sdk:
        """The SDK of the displayed page."""
        return tuple(Sdk)[self._status.currentIndex()]

    def codes(self) -> list[Code]:
        """Return the code blocks of the displayed page, from top to bottom."""
        page = self._pages.currentWidget()
        return [] if page is None else page.findChildren(Code)

    def set_theme(self, theme: Theme) -> None:
        """Colour the icons."""
        self._theme = theme
        self._fill()
        self.show_arrivals()

    def show_page(self, number: int) -> None:
        """Show the page of an SDK."""
        self.switch.show_page(number)
        self._status.setCurrentIndex(number)
        self._pages.setCurrentIndex(number)

    def show_target(self, target: Target, environment: Environment, sightings: Sightings, *, running: bool) -> None:
        """Fill in the endpoint and the keys of an environment."""
        self._sightings, self._environment = sightings, environment
        self.stopped.setVisible(not running)
        name = environment.name.title()
        self.environment.setText(
            tr("These lines use {environment} keys, so the app's requests go to {environment}.", environment=name)
        )
        if target != self._target:
            self._target = target
            self._fill()
        self.show_arrivals()

    def show_arrivals(self) -> None:
        """Show which SDKs have sent a request."""
        for sdk, arrival in self.arrivals.items():
            sighting = None if self._sightings is None else self._sightings.first(sdk, self._environment)
            arrival.show_sighting(sdk, sighting, self._environment, self._theme)

    def _fill(self) -> None:
        if self._target is None:
            return
        number = self._status.currentIndex()
        while (page := self._pages.widget(0)) is not None:
            self._pages.removeWidget(page)
            page.deleteLater()
        for sdk in Sdk:
            self._pages.addWidget(Scroll(self._page(parts(instructions(sdk, self._target)))))
        self._pages.setCurrentIndex(number)

    def _page(self, content: list[Part]) -> QWidget:
        body = QWidget()
        body.setObjectName("Panel")
        layout = in_column(of=body, margins=(2 * GRID, GRID, GRID, GRID), spacing=GRID)
        for part in content:
            if part.language is None:
                layout.addWidget(label(part.text.replace("`", "").replace("*", ""), wrap=True))
            else:
                layout.addWidget(Code(part.text, part.language, self._theme))
        layout.addStretch(1)
        return body
