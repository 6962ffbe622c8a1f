"""Widgets that another names, left where they belong.

PySide takes a widget that a getter returns for a part of the widget it was asked of. When that one is deleted, so, for
Python, are all parts of the other, such as the actions of its menus, though the window still shows them. Setting the
parent that a widget has already changes nothing in Qt, and puts this right. The neighbours in the focus chain are
related to all of the window: nothing may ask for those.
"""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget


def buddy_of(label: QLabel) -> QWidget | None:
    """Return the control that a label stands for."""
    return _where_it_is(label.buddy())


def focus_proxy_of(widget: QWidget) -> QWidget | None:
    """Return the widget that has the keyboard for another."""
    return _where_it_is(widget.focusProxy())


def _where_it_is(found: QWidget | None) -> QWidget | None:
    # PySide says that there always is one.
    if found is not None and (parent := found.parentWidget()) is not None:
        found.setParent(parent)
    return found
