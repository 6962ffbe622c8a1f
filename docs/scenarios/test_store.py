"""A test of your own, with the fixture of Fencewright's pytest plugin."""

import pytest


@pytest.fixture
def store(fencewright):
    fencewright.geofence("store/1", [1.0828, 51.2798], radius=100)
    return fencewright


def test_who_comes_in_enters_the_store(store):
    store.track("phone-1", 1.0828, 51.2798, accuracy=12)
    event = store.expect_event("user.entered_geofence", geofence="store/1")
    assert event["confidence"] == 3


def test_who_stays_for_more_than_five_minutes_has_dwelled(store):
    store.settings(dwellEvent=True, defaultDwellThreshold=5)
    store.track("phone-1", 1.0828, 51.2798)
    store.clock.advance(minutes=6)
    store.track("phone-1", 1.0828, 51.2798)
    store.expect_event("user.dwelled_in_geofence", geofence="store/1")
