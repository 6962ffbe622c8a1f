"""The toolbar: the workspace, Test or Live, the tools and the search."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QLineEdit, QSizePolicy, QToolBar, QToolButton

from app.desktop.icons import icon
from app.desktop.language import tr
from app.desktop.map.values import Theme
from app.desktop.panels.fields.basic import ELSEWHERE, TextLine
from app.desktop.panels.layouts import in_row
from app.desktop.panels.menus import Menu
from app.desktop.panels.widgets import button_text, key_text, tip_text
from app.desktop.window.actions.actions import Actions
from app.desktop.window.actions.menu_bar import MenuBar
from engine.domain.environment import Environment

_TYPED_MS = 20
_INVITATIONS = (
    tr("Search address, place, geofence, coordinates"),
    tr("Address, place, geofence, lat, lon"),
    tr("Place, geofence, lat, lon"),
    tr("Search"),
)
_WISHED = "x" * 17
_FRAME_WIDTH = 44
_ICONS_WIDTH = 48
"""Width of the icons in the search box, in pixels."""

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
_PAGES = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}


class EnvironmentSwitch(QFrame):
    """A pair of buttons, one of which is pressed."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("Environments")
        self._group = QButtonGroup(self)
        self.test = self._button("TEST", "TestButton", Environment.TEST, tr("Test data, for development"))
        self.live = self._button("LIVE", "LiveButton", Environment.LIVE, tr("Live data, for production"))
        in_row(self.test, self.live, of=self, margins=0, spacing=0)

    def show_environment(self, environment: Environment) -> None:
        """Press the button of an environment."""
        (self.live if environment.live else self.test).setChecked(True)

    def _button(self, text: str, name: str, environment: Environment, tip: str) -> QToolButton:
        made = QToolButton()
        made.setText(text)
        made.setObjectName(name)
        made.setToolTip(tip_text(tip))
        made.setCheckable(True)
        made.clicked.connect(lambda: self.chosen.emit(environment))
        self._group.addButton(made)
        return made


class SearchBox(TextLine):
    """Emits the typed text and the keys for the list below it; text being composed is left to the input method."""

    edited = Signal()
    typed = Signal(str)
    entered = Signal()
    entered_here = Signal()
    stepped = Signal(int)
    paged = Signal(int)
    dismissed = Signal()
    focused = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(_INVITATIONS[-1])
        self.setAccessibleName(tr("Search"))
        self.setAccessibleDescription(tr("Address, place, geofence, or latitude, longitude"))
        self.setToolTip(
            tip_text(tr("Address, place, geofence, or latitude, longitude ({shortcut})", shortcut=key_text("Ctrl+F")))
        )
        self.setClearButtonEnabled(True)
        self.setMinimumWidth(160)
        self.setMaximumWidth(480)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._lens = self.addAction(icon("magnifying-glass", "light"), QLineEdit.ActionPosition.LeadingPosition)
        self._rest = QTimer(self, singleShot=True, interval=_TYPED_MS)
        self._rest.timeout.connect(lambda: self.typed.emit(self.text()))
        self.textChanged.connect(self._on_text)

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the search icon."""
        self._lens.setIcon(icon("magnifying-glass", theme))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show the longest placeholder that fits."""
        super().resizeEvent(event)
        room = self.width() - _ICONS_WIDTH
        fitting = (text for text in _INVITATIONS if self.fontMetrics().horizontalAdvance(text) <= room)
        self.setPlaceholderText(next(fitting, _INVITATIONS[-1]))

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the same size with and without text.

        Qt would add the width of the clear button when text is typed, which would move other parts.
        """
        return QSize(self.fontMetrics().horizontalAdvance(_WISHED) + _FRAME_WIDTH, super().sizeHint().height())

    def flush(self) -> None:
        """Emit the typed text immediately if that is still due."""
        if self._rest.isActive():
            self._rest.stop()
            self.typed.emit(self.text())

    def event(self, event: QEvent) -> bool:
        """Claim the keys of the list before the window's shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._meaning(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Move in the list, confirm the current result, or edit the text."""
        meaning = self._meaning(event)
        if meaning is None:
            super().keyPressEvent(event)
        else:
            meaning()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Emit `focused`, except when the focus returns from another window or a menu."""
        super().focusInEvent(event)
        if event.reason() not in ELSEWHERE:
            self.focused.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Emit `focused`, so that a click opens the list again."""
        super().mousePressEvent(event)
        self.focused.emit()

    def _meaning(self, event: QKeyEvent) -> Callable[[], None] | None:
        key, modifiers = Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        enter = key in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and modifiers == Qt.KeyboardModifier.ControlModifier:
            return self.entered_here.emit
        if modifiers:
            return None
        if enter:
            return self.entered.emit
        if key == Qt.Key.Key_Escape:
            return self.dismissed.emit
        if key in _STEPS:
            return lambda: self.stepped.emit(_STEPS[key])
        return (lambda: self.paged.emit(_PAGES[key])) if key in _PAGES else None

    def _on_text(self) -> None:
        self.edited.emit()
        self._rest.start()


class Toolbar(QToolBar):
    """The toolbar of the main window. `restyled` is emitted when its parts may have other sizes."""

    restyled = Signal()

    def __init__(self, actions: Actions, menus: MenuBar) -> None:
        super().__init__(tr("Tools"))
        self._fill_recent = menus.fill_recent
        self.setObjectName("Toolbar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(18, 18))
        self.environments = EnvironmentSwitch()
        self.search = SearchBox()
        self.workspace = self._menu_button(tr("Workspace"), "WorkspaceButton", self._fill_workspace_menu)
        self.layouts = self._button(tr("Layout"), "LayoutButton", menus.layout_)
        self.layouts.setToolTip(tip_text(tr("Layout of the panels")))
        self._actions = actions
        self._build()

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the icons."""
        self.workspace.setIcon(icon("folder", theme))
        self.layouts.setIcon(icon("layout", theme))
        self.search.set_theme(theme)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Emit `restyled` after a change of font or style."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.restyled.emit()

    def show_workspace(self, name: str) -> None:
        """Show the name of the open workspace."""
        self.workspace.setText(f"{button_text(name)} ▾")
        # The mnemonic is fixed because the name changes.
        self.workspace.setShortcut(QKeySequence.mnemonic("&Workspace"))

    def _build(self) -> None:
        a = self._actions
        self.addWidget(self.workspace)
        self.addWidget(self.environments)
        self.addSeparator()
        for action in (a.select, a.circle, a.polygon, a.isochrone):
            self.addAction(action)
        after_tools, after_history = self.addSeparator(), self.addSeparator()
        self._spare = (
            (a.beacon, after_tools),
            (a.move, after_tools),
            (a.delete, after_tools),
            (a.undo, after_history),
            (a.redo, after_history),
        )
        self.addWidget(self.search)
        self.addWidget(self.layouts)
        self.show_spare(shown=True)

    def show_spare(self, *, shown: bool) -> None:
        """Show or hide the actions that are also available by key."""
        there = self._spare[0][0] in self.actions()
        for action, before in self._spare if shown != there else ():
            if shown:
                self.insertAction(before, action)
                self._tool(action).setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
            else:
                self.removeAction(action)

    def _tool(self, action: QAction) -> QToolButton:
        made = self.widgetForAction(action)
        assert isinstance(made, QToolButton)
        return made

    def show_layout(self, name: str) -> None:
        """Show the name of the chosen layout."""
        self.layouts.setText(f"{name or tr('Layout')} ▾")
        self.restyled.emit()

    def _menu_button(self, text: str, name: str, fill: Callable[[Menu], None]) -> QToolButton:
        menu = Menu(self)
        menu.aboutToShow.connect(lambda: fill(menu))
        return self._button(text, name, menu)

    def _button(self, text: str, name: str, menu: Menu) -> QToolButton:
        made = QToolButton()
        made.setText(f"{text} ▾")
        made.setObjectName(name)
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        made.setMenu(menu)
        return made

    def _fill_workspace_menu(self, menu: Menu) -> None:
        a = self._actions
        self._fill_recent(menu)
        menu.addSeparator()
        menu.addActions([a.new, a.open, a.copy])
