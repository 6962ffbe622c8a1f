"""Access to related widgets without a change of ownership.

PySide treats a widget returned by a getter as a part of the widget that was asked. When the latter is deleted, Python
considers all parts of the returned widget deleted too, such as the actions of its menus, although the window still
shows them. Setting the parent that a widget already has changes nothing in Qt, but corrects this. The neighbours in the
focus chain are related to the whole window, so no code may ask for them.
"""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QWidget


def buddy_of(label: QLabel) -> QWidget | None:
    """Return the control that a label belongs to."""
    return _reparented(label.buddy())


def focus_proxy_of(widget: QWidget) -> QWidget | None:
    """Return the widget that receives the keyboard focus on behalf of another."""
    return _reparented(widget.focusProxy())


def _reparented(found: QWidget | None) -> QWidget | None:
    # PySide's type stubs claim that there is always a parent.
    if found is not None and (parent := found.parentWidget()) is not None:
        found.setParent(parent)
    return found
