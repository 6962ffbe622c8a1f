"""Secrets that a workspace needs to contact other servers, in the keyring of the system or else in a private file.

In the keyring, they are stored under the workspace's folder, so a copy of the workspace does not include them. A file
is used if there is no keyring, as on most servers, and for a temporary workspace.
"""

import logging
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

import orjson

from engine.domain.errors import StorageUnavailable
from engine.domain.nesting import not_too_deep
from engine.store.keys import write_private

log = logging.getLogger(__name__)

SECRETS_FILE: Final = "secrets.json"
_SERVICE: Final = "fencewright"


class Secrets:
    """Stores secrets by name. Thread-safe."""

    def __init__(self, folder: Path, *, temporary: bool) -> None:
        self._folder = folder
        self._file = folder / SECRETS_FILE
        self._temporary = temporary
        self._lock = Lock()
        self._known: dict[str, str | None] = {}

    def get(self, name: str) -> str | None:
        """Return a secret, or None if it does not exist or cannot be read."""
        with self._lock:
            if name not in self._known:
                self._known[name] = self._read_file().get(name) or self._of_keyring(name)
            return self._known[name]

    def put(self, name: str, secret: str | None) -> None:
        """Store or delete a secret; raises `StorageUnavailable` without changing anything."""
        with self._lock:
            kept = self._read_file()
            in_keyring = secret is not None and self._into_keyring(name, secret)
            if secret is None or in_keyring:
                changed = {key: value for key, value in kept.items() if key != name}
            else:
                changed = {**kept, name: secret}
            if changed != kept:
                self._write_file(changed)
            if not in_keyring:
                self._out_of_keyring(name)
            self._known[name] = secret

    def _read_file(self) -> dict[str, str]:
        try:
            content = orjson.loads(not_too_deep(self._file.read_bytes()))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            log.warning("The secrets in %s cannot be read: %s", self._file, type(error).__name__)
            return {}
        return {str(key): str(value) for key, value in content.items()} if isinstance(content, dict) else {}

    def _write_file(self, content: dict[str, str]) -> None:
        try:
            if content:
                write_private(self._file, orjson.dumps(content, option=orjson.OPT_INDENT_2))
            else:
                self._file.unlink(missing_ok=True)
        except OSError as error:
            raise StorageUnavailable(f"The secret could not be saved: {error.strerror or error}.") from None

    def _of_keyring(self, name: str) -> str | None:
        if self._temporary:
            return None
        # Imported here because it is slow to load and most workspaces have no secrets.
        import keyring

        try:
            return keyring.get_password(_SERVICE, self._entry(name))
        except Exception as error:  # noqa: BLE001 - each backend fails in its own way, and may repeat the secret
            log.debug("The keyring cannot be read: %s", type(error).__name__)
            return None

    def _into_keyring(self, name: str, secret: str) -> bool:
        """Store a secret in the keyring; return whether that was successful."""
        if self._temporary:
            return False
        import keyring

        try:
            keyring.set_password(_SERVICE, self._entry(name), secret)
            return keyring.get_password(_SERVICE, self._entry(name)) == secret
        except Exception as error:  # noqa: BLE001 - each backend fails in its own way, and may repeat the secret
            log.debug("The keyring cannot be used: %s", type(error).__name__)
            return False

    def _out_of_keyring(self, name: str) -> None:
        if self._temporary:
            return
        import keyring

        with suppress(Exception):
            if keyring.get_password(_SERVICE, self._entry(name)) is not None:
                keyring.delete_password(_SERVICE, self._entry(name))

    def _entry(self, name: str) -> str:
        return f"{self._folder.resolve()}: {name}"
