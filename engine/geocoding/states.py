"""The states of the United States and the provinces of Canada: their codes and English names."""

from typing import Final

from scourgify.address_constants import STATE_ABBREVIATIONS

US: Final = "US"
CANADA: Final = "CA"
ARMED_FORCES: Final = frozenset({"AA", "AE", "AP"})
_TERRITORIES: Final = frozenset({"AS", "FM", "GU", "MH", "MP", "PR", "PW", "VI"})
US_STATES: Final = frozenset(STATE_ABBREVIATIONS.values()) | _TERRITORIES | ARMED_FORCES

PROVINCES: Final = {
    "A": ("NL",),
    "B": ("NS",),
    "C": ("PE",),
    "E": ("NB",),
    "G": ("QC",),
    "H": ("QC",),
    "J": ("QC",),
    "K": ("ON",),
    "L": ("ON",),
    "M": ("ON",),
    "N": ("ON",),
    "P": ("ON",),
    "R": ("MB",),
    "S": ("SK",),
    "T": ("AB",),
    "V": ("BC",),
    "X": ("NT", "NU"),
    "Y": ("YT",),
}
"""Provinces of Canada by the first letter of their postal codes."""

STATES: Final = {US: US_STATES, CANADA: frozenset(code for codes in PROVINCES.values() for code in codes)}

_PROVINCE_NAMES: Final = {
    "AB": "Alberta",
    "BC": "British Columbia",
    "MB": "Manitoba",
    "NB": "New Brunswick",
    "NL": "Newfoundland and Labrador",
    "NS": "Nova Scotia",
    "NT": "Northwest Territories",
    "NU": "Nunavut",
    "ON": "Ontario",
    "PE": "Prince Edward Island",
    "QC": "Quebec",
    "SK": "Saskatchewan",
    "YT": "Yukon",
}


def _state_names() -> dict[str, tuple[str, str]]:
    longest: dict[str, str] = {}
    for name, code in STATE_ABBREVIATIONS.items():
        # The table also has abbreviations such as Calif.
        longest[code] = max(name, longest.get(code, ""), key=len)
    states = {name.lower(): (US, code) for code, name in longest.items()}
    return states | {name.lower(): (CANADA, code) for code, name in _PROVINCE_NAMES.items()}


STATE_NAMES: Final = _state_names()
"""Countries and codes of states and provinces by their folded English names."""
