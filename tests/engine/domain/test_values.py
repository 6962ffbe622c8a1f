"""Values that are made quickly are what plain dataclasses are."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.geometry import Point
from engine.domain.tracking.updates import Event, Fix, LocationUpdate, TrackResult, User, UserSummary
from engine.domain.values.quick import quickly_made

MADE_QUICKLY = (LocationUpdate, Fix, UserSummary, User, Event, TrackResult)


@dataclass(frozen=True, slots=True)
class Plain:
    """A value as others are."""

    name: str
    count: int = 3
    tags: dict[str, int] = field(default_factory=dict)


@quickly_made
@dataclass(frozen=True, slots=True)
class Quick:
    """The same, made quickly."""

    name: str
    count: int = 3
    tags: dict[str, int] = field(default_factory=dict)


@given(
    st.text(), st.none() | st.integers(), st.none() | st.dictionaries(st.text(max_size=2), st.integers(), max_size=2)
)
def test_it_holds_what_a_plain_one_holds(name: str, count: int | None, tags: dict[str, int] | None) -> None:
    given_values: dict[str, Any] = {
        key: value for key, value in (("count", count), ("tags", tags)) if value is not None
    }
    quick, plain = Quick(name, **given_values), Plain(name, **given_values)
    assert type(quick) is Quick
    assert [getattr(quick, each.name) for each in fields(quick)] == [
        getattr(plain, each.name) for each in fields(plain)
    ]
    assert repr(quick) == repr(plain).replace("Plain(", "Quick(", 1)
    assert quick == Quick(name, **given_values)
    assert replace(quick, name="other") == Quick("other", **given_values)
    assert pickle.loads(pickle.dumps(quick)) == copy.deepcopy(quick) == quick


def test_each_gets_a_default_of_its_own() -> None:
    assert Quick("a").tags is not Quick("b").tags


@pytest.mark.parametrize("kind", [Plain, Quick])
def test_what_is_missing_or_unknown_is_refused_alike(kind: Any) -> None:
    with pytest.raises(TypeError, match=r"missing 1 required positional argument: 'name'"):
        kind()
    with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'colour'"):
        kind("a", colour=1)


@pytest.mark.parametrize("kind", MADE_QUICKLY)
def test_values_of_an_update_stay_frozen_and_small(kind: Any) -> None:
    fix = Fix(Point(14.5, 46.05), 5.0, datetime(2026, 5, 12, tzinfo=UTC))
    made = fix if kind is Fix else object.__new__(kind)
    with pytest.raises(FrozenInstanceError):
        setattr(made, fields(kind)[0].name, None)
    assert not hasattr(made, "__dict__")


def test_what_would_not_be_called_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Checked:
        name: str

        def __post_init__(self) -> None:
            raise NotImplementedError

    with pytest.raises(TypeError, match="Checked has a __post_init__"):
        quickly_made(Checked)
