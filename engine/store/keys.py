"""The four keys of a workspace, in a file readable only by its owner."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from secrets import compare_digest, token_hex
from threading import Lock

import orjson

from engine.domain.environment import ApiKey, Environment, KeyLevel
from engine.domain.errors import InvalidParameter, StorageUnavailable, WorkspaceError
from engine.domain.nesting import not_too_deep

_OWN_LENGTH = "8 to 64"
_OWN_PART = re.compile(r"[0-9A-Za-z]{8,64}")
_LEVEL_PREFIX = {KeyLevel.PUBLISHABLE: "pk", KeyLevel.SECRET: "sk"}


class KeyRing:
    """Finds, lists and rotates the keys. Thread-safe."""

    def __init__(self, file: Path) -> None:
        """Read the keys from `file`, or create them if it does not exist."""
        self._file = file
        self._lock = Lock()
        if file.exists():
            self._keys = _read(file)
        else:
            self._keys = {(env, level): _new_key(env, level) for env in Environment for level in KeyLevel}
            self.save_as(file)
        self._folder = file.parent.stat()
        self._known = self._encoded()

    def find(self, value: str) -> ApiKey | None:
        """Return the key with this value."""
        given = value.encode("utf-8", "surrogatepass")
        found = None
        # All keys are compared, each in constant time.
        for key, known in self._known:
            if compare_digest(given, known):
                found = key
        return found

    def value(self, environment: Environment, level: KeyLevel) -> str:
        """Return the value of one of the four keys."""
        return self._keys[environment, level].value

    def all(self) -> tuple[ApiKey, ...]:
        """Return the four keys, Test before Live and publishable before secret."""
        return tuple(self._keys[env, level] for env in Environment for level in KeyLevel)

    def use(self, values: Mapping[tuple[Environment, KeyLevel], str]) -> None:
        """Replace some keys by given ones.

        Raises `InvalidParameter`, or `StorageUnavailable`. Nothing has changed then.
        """
        for (environment, level), value in values.items():
            _check_key(environment, level, value)
        with self._lock:
            self._put({place: ApiKey(*place, value) for place, value in values.items()})

    def rotate(self, environment: Environment, level: KeyLevel) -> ApiKey:
        """Replace one key. The old key becomes invalid immediately.

        Raises `StorageUnavailable`. Nothing has changed then.
        """
        with self._lock:
            key = _new_key(environment, level)
            self._put({(environment, level): key})
            return key

    def _put(self, keys: Mapping[tuple[Environment, KeyLevel], ApiKey]) -> None:
        before = self._keys
        self._keys = {**before, **keys}
        try:
            if not os.path.samestat(self._file.parent.stat(), self._folder):
                raise StorageUnavailable(
                    f"The keys could not be saved: {self._file.parent} was replaced while it was open. They have not "
                    "changed."
                )
            self.save_as(self._file)
        except StorageUnavailable:
            self._keys = before
            raise
        except OSError as error:
            self._keys = before
            reason = error.strerror or error
            raise StorageUnavailable(f"The keys could not be saved: {reason}. They have not changed.") from error
        self._known = self._encoded()

    def _encoded(self) -> tuple[tuple[ApiKey, bytes], ...]:
        return tuple((key, key.value.encode()) for key in self._keys.values())

    def save_as(self, file: Path) -> None:
        """Write the keys to a file; raises `OSError`."""
        content = {env.value: {level.value: self._keys[env, level].value for level in KeyLevel} for env in Environment}
        write_private(file, orjson.dumps(content, option=orjson.OPT_INDENT_2))


def write_private(file: Path, content: bytes) -> None:
    """Write a file atomically, readable only by its owner. If that fails, no partial file is left."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "wb") as stream:  # noqa: PTH123 - a descriptor, so that the mode holds from the start
            stream.write(content)
            stream.flush()
            os.fsync(descriptor)
        draft.replace(file)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def _prefix(environment: Environment, level: KeyLevel) -> str:
    return f"prj_{environment}_{_LEVEL_PREFIX[level]}_"


def _new_key(environment: Environment, level: KeyLevel) -> ApiKey:
    return ApiKey(environment, level, f"{_prefix(environment, level)}{token_hex(20)}")


def _check_key(environment: Environment, level: KeyLevel, value: str) -> None:
    prefix = _prefix(environment, level)
    if not (value.startswith(prefix) and _OWN_PART.fullmatch(value, len(prefix))):
        raise InvalidParameter(
            level.value,
            f"{level.value}: must be {prefix} and {_OWN_LENGTH} letters or digits, such as {prefix}0123abcd.",
        )


def _read(file: Path) -> Mapping[tuple[Environment, KeyLevel], ApiKey]:
    try:
        content = orjson.loads(not_too_deep(file.read_bytes()))
        return {
            (env, level): ApiKey(env, level, str(content[env.value][level.value]))
            for env in Environment
            for level in KeyLevel
        }
    except OSError as error:
        raise WorkspaceError(f"The keys in {file} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise WorkspaceError(
            f"The keys in {file} are damaged. Restore the file, or remove it to generate new keys."
        ) from error
