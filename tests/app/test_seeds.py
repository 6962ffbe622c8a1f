"""Seed files: their fields, errors with their positions, and snapshots as seeds."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from queue import Queue
from typing import Any, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.api.wire.common.requests import RequestModel
from app.api.wire.geofence import GeofenceRecord, GeofenceSummaryAnswer, encode_geofence
from app.api.wire.settings.request import NAMES
from app.api.wire.snapshot import SeedGeofence, SeedStay, SeedUser, SeedWebhook, encode_snapshot
from app.api.wire.trips.record import DestinationAnswer, TripLegRecord, TripRecord, encode_trip
from app.api.wire.trips.seed import SeedDestination, SeedLeg, SeedTrip
from app.api.wire.user import UserRecord, encode_user
from app.api.wire.webhook import WebhookRecord, WirePayloads, encode_webhook
from app.cli.whatif.sweeping import geofence_of
from app.receiver import Received, Receiver, Signature
from app.seeds import decode_seed, read_seed, write_seed
from engine.domain.environment import Environment
from engine.domain.errors import InvalidParameter, WorkspaceError
from engine.domain.geometry import Isochrone, Polygon
from engine.domain.queries import UserQuery
from engine.domain.tracking.trips import TripQuery
from engine.domain.webhooks.delivery import QueueLength
from engine.domain.webhooks.webhook import WebhookChange
from engine.engine import Engine
from tests.engine.fixtures import NOON, SetClock, update

TEST, LIVE = Environment.TEST, Environment.LIVE
CIRCLE: dict[str, Any] = {
    "tag": "store",
    "externalId": "1",
    "description": "A store",
    "type": "circle",
    "coordinates": [9.5209, 47.141],
    "radius": 100,
}
USER: dict[str, Any] = {
    "deviceId": "phone",
    "location": {"type": "Point", "coordinates": [9.5209, 47.141]},
    "locationAccuracy": 12,
}
BEACON: dict[str, Any] = {
    "description": "Door",
    "type": "ibeacon",
    "tag": "door",
    "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d",
    "major": 1,
    "minor": 2,
    "geometry": {"type": "Point", "coordinates": [9.5209, 47.141]},
}
TRIP: dict[str, Any] = {
    "externalId": "order",
    "userId": "ann",
    "destinationGeofenceTag": "store",
    "destinationGeofenceExternalId": "1",
}
WEBHOOK: dict[str, Any] = {"url": "http://127.0.0.1:8788", "token": "a-token-of-a-seed"}
THERE: dict[str, Any] = {"destination": {"coordinates": [9.52, 47.14]}}
ID = "0123456789abcdef01234567"


def file(**sections: Any) -> bytes:
    return json.dumps({"version": 2} | sections).encode()


def loaded(content: bytes) -> dict[str, Any]:
    """Return the snapshot of a workspace that was filled from a file."""
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.seeding.load(decode_seed(content))
        return {**encode_snapshot(engine.seeding.snapshot())}


def test_an_empty_seed_is_an_empty_workspace() -> None:
    assert loaded(file()) == {"version": 2, "settings": {}, "geofences": [], "users": []}


def test_a_snapshot_has_the_seeded_values_and_leaves_out_defaults() -> None:
    written = loaded(
        file(
            settings={"test": {"dwellEvent": True, "defaultDwellThreshold": 5, "minimumConfidence": 1}},
            geofences=[CIRCLE | {"_id": ID, "metadata": {"size": 3}, "operatingHours": {"Mon": [["09:00", "17:00"]]}}],
            users=[USER | {"_id": ID, "userId": "ann", "geofences": [{"tag": "store", "externalId": "1"}]}],
            clock={"now": "2026-03-02T12:00:00Z", "frozen": True},
        )
    )
    noon = "2026-03-02T12:00:00.000Z"
    head = {"_id": ID, "createdAt": noon, "updatedAt": noon}
    assert written == {
        "version": 2,
        "settings": {"test": {"dwellEvent": True, "defaultDwellThreshold": 5.0}},
        "geofences": [
            CIRCLE
            | head
            | {
                "coordinates": (9.5209, 47.141),
                "metadata": {"size": 3},
                "operatingHours": {"Mon": [["09:00", "17:00"]]},
            }
        ],
        "users": [
            USER
            | head
            | {
                "location": {"type": "Point", "coordinates": (9.5209, 47.141)},
                "userId": "ann",
                "geofences": [{"tag": "store", "externalId": "1", "enteredAt": noon}],
            }
        ],
        "clock": {"now": noon, "frozen": True, "scale": 1.0},
    }


HOLE = [[9.57, 47.12], [9.59, 47.12], [9.59, 47.14], [9.57, 47.12]]
REACH = CIRCLE | {"type": "isochrone", "radius": 5, "mode": "foot"}
PARK = {key: value for key, value in CIRCLE.items() if key not in ("coordinates", "radius")} | {"type": "polygon"}
OUTER = [[9.5, 47.1], [9.6, 47.1], [9.6, 47.2], [9.5, 47.1]]
OUTLINED = {"geometry": {"type": "Polygon", "coordinates": [OUTER]}}
POINT = {"type": "Point", "coordinates": [9.57, 47.11]}
ISLAND = [[9.7, 47.1], [9.75, 47.1], [9.75, 47.15], [9.7, 47.1]]


def test_answers_of_the_endpoint_can_be_pasted(tmp_path: Path) -> None:
    """Records from responses of `/v1/geofences` and `/v1/users` keep their meaning in a seed."""
    ring = [[9.5, 47.1], [9.6, 47.1], [9.6, 47.2], [9.5, 47.1]]
    reach = {"coordinates": [9.52, 47.14], "radius": 5, "type": "isochrone", "mode": "foot", "externalId": "3"}
    fences = [
        CIRCLE,
        CIRCLE | {"type": "polygon", "coordinates": ring, "externalId": "2"},
        CIRCLE | reach | {"geometry": {"type": "Polygon", "coordinates": [ring]}},
        CIRCLE | {"type": "polygon", "coordinates": [ring, HOLE], "externalId": "4"},
        CIRCLE | {"type": "polygon", "coordinates": [[ring, HOLE], [ISLAND]], "externalId": "5"},
    ]
    stay = {"tag": "store", "externalId": "1"}
    whole = file(geofences=fences, users=[USER | {"geofences": [stay]}])
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        engine.seeding.load(decode_seed(whole))
        answered = [dict(encode_geofence(geofence)) for geofence in engine.geofences.all(TEST)]
        users = [dict(encode_user(user)) for user in engine.users.page(TEST, UserQuery()).items]
        expected = {**encode_snapshot(engine.seeding.snapshot())}
    assert loaded(file(geofences=answered, users=users)) == expected


@pytest.mark.parametrize(
    "shape",
    [
        {"coordinates": [[OUTER, HOLE], [ISLAND]]},
        {"geometry": {"type": "MultiPolygon", "coordinates": [[OUTER, HOLE], [ISLAND]]}},
        {"fullGeometry": {"type": "MultiPolygon", "coordinates": [[ISLAND], [OUTER, HOLE]]}}
        | {"geometry": {"type": "Polygon", "coordinates": [OUTER]}, "geometryCenter": POINT},
    ],
)
def test_holes_and_parts_of_a_seed_are_written_as_coordinates(shape: dict[str, Any]) -> None:
    snapshot = loaded(file(geofences=[PARK | shape]))
    assert json.loads(json.dumps(snapshot["geofences"]))[0]["coordinates"] == [[OUTER, HOLE], [ISLAND]]


def keys_of(record: Any) -> set[str]:
    return set(get_type_hints(record))


def test_an_answer_is_the_same_geofence_in_a_sweep(tmp_path: Path) -> None:
    """The command reads it over the API of an open workspace."""
    shapes = [CIRCLE, PARK | {"coordinates": OUTER, "externalId": "2"}, REACH | {"externalId": "3"} | OUTLINED]
    shapes.append(PARK | {"coordinates": [[OUTER, HOLE], [ISLAND]], "externalId": "4"})
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        engine.seeding.load(decode_seed(file(geofences=shapes)))
        for geofence in engine.geofences.all(TEST):
            read = geofence_of(json.loads(json.dumps(encode_geofence(geofence))), TEST).geometry
            wanted = geofence.geometry
            assert read == (Polygon(wanted.ring) if isinstance(wanted, Isochrone) else wanted)


@pytest.mark.parametrize(
    ("model", "record"),
    [
        (SeedGeofence, GeofenceRecord),
        (SeedUser, UserRecord),
        (SeedStay, GeofenceSummaryAnswer),
        (SeedTrip, TripRecord),
        (SeedLeg, TripLegRecord),
        (SeedDestination, DestinationAnswer),
        (SeedWebhook, WebhookRecord),
    ],
)
def test_every_field_of_an_answer_is_known(model: type[RequestModel], record: Any) -> None:
    names = {field.alias or name for name, field in model.model_fields.items()}
    assert keys_of(record) <= names


@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        (b"", "seed", "line 1, column 1"),
        (b'{"version": 1,\n "users": [}', "seed", "line 2, column 12"),
        (b"\xff", "seed", "UTF-8"),
        (b"[" * 1000 + b"]" * 1000, "seed", "100 levels"),
        (b"[1]", "seed", "JSON object"),
        (b"null", "seed", "JSON object"),
        (b"{}", "version", "is required: 2"),
        (file(version=3), "version", "must be 1 or 2, not 3"),
        (file(version=True), "version", "must be 1 or 2, not true"),
        (b'{"version": 1, "users": [], "users": []}', "users", "twice"),
        (b'{"version": 1, "geofences": [{"tag": "a", "tag": "b"}]}', "tag", "twice"),
        (b'{"version": 1, "users": [NaN]}', "seed", "NaN"),
        (file(fences=[]), "fences", "unknown section; did you mean geofences?"),
        (file(shapes=[]), "shapes", "unknown section; must be one of version, settings, geofences, users"),
        (file(**{"a b\n": []}), "'a b\\n'", "unknown section"),
        (file(beacons=[{}]), "beacons[0].description", "required"),
        (file(beacons={}), "beacons", "must be a list"),
        (file(geofences={}), "geofences", "must be a list, not {}"),
        (file(geofences=None), "geofences", "must be a list, not null"),
        (file(geofences=[CIRCLE, None]), "geofences[1]", "must be a JSON object, not null"),
        (file(geofences=[CIRCLE, {"tag": "x"}]), "geofences[1].description", "required"),
        (file(geofences=[CIRCLE | {"radius": "5"}]), "geofences[0].radius", "must be a number, not '5'"),
        (file(geofences=[CIRCLE | {"raduis": 5}]), "geofences[0].raduis", "; did you mean radius?"),
        (file(geofences=[CIRCLE | {"_id": "short"}]), "geofences[0]._id", ""),
        (file(geofences=[CIRCLE | {"live": "yes"}]), "geofences[0].live", "true or false"),
        (file(geofences=[CIRCLE | {"createdAt": "soon"}]), "geofences[0].createdAt", "ISO 8601"),
        (file(geofences=[CIRCLE | {"metadata": {"a": [1]}}]), "geofences[0].metadata", "'a'"),
        (file(geofences=[CIRCLE | {"operatingHours": {"Noday": []}}]), "geofences[0].operatingHours", "Noday"),
        (file(geofences=[CIRCLE | {"dwellThreshold": 1e9}]), "geofences[0].dwellThreshold", "at most"),
        (file(geofences=[CIRCLE | {"description": "\ud800"}]), "geofences[0].description", "valid string"),
        (file(geofences=[CIRCLE | {"geometry": {"type": "Polygon", "coordinates": []}}]), "geofences[0].geometry", ""),
        (
            file(geofences=[REACH | {"geometry": {"type": "Polygon", "coordinates": [OUTER, HOLE]}}]),
            "geofences[0].geometry",
            "one ring for an isochrone",
        ),
        (
            file(geofences=[PARK | {"fullGeometry": POINT}]),
            "geofences[0].fullGeometry",
            "must be a Polygon or MultiPolygon for a polygon",
        ),
        (
            file(geofences=[PARK | {"fullGeometry": {"type": "Polygon", "coordinates": [OUTER, 5]}}]),
            "geofences[0].fullGeometry",
            "ring 2 must be a list of positions, not 5",
        ),
        (file(users=[{}]), "users[0].deviceId", "required"),
        (file(users=[USER | {"location": [1, 2]}]), "users[0].location", "dictionary"),
        (
            file(users=[USER | {"location": {"type": "Point", "coordinates": [1, 91]}}]),
            "users[0].location",
            "within [-90, 90]",
        ),
        (file(users=[USER | {"locationAccuracy": 0}]), "users[0].locationAccuracy", "greater than 0"),
        (file(users=[USER | {"metadata": {str(n): n for n in range(33)}}]), "users[0].metadata", "32 keys"),
        (file(users=[USER | {"geofences": [{"tag": "a"}]}]), "users[0].geofences[0].externalId", "required"),
        (file(users=[USER | {"geofences": [7]}]), "users[0].geofences[0]", "JSON object"),
        (file(users=[USER | {"journey": {}}]), "users[0].journey", "no such parameter"),
        (file(trips={}), "trips", "must be a list"),
        (file(trips=[{}]), "trips[0].externalId", "required"),
        (file(trips=[TRIP | {"status": "completed"}]), "trips[0].status", "no trips that are completed"),
        (file(trips=[TRIP | {"status": "begun"}]), "trips[0].status", "must be one of"),
        (file(trips=[TRIP | {"orders": []}]), "trips[0].orders", "no such parameter"),
        (file(trips=[{"externalId": "a", "destination": {"address": "Home"}}]), "trips[0].destination", "coordinates"),
        (file(trips=[{"externalId": "a", "legs": [THERE, {}]}]), "trips[0].legs[1].destination", "is required"),
        (file(trips=[{"externalId": "a", "legs": [THERE, {"destination": {}}]}]), "trips[0].legs[1].destination", ""),
        (file(webhooks={}), "webhooks", "must be a list"),
        (file(webhooks=[{}]), "webhooks[0].url", "required"),
        (file(webhooks=[WEBHOOK, WEBHOOK | {"secret": "x"}]), "webhooks[1].secret", "no such parameter"),
        (file(webhooks=[WEBHOOK | {"delivery": "double"}]), "webhooks[0].delivery", "must be 'single' or 'multiple'"),
        (file(settings={"staging": {}}), "settings.staging", "test or live"),
        (file(settings={"test": []}), "settings.test", "JSON object"),
        (file(settings={"live": {"bufferEntry": True}}), "settings.live.bufferEntry", "; did you mean bufferEntries?"),
        (file(settings={"live": {"bufferEntries": 1}}), "settings.live.bufferEntries", "true or false"),
        (file(clock=[]), "clock", "JSON object"),
        (file(clock={"advanceSeconds": 5}), "clock.advanceSeconds", "no such parameter"),
        (file(clock={"scale": -1}), "clock.scale", "within"),
        (file(keys={"live": {}}), "keys.live", "only the keys of Test"),
        (file(keys={"test": {"public": "x"}}), "keys.test.public", "no such parameter"),
    ],
)
def test_a_fault_names_its_place(content: bytes, place: str, words: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        decode_seed(content)
    assert refused.value.param == place, refused.value.message
    assert refused.value.message.startswith(f"{place}: ")
    assert words in refused.value.message


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match=r"none\.json cannot be read: No such file"):
        read_seed(tmp_path / "none.json")
    (tmp_path / "bad.json").write_bytes(file(geofences=[CIRCLE | {"radius": None, "type": "square"}]))
    with pytest.raises(InvalidParameter, match=r"bad\.json: geofences\[0\]\.type: must be "):
        read_seed(tmp_path / "bad.json")


def test_null_is_the_same_as_absent() -> None:
    nulls = {"userId": None, "metadata": None, "geofences": None, "createdAt": None, "live": None}
    written = loaded(file(users=[USER | nulls], geofences=[CIRCLE | {"metadata": None, "enabled": None}]))
    assert (len(written["users"]), len(written["geofences"])) == (1, 1)


def test_a_file_has_a_line_for_each_record() -> None:
    written = write_seed(loaded(file(geofences=[CIRCLE, CIRCLE | {"externalId": "2"}], users=[USER])))
    lines = written.decode().splitlines()
    assert len([line for line in lines if '"externalId"' in line]) == 2
    assert len([line for line in lines if '"deviceId"' in line]) == 1


# A snapshot is a seed, and results in the same snapshot.

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12)
identifiers = texts.filter(str.strip)
values = st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | texts
metadata = st.dictionaries(identifiers, values, max_size=3)
moments = st.integers(0, 10**12).map(lambda ms: datetime(1971, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms))
times = moments.map(lambda moment: moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"))
positions = st.tuples(st.floats(-180, 180), st.floats(-89, 89)).map(list)
minutes = st.floats(0.01, 1000)


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a strategy for any subset of the fields."""
    return st.fixed_dictionaries({}, optional=fields)


def square(corner: list[float], side: float) -> list[list[float]]:
    west, south = max(-179.0, min(corner[0], 178.0)), max(-88.0, min(corner[1], 87.0))
    return [[west, south], [west + side, south], [west + side, south + side], [west, south + side], [west, south]]


rings = st.builds(square, positions, st.floats(0.001, 0.9))
rules = some(
    metadata=metadata,
    enabled=st.booleans(),
    live=st.booleans(),
    createdAt=times,
    updatedAt=times,
    stopDetection=st.booleans(),
    disableAfter=times,
    dwellThreshold=minutes,
    userIds=st.lists(identifiers.filter(lambda text: "," not in text), max_size=3),
    ip=st.sampled_from(["10.0.0.1", "10.0.*.*,192.168.0.0/16"]),
    operatingHours=st.sampled_from([{"Mon": [["09:00", "17:00"]]}, {"sunday": [["10:00 PM", "2:00 am"]], "Tue": []}]),
)
shapes = st.one_of(
    st.builds(
        lambda at, radius: {"type": "circle", "coordinates": at, "radius": radius}, positions, st.floats(10, 1e4)
    ),
    st.builds(lambda ring: {"type": "polygon", "coordinates": ring}, rings),
    st.builds(
        lambda ring, at, reach, mode: {
            "type": "isochrone",
            "coordinates": at,
            "radius": reach,
            "mode": mode,
            "geometry": {"type": "Polygon", "coordinates": [ring]},
        },
        rings,
        positions,
        st.floats(1, 60),
        st.sampled_from(["car", "foot"]),
    ),
)
geofences = st.builds(
    lambda description, shape, extra: {"description": description} | shape | extra, identifiers, shapes, rules
)
users = st.builds(
    lambda at, accuracy, extra: (
        {
            "location": {"type": "Point", "coordinates": at},
            "locationAccuracy": accuracy,
        }
        | extra
    ),
    positions,
    st.floats(0.1, 1e5),
    some(
        live=st.booleans(),
        userId=identifiers,
        description=texts,
        metadata=metadata,
        altitude=st.floats(-100, 9000),
        foreground=st.booleans(),
        stopped=st.booleans(),
        deviceType=st.sampled_from(["iOS", "Android", "Web"]),
        deviceOS=texts,
        ip=st.just("10.0.0.1"),
        createdAt=times,
        updatedAt=times,
    ),
)
switches = some(
    test=some(
        dwellEvent=st.booleans(),
        defaultDwellThreshold=minutes,
        sharingWindow=minutes,
        blocked=st.lists(identifiers.map(str.strip), max_size=2),
        keptUpdates=st.integers(0, 1000),
        proxyAddresses=st.just("10.0.*.*"),
    ),
    live=some(
        bufferExits=st.booleans(),
        segments=st.just(
            [
                {
                    "description": "Gold",
                    "externalId": "gold",
                    "conditions": [
                        {"field": "metadata.plan", "comparison": "equals", "value": "gold"},
                        {"field": "userId", "comparison": "exists"},
                    ],
                },
            ]
        ),
    ),
)


etas = st.builds(
    lambda metres, minutes, source: {"distance": round(metres, 1), "duration": round(minutes, 3), "source": source},
    st.floats(0, 1e6),
    st.floats(0, 1e4),
    st.sampled_from(["route", "estimate"]),
)
trips = st.lists(
    st.builds(
        lambda point, status, extra: {"destination": {"coordinates": point}, "status": status} | extra,
        positions,
        st.sampled_from(["pending", "started", "approaching", "arrived"]),
        some(
            live=st.booleans(),
            userId=identifiers,
            deviceId=st.just("device 0"),
            metadata=metadata,
            mode=st.sampled_from(["car", "foot"]),
            approachingThreshold=minutes,
            scheduledArrivalAt=times,
            createdAt=times,
            startedAt=times,
            eta=etas,
            legs=st.lists(st.builds(lambda at: {"destination": {"coordinates": at}}, positions), max_size=3),
        ),
    ),
    max_size=3,
).map(lambda found: [trip | {"externalId": f"trip {number}"} for number, trip in enumerate(found)])


@st.composite
def seeds(draw: Callable[[st.SearchStrategy[Any]], Any]) -> bytes:
    fences = [
        fence | {"tag": draw(identifiers), "externalId": f"{number}"}
        for number, fence in enumerate(draw(st.lists(geofences, max_size=4)))
    ]
    people = []
    for number, user in enumerate(draw(st.lists(users, max_size=3))):
        candidates = [fence for fence in fences if fence.get("live", False) == user.get("live", False)]
        stays = (
            draw(st.lists(st.sampled_from(candidates), max_size=2, unique_by=lambda each: each["externalId"]))
            if candidates
            else []
        )
        inside = [
            {"tag": fence["tag"], "externalId": fence["externalId"]}
            | draw(some(enteredAt=times, dwelled=st.booleans()))
            for fence in stays
        ]
        people.append(user | {"deviceId": f"device {number}", "geofences": inside})
    clock = draw(st.none() | st.builds(lambda now, scale: {"now": now, "frozen": True, "scale": scale}, times, minutes))
    optional = {} if clock is None else {"clock": clock}
    if draw(st.booleans()):
        optional["trips"] = draw(trips)
    optional |= (
        {"beacons": [BEACON | {"minor": n, "externalId": f"{n}", "live": n == 2} for n in range(3)]}
        if draw(st.booleans())
        else {}
    )
    return file(settings=draw(switches), geofences=fences, users=people, **optional)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(seeds())
def test_a_snapshot_makes_the_same_snapshot(content: bytes) -> None:
    first = loaded(content)
    written = write_seed(first)
    assert write_seed(loaded(written)) == written


def test_beacons_of_a_seed_are_detected() -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.seeding.load(decode_seed(file(beacons=[BEACON | {"externalId": "1"}])))
        (stored,) = engine.beacons.all(TEST)
        assert (stored.tag, stored.external_id, str(stored.signal)) == (
            "door",
            "1",
            "b9407f30-f5f8-466e-aff9-25556b57fe6d, major 1, minor 2",
        )


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ({"externalId": "1", "minor": 3}, r"beacons\[1\].external_id: beacons\[0\] already has"),
        ({"externalId": "2"}, r"beacons\[1\].type: beacons\[0\] already has"),
        ({"externalId": "2", "major": 70_000}, r"beacons\[1\].*major"),
    ],
)
def test_beacons_that_cannot_be_are_named(second: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        loaded(file(beacons=[BEACON | {"externalId": "1"}, BEACON | second]))


def test_trips_as_they_are_answered_and_as_they_are_created() -> None:
    legs = [THERE | {"stopDuration": 5, "metadata": {"a": 1}}, {"destination": {"destinationGeofenceTag": "store"}}]
    legs[1]["destination"]["destinationGeofenceExternalId"] = "1"
    trips = [
        TRIP | {"status": "started", "deviceId": "phone", "mode": "foot", "approachingThreshold": 3},
        {"externalId": "round", "deviceId": "van", "legs": legs, "scheduledArrivalAt": "2026-03-02T13:00:00.000Z"},
        {"externalId": "home", "live": True, "metadata": {"b": True}}
        | {"destination": {"coordinates": [9.5, 47.1], "address": "Home", "arrivalRadius": 50}},
    ]
    whole = file(geofences=[CIRCLE], users=[USER | {"userId": "ann"}], trips=trips)
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.seeding.load(decode_seed(whole))
        user = engine.users.get(TEST, "ann")
        assert user.trip is not None
        assert (user.trip.external_id, user.trip.user, user.trip.status) == ("order", user.id, "started")
        answered = [
            dict(encode_trip(trip)) for env in (TEST, LIVE) for trip in engine.trips.page(env, TripQuery()).items
        ]
        written: dict[str, Any] = {**encode_snapshot(engine.seeding.snapshot())}
    assert [trip["externalId"] for trip in written["trips"]] == ["order", "round", "home"]
    people = {"geofences": written["geofences"], "users": written["users"]}
    again = loaded(file(**people, trips=answered))["trips"]
    assert sorted(again, key=str) == sorted(written["trips"], key=str)
    assert loaded(file(**people, trips=written["trips"]))["trips"] == written["trips"]


def test_a_trip_keeps_its_eta_through_a_snapshot() -> None:
    eta = {"distance": 1800.5, "duration": 3.533, "source": "route"}
    leg = THERE | {"eta": eta | {"duration": 2.0}}
    trips = [
        TRIP | {"status": "started", "deviceId": "phone", "eta": eta, "scheduledArrivalAt": "2026-03-02T11:00:00.000Z"},
        {"externalId": "round", "deviceId": "van", "status": "started", "legs": [leg], "eta": eta},
    ]
    written = loaded(file(geofences=[CIRCLE], users=[USER | {"userId": "ann"}], trips=trips))
    assert [trip["eta"] for trip in written["trips"]] == [eta, eta]
    assert written["trips"][1]["legs"][0]["eta"] == leg["eta"]
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.seeding.load(decode_seed(json.dumps(written).encode()))
        trip = engine.users.get(TEST, "ann").trip
        assert trip is not None
        answered = encode_trip(trip)
        delay = {"delayed": True, "scheduledArrivalTimeDelay": 63.533}
        assert (answered["eta"], answered["delay"]) == (eta, delay), "an hour late, and still on the way"
        # The ETA is the one of the last event, since there is no new event while it is unchanged.
        assert trip.told_s == pytest.approx(3.533 * 60)
        assert encode_snapshot(engine.seeding.snapshot())["trips"] == written["trips"]


def test_a_trip_to_a_deleted_geofence_goes_to_its_last_position() -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.seeding.load(decode_seed(file(geofences=[CIRCLE], trips=[TRIP])))
        engine.geofences.delete_all(TEST)
        (trip,) = encode_snapshot(engine.seeding.snapshot())["trips"]
    assert trip["destination"]["coordinates"] == pytest.approx(CIRCLE["coordinates"])
    assert loaded(file(trips=[trip]))["trips"] == [trip]


@pytest.mark.parametrize(
    ("trips", "words"),
    [
        ([TRIP], r"trips\[0\].destination_geofence_external_id: no geofence has"),
        ([{"externalId": "a"}, {"externalId": "a"}], r"trips\[1\].external_id: trips\[0\] already has"),
        ([{"externalId": "a", "_id": ID}, {"externalId": "b", "_id": ID}], r"trips\[1\]._id: trips\[0\] already has"),
        ([{"externalId": "a", "approachingThreshold": 1e6}], r"trips\[0\].approaching_threshold"),
    ],
)
def test_trips_that_cannot_be_are_named(trips: list[dict[str, Any]], words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        loaded(file(trips=trips))


def test_a_seed_knows_every_setting() -> None:
    usual = loaded(file(settings={"test": dict.fromkeys(NAMES)}))
    assert usual["settings"] == {}


@pytest.mark.parametrize(
    ("settings", "test"),
    [
        ({}, "calendar"),
        ({"test": {"dwellEvent": True}}, "calendar"),
        ({"test": {"operatingHoursRule": "platform"}}, "platform"),
        ({"test": {"operatingHoursRule": None}}, "calendar"),
    ],
)
def test_hours_of_a_seed_of_version_1_are_those_of_the_calendar(settings: dict[str, Any], test: str) -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.seeding.load(decode_seed(file(version=1, settings=settings)))
        rules = [engine.settings.get(environment).operating_hours_rule for environment in Environment]
        written: dict[str, Any] = {**encode_snapshot(engine.seeding.snapshot())}
    assert rules == [test, "calendar"]
    assert written["settings"]["live"] == {"operatingHoursRule": "calendar"}
    assert loaded(json.dumps(written).encode()) == written


def test_a_new_workspace_and_a_seed_of_version_2_have_the_rule_of_the_platform() -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        assert engine.settings.get(Environment.TEST).operating_hours_rule == "platform"
        engine.seeding.load(decode_seed(file()))
        assert engine.settings.get(Environment.LIVE).operating_hours_rule == "platform"


def test_times_of_a_seed_are_kept_to_the_millisecond() -> None:
    at = NOON - timedelta(milliseconds=1)
    written = loaded(file(users=[USER | {"updatedAt": at.isoformat()}]))
    assert written["users"][0]["updatedAt"] == "2026-03-02T11:59:59.999Z"


def test_a_seed_makes_webhooks_and_a_reset_restores_them() -> None:
    seed = file(webhooks=[WEBHOOK | {"eventTypes": ["user.entered_geofence"]}, {"url": "http://127.0.0.1:8789"}])
    with Engine.open(":memory:", clock=SetClock()) as engine:
        engine.seeding.load(decode_seed(seed))
        seeded = engine.webhooks.all(TEST)
        assert [(each.url, each.event_types) for each in seeded if each.token == WEBHOOK["token"]] == [
            (WEBHOOK["url"], ("user.entered_geofence",))
        ]
        assert (len(seeded), engine.webhooks.all(LIVE)) == (2, ())
        assert WEBHOOK["token"] in engine.webhooks.tokens, "logs must not contain it"

        engine.webhooks.delete(TEST, seeded[0].id)
        engine.webhooks.update(TEST, seeded[1].id, WebhookChange(enabled=False))
        added = engine.webhooks.create(TEST, WebhookChange(url="http://127.0.0.1:8790"))
        live = engine.webhooks.create(LIVE, WebhookChange(url="https://example.com", token="a-token-of-live"))
        engine.seeding.reset()
        assert engine.webhooks.all(TEST) == seeded
        assert engine.webhooks.all(LIVE) == (live,)
        assert added.token in engine.webhooks.tokens
        assert "webhooks" not in encode_snapshot(engine.seeding.snapshot())


def test_events_go_to_the_webhooks_of_a_seed_at_once_and_after_a_reset() -> None:
    received: Queue[Received] = Queue()
    with (
        Receiver(received.put, token=WEBHOOK["token"]) as receiver,
        Engine.open(":memory:", clock=SetClock(), payloads=WirePayloads) as engine,
    ):
        seed = file(geofences=[CIRCLE], webhooks=[WEBHOOK | {"url": receiver.url}])
        engine.seeding.load(decode_seed(seed))
        engine.tracking.track(TEST, update())
        assert received.get(timeout=30).signature is Signature.VALID
        engine.webhooks.delete(TEST, engine.webhooks.all(TEST)[0].id)
        engine.seeding.reset()
        engine.tracking.track(TEST, update())
        assert received.get(timeout=30).signature is Signature.VALID


def test_stored_webhooks_are_those_of_the_seed(tmp_path: Path) -> None:
    seed = decode_seed(file(webhooks=[WEBHOOK, WEBHOOK | {"live": True, "url": "https://example.com"}]))
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        engine.seeding.load(seed)
        engine.webhooks.create(TEST, WebhookChange(url="http://127.0.0.1:8790"))
        engine.seeding.reset()
    with Engine.open(tmp_path, clock=SetClock()) as engine:
        assert [each.url for each in engine.webhooks.all(TEST)] == [WEBHOOK["url"]]
        assert [each.url for each in engine.webhooks.all(LIVE)] == ["https://example.com"]


def test_without_the_section_webhooks_stay() -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        kept = engine.webhooks.create(TEST, WebhookChange(url="http://127.0.0.1:8790"))
        engine.seeding.load(decode_seed(file()))
        engine.seeding.reset()
        assert engine.webhooks.all(TEST) == (kept,)


def test_webhooks_of_a_workspace_are_not_replaced_by_those_of_a_seed() -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        kept = engine.webhooks.create(TEST, WebhookChange(url="http://127.0.0.1:8790"))
        with pytest.raises(WorkspaceError, match="1 webhook"):
            engine.seeding.load(decode_seed(file(webhooks=[WEBHOOK])))
        assert engine.webhooks.all(TEST) == (kept,)


def test_answers_about_webhooks_can_be_pasted() -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        made = engine.webhooks.create(TEST, WebhookChange(url="http://127.0.0.1:8790", tags=("store",)))
    with Engine.open(":memory:", clock=SetClock(NOON + timedelta(days=1))) as engine:
        engine.seeding.load(decode_seed(file(webhooks=[{**encode_webhook(made, QueueLength(0, 0))}])))
        assert engine.webhooks.all(TEST) == (made,)


@pytest.mark.parametrize(
    ("webhooks", "words"),
    [
        ([WEBHOOK | {"url": "ftp://example.com"}], "webhooks[0].url: must be an http or https URL"),
        ([WEBHOOK | {"live": True}], "webhooks[0].url: is at a private address"),
        ([WEBHOOK | {"token": "short"}], "webhooks[0].token: must have 12 to 256 characters"),
        ([WEBHOOK | {"_id": ID}, WEBHOOK | {"_id": ID}], "webhooks[1]._id: webhooks[0] already has this _id"),
        ([WEBHOOK] * 51, "webhooks[50]: there are already 50 webhooks, the maximum"),
    ],
)
def test_a_webhook_that_cannot_be_one_is_refused(webhooks: list[dict[str, Any]], words: str) -> None:
    with Engine.open(":memory:", clock=SetClock()) as engine:
        with pytest.raises(InvalidParameter) as refused:
            engine.seeding.load(decode_seed(file(webhooks=webhooks)))
        assert words in refused.value.message
        assert engine.webhooks.all(TEST) == ()
