"""Saved filters: named once, limited, stored with the colours of tags, and read from any file."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from app.desktop.model.colors import read_colors, write_colors
from app.desktop.model.fence_table.saved import (
    MAX_FILTERS,
    MAX_NAME,
    SavedFilter,
    SavedFilters,
    read_filters,
    write_filters,
)
from app.desktop.model.window_file import MAX_BYTES
from engine.domain.errors import InvalidParameter
from engine.store.workspace import WINDOW


def test_a_name_is_had_once() -> None:
    saved, counts = SavedFilters(), list[int]()
    saved.changed.connect(lambda: counts.append(len(saved)))
    saved.save("Shop 10", "tag:shop")
    saved.save("  Shop   2 ", "tag:two ")
    saved.save("shop 10", "state:disabled")
    assert saved.all == (SavedFilter("Shop 2", "tag:two"), SavedFilter("shop 10", "state:disabled"))
    assert saved.of_text("tag:two") == saved.named("SHOP 2")
    saved.rename("Shop 2", "SHOP 2")
    with pytest.raises(InvalidParameter, match="already"):
        saved.rename("shop 2", "Shop 10")
    saved.delete("shop 10")
    saved.delete("shop 10")
    assert [each.name for each in saved.all] == ["SHOP 2"]
    assert counts[:4] == [1, 2, 2, 2]


def test_names_and_their_number_are_limited() -> None:
    saved = SavedFilters()
    for name in ("", "  ", "x" * (MAX_NAME + 1)):
        with pytest.raises(InvalidParameter) as refused:
            saved.save(name, "a")
        assert refused.value.param == "name"
    for number in range(MAX_FILTERS):
        saved.save(f"Filter {number}", "a")
    with pytest.raises(InvalidParameter, match="at most 50"):
        saved.save("One more", "a")
    saved.save("filter 3", "b")
    assert len(saved) == MAX_FILTERS


def test_filters_and_colours_are_kept_side_by_side(tmp_path: Path) -> None:
    filters = (SavedFilter("סניפים", "tag:סניף"), SavedFilter("Shops", 'tag:"my shop"'))
    write_colors(tmp_path, {"shop": "#0072B2"})
    write_filters(tmp_path, filters)
    write_colors(tmp_path, {"shop": "#E69F00"})
    assert read_filters(tmp_path) == (filters, "")
    assert read_colors(tmp_path) == {"shop": "#E69F00"}
    assert read_filters(tmp_path / "nowhere") == ((), "")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff\xfe", b"[" * 500, b'{"geofenceFilters": {}}', b" " * (MAX_BYTES + 1)],
    ids=["empty", "cut", "list", "bytes", "deep", "object", "large"],
)
def test_a_broken_file_is_reported_and_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / WINDOW).write_bytes(content)
    filters, problem = read_filters(tmp_path)
    assert filters == ()
    assert problem.startswith("The saved filters in window.json cannot be read: ")
    write_filters(tmp_path, [SavedFilter("a", "b")])
    assert read_filters(tmp_path) == ((SavedFilter("a", "b"),), "")


def test_unusable_filters_are_left_out_and_counted(tmp_path: Path) -> None:
    good = [{"name": f"Filter {number}", "text": "a"} for number in range(MAX_FILTERS - 6)]
    bad = [
        1,
        {"name": "a"},
        {"name": "", "text": "a"},
        {"name": "b", "text": "x" * 1_001},
        {"name": "FILTER 1", "text": ""},
    ]
    (tmp_path / WINDOW).write_bytes(orjson.dumps({"geofenceFilters": [*good, *bad]}))
    filters, problem = read_filters(tmp_path)
    assert len(filters) == len(good)
    assert problem == "5 saved filters in window.json cannot be used and will be left out."
