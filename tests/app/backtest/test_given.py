"""The geofences and settings of a back-test: of files, and of a workspace that does not change."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import pytest

from app.api.commands.workspace import set_up
from app.backtest.given import fences_of_files
from app.cli.backtests.given import Given, given_fences, given_settings
from app.cli.terminal.signals import StopRequest
from app.cli.workspaces import reach_workspace
from app.session import WorkspaceSession
from app.settings import load_settings, remember_workspace
from engine.domain.environment import Environment
from engine.domain.errors import FencewrightError, InvalidParameter
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.geometry import Circle, Polygon
from engine.domain.settings import DEFAULT_SETTINGS, SettingsChange
from engine.domain.values import replace
from tests.app.commands import Commands, written

_HEAD = "tag,externalId,description,type,latitude,longitude,radius"
_ROW = "store,1,Vienna,circle,48.208,16.372,150"
_PLAIN = f"{_HEAD}\n{_ROW}\nstore,2,Graz,circle,47.07,15.44,80\n"


def _circle(external_id: str, **fields: Any) -> GeofenceChange:
    return GeofenceChange(
        tag="store",
        external_id=external_id,
        description=external_id,
        type="circle",
        coordinates=(16.372, 48.208),
        size=150.0,
        **fields,
    )


def _given(*texts: object, environment: Environment = Environment.TEST) -> Given:
    stop = StopRequest()
    with stop.handling():
        return given_fences([str(text) for text in texts], "--fences", environment, stop)


def _by_name(geofences: tuple[Geofence, ...]) -> dict[str, Geofence]:
    return {each.external_id: each for each in geofences}


def test_a_table_of_geofences(tmp_path: Path) -> None:
    found = fences_of_files([written(tmp_path / "shops.csv", _PLAIN)])
    assert found.name == "shops.csv"
    assert [(each.tag, each.external_id) for each in found.geofences] == [("store", "1"), ("store", "2")]
    assert found.geofences[0].geometry == Circle(found.geofences[0].geometry.center, 150.0)  # type: ignore[union-attr]


def test_a_file_has_the_same_geofences_each_time(tmp_path: Path) -> None:
    """Otherwise a back-test of files could not be resumed."""
    files = [written(tmp_path / "shops.csv", _PLAIN)]
    assert fences_of_files(files) == fences_of_files(files)
    assert len({each.id for each in fences_of_files(files).geofences}) == 2


def test_a_geojson_file(tmp_path: Path) -> None:
    ring = [[16, 48], [16.1, 48], [16.1, 48.1], [16, 48]]
    feature = {
        "type": "Feature",
        "properties": {"tag": "area", "externalId": "a", "description": "A"},
        "geometry": {"type": "Polygon", "coordinates": [ring]},
    }
    file = tmp_path / "areas.geojson"
    file.write_bytes(orjson.dumps({"type": "FeatureCollection", "features": [feature]}))
    (geofence,) = fences_of_files([file]).geofences
    assert isinstance(geofence.geometry, Polygon)


def test_several_files_are_one_set(tmp_path: Path) -> None:
    first = written(tmp_path / "a.csv", f"{_HEAD}\n{_ROW}\n")
    second = written(tmp_path / "b.csv", f"{_HEAD}\n{_ROW.replace('store,1', 'store,2')}\n")
    found = fences_of_files([first, second])
    assert found.name == "a.csv, b.csv"
    assert len(found.geofences) == 2


def test_a_geofence_in_two_files_is_an_error(tmp_path: Path) -> None:
    first, second = (written(tmp_path / name, f"{_HEAD}\n{_ROW}\n") for name in ("a.csv", "b.csv"))
    with pytest.raises(InvalidParameter, match=r"b\.csv: the geofence store/1 is also in a\.csv"):
        fences_of_files([first, second])


def test_a_bad_row_is_named_with_its_file(tmp_path: Path) -> None:
    file = written(tmp_path / "shops.csv", f"{_HEAD}\n{_ROW}\nstore,2,Graz,circle,97,15.44,80\n")
    with pytest.raises(InvalidParameter, match=r"shops\.csv: row 3: coordinates: the latitude "):
        fences_of_files([file])


def test_a_file_without_geofences_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match=r"shops\.csv: "):
        fences_of_files([written(tmp_path / "shops.csv", f"{_HEAD}\n")])


def test_a_file_without_tags_is_an_error_without_options_of_imports(tmp_path: Path) -> None:
    point = "<Placemark><name>A</name><Point><coordinates>16,48</coordinates></Point></Placemark>"
    kml = f'<kml xmlns="http://www.opengis.net/kml/2.2"><Document>{point}</Document></kml>'
    with pytest.raises(InvalidParameter) as caught:
        fences_of_files([written(tmp_path / "shops.kml", kml)])
    assert caught.value.message == "shops.kml: tag: no column has it. Columns: id, Name, description."


def test_another_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match=r"notes\.txt"):
        fences_of_files([written(tmp_path / "notes.txt", "hello")])


def test_a_geofence_of_a_file_is_enabled_until_its_end(tmp_path: Path) -> None:
    file = written(tmp_path / "shops.csv", f"{_HEAD},disableAfter\n{_ROW},2020-01-01T00:00:00Z\n")
    (geofence,) = fences_of_files([file]).geofences
    assert geofence.enabled
    assert geofence.rules.disable_after is not None


def test_a_file_has_the_default_settings(tmp_path: Path) -> None:
    found = _given(written(tmp_path / "shops.csv", _PLAIN))
    assert (found.settings, found.is_workspace) == (DEFAULT_SETTINGS, False)


@contextmanager
def _filled(folder: Path) -> Iterator[WorkspaceSession]:
    with WorkspaceSession(folder) as session:
        engine = session.engine
        engine.geofences.create(Environment.TEST, _circle("a", dwell_threshold_s=100.1, metadata={"floor": 2}))
        engine.geofences.create(Environment.TEST, _circle("b", enabled=False))
        engine.geofences.create(Environment.LIVE, _circle("live"))
        engine.settings.change(Environment.TEST, SettingsChange(buffer_exits=True, default_dwell_threshold_s=100.0))
        yield session


@pytest.fixture(params=["closed", "open"])
def filled(request: pytest.FixtureRequest, tmp_path: Path, own_home: Path) -> Iterator[Path]:
    """A workspace with geofences and settings: closed, and open in another process."""
    folder = tmp_path / "shops"
    with _filled(folder):
        if request.param == "open":
            yield folder
    if request.param == "closed":
        yield folder


def test_a_workspace_gives_geofences_and_settings(filled: Path) -> None:
    found = _given(filled)
    assert (found.fences.name, found.is_workspace) == ("shops (Test)", True)
    geofences = _by_name(found.fences.geofences)
    assert geofences.keys() == {"a", "b"}
    assert geofences["a"].rules.dwell_threshold_s == 100.1
    assert geofences["a"].metadata == {"floor": 2}
    assert (geofences["a"].enabled, geofences["b"].enabled) == (True, False)
    assert found.settings.buffer_exits
    assert found.settings.default_dwell_threshold_s == 100


def test_the_environment_decides(filled: Path) -> None:
    found = _given(filled, environment=Environment.LIVE)
    assert found.fences.name == "shops (Live)"
    assert [each.external_id for each in found.fences.geofences] == ["live"]
    assert not found.settings.buffer_exits


def _state(folder: Path) -> list[object]:
    stop = StopRequest()
    with stop.handling(), reach_workspace(folder, stop) as workspace:
        return [orjson.dumps(workspace.run(set_up, None, each)) for each in Environment]


def test_a_workspace_does_not_change(filled: Path) -> None:
    before, recent = _state(filled), load_settings()
    _given(filled)
    assert _state(filled) == before
    assert load_settings() == recent


def test_a_workspace_by_its_name(filled: Path) -> None:
    remember_workspace(filled)
    assert _given("shops").fences.name == "shops (Test)"
    with pytest.raises(InvalidParameter, match="no workspace 'shop'; did you mean shops"):
        _given("shop")


def test_a_name_of_two_workspaces_is_an_error(filled: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "shops"
    other.parent.mkdir()
    with _filled(other):
        pass
    remember_workspace(filled)
    remember_workspace(other)
    with pytest.raises(InvalidParameter, match="several workspaces have the name 'shops'"):
        _given("shops")


def test_a_workspace_is_not_mixed_with_files(filled: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="not both or several"):
        _given(filled, written(tmp_path / "shops.csv", _PLAIN))


@pytest.mark.parametrize("name", ["nothing.csv", ":memory:"])
def test_what_does_not_exist_is_an_error(own_home: Path, name: str) -> None:
    with pytest.raises(InvalidParameter, match="--fences: there is no file and no workspace"):
        _given(name)


def test_a_folder_that_is_no_workspace_is_an_error(own_home: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="there is no workspace in"):
        _given(tmp_path)
    assert not (tmp_path / "fencewright.db").exists()


def test_an_empty_workspace_is_an_error(own_home: Path, tmp_path: Path) -> None:
    with WorkspaceSession(tmp_path / "empty"):
        pass
    with pytest.raises(InvalidParameter, match="has none in Live"):
        _given(tmp_path / "empty", environment=Environment.LIVE)


def test_settings_as_the_command_writes_them(fencewright: Commands, filled: Path, tmp_path: Path) -> None:
    ended = fencewright("settings", "--workspace", filled, "--json")
    file = written(tmp_path / "settings.json", ended.out)
    found = given_settings(DEFAULT_SETTINGS, file, Environment.TEST, ())
    # The file has minutes, with twelve digits.
    assert found.default_dwell_threshold_s == pytest.approx(100, rel=1e-11)
    assert replace(found, default_dwell_threshold_s=100.0) == _given(filled).settings


@pytest.mark.parametrize("whole", [False, True])
def test_settings_of_a_seed(tmp_path: Path, whole: bool) -> None:
    section: dict[str, Any] = {"test": {"bufferExits": True}, "live": {"bufferEntries": True}}
    file = tmp_path / "seed.json"
    file.write_bytes(orjson.dumps({"version": 2, "settings": section, "users": []} if whole else section))
    test, live = (given_settings(DEFAULT_SETTINGS, file, each, ()) for each in (Environment.TEST, Environment.LIVE))
    assert (test.buffer_exits, test.buffer_entries) == (True, False)
    assert (live.buffer_exits, live.buffer_entries) == (False, True)


def test_a_file_replaces_the_settings_and_set_changes_them(tmp_path: Path) -> None:
    before = DEFAULT_SETTINGS
    file = written(tmp_path / "settings.json", '{"bufferExits": true, "defaultDwellThreshold": 5}')
    found = given_settings(before, file, Environment.TEST, [("bufferEntries", "true"), ("bufferExits", "false")])
    assert (found.buffer_entries, found.buffer_exits, found.default_dwell_threshold_s) == (True, False, 300)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"bufferExits": 3}', "bufferExits: "),
        ('{"bufferExit": true}', "bufferExit: "),
        ('{"test": {"minimumConfidence": 9}}', "minimumConfidence: "),
        ("[1]", "must be a JSON object"),
        ('{"test": 1}', "must be a JSON object"),
        ("{", "is not valid JSON"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, content: str, expected: str) -> None:
    file = written(tmp_path / "settings.json", content)
    with pytest.raises(FencewrightError) as caught:
        given_settings(DEFAULT_SETTINGS, file, Environment.TEST, ())
    assert expected in str(caught.value)
    assert "settings.json" in str(caught.value)
