"""Invalid scenario files: the line, the column, the field and the expected value."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from app.lab.files.faults import ScenarioInvalid
from app.lab.files.reading import parse_scenario, read_scenario
from app.lab.files.schema import scenario_schema
from app.lab.files.words import read_duration, spell_duration
from app.lab.files.yaml_tree import MAX_BYTES, parse_document
from tests.app.lab.conftest import CAME, STORE, VISIT, Write
from tests.app.program import ROOT

SCENARIOS = sorted((ROOT / "tests" / "scenarios").glob("*.fence.yaml"))


def faults(text: str) -> list[str]:
    with pytest.raises(ScenarioInvalid) as refused:
        parse_scenario(Path("a.fence.yaml"), text)
    return refused.value.message.splitlines()


def test_every_fault_is_reported_with_its_place() -> None:
    text = f"""\
version: 1
settings: {{dwellEvnt: true, bufferEntries: yes}}
geofences:
  - {STORE.replace('"1"', "1")}
devices:
  - deviceId: phone-1
    track:
      points: [{{at: 0, coordinates: [1.0, 2.0]}}]
      file: a.gpx
    usr: ann
steps:
  - wait: 5
  - wait: 5m
    settings: {{}}
expect:
  events:
    - {{type: entered_geofence, geofence: store, confidence: 5}}
"""
    assert faults(text) == [
        "a.fence.yaml:2:12: settings.dwellEvnt: there is no such key; did you mean dwellEvent?",
        "a.fence.yaml:2:44: settings.bufferEntries: must be true or false, not 'yes'.",
        "a.fence.yaml:4:30: geofences[0].externalId: must be a text, not 1; put it in quotes.",
        "a.fence.yaml:8:7: devices[0].track: must have exactly one of file, route, drawn, points, not file and points.",
        "a.fence.yaml:8:21: devices[0].track.points[0].at: must be a duration with its unit, such as 90s, 5m or 1h30m, "
        "not 0.",
        "a.fence.yaml:10:5: devices[0].usr: there is no such key; did you mean userId?",
        "a.fence.yaml:12:11: steps[0].wait: must be a duration with its unit, such as 90s, 5m or 1h30m, not 5.",
        "a.fence.yaml:13:5: steps[1]: must have exactly one of wait, waitUntil, moveClock, settings, createGeofence, "
        "editGeofence, deleteGeofence, startTrip, updateTrip, completeTrip, cancelTrip, track, disconnect, fault, "
        "clearFaults, not wait and settings.",
        "a.fence.yaml:17:14: expect.events[0].type: must be a type of events; did you mean user.entered_geofence?",
        "a.fence.yaml:17:42: expect.events[0].geofence: must be tag/externalId such as store/1, or {tag: store, "
        "externalId: \"1\"}, not 'store'.",
        "a.fence.yaml:17:61: expect.events[0].confidence: must be 3 or less, not 5.",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "1:1: must be a scenario: a mapping with version, geofences, devices, expect …"),
        ("a: 1", "1:1: version is required; write version: 2"),
        ("version: 3", "1:10: version: must be 1 or 2, not 3; another version of Fencewright may read the file."),
        (
            "version: 1\nname: [a",
            "did not find expected ',' or ']' while parsing a flow sequence that begins in line 2.",
        ),
        ("version: 1\nname: a\nname: b", "3:1: name: is given twice; it is in line 2 already."),
        ("version: 1\nareas: &a [x]", "2:8: anchors (&a) are not allowed."),
        ("version: 1\nname: a\nname: b\nareas: 1", "4:8: areas: must be a list, not 1."),
        ("version: 1\nsteps: [{clearFaults: false}]", "steps[0].clearFaults: must be true, not false."),
        ("version: 1\ndevices: [{deviceId: a, track: {points: []}}]", "points: must have at least 1 item, not none."),
        (
            "version: 1\ndevices: [{deviceId: a, motion: derived, foreground: false}]",
            "devices[0].foreground: cannot be",
        ),
        ("version: 1\ndevices: [{deviceId: a, noise: {driftTime: 25h}}]", "noise.driftTime: must be at most 24h"),
        ("a: *a", "1:4: aliases (*a) are not allowed; write the value out."),
        ("a: !!python/object:os.system x", "1:4: tags (tag:yaml.org,2002:python/object:os.system) are not allowed."),
        ("version: 1\n---\nversion: 1", "2:1: must hold one document; --- begins another."),
        ("[" * 40, "must not be nested more than 30 levels deep."),
        ("? [a]\n: b", "1:3: a key must be a text."),
        ("version: 1\nsteps: [{editGeofence: {tag: a}}]", "2:10: steps[0].editGeofence.externalId: is required."),
    ],
)
def test_an_invalid_scenario_is_refused(text: str, fault: str) -> None:
    assert any(fault in line for line in faults(text))


def test_a_file_of_a_thousand_faults_lists_the_first_and_their_number() -> None:
    lines = faults("version: 1\n" + "".join(f"wrong{number}: 1\n" for number in range(1000)))
    assert len(lines) == 21
    assert lines[-1] == "a.fence.yaml: and 980 more"


def test_files_that_are_too_large_or_no_text_are_refused(tmp_path: Path) -> None:
    large, odd = tmp_path / "large.fence.yaml", tmp_path / "odd.fence.yaml"
    large.write_bytes(b"#" * (MAX_BYTES + 1))
    odd.write_bytes(b"version: 1\nname: \xff\n")
    with pytest.raises(ScenarioInvalid, match="must not be larger than 2 MiB"):
        read_scenario(large)
    with pytest.raises(ScenarioInvalid, match=r"odd\.fence.yaml:2:1: must be UTF-8"):
        read_scenario(odd)
    (tmp_path / "loop.fence.yaml").symlink_to(tmp_path / "loop.fence.yaml")
    with pytest.raises(ScenarioInvalid, match="cannot be read"):
        read_scenario(tmp_path / "loop.fence.yaml")
    with pytest.raises(ScenarioInvalid, match="cannot be read"):
        read_scenario(tmp_path / "none.fence.yaml")


def test_empty_sections_are_as_if_they_were_not_there(write: Write) -> None:
    scenario = read_scenario(write("version: 1\nsteps:\nexpect:\n  events:\n"))
    assert scenario.body.steps == []
    assert scenario.body.expect.events is None


@pytest.mark.parametrize("file", [pytest.param(file, id=file.name) for file in SCENARIOS])
def test_the_schema_takes_the_scenarios_of_this_repository(file: Path) -> None:
    data = parse_document(file, file.read_text(encoding="utf-8")).data
    jsonschema.Draft202012Validator(scenario_schema()).validate(json.loads(json.dumps(data)))


@pytest.mark.parametrize(
    "text",
    [
        VISIT.replace("radius", "radios"),
        VISIT + "expect: {evnts: []}\n",
        VISIT + "steps: [{wait: 5}]\n",
        VISIT + "expect: {users: []}\n",
    ],
)
def test_the_schema_refuses_the_same_files_as_the_reader(text: str) -> None:
    assert faults(text)
    assert not jsonschema.Draft202012Validator(scenario_schema()).is_valid(
        yaml.safe_load(text.replace("Z\n", "z'\n").replace("clock: ", "clock: '"))
    )


@pytest.mark.parametrize("key", ["events", "none", "order", "tolerance"])
def test_the_schema_refuses_a_check_without_a_value(key: str) -> None:
    validator = jsonschema.Draft202012Validator(scenario_schema())
    assert not validator.is_valid({"version": 1, "expect": {key: None}})
    assert validator.is_valid({"version": 1, "name": None, "steps": [], "expect": {"events": []}})
    event = {"type": "user.entered_geofence", "geofence": "a/b"}
    assert validator.is_valid({"version": 1, "expect": {"events": [event]}})
    assert not validator.is_valid({"version": 1, "expect": {"events": [event | {"geofence": None}]}})


@given(st.integers(0, 10**10))
def test_durations_are_read_as_they_are_spelled(milliseconds: int) -> None:
    seconds = milliseconds % (3600 * 86_400_000)
    duration = read_duration(f"{seconds}ms")
    assert read_duration(spell_duration(duration)) == duration


_TEXT = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=12)


@settings(max_examples=50)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**6), 10**6) | _TEXT,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
        max_leaves=20,
    )
)
def test_yaml_is_read_as_it_was_written(value: object) -> None:
    text = yaml.safe_dump(value, allow_unicode=True)
    document = parse_document(Path("a.fence.yaml"), text)
    assert document.data == value


def test_a_scenario_that_is_right_is_read(write: Write) -> None:
    scenario = read_scenario(write(VISIT + CAME))
    assert scenario.name == "A visit"
    assert [event.type for event in scenario.body.expect.events or ()] == [
        "user.entered_geofence",
        "user.exited_geofence",
    ]
