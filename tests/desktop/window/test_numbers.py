"""Numbers as they are typed in the window: the same in every field and language, or rejected at the field."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QWidget
from pytestqt.qtbot import QtBot

from app.desktop.dialogs.importing.columns import ColumnsDialog
from app.desktop.language.catalogue import use_language
from app.desktop.model.importing import Columns
from app.desktop.panels.fields.numbers import NumberBox, take_all
from app.desktop.panels.widgets import Field
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Circle, Point
from engine.domain.settings import SettingsChange
from tests.desktop.window.test_accessibility import MADE, fill
from tests.desktop.window.user import User

pytestmark = pytest.mark.parts(
    "clock", "commands", "fences", "form", "list", "project", "selection", "simulation", "time", "undoing"
)

TEST = Environment.TEST
LANGUAGES = ("en", "de")
ROOT = Path(__file__).parents[3]
BAD = "1,23,4"


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """The language of numbers. Texts that are constants stay English."""
    assert use_language(request.param) == request.param
    yield request.param
    use_language("en")


@pytest.fixture
def box(qtbot: QtBot) -> NumberBox:
    made = NumberBox("m")
    qtbot.addWidget(made)
    made.show()
    return made


def typed(box: NumberBox, text: str) -> None:
    """Replace the text of a box like a user."""
    line = box.lineEdit()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def only_radius(user: User) -> float:
    geometry = user.only().geometry
    assert isinstance(geometry, Circle)
    return geometry.radius_m


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("250.5", 250.5),
        ("250,5", 250.5),
        ("0.5", 0.5),
        ("0,5", 0.5),
        ("150.5", 150.5),
        ("1,500", 1.5),
        ("1.500", 1.5),
        ("1.234,5", 1234.5),
        ("1,234.5", 1234.5),
        ("2505", 2505.0),
        ("250.125", 250.125),
        ("1,5 km", 1500.0),
        ("7 m", 7.0),
    ],
)
def test_a_number_is_parsed_as_intended(language: str, box: NumberBox, text: str, number: float) -> None:
    typed(box, text)
    assert box.number() == number
    assert box.text() == f"{number:.12g} m".replace(".", "," if language == "de" else ".")
    assert box.refusal == ""


@pytest.mark.parametrize("text", [BAD, "12,34.5", "five", "-3", "1e30", "1.2.3", "5 min", ""])
def test_invalid_text_stays_in_the_box_and_is_refused(box: NumberBox, text: str) -> None:
    box.set_number(30.0)
    changes: list[float] = []
    box.valueChanged.connect(changes.append)
    line = box.lineEdit()
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)
    for leave in (box.clearFocus, box.hide, box.show, box.take):
        leave()
        assert box.text() == f"{text} m"
        assert box.refusal
    assert (box.number(), changes) == (30.0, [])
    assert not take_all((box,))
    QTest.keyClick(line, Qt.Key.Key_Up)
    assert box.number() == 30.0
    assert box.property("invalid") is True
    typed(box, "30")
    assert (box.text(), box.refusal, changes) == ("30 m", "", [])
    assert box.property("invalid") is False
    assert take_all((box,))


def test_errors_are_described(qtbot: QtBot, language: str) -> None:
    box = NumberBox("m")
    field = Field("Radius", box)
    qtbot.addWidget(field)
    field.show()
    errors = {}
    for text in (BAD, "five", "-3", "2000000000"):
        typed(box, text)
        errors[text] = field.error.text()
    if language == "de":
        assert errors[BAD].startswith("Hat Trennzeichen an falscher Stelle")
        return
    assert errors == {
        BAD: f"Has misplaced separators: '{BAD}'. Enter it without thousands separators, such as 1234.5.",
        "five": "Must be a number, not 'five'.",
        "-3": "Must be at least 0.",
        "2000000000": "Must be at most 1000000000.",
    }


@pytest.mark.parametrize("text", ["1,000", "1.000", "1.5", "2,0"])
def test_a_box_for_whole_numbers_takes_no_decimal_sign(qtbot: QtBot, language: str, text: str) -> None:
    box = NumberBox("runs", decimals=0)
    qtbot.addWidget(box)
    box.set_number(7)
    typed(box, text)
    assert (box.number(), box.lineEdit().text()) == (7, f"{text} runs")
    assert ("ganze Zahl" if language == "de" else "whole number") in box.refusal
    for given_, number in (("1000", 1000), ("1 000", 1000), ("1.000.000", 1_000_000)):
        typed(box, given_)
        assert (box.number(), box.text()) == (number, f"{number} runs")


@given(
    value=st.one_of(st.integers(0, 10**9), st.decimals(0, 10**6, places=3).map(float), st.floats(0, 1e9)),
    shown_in=st.sampled_from(LANGUAGES),
    typed_in=st.sampled_from(LANGUAGES),
)
def test_a_number_shown_in_a_box_is_the_same_when_it_is_typed(
    box_of_all: NumberBox, value: float, shown_in: str, typed_in: str
) -> None:
    try:
        use_language(shown_in)
        box_of_all.set_number(value)
        shown, kept = box_of_all.text(), box_of_all.spell(box_of_all.number())
        assert shown == kept
        use_language(typed_in)
        box_of_all.set_number(0.0)
        box_of_all.lineEdit().setText(shown)
        assert box_of_all.take()
        again = box_of_all.number()
        assert again == pytest.approx(value, abs=0.0051)
        use_language(shown_in)
        assert box_of_all.spell(again) == shown
    finally:
        use_language("en")


@pytest.fixture(scope="module")
def box_of_all(qapp: object) -> NumberBox:
    return NumberBox("m")


def test_the_text_for_no_number_may_end_as_the_unit_does(qtbot: QtBot) -> None:
    optional = NumberBox("s", unset="Fill all gaps")
    qtbot.addWidget(optional)
    optional.set_number(None)
    assert optional.take()
    assert optional.number() is None


def test_steps_are_those_of_the_number(box: NumberBox) -> None:
    found = []
    for value, steps in ((0.0, 1), (5.0, 1), (120.0, -1), (1000.0, 1), (100.0, -1)):
        box.set_number(value)
        box.stepBy(steps)
        found.append(box.number())
    assert found == [0.01, 5.1, 110.0, 1100.0, 99.0]


# In the window


@pytest.mark.slow
def test_a_radius_is_stored_as_intended(user: User, language: str) -> None:
    fence = user.given()
    user.select(fence)
    number, shape = user.window.form.basics.radius.number, user.window.form.findChild(QWidget, "RecordHead")
    assert shape is not None
    for text, radius in (("250.5", 250.5), ("251,25", 251.25), ("2.505,5", 2505.5)):
        user.type(number, text)
        user.until(lambda radius=radius: only_radius(user) == radius)  # type: ignore[misc]
        user.idle()
        shown = f"{radius:g}".replace(".", "," if language == "de" else ".")
        assert number.text() == f"{shown} m"
        assert shape.text.text().endswith(f", {shown} m")  # type: ignore[attr-defined]


def test_a_misread_radius_is_refused_at_its_field_and_waits_there(user: User) -> None:
    one, other = user.given(1), user.given(2, longitude=14.51)
    user.select(one)
    form = user.window.form
    number, field = form.basics.radius.number, form.field("size")
    user.type(number, BAD)
    user.idle()
    assert "misplaced separators" in field.error.text()
    assert (number.text(), only(user, one.id)) == (f"{BAD} m", 120.0)
    user.select(other)
    assert (number.text(), field.error.text()) == ("120 m", "")
    user.select(one)
    assert number.text() == f"{BAD} m"
    assert "misplaced separators" in field.error.text()
    user.engine.geofences.update(TEST, one.id, GeofenceChange(description="Renamed"))
    user.until(lambda: form.basics.description.text() == "Renamed")
    assert number.text() == f"{BAD} m"
    user.type(number, "120")
    user.idle()
    assert (number.text(), field.error.text(), only(user, one.id)) == ("120 m", "", 120.0)


def only(user: User, fence_id: str) -> float:
    (radius,) = (
        each.geometry.radius_m for each in user.stored() if each.id == fence_id and isinstance(each.geometry, Circle)
    )
    return radius


def test_a_misread_rule_is_refused_and_stepping_back_forgets_it(user: User) -> None:
    one, other = user.given(1), user.given(2, longitude=14.51)
    user.select(one)
    form = user.window.form
    user.click(form.switch.buttons[2])
    dwell, field = form.rules.editors["dwell_threshold_s"], form.field("dwell_threshold_s")
    user.type(dwell, BAD)
    assert "misplaced separators" in field.error.text()
    user.select(other)
    assert (dwell.number(), field.error.text()) == (None, "")
    user.select(one)
    assert dwell.text() == f"{BAD} min"
    user.type(dwell, "1,5")
    user.until(lambda: next(f for f in user.stored() if f.id == one.id).rules.dwell_threshold_s == 90.0)
    user.idle()
    assert (dwell.text(), field.error.text()) == ("1.5 min", "")


def test_metadata_and_settings_have_the_same_numbers(user: User, language: str) -> None:
    fence = user.given()
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(metadata={"share": 1500.5}))
    user.select(fence)
    table = user.window.form.basics.metadata.table
    sign = "," if language == "de" else "."
    user.until(lambda: table.item(0, 1) is not None and table.item(0, 1).text() == f"1500{sign}5")  # type: ignore[union-attr]
    item = table.item(0, 1)
    assert item is not None
    item.setText("12,75")
    user.until(lambda: user.only().metadata == {"share": 12.75})
    item.setText("1,2,3")
    assert user.window.form.field("metadata").error.isVisible()
    user.engine.settings.change(TEST, SettingsChange(default_dwell_threshold_s=90.0))
    user.window.actions_.settings.trigger()
    dwell = user.window.project.dialog.entry("default_dwell_threshold_s").field.editor
    assert isinstance(dwell, NumberBox)
    user.until(lambda: dwell.text() == f"1{sign}5 min")


def boxes(root: QWidget) -> list[NumberBox]:
    return root.findChildren(NumberBox)


def refuses(box: NumberBox) -> bool:
    """Whether a box keeps and rejects invalid text, and accepts numbers with either decimal sign."""
    before = box.number()
    if "whole" not in error_for(box, "1,000"):
        taken = [(error_for(box, text), box.number()) for text in ("10,5", "10.5")]
        assert taken[0] == taken[1]
    box.set_number(before)
    message = error_for(box, BAD)
    is_kept = box.lineEdit().text().startswith(BAD) and "misplaced" in message and box.number() == before
    box.set_number(before)
    return is_kept and not box.refusal


def error_for(box: NumberBox, text: str) -> str:
    """Type a text, and return the error for it."""
    box.lineEdit().setText(text)
    box.take()
    return box.refusal


@pytest.mark.whole_window
def test_every_number_of_the_window_is_read_alike(user: User) -> None:
    fill(user)
    found = boxes(user.window)
    assert len(found) >= 20
    assert [box.accessibleName() for box in found if not refuses(box)] == []


@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_every_number_of_a_dialog_is_read_alike(user: User, kind: type[QDialog]) -> None:
    user.given()
    dialog = MADE[kind](user)
    assert [box.accessibleName() for box in boxes(dialog) if not refuses(box)] == []
    dialog.deleteLater()


def test_nothing_is_started_with_a_misread_number(user: User) -> None:
    user.window.actions_.clock.trigger()
    dialog = user.window.clock.dialog
    user.until(dialog.isVisible)
    changes: list[object] = []
    dialog.changed.connect(changes.append)
    user.type(dialog.amount, BAD, enter=False)
    user.click(next(each for each in dialog.findChildren(QWidget) if getattr(each, "text", str)() == "Advance"))
    assert changes == []
    assert dialog.amount.refusal
    user.type(dialog.amount, "0,5", enter=False)
    user.click(next(each for each in dialog.findChildren(QWidget) if getattr(each, "text", str)() == "Advance"))
    assert [each.advance_s for each in changes] == [30.0]  # type: ignore[attr-defined]


def test_a_value_for_all_rows_of_an_import_is_read_alike(qtbot: QtBot, language: str) -> None:
    dialog = ColumnsDialog(None, "a.csv", ("Name",), Columns({"tag": "Name", "externalId": "Name"}, {"radius": "99.5"}))  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    decided: list[Columns] = []
    dialog.decided.connect(decided.append)
    value = dialog.rows["radius"].value
    assert value.text() == ("99,5" if language == "de" else "99.5")
    value.setText(BAD)
    dialog.accept()
    assert decided == []
    assert value.property("invalid") is True
    value.setText("250,5")
    dialog.accept()
    assert [each.fixed for each in decided] == [{"radius": "250.5"}]


def test_waypoints_are_read_in_all_forms_and_waits_in_either_language(user: User) -> None:
    panel = user.window.simulation.routes.panel
    user.window.actions_.route_track.trigger()
    user.until(panel.isVisible)
    forms = ("60.17, 24.94", "60,17 24,94", "N 60,17 O 24,94", "60°10,2'N 24°56,4'E", "POINT(24.94 60.17)")
    for text in forms:
        user.type(panel.typed, text)
    assert list(panel.points) == [Point(24.94, 60.17)] * len(forms)
    user.type(panel.typed, "95, 5")
    assert "Latitude comes first" in panel.waypoint_field.error.text()
    place, wait = panel.table.item(0, 0), panel.table.item(0, 1)
    assert place is not None
    assert wait is not None
    place.setText("N 60,5 O 24,5")
    assert (panel.points[0], place.text()) == (Point(24.5, 60.5), "60.5, 24.5")
    wait.setText("1,5 min")
    plan = panel.plan()
    assert plan is not None
    assert (plan.waypoints[0].wait_s, wait.text()) == (90.0, "90")
    user.press(Qt.Key.Key_Escape, on=panel.typed)


# The language decides, not the system


@pytest.mark.parametrize(("wanted", "name", "shown"), [("en", "en", "150.5 m"), ("de", "de", "150,5 m")])
@pytest.mark.parametrize("system", ["de_DE.UTF-8", "en_GB.UTF-8", "fr_FR.UTF-8"])
def test_numbers_follow_the_language_and_not_the_system(wanted: str, name: str, shown: str, system: str) -> None:
    code = f"""
from app.desktop.language.catalogue import translate_qt, use_language
use_language({wanted!r})
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
application = QApplication([])
translate_qt(application)
from app.desktop.panels.fields.numbers import NumberBox
box = NumberBox("m")
box.lineEdit().setText("150.5")
box.take()
print(QLocale().bcp47Name().partition("-")[0], QLocale().decimalPoint(), box.number(), box.text(), sep="|")
"""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
    environment |= {"LANG": system, "LANGUAGE": "", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == f"{name}|{shown[3]}|150.5|{shown}", done.stderr


def test_a_week_begins_as_in_the_system_if_its_language_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        monkeypatch.setattr(QLocale, "system", lambda: QLocale("en_GB"))
        use_language("en")
        assert QLocale().firstDayOfWeek() is Qt.DayOfWeek.Monday
        monkeypatch.setattr(QLocale, "system", lambda: QLocale("en_ZA"))
        use_language("en")
        assert QLocale().decimalPoint() == "."
    finally:
        monkeypatch.undo()
        use_language("en")


_OTHERS = frozenset({"QSpinBox", "QDoubleSpinBox", "QDoubleValidator", "QIntValidator"})
_READERS = frozenset({"float", "int", "Decimal"})


def test_no_other_field_reads_numbers() -> None:
    """Fields read numbers with `read_number`. Qt's own fields use the locale, which accepts too much."""
    found = []
    for file in sorted((ROOT / "app" / "desktop").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            name = getattr(node, "id", getattr(node, "attr", ""))
            reads_text = (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in _READERS
                and any("text" in ast.unparse(each) for each in node.args)
            )
            if name in _OTHERS or name in ("toDouble", "toInt", "toFloat") or reads_text:
                found.append(f"{file.relative_to(ROOT / 'app' / 'desktop')}: {ast.unparse(node)}")
    assert sorted({each.partition(":")[0] for each in found}) == [
        "dialogs/integrations/nightly_sync.py",  # a port, digits only
        "model/editing/numbers.py",
        "model/shaping/positions.py",  # a degree, read by the same function
        "panels/fields/numbers.py",
    ], found
