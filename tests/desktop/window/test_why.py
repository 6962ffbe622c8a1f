"""The way to the reason of an event, a step of a track or a user: with one click, and in the engine's words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.desktop.model.simulation.status import SimulationState
from app.desktop.model.why import About
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Point
from engine.domain.hours import parse_hours
from engine.domain.settings import SettingsChange
from engine.domain.tracking.beacon import BeaconChange
from engine.domain.tracking.trips import DestinationChange, TripChange, TripStatus
from engine.domain.tracking.updates import Conversion, Device, DeviceType, Event, LocationUpdate
from engine.domain.values import replace
from tests.desktop.window.user import User
from tests.engine.gazetteers import at, find_in, write_town

pytestmark = pytest.mark.parts("availability", "events", "fences", "list", "reasons", "selection", "tracks", "why")

TEST = Environment.TEST
LEFT = Qt.MouseButton.LeftButton
START = datetime(2026, 5, 12, 6, 0, tzinfo=UTC)
INSIDE, OUTSIDE = 14.5, 14.504


@pytest.fixture
def walk(tmp_path: Path) -> Path:
    """A track that walks east through the middle of the map, with one fix per minute."""
    rows = (f"2026-05-12T06:{n:02}:00Z,46.05,{14.49 + n / 1000:.4f}" for n in range(21))
    file = tmp_path / "walk.csv"
    file.write_text("time,lat,lon\n" + "\n".join(rows) + "\n")
    return file


def sent(user: User, longitude: float, minute: int, user_id: str | None = None, device: str = "phone-1") -> None:
    """Send an update like an app."""
    at = START + timedelta(minutes=minute)
    details = Device(DeviceType.ANDROID, "15", "Google", "Pixel 9")
    user.engine.tracking.track(
        TEST,
        LocationUpdate(device, Point(longitude, 46.05), 10.0, user_id=user_id, at=at, device=details, altitude_m=299.5),
    )


def events(user: User, count: int) -> list[Event]:
    model = user.window.events.model
    user.until(lambda: model.rowCount() == count)
    return [model.event_at(row) for row in range(count)]


def choose_event(user: User, row: int) -> None:
    view = user.window.events.view
    QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(view.model().index(row, 2)).center())


def headline(user: User) -> str:
    return user.window.why.headline.text()


def explained(user: User, text: str) -> None:
    # The explanation of a previous workspace stays in the hidden panel until another one replaces it.
    user.until(lambda: user.window.reasons.answered and headline(user).startswith(text))


def status(user: User) -> str:
    return user.window.status.why.text()


def test_one_click_on_an_event_shows_its_reason(user: User) -> None:
    fence = user.given()
    for minute, longitude in enumerate((OUTSIDE, INSIDE, OUTSIDE)):
        sent(user, longitude, minute)
    events(user, 2)
    choose_event(user, 1)
    explained(user, "Entry.")
    panel = user.window.why
    assert panel.isVisible()
    assert panel.about.text() == "phone-1 entered Store 1"
    assert panel.current is not None
    assert panel.current.geofence.id == fence.id
    assert all(text.startswith("✓ ") for text in panel.reasons.texts())
    assert status(user).endswith("rules passed, 0 failed")
    choose_event(user, 0)
    explained(user, "Exit.")
    assert "outside the boundary" in panel.facts.text()


def test_being_inside_is_no_rule_that_failed(user: User) -> None:
    user.given()
    user.window.docks.bring(user.window.docks.user)
    for minute in range(2):
        sent(user, INSIDE, minute)
    panel = user.window.user
    user.until(lambda: panel.choice.count() == 1)
    panel.choice.setFocus()
    QTest.keyClick(panel.choice, Qt.Key.Key_Down)
    user.until(lambda: panel.user is not None)
    user.click(panel.why)
    explained(user, "Inside: the location is inside")
    texts = user.window.why.reasons.texts()
    assert texts[0].startswith("• the location is inside")
    assert not [text for text in texts if text.startswith("✗")]
    assert status(user).endswith(", 0 failed")


def test_a_step_without_an_event_shows_the_reason(user: User, walk: Path) -> None:
    user.given(radius_m=300.0)
    user.engine.settings.change(TEST, SettingsChange(stop_detection=True))
    user.window.tracks.open(walk)
    user.until(lambda: user.window.model.simulation.status.state is SimulationState.STOPPED)
    for fix in range(1, 11):
        user.click(user.window.simulator.step)
        user.until(lambda fix=fix: user.window.why.about.text() == f"phone-1, fix {fix} of 21")  # type: ignore[misc]
    explained(user, "Entry withheld: stop detection is on")
    first = user.window.why.reasons.texts()[0]
    assert first == "✗ stop detection is on and the device is neither stopped nor in the foreground"
    assert status(user).endswith(", 1 failed")
    assert user.window.why.would_have.text() == "An entry would have fired"
    assert user.window.why.remedies.text().splitlines() == [
        "→ with the device stopped",
        "→ with the app in the foreground",
        "→ with stop detection off",
    ]
    assert user.engine.history.counts(TEST).events == 0
    user.window.status.why.click()
    user.until(user.window.why.isVisible)


def test_a_fix_that_was_not_sent_is_not_explained(user: User, walk: Path) -> None:
    user.given(radius_m=300.0)
    user.window.tracks.open(walk)
    user.until(lambda: user.window.model.simulation.status.state is SimulationState.STOPPED)
    user.click(user.window.simulator.step)
    user.until(lambda: user.window.why.about.text() == "phone-1, fix 1 of 21")
    user.window.simulator.slider.setFocus()
    QTest.keyClick(user.window.simulator.slider, Qt.Key.Key_End)
    user.until(lambda: "has not been sent" in user.window.why.update_.text())
    QTest.keyClick(user.window.simulator.slider, Qt.Key.Key_Home)
    user.window.simulator.slider.setValue(0)
    assert user.window.why.current is None


def test_a_playing_track_is_followed_to_its_end_and_an_event_stays(user: User, walk: Path) -> None:
    user.given(radius_m=300.0)
    user.window.tracks.open(walk)
    user.until(lambda: user.window.model.simulation.status.state is SimulationState.STOPPED)
    speed = user.window.simulator.speed
    speed.setCurrentIndex(speed.count() - 1)
    user.click(user.window.simulator.play)
    user.until(lambda: user.window.why.about.text() == "phone-1, fix 21 of 21")
    explained(user, "Outside")
    events(user, 2)
    choose_event(user, 1)
    explained(user, "Entry.")
    subject = user.window.reasons.subject
    assert subject is not None
    assert subject.about is About.EVENT
    user.click(user.window.simulator.stop)
    user.until(user.window.simulator.step.isEnabled)
    user.click(user.window.simulator.step)
    user.until(lambda: user.window.why.about.text() == "phone-1, fix 1 of 21")
    assert user.window.model.selection.event is None


def two_fences(user: User) -> tuple[Geofence, Geofence]:
    return user.given(1), user.given(2, longitude=14.5025, radius_m=60.0)


def test_a_geofence_picked_among_the_reasons_is_selected(user: User) -> None:
    near, far = two_fences(user)
    sent(user, INSIDE, 0)
    events(user, 1)
    choose_event(user, 0)
    explained(user, "Entry.")
    rows = user.window.why.list
    assert [rows.topLevelItem(n).text(1) for n in range(2)] == ["Entry", "Outside"]  # type: ignore[union-attr]
    at = rows.visualItemRect(rows.topLevelItem(1)).center()  # type: ignore[arg-type]
    QTest.mouseClick(rows.viewport(), LEFT, pos=at)
    user.until(lambda: user.window.model.selection.fence_id == far.id)
    explained(user, "Outside: the location is outside")
    assert user.window.why.isVisible()
    assert user.window.why.about.text() == "phone-1 entered Store 1"
    user.window.docks.bring(user.window.docks.fence)
    assert user.window.form.fence is not None
    assert user.window.form.fence.id == far.id
    user.select(near)
    explained(user, "Entry.")


def test_the_answer_is_of_then_whatever_was_edited_since(user: User) -> None:
    fence = user.given()
    sent(user, INSIDE, 0)
    events(user, 1)
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(size=10.0, enabled=False))
    choose_event(user, 0)
    explained(user, "Entry.")
    assert user.window.why.facts.text().startswith("120 m inside the boundary")


def test_a_user_is_chosen_and_their_last_update_explained(user: User) -> None:
    user.given()
    sent(user, OUTSIDE, 0, "anna")
    sent(user, OUTSIDE, 0, "ben@example.com", "tablet-9")
    user.window.docks.bring(user.window.docks.user)
    panel = user.window.user
    user.until(lambda: panel.choice.count() == 2)
    names = [panel.choice.itemText(row) for row in range(2)]
    assert names == ["anna on phone-1", "ben@example.com on tablet-9"]
    assert panel.choice.itemIcon(0).isNull()
    assert not panel.choice.itemIcon(1).isNull()
    panel.choice.setFocus()
    QTest.keyClick(panel.choice, Qt.Key.Key_Down)
    QTest.keyClick(panel.choice, Qt.Key.Key_Down)
    user.until(lambda: panel.user is not None and panel.user.user_id == "ben@example.com")
    facts = panel.facts.texts()
    assert "e-mail address" in facts["Personal data"]
    assert (facts["OS"], facts["Make"], facts["Model"]) == ("15", "Google", "Pixel 9")
    assert facts["Altitude"] == "299.5 m"
    assert facts["Updated"] == "2026-05-12 08:00:00 CEST"
    user.click(panel.why)
    explained(user, "Outside")
    assert user.window.why.isVisible()
    sent(user, INSIDE, 1, "ben@example.com", "tablet-9")
    explained(user, "Entry.")
    assert panel.facts.texts()["In geofence"] == "Store 1"


def test_an_event_shows_its_user_and_flags_personal_data(user: User) -> None:
    user.given()
    sent(user, INSIDE, 0, "ben@example.com")
    events(user, 1)
    choose_event(user, 0)
    user.until(lambda: user.window.user.user is not None)
    assert user.window.user.facts.texts()["User ID"] == "ben@example.com"
    model = user.window.events.model
    index = model.index(0, 3)
    assert index.data(Qt.ItemDataRole.DecorationRole) is not None
    assert "must not carry personal information" in index.data(Qt.ItemDataRole.ToolTipRole)


def test_a_flagged_device_is_shown_whole_beside_a_longer_name(user: User) -> None:
    user.given()
    sent(user, INSIDE, 0, "ben", "phone-1234")
    sent(user, INSIDE, 1, "ben@example.com", "phone-123")
    events(user, 2)
    view, model = user.window.events.view, user.window.events.model
    cells = [model.index(row, 3) for row in range(2)]
    assert [model.is_marked(row) for row in range(2)] == [True, False]
    user.until(lambda: all(view.columnWidth(3) >= view.sizeHintForIndex(cell).width() for cell in cells))


def test_events_of_all_kinds_are_listed_with_zone_and_hours(user: User) -> None:
    fence = user.given()
    hours = parse_hours({"Tue": [["07:59", "08:03"]]})
    user.engine.geofences.update(TEST, fence.id, GeofenceChange(dwell_threshold_s=60.0, operating_hours=hours))
    user.engine.settings.change(TEST, SettingsChange(dwell_event=True, fraud=True))
    sent(user, INSIDE, 0)
    sent(user, INSIDE, 5)
    at = START + timedelta(minutes=6)
    user.engine.tracking.track(TEST, LocationUpdate("phone-1", Point(INSIDE, 46.05), 10.0, at=at, mocked=True))
    user.engine.history.log_conversion(TEST, Conversion("bought_ticket", "phone-1", at=at, metadata={"price": 12.5}))
    shown = events(user, 4)
    assert {each.type for each in shown} == {
        "user.entered_geofence", "user.dwelled_in_geofence", "user.failed_fraud", "bought_ticket",
    }  # fmt: skip
    model = user.window.events.model
    verbs = [model.index(row, 1).data() for row in range(4)]
    assert sorted(verbs) == ["Dwelled · closed", "Entered · open", "Failed check", "bought_ticket"]
    entered = verbs.index("Entered · open")
    assert model.index(entered, 0).data().endswith("08:00:00 CEST")
    tip = model.index(entered, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "2026-05-12T08:00:00.000+02:00 Europe/Ljubljana" in tip
    assert "During operating hours" in tip
    bought = verbs.index("bought_ticket")
    assert "price: 12.5" in model.index(bought, 0).data(Qt.ItemDataRole.ToolTipRole)
    for row in range(4):
        choose_event(user, row)
        event = model.event_at(row)
        user.until(lambda event=event: user.window.model.selection.event == event)  # type: ignore[misc]
    user.idle()


def test_updates_of_a_client_leave_the_selected_event_selected(user: User) -> None:
    user.given()
    sent(user, INSIDE, 0)
    (entered,) = events(user, 1)
    choose_event(user, 0)
    explained(user, "Entry.")
    user.engine.history.log_conversion(TEST, Conversion("bought_ticket", "phone-1"))
    events(user, 2)
    assert user.window.model.selection.event == entered
    assert user.window.events.view.currentIndex().row() == 1
    user.engine.history.delete(TEST, entered.id)
    events(user, 1)
    user.until(lambda: user.window.model.selection.event is None)


def test_without_stored_updates_the_panel_explains_that(user: User) -> None:
    user.given()
    user.engine.settings.change(TEST, SettingsChange(kept_updates=0))
    sent(user, INSIDE, 0)
    events(user, 1)
    choose_event(user, 0)
    user.until(lambda: "No location update" in user.window.why.update_.text())
    assert user.window.why.current is None
    assert status(user) == "Why? ▸ no geofence nearby"


def test_the_reasons_go_with_the_environment(user: User) -> None:
    user.given()
    sent(user, INSIDE, 0)
    events(user, 1)
    choose_event(user, 0)
    explained(user, "Entry.")
    user.click(user.window.toolbar.environments.live)
    user.until(lambda: not user.window.status.why.isVisible())
    assert user.window.reasons.subject is None
    assert user.window.user.user is None


def test_events_of_places_are_explained(user: User, tmp_path: Path) -> None:
    town = write_town(tmp_path / "gazetteer.sqlite")
    find_in(user.engine, town)
    user.engine.settings.change(TEST, SettingsChange(places=True))
    cafe = at(0, 0)
    update = LocationUpdate("phone-1", cafe, 10.0, at=START, stopped=True)
    user.engine.tracking.track(TEST, update)
    (event,) = events(user, 1)
    assert event.place is not None
    view, model = user.window.events.view, user.window.events.model
    assert (model.index(0, 1).data(), model.index(0, 2).data()) == ("Entered place", "Café Amann")
    columns = sum(view.columnWidth(column) for column in range(5))
    assert columns <= view.viewport().width(), "nothing is cut off at the edge"
    assert view.columnWidth(2) >= 120
    # The number of columns that fit depends on the font.
    shown = [column for column in range(5) if not view.isColumnHidden(column)]
    assert shown in ([0, 1, 2], [0, 1, 2, 3], [0, 1, 2, 3, 4])
    assert "confidence 3 of 3" in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    choose_event(user, 0)
    panel = user.window.why
    explained(user, "Entered place fired.")
    assert panel.reasons.texts() == [
        "✓ the device is stopped",
        "✓ the location is 0 m from Café Amann, within its reach of 60 m",
        "✓ the confidence is 3, at least the minimum of 1",
    ]
    assert status(user).startswith("Why? ▸ Entered place fired: the device is stopped")
    assert not panel.facts.isVisible(), "there is no boundary to measure"
    later = LocationUpdate("phone-1", at(-3_000, 0), 10.0, at=START + timedelta(minutes=5))
    user.engine.tracking.track(TEST, later)
    events(user, 2)
    choose_event(user, 0)
    explained(user, "Left place fired.")
    assert panel.reasons.texts() == ["✓ the location is 2998 m from Café Amann, farther than 85 m"]
    assert rows(user)[1:] == [
        ("Places", "Entered place did not fire"),
        ("Places", "Near a chain did not fire"),
    ]
    assert user.window.status.why.width() <= 360
    user.engine.settings.change(TEST, SettingsChange(places=False))
    user.given()
    sent(user, INSIDE, 10)
    events(user, 3)
    choose_event(user, 0)
    explained(user, "Entry.")
    assert panel.facts.isVisible()


def rows(user: User) -> list[tuple[str, str]]:
    """Return the subject and the outcome of the listed decisions."""
    tree = user.window.why.list
    items = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    return [(item.text(0), item.text(1)) for item in items if item is not None]


def test_one_click_on_approaching_shows_the_eta_and_no_geofence_but_the_destination(user: User) -> None:
    store = user.given(1)
    user.given(2, longitude=14.503, radius_m=60.0)
    trip = TripChange(external_id="order", device_id="phone-1", approaching_threshold_s=60)
    destination = DestinationChange(geofence_id=store.id)
    user.engine.trips.create(TEST, replace(trip, destination=destination))
    sent(user, 14.6, 0)
    sent(user, 14.503, 5)
    found = events(user, 4)
    row = next(n for n, event in enumerate(found) if event.type == "user.approaching_trip_destination")
    choose_event(user, row)
    explained(user, "Approaching fired.")
    panel = user.window.why
    assert panel.about.text() == "phone-1 on trip order: approaching"
    texts = panel.reasons.texts()
    assert texts[0] == "✓ the status of the trip was started"
    assert texts[1].startswith("✓ the ETA of ")
    assert texts[2].endswith("s is not above the threshold of 60 s, which is set by the trip")
    listed = rows(user)
    assert listed[0] == ("Trip order", "Approaching fired")
    assert listed[-1] == ("Store 1", "Outside"), "the destination, and no other geofence"
    assert [name for name, _ in listed[:-1]] == ["Trip order"] * (len(listed) - 1)
    tree = panel.list
    arrived = next(n for n, (_, outcome) in enumerate(listed) if outcome == "Arrived did not fire")
    QTest.mouseClick(tree.viewport(), LEFT, pos=tree.visualItemRect(tree.topLevelItem(arrived)).center())  # type: ignore[arg-type]
    explained(user, "Arrived did not fire: the location is ")
    assert panel.reasons.texts()[0].startswith("✗ the location is ")


def test_an_event_that_a_client_made_is_marked(user: User) -> None:
    store = user.given()
    trip = TripChange(external_id="order", device_id="phone-1", destination=DestinationChange(geofence_id=store.id))
    user.engine.trips.create(TEST, trip)
    sent(user, 14.6, 0)
    user.engine.trips.update(TEST, "order", TripChange(status=TripStatus.CANCELED))
    found = events(user, 2)
    assert found[0].type == "user.stopped_trip"
    choose_event(user, 0)
    explained(user, "Ended trip fired.")
    panel = user.window.why
    assert panel.update_.text() == "No location update made this event."
    assert panel.reasons.texts() == ["✓ a client set the status canceled"]
    assert rows(user) == [("Trip order", "Ended trip fired")]


def test_a_users_last_update_explains_withheld_events_of_trips_and_beacons(user: User) -> None:
    store = user.given()
    door = BeaconChange(
        tag="door", external_id="1", description="Door", type="ibeacon", major=1, minor=1,
        uuid="b9407f30-f5f8-466e-aff9-25556b57fe6d", geometry=Point(14.6, 46.05),
    )  # fmt: skip
    user.engine.beacons.create(TEST, door)
    trip = TripChange(external_id="order", device_id="phone-1", destination=DestinationChange(geofence_id=store.id))
    user.engine.trips.create(TEST, trip)
    user.engine.tracking.track(TEST, LocationUpdate("phone-1", Point(14.6, 46.05), 10.0, at=START, beacons=()))
    user.window.docks.bring(user.window.docks.user)
    panel = user.window.user
    user.until(lambda: panel.choice.count() == 1)
    panel.choice.setFocus()
    QTest.keyClick(panel.choice, Qt.Key.Key_Down)
    user.until(lambda: panel.user is not None)
    user.click(panel.why)
    explained(user, "Started trip fired.")
    assert ("Trip order", "Approaching did not fire") in rows(user)
    assert ("Beacon door/1", "Entered beacon did not fire") in rows(user)
    assert user.window.why.off.text() == "The setting places is off. The setting regions is off."
