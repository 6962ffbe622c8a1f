"""Memory of the geocoder over many distinct queries: ``python -m tests.benchmarks.geocoding_soak [--queries 200000]``.

Alternates between names of the world's localities (complete, misspelled, partial, and after addresses) and positions.
"""

import argparse
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.domain.addresses.address import AutocompleteQuery, ForwardQuery, ReverseQuery
from engine.domain.geometry import Point
from engine.gazetteer.reader import Gazetteer
from engine.geocoding.embedded import EmbeddedGeocoder
from engine.geocoding.geocoding import WORLD

_STEPS: Final = 20
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def anonymous_mb() -> int:
    """Return this process's memory in megabytes, without mapped files, which the system may reclaim."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) // 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--queries", type=int, default=200_000)
    parser.add_argument("areas", nargs="*", type=Path, help="gazetteers of areas in use")
    arguments = parser.parse_args()
    world = WORLD / "world.sqlite"
    geocoder = EmbeddedGeocoder(arguments.areas, world)
    sql = "SELECT name, longitude, latitude FROM divisions WHERE layer = 'locality'"
    questions = _questions(Gazetteer(world).rows(sql), random.Random(9))
    begun = time.process_time()
    print(f"{0:>9,} queries {anonymous_mb():>5} MB")
    for number in range(1, arguments.queries + 1):
        question = next(questions)
        if isinstance(question, ForwardQuery):
            geocoder.forward(question)
        elif isinstance(question, ReverseQuery):
            geocoder.reverse(question)
        else:
            geocoder.autocomplete(question)
        if number % max(1, arguments.queries // _STEPS) == 0:
            print(f"{number:>9,} queries {anonymous_mb():>5} MB {time.process_time() - begun:>6.0f} s", flush=True)


def _questions(
    places: list[tuple[str, float, float]], chance: random.Random
) -> Iterator[ForwardQuery | ReverseQuery | AutocompleteQuery]:
    number = 0
    while True:
        number += 1
        (name, longitude, latitude), (other, _, _) = chance.sample(places, 2)
        yield ForwardQuery(text=name)
        yield ForwardQuery(text=f"{number} {other} Street, {name}")
        at = chance.randrange(len(name))
        yield ForwardQuery(text=f"{name[:at]}{chance.choice(_LETTERS)}{name[at + 1 :]}")
        yield AutocompleteQuery(text=name[: chance.randrange(1, len(name) + 1)])
        yield ReverseQuery(point=Point(longitude, min(latitude + chance.random() / 10, 89.0)))


if __name__ == "__main__":
    main()
