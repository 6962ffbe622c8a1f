"""All keys of a scenario with an empty value, none of which may silently disable a check."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest

from app.lab.files.faults import ScenarioInvalid, Way, field_name
from app.lab.files.idle import checks_of
from app.lab.files.reading import parse_scenario
from app.lab.files.schema import scenario_schema
from app.lab.files.yaml_tree import parse_document
from app.lab.results import Status
from app.lab.testing import run_file

FILE: Final = Path(__file__).with_name("every_key.yaml")
DATA: Final[dict[str, Any]] = parse_document(FILE, FILE.read_text(encoding="utf-8")).data
SCHEMA: Final = scenario_schema()
EMPTY: Final[tuple[object, ...]] = (None, {}, [], "")

WITH_MEANING: Final = {
    ("expect.events", "[]"): "no event at all",
    ("expect.deliveries", "[]"): "no request at all",
    ("geofences", "[]"): "in no geofence",
    ("place", '""'): "at no place",
}
"""Empty values below `expect` that have a meaning; those of users are listed by the last key."""

WITHOUT_MEANING: Final = {"version", "name", "description", "clock", "expectsNothing"}


def branches(schema: dict[str, Any], value: object) -> Iterator[dict[str, Any]]:
    """Yield the objects of the schema that describe a value."""
    if "$ref" in schema:
        yield from branches(SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]], value)
    for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        if jsonschema.Draft202012Validator({**each, "$defs": SCHEMA["$defs"]}).is_valid(value):
            yield from branches(each, value)
    if "properties" in schema or "items" in schema:
        yield schema


def keys(schemas: list[dict[str, Any]], value: object, way: Way = ()) -> Iterator[tuple[Way, str]]:
    """Yield all keys that a value of the file has or could have, with the title of their model."""
    if isinstance(value, dict):
        known = {key: inner for schema in schemas for key, inner in schema.get("properties", {}).items()}
        title = next((schema["title"] for schema in schemas if "title" in schema), "")
        yield from (((*way, key), title) for key in known)
        for key, inner in known.items():
            if key in value:
                yield from keys(list(branches(inner, value[key])), value[key], (*way, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            found = [inner for schema in schemas if "items" in schema for inner in branches(schema["items"], each)]
            yield from keys(found, each, (*way, index))


KEYS: Final = list(keys([SCHEMA], DATA))


def emptied(way: Way, value: object) -> str:
    data = deepcopy(DATA)
    around: Any = data
    for part in way[:-1]:
        around = around[part]
    around[way[-1]] = value
    return json.dumps(data)


def test_the_file_has_a_key_of_every_model() -> None:
    titles = {title for _, title in KEYS}
    models = {name: model for name, model in SCHEMA["$defs"].items() if "properties" in model}
    assert {name for name, model in models.items() if model["title"] not in titles} == set()
    assert {key for way, _ in KEYS for key in way[:1]} == set(SCHEMA["properties"])


def test_the_file_passes(folder: Path) -> None:
    result = run_file(folder / FILE.name)
    assert result.status is Status.PASSED, (result.faults, result.failures)


@pytest.mark.parametrize("value", EMPTY, ids=json.dumps)
def test_an_empty_expected_value_is_refused_or_has_a_meaning(value: object) -> None:
    silent, shown = [], json.dumps(value)
    for way, _ in KEYS:
        if way[0] != "expect" or (field_name(way), shown) in WITH_MEANING:
            continue
        if way[1:2] == ("users",) and (str(way[-1]), shown) in WITH_MEANING:
            continue
        try:
            scenario = parse_scenario(FILE, emptied(way, value))
        except ScenarioInvalid as error:
            fields = [fault.field for fault in error.faults]
        else:
            fields = [fault.field for fault in scenario.idle]
        if not any(field_name(way).startswith(field) or field.startswith(field_name(way)) for field in fields):
            silent.append((field_name(way), fields))
    assert silent == []


@pytest.mark.slow
@pytest.mark.parametrize("value", EMPTY, ids=json.dumps)
def test_an_empty_value_elsewhere_leaves_all_checks(value: object) -> None:
    checks = checks_of(parse_scenario(FILE, json.dumps(DATA)).body)
    for way, _ in KEYS:
        if way[0] == "expect":
            continue
        try:
            scenario = parse_scenario(FILE, emptied(way, value))
        except ScenarioInvalid:
            continue
        assert checks_of(scenario.body) == checks, field_name(way)
        assert scenario.body.expects_nothing is None
        assert scenario.idle == ()


@pytest.mark.parametrize("key", sorted(set(DATA) - WITHOUT_MEANING - {"expect"}))
def test_a_scenario_without_one_of_its_parts_does_not_pass(folder: Path, key: str) -> None:
    file = folder / FILE.name
    file.write_text(emptied((key,), None), encoding="utf-8")
    result = run_file(file)
    assert result.status is not Status.PASSED
    assert result.faults or result.failures


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the scenario and the files that it refers to."""
    (tmp_path / FILE.name).write_text(FILE.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "fences.csv").write_text(
        "tag,externalId,description,type,longitude,latitude,radius\nkiosk,1,A kiosk,circle,2,52,100\n"
    )
    (tmp_path / "walk.csv").write_text("latitude,longitude\n60.30,24.90\n60.301,24.90\n")
    return tmp_path
