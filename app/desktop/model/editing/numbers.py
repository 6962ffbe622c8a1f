"""Number formats of all fields of the window, in every language.

A single point or comma is the decimal sign. Points or commas separate thousands if there are several of them, or if the
other one is the decimal sign. Spaces and apostrophes always do. Displayed numbers have no separators except the decimal
sign, and so are read as the same number in every language.
"""

from __future__ import annotations

import re
from math import isfinite
from typing import Final

from app.desktop.language import number_text, tr
from engine.domain.errors import InvalidParameter

_MOST_LETTERS: Final = 400
_SHOWN: Final = 40
_TYPED_DECIMALS: Final = 6
_SPACES: Final = " \N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{THIN SPACE}'\N{RIGHT SINGLE QUOTATION MARK}"
_SIGNS: Final = str.maketrans({"\N{MINUS SIGN}": "-"})
_PARTS: Final = re.compile(rf"(?P<sign>[+-]?) *(?P<digits>[0-9.,{_SPACES}]*[0-9.,])(?P<power>[eE][+-]?[0-9]{{1,3}})?")
_THOUSANDS: Final = rf"[1-9][0-9]{{0,2}}(?P<separator>[.,{_SPACES}])[0-9]{{3}}(?:(?P=separator)[0-9]{{3}})*"
_WHOLE: Final = re.compile(rf"[0-9]*|{_THOUSANDS}")
_DIGITS: Final = re.compile("[0-9]*")
_LARGE: Final = 1e15
_KINDS: Final = ({"m": 1.0, "km": 1_000.0}, {"s": 1.0, "min": 60.0, "h": 3_600.0})
"""Units of the same kind, each with its factor to the first one."""

_UNIT: Final = re.compile(r"[^\W\d_]+$")


class NotANumber(ValueError):
    """Raised for a text that is not a number. Its message is a sentence without the subject."""


def read_number(text: str, example: float = 1234.5) -> int | float:
    """Return the number in a text, as an integer if it has no decimals.

    Raises `NotANumber` if it is invalid. If separators are misplaced, the error suggests the format of `example`.
    """
    parts = _PARTS.fullmatch(text.strip().translate(_SIGNS)) if len(text) <= _MOST_LETTERS else None
    if not text.strip():
        raise NotANumber(tr("must be a number."))
    if parts is None or not any(map(str.isdecimal, parts["digits"])):
        raise NotANumber(tr("must be a number, not {entered_text!r}.", entered_text=text.strip()[:_SHOWN]))
    whole, point, decimals = _divided(parts["digits"])
    if _WHOLE.fullmatch(whole) is None or _DIGITS.fullmatch(decimals) is None:
        raise NotANumber(
            tr(
                "has misplaced separators: {entered_text!r}. Enter it without thousands separators, such as {example}.",
                entered_text=text.strip()[:_SHOWN],
                example=spell_number(example),
            )
        )
    digits, power = "".join(filter(str.isdecimal, whole)), parts["power"] or ""
    return _value(f"{parts['sign']}{digits}{point and '.'}{decimals}{power}", is_whole=not (point or power))


def read_whole_number(text: str) -> int:
    """Return the integer in a text. Raises `NotANumber` if it is not one.

    A single separator is refused, since ``1,000`` would be 1.
    """
    number = read_number(text, example=1234)
    if isinstance(number, float):
        raise NotANumber(
            tr(
                "must be a whole number without separators, such as 1000, not {entered_text!r}.",
                entered_text=text.strip()[:_SHOWN],
            )
        )
    return number


def number_of(param: str, text: str) -> float:
    """Return the number in a text. Raises `InvalidParameter` for `param` if it is invalid."""
    try:
        return float(read_number(text))
    except NotANumber as error:
        raise InvalidParameter(param, f"{param}: {error}") from None


def read_quantity(text: str, unit: str, *, whole: bool = False) -> float:
    """Return the number in a text, converted to `unit`; the text may name it, or another unit of the same kind.

    Raises `NotANumber` if it is invalid.
    """
    bare, factor = text.strip(), 1.0
    for factors in _KINDS:
        named = _UNIT.search(bare)
        if unit in factors and named is not None and named[0] in factors and named[0] != unit:
            bare, factor = bare[: named.start()], factors[named[0]] / factors[unit]
    bare = bare.removesuffix(unit).strip()
    return float(read_whole_number(bare) if whole and factor == 1.0 else read_number(bare)) * factor


def spell_number(value: float, decimals: int = 2) -> str:
    """Return a number in a format that `read_number` reads in every language.

    A number with few decimals is shown with all of them, as it was typed. Others are rounded to `decimals`.
    """
    digits = _TYPED_DECIMALS if round(value, _TYPED_DECIMALS) == value else decimals
    rounded = round(value, digits)
    if (value and not rounded) or abs(value) >= _LARGE:
        return number_text(f"{value:.12g}")
    text = f"{rounded or 0.0:.{digits}f}"
    return number_text(text.rstrip("0").rstrip(".") if digits else text)


def _divided(digits: str) -> tuple[str, str, str]:
    """Return the digits before the decimal sign, the sign, and the digits after it."""
    signs = [each for each in digits if each in ".,"]
    if not signs or (len(signs) > 1 and len({*signs}) == 1):
        return digits, "", ""
    return digits.rpartition(signs[-1])


def _value(number: str, *, is_whole: bool) -> int | float:
    value = float(number)
    if not isfinite(value):
        raise NotANumber(tr("is too large."))
    return int(number) if is_whole else value
