"""Kinds of addresses that are wrong, or written differently: ``python -m tests.benchmarks.geocoding_kinds [--misses]``.

Builds the gazetteers of extracts of Vancouver, Yuma and Queens, and for abbreviations those of four other countries,
and searches them together with the world pack. Each line says how many answers are right, how many claim to be `exact`
although they or the query are wrong, and how many are far from the address. With ``--queries FILE`` it asks the queries
of a table instead.
"""

import argparse
import csv
import random
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import osmium
from osmium.filter import KeyFilter

from engine.domain.addresses.address import Address, ForwardQuery, Layer, MatchConfidence, ReverseQuery
from engine.domain.addresses.validation import AddressQuery
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.geocoding import WORLD
from engine.geocoding.validation.validator import AddressValidator
from engine.geocoding.world import World
from tests.engine.areas.gazetteers import build
from tests.osm_addresses import (
    NEAR_M,
    RealAddress,
    Sample,
    Surroundings,
    abbreviated,
    as_written,
    read_addresses,
    read_surroundings,
    slip,
    with_typo,
)
from tests.shared import SharedData

SEED: Final = 5
FAR_M: Final = 50_000.0
EXTRACTS: Final = ("vancouver", "yuma", "queens")
ABBREVIATED: Final = ("monaco", "porto", "heidelberg", "andorra")
_CODES: Final = {"vancouver": "CA", "yuma": "US", "queens": "US"}
_STATES: Final = {"vancouver": "BC", "yuma": "AZ", "queens": "NY"}
_POSTAL_CODE: Final = r"\d{5}|[A-Z]\d[A-Z] \d[A-Z]\d"
_POSTAL_CITIES: Final = {
    "11364": "Oakland Gardens",
    "11411": "Cambria Heights",
    "11412": "Saint Albans",
    "11423": "Hollis",
    "11426": "Bellerose",
    "11427": "Queens Village",
    "11428": "Queens Village",
    "11429": "Queens Village",
}
"""Cities by which the US Postal Service calls ZIP codes in Queens, as most houses have no city in their tags."""

_WRONG_STATES: Final = {
    "vancouver": ("ON", "AB", "Ontario", "NS"),
    "yuma": ("DE", "IN", "LA", "Nevada"),
    "queens": ("DE", "IN", "LA", "New Jersey"),
}
_CITIES: Final = {
    "vancouver": ("Vancouver", "Burnaby", "Richmond", "North Vancouver"),
    "yuma": ("Yuma", "Somerton", "Winterhaven", "San Luis"),
    "queens": ("Jamaica", "Flushing", "Valley Stream", "Floral Park"),
}
_SHORT: Final = {
    "monaco": {
        "Avenue": "Av.",
        "Boulevard": "Bd",
        "Rue": "R.",
        "Place": "Pl.",
        "Chemin": "Che",
        "Impasse": "Imp.",
        "Route": "Rte",
        "Montée": "Mte",
        "Allée": "All.",
        "Escalier": "Esc.",
        "Ruelle": "Rle",
        "Passage": "Pas.",
        "Saint": "St",
        "Sainte": "Ste",
        "Général": "Gal",
    },
    "porto": {
        "Rua": "R.",
        "Avenida": "Av.",
        "Travessa": "Tv.",
        "Largo": "Lg.",
        "Praça": "Pç.",
        "Doutor": "Dr.",
        "Coronel": "Cel.",
        "General": "Gen.",
        "Santo": "Sto.",
        "Santa": "Sta.",
        "Alameda": "Al.",
        "Engenheiro": "Eng.",
        "Professor": "Prof.",
        "Dom": "D.",
        "Estrada": "Estr.",
        "Campo": "Cp.",
    },
    "heidelberg": {"Straße": "Str.", "Platz": "Pl.", "Sankt": "St."},
    "andorra": {
        "Carrer": "C/",
        "Avinguda": "Av.",
        "Plaça": "Pl.",
        "Carretera": "Ctra.",
        "Passatge": "Ptge.",
        "Passeig": "Pg.",
        "Camí": "Cmí.",
        "Sant": "St.",
    },
}

type Judge = Callable[[tuple[Address, ...]], bool]
type Query = tuple[str, bool, RealAddress]
"""A text, whether it is untrue, and the address that it means."""


@dataclass
class Count:
    """The answers to one kind of query."""

    queries: int = 0
    right: int = 0
    exact: int = 0
    wrongly_exact: int = 0
    far: int = 0

    def __str__(self) -> str:
        share = f"{self.right / self.queries:.1%}" if self.queries else "–"
        return f"{self.queries:,} | {share} | {self.exact:,} | {self.wrongly_exact:,} | {self.far:,}"


class Trial:
    """Counts the answers of a geocoder by kind."""

    def __init__(self, geocoder: EmbeddedGeocoder, *, shows_misses: bool) -> None:
        self.geocoder = geocoder
        self.shows_misses = shows_misses
        self.counts: dict[str, Count] = {}

    def ask(self, kind: str, text: str, is_right: Judge, *, untrue: bool = False, at: Point | None = None) -> None:
        """Search for a text and count the first result; a result far from `at` is counted as such."""
        found = self.geocoder.forward(ForwardQuery(text=text))
        count = self.counts.setdefault(kind, Count())
        right, exact = is_right(found), bool(found) and found[0].confidence is MatchConfidence.EXACT
        claims = exact and (untrue or not right)
        count.queries += 1
        count.right += right
        count.exact += exact
        count.wrongly_exact += claims
        count.far += bool(found and at) and not right and _is_far(found[0], at)
        if self.shows_misses and (claims or not right):
            result = f"{found[0].formatted} ({found[0].confidence})" if found else "nothing"
            print(f"{kind}: {text!r} gives {result}")

    def count(self, kind: str, *, right: bool, claims: bool, miss: str) -> None:
        """Count an answer that was judged elsewhere."""
        count = self.counts.setdefault(kind, Count())
        count.queries += 1
        count.right += right
        count.exact += claims
        count.wrongly_exact += claims and not right
        if self.shows_misses and not right:
            print(f"{kind}: {miss}")


def _is_far(found: Address, at: Point | None) -> bool:
    if at is None:
        return False
    there = RealAddress("", "", "", None, None, at.longitude, at.latitude)
    return there.distance_m(found.point.longitude, found.point.latitude) > FAR_M


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many addresses of each extract are drawn")
    parser.add_argument("--misses", action="store_true", help="show what was answered wrongly")
    parser.add_argument("--queries", type=Path, help="a table of queries to ask instead")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed draws other addresses")
    parser.add_argument("--built", type=Path, help="a folder to keep the gazetteers in")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.built or Path(temporary)
        counts = _ask_table(folder, options) if options.queries else _ask_kinds(folder, options)
    print("| kind | queries | right | exact | wrongly exact | far away |\n|---|---:|---:|---:|---:|---:|")
    for kind, count in counts.items():
        print(f"| {kind} | {count} |")


def _world() -> Path | None:
    file = WORLD / "world.sqlite"
    return file if file.is_file() else None


def _built(name: str, folder: Path) -> Path:
    file = folder / name / "gazetteer.sqlite"
    return file if file.is_file() else build(SharedData().extract(name), folder / name, _world())


def _ask_table(folder: Path, options: argparse.Namespace) -> dict[str, Count]:
    """Ask the queries of a table with the columns area, kind, query, latitude, longitude and wanted."""
    trial = Trial(EmbeddedGeocoder([_built(name, folder) for name in EXTRACTS], _world()), shows_misses=options.misses)
    addresses = {name: Sample(read_addresses(SharedData().extract(name)), 10**9, 1).drawn for name in EXTRACTS}
    with options.queries.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            place = Point(float(row["longitude"]), float(row["latitude"]))
            house = _nearest(addresses[row["area"]], place)
            untrue = "not exact" in row["wanted"]
            for kind in (row["kind"], "all"):
                trial.ask(kind, row["query"], _is_at(house, place), untrue=untrue, at=place)
    trial.counts["all"] = trial.counts.pop("all")
    trial.geocoder.close()
    return trial.counts


def _nearest(addresses: list[RealAddress], at: Point) -> RealAddress:
    return min(addresses, key=lambda each: (each.longitude - at.longitude) ** 2 + (each.latitude - at.latitude) ** 2)


def _is_at(house: RealAddress, place: Point) -> Judge:
    near_m = max(NEAR_M, house.reach_m)
    at = replace(house, longitude=place.longitude, latitude=place.latitude)
    return lambda found: bool(found) and at.distance_m(found[0].point.longitude, found[0].point.latitude) <= near_m


def _ask_kinds(folder: Path, options: argparse.Namespace) -> dict[str, Count]:
    files = [_built(name, folder) for name in (*EXTRACTS, *ABBREVIATED)]
    trial = Trial(EmbeddedGeocoder(files, _world()), shows_misses=options.misses)
    for name in EXTRACTS:
        sample = Sample(list(_addresses(name)), options.count, options.seed)
        _ask_forward(trial, name, sample, random.Random(options.seed))
        _ask_reverse(trial, name, sample)
        _ask_roads(trial, name)
    _ask_abbreviated(trial, options)
    _ask_places(trial)
    _validate(trial, files, options)
    trial.geocoder.close()
    return dict(sorted(trial.counts.items()))


def _addresses(name: str) -> Iterator[RealAddress]:
    """Yield an extract's addresses whose city and postal code are tagged as usual, and in its state."""
    for each in read_addresses(SharedData().extract(name)):
        code = each.postal_code if re.fullmatch(_POSTAL_CODE, each.postal_code or "") else None
        city = each.city or _POSTAL_CITIES.get(code or "")
        if city and city.istitle() and "," not in city and city != "Winterhaven":
            yield replace(each, city=city, postal_code=code)


def _ask_forward(trial: Trial, name: str, sample: Sample, source: random.Random) -> None:
    around = read_surroundings(SharedData().extract(name))
    for address in sample.drawn:
        for kind, (text, untrue, means) in _kinds(address, around, source):

            def is_right(found: tuple[Address, ...], means: RealAddress = means) -> bool:
                return bool(found) and sample.is_there(means, found[0].point.longitude, found[0].point.latitude)

            at = Point(address.longitude, address.latitude)
            trial.ask(f"{kind}: {name}", text, is_right, untrue=untrue, at=at)


def _kinds(address: RealAddress, around: Surroundings, source: random.Random) -> Iterator[tuple[str, Query]]:
    """Yield the kinds of texts for an address."""
    bare = replace(address, city=None, postal_code=None)
    yield "as written", (as_written(address), False, address)
    yield "abbreviated", (as_written(replace(address, street=abbreviated(address.street))), False, address)
    yield "1 wrong state", (_in_state(address, source.choice(_WRONG_STATES[address.extract])), True, address)
    yield "1 wrong country", (f"{as_written(address)}, {source.choice(('France', 'Germany', 'India'))}", True, address)
    others = [city for city in _CITIES[address.extract] if city != address.city]
    if address.city in _CITIES[address.extract]:
        wrong = replace(address, city=source.choice(others), postal_code=None)
        yield "4 wrong city", (as_written(wrong), True, address)
    if address.extract == "queens" and address.city:
        yield "4 in Queens", (f"{_line(address)}, Queens, NY {address.postal_code or ''}".rstrip(), False, address)
    yield "5 typo", (with_typo(address, source), False, address)
    yield "5 typo in a short word", (as_written(_short_slip(address, source)), False, address)
    yield "5 the same, only the street", (as_written(_short_slip(bare, source)), False, bare)
    yield "5 typo, only the street", (with_typo(bare, source), False, bare)
    yield from _units(address, bare)
    near = sorted(around.suburbs, key=lambda each: address.distance_m(each.longitude, each.latitude))[:1]
    if near and near[0].name != address.city and address.distance_m(near[0].longitude, near[0].latitude) < 2_000:
        means = replace(address, city=None)
        suburb = replace(address, city=near[0].name, postal_code=None)
        yield "7 neighbourhood for the city", (as_written(suburb), False, means)
        slipped = replace(suburb, city=slip(near[0].name, source))
        yield "7 neighbourhood with a typo", (as_written(slipped), False, means)


def _short_slip(address: RealAddress, source: random.Random) -> RealAddress:
    """Return an address with a typing error in the shortest word of its street's name that has three letters."""
    words = address.street.split(" ")
    names = [index for index, word in enumerate(words[:-1]) if len(word) >= 3 and word.isalpha()]
    at = min(names, key=lambda index: len(words[index]), default=0)
    words[at] = slip(words[at], source)
    return replace(address, street=" ".join(words))


def _line(address: RealAddress) -> str:
    return f"{address.number} {address.street}"


def _in_state(address: RealAddress, state: str) -> str:
    end = f", {state} {address.postal_code or ''}".rstrip()
    return f"{_line(address)}, {address.city}{end}" if address.city else f"{_line(address)}{end}"


def _units(address: RealAddress, bare: RealAddress) -> Iterator[tuple[str, Query]]:
    if address.extract == "queens":
        if "-" in address.number:
            for kind, joint in (("without hyphen", ""), ("with a space", " ")):
                text = as_written(replace(address, number=address.number.replace("-", joint)))
                yield f"7 number {kind}", (text, False, address)
        return
    if not address.number.isdigit():
        return
    forms = ("5-{}", "5/{}", "#5-{}", "{}-5") if address.extract == "vancouver" else ("{}-5", "{} #5", "{} Unit 5")
    for form in forms:
        text = as_written(replace(address, number=form.format(address.number)))
        yield f"7 unit {form.format('332')}", (text, False, address)


def _ask_reverse(trial: Trial, name: str, sample: Sample) -> None:
    for address in sample.drawn:
        found = trial.geocoder.reverse(ReverseQuery(point=Point(address.longitude, address.latitude)))
        city = found[0].city if found else None
        right = city == address.city or (name == "queens" and city in ("New York", "Queens"))
        miss = f"{_line(address)}, {address.city} is in {city}"
        trial.count(f"4 city by reverse geocoding: {name}", right=right, claims=False, miss=miss)


def _ask_roads(trial: Trial, name: str) -> None:
    """Ask for the numbers of roads; every result must be within the extract."""
    for number, places in _road_numbers(SharedData().extract(name)).items():
        at = places[0]

        def is_right(found: tuple[Address, ...], places: list[Point] = places) -> bool:
            return bool(found) and any(not _is_beyond(found[0].point, each, 3_000.0) for each in places)

        for text in {number, number.replace(" ", "-")}:
            trial.ask(f"5 road number: {name}", text, is_right, at=at)


def _is_beyond(one: Point, other: Point, metres: float) -> bool:
    there = RealAddress("", "", "", None, None, one.longitude, one.latitude)
    return there.distance_m(other.longitude, other.latitude) > metres


def _road_numbers(file: Path) -> dict[str, list[Point]]:
    found: dict[str, list[Point]] = {}
    for element in osmium.FileProcessor(file).with_locations().with_filter(KeyFilter("ref")):
        if not isinstance(element, osmium.osm.Way) or "highway" not in element.tags:
            continue
        places = [node.location for node in element.nodes if node.location.valid()]
        for ref in element.tags["ref"].split(";"):
            if places and re.fullmatch(r"[A-Z]{1,3}[ -]?\d+[A-Z]?", ref.strip()):
                found.setdefault(ref.strip(), []).append(Point(places[0].lon, places[0].lat))
    return found


def _ask_abbreviated(trial: Trial, options: argparse.Namespace) -> None:
    for name in ABBREVIATED:
        sample = Sample(read_addresses(SharedData().extract(name)), 10 * options.count, options.seed)
        changed = ((each, _abbreviate(each)) for each in sample.drawn)
        for address, text in [(each, text) for each, text in changed if text != as_written(each)][: options.count]:

            def is_right(found: tuple[Address, ...], address: RealAddress = address, sample: Sample = sample) -> bool:
                return bool(found) and sample.is_there(address, found[0].point.longitude, found[0].point.latitude)

            at = Point(address.longitude, address.latitude)
            trial.ask(f"8 abbreviated: {name}", text, is_right, at=at)


def _abbreviate(address: RealAddress) -> str:
    short = _SHORT[address.extract]
    words = [short.get(word, word) for word in address.street.split(" ")]
    return as_written(replace(address, street=re.sub(r"(?<=\w)straße\b", "str.", " ".join(words))))


def _ask_places(trial: Trial) -> None:
    """Ask for cities and states of the world pack with their titles, and for names of several places."""
    world = trial.geocoder.world
    if world is None:
        return
    for name, latitude, longitude in _largest(world, "locality", 60):
        at = Point(longitude, latitude)
        for text in (name, f"City of {name}"):
            trial.ask("3 city" if text == name else "3 City of X", text, _is_place(name, at), at=at)
    for name, latitude, longitude in _largest(world, "state", 50):
        for form in ("{}", "{} State", "State of {}"):
            text = form.format(name)
            trial.ask(f"3 {form.format('X')}, a state", text, _is_state(name), at=Point(longitude, latitude))
    cases = (
        ("New York", Layer.LOCALITY, -74.0, 40.7),
        ("Washington", Layer.LOCALITY, -77.0, 38.9),
        ("Athens", Layer.LOCALITY, 23.7, 38.0),
        ("Paris", Layer.LOCALITY, 2.35, 48.86),
        ("Naples", Layer.LOCALITY, 14.25, 40.85),
        ("Birmingham", Layer.LOCALITY, -1.9, 52.5),
    )
    for text, layer, longitude, latitude in cases:
        at = Point(longitude, latitude)
        trial.ask("6 names of several places", text, _is_layer(layer, at), at=at)


def _largest(world: Gazetteer, layer: str, count: int) -> Iterable[tuple[str, float, float]]:
    sql = (
        "SELECT d.name, d.latitude, d.longitude FROM divisions d JOIN contexts c ON c.id = d.context"
        f" WHERE d.layer = '{layer}' AND c.country_code = 'US' ORDER BY d.population DESC LIMIT {count}"
    )
    return [(str(name), float(latitude), float(longitude)) for name, latitude, longitude in world.rows(sql)]


def _is_place(name: str, at: Point) -> Judge:
    return lambda found: bool(found) and name in (found[0].label or "") and not _is_beyond(found[0].point, at, FAR_M)


def _is_state(name: str) -> Judge:
    return lambda found: bool(found) and found[0].layer is Layer.STATE and found[0].state == name


def _is_layer(layer: Layer, at: Point) -> Judge:
    return lambda found: bool(found) and found[0].layer is layer and not _is_beyond(found[0].point, at, FAR_M)


def _validate(trial: Trial, files: list[Path], options: argparse.Namespace) -> None:
    """Validate houses as tagged: the street must not become another one."""
    world = trial.geocoder.world
    validator = AddressValidator(None if world is None else World(world), [Gazetteer(file) for file in files])
    for name in EXTRACTS:
        sample = Sample(list(_addresses(name)), 2 * options.count, options.seed)
        for address in sample.drawn:
            if address.city is None or address.postal_code is None:
                continue
            query = AddressQuery(
                label=_line(address),
                city=address.city,
                state_code=_STATES[name],
                postal_code=address.postal_code,
                country_code=_CODES[name],
            )
            street = validator.validate(query).address.street
            same = street is None or _plain(street) == _plain(address.street)
            miss = f"{_line(address)} is {street}"
            trial.count(f"2 street kept by validation: {name}", right=same, claims=not same, miss=miss)


def _plain(street: str) -> str:
    """Return a street in lower case without abbreviations and spaces."""
    return abbreviated(street.title()).replace(" ", "").casefold()


if __name__ == "__main__":
    main()
