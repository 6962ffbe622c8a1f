"""A walk through the window in German, in a separate process that ``test_language.py`` runs with pytest.

Modules get their texts when they are imported, so the language applies to a whole process.
"""

from __future__ import annotations

from functools import cache

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QToolButton, QWidget

from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.dialogs.palette import CommandPalette
from app.desktop.dialogs.send_request import SendDialog
from app.desktop.dialogs.tracks.numbers import NumbersDialog
from app.desktop.dialogs.tracks.skipped import SkippedDialog, skipped_text
from app.desktop.dialogs.whatif.sweep import SweepDialog
from app.desktop.language.catalogue import language, translate_qt
from app.desktop.map_export.dialog import MapExportDialog
from engine.domain.tracking.sweep import SweepParameter, SweepPoint, SweepResult
from engine.simulation.formats.reading import parse_track
from tests.desktop.window.test_accessibility import MADE, fill
from tests.desktop.window.test_letters import check_letters, check_panels
from tests.desktop.window.test_placeholders import check_fences_and_events, unfilled_in
from tests.desktop.window.test_widths import check_below, check_docks, check_form
from tests.desktop.window.texts_shown import shown
from tests.desktop.window.user import User
from tests.translations import catalogue_file, read_catalogue

GIVEN = {
    ColumnsDialog: {"Kind"},
    MapExportDialog: {"Map"},
    NumbersDialog: {"Title", "Text", "Start after", "Join"},
    SendDialog: {"No key"},
}
"""Texts that the tests themselves pass to dialogs."""

WIRE = frozenset({"foreground", "stopped", "enabled"})
"""Fields with the names that the API uses."""

OF_PLOTS = frozenset({"Export", "Mouse Mode", "View All"})
"""Actions of pyqtgraph's own menus, which are disabled."""


@cache
def english() -> frozenset[str]:
    """Return every text that differs in German."""
    assert language() == "de"
    messages = read_catalogue(catalogue_file("de"))
    return frozenset(text for text, message in messages.items() if message.translations[0] not in ("", text))


def left_in_english(root: QWidget) -> str:
    """Return the texts that are shown in English despite a translation, one per line."""
    known = english() - WIRE - GIVEN.get(type(root), set())
    texts = set(shown(root)) - {("QAction", text) for text in OF_PLOTS} - {("MapBrowser", "Map")}
    return "\n".join(sorted(f"{name}: {text}" for name, text in texts if text in known))


@pytest.fixture(autouse=True, scope="module")
def _qt_is_german(qapp: QApplication) -> None:
    translate_qt(qapp)


def test_the_window_is_in_german(user: User) -> None:
    fill(user)
    user.window.actions_.why.trigger()
    user.idle()
    assert len(set(shown(user.window))) > 400
    assert left_in_english(user.window) == ""
    for dialog in user.window.findChildren(QDialog):
        assert left_in_english(dialog) == ""


def test_dialogs_are_in_german(user: User) -> None:
    """All dialogs are checked in the same window, since resetting it takes longer than checking a dialog."""
    user.given()
    for kind, make in MADE.items():
        dialog = make(user)
        assert left_in_english(dialog) == "", kind
        assert unfilled_in(dialog) == [], kind
        check_letters(dialog)


def test_tools_have_their_names_in_a_window_of_the_usual_size(user: User) -> None:
    user.window.resize(1280, 800)
    circle = user.window.toolbar.widgetForAction(user.window.actions_.circle)
    assert isinstance(circle, QToolButton)
    user.until(lambda: circle.toolButtonStyle() is Qt.ToolButtonStyle.ToolButtonTextBesideIcon)


def test_no_page_is_wider_than_its_panel_in_german(user: User) -> None:
    user.window.resize(1280, 800)
    user.window.docks.arrange()
    assert "\n".join((*check_form(user), *check_docks(user))) == ""


def test_a_command_is_found_by_words_of_both_languages(user: User) -> None:
    palette = CommandPalette(user.window, user.window.actions_.all(), lambda _: None)
    for words in ("luftbild", "satellite", "kacheln tiles"):
        QTest.keyClicks(palette.search, words)
        found = palette.list.topLevelItem(0)
        assert found is not None
        assert found.text(0) == user.window.actions_.imagery.iconText()
        palette.search.clear()
    palette.deleteLater()


def test_the_curves_of_a_sweep_have_german_numbers(user: User) -> None:
    points = tuple(SweepPoint(value, 10, 10, found, 5, 2.5, 7.5) for value, found in ((0.5, 9), (1.5, 10)))
    dialog = SweepDialog(user.window, "Shop", "light")
    dialog.show_points(SweepResult(SweepParameter.DWELL, points), finished=True)
    plot = dialog.plot._plots[-1]
    for axis in (plot.getAxis(side) for side in ("left", "bottom")):
        assert axis.tickStrings([0.5, 1.5], 1, 0.5) == ["0,5", "1,5"]
    assert "Verweilschwelle" in plot.getAxis("bottom").labelText
    assert "1,5 min" in dialog.verdict.text()
    dialog.deleteLater()


TRACK = """\
{"type": "FeatureCollection", "features": [
  {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": []}, "properties": {}},
  {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[14.5, 46], [14.6, 46]]},
   "properties": {"coordTimes": ["2026-01-01T12:00:00Z", "2026-01-01T12:01:00Z"]}},
  {"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[14.5, 46], [14.6, 46]]}, "properties": {}}]}
"""


@pytest.mark.parametrize(
    ("content", "name", "shown"),
    [
        (
            TRACK,
            "a.geojson",
            [
                "Ohne Zeit und daher ausgelassen: 1 von 2 Linien.",
                "Ausgelassen: 1 Polygon (kein Weg).",
            ],
        ),
        (
            b"lat,lon,time,odd\n1,2,2026-01-01T12:00:00Z,\n1,2,,\n1,x,,\n",
            "a.csv",
            [
                "1 Spalte wurde nicht erkannt: odd.",
                "Ohne Zeit: 1 von 2 Positionen.",
                "Zeile 4, Spalte lon: 'x' ist keine Zahl.",
            ],
        ),
        (
            "Breite;Länge\n1,5;2,5\n".encode("latin-1"),
            "a.csv",
            ["Der Text ist kein UTF-8; er wurde als Windows-1252 gelesen."],
        ),
    ],
)
def test_parts_left_out_of_a_track(user: User, content: str | bytes, name: str, shown: list[str]) -> None:
    track = parse_track(content if isinstance(content, bytes) else content.encode(), name)
    dialog = SkippedDialog(user.window, track)
    assert dialog.lines.toPlainText().splitlines() == shown
    assert shown[0] in skipped_text(track)
    dialog.deleteLater()


def test_panels_have_letters_in_german(user: User) -> None:
    fill(user)
    check_panels(user)


def test_no_placeholder_is_left(user: User) -> None:
    check_fences_and_events(user)


def test_panels_below_the_map_are_beside_each_other_in_german(user: User) -> None:
    assert check_below(user, (1280, 800), (1061, 700), (960, 600)) == []
