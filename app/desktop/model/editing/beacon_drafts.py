"""Unsaved values of a beacon's fields, while the form shows another one."""

from collections.abc import Collection, Mapping

from app.desktop.model.editing.beacon_sheet import BeaconSheet
from app.desktop.model.editing.drafts import Draft
from engine.domain.environment import Environment


class BeaconDrafts:
    """Drafts by the environment and the ID of their beacon, with the sheet to which they belong.

    A new beacon has no ID yet; an environment has at most one that was begun.
    """

    def __init__(self) -> None:
        self._drafts: dict[tuple[Environment, str], tuple[BeaconSheet, dict[str, Draft]]] = {}

    def keep(self, sheet: BeaconSheet, drafts: dict[str, Draft]) -> None:
        """Keep what is not saved of a beacon that is left; of a new one its coordinates alone are not worth it."""
        if drafts.keys() - ({"geometry"} if sheet.is_new else set()):
            self._drafts[sheet.environment, sheet.id] = sheet, drafts

    def take(self, sheet: BeaconSheet) -> tuple[BeaconSheet, dict[str, Draft]]:
        """Return what is not saved of a beacon that is shown again, and the sheet that was begun with if it is new."""
        begun, drafts = self._drafts.pop((sheet.environment, sheet.id), (sheet, {}))
        return begun if sheet.is_new else sheet, drafts

    def forget_new(self, environment: Environment) -> None:
        """The new beacon of an environment is stored."""
        self._drafts.pop((environment, ""), None)

    def forget(self, beacon_ids: Collection[str]) -> None:
        """Beacons are gone."""
        self._drafts = {key: draft for key, draft in self._drafts.items() if key[1] not in beacon_ids}

    def clear(self) -> None:
        """Another workspace is open."""
        self._drafts.clear()

    def states(self) -> list[tuple[BeaconSheet, Mapping[str, object]]]:
        """Return the sheets with something that is not saved, and what stands in their fields."""
        return [(sheet, {name: each.state for name, each in drafts.items()}) for sheet, drafts in self._drafts.values()]
