"""A made-up town, written as OpenStreetMap XML, in which every street tests one property of routes.

Metres east and north of its centre::

      y
    800                     Shore ~~~~~~~~~ ferry ~~~~~~~~~ Island Road (2,600 to 3,000)
    600   North Street ------------------------------------- (-600 to 1,000)
            |       |      |      |
    200     |     First  Second   |        Second Avenue leads north only
            |    Avenue  Avenue  Third Avenue (closed between 200 and 400)
      0   Main Street -------------( o )------------------- roundabout at 500
   -200   Bypass (toll)  ---------------------------------  from -600 to 1,000, quicker than Main Street
  -1000   Motorway A 7 west to east, from -2,000 to 3,000, left by the ramp at 0 as exit 12 "Town"
  -3000   Lonely Lane, which nothing leads to
"""

from math import cos, radians
from pathlib import Path
from xml.etree import ElementTree

from engine.domain.geometry import Point

LATITUDE, LONGITUDE = 50.0, 10.0
_M_PER_DEGREE = 111_195.0

type Place = tuple[float, float]


def at(east: float, north: float) -> Point:
    """Return the position at a distance in metres from the centre."""
    per_longitude = _M_PER_DEGREE * cos(radians(LATITUDE))
    return Point(round(LONGITUDE + east / per_longitude, 7), round(LATITUDE + north / _M_PER_DEGREE, 7))


ROUNDABOUT = ((460.0, 0.0), (500.0, -40.0), (540.0, 0.0), (500.0, 40.0))

type Way = tuple[tuple[Place, ...], dict[str, str]]

STREET = {"highway": "residential"}
WAYS: tuple[Way, ...] = (
    (
        ((-600, 0), (-400, 0), (-200, 0), (0, 0), (200, 0), (400, 0), (460, 0)),
        {"highway": "secondary", "name": "Main Street", "maxspeed": "50"},
    ),
    (((540, 0), (800, 0), (1000, 0)), {"highway": "secondary", "name": "Main Street East", "maxspeed": "30"}),
    (
        (*ROUNDABOUT, ROUNDABOUT[0]),
        {"highway": "secondary", "junction": "roundabout", "name": "Old Circle", "oneway": "yes"},
    ),
    (((500, 40), (500, 300)), STREET | {"name": "Garden Lane"}),
    (((-600, 0), (-600, 300), (-600, 600)), STREET | {"name": "West Street"}),
    (
        ((-600, 600), (-200, 600), (0, 600), (200, 600), (400, 600), (800, 600), (1000, 600)),
        STREET | {"name": "North Street"},
    ),
    (((1000, 0), (1000, 300), (1000, 600)), STREET | {"name": "East Street"}),
    (((0, 0), (0, 200), (0, 600)), STREET | {"name": "First Avenue"}),
    (((200, 0), (200, 200), (200, 600)), STREET | {"name": "Second Avenue", "oneway": "yes"}),
    (((400, 0), (400, 200)), STREET | {"name": "Third Avenue"}),
    (((400, 200), (400, 400)), STREET | {"name": "Third Avenue", "access": "no"}),
    (((400, 400), (400, 600)), STREET | {"name": "Third Avenue"}),
    (((0, 200), (200, 200), (400, 200)), STREET | {"name": "Cross Street"}),
    (
        ((-600, 0), (-500, -200), (0, -200), (900, -200), (1000, 0)),
        {"highway": "primary", "name": "Bypass", "toll": "yes", "maxspeed": "100"},
    ),
    (((800, 600), (800, 800)), STREET | {"name": "Pier Road"}),
    (
        ((800, 800), (1700, 900), (2600, 800)),
        {"route": "ferry", "name": "Island Ferry", "motor_vehicle": "yes", "duration": "00:10"},
    ),
    (((2600, 800), (2800, 800), (3000, 800)), STREET | {"name": "Island Road"}),
    (
        ((-2000, -1000), (-1000, -1000), (-400, -1000)),
        {"highway": "motorway", "ref": "A 7", "oneway": "yes", "maxspeed": "120"},
    ),
    (
        ((-400, -1000), (1000, -1000), (3000, -1000)),
        {"highway": "motorway", "ref": "A 7", "oneway": "yes", "maxspeed": "120"},
    ),
    (
        ((-400, -1000), (-100, -1040), (0, -1100)),
        {"highway": "motorway_link", "oneway": "yes", "destination": "Town", "junction:ref": "12"},
    ),
    (
        ((0, -1100), (0, -600), (0, -200)),
        {"highway": "secondary", "name": "South Road"},
    ),
    (
        ((0, -1100), (600, -1100), (1000, -1000)),
        {"highway": "motorway_link", "oneway": "yes", "destination": "Far City"},
    ),
    (((-3000, -1000), (-2000, -1000)), {"highway": "motorway", "ref": "A 7", "oneway": "yes", "maxspeed": "120"}),
    (((3000, -1000), (3000, -400), (3200, 0)), {"highway": "secondary", "name": "Far Street"}),
    (((-3000, -1000), (-3000, -200), (-2600, 0), (-600, 0)), {"highway": "secondary", "name": "Far West Street"}),
    (((0, -3000), (200, -3000), (400, -3000)), STREET | {"name": "Lonely Lane"}),
)

EXIT_NODE: Place = (-400, -1000)

BORDER_WAYS: tuple[Way, ...] = (
    (
        ((-1000, 0), (-150, 0), (0, 0), (150, 0), (1000, 0)),
        {"highway": "primary", "name": "Straight Road", "maxspeed": "80"},
    ),
    (
        ((-1000, 0), (-1000, 900), (1000, 900), (1000, 0)),
        {"highway": "tertiary", "name": "Long Road", "maxspeed": "50"},
    ),
    (((0, 0), (0, -200)), STREET | {"name": "Foreign Lane"}),
    (
        ((-200, -300), (200, -300), (200, 300), (-200, 300), (-200, -300)),
        {"boundary": "administrative", "admin_level": "2", "name": "A Country of Its Own"},
    ),
)
"""A straight road through a small foreign country, and a long one around it."""


def write_border(folder: Path) -> Path:
    """Write the roads through and around a small country into a folder and return the file."""
    return _write(BORDER_WAYS, folder / "border.osm")


def write_town(folder: Path) -> Path:
    """Write the town's XML into a folder and return the file."""
    return _write(WAYS, folder / "town.osm")


def write_road(folder: Path, start: int, end: int, every: int) -> Path:
    """Write one straight road between two distances in metres east of the centre into a folder and return the file."""
    pieces = tuple(
        (((x, 0), (x + every, 0)), {"highway": "secondary", "name": "Long Road"}) for x in range(start, end, every)
    )
    return _write(pieces, folder / "road.osm")


def _write(ways: tuple[Way, ...], file: Path) -> Path:
    root = ElementTree.Element("osm", version="0.6", generator="fencewright-tests")
    numbers: dict[Place, int] = {}
    for way, _ in ways:
        for place in way:
            numbers.setdefault((float(place[0]), float(place[1])), len(numbers) + 1)
    for place, number in numbers.items():
        _add_node(root, number, place)
    for number, (way, tags) in enumerate(ways, 1):
        element = ElementTree.SubElement(root, "way", id=str(number), version="1")
        for east, north in way:
            ElementTree.SubElement(element, "nd", ref=str(numbers[float(east), float(north)]))
        _add_tags(element, tags)
    ElementTree.ElementTree(root).write(file, encoding="utf-8", xml_declaration=True)
    return file


def _add_node(root: ElementTree.Element, number: int, place: Place) -> None:
    point = at(*place)
    node = ElementTree.SubElement(
        root, "node", id=str(number), version="1", lat=f"{point.latitude:.7f}", lon=f"{point.longitude:.7f}"
    )
    if place == EXIT_NODE:
        _add_tags(node, {"highway": "motorway_junction", "ref": "12"})


def _add_tags(element: ElementTree.Element, tags: dict[str, str]) -> None:
    for key, value in tags.items():
        ElementTree.SubElement(element, "tag", k=key, v=value)
