"""The rows of settings and beacons have what the record classes have."""

from engine.domain.fields.rows import column_of
from engine.domain.fields.settings import SETTINGS
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings, SettingsChange
from tests.fields.places import names_of


def test_there_is_a_row_for_every_setting() -> None:
    names = [row.name for row in SETTINGS]
    assert len(names) == len(set(names))
    assert {*names} == names_of(ProjectSettings) == names_of(SettingsChange)


def test_a_setting_is_unset_by_its_default() -> None:
    assert {row.name: row.unset for row in SETTINGS} == {
        row.name: getattr(DEFAULT_SETTINGS, row.name) for row in SETTINGS
    }


def test_a_column_has_no_unit() -> None:
    named = {name: column_of(name) for name in ("dwell_threshold_s", "jumped_speed_mps", "kept_updates", "ip")}
    assert named == {
        "dwell_threshold_s": "dwellThreshold",
        "jumped_speed_mps": "jumpedSpeed",
        "kept_updates": "keptUpdates",
        "ip": "ip",
    }
