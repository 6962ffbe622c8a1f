"""The vendor's own Python SDK, configured for the endpoint."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from radar import RadarClient
from radar.errors import AuthenticationError, ForbiddenError, InvalidRequestError, NotFoundError

from app.api.server.server import ApiServer
from engine.domain.environment import Environment, KeyLevel
from engine.domain.geometry import Point
from engine.domain.tracking.updates import LocationUpdate
from engine.engine import Engine

SQUARE = [[-73.98, 40.78], [-73.97, 40.78], [-73.97, 40.79], [-73.98, 40.79], [-73.98, 40.78]]


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with Engine.open(tmp_path / "workspace") as engine:
        yield engine


@pytest.fixture
def server(engine: Engine) -> Iterator[ApiServer]:
    with ApiServer(engine, port=0) as server:
        yield server


def client(server: ApiServer, secret: str, publishable: str | None = None) -> Any:
    radar = RadarClient(secret_key=secret, pub_key=publishable)
    radar.api_requester.BASE_URL = f"{server.url}/"
    return radar


@pytest.fixture
def radar(server: ApiServer, engine: Engine) -> Any:
    keys = engine.workspace.keys
    return client(
        server,
        keys.value(Environment.TEST, KeyLevel.SECRET),
        keys.value(Environment.TEST, KeyLevel.PUBLISHABLE),
    )


def circle(**fields: Any) -> dict[str, Any]:
    return {
        "description": "A lawn",
        "type": "circle",
        "coordinates": [-73.975, 40.785],
        "radius": 100,
        "tag": "park",
        "externalId": "lawn 1",
    } | fields


def test_a_geofence_from_creation_to_deletion(radar: Any) -> None:
    created = radar.geofences.create(circle(enabled=False, metadata=json.dumps({"a": 1})))
    assert created.type == "circle"
    assert created.enabled is False
    assert created.metadata == {"a": 1}
    assert radar.geofences.get(id=created._id).externalId == "lawn 1"
    assert radar.geofences.get(tag="park", externalId="lawn 1")._id == created._id
    changed = radar.geofences.upsert("park", "lawn 1", circle(radius=50, enabled=True))
    assert changed._id == created._id
    assert changed.geometryRadius == 50
    assert [geofence._id for geofence in radar.geofences.list(tag="park", limit=10)] == [created._id]
    assert created.delete()["meta"]["code"] == 200
    with pytest.raises(NotFoundError):
        radar.geofences.get(id=created._id)


def test_a_polygon_survives_the_way_lists_are_flattened(radar: Any) -> None:
    created = radar.geofences.create(circle(type="polygon", coordinates=SQUARE))
    assert created.geometry["coordinates"] == [SQUARE]


def test_holes_and_parts_are_sent_as_text_and_read_as_one_ring(radar: Any, engine: Engine) -> None:
    """The SDK flattens nested lists, so that rings would run into each other."""
    hole = [[-73.977, 40.783], [-73.973, 40.783], [-73.973, 40.787], [-73.977, 40.783]]
    island = [[-73.96, 40.78], [-73.955, 40.78], [-73.955, 40.785], [-73.96, 40.78]]
    parts = [[SQUARE, hole], [island]]
    for nested in ({"coordinates": parts}, {"geometry": {"type": "MultiPolygon", "coordinates": parts}}):
        with pytest.raises(InvalidRequestError):
            radar.geofences.create(circle(type="polygon", coordinates=None) | nested)
    created = radar.geofences.create(circle(type="polygon", coordinates=json.dumps(parts)))
    found = radar.search.geofences(near=(40.785, -73.96), tags="park")
    for geofence in (created, radar.geofences.get(id=created._id), *radar.geofences.list(), *found):
        assert geofence.geometry["coordinates"] == [SQUARE]
        assert geofence.fullGeometry == {"type": "MultiPolygon", "coordinates": parts}
    engine.tracking.track(Environment.TEST, LocationUpdate("device", Point(-73.957, 40.781), 5))
    engine.tracking.track(Environment.TEST, LocationUpdate("other", Point(-73.974, 40.784), 5))
    (user,) = radar.geofences.list_users(id=created._id)
    assert user.deviceId == "device"


def test_metadata_as_a_dictionary_is_ignored_and_not_mangled(radar: Any) -> None:
    """The SDK sends only the keys of a dictionary. The `meta.warnings` of the response name the lost values."""
    created = radar.geofences.create(circle(metadata={"a": 1, "b": 2}))
    assert created.metadata == {}
    as_text = radar.geofences.create(circle(externalId="as-text", metadata=json.dumps({"a": 1})))
    assert as_text.metadata == {"a": 1}


def test_search_users_and_events(radar: Any, engine: Engine) -> None:
    created = radar.geofences.create(circle())
    engine.tracking.track(Environment.TEST, LocationUpdate("device", Point(-73.975, 40.785), 5, user_id="ann"))
    assert [geofence._id for geofence in radar.search.geofences(near=(40.785, -73.975), tags="park")] == [created._id]
    (user,) = radar.users.list()
    assert (user.userId, user.deviceId) == ("ann", "device")
    assert user.geofences[0]._id == created._id
    (event,) = radar.events.list()
    assert event.type == "user.entered_geofence"
    assert event.geofence["externalId"] == "lawn 1"


def test_rules_of_a_geofence(radar: Any) -> None:
    hours = json.dumps({"Mon": [["9:00 AM", "17:00"]]})
    created = radar.geofences.create(
        circle(operatingHours=hours, userIds=["ann", "bob"], ip="10.0.0.0/8", stopDetection=False, dwellThreshold=5)
    )
    assert created.operatingHours == {"Mon": [["09:00", "17:00"]]}
    assert (created.userIds, created.ip) == ("ann,bob", "10.0.0.0/8")
    assert (created.stopDetection, created.dwellThreshold) == (False, 5)


def test_users_in_a_geofence(radar: Any, engine: Engine) -> None:
    created = radar.geofences.create(circle())
    engine.tracking.track(Environment.TEST, LocationUpdate("device", Point(-73.975, 40.785), 5, user_id="ann"))
    for users in (
        radar.geofences.list_users(id=created._id),
        radar.geofences.list_users(tag="park", externalId="lawn 1"),
    ):
        assert [user.userId for user in users] == ["ann"]


def test_a_user_from_first_to_last(radar: Any, engine: Engine) -> None:
    engine.tracking.track(Environment.TEST, LocationUpdate("device", Point(-73.975, 40.785), 5, user_id="ann"))
    by_user_id = radar.users.get(userId="ann")
    assert radar.users.get(deviceId="device")._id == by_user_id._id
    assert radar.users.get(id=by_user_id._id).deviceId == "device"
    assert by_user_id.delete()["meta"]["code"] == 200
    with pytest.raises(NotFoundError):
        radar.users.get(userId="ann")


def test_an_event_from_verification_to_deletion(radar: Any, engine: Engine) -> None:
    radar.geofences.create(circle())
    engine.tracking.track(Environment.TEST, LocationUpdate("device", Point(-73.975, 40.785), 5))
    (event,) = radar.events.list()
    for word, value in (("accept", 1), ("reject", -1), ("unverify", 0)):
        event.verify(word)
        assert radar.events.get(event._id).verification == value
    assert event.delete()["meta"]["code"] == 200
    assert radar.events.list() == []


def test_context(radar: Any) -> None:
    created = radar.geofences.create(circle())
    context = radar.context.get(coordinates=(40.785, -73.975))
    assert context.live is False
    assert [geofence._id for geofence in context.geofences] == [created._id]


def test_pages_by_time(radar: Any) -> None:
    created = [radar.geofences.create(circle(externalId=str(n))) for n in range(3)]
    assert len(radar.geofences.list(limit=2)) == 2
    assert radar.geofences.list(createdBefore=created[0].createdAt) == []
    assert len(radar.geofences.list(createdAfter="2020-01-01")) == 3


def test_errors_become_the_sdks_errors(radar: Any, server: ApiServer, engine: Engine) -> None:
    with pytest.raises(InvalidRequestError):
        radar.geofences.create(circle(radius=5))
    with pytest.raises(AuthenticationError):
        client(server, "prj_test_sk_unknown").geofences.list()
    with pytest.raises(ForbiddenError):
        client(server, engine.workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)).users.list()


def test_it_speaks_https_once_it_trusts_the_authority(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = engine.workspace.keys
    with ApiServer(engine, port=0, tls=True) as server:
        radar = client(server, keys.value(Environment.TEST, KeyLevel.SECRET))
        with pytest.raises(OSError, match="certificate verify failed"):
            radar.geofences.list()
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(engine.workspace.certificates.authority().file))
        assert radar.geofences.create(circle()).tag == "park"
        assert [fence.tag for fence in radar.geofences.list()] == ["park"]
