"""``fencewright promote``, on a closed workspace and on one open elsewhere; change sets; exact promotion."""

import io
import os
import signal
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from time import sleep
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.api.change_sets import apply_change_set, decode_change_set, plan_promotion
from app.api.commands.geofences import ImportRequest, import_file
from app.cli.review import promoting
from app.cli.workspaces import ReachedWorkspace
from app.files import read_import
from app.seeds import write_seed
from engine import Engine
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, InvalidParameter
from engine.domain.geofence import Geofence, GeofenceChange, GeofenceRules, GeofenceSummary
from engine.domain.geometry import Circle, Geometry, Isochrone, Point, Polygon
from engine.domain.hours import HoursRule, OperatingHours, Span, parse_hours
from engine.domain.ip import parse_ip_ranges
from engine.domain.settings import SettingsChange
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geofences.promotion.differences import ChangeSet, Difference
from engine.geofences.promotion.promotions import PromotionQuery
from tests.app.commands import Commands, written

TEST, LIVE = Environment.TEST, Environment.LIVE
HEADER = "description,type,tag,externalId,coordinates,radius,metadata\n"
CIRCLE = '{1},circle,store,{0},"[14.3577,45.7722]",{2},"{{""a"":1}}"\n'


@pytest.fixture
def filled(fencewright: Commands, workspace: Path, tmp_path: Path) -> Path:
    """A workspace with geofences 1, 2 and 3 in Test, and a different 2, 3 and 4 in Live."""
    rows = [CIRCLE.format("1", "Één", 150), CIRCLE.format("2", "Two", 150), CIRCLE.format("3", "Three", 150)]
    other = [CIRCLE.format("2", "Zwei 二", 99), rows[2], CIRCLE.format("4", "Four", 150)]
    for environment, table in (("test", rows), ("live", other)):
        file = written(tmp_path / f"{environment}.csv", HEADER + "".join(table))
        ended = fencewright("import", file, "--workspace", workspace, "--environment", environment)
        assert ended.code == 0
    return workspace


def names(fencewright: Commands, workspace: Path, environment: str) -> dict[str, str]:
    ended = fencewright(
        "export", "--workspace", workspace, "--environment", environment, "--format", "geojson", "--output", "-"
    )
    features = [each["properties"] for each in orjson.loads(ended.out)["features"]]
    return {each["externalId"]: each["description"] for each in features}


def test_differences_are_shown_and_nothing_is_changed(fencewright: Commands, filled: Path) -> None:
    ended = fencewright("promote", "--workspace", filled, "--dry-run")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        "new      store/1  Één",
        "changed  store/2  Two",
        "           description: Zwei 二 → Two",
        "           radius: 99.0 → 150.0",
        "missing  store/4  Four (stays; --delete-missing deletes it)",
        "Test → Live: 1 new, 1 changed, 0 to delete, 1 only in Live, 1 the same",
        "1 created, 1 updated, 0 deleted, 0 unchanged (dry run: nothing was changed)",
    ]
    assert names(fencewright, filled, "live") == {"2": "Zwei 二", "3": "Three", "4": "Four"}
    (one,) = fencewright("promote", "--workspace", filled, "--dry-run", "--only", "store/1", "--json").json["changes"]
    assert (one["action"], one["geofence"]["description"]) == ("create", "Één")
    back = fencewright("promote", "--workspace", filled, "--from", "live", "--dry-run").out
    assert "Live → Test: 1 new, 1 changed, 0 to delete, 1 only in Test, 1 the same" in back


def test_new_and_changed_geofences_are_promoted_and_none_is_deleted(fencewright: Commands, filled: Path) -> None:
    ended = fencewright("promote", "--workspace", filled, "--yes")
    assert (ended.code, ended.out.splitlines()[-1]) == (0, "1 created, 1 updated, 0 deleted, 0 unchanged")
    assert names(fencewright, filled, "live") == {"1": "Één", "2": "Two", "3": "Three", "4": "Four"}
    assert fencewright("promote", "--workspace", filled, "--yes", "--delete-missing", "--json").json["deleted"] == 1
    again = fencewright("promote", "--workspace", filled, "--yes")
    assert again.out.splitlines()[0] == "Test → Live: 0 new, 0 changed, 0 to delete, 0 only in Live, 3 the same"
    assert names(fencewright, filled, "test") == {"1": "Één", "2": "Two", "3": "Three"}


def test_a_change_set_is_saved_and_applied_once_it_was_looked_at(
    fencewright: Commands, filled: Path, tmp_path: Path
) -> None:
    file, at = tmp_path / "änderung.json", ("--workspace", filled)
    ended = fencewright("promote", *at, "--save", file, "--delete-missing")
    assert (ended.code, "3 changes written to" in ended.err) == (0, True)
    assert ended.out.splitlines()[-1] == "Test → Live: 1 new, 1 changed, 1 to delete, 0 only in Live, 1 the same"
    apply = f"fencewright promote --apply {quote(str(file))} --workspace {quote(str(filled))}"
    assert ended.err.endswith(f"nothing was changed. To apply: {apply}\n")
    assert fencewright("promote", *at, "--save", file, "--delete-missing", "--json").json["savedTo"] == str(file)
    assert "4" in names(fencewright, filled, "live")
    checked = fencewright("promote", *at, "--apply", file, "--dry-run")
    assert checked.out.splitlines()[-1].startswith("1 created, 1 updated, 1 deleted, 0 unchanged (dry run")
    assert fencewright("promote", *at, "--apply", file, "--yes").code == 0
    assert names(fencewright, filled, "live") == {"1": "Één", "2": "Two", "3": "Three"}
    # Changes that are already applied are not a conflict, so that a job may run twice.
    twice = fencewright("promote", *at, "--apply", file, "--yes")
    assert (twice.code, twice.out.splitlines()[-1]) == (0, "0 created, 0 updated, 0 deleted, 3 unchanged")


def test_changes_in_the_target_since_are_refused(fencewright: Commands, filled: Path, tmp_path: Path) -> None:
    file, at = tmp_path / "set.json", ("--workspace", filled)
    fencewright("promote", *at, "--save", file, "--delete-missing")
    edited = written(tmp_path / "edit.csv", HEADER + CIRCLE.format("2", "Zwei 二", 55) + CIRCLE.format("4", "4th", 150))
    fencewright("import", edited, *at, "--environment", "live")
    ended = fencewright("promote", *at, "--apply", file, "--yes")
    assert ended.code == 1
    assert ended.err == (
        "fencewright: radius: has changed in Live for store/2 since the change set was made. Nothing was changed. "
        "1 other geofence changed there, too.\n"
    )
    assert set(names(fencewright, filled, "live")) == {"2", "3", "4"}


def test_it_prompts_only_on_a_terminal(fencewright: Commands, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = fencewright("promote", "--workspace", filled)
    assert (ended.code, "there is no terminal; give --yes" in ended.err) == (2, True)
    for answer, code, created in (("n\n", 1, False), ("\n", 1, False), ("y\n", 0, True)):
        terminal = io.StringIO(answer)
        monkeypatch.setattr(terminal, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", terminal)
        ended = fencewright("promote", "--workspace", filled)
        assert (ended.code, "create 1, change 1 and delete 0 geofences? [y/N]" in ended.err) == (code, True)
        assert ("1" in names(fencewright, filled, "live")) is created


def test_an_interrupt_instead_of_an_answer_ends_it(
    fencewright: Commands, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> str:
        os.kill(os.getpid(), signal.SIGINT)
        sleep(1)
        return "y\n"

    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(terminal, "readline", interrupt)
    monkeypatch.setattr(sys, "stdin", terminal)
    ended = fencewright("promote", "--workspace", filled)
    assert (ended.code, ended.err.splitlines()[-1].endswith("[y/N] fencewright: stopped")) == (130, True)
    assert "1" not in names(fencewright, filled, "live")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--from", "live", "--to", "live"), "they must differ"),
        (("--apply", "x.json", "--only", "a"), "--only cannot be combined with --apply"),
        (("--apply", "x.json", "--from", "live"), "--from cannot be combined with --apply"),
        (("--from", "staging"), "must be test or live"),
    ],
)
def test_wrong_usage(fencewright: Commands, options: tuple[str, ...], message: str) -> None:
    ended = fencewright("promote", "--yes", *options)
    assert (ended.code, message in ended.err) == (2, True), ended


def test_empty_environments_and_unknown_keys(fencewright: Commands, workspace: Path, tmp_path: Path) -> None:
    fencewright("settings", "--workspace", workspace)
    ended = fencewright("promote", "--workspace", workspace, "--yes")
    assert (ended.code, ended.out.splitlines()[0].startswith("Test → Live: 0 new")) == (0, True)
    unknown = fencewright("promote", "--workspace", workspace, "--dry-run", "--only", "no/such")
    assert (unknown.code, "neither environment has the geofence or tag 'no/such'" in unknown.err) == (1, True)


def test_the_same_external_id_in_two_tags_is_two_geofences(
    fencewright: Commands, workspace: Path, tmp_path: Path
) -> None:
    two = CIRCLE.format("1", "A", 50) + CIRCLE.format("1", "B", 60).replace("store", "depot")
    fencewright("import", written(tmp_path / "two.csv", HEADER + two), "--workspace", workspace)
    assert fencewright("promote", "--workspace", workspace, "--yes", "--only", "depot", "--json").json["created"] == 1
    assert names(fencewright, workspace, "live") == {"1": "B"}


# Change sets from other programs

ONE = {"tag": "a", "externalId": "1", "description": "One", "type": "circle", "coordinates": [9.5, 47.1], "radius": 50}
CREATE = {"action": "create", "tag": "a", "externalId": "1", "geofence": ONE}


def change_set(*changes: object, **others: object) -> dict[str, object]:
    head = {"format": "fencewright-change-set", "version": 1, "from": "test", "to": "live"}
    return {**head, "changes": list(changes), **others}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not valid JSON: line 1"),
        (b"\xff\xfe", "is not valid JSON"),
        (b"[" * 5_000, "nested more than 100 levels"),
        (b"[]", "is no change set"),
        (b'{"format": "fencewright-change-set", "version": NaN}', "is not valid JSON"),
        (change_set(version=2), "version: must be 1, not 2; another version"),
        (change_set(to="test"), "to: must be the other environment"),
        (change_set(to="staging"), "to: must be test or live"),
        (change_set(changes={}), "changes: must be a list"),
        (change_set(7), "changes[0]: must be a JSON object"),
        (change_set({**CREATE, "action": "drop"}), "changes[0].action: must be one of create, update, delete"),
        (change_set({**CREATE, "action": "update"}), "changes[0].seen: is required for update"),
        (change_set({**CREATE, "seen": ONE}), "changes[0].seen: must be absent for create"),
        (change_set({**CREATE, "extra": 1}), "changes[0].extra: is not a field"),
        (change_set(CREATE, CREATE), "changes[1]: a/1 is in the change set twice"),
        (change_set({**CREATE, "geofence": {**ONE, "radius": "x"}}), "changes[0].geofence.radius"),
        (change_set({**CREATE, "geofence": {**ONE, "colour": "red"}}), "changes[0].geofence.colour"),
        (change_set({**CREATE, "geofence": {**ONE, "userIds": "a,b"}}), "changes[0].geofence.userIds: must be a list"),
        (change_set({**CREATE, "geofence": {**ONE, "placeId": "x"}}), "names coordinates, no address and no place"),
        (change_set({**CREATE, "geofence": {**ONE, "tag": "b"}}), "the geofence is b/1, not a/1"),
        (change_set({**CREATE, "geofence": {**ONE, "radius": 5}}), "between 10 and 10000"),
        (
            change_set({**CREATE, "geofence": {**ONE, "type": "isochrone", "mode": "car"}}),
            "changes[0].geofence.geometry: is required for an isochrone",
        ),
    ],
)
def test_a_fault_of_a_file_names_its_place(engine: Engine, content: bytes | dict[str, object], message: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        engine.promotions.read(*decode_change_set(content if isinstance(content, bytes) else orjson.dumps(content)))
    assert message in refused.value.message


@pytest.mark.parametrize("radius", ["x", 5])
def test_a_damaged_file_changes_nothing(fencewright: Commands, workspace: Path, tmp_path: Path, radius: object) -> None:
    good, bad = (
        {**CREATE, "tag": "b", "geofence": {**ONE, "tag": "b"}},
        {**CREATE, "geofence": {**ONE, "radius": radius}},
    )
    file = written(tmp_path / "set.json", orjson.dumps(change_set(good, bad)).decode())
    fencewright("settings", "--workspace", workspace)
    ended = fencewright("promote", "--workspace", workspace, "--apply", file, "--yes")
    assert (ended.code, "changes[1].geofence.radius" in ended.err) == (1, True), ended.err
    assert names(fencewright, workspace, "live") == {}


def test_a_file_that_is_missing_or_too_large(
    fencewright: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fencewright("settings", "--workspace", tmp_path / "w")
    at = ("--workspace", tmp_path / "w", "--yes", "--apply")
    assert "cannot be read: No such file" in fencewright("promote", *at, tmp_path / "none.json").err
    monkeypatch.setattr(promoting, "MAX_CHANGE_SET", 10)
    large = written(tmp_path / "large.json", " " * 11)
    assert "must not be larger than" in fencewright("promote", *at, large).err


def test_a_change_that_comes_between_the_look_and_the_promotion_is_kept(
    fencewright: Commands, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply = promoting._apply
    edited = written(tmp_path / "edit.csv", HEADER + CIRCLE.format("2", "Meanwhile", 55))

    def late(workspace: ReachedWorkspace, *arguments: Any) -> Any:
        workspace.run(import_file, ImportRequest(name=edited.name), LIVE, read_import(edited).data)
        return apply(workspace, *arguments)

    monkeypatch.setattr(promoting, "_apply", late)
    ended = fencewright("promote", "--workspace", filled, "--yes")
    assert (ended.code, "has changed in Live for store/2" in ended.err) == (1, True)
    monkeypatch.undo()
    assert names(fencewright, filled, "live") == {"2": "Meanwhile", "3": "Three", "4": "Four"}


# Exact promotion

MOMENTS = st.datetimes(datetime(2030, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC))
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).filter(str.strip)
SPANS = st.lists(st.builds(Span, st.integers(0, 1439), st.integers(0, 1440)), max_size=3)
DAYS = st.tuples(*(SPANS.map(lambda spans: tuple(sorted(spans, key=lambda span: span.opens_min))) for _ in range(7)))
VALUES = st.one_of(st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False), WORDS)
POINTS = st.builds(Point, st.floats(-179, 179), st.floats(-80, 80))
RINGS = st.builds(
    lambda p, w: ((p.longitude, p.latitude), (p.longitude + w, p.latitude), (p.longitude, p.latitude + w)),
    POINTS,
    st.floats(0.001, 0.5),
).map(lambda corners: (*corners, corners[0]))
RULES = st.builds(
    GeofenceRules,
    operating_hours=st.none() | DAYS.map(OperatingHours),
    stop_detection=st.none() | st.booleans(),
    disable_after=st.none() | MOMENTS,
    delete_after=st.none() | MOMENTS,
    user_ids=st.lists(WORDS.map(str.strip), unique=True, max_size=3).map(tuple),
    ip=st.none() | st.sampled_from(["10.0.0.7", "10.0.*.*", "10.0.0.0/16"]).map(lambda text: parse_ip_ranges([text])),
    dwell_threshold_s=st.none() | st.floats(1, 1e5),
    trip_approaching_threshold_s=st.none() | st.floats(0, 1e4),
)
GEOMETRIES = st.one_of(
    st.builds(Circle, POINTS, st.floats(10, 10_000)),
    RINGS.map(Polygon),
    st.builds(Isochrone, ring=RINGS, center=POINTS, minutes=st.floats(1, 60), mode=st.sampled_from(TravelMode)),
)
KEYS = st.tuples(st.sampled_from(["a", "b/c", "日本"]), st.sampled_from(["1", "x/y", "ä"]))


def made(key: tuple[str, str], geometry: Geometry, parts: tuple[str, dict[str, Any], bool, GeofenceRules]) -> Geofence:
    name, metadata, enabled, rules = parts
    return Geofence("", TEST, GeofenceSummary("", *key, name, metadata), geometry, enabled, NOW, NOW, rules)


NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
PARTS = st.tuples(WORDS, st.dictionaries(WORDS, VALUES, max_size=4), st.booleans(), RULES)
MANY = st.dictionaries(KEYS, st.tuples(GEOMETRIES, PARTS), max_size=5).map(
    lambda found: [made(key, *parts) for key, parts in found.items()]
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine.open(":memory:") as opened:
        yield opened


def put(engine: Engine, environment: Environment, geofences: list[Geofence]) -> None:
    engine.geofences.delete_all(environment)
    ids = iter(f"{number:024x}" for number in range(100 * environment.live + 1, 200))
    saved = []
    for geofence in geofences:
        fence_id = next(ids)
        summary = replace(geofence.summary, id=fence_id)
        saved.append(replace(geofence, id=fence_id, environment=environment, summary=summary))
    engine.geofences.put_all(environment, saved, [])


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(source=MANY, target=MANY)
def test_after_a_promotion_nothing_differs(engine: Engine, source: list[Geofence], target: list[Geofence]) -> None:
    put(engine, TEST, source)
    put(engine, LIVE, target)
    query = PromotionQuery(delete_missing=True)
    content = write_seed(plan_promotion(engine, query)["changeSet"])
    applied = apply_change_set(engine, content)
    left = engine.promotions.plan(query)
    assert left.changes.items == ()
    assert left.same == len(source)
    assert applied["unchanged"] == 0
    assert apply_change_set(engine, content)["unchanged"] == sum(applied.values())


def test_the_same_geofence_keeps_its_identity_and_devices_see_one_edit(engine: Engine) -> None:
    put(engine, TEST, [made(("a", "1"), Circle(Point(9.5, 47.1), 50), ("One", {"n": 1}, True, GeofenceRules()))])
    put(engine, LIVE, [made(("a", "1"), Circle(Point(9.5, 47.1), 60), ("One", {"n": True}, True, GeofenceRules()))])
    (before,) = engine.geofences.all(LIVE)
    changes: list[Any] = []
    forget = engine.changes.subscribe(changes.append)
    plan = engine.promotions.plan(PromotionQuery())
    assert [field.name for field in plan.changes.items[0].fields] == ["size", "metadata"]
    engine.promotions.apply(plan.changes)
    forget()
    (after,) = engine.geofences.all(LIVE)
    assert (after.id, after.created_at, after.environment) == (before.id, before.created_at, LIVE)
    assert after.metadata["n"] is not True
    assert [len(change.geofences) for change in changes] == [1]


def test_a_failure_leaves_nothing_half_done(engine: Engine) -> None:
    circles = [made(("a", str(n)), Circle(Point(9.5, 47.1), 50), (f"{n}", {}, True, GeofenceRules())) for n in range(9)]
    put(engine, TEST, circles)
    put(engine, LIVE, [])
    plan = engine.promotions.plan(PromotionQuery())
    taken = GeofenceChange(
        tag="a", external_id="5", description="Taken", type="circle", coordinates=(9.5, 47.1), size=50
    )
    engine.geofences.create(LIVE, taken)
    with pytest.raises(Conflict, match="a/5 was created in Live since"):
        engine.promotions.apply(plan.changes)
    assert [geofence.description for geofence in engine.geofences.all(LIVE)] == ["Taken"]
    with pytest.raises(InvalidParameter, match="must be the other environment"):
        engine.promotions.plan(PromotionQuery(source=LIVE))


def test_expiry_by_the_clock_of_the_target_is_noted_before(engine: Engine) -> None:
    past = GeofenceRules(delete_after=datetime(2020, 1, 1, tzinfo=UTC))
    old = made(("a", "1"), Circle(Point(9.5, 47.1), 50), ("One", {}, True, past))
    changes = ChangeSet(TEST, LIVE, NOW, (Difference(("a", "1"), old, None),))
    notes = engine.promotions.notes(changes)
    assert notes == ("1 geofence will expire at once: the time has passed by the clock of Live.",)


def test_hours_that_the_rule_of_the_target_decides_otherwise_are_noted_before(engine: Engine) -> None:
    night = GeofenceChange(
        tag="bar",
        external_id="1",
        description="Bar",
        type="circle",
        coordinates=(9.5, 47.1),
        size=50,
        operating_hours=parse_hours({"Fri": [["22:00", "02:00"]]}),
    )
    engine.geofences.create(TEST, night)
    assert engine.promotions.plan(PromotionQuery()).notes == ()
    engine.settings.change(LIVE, SettingsChange(operating_hours_rule=HoursRule.CALENDAR))
    notes = engine.promotions.plan(PromotionQuery()).notes
    assert notes == ("1 geofence will have other hours: Live uses the calendar rule of operating hours.",)
    engine.geofences.upsert(TEST, "bar", "1", GeofenceChange(operating_hours=OperatingHours(((),) * 7)))
    assert engine.promotions.plan(PromotionQuery()).notes == ()


SQUARE = [[9.5, 47.1], [9.6, 47.1], [9.6, 47.2], [9.5, 47.2], [9.5, 47.1]]
HOLE = [[9.52, 47.12], [9.54, 47.12], [9.54, 47.14], [9.52, 47.12]]
ISLAND = [[9.7, 47.1], [9.72, 47.1], [9.72, 47.12], [9.7, 47.1]]


def parks(shapes: dict[str, Any]) -> dict[str, Any]:
    """Return a change set that creates polygons in Test."""
    body = {"tag": "park", "type": "polygon"}
    changes = [
        {"action": "create", "tag": "park", "externalId": name}
        | {"geofence": body | {"externalId": name, "description": f"Park {name}", "coordinates": shape}}
        for name, shape in shapes.items()
    ]
    return {"format": "fencewright-change-set", "version": 1, "from": "live", "to": "test", "changes": changes}


def test_geofences_with_holes_or_parts_are_named_as_not_portable(
    fencewright: Commands, workspace: Path, tmp_path: Path
) -> None:
    at, file = ("--workspace", workspace), tmp_path / "parks.json"
    table = "description,type,tag,externalId,coordinates\n" + f'Park 3,polygon,park,3,"{SQUARE}"\n'
    assert fencewright("import", written(tmp_path / "p.csv", table), *at, "--environment", "live").code == 0
    file.write_bytes(orjson.dumps(parks({"1": SQUARE, "2": [SQUARE, HOLE], "3": [[SQUARE, HOLE], [ISLAND]]})))
    assert fencewright("promote", *at, "--apply", file, "--yes").code == 0
    shown = fencewright("promote", *at, "--dry-run")
    assert shown.out.splitlines()[:6] == [
        "new      park/1  Park 1",
        "new      park/2  Park 2",
        "           not portable: 1 hole",
        "changed  park/3  Park 3",
        f"           coordinates: {str(SQUARE).replace(' ', '')} → 13 positions in 3 rings",
        "           not portable: 2 parts and 1 hole",
    ]
    note = "Not portable: 2 geofences with holes or several parts; the platform only takes a single ring."
    assert note in shown.err
    listed = [
        {"tag": "park", "externalId": "2", "text": "1 hole"},
        {"tag": "park", "externalId": "3", "text": "2 parts and 1 hole"},
    ]
    answer = fencewright("promote", *at, "--dry-run", "--json").json
    assert (answer["notes"], answer["notPortable"]) == ([note], listed)
    assert fencewright("promote", *at, "--dry-run", "--json", "--limit", "1").json["notPortable"] == listed[:1]
    assert fencewright("promote", *at, "--save", file).code == 0
    assert note in fencewright("promote", *at, "--apply", file, "--dry-run").err
    assert fencewright("promote", *at, "--apply", file, "--yes", "--json").json["notPortable"] == listed
    assert fencewright("promote", *at, "--dry-run").out.startswith("Test → Live: 0 new, 0 changed")


def test_a_saved_change_set_is_noted_to_have_other_hours_before_it_is_applied(
    fencewright: Commands, workspace: Path, tmp_path: Path
) -> None:
    at = ("--workspace", workspace)
    table = "description,type,tag,externalId,coordinates,radius,operatingHours\n"
    row = 'Bar,circle,bar,1,"[9.5,47.1]",50,"{""Fri"": [[""22:00"", ""02:00""]]}"\n'
    assert fencewright("import", written(tmp_path / "bars.csv", table + row), *at).code == 0
    file, hours = tmp_path / "bars.json", "1 geofence will have other hours: Live uses the calendar rule"
    saved = fencewright("promote", *at, "--save", file)
    assert hours not in saved.err
    changed = fencewright("settings", "--set", "operatingHoursRule=calendar", "--environment", "live", *at)
    assert changed.code == 0, changed
    for option in ("--dry-run", "--yes"):
        applied = fencewright("promote", *at, "--apply", file, option)
        assert (applied.code, hours in applied.err) == (0, True), applied
    assert hours in fencewright("promote", *at, "--apply", file, "--yes", "--json").json["notes"][0]
