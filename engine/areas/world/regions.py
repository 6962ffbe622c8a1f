"""Countries of which Natural Earth has smaller units than addresses name: which larger unit each belongs to."""

from collections.abc import Mapping
from typing import Any, Final

REGIONS: Final = {"BE": "geonunit", "ES": "region", "FR": "region", "GB": "geonunit", "IT": "region"}
"""These countries, and the property of Natural Earth that names the larger unit."""

_CODES: Final = {
    "England": "ENG",
    "Scotland": "SCT",
    "Wales": "WLS",
    "Northern Ireland": "NIR",
    "Flemish Region": "VLG",
    "Walloon Region": "WAL",
    "Brussels Capital Region": "BRU",
    "Corse": "20R",
    "Foral de Navarra": "NC",
    "Islas Baleares": "IB",
    "La Rioja": "RI",
    "Murcia": "MC",
}
"""Codes of ISO 3166-2 where the data has none, or one of its own."""

_NAMES: Final = {
    "Canary Is.": "Canarias",
    "Foral de Navarra": "Navarra",
    "Valenciana": "Comunitat Valenciana",
    "Apulia": "Puglia",
    "Sicily": "Sicilia",
    "Provence-Alpes-Côte-d'Azur": "Provence-Alpes-Côte d'Azur",
}
"""How the larger unit is called there, where the data says it otherwise."""


def region_of(properties: Mapping[str, Any]) -> tuple[str, str | None, str | None]:
    """Return the country of a unit, and name and code of the larger unit that it belongs to, None for none."""
    country = properties["iso_a2"]
    key = REGIONS.get(country)
    name = properties.get(key) if key else None
    if name is None:
        return country, None, None
    # FR-IDF, IT-25 and ES.CL stand beside the regions' names.
    code = (properties.get("region_cod") or "")[3:] if key == "region" else ""
    return country, _NAMES.get(name, name), _CODES.get(name) or code or None
