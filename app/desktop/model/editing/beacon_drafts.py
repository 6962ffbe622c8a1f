"""Unsaved values of a beacon's fields, kept while the form shows another beacon."""

from collections.abc import Collection, Mapping

from app.desktop.model.editing.beacon_sheet import BeaconSheet
from app.desktop.model.editing.drafts import Draft
from engine.domain.environment import Environment


class BeaconDrafts:
    """Drafts by the environment and the ID of their beacon, each with its sheet.

    A new beacon has no ID yet; an environment has at most one unsaved new beacon.
    """

    def __init__(self) -> None:
        self._drafts: dict[tuple[Environment, str], tuple[BeaconSheet, dict[str, Draft]]] = {}

    def keep(self, sheet: BeaconSheet, drafts: dict[str, Draft]) -> None:
        """Keep the unsaved values of a beacon; the coordinates alone of a new one are not kept."""
        if drafts.keys() - ({"geometry"} if sheet.is_new else set()):
            self._drafts[sheet.environment, sheet.id] = sheet, drafts

    def take(self, sheet: BeaconSheet) -> tuple[BeaconSheet, dict[str, Draft]]:
        """Remove the draft of a beacon that is shown again, and return its sheet and its unsaved values.

        A new beacon gets the sheet with which the draft was begun.
        """
        begun, drafts = self._drafts.pop((sheet.environment, sheet.id), (sheet, {}))
        return begun if sheet.is_new else sheet, drafts

    def forget_new(self, environment: Environment) -> None:
        """Drop the draft of the new beacon of an environment after it was stored."""
        self._drafts.pop((environment, ""), None)

    def forget(self, beacon_ids: Collection[str]) -> None:
        """Drop the drafts of deleted beacons."""
        self._drafts = {key: draft for key, draft in self._drafts.items() if key[1] not in beacon_ids}

    def clear(self) -> None:
        """Drop all drafts when another workspace is opened."""
        self._drafts.clear()

    def states(self) -> list[tuple[BeaconSheet, Mapping[str, object]]]:
        """Return the sheets with unsaved values, and the contents of their fields."""
        return [(sheet, {name: each.state for name, each in drafts.items()}) for sheet, drafts in self._drafts.values()]
