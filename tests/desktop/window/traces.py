"""The complete state that a test may have left in a window, as flat values, which are equal for equal windows."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Set
from datetime import date, time, timedelta, tzinfo
from enum import Enum, auto
from functools import cache
from itertools import islice
from pathlib import Path
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from app.desktop.panels.bubble import Bubble
from app.desktop.window.main_window import MainWindow

type Traces = dict[str, object]


class _Kind(Enum):
    PLAIN = auto()
    CALLED = auto()
    COUNTED = auto()
    """Values that are only counted.

    They include version numbers and times, which always increase, but whose effects are visible. They also include
    signals, since an object has those of its class.
    """
    MAPPING = auto()
    LISTED = auto()
    SET = auto()
    OTHER = auto()


_KINDS: Final[dict[_Kind, tuple[type, ...]]] = {
    _Kind.PLAIN: (type(None), bool, str, bytes, Enum, tzinfo, Path),
    _Kind.CALLED: (FunctionType, MethodType, BuiltinMethodType),
    _Kind.COUNTED: (int, float, date, time, timedelta, SignalInstance),
    _Kind.MAPPING: (Mapping,),
    _Kind.LISTED: (list, tuple, deque),
    _Kind.SET: (Set,),
}
"""The kinds of values by type. The first match applies."""

_SPELT: Final = (tuple, dict, bytes)
_SIZED: Final = (_Kind.MAPPING, _Kind.LISTED, _Kind.SET)
_KEYS: Final = (str, int, Enum)
_OURS: Final = ("app.desktop.", "engine.domain.")
_AT_MOST: Final = 50
"""Maximum number of elements of a long collection that are compared."""

_SHOWN: Final = ("enabled", "text", "plainText", "checked", "currentIndex", "currentText", "value", "title", "toolTip")
_SHOWN_TOO: Final = ("placeholderText", "readOnly", "styleSheet", "accessibleName", "accessibleDescription", "count")

_INPUTS: Final[dict[type[QWidget], str]] = {
    QStackedWidget: "currentIndex",
    QTabBar: "currentIndex",
    QComboBox: "currentIndex",
    QLineEdit: "text",
    QAbstractButton: "checked",
    QSlider: "value",
    QPlainTextEdit: "plainText",
}
_INNER: Final = ("qt_scrollarea_hcontainer", "qt_scrollarea_vcontainer", "qt_toolbar_ext_button")
"""Parts of Qt's own widgets, which Qt creates and shows on demand."""

_OTHER_EACH_TIME: Final = re.compile(
    r"""
    window\.model\.session\b                # another workspace each time, with its port and its keys
    | window\.map\._profile\b               # one for all windows
    | \._?(anchor|anchored)\b                # the time at which a log began
    | window\.map\._(last_question|marks|outbox)\b  # numbers of what has been said to the page
    | window\.status\._forms\b
    | window\.(form|beacon_form)\.          # what a form showed last; what is seen of it is looked at below
    | window\.list\.model\.tree\._(tags|numbers)\b  # which row each tag has had
    | window\.(fences|beacons)\._last_created\b
    | window\.search\.(_shown|_finder|popup\.rows)\b  # of the list that is hidden: each question fills it anew
    | window\.(user\.facts|why\.reasons|why\.reached)\._rows\b  # labels that are hidden until they are needed again
    | \.error\._layer\b                    # what an error is written on, made for the first one of a field
    | \.__METAOBJECT__\b                   # what PySide notes at the first signal of an object
    | window\.list\._row_lost\b
    | /MenuBar\ MenuBar\ \d+(\#|/QMenu)  # Qt's menu of those that do not fit, made when the window is first narrow
    | window\.table\.(_top|rows\._(sorted|changed))\b  # of rows that are hidden: they are read anew when it is shown
    | window\.map\._frames\b
    | window\.clock\.dialog\._zone\b         # where it showed the time last; it is asked anew when it opens
    | \._pending\b                         # a call that is about to be made
    """,
    re.VERBOSE,
)

_LEFT_OUT: Final = ("window.panes._last", "window.timeline_panel._graph")
"""Attributes that are not visited.

The focused widgets of the panes are cleared before the next test. The graph of an expanded timeline shows the data of
its controller.
"""

_NEW_EACH_TIME: Final = re.compile(r"127\.0\.0\.1:|prj_(test|live)_")
"""Parts of values and shown texts that belong to the workspace."""


def traces_of(window: MainWindow) -> Traces:
    """Return all of a window's own state, by its location."""
    found: Traces = {}
    _Walk(found).all_of("window", window)
    found |= _widgets(window) | _inputs(window)
    return {path: value for path, value in found.items() if not (_differs(path) or _is_of_workspace(value))}


@cache
def _differs(path: str) -> bool:
    return _OTHER_EACH_TIME.search(path) is not None or _is_of_workspace(path)


def _is_of_workspace(value: object) -> bool:
    if not isinstance(value, str):
        # Most values are True, False or None.
        value = str(value) if isinstance(value, _SPELT) else ""
    return bool(value) and _NEW_EACH_TIME.search(value) is not None


def differences(one: Traces, other: Traces) -> list[str]:
    """Return the locations at which two windows differ, and the differences."""
    if one == other:
        return []
    return [
        f"{path}: {one.get(path)!r:.100} != {other.get(path)!r:.100}"
        for path in sorted(one.keys() | other.keys())
        if one.get(path) != other.get(path)
    ]


class _Walk:
    """Visits all objects of the program, each of them once."""

    def __init__(self, found: Traces) -> None:
        self._found = found
        self._seen: set[int] = set()
        self._alive: list[object] = []

    def all_of(self, name: str, root: object) -> None:
        """Record everything that can be reached from an object."""
        found, seen = self._found, self._seen
        waiting: deque[tuple[str, Any]] = deque([(name, root)])
        while waiting:
            path, value = waiting.popleft()
            kind = _kind_of(value.__class__)
            if kind is _Kind.PLAIN:
                found[path] = value
            elif kind is _Kind.CALLED:
                found[path] = value.__qualname__
            elif id(value) not in seen:
                seen.add(id(value))
                self._alive.append(value)
                found[path] = type(value).__qualname__
                waiting.extend(self._parts(path, value, kind))

    def _parts(self, path: str, value: Any, kind: _Kind) -> Iterator[tuple[str, object]]:
        if kind in _SIZED:
            self._found[f"{path}#"] = len(value)
        if kind is _Kind.MAPPING:
            for number, (key, each) in enumerate(islice(value.items(), _AT_MOST)):
                if _kind_of(each.__class__) is not _Kind.COUNTED:
                    yield f"{path}[{key if isinstance(key, _KEYS) else number}]", each
        elif kind is _Kind.LISTED:
            for number, each in enumerate(islice(value, _AT_MOST)):
                if _kind_of(each.__class__) is not _Kind.COUNTED:
                    yield f"{path}[{number}]", each
        elif _is_ours(value.__class__):
            for name, each in _attributes(value):
                if _kind_of(each.__class__) is not _Kind.COUNTED and (part := f"{path}.{name}") not in _LEFT_OUT:
                    yield part, each


@cache
def _kind_of(kind: type) -> _Kind:
    return next((found for found, kinds in _KINDS.items() if issubclass(kind, kinds)), _Kind.OTHER)


@cache
def _is_ours(kind: type) -> bool:
    return kind.__module__.startswith(_OURS)


@cache
def _slots_of(kind: type) -> tuple[str, ...]:
    return tuple(name for each in kind.__mro__ for name in getattr(each, "__slots__", ()))


def _attributes(value: Any) -> Iterator[tuple[str, Any]]:
    yield from getattr(value, "__dict__", {}).items()
    for name in _slots_of(value.__class__):
        if hasattr(value, name):
            yield name, getattr(value, name)


def _inputs(window: MainWindow) -> Traces:
    """Return the choices and texts in a window, visible or not, without the forms, which vary by geofence."""
    found: Counter[str] = Counter()
    forms = window.form, window.beacon_form
    widgets: list[Any] = window.findChildren(QWidget)
    for widget in widgets:
        if (kind := _input_of(widget.__class__)) is not None:
            value = widget.property(_INPUTS[kind])
            if value and (kind is QStackedWidget or not any(form.isAncestorOf(widget) for form in forms)):
                label = widget.text() or widget.objectName() if isinstance(widget, QAbstractButton) else value
                found[f"{_owner(widget)} has {type(widget).__qualname__} {label}"] += 1
        if isinstance(widget, QLineEdit) and (widget.isUndoAvailable() or widget.isRedoAvailable()):
            found[f"{_owner(widget)} has typing to undo"] += 1
        elif isinstance(widget, QHeaderView) and widget.orientation() is Qt.Orientation.Horizontal:
            # A vertical header sorts nothing, although Qt counts the rows that come before its mark.
            found[f"{_owner(widget)} is sorted by {widget.sortIndicatorSection()}"] += 1
    return {f"input: {label}": number for label, number in found.items()}


@cache
def _input_of(kind: type) -> type[QWidget] | None:
    return next((each for each in _INPUTS if issubclass(kind, each)), None)


def _owner(widget: QWidget) -> str:
    return type(widget.parent()).__qualname__


_NAMES: dict[type, tuple[str, ...]] = {}


def _widgets(window: MainWindow) -> Traces:
    """Return the visible state of each widget, and the existing actions."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    focus = application.focusWidget()
    found: Traces = {
        "title": window.windowTitle(),
        "theme": hash(application.styleSheet()),
        "focus": type(focus).__qualname__,
        "active": window.isActiveWindow(),
    }
    waiting: list[tuple[str, QObject]] = [("", window)]
    while waiting:
        path, parent = waiting.pop()
        numbers: Counter[str] = Counter()
        for child in parent.children():
            name = f"{type(child).__name__} {child.objectName()}"
            if name.endswith(_INNER) or (isinstance(child, Bubble) and not child.text()):
                continue
            if parent is window and isinstance(child, QTabBar):
                # Qt creates tab bars for its docks, and takes any of them for an area that needs one.
                if child.visibleRegion().isEmpty():
                    continue
                name += f"at {child.x()},{child.y()}"
            numbers[name] += 1
            place = f"{path}/{name} {numbers[name]}"
            if isinstance(child, QWidget):
                found[place] = child.isHidden()
                if not child.visibleRegion().isEmpty():
                    waiting.append((place, child))
                    found[place] = _look(child)
            elif isinstance(child, QAction):
                found[place] = (child.text(), child.isEnabled(), child.isChecked(), child.isVisible(), child.toolTip())
        found[f"{path}#"] = dict(numbers)
    return found


def _look(widget: QWidget) -> tuple[object, ...]:
    kind = type(widget)
    if kind not in _NAMES:
        meta = widget.metaObject()
        _NAMES[kind] = tuple(name for name in _SHOWN + _SHOWN_TOO if meta.indexOfProperty(name) >= 0)
    return (widget.geometry().getRect(), *(widget.property(name) for name in _NAMES[kind]))


TIDY: Final = r"""
(() => {
  const map = window[document.querySelector(".folium-map").id];
  // Leaflet makes them for the first shape, and again when they are gone.
  const empty = (layer) => layer instanceof L.SVG && Object.keys(layer._layers).length === 0;
  Object.values(map._layers).filter(empty).forEach((layer) => layer.remove());
})();
"""
"""Script for the map's page that removes the drawing surfaces without content."""

PAGE: Final = r"""
(() => {
  const map = window[document.querySelector(".folium-map").id];
  const found = { camera: [map.getCenter().lng, map.getCenter().lat, map.getZoom()].join(" ") };
  for (const [kind, listeners] of Object.entries(map._events)) {
    if (listeners.length) found[`map on ${kind}`] = listeners.length;
  }
  found.layers = Object.keys(map._layers).length;
  found.globals = Object.keys(window).length;
  found.look = JSON.stringify([document.documentElement.dataset, map.getContainer().dataset]);
  found.classes = [...map.getContainer().classList].sort().join(" ");
  const drawn = (node) => node.outerHTML.replace(/<canvas[^>]*>/g, "<canvas>");
  for (const name of ["overlay", "editing", "devices", "handles", "tooltip", "marker", "popup", "shadow"]) {
    found[`pane ${name}`] = drawn(map.getPane(name) ?? map.getPanes()[name + "Pane"]);
  }
  const unchecked = (node) => [...node.querySelectorAll("input")].map(({ checked }) => checked).join();
  for (const node of map.getContainer().querySelectorAll(".leaflet-control, .fw-hint, .fw-out-of-sight")) {
    // What is hidden has its text when it is shown.
    found[`control ${node.className}`] = node.hidden ? "hidden" : node.outerHTML + unchecked(node);
  }
  const seen = new Set([map]);
  const overlays = Object.values(map._layers).filter(({ painters }) => painters);
  const waiting = overlays.map(({ painters }, at) => [`overlay ${at}`, painters]);
  const strange = (value) => value instanceof Node || value instanceof CanvasRenderingContext2D || value._leaflet_id;
  while (waiting.length) {
    const [where, value] = waiting.shift();
    if (value === null || value === undefined) continue;
    if (typeof value !== "object") {
      if (typeof value !== "function") found[where] = String(value);
      continue;
    }
    if (seen.has(value) || strange(value)) continue;
    seen.add(value);
    if (value instanceof Map || value instanceof Set) found[`${where}#`] = value.size;
    else if (Array.isArray(value)) found[`${where}#`] = value.length;
    if (value instanceof Map || value instanceof Set || (Array.isArray(value) && value.length > 20)) continue;
    for (const [name, part] of Object.entries(value)) {
      // What it has moved last, which it forgets when it begins anew.
      if (name === "mover" && !part.dragging) continue;
      if (!name.startsWith("_") && !["map", "theme", "known", "placed", "pressed"].includes(name)) {
        waiting.push([`${where}.${name}`, part]);
      }
    }
  }
  return JSON.stringify(found);
})()
"""
"""Script that returns the state of the map's page: camera, listeners, layers, elements and painted content."""
