"""Liechtenstein: three towns along one road, with a river and a mountain."""

from tests.drawn.drawing import Drawing, Place

NORTH = {"city": "Schaan", "code": "9494"}
NAMES = {
    "name:de": "Liechtenstein",
    "name:en": "Liechtenstein",
    "name:ja": "リヒテンシュタイン",
    "name:ru": "Лихтенштейн",
}
SHOPS = ("Seeger", "Sonne", "Schlosserei Sele", "Stadtcafé", "Spar", "Sanitas", "Schreiber", "Sportplatz", "Salon Eva")


def draw_liechtenstein() -> Drawing:
    """Return the country. Its origin is the junction of Äulestrasse and Städtle in Vaduz."""
    drawn = Drawing(9.5210, 47.1410, "Vaduz", "9490", {"addr:country": "LI"})
    _draw_divisions(drawn)
    _draw_vaduz(drawn)
    _draw_schaan(drawn)
    _draw_the_rest(drawn)
    return drawn


def _draw_divisions(drawn: Drawing) -> None:
    drawn.boundary((1_500, 1_800), 7_000, 2, "Liechtenstein", **NAMES, **{"ISO3166-1": "LI"})
    drawn.boundary((0, -1_000), 4_000, 6, "Oberland")
    for name, middle in (("Vaduz", (0, 0)), ("Schaan", (-900, 2_800)), ("Triesenberg", (1_900, -2_700))):
        drawn.boundary(middle, 1_300, 8, name)
        drawn.point(middle, place="town" if name == "Vaduz" else "village", name=name, population="5000")
    drawn.point((900, 6_000), place="village", name="Ruggell")
    drawn.point((-1_700, -8_000), place="village", name="Balzers")
    drawn.point((300, 500), place="suburb", name="Ebenholz")


def _draw_vaduz(drawn: Drawing) -> None:
    drawn.street("Landstrasse", (-400, -8_600), (-400, 3_400), "11 12 14", highway="primary", maxspeed="60")
    drawn.street("Äulestrasse", (0, -600), (0, 600), "2 5 12 14 18 20 30 38 45 51 56 60 70", highway="secondary")
    drawn.street("Städtle", (0, 0), (400, 0), "3 9 14 22 32 37 44", highway="pedestrian", motor_vehicle="yes")
    drawn.street("Zollstrasse", (-400, 0), (0, 0), "2 13 16", highway="secondary")
    drawn.street("Mühleweg", (0, 300), (300, 300), "20 24 26 26a 28")
    drawn.street("Kirchstrasse", (0, -300), (300, -300), "6 10 13 79")
    drawn.street("Schlossweg", (300, -300), (300, 600), "1 3")
    drawn.street("Sonnblickstrasse", (-400, 500), (300, 500), "1 3 5 7")
    drawn.area(drawn.place_of(9.5221, 47.1395), 15, tourism="museum", building="yes", name="Landesmuseum")
    stops = [(east, north) for east in (-12.0, 12.0) for north in (-500.0, -100.0, 100.0, 500.0)]
    drawn.points(stops, ["Post", "Au", "Hof", "Spania", "Quader", "Adler", "Rathaus", "Mühle"], highway="bus_stop")
    around: list[Place] = [(60.0 + 30 * index, 40) for index in range(len(SHOPS))]
    drawn.points(around, SHOPS, amenity="restaurant")


def _draw_schaan(drawn: Drawing) -> None:
    drawn.street("Landstrasse", (-1_400, 2_700), (-400, 2_700), "2 4 5 7 9 19", **NORTH, highway="primary")
    drawn.street("Torkelgass", (-900, 2_400), (-900, 3_200), "5 9 11 13 15", **NORTH)
    drawn.street("Saxgass", (-1_200, 2_400), (-1_200, 3_200), "30 34 38 40", **NORTH)
    drawn.street("Steckergass", (-1_400, 3_200), (-400, 3_200), "1 3 5", **NORTH)
    drawn.street("Bahnhofstrasse", (-1_400, 2_400), (-400, 2_400), "2 4 6", **NORTH)


def _draw_the_rest(drawn: Drawing) -> None:
    drawn.street("Kirchstrasse", (600, 6_000), (1_200, 6_000), "9 13 20", city="Ruggell", code="9491")
    drawn.street("Landstrasse", (900, 3_400), (900, 6_200), "20 40 60", city="Ruggell", code="9491")
    drawn.street("Landstrasse", (-400, 3_400), (900, 3_400), **NORTH)
    drawn.street("Rietstrasse", (-1_900, -8_340), (-400, -8_340), city="Balzers", code="9496")
    drawn.street("Egga", (-1_900, -8_000), (-400, -8_000), "1 5 9", city="Balzers", code="9496")
    drawn.street("Rotenbodenstrasse", (-400, -2_700), (2_200, -2_700), "10 20 30", city="Triesenberg", code="9497")
    drawn.line((-2_200, -9_000), (-2_200, 9_000), waterway="river", name="Rhein", **{"name:en": "Rhine"})
    drawn.line((2_400, -3_500), (2_400, -2_000), waterway="river", name="Samina")
    drawn.point((5_000, -4_500), natural="peak", name="Naafkopf", ele="2570")
