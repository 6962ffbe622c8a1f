"""The rows of settings and beacons, compared with the fields of the record classes."""

from msgspec import Struct
from msgspec.structs import fields

from engine.domain.fields.beacon import BEACON, PART_NAMES, beacon_part
from engine.domain.fields.rows import column_of
from engine.domain.fields.settings import SETTINGS
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings, SettingsChange
from engine.domain.tracking.beacon import BeaconChange, BeaconType, Eddystone, IBeacon
from tests.fields import beacons
from tests.fields.places import names_of


def test_there_is_a_row_for_every_setting() -> None:
    names = [row.name for row in SETTINGS]
    assert len(names) == len(set(names))
    assert {*names} == names_of(ProjectSettings) == names_of(SettingsChange)


def test_a_setting_is_unset_by_its_default() -> None:
    assert {row.name: row.unset for row in SETTINGS} == {
        row.name: getattr(DEFAULT_SETTINGS, row.name) for row in SETTINGS
    }


def test_there_is_a_row_for_every_field_that_a_change_of_a_beacon_sets() -> None:
    names = [row.name for row in BEACON]
    assert len(names) == len(set(names))
    assert {*names} == names_of(BeaconChange) - {"metadata_items"}


def test_the_parts_of_a_signal_are_in_its_order() -> None:
    signals: dict[BeaconType, type[Struct]] = {BeaconType.IBEACON: IBeacon, BeaconType.EDDYSTONE: Eddystone}
    assert {kind: [*names] for kind, names in PART_NAMES.items()} == {
        kind: [each.name for each in fields(signal)] for kind, signal in signals.items()
    }


def test_a_part_is_of_beacons_of_its_type() -> None:
    ibeacon, eddystone = beacons.samples()
    assert [beacon_part(each, "major") for each in (ibeacon, eddystone)] == [100, None]
    assert [beacon_part(each, "uid") for each in (ibeacon, eddystone)] == [None, "edd1ebeac04e5defa017"]


def test_a_column_has_no_unit() -> None:
    named = {name: column_of(name) for name in ("dwell_threshold_s", "jumped_speed_mps", "kept_updates", "ip")}
    assert named == {
        "dwell_threshold_s": "dwellThreshold",
        "jumped_speed_mps": "jumpedSpeed",
        "kept_updates": "keptUpdates",
        "ip": "ip",
    }
