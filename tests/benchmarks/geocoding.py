"""Success rate and speed of geocoding: ``python -m tests.benchmarks.geocoding [--synthetic 1000000]``.

Builds the gazetteers of State College, lower Manhattan and Liechtenstein in a temporary folder, and searches all three
and the world pack for addresses that are read from the extracts independently. With ``--synthetic`` it searches a
gazetteer of that many synthetic addresses instead. With ``--slips`` it searches for addresses of seven extracts that
are partly wrong, or contain additional text. With ``--copies`` it types addresses in a large area made of that many
copies of Liechtenstein.
"""

import argparse
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time

from engine.domain.addresses.address import (
    Address,
    AutocompleteQuery,
    ForwardQuery,
    Layer,
    MatchConfidence,
    ReverseQuery,
)
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.gazetteer.writer import Context, Division, GazetteerWriter, House, Street
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.geocoding import WORLD
from tests.copied_addresses import Copied, write_copies
from tests.engine.areas.gazetteers import build
from tests.osm_addresses import (
    EXTRACTS,
    NEAR_M,
    SLIPPED,
    RealAddress,
    Sample,
    Slip,
    as_written,
    is_itself,
    read_addresses,
    read_surroundings,
    slip,
    slips,
    variants,
    with_typo,
)
from tests.shared import SharedData

SEED = 5
TYPED = 100
"""Number of addresses that are typed letter by letter."""

type Ask[T] = Callable[[T], bool]


@dataclass
class Line:
    """One line of the table: wall and processor time in milliseconds, and the success rate."""

    name: str
    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    hits: int = 0
    queries: int = 0
    claims: int = 0
    """Results that claim to be `exact` although they, or the query, are wrong."""

    def measure[T](
        self,
        items: Iterable[T],
        ask: Callable[[T], tuple[Address, ...]],
        is_right: Callable[..., bool],
        is_untrue: Callable[[T], bool] = lambda _: False,
    ) -> None:
        """Query each item once, so that only data cached for the whole run is warm."""
        for item in items:
            used, begun = process_time(), perf_counter()
            found = ask(item)
            self.wall.append((perf_counter() - begun) * 1e3)
            self.processor.append((process_time() - used) * 1e3)
            self.queries += 1
            right = is_right(item, found)
            self.hits += right
            claims_exact = bool(found) and found[0].confidence is MatchConfidence.EXACT
            self.claims += claims_exact and (is_untrue(item) or not right)

    def __str__(self) -> str:
        figures = (
            median(self.wall),
            _p95(self.wall),
            median(self.processor),
            _p95(self.processor),
        )
        share = f"{self.hits / self.queries:.1%}" if self.hits else "–"
        share = f"{share} | {self.claims / self.queries:.1%}"
        return f"| {self.name} | {self.queries:,} | {share} | " + " | ".join(f"{value:.2f}" for value in figures) + " |"


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


HEAD = """| what | asked | found | wrongly exact | p50 ms | p95 ms | processor p50 | processor p95 |
|---|---:|---:|---:|---:|---:|---:|---:|"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500, help="how many addresses are drawn")
    parser.add_argument("--synthetic", type=int, default=0, help="how many made-up addresses to look among")
    parser.add_argument("--slips", action="store_true", help="look for addresses that are partly wrong")
    parser.add_argument("--each", action="store_true", help="with --slips: lines for each extract")
    parser.add_argument("--misses", action="store_true", help="with --slips: show what was answered wrongly")
    parser.add_argument("--copies", type=int, default=0, help="how many copies of Liechtenstein to type addresses in")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed draws other addresses")
    parser.add_argument("--built", type=Path, help="a folder to keep the gazetteers in")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.built or Path(temporary)
        if options.slips:
            lines = _slips(folder, options)
        elif options.copies:
            lines = _copies(folder, options)
        else:
            lines = _synthetic(folder, options) if options.synthetic else _real(folder, options)
        print(HEAD)
        for line in lines:
            print(line, flush=True)


def _world() -> Path | None:
    file = WORLD / "world.sqlite"
    return file if file.is_file() else None


def _built(name: str, folder: Path) -> Path:
    file = folder / name / "gazetteer.sqlite"
    return file if file.is_file() else build(SharedData().extract(name), folder / name, _world())


def _real(folder: Path, options: argparse.Namespace) -> Iterator[Line]:
    files = [_built(name, folder) for name in EXTRACTS]
    sample = Sample(
        [each for name in EXTRACTS for each in read_addresses(SharedData().extract(name))], options.count, options.seed
    )
    geocoder = EmbeddedGeocoder(files, _world())
    source = random.Random(options.seed)
    written = [(each, as_written(each)) for each in sample.drawn]
    _warm_up(geocoder, [text for _, text in written[:20]])
    yield _forward("forward, as written", geocoder, sample, written)
    others: dict[str, list[tuple[RealAddress, str]]] = {}
    for each in sample.drawn:
        for kind, text in variants(each):
            others.setdefault(kind, []).append((each, text))
    for kind, queries in others.items():
        yield _forward(f"forward, {kind}", geocoder, sample, queries)
    yield _forward("forward, one typo", geocoder, sample, [(each, with_typo(each, source)) for each in sample.drawn])
    yield _another_city(geocoder, sample.drawn)
    if geocoder.world is not None:
        yield _small_towns(geocoder, geocoder.world, sample.drawn, source)
    yield _reverse(geocoder, sample.drawn)
    yield from _autocomplete(geocoder, sample)
    geocoder.close()


def _warm_up(geocoder: EmbeddedGeocoder, texts: Sequence[str]) -> None:
    for text in texts:
        geocoder.forward(ForwardQuery(text=text))
        geocoder.autocomplete(AutocompleteQuery(text=text[:6]))


def _forward(name: str, geocoder: EmbeddedGeocoder, sample: Sample, queries: list[tuple[RealAddress, str]]) -> Line:
    line = Line(name)
    line.measure(
        queries,
        lambda pair: geocoder.forward(ForwardQuery(text=pair[1])),
        lambda pair, found: bool(found) and sample.is_there(pair[0], found[0].point.longitude, found[0].point.latitude),
    )
    return line


def _another_city(geocoder: EmbeddedGeocoder, addresses: Sequence[RealAddress]) -> Line:
    """Search for the addresses in a city without an area; the correct result is the city."""
    line = Line("forward, in another city")
    line.measure(
        [as_written(each).split(",")[0] + ", Springfield, IL" for each in addresses],
        lambda text: geocoder.forward(ForwardQuery(text=text)),
        lambda _, found: bool(found) and found[0].formatted == "Springfield, IL US",
    )
    return line


def _small_towns(
    geocoder: EmbeddedGeocoder, world: Gazetteer, addresses: Sequence[RealAddress], source: random.Random
) -> Line:
    """Search for the streets in towns of some thousand people without an area; the town or no result is correct."""
    line = Line("forward, in a small town")
    sql = (
        "SELECT DISTINCT d.name FROM divisions d JOIN contexts c ON c.id = d.context WHERE d.layer = 'locality'"
        " AND c.country_code = 'FR' AND d.population BETWEEN 1000 AND 9000 ORDER BY d.name"
    )
    towns = [name for (name,) in world.rows(sql) if name.isalpha()]
    line.measure(
        [(each, source.choice(towns)) for each in addresses],
        lambda pair: geocoder.forward(ForwardQuery(text=f"{pair[0].street} {pair[1]}")),
        lambda pair, found: not found or (found[0].layer is Layer.LOCALITY and found[0].label == pair[1]),
    )
    return line


def _reverse(geocoder: EmbeddedGeocoder, addresses: Sequence[RealAddress]) -> Line:
    line = Line("reverse")
    line.measure(
        addresses,
        lambda each: geocoder.reverse(ReverseQuery(point=Point(each.longitude, each.latitude))),
        lambda each, found: bool(found) and is_itself(each, found[0].number, found[0].street),
    )
    return line


def _autocomplete(geocoder: EmbeddedGeocoder, sample: Sample) -> Iterator[Line]:
    """Type addresses letter by letter within a kilometre of them; the last letter must lead to them."""
    every, last = Line("autocomplete, each letter"), Line("autocomplete, the whole line")
    for each in sample.drawn[:TYPED]:
        text = as_written(each).split(",")[0]
        near = Point(each.longitude + 0.008, each.latitude)
        begun = [text[:length] for length in range(1, len(text)) if text[:length].strip()]
        for line, texts in ((every, begun), (last, [text])):
            line.measure(
                texts,
                lambda typed, near=near: geocoder.autocomplete(AutocompleteQuery(text=typed.strip(), near=near)),  # type: ignore[misc]
                lambda _, found, each=each, line=line: line is last and _is_among(sample, each, found),
            )
    yield every
    yield last


def _is_among(sample: Sample, address: RealAddress, found: tuple[Address, ...]) -> bool:
    return any(sample.is_there(address, each.point.longitude, each.point.latitude, NEAR_M) for each in found)


# Addresses that are partly wrong


def _slips(folder: Path, options: argparse.Namespace) -> Iterator[Line]:
    """Search all extracts together for the same number of addresses of each; yield a line for each kind of slip."""
    geocoder = EmbeddedGeocoder([_built(name, folder) for name in SLIPPED], _world())
    lines: dict[str, Line] = {}
    for name in SLIPPED:
        file = SharedData().extract(name)
        sample = Sample(read_addresses(file), options.count // len(SLIPPED), options.seed)
        _warm_up(geocoder, [as_written(each) for each in sample.drawn[:5]])
        around, source = read_surroundings(file), random.Random(options.seed)
        for address in sample.drawn:
            for slipped in slips(address, around, source):
                kind = f"{name}: {slipped.kind}" if options.each else slipped.kind
                _ask_slipped(geocoder, lines.setdefault(kind, Line(kind)), sample, slipped, options.misses)
    geocoder.close()
    yield from lines.values()


def _ask_slipped(geocoder: EmbeddedGeocoder, line: Line, sample: Sample, slipped: Slip, shows_misses: bool) -> None:
    def is_right(_: Slip, found: tuple[Address, ...]) -> bool:
        right = bool(found) and sample.is_there(slipped.means, found[0].point.longitude, found[0].point.latitude)
        claims = bool(found) and found[0].confidence is MatchConfidence.EXACT and (slipped.is_untrue or not right)
        if shows_misses and (claims or not right):
            result = f"{found[0].formatted} ({found[0].confidence})" if found else "nothing"
            print(f"{line.name}: {slipped.text!r} gives {result}")
        return right

    line.measure(
        [slipped], lambda each: geocoder.forward(ForwardQuery(text=each.text)), is_right, lambda each: each.is_untrue
    )


# A large area


def _copies(folder: Path, options: argparse.Namespace) -> Iterator[Line]:
    """Type streets with numbers half a kilometre from them, in an area whose copies have the same streets."""
    file = folder / f"copies-{options.copies}.sqlite"
    file.unlink(missing_ok=True)
    copied = list(write_copies(file, read_addresses(SharedData().extract("liechtenstein")), options.copies, "DE"))
    print(f"{len(copied):,} addresses: {file.stat().st_size / 1e6:.0f} MB\n")
    drawn = random.Random(options.seed).sample(copied, options.count)
    geocoder = EmbeddedGeocoder([file], _world())
    _warm_up(geocoder, [each.street for each in drawn[:20]])
    rows: dict[str, Callable[[Copied], str]] = {
        "autocomplete, street and number": lambda each: f"{each.street} {each.number}",
        "autocomplete, number and street": lambda each: f"{each.number} {each.street}",
        "autocomplete, half of the street": lambda each: each.street[: max(4, len(each.street) // 2)],
        "autocomplete, three letters": lambda each: each.street[:3],
        "autocomplete, one letter": lambda each: each.street[:1],
    }
    for name, text in rows.items():
        line = Line(name)
        line.measure(
            drawn,
            lambda each, text=text: geocoder.autocomplete(  # type: ignore[misc]
                AutocompleteQuery(text=text(each), near=Point(each.point.longitude + 0.007, each.point.latitude))
            ),
            lambda each, found: any(_is_copy(each, at) for at in found[:5]),
        )
        yield line
    geocoder.close()


def _is_copy(copied: Copied, found: Address) -> bool:
    """Return whether a result is the typed house or, if no number was typed, its street in its town."""
    return found.street == copied.street and found.city == copied.town and found.number in (copied.number, None)


# Synthetic addresses

_FIRST = [
    "Oak",
    "Maple",
    "Cedar",
    "Pine",
    "Elm",
    "Walnut",
    "Cherry",
    "Birch",
    "Willow",
    "Ash",
    "Hickory",
    "Chestnut",
    "Spruce",
    "Poplar",
    "Laurel",
    "Juniper",
]
_SECOND = [
    "wood",
    "field",
    "brook",
    "hill",
    "view",
    "side",
    "crest",
    "dale",
    "ridge",
    "port",
    "land",
    "mont",
    "ton",
    "bury",
    "ford",
    "haven",
    "stead",
    "water",
    "stone",
]
_TYPES = ["Street", "Avenue", "Road", "Drive", "Lane", "Court", "Place"]
_SIDES = ["", "North ", "South ", "East ", "West "]
_STATES = {"PA": "Pennsylvania", "NY": "New York", "OH": "Ohio", "IL": "Illinois"}
_HOUSES = 50


@dataclass(frozen=True)
class Made:
    """A synthetic address."""

    number: int
    street: str
    city: str
    state: str
    postal_code: str
    point: Point

    @property
    def text(self) -> str:
        """The address as text."""
        return f"{self.number} {self.street}, {self.city}, {self.state} {self.postal_code}"


def _synthetic(folder: Path, options: argparse.Namespace) -> Iterator[Line]:
    begun = perf_counter()
    file = folder / "synthetic.sqlite"
    made = list(_write_synthetic(file, options.synthetic))
    print(
        f"{options.synthetic:,} addresses: {file.stat().st_size / 1e6:.0f} MB,"
        f" written in {perf_counter() - begun:.0f} s\n"
    )
    source = random.Random(SEED)
    drawn = source.sample(made, options.count)
    geocoder = EmbeddedGeocoder([file], _world())
    _warm_up(geocoder, [each.text for each in drawn[:20]])

    def is_it(each: Made, found: tuple[Address, ...]) -> bool:
        return bool(found) and (found[0].point, found[0].number) == (each.point, str(each.number))

    texts: dict[str, Callable[[Made], str]] = {
        "forward, as written": lambda each: each.text,
        "forward, without city": lambda each: f"{each.number} {each.street}, {each.state} {each.postal_code}",
        "forward, upper case": lambda each: each.text.upper(),
        "forward, one typo": lambda each: each.text.replace(each.street, _slipped(each.street, source)),
    }
    for name, text in texts.items():
        line = Line(name)
        pairs = [(each, text(each)) for each in drawn]
        line.measure(
            pairs, lambda pair: geocoder.forward(ForwardQuery(text=pair[1])), lambda pair, found: is_it(pair[0], found)
        )
        yield line
    line = Line("reverse")
    line.measure(drawn, lambda each: geocoder.reverse(ReverseQuery(point=each.point)), is_it)
    yield line
    line = Line("autocomplete, each letter")
    address = frozenset({Layer.ADDRESS})
    typed = [
        (each, each.text[:length]) for each in drawn[:TYPED] for length in range(1, len(each.text.split(",")[0]) + 1)
    ]
    line.measure(
        [(each, text) for each, text in typed if text.strip()],
        lambda pair: geocoder.autocomplete(AutocompleteQuery(text=pair[1].strip(), near=pair[0].point, layers=address)),
        lambda pair, found: False,
    )
    yield line
    geocoder.close()


def _slipped(street: str, source: random.Random) -> str:
    parts = street.split(" ")
    at = max(range(len(parts)), key=lambda index: len(parts[index]))
    parts[at] = slip(parts[at], source)
    return " ".join(parts)


def _write_synthetic(file: Path, count: int) -> Iterator[Made]:
    """Write towns of a hundred streets with fifty houses each, with names that consist of two parts."""
    names = [f"{side}{first}{second} {kind}" for side, first, second, kind in product(_SIDES, _FIRST, _SECOND, _TYPES)]
    source = random.Random(SEED)
    with GazetteerWriter(file, {"name": "synthetic"}) as writer:
        country = writer.division(
            Division(
                layer=Layer.COUNTRY,
                name="United States",
                code="US",
                point=Point(-80, 40),
                context=writer.context(Context()),
            )
        )
        in_country = writer.context(Context(country=country, country_code="US"))
        states = {
            code: writer.division(
                Division(layer=Layer.STATE, name=name, code=code, point=Point(-80, 40), context=in_country)
            )
            for code, name in _STATES.items()
        }
        for town in range(-(-count // (100 * _HOUSES))):
            code = list(_STATES)[town % len(_STATES)]
            center = Point(-90 + town % 40 * 0.25, 38 + town // 40 * 0.2)
            city = f"{source.choice(_FIRST)}{source.choice(_SECOND)} {town}ville".replace(f" {town}", _letters(town))
            in_state = writer.context(Context(country=country, state=states[code], country_code="US"))
            division = writer.division(
                Division(layer=Layer.LOCALITY, name=city, point=center, context=in_state, population=9_000)
            )
            postal_code = f"{10_000 + town}"
            context = writer.context(
                Context(country=country, state=states[code], city=division, postal_code=postal_code, country_code="US")
            )
            for row, name in enumerate(source.sample(names, 100)):
                middle = Point(center.longitude, center.latitude + row * 0.001)
                street = writer.street(Street(name=name, point=middle, context=context))
                for house in range(_HOUSES):
                    point = Point(center.longitude + house * 0.0003, middle.latitude)
                    number = 100 + house * 2
                    writer.house(House(street=street, number=str(number), point=point, context=context))
                    yield Made(number, name, city, code, postal_code, point)


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


if __name__ == "__main__":
    main()
