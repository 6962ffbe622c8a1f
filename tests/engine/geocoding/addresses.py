"""Addresses of the shared extracts, read by independent code."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import osmium
from osmium.filter import KeyFilter

from engine.domain.geometry import Point


@dataclass(frozen=True, kw_only=True)
class Tagged:
    """An address from its tags; the position is that of the node, or of the way's first node."""

    point: Point
    number: str
    street: str
    city: str | None
    postal_code: str
    state: str | None
    unit: str | None


def tagged(extract: Path) -> Iterator[Tagged]:
    """Yield the addresses of an extract with number, street and postal code."""
    kinds = osmium.osm.NODE | osmium.osm.WAY
    objects = osmium.FileProcessor(str(extract), kinds).with_locations()
    for item in objects.with_filter(KeyFilter("addr:housenumber")):
        tags = item.tags
        if not all(f"addr:{part}" in tags for part in ("housenumber", "street", "postcode")):
            continue
        nodes = item.nodes if isinstance(item, osmium.osm.Way) else [item] if isinstance(item, osmium.osm.Node) else []
        location = next((node.location for node in nodes if node.location.valid()), None)
        if location is not None:
            yield Tagged(
                point=Point(location.lon, location.lat),
                number=tags["addr:housenumber"],
                street=tags["addr:street"],
                city=tags.get("addr:city"),
                postal_code=tags["addr:postcode"],
                state=tags.get("addr:state"),
                unit=tags.get("addr:unit"),
            )
