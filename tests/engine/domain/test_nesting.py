"""The nesting depth of JSON, determined without parsing it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.nesting import MAX_DEPTH, NestedTooDeeply, not_too_deep

VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=20,
)


def nested(value: Any, levels: int) -> Any:
    """Return a value nested in this many lists and objects."""
    for level in range(levels):
        value = [1, value] if level % 2 else {'a"[': value, "\\": "{["}
    return value


def depth_of(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


@given(VALUES, st.sampled_from([0, 50, 90, 95, 98, 99, 100, 101, 150]), st.booleans())
def test_it_is_as_deep_as_its_parser_finds(value: Any, levels: int, ascii_only: bool) -> None:
    whole = nested(value, levels)
    text = json.dumps(whole, ensure_ascii=ascii_only, indent=levels % 3)
    if depth_of(whole) <= MAX_DEPTH:
        assert not_too_deep(text) is text
    else:
        with pytest.raises(NestedTooDeeply, match="more than 100 levels"):
            not_too_deep(text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32-be"])
def test_in_every_encoding_that_json_may_have(encoding: str) -> None:
    flat = json.dumps({"≜孛": "嬢" * 200}, ensure_ascii=False).encode(encoding)
    assert not_too_deep(flat) is flat
    with pytest.raises(NestedTooDeeply):
        not_too_deep(json.dumps(nested(1, 101)).encode(encoding))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "]",
        "]" * 500,
        "[]" * 500,
        '"[',
        '"' + "[" * 500,
        "[" * 100,
        "]" * 9 + "[" * 109,
        '\\"[',
        "null",
        '{"a":[}]',
    ],
)
def test_invalid_json_is_left_to_its_parser(text: str) -> None:
    assert not_too_deep(text) == text


@pytest.mark.parametrize("text", ["[" * 101, '{"a":' * 1_000_000, '"' + '\\"' * 1_000_000 + '"' + "[" * 101])
def test_unclosed_nesting_is_not_scanned_further(text: str) -> None:
    with pytest.raises(NestedTooDeeply):
        not_too_deep(text)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(ValueError, match="decode"):
        not_too_deep(b"\xff\xfe[\x00\x00\xd8[")
