"""Metadata values as text in a table, with the kind of value chosen beside it."""

from engine.domain.errors import InvalidParameter
from engine.domain.metadata import MetadataValue

KINDS = ("Text", "Number", "Yes/No")

_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def kind_of(value: MetadataValue) -> str:
    """Return the kind of a value."""
    if isinstance(value, bool):
        return "Yes/No"
    return "Text" if isinstance(value, str) else "Number"


def text_of(value: MetadataValue) -> str:
    """Return a value as text that `parse_value` reads back."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else repr(value)


def parse_value(key: str, text: str, kind: str) -> MetadataValue:
    """Return the value that a text of this kind says; raises `InvalidParameter` naming ``metadata``."""
    if kind == "Number":
        return _number(key, text)
    if kind == "Yes/No":
        if text.lower() not in _WORDS:
            raise InvalidParameter("metadata", f"metadata: the value of {key!r} must be yes or no, not {text!r}.")
        return _WORDS[text.lower()]
    return text


def _number(key: str, text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise InvalidParameter("metadata", f"metadata: the value of {key!r} must be a number, not {text!r}.") from None
