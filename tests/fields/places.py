"""The places that must know every field, and checks for the fields that they forget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import fields

from engine.domain.values import replace
from tests.fields.examples import EXAMPLES, NOTHING, Part, example, other
from tests.fields.reasons import NOT_APPLICABLE

type Samples = Callable[[], Sequence[Any]]
"""Returns records that together have an example of every field."""


class Place(NamedTuple):
    """A place that stores, transmits, writes, reads or shows a kind of record; `forgotten` finds missing fields."""

    of: str
    name: str
    forgotten: Callable[[], set[str]]

    def check(self) -> None:
        """Fail with the names of fields that are missing, or present although listed as not meant for the place."""
        reasons, forgotten = NOT_APPLICABLE[self.of].get(self.name, {}), self.forgotten()
        missing = {path for path in forgotten if not any(_is_in(path, part) for part in reasons)}
        assert not missing, f"{self} forgets {', '.join(sorted(missing))}."
        needless = {part for part in reasons if not any(_is_in(path, part) for path in forgotten)}
        assert not needless, f"{self} has {', '.join(sorted(needless))}, for which tests/fields/reasons.py excuses it."

    def __str__(self) -> str:
        return f"{self.of}: {self.name}"


def _is_in(path: str, part: str) -> bool:
    """Return whether a field is the named one, or a part of it."""
    return path == part or path.startswith(f"{part}.")


def paths(record: Any, before: str = "") -> dict[str, Any]:
    """Return the fields of a record and of its parts: ``rules.ip``."""
    found: dict[str, Any] = {}
    for each in fields(record):
        value = getattr(record, each.name)
        part = value[0] if isinstance(value, tuple) and value else value
        if type(part) in EXAMPLES and not _is_apart(type(record), each.name):
            found |= paths(part, f"{before}{each.name}.")
        else:
            found[f"{before}{each.name}"] = value
    return found


def _is_apart(record: type, name: str) -> bool:
    value = example(record, name).value
    return isinstance(value, Part) and value.apart


def differing(record: Any, path: str) -> Any:
    """Return a record that differs in one field."""
    name, _, rest = path.partition(".")
    if not rest:
        return replace(record, **{name: other(type(record), name)})
    value = getattr(record, name)
    if isinstance(value, tuple):
        return replace(record, **{name: (differing(value[0], rest), *value[1:])})
    return replace(record, **{name: differing(value, rest)})


def unlike(record: Any) -> Any:
    """Return a record that differs in every field."""
    for path in telling(record):
        record = differing(record, path)
    return record


def telling(record: Any) -> dict[str, Any]:
    """Return the fields in which a record holds its example."""
    return {path: value for path, value in paths(record).items() if paths(differing(record, path)).get(path) != value}


def read_back(samples: Samples, store: Callable[[Sequence[Any]], Sequence[Any]]) -> Callable[[], set[str]]:
    """Return a check of a place that returns the records from `store` in the same order."""

    def forgotten() -> set[str]:
        wanted, kept, given = set[str](), set[str](), samples()
        for sample, found in zip(given, map(paths, store(given)), strict=True):
            values = telling(sample)
            wanted |= values.keys()
            kept |= {path for path, value in values.items() if found.get(path, NOTHING) == value}
        return wanted - kept

    return forgotten


def shown(samples: Samples, show: Callable[[Any], Any]) -> Callable[[], set[str]]:
    """Return a check of a place that writes or shows a record, whose output must differ if a field differs."""
    return compared(samples, lambda sample, unlike, _: show(sample) != show(unlike))


def compared(samples: Samples, differs: Callable[[Any, Any, str], bool]) -> Callable[[], set[str]]:
    """Return a check of a place that names the field in which two records differ."""

    def forgotten() -> set[str]:
        wanted, kept = set[str](), set[str]()
        for sample in samples():
            given = telling(sample)
            wanted |= given.keys()
            kept |= {path for path in given if differs(sample, differing(sample, path), path)}
        return wanted - kept

    return forgotten


def names_of(record: type) -> set[str]:
    """Return the fields of a record or change."""
    return {each.name for each in fields(record)}
