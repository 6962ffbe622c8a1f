"""The places that must know every setting, except the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import orjson

from app.api.wire.settings.record import encode_settings
from app.api.wire.settings.request import NAMES, decode_settings_change, parse_setting
from engine.domain.settings import ProjectSettings, SettingsChange
from engine.engine import Engine
from tests.fields.examples import whole
from tests.fields.places import Place, names_of, read_back, shown
from tests.fields.requests import body
from tests.fields.served import TEST, opened, sent, through_a_file

RECORDS: Final = (ProjectSettings,)


def samples() -> list[ProjectSettings]:
    """Return settings without default values."""
    return [whole(ProjectSettings)]


def change() -> SettingsChange:
    """Return the change that sets all of them."""
    settings = whole(ProjectSettings)
    return SettingsChange(**{name: getattr(settings, name, None) for name in names_of(SettingsChange)})


def _stored(_given: Sequence[ProjectSettings]) -> list[ProjectSettings]:
    with TemporaryDirectory() as folder:
        with Engine.open(Path(folder)) as engine:
            engine.settings.change(TEST, change())
        with Engine.open(Path(folder)) as engine:
            return [engine.settings.get(TEST)]


def _seeded(_given: Sequence[ProjectSettings]) -> list[ProjectSettings]:
    with opened() as engine:
        engine.settings.change(TEST, change())
        return [through_a_file(engine).contents[TEST].settings]


def _unapplied_fields() -> set[str]:
    """Return the settings that a request over HTTP sets without effect."""
    with opened() as engine:
        sent(engine, "PATCH", "/v1/settings", _known())
        return _unset(engine.settings.get(TEST))


def _typed_in_vain() -> set[str]:
    """Return the settings that cannot be given as text, as for ``--set``."""
    parsed = {name: parse_setting(name, _text(value)) for name, value in _known().items()}
    return _unset(decode_settings_change(parsed))


def _known() -> dict[str, Any]:
    """Return the body that sets everything; an unknown setting would cause a refusal of the whole request."""
    return {name: value for name, value in body(SettingsChange, RECORDS).items() if name in NAMES}


def _text(value: Any) -> str:
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return ",".join(value)
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _unset(settings: ProjectSettings | SettingsChange) -> set[str]:
    wanted = whole(ProjectSettings)
    return {name for name in names_of(SettingsChange) if getattr(settings, name) != getattr(wanted, name, None)}


def _place(name: str, forgotten: Callable[[], set[str]]) -> Place:
    return Place("settings", name, forgotten)


PLACES: Final = (
    _place("change", lambda: names_of(ProjectSettings) - names_of(SettingsChange)),
    _place("store (reopened)", read_back(samples, _stored)),
    _place("seed and snapshot", read_back(samples, _seeded)),
    _place("API request", _unapplied_fields),
    _place("API response", shown(samples, encode_settings)),
    _place("command line", _typed_in_vain),
)
