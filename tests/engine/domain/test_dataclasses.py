"""Dataclasses that are compiled when they are used are what those of the standard library are."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, field
from itertools import product
from threading import Barrier
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.domain.values.dataclass import dataclass

OPTIONS = [
    dict(zip(("frozen", "slots", "kw_only", "eq"), each, strict=True)) for each in product((False, True), repeat=4)
]


def classes(options: dict[str, bool], *decorators: Callable[..., Any]) -> list[Any]:
    """Return the same class as each decorator makes it."""
    made = []
    for decorator in decorators:

        class Value:
            kind: ClassVar[str] = "a kind"
            name: str
            count: int = 3
            tags: list[str] = field(default_factory=list, hash=False)
            hidden: int = field(default=0, repr=False, compare=False)
            length: int = field(init=False)

            def __post_init__(self) -> None:
                object.__setattr__(self, "length", len(self.name))

            @property
            def twice(self) -> str:
                return self.name * 2

        made.append(decorator(**options)(Value))
    return made


def outcome(call: Callable[..., object], *values: object, **named: object) -> object:
    """Return what a call returns, or the error that it raises."""
    try:
        return call(*values, **named)
    except Exception as error:  # noqa: BLE001 - compared with that of the other class
        return type(error), str(error)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_its_objects_are_those_of_the_standard_library(options: dict[str, bool]) -> None:
    looks: list[list[object]] = []
    for value in classes(options, dataclass, dataclasses.dataclass):
        one, same, other = value(name="a"), value(name="a", hidden=5), value(name="b", count=4, tags=["x"])

        looks.append(
            [
                [(each.name, each.type, each.init, each.kw_only) for each in dataclasses.fields(value)],
                value.__match_args__,
                (repr(one), repr(other), one.twice, value.kind, one.length),
                (one == same, one == other, one != same, one == "a", one.tags is same.tags),
                outcome(lambda each, like: hash(each) == hash(like), one, same),
                outcome(dataclasses.replace, other, name="longer", length=2),
                outcome(lambda each: dataclasses.replace(each, name="longer").length, other),
                outcome(dataclasses.asdict, other),
                *(outcome(lambda make, each: repr(make(each)), make, other) for make in (copy.copy, copy.deepcopy)),
                outcome(setattr, one, "count", 4),
                outcome(delattr, one, "count"),
                outcome(lambda make: make("a", 4).count, value),
                outcome(value),
                outcome(value, name="a", unknown=1),
                hasattr(one, "__dict__"),
                str(value.__dataclass_params__),
            ]
        )
    assert looks[0] == looks[1]


@dataclass(frozen=True, slots=True)
class Kept:
    """A value that can be pickled, since its module has it."""

    name: str
    size: int = 1


@given(st.text(), st.integers())
def test_it_is_pickled(name: str, size: int) -> None:
    kept = Kept(name, size)
    assert pickle.loads(pickle.dumps(kept)) == kept
    assert hash(pickle.loads(pickle.dumps(kept))) == hash(kept)


def test_a_method_of_its_own_stays() -> None:
    @dataclass(frozen=True)
    class Named:
        name: str

        def __repr__(self) -> str:
            return f"<{self.name}>"

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Named) and other.name.lower() == self.name.lower()

        def __hash__(self) -> int:
            return hash(self.name.lower())

    assert repr(Named("a")) == "<a>"
    assert {Named("a"), Named("A")} == {Named("A")}
    assert Named("a") != Named("b")


def test_a_method_that_it_gets_later_stays() -> None:
    @dataclass(frozen=True)
    class Named:
        name: str

    setattr(Named, "__repr__", lambda self: f"<{self.name}>")  # noqa: B010 - what checks types allows no other way
    assert repr(Named("a")) == "<a>"
    assert Named("a") == Named("a")


def test_another_class_derives_from_it() -> None:
    @dataclass(frozen=True, slots=True)
    class Base:
        name: str
        count: int = 0

    @dataclass(frozen=True, slots=True)
    class Derived(Base):
        size: int = 2

    assert (Derived("a", 1, 3).name, Derived("a", 1, 3).size) == ("a", 3)
    assert Derived("a", 1) != Base("a", 1)
    assert repr(Derived("a")).endswith("Derived(name='a', count=0, size=2)")
    with pytest.raises(FrozenInstanceError):
        setattr(Derived("a"), "size", 4)  # noqa: B010 - what checks types allows no other way


def test_those_with_an_order_are_sorted() -> None:
    @dataclass(frozen=True, order=True)
    class Place:
        row: int
        column: int

    assert sorted([Place(2, 1), Place(1, 9), Place(1, 2)]) == [Place(1, 2), Place(1, 9), Place(2, 1)]


def test_threads_may_be_the_first_to_use_it_together() -> None:
    for _ in range(30):

        @dataclass(frozen=True, slots=True)
        class Shared:
            name: str

        begin = Barrier(4)

        def use(number: int, made: Any = Shared, begin: Barrier = begin) -> object:
            begin.wait()
            return made(str(number)) == made(str(number)), repr(made(str(number)))[-6:]

        with ThreadPoolExecutor(4) as threads:
            assert list(threads.map(use, range(4))) == [(True, f"e='{number}')") for number in range(4)]


COUNTING = """
import engine.domain.values.dataclass as ours
made, compiled = [], []
lazily, compile_now = ours._lazily, ours._compiled
ours._lazily = lambda *given: made.append(given) or lazily(*given)
ours._compiled = lambda *given: compiled.append(given) or compile_now(*given)
import engine.engine
print(len(made), len(compiled))
"""


def test_most_are_not_compiled_when_the_engine_is_loaded() -> None:
    told = subprocess.run([sys.executable, "-c", COUNTING], capture_output=True, text=True, check=True).stdout
    made, compiled = map(int, told.split())
    assert made > 150
    assert compiled < made / 3


def test_a_parameter_that_is_no_field_is_refused() -> None:
    with pytest.raises(TypeError, match="is no field"):

        @dataclass
        class Scaled:
            size: int
            factor: dataclasses.InitVar[int]
