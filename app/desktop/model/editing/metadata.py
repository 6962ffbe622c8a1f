"""Metadata values as text in a table, with a separate choice of their kind."""

from collections.abc import Mapping

from app.desktop.language import number_text, tr
from app.desktop.model.editing.changes import same_value
from app.desktop.model.editing.numbers import NotANumber, read_number
from engine.domain.errors import InvalidParameter
from engine.domain.metadata import MetadataValue

TEXT, NUMBER, YES_NO = KINDS = (tr("Text"), tr("Number"), tr("Yes/No"))

_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def kind_of(value: MetadataValue) -> str:
    """Return the kind of a value."""
    if isinstance(value, bool):
        return YES_NO
    return TEXT if isinstance(value, str) else NUMBER


def text_of(value: MetadataValue) -> str:
    """Return a value as text that `parse_value` can read."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else number_text(repr(value))


def is_same_number(value: MetadataValue, text: str) -> bool:
    """Return whether a value is the number in a text, with a decimal point or comma."""
    if kind_of(value) != NUMBER:
        return False
    try:
        return read_number(text) == value
    except NotANumber:
        return False


def line_of(metadata: Mapping[str, MetadataValue]) -> str:
    """Return metadata on one line."""
    return ", ".join(f"{key}: {text_of(value)}" for key, value in metadata.items()) or tr("none")


def merged(
    before: Mapping[str, MetadataValue], edited: Mapping[str, MetadataValue], theirs: Mapping[str, MetadataValue]
) -> dict[str, MetadataValue]:
    """Return `theirs` with the keys that `edited` changed, added or removed compared to `before`."""
    if same_value(before, theirs):
        return dict(edited)
    kept = {key: value for key, value in theirs.items() if key in edited or key not in before}
    changed = {key: value for key, value in edited.items() if key not in before or not _same(before[key], value)}
    return kept | changed


def _same(one: MetadataValue, other: MetadataValue) -> bool:
    return one == other and type(one) is type(other)


def parse_value(key: str, text: str, kind: str) -> MetadataValue:
    """Return the value of a text of this kind. Raises `InvalidParameter` for ``metadata`` if it is invalid."""
    if kind == NUMBER:
        return _number(key, text)
    if kind == YES_NO:
        if text.lower() not in _WORDS:
            raise InvalidParameter(
                "metadata",
                tr(
                    "metadata: the value of {key!r} must be yes or no, not {entered_text!r}.",
                    key=key,
                    entered_text=text,
                ),
            )
        return _WORDS[text.lower()]
    return text


def _number(key: str, text: str) -> int | float:
    try:
        return read_number(text)
    except NotANumber as error:
        raise InvalidParameter("metadata", tr("metadata: the value of {key!r} {error}", key=key, error=error)) from None
