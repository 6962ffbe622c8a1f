"""Metadata: a flat dictionary the caller attaches to a geofence or a user."""

from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType

from engine.domain.errors import InvalidParameter

MAX_GEOFENCE_KEYS = 16
MAX_USER_KEYS = 32

type MetadataValue = str | bool | int | float
type Metadata = Mapping[str, MetadataValue]

NO_METADATA: Metadata = MappingProxyType({})


def check_metadata(value: Mapping[str, object], *, max_keys: int) -> Metadata:
    """Return a read-only copy of `value` if it is metadata.

    Raises `InvalidParameter` naming ``metadata`` for more than `max_keys` keys, an empty key, or a value that is
    not a string, a boolean or a finite number.
    """
    if len(value) > max_keys:
        raise InvalidParameter("metadata", f"metadata: at most {max_keys} keys are allowed, not {len(value)}.")
    checked: dict[str, MetadataValue] = {}
    for key, item in value.items():
        if not key:
            raise InvalidParameter("metadata", "metadata: a key must not be empty.")
        checked[key] = _check_value(key, item)
    return MappingProxyType(checked)


def _check_value(key: str, item: object) -> MetadataValue:
    if isinstance(item, float) and not isfinite(item):
        raise InvalidParameter("metadata", f"metadata: the value of {key!r} must be a finite number.")
    if isinstance(item, str | bool | int | float):
        return item
    raise InvalidParameter("metadata", f"metadata: the value of {key!r} must be a string, a boolean or a number.")
