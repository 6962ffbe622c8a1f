"""The settings of an environment: GET and PATCH /v1/settings."""

from app.api.v1.operations import Call, Routes
from app.api.wire.common.encoding import Encoded, encode_answer
from app.api.wire.settings.places import (
    AllSettingsAnswer,
    SettingsPatchBody,
    WantedSettings,
    encode_all_settings,
)
from engine.domain.environment import KeyLevel
from engine.domain.errors import InvalidParameter
from engine.domain.settings import ProjectSettings
from engine.geofences.checks.settings import settings_warnings

routes = Routes(KeyLevel.SECRET, rehearsed=False)


@routes(
    "GET", "/v1/settings", name="readSettings", summary="Get the settings of the environment", answer=AllSettingsAnswer
)
async def read(call: Call[None, None]) -> Encoded:
    """Read the settings."""
    return _answer(call.services.engine.settings.get(call.environment))


@routes(
    "PATCH",
    "/v1/settings",
    name="changeSettings",
    summary="Update settings of the environment",
    answer=AllSettingsAnswer,
)
async def change(call: Call[None, SettingsPatchBody]) -> Encoded:
    """Change some settings and keep the others."""
    wanted = WantedSettings(call.body)
    try:
        changed = await call.services.run(call.services.engine.settings.change, call.environment, wanted)
    except InvalidParameter as error:
        raise wanted.named_as_given(error) from None
    call.warnings.extend(settings_warnings(changed))
    return _answer(changed)


def _answer(settings: ProjectSettings) -> Encoded:
    return encode_answer(encode_all_settings(settings))
