"""The settings in force, and changing them."""

from collections.abc import Callable

from engine.domain.environment import Environment
from engine.domain.ports import Clock
from engine.domain.settings import ProjectSettings, SettingsChange, changed_settings
from engine.store.settings import Numbered, current_settings, save_settings
from engine.store.writer import Connection, Writer


class SettingsBook:
    """The settings of one environment: read by any thread, changed through the writer."""

    def __init__(self, environment: Environment, connection: Connection) -> None:
        """Read what is in force from the database."""
        self._environment = environment
        self._current = current_settings(connection, environment)

    @property
    def settings(self) -> ProjectSettings:
        """What is in force."""
        return self._current[1]

    @property
    def numbered(self) -> Numbered:
        """What is in force, with the number of its version."""
        return self._current

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
                changed(numbered[1])

        return writer.run(work, then)[1]
