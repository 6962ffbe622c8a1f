"""Validation of texts from users: identifiers and descriptions."""

import re
from typing import Final

from engine.domain.errors import InvalidParameter

MAX_IDENTIFIER = 256
MAX_DESCRIPTION = 2_000

_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")


def check_identifier(value: str, param: str) -> str:
    """Return `value` if it is a valid identifier: not empty, at most 256 characters, storable."""
    if not value.strip():
        raise InvalidParameter(param, f"{param}: must not be empty.")
    return check_text(value, param, MAX_IDENTIFIER)


def check_description(value: str) -> str:
    """Return `value` if it is a valid display name: not empty, storable."""
    if not value.strip():
        raise InvalidParameter("description", "description: must not be empty.")
    return check_text(value, "description")


def check_text(value: str, param: str, longest: int = MAX_DESCRIPTION) -> str:
    """Return `value` if it has at most `longest` characters and every database can store it."""
    if len(value) > longest:
        raise InvalidParameter(param, f"{param}: at most {longest} characters are allowed, not {len(value)}.")
    if "\0" in value or any("\ud800" <= char <= "\udfff" for char in value):
        raise InvalidParameter(param, f"{param}: contains a character that is not valid text.")
    return value


def is_personal(user_id: str) -> bool:
    """Return whether a user ID looks like an e-mail address, which is personal information."""
    return _EMAIL.fullmatch(user_id.strip()) is not None


def printable(text: str) -> str:
    """Return text on one line for a terminal, with unprintable characters escaped."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)
