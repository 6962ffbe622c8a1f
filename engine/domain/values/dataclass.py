"""Dataclasses whose methods are compiled when one of them is first called.

The standard library compiles up to six methods for each dataclass when its module is loaded. Of the 500 dataclasses of
the window fewer than a hundred are used before it is shown, and compiling took a quarter of the time that all modules
take to load.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

_COMPILED = ("__init__", "__repr__", "__eq__", "__hash__")
_AS_THEY_ARE = ("__dataclass_params__", "__getstate__", "__setstate__")


def _dataclass(cls: type | None = None, /, **options: bool) -> Any:
    """Make a class a dataclass, with the options and the outcome of `dataclasses.dataclass`.

    Only its signature is not known to `inspect` until the first object is made.
    """

    def make(given: type) -> type:
        return _lazily(given, options) if _can_wait(given, options) else dataclasses.dataclass(**options)(given)

    return make if cls is None else make(cls)


if TYPE_CHECKING:
    # Type checkers know this one, what its classes accept, and what `replace` accepts for their objects.
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _can_wait(given: type, options: dict[str, bool]) -> bool:
    """Return whether the methods of a class depend on its own fields and on nothing else."""
    own = "__eq__", "__hash__", "__setattr__", "__delattr__"
    known = options.keys() <= {"eq", "frozen", "kw_only", "slots"}
    return known and not dataclasses.is_dataclass(given) and not any(name in given.__dict__ for name in own)


def _lazily(given: type, options: dict[str, bool]) -> type:
    own, like = set(given.__dict__), _without_fields(**options)
    if given.__doc__ is None:
        given.__doc__ = given.__name__  # or its signature would be worked out for it, which takes as long as the rest
    shaping = {name: on for name, on in options.items() if name in ("kw_only", "slots")}
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, **shaping)(given)
    if any("InitVar" in str(field.type) for field in made.__dataclass_fields__.values()):
        raise TypeError(f"{given.__qualname__} has a parameter that is no field; use dataclasses.dataclass")
    methods = {name: method for name, method in vars(like).items() if name not in own}
    for name in _AS_THEY_ARE:
        if name in methods:
            setattr(made, name, methods[name])
    if options.get("frozen"):
        made.__setattr__, made.__delattr__ = _refuse_setting, _refuse_deleting
    _put_off(made, {name: methods[name] for name in _COMPILED if name in methods}, options)
    return made  # type: ignore[no-any-return]


@cache
def _without_fields(**options: bool) -> type:
    """Return a dataclass that shows which methods one with these options has."""
    return dataclasses.dataclass(**options)(type("WithoutFields", (), {"__doc__": " "}))


def _put_off(made: type, methods: dict[str, object], options: dict[str, bool]) -> None:
    """Give a dataclass methods that compile all of them when one is called."""
    waiting: dict[str, object] = {}

    def compile_all() -> None:
        compiled = vars(_compiled(made, options))
        for name, method in waiting.items():
            # Another thread may have been here, or the class may have got a method of its own meanwhile.
            if made.__dict__[name] is method:
                setattr(made, name, compiled[name])

    for name, method in methods.items():
        if method is not None:
            method = waiting[name] = _waiting(made, name, compile_all)
        setattr(made, name, method)  # None: objects that can change have no hash


def _waiting(made: type, name: str, compile_all: Callable[[], None]) -> Callable[..., Any]:
    def method(self: object, /, *values: Any, **named: Any) -> Any:
        compile_all()
        return getattr(made, name)(self, *values, **named)

    method.__name__, method.__qualname__, method.__module__ = name, f"{made.__qualname__}.{name}", made.__module__
    return method


def _compiled(made: Any, options: dict[str, bool]) -> type:
    """Return a dataclass of the standard library with the same fields, none of them in slots."""
    fields = [(field.name, field.type, field) for field in dataclasses.fields(made)]
    called = {"__post_init__": made.__post_init__} if hasattr(made, "__post_init__") else {}
    alike: dict[str, Any] = options | {"slots": False}
    return dataclasses.make_dataclass(
        made.__qualname__, fields, namespace={"__doc__": " ", **called}, module=made.__module__, **alike
    )


def _refuse_setting(_self: object, name: str, _value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(_self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
