"""Uses of buildings, as OpenStreetMap spells them, and the corresponding property types."""

from typing import Final

from engine.domain.addresses.validation import PropertyType

RESIDENTIAL: Final = frozenset(
    [
        "apartments",
        "barracks",
        "bungalow",
        "cabin",
        "detached",
        "dormitory",
        "farm",
        "house",
        "houseboat",
        "hut",
        "residential",
        "semidetached_house",
        "semi",
        "static_caravan",
        "stilt_house",
        "terrace",
        "trullo",
        "duplex",
        "townhouse",
    ]
)
COMMERCIAL: Final = frozenset(
    [
        "bank",
        "bar",
        "cafe",
        "commercial",
        "factory",
        "hotel",
        "industrial",
        "kiosk",
        "mall",
        "manufacture",
        "office",
        "pub",
        "restaurant",
        "retail",
        "shop",
        "supermarket",
        "warehouse",
        "cinema",
        "hangar",
    ]
)
WITH_UNITS: Final = frozenset({"apartments", "dormitory", "hotel", "office", "commercial", "residential"})
"""Uses of buildings in which a unit is a part of a house with several units."""


def property_type_of(use: str | None) -> PropertyType:
    """Return the property type of a building with this use."""
    if use in RESIDENTIAL:
        return PropertyType.RESIDENTIAL
    return PropertyType.COMMERCIAL if use in COMMERCIAL else PropertyType.UNKNOWN
