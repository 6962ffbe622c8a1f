"""Secrets of a sync: in the keyring, or in a file that only its owner can read."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend

from engine.domain.nightly.settings import SyncChange
from engine.engine import Engine
from engine.store.nightly.secrets import SECRETS_FILE
from tests.engine.nightly.conftest import TEST
from tests.engine.nightly.servers import SECRET


class Remembering(KeyringBackend):
    """A keyring in memory."""

    priority = 1

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def own_keyring() -> Iterator[Remembering]:
    before, own = keyring.get_keyring(), Remembering()
    keyring.set_keyring(own)
    yield own
    keyring.set_keyring(before)


def all_files(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_secrets_are_in_the_keyring(engine: Engine, tmp_path: Path, own_keyring: Remembering) -> None:
    engine.nightly.change(TEST, SyncChange(secret_access_key=SECRET))
    assert list(own_keyring.kept.values()) == [SECRET]
    assert engine.nightly.state(TEST).secrets == {"secret_access_key"}
    assert SECRET.encode() not in all_files(tmp_path)
    engine.nightly.change(TEST, SyncChange(secret_access_key=None))
    assert not own_keyring.kept


def test_without_a_keyring_they_are_in_a_private_file(engine: Engine, tmp_path: Path) -> None:
    engine.nightly.change(TEST, SyncChange(secret_access_key=SECRET))
    file = engine.workspace.folder / SECRETS_FILE
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600  # noqa: PTH116
    engine.save_copy(tmp_path / "copy")
    assert SECRET.encode() not in all_files(tmp_path / "copy")
    engine.nightly.change(TEST, SyncChange(secret_access_key=None))
    assert not file.exists()
