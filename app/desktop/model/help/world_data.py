"""World data as displayed in the window: which parts there are, what a download takes, and its progress."""

from __future__ import annotations

from collections.abc import Sequence

from app.desktop.language import tr
from app.setup.checks import Plan, amount, needed
from app.setup.data import DATA, NODE, SIZES, Part
from engine import bundled
from engine.domain.ports import Progress

_BUILD: dict[Part, int] = {"world": 500_000_000, "area": 40_000_000}
"""Duration of a build as the size of a download that takes as long."""


class Stages:
    """Reports the steps of a set-up as one operation. Each step has a weight, and they begin in order."""

    def __init__(self, progress: Progress, weights: Sequence[int]) -> None:
        self._report, self._weights = progress, weights
        self._total = max(sum(weights), 1)
        self._number, self._done = 0, 0

    def step(self, _label: str) -> None:
        """Begin to wait, which has no progress."""
        self.check()

    def check(self) -> None:
        """Raise `Cancelled` if the user has cancelled."""
        self._report(self._done, self._total)

    def building(self, _label: str) -> Progress:
        """Begin the next step."""
        begin = sum(self._weights[: self._number])
        weight = sum(self._weights[self._number : self._number + 1])
        self._number += 1

        def show(done: int, total: int) -> None:
            self._done = min(begin + weight * done // max(total, 1), self._total - 1)
            self.check()

        return show


def weights_of(plans: Sequence[Plan]) -> list[int]:
    """Return the weights of the steps that build parts."""
    weights: list[int] = []
    for plan in plans:
        if plan.current:
            continue
        if "Node.js" in plan.tools:
            weights.append(NODE.download)
        if plan.download:
            weights.append(SIZES[plan.part].download)
        if plan.part in _BUILD:
            weights.append(_BUILD[plan.part])
    return weights


def sizes_text(parts: Sequence[Part]) -> str:
    """Return the sizes of a download of parts as text."""
    sizes = [SIZES[part] for part in parts]
    return tr(
        "{download} to download, {work} of disk space for a few minutes, then {kept}",
        download=amount(sum(size.download for size in sizes)),
        work=amount(max(size.work for size in sizes)),
        kept=amount(sum(size.kept for size in sizes)),
    )


def cities_text() -> str:
    """Return the offer to download the cities of IP addresses, with the size."""
    return tr("Download the cities of IP addresses ({size})", size=amount(SIZES["cities"].download))


def credit_html() -> str:
    """Return the credit of the cities of IP addresses with its link, as rich text."""
    return f'<a href="{bundled.CITIES_URL}">{bundled.CITIES_CREDIT}</a>, CC BY 4.0'


def offer_text(parts: Sequence[Part]) -> str:
    """Return the offer to download missing parts."""
    return tr(
        "Addresses, places and countries need data that is not on this computer yet: {sizes}.", sizes=sizes_text(parts)
    )


def state_text(part: Part) -> str:
    """Return whether a part is there."""
    data = DATA[part]
    if not data.is_in(data.folder()):
        return tr("not downloaded") if part == "cities" else tr("missing")
    return tr("from another version") if part in needed([part]) else tr("complete")


def part_text(part: Part) -> str:
    """Return the name of a part and what it is for."""
    if part == "world":
        return tr("World pack: countries, states, postal codes, larger localities, airports, brands, IP addresses")
    if part == "cities":
        return tr("Cities of IP addresses, only on request: their region, city and position")
    return tr("Area {area_name}: streets, addresses, places and routing", area_name=bundled.PLAN.name)
