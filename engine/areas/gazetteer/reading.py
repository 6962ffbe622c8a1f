"""Reads the gazetteer's data from an extract without combining it yet."""

from contextlib import suppress
from pathlib import Path
from sys import intern
from types import MappingProxyType
from typing import Any, Final

import osmium
import shapely
from msgspec import Struct, field
from osmium.filter import EntityFilter, KeyFilter

from engine.areas.categories import PLACE_KEYS
from engine.areas.gazetteer.road_numbers import numbers_of
from engine.areas.gazetteer.tags import Tags, is_street, name_in, split, units_in
from engine.areas.ways import lines_of, with_ids

_KEYS: Final = (
    *("name", "name:en", "brand", "boundary"),
    *("addr:housenumber", "addr:unit", "addr:flats", "addr:interpolation"),
    "ref",
)
"""Keys of the relevant objects."""

_STREET_RELATIONS: Final = frozenset(("associatedStreet", "street"))
_BATCH: Final = 5_000
_NO_TAGS: Final[Tags] = MappingProxyType({})

type Spot = tuple[float, float]

_PENDING: Final[Spot] = (0.0, 0.0)
"""Position of an area until its batch is placed."""


class TaggedObject(Struct, eq=False):
    """A tagged object with a position; `shape` is its WKB if it is an area and this is needed.

    `house` is the building with an address that contains a place without its own address.
    """

    osm: str
    tags: Tags
    spot: Spot
    shape: bytes | None = None
    house: str | None = None


class Addressed(Struct, eq=False):
    """An object with a house number, and the other address tags that it has."""

    osm: str
    number: str
    street: str
    spot: Spot
    city: str = ""
    postcode: str = ""
    state: str = ""
    country: str = ""
    name: str | None = None
    use: str | None = None
    units: tuple[str, ...] = ()


class StreetWay(Struct, eq=False):
    """A way with a name, one of those in `tags`; `line` is WKB, `numbers` are those of the road that it is part of."""

    name: str
    tags: Tags
    line: bytes
    numbers: tuple[str, ...] = ()


class Interpolation(Struct, eq=False):
    """A line of house numbers: its nodes in order, with their positions."""

    kind: str
    nodes: list[tuple[int, Spot]]
    street: str


class Boundary(Struct, eq=False):
    """A boundary relation, whole or clipped; `lines` are WKB of the member ways in the extract.

    `labels` are the nodes that represent it on maps, `centres` the nodes of its capital.
    """

    tags: Tags
    ways: tuple[int, ...]
    labels: tuple[int, ...]
    centres: tuple[int, ...]
    parts: tuple[str, ...]
    lines: list[bytes] = field(default_factory=list)


class Findings(Struct):
    """All objects of an extract that are needed for the gazetteer, by OpenStreetMap type letter and ID if necessary."""

    addresses: dict[str, Addressed] = field(default_factory=dict)
    streets: list[StreetWay] = field(default_factory=list)
    roads: list[StreetWay] = field(default_factory=list)
    """Ways that have only the number of a road, which is their name."""
    interpolations: list[Interpolation] = field(default_factory=list)
    settlements: dict[str, TaggedObject] = field(default_factory=dict)
    boundaries: dict[str, Boundary] = field(default_factory=dict)
    places: dict[str, TaggedObject] = field(default_factory=dict)


def read_findings(extract: Path) -> Findings:
    """Read a prepared extract: sorted, in PBF."""
    return _Reader(extract).read()


class _Reader:
    def __init__(self, extract: Path) -> None:
        self._extract = str(extract)
        self._found = Findings()
        self._wkb = osmium.geom.WKBFactory()
        self._bounding: dict[int, list[str]] = {}
        self._associated: dict[str, str] = {}
        self._shapes: list[tuple[str, str]] = []
        self._inside: list[tuple[str, Spot, tuple[str, ...]]] = []

    def read(self) -> Findings:
        """Return the contents of the extract; relations are read first since they describe their members."""
        self._read_relations()
        objects = osmium.FileProcessor(self._extract).with_areas(KeyFilter(*_KEYS))
        item: Any
        objects.with_filter(EntityFilter(osmium.osm.NODE | osmium.osm.WAY | osmium.osm.AREA))
        for item in objects.with_filter(KeyFilter(*_KEYS)):
            if item.is_node():
                self._node(item, item.tags)
            elif item.is_way():
                self._way(item, item.tags)
            elif item.is_area():
                self._area(item, item.tags)
        self._place_areas()
        self._read_bounding_lines(objects.node_location_storage)
        return self._found

    def _read_relations(self) -> None:
        relations = osmium.FileProcessor(self._extract, osmium.osm.RELATION)
        item: Any
        for item in relations.with_filter(KeyFilter("boundary", "place", "type")):
            tags = _all(item.tags)
            if "name" not in tags:
                continue
            if "boundary" in tags and _is_settlement(tags):
                self._found.boundaries[f"r{item.id}"] = _boundary(item, tags)
                for way in self._found.boundaries[f"r{item.id}"].ways:
                    self._bounding.setdefault(way, []).append(f"r{item.id}")
            elif tags.get("type") in _STREET_RELATIONS:
                houses = (
                    f"{member.type}{member.ref}" for member in item.members if member.role in ("house", "address")
                )
                self._associated |= dict.fromkeys(houses, tags["name"])

    def _read_bounding_lines(self, places: Any) -> None:
        """Find the lines of boundaries without an area, which the extract contains only in part.

        `places` has the positions of nodes, so that they need not be read again.
        """
        clipped = {key: each for key, each in self._found.boundaries.items() if key not in self._found.settlements}
        wanted = {way for each in clipped.values() for way in each.ways}
        if not wanted:
            return
        located = osmium.NodeLocationsForWays(places)
        located.ignore_errors()
        ways = osmium.FileProcessor(self._extract, osmium.osm.WAY).with_filter(located)
        item: Any
        for item in with_ids(ways, wanted):
            lines = [bytes.fromhex(line) for line in lines_of(item, self._wkb, _hex)]
            for key in self._bounding.get(item.id, ()):
                if key in clipped:
                    clipped[key].lines += lines

    def _node(self, node: Any, tags: Tags) -> None:
        if not node.location.valid():
            return
        key, spot = f"n{node.id}", (node.lon, node.lat)
        self._keep(key, tags, spot)
        if _is_settlement(tags):
            self._found.settlements[key] = TaggedObject(key, _all(tags), spot)
        if "addr:housenumber" not in tags and ((units := units_in(tags)) or key in self._found.places):
            self._inside.append((key, spot, units))

    def _way(self, way: Any, tags: Tags) -> None:
        if ("highway" in tags or tags.get("place") == "square") and "name" in tags and is_street(tags):
            self._street(way, tags)
        elif "name" not in tags and (numbers := numbers_of(tags)):
            for line in lines_of(way, self._wkb, _hex):
                self._found.roads.append(StreetWay(numbers[0], _NO_TAGS, bytes.fromhex(line), numbers))
        kind = tags.get("addr:interpolation")
        numbered = "addr:housenumber" in tags
        if kind is not None and not numbered:
            nodes = [(node.ref, (node.lon, node.lat)) for node in way.nodes if node.location.valid()]
            self._found.interpolations.append(Interpolation(kind, nodes, tags.get("addr:street", "")))
        elif numbered or _may_be_place(tags):
            # The position of its area follows, if it forms one.
            spot = next(((node.lon, node.lat) for node in way.nodes if node.location.valid()), None)
            if spot is not None:
                self._keep(f"w{way.id}", tags, spot)

    def _area(self, area: Any, tags: Tags) -> None:
        key = f"{'w' if area.from_way() else 'r'}{area.orig_id()}"
        with suppress(RuntimeError, osmium.InvalidLocationError):
            self._shapes.append((key, self._wkb.create_multipolygon(area)))
            self._keep(key, tags, _PENDING)
            if _is_settlement(tags):
                self._found.settlements[key] = TaggedObject(key, _all(tags), _PENDING)
            if len(self._shapes) >= _BATCH:
                self._place_areas()

    def _keep(self, key: str, tags: Tags, spot: Spot) -> None:
        """Record an object; a closed way comes first as a way and then as an area."""
        found = self._found
        if "addr:housenumber" in tags and key not in found.addresses:
            found.addresses[key] = self._addressed(key, tags, spot)
        if _may_be_place(tags) and key not in found.places:
            found.places[key] = TaggedObject(key, _all(tags), spot)

    def _addressed(self, key: str, tags: Tags, spot: Spot) -> Addressed:
        street = tags.get("addr:street") or tags.get("addr:place") or self._associated.get(key, "")
        return Addressed(
            osm=key,
            number=tags["addr:housenumber"],
            street=intern(street),
            spot=spot,
            city=intern(" ".join(tags.get("addr:city", "").split())),
            postcode=intern(tags.get("addr:postcode", "")),
            state=intern(tags.get("addr:state", "")),
            country=intern(tags.get("addr:country", "")),
            name=tags.get("addr:housename") or (tags.get("name") if "building" in tags else None),
            use=_use(tags),
            units=units_in(tags),
        )

    def _street(self, way: Any, tags: Tags) -> None:
        names, numbers = split(tags["name"]), numbers_of(tags)
        # Names in other languages are those of the first one.
        translated = {key: value for key, value in _all(tags).items() if "name" in key}
        for line in lines_of(way, self._wkb, _hex):
            for name in names:
                also = translated if translated and name == names[0] else _NO_TAGS
                self._found.streets.append(StreetWay(intern(name), also, bytes.fromhex(line), numbers))

    def _place_areas(self) -> None:
        """Set the position of objects with an area: the centroid if it is inside, else a point on the surface."""
        keys = [key for key, _ in self._shapes]
        shapes = shapely.from_wkb([shape for _, shape in self._shapes])
        centres = shapely.centroid(shapes)
        outside = ~shapely.contains(shapes, centres)
        centres[outside] = shapely.point_on_surface(shapes[outside])
        spots = shapely.get_coordinates(centres).tolist()
        found = self._found
        for key, (longitude, latitude), (_, shape) in zip(keys, spots, self._shapes, strict=True):
            if key in found.addresses:
                found.addresses[key].spot = (longitude, latitude)
            for objects in (found.places, found.settlements):
                if key in objects:
                    objects[key].spot, objects[key].shape = (longitude, latitude), bytes.fromhex(shape)
        self._enter(keys, shapes)
        self._shapes.clear()

    def _enter(self, keys: list[str], shapes: Any) -> None:
        """Assign the units of entrances to the houses that contain them, and houses to the places inside."""
        if not self._inside:
            return
        points = shapely.points([spot for _, spot, _ in self._inside])
        for number, house in shapely.STRtree(shapes).query(points, predicate="intersects").T.tolist():
            address = self._found.addresses.get(keys[house])
            if address is None:
                continue
            key, _, units = self._inside[number]
            address.units += units
            # An address may also belong to a whole park.
            if address.use is not None and key in self._found.places:
                self._found.places[key].house = address.osm


def _all(tags: Any) -> dict[str, str]:
    """Return a copy of osmium's tags with interned texts.

    Listing all tags is slower than reading a few, so most objects only have some tags read.
    """
    return {intern(tag.k): intern(tag.v) for tag in tags}


def _boundary(relation: Any, tags: Tags) -> Boundary:
    members = [(member.type, member.ref, member.role) for member in relation.members]
    return Boundary(
        tags,
        tuple(ref for kind, ref, _ in members if kind == "w"),
        tuple(ref for kind, ref, role in members if kind == "n" and role == "label"),
        tuple(ref for kind, ref, role in members if kind == "n" and role == "admin_centre"),
        tuple(f"{kind}{ref}" for kind, ref, role in members if role == "subarea"),
    )


def _use(tags: Tags) -> str | None:
    building = tags.get("building")
    if building not in (None, "yes", "no"):
        return intern(building)
    if "shop" in tags:
        return "retail"
    return "office" if "office" in tags else building


def _may_be_place(tags: Tags) -> bool:
    return ("name" in tags or "brand" in tags or "name:en" in tags) and any(key in tags for key in PLACE_KEYS)


def _is_settlement(tags: Tags) -> bool:
    if tags.get("type") == "multilinestring":
        return False  # a piece of border, not the area inside
    if tags.get("boundary") == "postal_code":
        return "postal_code" in tags or "name" in tags
    return name_in(tags) is not None and (tags.get("boundary") in ("administrative", "place") or "place" in tags)


def _hex(line: shapely.LineString) -> str:
    text: str = shapely.to_wkb(line, hex=True)
    return text
