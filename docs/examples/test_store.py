def test_who_comes_in_enters_the_store(radar):
    answer = radar("POST", "/v1/track", deviceId="phone-2", latitude=51.2798, longitude=1.0828, accuracy=12)
    assert [event["type"] for event in answer["events"]] == ["user.entered_geofence"]


def test_who_stays_for_more_than_five_minutes_has_dwelled(radar):
    radar("POST", "/v1/clock", advanceSeconds=301)
    answer = radar(
        "POST", "/v1/track", deviceId="phone-1", userId="ann", latitude=51.2798, longitude=1.0828, accuracy=12
    )
    assert [event["type"] for event in answer["events"]] == ["user.dwelled_in_geofence"]
