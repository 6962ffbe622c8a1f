"""The settings in force, and changes to them."""

from collections.abc import Callable, Iterable, Mapping

from engine.domain.addresses.place import ChainSetting
from engine.domain.environment import Environment
from engine.domain.fields.settings import changed_settings
from engine.domain.ports import Clock
from engine.domain.queries import Change
from engine.domain.settings import DEFAULT_SETTINGS, ProjectSettings, SettingsChange, check_environment
from engine.store.settings import Numbered, current_settings, on_since, save_settings
from engine.store.writer import Connection, Writer
from engine.tracking.nearby_cache import NearbyCache
from engine.tracking.place_state import Since

type Changing = Callable[[ProjectSettings], SettingsChange]


class SettingsBook:
    """The settings of one environment, readable from any thread and changed in the writer's thread."""

    def __init__(self, environment: Environment, connection: Connection) -> None:
        """Read the settings in force from the database."""
        self._current = current_settings(connection, environment)
        self.settings = self._current[1]
        """The settings in force. Users of the book must not change them."""
        self._since = Since(on_since(connection, environment, "places"), on_since(connection, environment, "regions"))

    @property
    def numbered(self) -> Numbered:
        """The settings in force, with the number of their version."""
        return self._current

    @property
    def since(self) -> Since:
        """Versions of the settings since which places and regions have been enabled."""
        return self._since

    def take(self, numbered: Numbered) -> None:
        """Put newly stored settings into force."""
        self._current, self.settings = numbered, numbered[1]
        self._since = since_after(self._since, *numbered)

    def become(self, other: "SettingsBook") -> None:
        """Adopt the settings of another book, which has just read them."""
        self._current, self.settings, self._since = other._current, other.settings, other._since


class Settings:
    """The settings of both environments, readable from any thread and changed through the writer."""

    def __init__(
        self,
        books: Mapping[Environment, SettingsBook],
        writer: Writer,
        clocks: Mapping[Environment, Clock],
        around: NearbyCache,
        check_chains: Callable[[Iterable[str], tuple[ChainSetting, ...]], None],
        changing: Callable[[Environment, Connection, ProjectSettings], None],
        changed: Callable[[Change], None],
    ) -> None:
        """Create the settings over their books.

        `check_chains` raises for place chains that are neither in the data nor among the given ones. `changing` is
        called with the new settings within the transaction, `changed` in the writer's thread after the commit.
        """
        self._books = books
        self._writer = writer
        self._clocks = clocks
        self._around = around
        self._check_chains = check_chains
        self._changing = changing
        self._changed = changed

    def get(self, environment: Environment) -> ProjectSettings:
        """Return the settings in force, from memory."""
        return self._books[environment].settings

    def change(self, environment: Environment, change: SettingsChange | Changing) -> ProjectSettings:
        """Store a change and return the settings. Raises `InvalidParameter` naming the setting.

        The change may be a function of the settings in force.
        """
        book = self._books[environment]

        def after_change() -> ProjectSettings:
            return changed_settings(
                book.settings, change if isinstance(change, SettingsChange) else change(book.settings)
            )

        def work(connection: Connection) -> Numbered:
            settings = after_change()
            if settings == book.settings:
                return book.numbered
            self._changing(environment, connection, settings)
            return save_settings(connection, environment, settings, self._clocks[environment].now())

        def then(numbered: Numbered) -> None:
            if numbered is not book.numbered:
                book.take(numbered)
                self._changed(Change(environment, settings=numbered[1]))

        after = check_environment(environment, after_change())
        self._check_place_chains(book.settings, after)
        settings = self._writer.run(work, then, forgets=True)[1]
        self.get_ready()
        return settings

    def of_new_project(self, environment: Environment, change: SettingsChange) -> ProjectSettings:
        """Return the settings of a project that sets nothing else. Raises `InvalidParameter` naming the setting."""
        settings = check_environment(environment, changed_settings(DEFAULT_SETTINGS, change))
        self._check_place_chains(DEFAULT_SETTINGS, settings)
        return settings

    def get_ready(self) -> None:
        """Warm up the search for places and regions if they are enabled, so that no device has to wait for it."""
        used = [book.settings for book in self._books.values()]
        self._around.get_ready(
            places=any(each.places for each in used),
            regions=any(each.regions or each.blocked_countries for each in used),
        )

    def _check_place_chains(self, before: ProjectSettings, after: ProjectSettings) -> None:
        """Raise for an unknown chain, unless the previous settings contain it, as its area may have been removed."""
        if new := frozenset(after.place_chains) - frozenset(before.place_chains):
            self._check_chains(new, after.chains)


def since_after(since: Since, number: int, settings: ProjectSettings) -> Since:
    """Return the versions since which places and regions are enabled, after the version `number` came into force."""
    places = since.places if since.places is not None else number
    regions = since.regions if since.regions is not None else number
    return Since(places if settings.places else None, regions if settings.regions else None)
