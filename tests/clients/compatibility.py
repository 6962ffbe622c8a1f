"""The tables of clients in docs/sdks.md. The test of each client compares its rows with its own run.

``FENCEWRIGHT_WRITE_DOCS=1`` writes the rows into the page instead, in a run with ``-n 0``.
"""

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.metadata import version
from typing import Final

from app.api.v1.request_log.sdk_fields import Sdk
from tests.clients.chromium import FOLDER
from tests.node_packages import ROOT

PAGE: Final = ROOT / "docs" / "sdks.md"
ABSENT: Final = "–"

CALLS: Final[Mapping[str, Mapping[str, str]]] = {
    "location updates": {"trackOnce": "yes"},
    "trips": {"startTrip": "start", "updateTrip": "update", "completeTrip": "complete", "cancelTrip": "cancel"},
    "conversions": {"conversion": "yes"},
    "context": {"context": "yes"},
    "geocoding": {"forward": "forward", "reverse": "reverse", "ip": "IP"},
    "autocomplete": {"autocomplete": "yes"},
    "search": {"geofences": "geofences", "places": "places", "users": "users"},
    "validation": {"validate": "yes"},
    "routes": {"distance": "distance", "matrix": "matrix"},
}
"""Columns of the table of calls, each with its calls and the word for each, for clients that have only some."""

ONLY_SECRET: Final = frozenset({"users"})
"""Calls that need the secret key, which browsers do not have."""


def _package(name: str, folder: str = "") -> str:
    """Return the name and version of an npm package, by its folder below ``node_modules``."""
    lock = json.loads((ROOT / FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    return f"`{name}` {lock['packages'][f'node_modules/{folder or name}']['version']}"


def _distribution(name: str) -> str:
    return f"`{name}` {version(name)}"


class Client(Enum):
    """The clients in the order of the tables, each with its name and installed version."""

    SDK_5 = _package("radar-sdk-js")
    SDK_4 = _package("radar-sdk-js", "radar-sdk-js-4")
    SDK_3 = _package("radar-sdk-js", "radar-sdk-js-3")
    REACT_NATIVE = f"{_package('react-native-radar')} on the web"
    CAPACITOR = f"{_package('capacitor-radar')} on the web"
    PYTHON = _distribution("radar-python")
    MAPPING = _distribution("radar-mapping-api")
    MAPS = _package("@radarlabs/plugin-maps")
    MAPS_4 = f"`Radar.ui.map` of {_package('radar-sdk-js', 'radar-sdk-js-4')}"
    AUTOCOMPLETE = f"`Radar.ui.autocomplete` of {_package('radar-sdk-js', 'radar-sdk-js-4')}"
    FRAUD = _package("@radarlabs/plugin-fraud")
    IOS = Sdk.IOS.value
    ANDROID = Sdk.ANDROID.value
    WRAPPERS = f"{Sdk.REACT_NATIVE}, {Sdk.FLUTTER} and {Sdk.CAPACITOR} on phones"


@dataclass(frozen=True)
class Table:
    """A table in the page: the name in its marker, its columns after the first, and the clients of its rows."""

    name: str
    columns: Sequence[str]
    clients: Sequence[Client]

    def lines(self, page: str) -> list[str]:
        """Return the lines of the table."""
        begin = page.index("-->\n", page.index(f"<!-- {self.name}:")) + 4
        return page[begin : page.index(f"<!-- end of {self.name} -->")].splitlines()

    def head(self) -> list[str]:
        """Return the first two lines."""
        return [_row(("client", *self.columns)), "|".join(["", *["---"] * (len(self.columns) + 1), ""])]

    def check(self, client: Client, cells: Iterable[str]) -> None:
        """Check that the row of a client has these cells, or write them."""
        row = _row((client.value, *cells))
        place = self.clients.index(client) + 2
        page = PAGE.read_text(encoding="utf-8")
        if os.environ.get("FENCEWRIGHT_WRITE_DOCS"):
            lines = self.lines(page)
            lines += [""] * (place + 1 - len(lines))
            before = "\n".join(self.lines(page))
            lines[:2] = self.head()
            lines[place] = row
            page = page.replace(
                f"{before}\n<!-- end of {self.name} -->", "\n".join(lines) + f"\n<!-- end of {self.name} -->"
            )
            PAGE.write_text(page, encoding="utf-8")
        assert self.lines(page)[place] == row


CLIENTS: Final = Table("clients", ("run", "called", "differences"), tuple(Client))
WITH_CALLS: Final = Table("calls", tuple(CALLS), tuple(Client)[: tuple(Client).index(Client.MAPS)])


def check_client(client: Client, ran: str, called: str, differences: str = ABSENT) -> None:
    """Check the row of a client: where it was run, its methods called, and its differences from the platform."""
    CLIENTS.check(client, (ran, called, differences))


def check_calls(client: Client, answered: Collection[str]) -> None:
    """Check the row of a client whose calls with these names were answered."""
    WITH_CALLS.check(client, [_cell(calls, answered) for calls in CALLS.values()])


def count(called: Collection[str], offered: Collection[str]) -> str:
    """Return how many of the offered methods were called."""
    unknown = set(called) - set(offered)
    assert not unknown, unknown
    left = set(offered) - set(called)
    return f"all {len(offered)} methods" if not left else f"{len(called)} of {len(offered)} methods"


def _cell(calls: Mapping[str, str], answered: Collection[str]) -> str:
    words = [word for name, word in calls.items() if name in answered]
    if all(name in answered for name in calls if name not in ONLY_SECRET):
        return "yes"
    return ", ".join(words) if words else ABSENT


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
