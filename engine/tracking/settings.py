"""The settings in force, and changing them."""

from collections.abc import Callable

from engine.domain.environment import Environment
from engine.domain.ports import Clock
from engine.domain.settings import ProjectSettings, SettingsChange, changed_settings
from engine.store.settings import Numbered, current_settings, on_since, save_settings
from engine.store.writer import Connection, Writer
from engine.tracking.whereabouts import Since


class SettingsBook:
    """The settings of one environment: read by any thread, changed through the writer."""

    def __init__(self, environment: Environment, connection: Connection) -> None:
        """Read what is in force from the database."""
        self._environment = environment
        self._current = current_settings(connection, environment)
        self._since = Since(on_since(connection, environment, "places"), on_since(connection, environment, "regions"))

    @property
    def settings(self) -> ProjectSettings:
        """What is in force."""
        return self._current[1]

    @property
    def numbered(self) -> Numbered:
        """What is in force, with the number of its version."""
        return self._current

    @property
    def since(self) -> Since:
        """Since when places and regions have been on."""
        return self._since

    def change(
        self, change: SettingsChange, writer: Writer, clock: Clock, changed: Callable[[ProjectSettings], None]
    ) -> ProjectSettings:
        """Store a change and return the settings; `changed` is told in the writer's thread, after the commit.

        Raises `InvalidParameter` naming the setting, and changes nothing then.
        """

        def work(connection: Connection) -> Numbered:
            settings = changed_settings(self.settings, change)
            if settings == self.settings:
                return self._current
            return save_settings(connection, self._environment, settings, clock.now())

        def then(numbered: Numbered) -> None:
            if numbered is not self._current:
                self._current = numbered
                self._since = since_after(self._since, *numbered)
                changed(numbered[1])

        return writer.run(work, then)[1]


def since_after(since: Since, number: int, settings: ProjectSettings) -> Since:
    """Return since when places and regions are on after the settings of a number came into force."""
    places = since.places if since.places is not None else number
    regions = since.regions if since.regions is not None else number
    return Since(places if settings.places else None, regions if settings.regions else None)
