"""An analyst's work: import, checks, hours, snapping, union, simplify, the difference from Live, promotion.

Each step is a picture. ``FENCEWRIGHT_PICTURES=DIR`` keeps them with their texts, as ``python -m tests.desktop.pictures
--docs`` does for the documentation. Without it, the texts must be those of the documentation's pictures.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.desktop.dialogs.review.promotion import PromotionDialog
from app.desktop.relay import Relay
from app.endpoint import EndpointOptions
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.domain.geometry import Polygon, Position
from engine.geo.shaping.measuring import area_m2
from engine.geofences.checks.findings import Check
from tests.desktop.docs_pictures import DESIGN, DESIGNED, KEEP, add_texts, report, stale
from tests.desktop.reproducible import reproducible
from tests.desktop.studio import usual_port
from tests.desktop.visible_texts import visible_texts
from tests.desktop.window.test_areas import drop
from tests.desktop.window.test_checks import check, found, titles
from tests.desktop.window.test_checks import choose as choose_finding
from tests.desktop.window.test_hours import copying, section, show
from tests.desktop.window.test_operations import choose, ready
from tests.desktop.window.user import LEFT, User

TEST, LIVE = Environment.TEST, Environment.LIVE
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier

IMPORTED = 200
WEST, SOUTH = 14.45, 46.02
YARD: tuple[Position, ...] = ((14.5, 46.05), (14.502, 46.05), (14.502, 46.0515), (14.5, 46.0515), (14.5, 46.05))
SPIKE: tuple[Position, ...] = (
    *((14.51, 46.05), (14.514, 46.05), (14.514, 46.052), (14.512002, 46.052), (14.512001, 46.054), (14.512, 46.052)),
    *((14.51, 46.052), (14.51, 46.05)),
)


def harbour() -> Sequence[Position]:
    """Return a quay as surveyed, with a vertex every few metres."""
    quay = [(14.49 + step * 0.00005, 46.055 + (0.00002 if step % 2 else 0.0)) for step in range(81)]
    return (*quay, (14.494, 46.058), (14.49, 46.058), quay[0])


def table() -> str:
    """Return stores in rows, one of them duplicate, one too small to be hit, and three polygons."""
    stores = [
        (f"Store {n:03}", "store", f"{n:03}", [WEST + n % 14 * 0.003, SOUTH + n // 14 * 0.002], 80)
        for n in range(IMPORTED - 5)
    ]
    others = [
        ("Store 000 (old)", "store", "old", [WEST, SOUTH], 80),
        ("Kiosk", "store", "kiosk", [14.52, 46.06], 10),
        ("Yard", "yard", "yard", YARD, ""),
        ("Depot", "yard", "depot", SPIKE, ""),
        ("Harbour", "yard", "harbour", harbour(), ""),
    ]
    lines = ["description,type,tag,externalId,coordinates,radius"]
    for name, tag, external_id, coordinates, radius in stores + others:
        kind = "polygon" if radius == "" else "circle"
        lines.append(f'{name},{kind},{tag},{external_id},"{json.dumps(coordinates)}",{radius}')
    return "\n".join(lines)


@pytest.fixture(autouse=True)
def _reproducible() -> Iterator[None]:
    """Fix the time and the identifiers, before there is a window, and let no cursor blink."""
    flash_ms = QApplication.cursorFlashTime()
    QApplication.setCursorFlashTime(0)
    with reproducible():
        yield
    QApplication.setCursorFlashTime(flash_ms)


@pytest.fixture
def album(user: User) -> Iterator[Callable[[str, QWidget | None], None]]:
    """A camera that takes a picture of the window, and of a dialog beside it, once everything is drawn.

    At the end, the texts in the pictures are compared with those of the documentation's pictures.
    """
    folder = Path(os.environ[KEEP]) if KEEP in os.environ else None
    seen: dict[str, list[str]] = {}
    user.window.activateWindow()
    if folder is not None and (port := usual_port()):
        user.window.network.change(EndpointOptions(port=port))
        user.until(lambda: str(port) in user.window.status.endpoint.text())

    def take(step: str, of: QWidget | None = None) -> None:
        # Counts and findings are shown after a pause.
        for _ in range(2):
            for relay in user.window.findChildren(Relay):
                relay.deliver()
            user.idle()
        user.hand.settle()
        seen[f"{DESIGN}/{step}.png"] = texts = visible_texts(of or user.window)
        if folder is not None:
            picture: QPixmap = (of or user.window).grab()
            assert picture.save(str(folder / f"{step}.png"))
            add_texts(folder, step, texts)

    yield take
    found = stale(DESIGNED, seen) if folder is None else {}
    assert not found, report(found)


def pick(user: User, *names: str) -> None:
    """Click geofences in the list, holding Ctrl after the first one, and scrolling down if necessary."""
    view = user.window.list.view
    for number, name in enumerate(names):
        index = user.window.list.model.index_of(named(user, name).id)
        view.scrollTo(index)
        keys = CTRL if number else Qt.KeyboardModifier.NoModifier
        QTest.mouseClick(view.viewport(), LEFT, keys, view.visualRect(index).center())
    assert user.window.model.selection.fence_ids == tuple(named(user, name).id for name in names)


def named(user: User, name: str, environment: Environment = TEST) -> Geofence:
    return next(each for each in user.stored(environment) if each.description == name)


def compare(user: User) -> PromotionDialog:
    user.press(Qt.Key.Key_P, CTRL | SHIFT)
    user.until(lambda: user.window.promotion.dialog is not None and user.window.promotion.dialog.isVisible())
    assert user.window.promotion.dialog is not None
    return user.window.promotion.dialog


def front(user: User) -> None:
    """Continue in the window after a dialog. Without a window manager, it does not become active by itself."""
    user.idle()
    user.window.activateWindow()
    user.until(user.window.isActiveWindow)


@pytest.mark.slow
@pytest.mark.new_window
def test_from_a_table_to_live(user: User, album: Callable[..., None], tmp_path: Path) -> None:
    user.window.resize(1280, 800)
    _import(user, tmp_path)
    album("1-imported")
    _clean(user, album)
    _set_hours(user, album)
    _join_and_simplify(user, album)
    _promote(user, album)


def _import(user: User, tmp_path: Path) -> None:
    file = tmp_path / "stores.csv"
    file.write_text(table())
    drop(user.window, file)
    user.accept_import()
    user.until(lambda: len(user.stored()) == IMPORTED)
    user.until(lambda: len(user.window.model.fences) == IMPORTED)
    front(user)


def _clean(user: User, album: Callable[..., None]) -> None:
    """Remove the spike with its safe fix and the duplicate with Del, and enlarge the kiosk in its form."""
    user.press(Qt.Key.Key_C, CTRL | SHIFT)
    user.until(lambda: user.window.finding_book.report is not None)
    user.idle()
    kinds = {each for each, _ in found(user)}
    assert {Check.SELF_TOUCHING, Check.SAME_PLACE, Check.TOO_SMALL} <= kinds
    panel = user.window.checks_panel
    assert not panel.visibleRegion().isEmpty()
    choose_finding(user, Check.SELF_TOUCHING)
    album("2-checked")
    user.until(panel.fix.isEnabled)
    user.click(panel.fix)
    user.until(lambda: Check.SELF_TOUCHING not in {each for each, _ in found(user)})
    choose_finding(user, Check.SAME_PLACE)
    assert len(user.window.model.selection.fence_ids) == 2
    pick(user, "Store 000 (old)")
    user.press(Qt.Key.Key_Delete, on=user.window.list.view)
    user.until(lambda: len(user.stored()) == IMPORTED - 1)
    user.idle()
    pick(user, "Kiosk")
    user.type(user.window.form.basics.radius.number, "80")
    user.until(lambda: getattr(named(user, "Kiosk").geometry, "radius_m", 0) == 80)
    user.idle()
    check(user)
    assert not {Check.SELF_TOUCHING, Check.SAME_PLACE, Check.TOO_SMALL} & {each for each, _ in found(user)}
    user.until(lambda: [title.split(" (")[0] for title in titles(user)] == ["Outside the areas"])
    album("3-cleaned")


def _set_hours(user: User, album: Callable[..., None]) -> None:
    """Apply a preset to one store, then to all geofences with its tag."""
    store = named(user, "Store 000")
    show(user, store)
    menu = section(user).presets.menu()
    menu.popup(section(user).presets.mapToGlobal(section(user).presets.rect().bottomLeft()))
    user.until(menu.isVisible)
    first = menu.actions()[1]
    QTest.mouseClick(menu, LEFT, Qt.KeyboardModifier.NoModifier, menu.actionGeometry(first).center())
    front(user)
    user.until(lambda: named(user, "Store 000").rules.operating_hours is not None)
    user.idle()
    album("4-hours")
    dialog = copying(user)
    assert dialog.to_tag.isChecked()
    album("5-copying-hours", dialog)
    user.click(dialog.copy)
    hours = named(user, "Store 000").rules.operating_hours
    stores = IMPORTED - 4
    user.until(lambda: sum(each.rules.operating_hours == hours for each in user.stored()) == stores)
    user.until(lambda: user.window.many.hours.dialog is None)
    assert named(user, "Yard").rules.operating_hours is None
    front(user)


def _join_and_simplify(user: User, album: Callable[..., None]) -> None:
    """Draw exactly from vertices of the yard, so that both are joined without a gap."""
    user.window.map.show_point(14.502, 46.0507, zoom=16)
    user.hand.settle()
    user.press(Qt.Key.Key_S)
    user.until(user.window.actions_.snapping.isChecked)
    user.tool(user.window.actions_.polygon)
    user.hand.settle()
    for place in ((14.50203, 46.05002), (14.5035, 46.05), (14.5035, 46.0515), (14.50203, 46.05148)):
        user.hand.put_vertex(place)
    album("6-snapping")
    user.hand.press(Qt.Key.Key_Return)
    user.until(lambda: len(user.stored()) == IMPORTED)
    user.idle()
    (extension,) = (each for each in user.stored() if each.description.startswith("Geofence"))
    assert isinstance(extension.geometry, Polygon)
    assert {(14.502, 46.05), (14.502, 46.0515)} <= set(extension.geometry.ring)
    areas_m2 = area_m2(named(user, "Yard").geometry) + area_m2(extension.geometry)
    pick(user, "Yard", extension.description)
    panel = choose(user, user.window.actions_.union)
    ready(user, panel)
    album("7-union")
    user.click(panel.apply_button)
    user.until(lambda: len(user.stored()) == IMPORTED - 1)
    front(user)
    assert area_m2(named(user, "Yard").geometry) == pytest.approx(areas_m2, rel=1e-6)
    pick(user, "Harbour")
    panel = choose(user, user.window.actions_.simplify)
    ready(user, panel)
    album("8-simplify")
    user.click(panel.apply_button)
    user.until(lambda: len(getattr(named(user, "Harbour").geometry, "ring", ())) < 20)
    front(user)


def _promote(user: User, album: Callable[..., None]) -> None:
    """Promote all geofences, which are new in Live, then change one and promote it again."""
    dialog = compare(user)
    user.until(lambda: dialog.model.rowCount() == IMPORTED - 1)
    album("9-compared", dialog)
    user.click(dialog.promote)
    assert user.box().text() == f"Create {IMPORTED - 1} geofences in Live?"
    user.answer("Promote")
    user.until(lambda: len(user.stored(LIVE)) == IMPORTED - 1)
    user.until(lambda: user.window.promotion.dialog is None)
    front(user)
    assert named(user, "Yard", LIVE).geometry == named(user, "Yard").geometry
    pick(user, "Kiosk")
    user.type(user.window.form.basics.radius.number, "90")
    user.until(lambda: getattr(named(user, "Kiosk").geometry, "radius_m", 0) == 90)
    user.idle()
    dialog = compare(user)
    assert [dialog.model.index(0, column).data() for column in (0, 2)] == ["Changed", "kiosk"]
    assert dialog.model.rowCount() == 1
    album("10-differs", dialog)
    dialog.reject()
    user.until(lambda: user.window.promotion.dialog is None)
    assert not [each for each in user.window.findChildren(QDialog) if each.isVisible()]
