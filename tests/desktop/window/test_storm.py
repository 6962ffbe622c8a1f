"""Five hundred geofences changed by a client while the user types.

Every letter goes to the intended field, and nothing else changes.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from engine.domain.environment import Environment, KeyLevel
from engine.domain.geofence import Geofence
from engine.domain.geometry import Circle
from tests.desktop.waiting import let_work
from tests.desktop.window.user import User
from tests.engine.fixtures import import_csv

TEST = Environment.TEST
MANY = 500
TARGETS = range(60, 500, 40)
BETWEEN_LETTERS = 6
"""Minimum number of requests that are answered between two letters."""

_TAGS = ("alpha", "beta", "store", "zeta")


@dataclass(slots=True)
class Expected:
    """The last change that the client has made to a geofence."""

    description: str
    tag: str
    external_id: str
    longitude: float
    size: float = 30.0


class Client(threading.Thread):
    """Changes all geofences except some, over HTTP, one request after the other, until it is stopped."""

    def __init__(self, url: str, key: str, known: dict[str, Expected], spared: set[str]) -> None:
        super().__init__(name="client", daemon=True)
        self.done = 0
        self.problems: list[str] = []
        self.deleted: set[str] = set()
        self.known = known
        self._chance = random.Random(13)
        self._others = [fence_id for fence_id in known if fence_id not in spared]
        self._chance.shuffle(self._others)
        self._stop_it = threading.Event()
        self._http = httpx.Client(base_url=url, headers={"Authorization": key}, timeout=30)

    def run(self) -> None:
        while not self._stop_it.is_set():
            fence_id = self._others.pop()
            kind = self._chance.randrange(20)
            if kind == 0 and len(self.deleted) < MANY // 4:
                self.delete(fence_id)
                self.deleted.add(fence_id)
                continue
            # It is changed again after all others.
            self._others.insert(0, fence_id)
            if kind < 9:
                self.put(fence_id, description=f"{self._chance.choice('aBkLxYz')} {self.done}")
            elif kind < 14:
                self.put(fence_id, tag=self._chance.choice(_TAGS))
            else:
                self.put(fence_id, longitude=14.49 + self._chance.random() * 0.02)

    def put(self, fence_id: str, **fields: Any) -> None:
        """Change a geofence."""
        body = dict(fields)
        if "longitude" in body:
            body["coordinates"] = [body.pop("longitude"), 46.05]
        self._send("PUT", fence_id, json=body)
        for name, value in fields.items():
            setattr(self.known[fence_id], name, value)

    def delete(self, fence_id: str) -> None:
        """Delete a geofence."""
        self._send("DELETE", fence_id)

    def stop(self) -> None:
        """Stop after the current request."""
        self._stop_it.set()
        self.join(30)
        self._http.close()

    def _send(self, method: str, fence_id: str, **options: Any) -> None:
        response = self._http.request(method, f"/v1/geofences/{fence_id}", **options)
        if response.status_code != 200:
            self.problems.append(f"{method} {fence_id}: {response.status_code} {response.text}")
        self.done += 1


@pytest.fixture
def five_hundred(user: User) -> dict[str, Geofence]:
    """Small circles in a row, all in view, by their ID."""
    rows = "\n".join(
        f'Store {n:03},circle,store,{n:03},"[{14.49 + n * 0.02 / MANY:.6f},46.05]",30' for n in range(MANY)
    )
    import_csv(user.engine, TEST, f"description,type,tag,externalId,coordinates,radius\n{rows}\n".encode())
    user.until(lambda: len(user.window.model.fences) == MANY, timeout=30_000)
    user.hand.settle()
    return {fence.id: fence for fence in user.stored()}


@pytest.fixture
def client(user: User, five_hundred: dict[str, Geofence]) -> Iterator[Client]:
    """A running client that changes all geofences except the ones being edited."""
    known = {}
    for fence in five_hundred.values():
        assert isinstance(fence.geometry, Circle)
        known[fence.id] = Expected(fence.description, fence.tag, fence.external_id, fence.geometry.center.longitude)
    assert user.session.url is not None
    key = user.engine.workspace.keys.value(TEST, KeyLevel.SECRET)
    made = Client(user.session.url, key, known, {each.id for each in targets(five_hundred)})
    made.start()
    yield made
    made.stop()


def targets(fences: dict[str, Geofence]) -> list[Geofence]:
    listed = sorted(fences.values(), key=lambda fence: fence.external_id)
    return [listed[number] for number in TARGETS]


def choose(user: User, fence: Geofence) -> None:
    """Click a geofence in the list, at its current position."""
    view, model = user.window.list.view, user.window.list.model
    view.scrollTo(model.index_of(fence.id))
    user.select(fence)


def keys(user: User, client: Client, text: str) -> None:
    """Type into the focused widget, while the client continues between the letters and the window shows its changes."""
    for letter in text:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClicks(focus, letter)
        enough = client.done + BETWEEN_LETTERS
        user.until(lambda enough=enough: client.done >= enough, timeout=60_000)  # type: ignore[misc]


def enter() -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, Qt.Key.Key_Return)


def replace_text(user: User, client: Client, field: QWidget, text: str) -> None:
    user.click(field)
    line = field if isinstance(field, QLineEdit) else field.findChild(QLineEdit)
    assert isinstance(line, QLineEdit)
    line.selectAll()
    keys(user, client, text)


def assert_only_expected_changes(user: User, client: Client) -> None:
    """Compare every geofence with its last change by the client or the user."""
    stored = {fence.id: fence for fence in user.engine.geofences.all(TEST)}
    assert client.problems == []
    assert stored.keys() == client.known.keys() - client.deleted
    for fence_id, fence in stored.items():
        expected, circle = client.known[fence_id], fence.geometry
        assert isinstance(circle, Circle)
        assert (fence.description, fence.tag, fence.external_id, circle.radius_m) == (
            expected.description,
            expected.tag,
            expected.external_id,
            expected.size,
        )
        assert circle.center.longitude == pytest.approx(expected.longitude, abs=1e-7)


@pytest.mark.slow
def test_every_letter_lands_in_the_geofence_it_was_typed_for(
    user: User, client: Client, five_hundred: dict[str, Geofence]
) -> None:
    basics, camera = user.window.form.basics, (user.window.map.center(), user.window.map.zoom())
    typed: tuple[tuple[str, QWidget], ...] = (
        ("description", basics.description),
        ("tag", basics.tag),
        ("external_id", basics.external_id),
        ("size", basics.radius.number),
    )
    for number, fence in enumerate(targets(five_hundred)):
        choose(user, fence)
        name, field = typed[number % len(typed)]
        text = str(40 + number) if name == "size" else f"typed {number}"
        replace_text(user, client, field, text[:1])
        # The edited geofence is also renamed, moved and tagged in the middle of a word.
        theirs: dict[str, Any] = {"description": f"Theirs {number}", "tag": "zeta", "longitude": 14.5}
        theirs.pop(name, None)
        client.put(fence.id, **theirs)
        keys(user, client, text[1:])
        assert user.window.model.selection.fence_id == fence.id
        enter()
        setattr(client.known[fence.id], name, float(text) if name == "size" else text)
        stored: Callable[[], bool] = lambda fence=fence, name=name, text=text: _has(user, fence, name, text)  # type: ignore[misc]  # noqa: E731
        user.until(stored, timeout=60_000)
        user.until(lambda: user.window.operations.under_way == 0, timeout=60_000)
        assert user.window.form.fence is not None
        assert user.window.form.fence.id == fence.id
    user.until(lambda: client.done > MANY, timeout=120_000)
    client.stop()
    assert_only_expected_changes(user, client)
    user.hand.settle()
    assert (user.window.map.center(), user.window.map.zoom()) == camera


def _has(user: User, fence: Geofence, name: str, text: str) -> bool:
    stored = user.engine.geofences.get(TEST, fence.id)
    if name == "size":
        assert isinstance(stored.geometry, Circle)
        return stored.geometry.radius_m == float(text)
    return bool(getattr(stored, name) == text)


def test_a_field_that_is_changed_and_a_geofence_that_is_deleted_under_the_hand(
    user: User, client: Client, five_hundred: dict[str, Geofence]
) -> None:
    one, other = targets(five_hundred)[:2]
    description = user.window.form.basics.description
    note = user.window.form.field("description").remote_change
    camera = user.window.map.center(), user.window.map.zoom()
    choose(user, one)
    replace_text(user, client, description, "Min")
    client.put(one.id, description="Theirs")
    user.until(note.isVisible)
    keys(user, client, "e")
    assert (note.value, description.text(), description.hasFocus()) == ("Theirs", "Mine", True)
    enter()
    client.known[one.id].description = "Mine"
    user.until(lambda: user.engine.geofences.get(TEST, one.id).description == "Mine")
    choose(user, other)
    replace_text(user, client, description, "Als")
    client.delete(other.id)
    user.until(lambda: user.window.model.fences.get(other.id) is None)
    keys(user, client, "o mine")
    assert (description.text(), description.hasFocus()) == ("Also mine", True)
    assert user.window.model.selection.fence_id is None
    user.click(user.window.form.head.restore)
    client.known[other.id].description = "Also mine"
    user.until(lambda: user.window.model.selection.fence_id == other.id)
    user.idle()
    client.stop()
    assert_only_expected_changes(user, client)
    user.hand.settle()
    assert (user.window.map.center(), user.window.map.zoom()) == camera


def test_one_key_deletes_one_geofence_while_rows_run(
    user: User, client: Client, five_hundred: dict[str, Geofence]
) -> None:
    for fence in targets(five_hundred)[:4]:
        choose(user, fence)
        view = user.window.list.view
        view.setFocus()
        for _ in range(3):
            QTest.keyClick(view, Qt.Key.Key_Delete)
            let_work(5)
        client.deleted.add(fence.id)
        user.until(lambda fence=fence: user.window.model.fences.get(fence.id) is None)  # type: ignore[misc]
        assert user.window.model.selection.fence_id is None
        user.idle()
    client.stop()
    assert_only_expected_changes(user, client)
