"""The history of geofences: their edits and deletions, newest first."""

from engine.domain.edits import EditPage, GeofenceEdit
from engine.domain.environment import Environment
from engine.domain.geofence import Geofence
from engine.store.database import Database
from engine.store.history.reading import deleted_geofences, edit_page

PAGE = 100
MOST_DELETED = 10_000


class GeofenceHistory:
    """Reads the history of geofences. Its methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def page(self, environment: Environment, geofence_id: str, older: int | None = None, limit: int = PAGE) -> EditPage:
        """Return edits of a geofence, which may be deleted, newest first."""
        return self._database.read_at_once(
            lambda connection: edit_page(connection, environment, geofence_id, older, limit)
        )

    def deleted(self, environment: Environment, text: str = "", most: int = MOST_DELETED) -> tuple[GeofenceEdit, ...]:
        """Return the deletions of geofences that do not exist any more and match all words of a text, newest first."""
        words = text.casefold().split()

        def wanted(geofence: Geofence) -> bool:
            names = f"{geofence.description} {geofence.tag} {geofence.external_id}".casefold()
            return all(word in names or word == geofence.id for word in words)

        return self._database.read_at_once(lambda connection: deleted_geofences(connection, environment, wanted, most))
