"""Segments in their editor: rows of text that become rules."""

from itertools import count

from msgspec import Struct

from app.desktop.language import tr
from app.desktop.model.editing.metadata import KINDS, kind_of, parse_value, text_of
from engine.domain.errors import InvalidParameter
from engine.domain.settings import SEGMENT_FIELDS, Comparison, Condition, SegmentRule

PARAM = "segments"
FIELDS = tuple(f"{field}.key" if field == "metadata" else field for field in SEGMENT_FIELDS)
"""Fields offered for a condition; the user types the key after ``metadata.``."""

COMPARISONS: tuple[tuple[str, Comparison], ...] = (
    ("equals", Comparison.EQUALS),
    (tr("is not"), Comparison.NOT_EQUALS),
    ("exists", Comparison.EXISTS),
    ("contains", Comparison.CONTAINS),
    (tr("is greater than"), Comparison.GREATER),
    (tr("is less than"), Comparison.LESS),
)
NEW_CONDITION = Condition("userId", Comparison.EXISTS)


class Row(Struct, frozen=True):
    """A condition as typed by the user."""

    field: str
    comparison: Comparison
    text: str = ""
    kind: str = KINDS[0]


def row_of(condition: Condition) -> Row:
    """Return a condition as text."""
    if condition.value is None:
        return Row(condition.field, condition.comparison)
    return Row(condition.field, condition.comparison, text_of(condition.value), kind_of(condition.value))


def condition_of(row: Row) -> Condition:
    """Return the condition of a row. Raises `InvalidParameter` for ``segments`` if it is invalid."""
    if row.comparison is Comparison.EXISTS:
        return Condition(row.field, row.comparison)
    try:
        value = parse_value(row.field, row.text, row.kind)
    except InvalidParameter as error:
        raise InvalidParameter(PARAM, error.message.replace("metadata:", f"{PARAM}:", 1)) from error
    return Condition(row.field, row.comparison, value)


def new_segment(segments: tuple[SegmentRule, ...]) -> SegmentRule:
    """Return an initial segment: all users who are logged in."""
    taken = {segment.external_id for segment in segments}
    number = next(n for n in count(len(segments) + 1) if f"segment-{n}" not in taken)
    return SegmentRule(tr("Segment {number}", number=number), f"segment-{number}", (NEW_CONDITION,))
