"""External IDs that no single column has: by a rule from several columns, from names, or numbered."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.imports import ImportOptions

NAMES: Final = "names"
NUMBERS: Final = "numbers"
MADE: Final = (NAMES, NUMBERS)
"""External IDs that are made of names, or numbered, instead of a rule."""

ID: Final = "externalId"
RULE: Final = "{ZONE}-{NR}"
_IN_BRACES: Final = re.compile(r"\{([^{}]+)\}")
_ACCENTED: Final = re.compile("([a-z])[\u0300-\u036f]+")
_UNSAFE: Final = re.compile(r"[\W_]+")
_LONGEST: Final = 200
"""Maximum length of a name made safe, which leaves room for a number in an external ID."""

_UNNAMED: Final = "unnamed"
_WHOLE: Final = re.compile(r"[+-]?\d+\.0+", re.ASCII)


def parts_of_rule(options: ImportOptions) -> tuple[str, ...]:
    """Return the rule for the external ID, split into texts and the columns between them, or nothing without one.

    Raises `InvalidParameter` naming ``id``.
    """
    if options.id is None:
        return ()
    mapped = (field for field, column in options.mapping.items() if column.strip())
    if any(field.strip().lower() == ID.lower() for field in (*mapped, *options.fixed)):
        raise InvalidParameter("id", f"id: {ID} is also mapped or set; give only one of these.")
    if options.id in MADE:
        return ()
    parts = tuple(_IN_BRACES.split(options.id))
    if len(parts) == 1 or any("{" in part or "}" in part for part in parts):
        raise InvalidParameter("id", f"id: must name columns in braces, such as {RULE}, or be names or numbers.")
    return parts


def safe_name(text: str) -> str:
    """Return a name in lower case without accents, with hyphens for everything but letters and digits.

    It is empty if no letter or digit is left.
    """
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    plain = _ACCENTED.sub(r"\1", letters)
    return _UNSAFE.sub("-", unicodedata.normalize("NFC", plain)).strip("-")[:_LONGEST].rstrip("-")


def whole(cell: str) -> str:
    """Return a number without decimals if these are zero: ``36047.0`` becomes ``36047``; others are unchanged."""
    return cell.partition(".")[0] if _WHOLE.fullmatch(cell) else cell


def is_whole(cell: str) -> bool:
    """Return whether a cell is a whole number with decimals, as programs write a number that may be missing."""
    return _WHOLE.fullmatch(cell) is not None


class Namer:
    """Makes distinct external IDs from names, within each tag: ``park``, ``park-2``, ``park-3``."""

    def __init__(self) -> None:
        self._used: dict[str, dict[str, int]] = {}

    def id_of(self, tag: str, name: str) -> str:
        """Return the external ID of the next row with a name."""
        safe = safe_name(name) or _UNNAMED
        used = self._used.setdefault(tag, {})
        count = used.get(safe, 0) + 1
        found = safe
        while found in used and count > 1:
            found = f"{safe}-{count}"
            count += found in used
        used[safe] = count
        used.setdefault(found, 1)
        return found


class Numberer:
    """Continues the numbers that are external IDs of a tag; `last` returns the highest one, or 0."""

    def __init__(self, last: Callable[[str], int]) -> None:
        self._last = last
        self._numbers: dict[str, int] = {}

    def id_of(self, tag: str) -> str:
        """Return the next number of a tag."""
        number = self._numbers.get(tag)
        self._numbers[tag] = (self._last(tag) if number is None else number) + 1
        return str(self._numbers[tag])
