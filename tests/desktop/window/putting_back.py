"""The initial state of a window, and its restoration as by a user. Anything not restored is found by `traces`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QHeaderView,
    QLineEdit,
    QSlider,
    QSpinBox,
    QSplitter,
    QWidget,
)
from shiboken6 import isValid

from app.desktop.window.main_window import MainWindow

_MISSING: Final = object()
_OURS: Final = "app.desktop."
_DEEP: Final = 3


class Firsts:
    """The choices of a new window: checked, selected, sorted and split, and the dialogs that exist."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._state = window.saveState()
        self._focus = window.focusWidget()
        self._checked = {each: each.isChecked() for each in window.findChildren(QAction) if _is_switch(each)}
        self._inputs = dict(_inputs_of(window))
        self._sorted = {each: _order_of(each) for each in window.findChildren(QHeaderView)}
        self._splitters = {each: each.saveState() for each in window.findChildren(QSplitter)}
        self._dialogs = {(id(owner), name) for owner, name, _ in _dialogs_of(window)}

    def put_back(self) -> None:
        """Restore all choices."""
        self._drop_dialogs()
        if self._window.appearance.theme != "light":
            self._window.appearance.choose("light")
        for action, checked in self._checked.items():
            # Actions of menus that are filled again were deleted.
            if isValid(action) and action.isChecked() != checked:
                action.trigger()
        self._put_back_inputs()
        for header, order in self._sorted.items():
            if isValid(header) and _order_of(header) != order:
                header.setSortIndicator(*order)
        if (graph := self._window.timeline_panel.graph) is not None:
            graph.fit()
        if self._window.saveState() != self._state:
            self._window.restoreState(self._state)
            self._window.docks.name_tabbed()
        for splitter, state in self._splitters.items():
            if splitter.saveState() != state:
                splitter.restoreState(state)

    def put_back_focus(self) -> None:
        """Restore the keyboard focus."""
        self._window.activateWindow()
        if self._focus is not None:
            self._focus.setFocus()

    def _drop_dialogs(self) -> None:
        """Delete dialogs that are created on first use."""
        for owner, name, dialog in list(_dialogs_of(self._window)):
            if (id(owner), name) in self._dialogs:
                continue
            setattr(owner, name, None)
            if isValid(dialog):
                dialog.close()
                dialog.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def _put_back_inputs(self) -> None:
        for widget, value in self._inputs.items():
            if isValid(widget) and _value_of(widget) != value:
                _set(widget, value)


def _order_of(header: QHeaderView) -> tuple[int, Qt.SortOrder]:
    return header.sortIndicatorSection(), header.sortIndicatorOrder()


def _is_switch(action: QAction) -> bool:
    return action.isCheckable() and action.actionGroup() is None and bool(action.text())


def _inputs_of(window: MainWindow) -> Iterator[tuple[QWidget, object]]:
    """Yield the inputs outside the settings and the forms, which are filled again for each geofence."""
    forms = window.form, window.beacon_form, window.project.dialog
    for kind in (QComboBox, QSlider, QAbstractButton, QLineEdit, QSpinBox, QDoubleSpinBox):
        for widget in window.findChildren(kind):
            if any(form.isAncestorOf(widget) for form in forms) or isinstance(widget.parent(), QAbstractSpinBox):
                continue
            if (value := _value_of(widget)) is not _MISSING:
                yield widget, value


def _value_of(widget: QWidget) -> object:
    if isinstance(widget, QComboBox):
        return widget.currentIndex()
    if isinstance(widget, QSlider | QSpinBox | QDoubleSpinBox):
        return widget.value()
    if isinstance(widget, QAbstractButton):
        return widget.isChecked() if widget.isCheckable() else _MISSING
    return widget.text() if isinstance(widget, QLineEdit) and not widget.isReadOnly() else _MISSING


def _set(widget: QWidget, value: Any) -> None:
    if isinstance(widget, QComboBox):
        widget.setCurrentIndex(value)
        widget.activated.emit(value)
    elif isinstance(widget, QSlider):
        widget.setValue(value)
    elif isinstance(widget, QSpinBox | QDoubleSpinBox):
        widget.setValue(value)
        widget.editingFinished.emit()
    elif isinstance(widget, QAbstractButton):
        widget.click()
    elif isinstance(widget, QLineEdit):
        widget.setText(value)
        widget.editingFinished.emit()


def _dialogs_of(window: MainWindow) -> Iterator[tuple[object, str, QDialog]]:
    """Yield the dialogs that parts of a window keep, with their owner and the name of the attribute."""
    waiting: list[tuple[object, int]] = [(window, 0)]
    seen = {id(window)}
    while waiting:
        owner, deep = waiting.pop()
        for name, value in list(vars(owner).items()):
            if isinstance(value, QDialog):
                yield owner, name, value
            elif deep < _DEEP and id(value) not in seen and _is_ours(value):
                seen.add(id(value))
                waiting.append((value, deep + 1))


def _is_ours(value: object) -> bool:
    return type(value).__module__.startswith(_OURS) and hasattr(value, "__dict__")
