"""Metadata: a flat dictionary that clients attach to a geofence or a user."""

from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType

from msgspec import Struct

from engine.domain.errors import InvalidParameter

MAX_GEOFENCE_KEYS = 16
"""Maximum number of metadata keys of a geofence or a beacon."""

MAX_USER_KEYS = 32

type MetadataValue = str | bool | int | float
type Metadata = Mapping[str, MetadataValue]

NO_METADATA: Metadata = MappingProxyType({})


class AnyOf(Struct, frozen=True):
    """The values that a text in a query may stand for: `1` is a number, a text, and true."""

    values: tuple[MetadataValue, ...]


type Wanted = Mapping[str, MetadataValue | AnyOf]
"""A filter by metadata: for each key a value, or several alternatives."""


def matches(metadata: Metadata, wanted: Wanted) -> bool:
    """Return whether `metadata` has every wanted pair. A boolean, a number and a text never equal one another."""
    return all(key in metadata and _is_wanted(metadata[key], value) for key, value in wanted.items())


def _is_wanted(item: MetadataValue, wanted: MetadataValue | AnyOf) -> bool:
    values = wanted.values if isinstance(wanted, AnyOf) else (wanted,)
    return any(item == value and isinstance(item, bool) == isinstance(value, bool) for value in values)


def exact(metadata: Metadata) -> dict[str, tuple[bool, MetadataValue]]:
    """Return metadata in a comparable form, in which a boolean differs from the number it would equal."""
    return {key: (isinstance(value, bool), value) for key, value in metadata.items()}


def check_metadata(value: Mapping[str, object], *, max_keys: int) -> Metadata:
    """Return a read-only copy of `value` if it is valid metadata.

    Raises `InvalidParameter` for ``metadata`` if it has more than `max_keys` keys, an empty key, or a value that is not
    a string, a boolean or a finite number.
    """
    if len(value) > max_keys:
        raise InvalidParameter("metadata", f"metadata: at most {max_keys} keys are allowed, not {len(value)}.")
    checked: dict[str, MetadataValue] = {}
    for key, item in value.items():
        if not key:
            raise InvalidParameter("metadata", "metadata: a key must not be empty.")
        checked[key] = _check_value(key, item)
    return MappingProxyType(checked)


def changed_metadata(
    before: Metadata,
    whole: Metadata | None,
    items: Mapping[str, MetadataValue | None] | None,
    *,
    max_keys: int,
) -> Metadata:
    """Return metadata after a change: replaced by `whole`, then with single `items` set, or removed if None.

    Raises `InvalidParameter` for ``metadata`` if the result is invalid.
    """
    if whole is not None:
        before = check_metadata(whole, max_keys=max_keys)
    if items is None:
        return before
    kept = {key: value for key, value in {**before, **items}.items() if value is not None}
    return check_metadata(kept, max_keys=max_keys)


def _check_value(key: str, item: object) -> MetadataValue:
    if isinstance(item, float) and not isfinite(item):
        raise InvalidParameter("metadata", f"metadata: the value of {key!r} must be a finite number.")
    if isinstance(item, str | bool | int | float):
        return item
    raise InvalidParameter("metadata", f"metadata: the value of {key!r} must be a string, a boolean or a number.")
