"""Mappings of columns that are kept for the next file with the same columns."""

import json

from app.desktop.model.importing import Columns, KeptColumns
from engine.domain.imports import ALL_REPAIRS, NO_REPAIRS, Repair

COLUMNS = ("NR", "NAME")


def test_a_kept_mapping_has_its_repairs() -> None:
    decided = Columns({"externalId": "NR"}, {"tag": "zone"}, None, frozenset({Repair.LINES, Repair.RINGS}), 8.5)
    assert KeptColumns(KeptColumns().keep(COLUMNS, decided)).get(COLUMNS) == decided


def test_the_single_repair_of_earlier_versions_means_all() -> None:
    kept = json.loads(KeptColumns().keep(COLUMNS, Columns({}, {})))
    (key,) = kept
    for repair, repairs in ((True, ALL_REPAIRS), (False, NO_REPAIRS)):
        kept[key] = {"map": {}, "set": {}, "id": None, "repair": repair}
        assert KeptColumns(json.dumps(kept)).get(COLUMNS) == Columns({}, {}, None, repairs)


def test_columns_in_another_order_open_in_the_same_way() -> None:
    decided = Columns({"externalId": "NR"}, {"tag": "zone"}, metadata=("NAME",))
    assert KeptColumns(KeptColumns().keep(COLUMNS, decided)).get(COLUMNS[::-1]) == decided


def test_suggested_values_follow_the_next_file() -> None:
    wien, graz = (Columns({}, {"tag": tag}) for tag in ("wien", "graz"))
    kept = KeptColumns(KeptColumns().keep(COLUMNS, wien, wien))
    assert kept.get(COLUMNS, graz) == graz
    nameless = Columns({}, {"tag": "graz", "description": "Graz"})
    assert kept.get(COLUMNS, nameless) == nameless
    typed = Columns({}, {"tag": "typed"})
    assert KeptColumns(KeptColumns().keep(COLUMNS, typed, wien)).get(COLUMNS, graz) == typed


def test_a_field_without_a_column_stays_without_one() -> None:
    decided = Columns({"address": ""}, {"tag": "zone"}, "names")
    assert KeptColumns(KeptColumns().keep(COLUMNS, decided)).get(COLUMNS) == decided
